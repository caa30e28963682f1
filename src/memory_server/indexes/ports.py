"""What the worker writes to and recall reads from: the shapes of an embedder and of a vector store."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, runtime_checkable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vectors = NDArray[np.float32]
    TokenVectors = NDArray[np.int8]


class IndexUnavailable(Exception):
    """A derived index cannot answer: what it is built on is missing, refused, read-only or full."""


class IndexDamaged(IndexUnavailable):
    """The files of an index do not read back; it has to be set aside and rebuilt from storage."""


class EmbeddingUnavailable(IndexUnavailable):
    """No embedding can be made: the model is missing, is not the pinned one, or does not answer."""


class Embedder(Protocol):
    """Turns texts into points of one vector space."""

    @property
    def fingerprint(self) -> str:
        """The space's id (model, file hash, pooling, dimension): stable, and safe as a file name."""

    @property
    def dimension(self) -> int:
        """Numbers in a vector."""

    def embed(self, texts: Sequence[str]) -> Vectors:
        """One float32 row of unit length a text, in the order given; what exceeds the window is cut off.

        Raises EmbeddingUnavailable.
        """

    def pieces(self, text: str) -> list[str]:
        """Overlapping pieces that each fit the model's window, `[text]` where it fits as it is."""


@runtime_checkable
class TokenEmbedder(Embedder, Protocol):
    """An embedder that also shows what it makes of single tokens."""

    def embed_tokens(self, texts: Sequence[str]) -> tuple[Vectors, list[TokenVectors]]:
        """As `embed`, and for each text the vectors of its first tokens as indexes/token_vectors.py keeps them.

        Raises EmbeddingUnavailable.
        """


@dataclass(frozen=True, slots=True, eq=False)
class VectorRow:
    """One piece of one memory as a vector of unit length; `seq` is the outbox sequence it was made for.

    The first piece also carries the vectors of the first tokens, where the embedder shows them.
    """

    key: str
    memory_id: str
    memory_type: str
    piece: int
    seq: int
    content_hash: str
    vector: Vectors
    scope: str = "global"
    tokens: TokenVectors | None = None


@dataclass(frozen=True, slots=True, eq=False)
class VectorColumns:
    """Many rows side by side, as a scan hands them out; `vectors` has the shape (rows, dimension)."""

    memory_ids: list[str]
    memory_types: list[str]
    pieces: list[int]
    seqs: list[int]
    content_hashes: list[str]
    scopes: list[str]
    vectors: Vectors

    def __len__(self) -> int:
        return len(self.memory_ids)


def row_key(memory_id: str, piece: int) -> str:
    """The key under which a piece of a memory is stored."""
    return f"{memory_id}#{piece}"


class VectorStore(Protocol):
    """Keeps the vectors of one space. Every method raises IndexUnavailable, or IndexDamaged for bad files."""

    def upsert(self, rows: Sequence[VectorRow], *, stale_pieces_of: Sequence[str]) -> None:
        """Merge on key; the highest seq wins, in the batch and against what is stored.

        Of the memories in `stale_pieces_of`, pieces that are not among `rows` are deleted.
        """

    def delete(self, memory_ids: Sequence[str]) -> None:
        """Remove every piece of these memories; unknown ids are no error."""

    def fetch(self, memory_ids: Sequence[str]) -> list[VectorRow]:
        """The rows of these memories, by memory and piece."""

    def scan(self) -> Iterator[VectorColumns]:
        """Everything, in blocks of some thousand rows."""

    def ids(self) -> dict[str, str]:
        """Memory id to content hash of all that is stored, for comparing with storage."""

    def count(self) -> int:
        """Rows, that is pieces, not memories."""

    def compact(self) -> None:
        """Merge small files and remove old versions."""

    def drop(self) -> None:
        """Delete this space's vectors altogether; the store stays usable and is empty."""

    def close(self) -> None:
        """Let go of files; closing twice is no error."""
