"""From a memory to what the vector index holds of it."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from threading import Lock
from typing import TYPE_CHECKING, NamedTuple

from memory_server.domain.fact import Fact
from memory_server.domain.lifecycle import LifecycleState
from memory_server.domain.memory import Memory
from memory_server.indexes.ports import Embedder, TokenEmbedder, VectorRow, row_key
from memory_server.policies.text import digest

if TYPE_CHECKING:
    from memory_server.indexes.ports import TokenVectors, Vectors

_LEFT = frozenset(
    {
        LifecycleState.ARCHIVED,
        LifecycleState.FORGOTTEN,
        LifecycleState.SUPERSEDED,
        LifecycleState.DISCARDED,
    }
)
_CACHED = 4096
_LONG = 600  # characters from which a text may have more than one piece
MOST_PIECES = 64  # of one memory, some 50,000 characters; what follows is found by words alone


def indexed_text(memory: Memory | None) -> str | None:
    """The words of a memory that are embedded; None where it has no place in the index (any more)."""
    if memory is None or memory.lifecycle_state in _LEFT:
        return None
    return memory.answer() if isinstance(memory, Fact) else str(memory.sentence())  # type: ignore[attr-defined]


class Embedded(NamedTuple):
    """The vectors of a text's pieces, of shape (pieces, dimension), and of its first tokens."""

    vectors: Vectors
    tokens: TokenVectors | None


def embedded(embedder: Embedder, texts: Sequence[str]) -> tuple[Vectors, list[TokenVectors] | None]:
    """A vector a text, and the vectors of its tokens if the embedder shows them.

    Raises:
        EmbeddingUnavailable: the model does not answer.
    """
    return (
        embedder.embed_tokens(texts) if isinstance(embedder, TokenEmbedder) else (embedder.embed(texts), None)
    )


class Embeddings:
    """Vectors of memories by content, so that a reader and the worker never embed the same text twice."""

    def __init__(self, embedder: Embedder) -> None:
        self.embedder = embedder
        self._lock = Lock()
        self._known: OrderedDict[str, Embedded] = OrderedDict()

    def of(self, texts: Sequence[str], most_pieces: int = MOST_PIECES) -> list[Embedded]:
        """For each text the vectors of its first pieces, and of its first tokens.

        Raises:
            EmbeddingUnavailable: the model does not answer.
        """
        keys = [digest(text, str(most_pieces) if len(text) > _LONG else "") for text in texts]
        with self._lock:
            known = {key: self._known[key] for key in keys if key in self._known}
        pieces: list[str] = []
        spans: dict[str, tuple[int, int]] = {}
        for key, text in zip(keys, texts, strict=True):
            if key not in known and key not in spans:
                parts = self.embedder.pieces(text)[:most_pieces]
                spans[key] = (len(pieces), len(pieces) + len(parts))
                pieces.extend(parts)
        if pieces:
            vectors, tokens = embedded(self.embedder, pieces)
            fresh = {
                key: Embedded(vectors[start:end], tokens[start] if tokens else None)
                for key, (start, end) in spans.items()
            }
            known |= fresh
            with self._lock:
                self._known.update(fresh)
                while len(self._known) > _CACHED:
                    self._known.popitem(last=False)
        return [known[key] for key in keys]

    def rows(
        self, memories: Sequence[tuple[int, str, Memory, str]], most_pieces: int = MOST_PIECES
    ) -> list[VectorRow]:
        """Vector rows of memories given as (seq, memory_type, memory, text)."""
        vectors = self.of([text for _, _, _, text in memories], most_pieces)
        return [
            VectorRow(
                key=row_key(memory.id, piece),
                memory_id=memory.id,
                memory_type=memory_type,
                piece=piece,
                seq=seq,
                content_hash=digest(text),
                vector=vector,
                scope=memory.scope,
                tokens=found.tokens if piece == 0 else None,
            )
            for (seq, memory_type, memory, text), found in zip(memories, vectors, strict=True)
            for piece, vector in enumerate(found.vectors)
        ]
