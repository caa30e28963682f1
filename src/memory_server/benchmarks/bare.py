"""What the measured calls cannot be faster than: the same rows, query, embedding and scan without a server around."""

from __future__ import annotations

import re
import sqlite3
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from memory_server.storage import fulltext
from memory_server.storage.database import Database

if TYPE_CHECKING:
    from memory_server.indexes.ports import Embedder, Vectors

_WRITTEN_BESIDE = {  # table -> column with the id of the memory
    "memory_sources": "memory_id",
    "lifecycle_events": "memory_id",
    "receipts": "memory_id",
    "outbox": "memory_id",
}


class BareTransaction:
    """Inserts into a copy of a memory's database the rows that the server wrote for a fact or a note, as a new one."""

    def __init__(self, database: Path, copy: Path, synchronous: str, kind: str = "facts") -> None:
        self._kind = kind
        self._written = {kind: "id", **_WRITTEN_BESIDE}
        source = sqlite3.connect(database)
        self._db = sqlite3.connect(copy, isolation_level=None, cached_statements=256)
        source.backup(self._db)
        source.close()
        for pragma in (
            "journal_mode = WAL",
            f"synchronous = {synchronous}",
            "cache_size = -16000",
            "mmap_size = 268435456",
            "foreign_keys = ON",
            "wal_autocheckpoint = 2000",
        ):
            self._db.execute(f"PRAGMA {pragma}")
        self._insertions: dict[str, str] = {}
        self._names: dict[str, list[str]] = {}
        for table in self._written:
            names = [row[1] for row in self._db.execute(f"PRAGMA table_info({table})")]
            names = [name for name in names if name not in ("row", "seq")]
            marks = ", ".join("?" for _ in names)
            self._names[table] = names
            self._insertions[table] = f"INSERT INTO {table} ({', '.join(names)}) VALUES ({marks})"

    def rows_like(self, memory_id: str) -> list[tuple[str, list[Any]]]:
        """The rows of a stored memory under a fresh id, so that they can be inserted beside it."""
        fresh, ticket = str(uuid4()), uuid4().hex
        found: list[tuple[str, list[Any]]] = []
        for table, column in self._written.items():
            names = self._names[table]
            query = f"SELECT {', '.join(names)} FROM {table} WHERE {column} = ? LIMIT 1"
            row = dict(zip(names, self._db.execute(query, (memory_id,)).fetchone(), strict=True))
            row[column] = fresh
            if table == "facts":
                row["object"] = re.sub(r"\d+$", str(int(ticket[:10], 16)), row["object"])
                row["object_hash"], row["triple_hash"] = ticket, ticket[::-1]
            if table == "knowledge":
                row["title_key"], row["content_hash"] = ticket, ticket[::-1]
            if table == "receipts":
                row["id"] = str(uuid4())
            if table == "outbox":
                row["state"] = "pending"
            found.append((table, list(row.values())))
        return found

    def timed(self, rows: Sequence[tuple[str, list[Any]]]) -> float:
        """Seconds of one immediate transaction."""
        started = time.perf_counter()
        self._db.execute("BEGIN IMMEDIATE")
        for table, values in rows:
            self._db.execute(self._insertions[table], values)
        self._db.execute("COMMIT")
        return time.perf_counter() - started

    def close(self) -> None:
        self._db.close()


class BareQuery:
    """One FTS5 query with the joined rows, over the same file and with the same expression as the server's."""

    def __init__(self, database: Path) -> None:
        self._db = sqlite3.connect(f"file:{database}?mode=ro", uri=True, isolation_level=None)
        self._db.execute("PRAGMA mmap_size = 268435456")
        self._db.execute("PRAGMA cache_size = -16000")
        self._opened = Database(database)
        self._frequencies = fulltext.Frequencies()

    def expression(self, text: str, limit: int) -> tuple[str, bool]:
        """What answers a text: all its words where enough facts hold them all (told beside it), else any of them."""
        query = fulltext.parse(text)
        if len(self._run(query.all_of(), limit)) == limit:
            return query.all_of(), True
        with self._opened.read() as connection:
            return fulltext.any_of(connection, "facts", query, self._frequencies), False

    def timed(self, expression: str, limit: int) -> float:
        """Seconds of the query."""
        started = time.perf_counter()
        self._run(expression, limit)
        return time.perf_counter() - started

    def _run(self, expression: str, limit: int) -> list[Any]:
        return self._db.execute(
            "SELECT f.rank, t.* FROM facts_fts f CROSS JOIN facts t ON t.row = f.rowid "
            f"WHERE f.facts_fts MATCH ? AND f.rank MATCH '{fulltext.WEIGHTS['facts']}' ORDER BY f.rank LIMIT ?",
            (expression, limit),
        ).fetchall()

    def close(self) -> None:
        self._db.close()
        self._opened.close()
        self._frequencies.close()


class BareScan:
    """One embedding and one exact product with all vectors."""

    def __init__(self, embedder: Embedder, vectors: Vectors) -> None:
        self._embedder = embedder
        self._vectors = vectors

    def timed(self, text: str, limit: int) -> float:
        """Seconds to embed a question and to find the nearest rows."""
        import numpy as np

        started = time.perf_counter()
        scores = self._vectors @ self._embedder.embed([text])[0]
        best = np.argpartition(-scores, limit)[:limit]
        best[np.argsort(-scores[best])].tolist()
        return time.perf_counter() - started
