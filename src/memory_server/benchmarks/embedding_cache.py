"""Vectors of texts kept in a file between runs, so that the same data set is embedded once."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memory_server.indexes.ports import Embedder, Vectors

_BATCH = 500


class CachedEmbedder:
    """An embedder that looks into a file first; vectors are kept by model and by hash of the text.

    Single texts are embedded as ever: they are questions, the time of which is measured.
    """

    def __init__(self, embedder: Embedder, path: Path) -> None:
        self._embedder = embedder
        self.fingerprint = embedder.fingerprint
        self.dimension = embedder.dimension
        self._db = sqlite3.connect(path, check_same_thread=False)
        self._db.execute(
            "CREATE TABLE IF NOT EXISTS vectors (key TEXT PRIMARY KEY, vector BLOB) WITHOUT ROWID"
        )

    def embed(self, texts: Sequence[str]) -> Vectors:
        """See `Embedder`."""
        import numpy as np

        if len(texts) < 2:
            return self._embedder.embed(texts)
        keys = [self._key(text) for text in texts]
        known = self._known(keys)
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in known}
        if missing:
            made = self._embedder.embed(list(missing.values()))
            fresh = {key: vector.astype("<f4").tobytes() for key, vector in zip(missing, made, strict=True)}
            with self._db:
                self._db.executemany("INSERT OR IGNORE INTO vectors VALUES (?, ?)", fresh.items())
            known |= fresh
        return np.stack([np.frombuffer(known[key], dtype="<f4") for key in keys]).astype(np.float32)

    def pieces(self, text: str) -> list[str]:
        """See `Embedder`."""
        return self._embedder.pieces(text)

    def _key(self, text: str) -> str:
        return hashlib.sha256(f"{self.fingerprint}\x1f{text}".encode("utf-8", "surrogatepass")).hexdigest()

    def _known(self, keys: Sequence[str]) -> dict[str, bytes]:
        found: dict[str, bytes] = {}
        for start in range(0, len(keys), _BATCH):
            batch = keys[start : start + _BATCH]
            marks = ", ".join("?" for _ in batch)
            found.update(self._db.execute(f"SELECT key, vector FROM vectors WHERE key IN ({marks})", batch))
        return found
