"""Where token vectors are kept: a small database of its own beside the vectors, which can always be made anew."""

from __future__ import annotations

import logging
import os
import sqlite3
import threading
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from memory_server.indexes.ports import IndexUnavailable, VectorRow
from memory_server.indexes.token_vectors import KIND, WIDTH

if TYPE_CHECKING:
    from memory_server.indexes.ports import TokenVectors

R = TypeVar("R")

log = logging.getLogger(__name__)

_IDS_AT_ONCE = 400
_PAGE_BYTES = 8192
_LOG_PAGES = 100
_BUSY_MS = 5_000
# what is gone keeps its row without tokens, so that nobody who read it before can bring it back
_DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
_SCHEMA = (
    "CREATE TABLE IF NOT EXISTS tokens (memory_id TEXT NOT NULL UNIQUE, seq INTEGER NOT NULL, vectors BLOB)"
)
_PUT = (
    "INSERT INTO tokens (memory_id, seq, vectors) VALUES (?, ?, ?) ON CONFLICT (memory_id) DO UPDATE "
    "SET seq = excluded.seq, vectors = excluded.vectors WHERE excluded.seq >= tokens.seq"
)


class TokensBusy(IndexUnavailable):
    """Another process is writing; a moment later it works."""


class TokenStore:
    """Token vectors by memory, of one space. Thread-safe; several processes may read while one writes."""

    def __init__(self, folder: Path, fingerprint: str) -> None:
        """Nothing is opened before the first use."""
        self._path = folder / f"tokens-{fingerprint}-{KIND}.db"
        self._lock = threading.Lock()
        self._connection: sqlite3.Connection | None = None

    def put(self, rows: Iterable[VectorRow], gone: Iterable[tuple[str, int]]) -> None:
        """Keeps the tokens of rows that have any, drops those of memories that are gone, given as (id, seq).

        The highest seq wins. Raises IndexUnavailable.
        """
        entries: list[tuple[str, int, bytes | None]] = [
            (row.memory_id, row.seq, row.tokens.tobytes()) for row in rows if row.tokens is not None
        ]
        entries += [(memory_id, seq, None) for memory_id, seq in gone]
        if entries:
            self._run(lambda database: database.executemany(_PUT, entries))

    def fetch(self, memory_ids: Sequence[str]) -> dict[str, TokenVectors]:
        """The tokens of these memories, of those that have any. Raises IndexUnavailable."""
        import numpy as np

        if self._connection is None and not self._path.exists():
            return {}
        held = self._run(lambda database: _select(database, memory_ids))
        return {
            memory_id: np.frombuffer(blob, dtype=np.int8).reshape(-1, WIDTH)
            for memory_id, blob in held
            if isinstance(blob, bytes) and len(blob) % WIDTH == 0
        }

    def close(self) -> None:
        """Lets go of the file; the next use opens it again."""
        with self._lock:
            connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()

    def _run(self, work: Callable[[sqlite3.Connection], R]) -> R:
        try:
            with self._lock:
                if self._connection is not None and not self._path.exists():
                    self._connection.close()  # on a file that was deleted, and that nobody else sees
                    self._connection = None
                if self._connection is None:
                    self._connection = _opened(self._path)
                with self._connection:
                    return work(self._connection)
        except sqlite3.DatabaseError as error:
            self.close()
            if _code(error) in _DAMAGED:
                log.warning(
                    "%s is damaged and is left out; `memory-server reindex --all` makes it anew", self._path
                )
                for path in (self._path, *(Path(f"{self._path}{end}") for end in ("-wal", "-shm"))):
                    path.unlink(missing_ok=True)
            kind = TokensBusy if _code(error) == sqlite3.SQLITE_BUSY else IndexUnavailable
            raise kind(f"the token vectors cannot be used: {error}") from error
        except OSError as error:
            raise IndexUnavailable(f"the token vectors cannot be used: {error.strerror}") from error


def _code(error: sqlite3.DatabaseError) -> int:
    """Which kind of error it is, 0 for one that is not SQLite's own."""
    return int(getattr(error, "sqlite_errorcode", 0)) & 0xFF


def _select(database: sqlite3.Connection, memory_ids: Sequence[str]) -> list[tuple[str, bytes]]:
    found: list[tuple[str, bytes]] = []
    for start in range(0, len(memory_ids), _IDS_AT_ONCE):
        ids = memory_ids[start : start + _IDS_AT_ONCE]
        marks = ", ".join("?" for _ in ids)
        sql = f"SELECT memory_id, vectors FROM tokens WHERE memory_id IN ({marks}) AND vectors IS NOT NULL"
        found += database.execute(sql, ids).fetchall()
    return found


def _opened(path: Path) -> sqlite3.Connection:
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    # for its owner alone from the first moment; SQLite gives the files beside it the same rights
    os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    connection = sqlite3.connect(path, check_same_thread=False, timeout=_BUSY_MS / 1000)
    connection.execute(
        f"PRAGMA page_size = {_PAGE_BYTES}"
    )  # two or three memories a page; smaller ones waste half
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = NORMAL")  # what a power cut takes, a ranking can do without
    connection.execute("PRAGMA secure_delete = ON")
    # its log would grow to four megabytes, as much as the vectors of a thousand memories
    connection.execute(f"PRAGMA wal_autocheckpoint = {_LOG_PAGES}")
    connection.execute(f"PRAGMA journal_size_limit = {_LOG_PAGES * _PAGE_BYTES}")
    connection.execute(_SCHEMA)
    return connection
