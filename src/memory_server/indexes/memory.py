"""The fakes that ship: an embedder and a vector store without model, files or network."""

from __future__ import annotations

import hashlib
import re
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from memory_server.indexes.ports import VectorColumns, VectorRow
from memory_server.indexes.token_vectors import MOST_TOKENS, compressed

if TYPE_CHECKING:
    from memory_server.indexes.ports import TokenVectors, Vectors

_WORD = re.compile(r"\w+")
_SCAN_ROWS = 4096


class HashEmbedder:
    """A bag of hashed words: texts that share words are near, and equal texts are equal on any machine."""

    def __init__(self, dimension: int = 256, window: int = 200) -> None:
        """`window` is counted in words."""
        self.dimension = dimension
        self.fingerprint = f"hashed-words-{dimension}"
        self._window = window

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Signed word counts by hash, of unit length; a text without words points along the first axis."""
        import numpy as np

        vectors = np.zeros((len(texts), self.dimension), dtype=np.float32)
        for row, text in zip(vectors, texts, strict=True):
            row += self._words(text, self._window).sum(axis=0)
            if not row.any():
                row[0] = 1.0
            row /= np.linalg.norm(row)
        return vectors

    def embed_tokens(self, texts: Sequence[str]) -> tuple[Vectors, list[TokenVectors]]:
        """As `embed`, with a vector for each of the first words."""
        return self.embed(texts), [compressed(self._words(text, MOST_TOKENS)) for text in texts]

    def _words(self, text: str, most: int) -> Vectors:
        """A vector a word, with a one or a minus one at a place that its hash tells."""
        import numpy as np

        words = _WORD.findall(text.casefold())[:most]
        vectors = np.zeros((len(words), self.dimension), dtype=np.float32)
        for row, word in zip(vectors, words, strict=True):
            number = int.from_bytes(hashlib.blake2b(word.encode(), digest_size=8).digest())
            row[(number >> 1) % self.dimension] = 1.0 if number & 1 else -1.0
        return vectors

    def pieces(self, text: str) -> list[str]:
        """Windows of words, each sharing a fifth with the one before."""
        spans = [found.span() for found in _WORD.finditer(text)]
        if len(spans) <= self._window:
            return [text]
        step = self._window - self._window // 5
        starts = range(0, len(spans) - self._window + step, step)
        return [text[spans[i][0] : spans[min(i + self._window, len(spans)) - 1][1]] for i in starts]


class MemoryVectorStore:
    """A vector store in a dictionary; holds what the real ones hold and forgets it with the process."""

    def __init__(self) -> None:
        self._rows: dict[str, VectorRow] = {}
        self._lock = threading.Lock()

    def upsert(self, rows: Sequence[VectorRow], *, stale_pieces_of: Sequence[str]) -> None:
        """Merge on key, highest seq first; remove pieces of the named memories that are not in `rows`."""
        kept = {row.key for row in rows}
        reached: dict[str, int] = {}
        with self._lock:
            for row in rows:
                reached[row.memory_id] = max(row.seq, reached.get(row.memory_id, row.seq))
                held = self._rows.get(row.key)
                if held is None or row.seq > held.seq:
                    self._rows[row.key] = row
            stale = set(stale_pieces_of)
            self._forget(
                lambda row: (
                    row.memory_id in stale
                    and row.key not in kept
                    and row.seq <= reached.get(row.memory_id, row.seq)
                )
            )

    def delete(self, memory_ids: Sequence[str]) -> None:
        """Remove every piece of these memories."""
        gone = set(memory_ids)
        with self._lock:
            self._forget(lambda row: row.memory_id in gone)

    def fetch(self, memory_ids: Sequence[str]) -> list[VectorRow]:
        """The rows of these memories, by memory and piece."""
        wanted = set(memory_ids)
        return [row for row in self._sorted() if row.memory_id in wanted]

    def scan(self) -> Iterator[VectorColumns]:
        """Everything, in blocks."""
        import numpy as np

        rows = self._sorted()
        for start in range(0, len(rows), _SCAN_ROWS):
            block = rows[start : start + _SCAN_ROWS]
            yield VectorColumns(
                memory_ids=[row.memory_id for row in block],
                memory_types=[row.memory_type for row in block],
                pieces=[row.piece for row in block],
                seqs=[row.seq for row in block],
                content_hashes=[row.content_hash for row in block],
                scopes=[row.scope for row in block],
                vectors=np.stack([row.vector for row in block]),
            )

    def ids(self) -> dict[str, str]:
        """Memory id to content hash."""
        return {row.memory_id: row.content_hash for row in self._sorted()}

    def count(self) -> int:
        """Rows held."""
        return len(self._rows)

    def compact(self) -> None:
        """Nothing to merge in memory."""

    def drop(self) -> None:
        """Forget everything."""
        with self._lock:
            self._rows.clear()

    def close(self) -> None:
        """Nothing to let go of."""

    def _sorted(self) -> list[VectorRow]:
        with self._lock:
            return sorted(self._rows.values(), key=lambda row: (row.memory_id, row.piece))

    def _forget(self, gone: Callable[[VectorRow], bool]) -> None:
        for key in [key for key, row in self._rows.items() if gone(row)]:
            del self._rows[key]
