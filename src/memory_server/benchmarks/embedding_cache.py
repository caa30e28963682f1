"""Vectors of texts kept in a file between runs, so that the same data set is embedded once."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from memory_server.indexes.ports import TokenEmbedder

if TYPE_CHECKING:
    from memory_server.indexes.ports import Embedder, TokenVectors, Vectors

_BATCH = 500
_Kept = tuple[bytes, bytes, int]  # a vector, the vectors of tokens, how many these are
_Make = Callable[[list[str]], "tuple[Vectors, list[TokenVectors] | None]"]


class CachedEmbedder:
    """An embedder that looks into a file first; vectors are kept by model and by hash of the text.

    Single texts are embedded as ever: they are questions, the time of which is measured.
    """

    def __init__(self, embedder: Embedder, path: Path) -> None:
        self._embedder = embedder
        self.fingerprint = embedder.fingerprint
        self.dimension = embedder.dimension
        self._path = path
        with closing(sqlite3.connect(path)) as file:
            file.execute(
                "CREATE TABLE IF NOT EXISTS vectors (key TEXT PRIMARY KEY, vector BLOB, tokens BLOB, "
                "n_tokens INTEGER) WITHOUT ROWID"
            )

    def embed(self, texts: Sequence[str]) -> Vectors:
        """See `Embedder`."""
        if len(texts) < 2:
            return self._embedder.embed(texts)
        return self._vectors(self._kept(texts, "", lambda missing: (self._embedder.embed(missing), None)))

    def pieces(self, text: str) -> list[str]:
        """See `Embedder`."""
        return self._embedder.pieces(text)

    def _vectors(self, kept: Sequence[_Kept]) -> Vectors:
        import numpy as np

        return np.stack([np.frombuffer(vector, dtype="<f4") for vector, _, _ in kept]).astype(np.float32)

    def _kept(self, texts: Sequence[str], kind: str, make: _Make) -> list[_Kept]:
        """What is known of texts, after what was missing has been made and written down."""
        names = [f"{self.fingerprint}\x1f{kind}\x1f{text}".encode("utf-8", "surrogatepass") for text in texts]
        keys = [hashlib.sha256(name).hexdigest() for name in names]
        with closing(sqlite3.connect(self._path)) as file:
            known = _known(file, keys)
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in known}
        if missing:
            vectors, tokens = make(list(missing.values()))
            for at, key in enumerate(missing):
                held = (b"", 0) if tokens is None else (tokens[at].tobytes(), len(tokens[at]))
                known[key] = (vectors[at].astype("<f4").tobytes(), *held)
            with closing(sqlite3.connect(self._path)) as file, file:
                file.executemany(
                    "INSERT OR IGNORE INTO vectors VALUES (?, ?, ?, ?)",
                    [(key, *known[key]) for key in missing],
                )
        return [known[key] for key in keys]


class CachedTokenEmbedder(CachedEmbedder):
    """The same of an embedder that also shows single tokens."""

    _embedder: TokenEmbedder

    def embed_tokens(self, texts: Sequence[str]) -> tuple[Vectors, list[TokenVectors]]:
        """See `TokenEmbedder`."""
        import numpy as np

        from memory_server.indexes.token_vectors import KIND

        if len(texts) < 2:
            return self._embedder.embed_tokens(texts)
        kept = self._kept(texts, KIND, self._embedder.embed_tokens)
        tokens = [
            np.frombuffer(held, dtype=np.int8).reshape(number, -1 if number else 0)
            for _, held, number in kept
        ]
        return self._vectors(kept), tokens


def cached(embedder: Embedder, path: Path) -> CachedEmbedder:
    """An embedder with a file beside it.

    Raises:
        sqlite3.Error: the file is none of these.
    """
    known = CachedTokenEmbedder if isinstance(embedder, TokenEmbedder) else CachedEmbedder
    return known(embedder, path)


def _known(file: sqlite3.Connection, keys: Sequence[str]) -> dict[str, _Kept]:
    found: dict[str, _Kept] = {}
    for start in range(0, len(keys), _BATCH):
        batch = keys[start : start + _BATCH]
        marks = ", ".join("?" for _ in batch)
        rows = file.execute(f"SELECT * FROM vectors WHERE key IN ({marks})", batch)
        found.update({key: (vector, tokens, number) for key, vector, tokens, number in rows})
    return found
