"""A consistent copy of a live store, and the way back from one."""

from __future__ import annotations

import os
import sqlite3
import time
from contextlib import closing, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy import Connection

from memory_server.domain.errors import InvalidArgument, NotFound, StorageUnavailable
from memory_server.indexes.space import enqueue_everything
from memory_server.services.parts import Parts
from memory_server.storage import outbox, rows
from memory_server.storage.database import fetch_rows
from memory_server.storage.schema import is_ours


@dataclass(frozen=True, slots=True)
class Backup:
    """A verified copy: where it is, its size in bytes, and how many memories of each kind it holds."""

    path: Path
    size: int
    memories: dict[str, int]


def back_up(parts: Parts, target: Path | None = None, now: datetime | None = None) -> Backup:
    """Copies the database as it is at one moment, while others read and write it, and verifies the copy.

    Args:
        target: the file to write; `backups/memory-<time>.db` in the data directory where none is named.

    Raises:
        InvalidArgument: the file exists already.
        StorageUnavailable: the database cannot be read, the file not written, or the copy is not sound.
    """
    moment = (now or datetime.now(UTC)).strftime("%Y%m%dT%H%M%S%f")
    path = target or parts.settings.home / "backups" / f"memory-{moment}.db"
    if path.exists():
        raise InvalidArgument(f"{path} exists already: name another file", argument="file")
    with parts.database.read():
        pass  # a database that has still to be made is made first
    unfinished = path.with_name(path.name + ".unfinished")
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        os.close(os.open(unfinished, os.O_CREAT | os.O_TRUNC | os.O_WRONLY, 0o600))
        with (
            closing(sqlite3.connect(parts.database.path)) as source,
            closing(sqlite3.connect(unfinished)) as copy,
        ):
            source.backup(copy)
            copy.execute("PRAGMA journal_mode = DELETE")
        memories = _verified(unfinished)
        unfinished.rename(path)
    except (OSError, sqlite3.Error) as error:
        raise StorageUnavailable(f"no backup was made in {path.parent}: {error}") from error
    finally:
        with suppress(OSError):
            unfinished.unlink()
    return Backup(path, path.stat().st_size, memories)


def restore(parts: Parts, source: Path) -> tuple[Backup, Backup]:
    """Puts a backup in place of what is stored now, also while servers run; gives it and a backup of what was.

    The indexes are told to make everything anew.

    Raises:
        NotFound: there is no such file.
        StorageUnavailable: the file is no sound backup of ours (nothing is changed then), or the database is in use
            by a long write.
    """
    if not source.is_file():
        raise NotFound(f"there is no file {source}", file=str(source))
    try:
        memories = _verified(source)
    except sqlite3.Error as error:
        raise StorageUnavailable(f"{source} is no sound database ({error}); nothing was changed") from error
    before = back_up(parts)
    with parts.database.read() as connection:
        _, newest = outbox.bounds(connection)
        indexed = {named for kind in rows.TABLES for named in _indexed(connection, kind)}
    try:
        with (
            closing(sqlite3.connect(f"file:{source}?mode=ro", uri=True)) as copy,
            closing(sqlite3.connect(parts.database.path, timeout=20)) as live,
        ):
            copy.backup(live)
    except sqlite3.Error as error:
        raise StorageUnavailable(f"the backup could not be put in place: {error}; try again") from error
    _start_over(parts, newest, indexed)
    return Backup(source, source.stat().st_size, memories), before


def _indexed(connection: Connection, memory_type: str) -> list[tuple[str, str]]:
    table = rows.TABLES[memory_type]
    found = fetch_rows(
        connection, f"SELECT id FROM {table} WHERE lifecycle_state NOT IN ('archived', 'forgotten')"
    )
    return [(memory_type, str(row[0])) for row in found]


def _start_over(parts: Parts, newest: int, indexed: set[tuple[str, str]]) -> None:
    """Lets every process see that all has changed: the sequence goes on above whatever any of them has seen.

    Args:
        indexed: what there was before; whatever is not there any more leaves the indexes.
    """
    with parts.database.write() as connection:
        connection.exec_driver_sql("DELETE FROM outbox")
        connection.exec_driver_sql("DELETE FROM leases")
        connection.exec_driver_sql(
            "UPDATE sqlite_sequence SET seq = max(seq, ?) + 1 WHERE name = 'outbox'", (newest,)
        )
        now_there = {named for kind in rows.TABLES for named in _indexed(connection, kind)}
        outbox.enqueue(connection, sorted(indexed - now_there), time.time())
        enqueue_everything(connection, time.time())


def _verified(path: Path) -> dict[str, int]:
    """How many memories a file holds, once it is known to be sound and ours."""
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as connection:
        (verdict,) = connection.execute("PRAGMA integrity_check(1)").fetchone()
        if verdict != "ok":
            raise sqlite3.DatabaseError(str(verdict))
        if not is_ours(connection):
            raise sqlite3.DatabaseError("it is not a memory database of this version")
        counts = {}
        for memory_type, table in rows.TABLES.items():
            (counts[memory_type],) = connection.execute(f"SELECT count(*) FROM {table}").fetchone()
    return counts
