"""Opens the one SQLite file: a writer that waits its turn, readers that cannot write, errors in plain words."""

from __future__ import annotations

import logging
import random
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, Engine, create_engine, event
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import QueuePool

from memory_server.domain.errors import Conflict, StorageUnavailable
from memory_server.policies.text import normal

log = logging.getLogger(__name__)
BUSY_SLICE_SECONDS = 0.05  # SQLite's own wait before a busy event is counted and the wait goes on
BUSY_LIMIT_SECONDS = 20.0


class Database:
    """Connections to the database file and the rules that hold on each of them.

    Writes are serialised inside the process by a lock and between processes by BEGIN IMMEDIATE. `on_commit` is called
    after each committed write, `on_busy` each time another process held the write lock; `span` is entered around each
    transaction; `prepare` (makes the schema of
    a database that does not exist yet) and then `on_first_use` once, before the first transaction.
    """

    def __init__(self, path: Path, *, synchronous: str = "FULL", readers: int = 8) -> None:
        self.path = path
        self.on_commit: Callable[[], None] = lambda: None
        self.on_busy: Callable[[], None] = lambda: None
        self.span: Callable[..., AbstractContextManager[None]] = lambda _name, **_attributes: nullcontext()
        self.prepare: Callable[[], None] | None = None
        self.on_first_use: Callable[[], None] | None = None
        self._use_lock = threading.Lock()
        self._write_lock = threading.Lock()
        self._writer = _engine(path, pool_size=1)
        self._readers = _engine(path, pool_size=readers)
        event.listen(self._writer, "connect", _on_connect(synchronous, query_only=False))
        event.listen(self._readers, "connect", _on_connect(synchronous, query_only=True))

    @contextmanager
    def write(self, *, quiet: bool = False) -> Iterator[Connection]:
        """One immediate transaction; committed at the end of the block, rolled back when it raises.

        Args:
            quiet: the change concerns no index; nobody is woken.

        Raises:
            StorageUnavailable: the file cannot be written (full, read-only, damaged, locked for too long).
            Conflict: a uniqueness rule was broken by another writer.
        """
        self._first_use()
        traced = self.span("database", operation="write")
        with traced, self._write_lock, translated(), self._writer.connect() as connection:
            self._begin_immediate(connection)
            try:
                yield connection
                _run(connection, "COMMIT")
            except BaseException:
                _roll_back(connection)
                raise
        if not quiet:
            self.on_commit()

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """A consistent snapshot that cannot be written.

        Raises:
            StorageUnavailable: the file cannot be read.
        """
        self._first_use()
        traced = self.span("database", operation="read")
        with traced, translated(), self._readers.connect() as connection:
            _run(connection, "BEGIN")
            try:
                yield connection
            finally:
                # whatever happened, the next reader of this connection must not see an old snapshot
                _roll_back(connection)

    @contextmanager
    def exclusive(self, seconds: float) -> Iterator[bool]:
        """Holds the process's write lock, if it can be had within `seconds`; tells whether it was."""
        held = self._write_lock.acquire(timeout=seconds)
        try:
            yield held
        finally:
            if held:
                self._write_lock.release()

    def data_version(self, connection: Connection) -> int:
        """A number that changes when another connection has committed; costs microseconds."""
        return int(connection.exec_driver_sql("PRAGMA data_version").scalar_one())

    def watch(self) -> Connection:
        """A reading connection of the caller's own, in autocommit, for `data_version`; to be closed by the caller."""
        return self._readers.connect()

    def shorten_log(self) -> bool:
        """Moves the write-ahead log into the database file and empties it, unless somebody reads or writes just now.

        Tells whether it is empty.
        """
        with translated(), self.watch() as connection:
            (blocked, *_) = connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)").one()
        return not blocked

    def rewrite(self) -> bool:
        """Writes the file anew, without what deleted rows and splits of pages have left in it.

        Tells whether that could be done: somebody else may write, or the disk may lack the room for a second copy.
        Takes some 10 ms for each MB, in which other writers wait.
        """
        self._first_use()
        with self._write_lock, self._writer.connect() as connection:
            try:
                # the copy goes to the disk, not into the memory of this process
                connection.exec_driver_sql("PRAGMA temp_store = FILE")
                connection.exec_driver_sql("VACUUM")
            except DBAPIError as error:
                log.info("the database was not rewritten: %s", error.orig)
                return False
            finally:
                connection.exec_driver_sql("PRAGMA temp_store = MEMORY")
        return True

    def shrink(self) -> None:
        """Gives back the memory in which the connections keep pages at hand; they fill it again as they read."""
        for engine, lock in ((self._readers, nullcontext()), (self._writer, self._write_lock)):
            with lock, translated(), engine.connect() as connection:
                connection.exec_driver_sql("PRAGMA shrink_memory")

    def size(self) -> int:
        """Bytes of the database file; what is in the write-ahead log alone is not counted."""
        return self.path.stat().st_size if self.path.exists() else 0

    def close(self) -> None:
        """Closes every connection; the database can be opened again."""
        self._readers.dispose()
        self._writer.dispose()

    def _first_use(self) -> None:
        if self.prepare is None and self.on_first_use is None:
            return
        with self._use_lock:
            if self.prepare is not None:
                self.prepare()
                self.prepare = None
            started, self.on_first_use = self.on_first_use, None
        if started is not None:
            started()

    def _begin_immediate(self, connection: Connection) -> None:
        deadline = time.monotonic() + BUSY_LIMIT_SECONDS
        while True:
            try:
                _run(connection, "BEGIN IMMEDIATE")
                return
            except sqlite3.OperationalError as error:
                if not _is_busy(error) or time.monotonic() > deadline:
                    raise
                self.on_busy()
                # a little chance, so that writers that wait do not wake in step
                time.sleep(random.uniform(0.001, 0.01))


def _run(connection: Connection, sql: str) -> None:
    driver: Any = connection.connection.driver_connection
    driver.execute(sql)


def fetch_rows(connection: Connection, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
    """All rows of a SELECT of ours, past SQLAlchemy, whose share would be most of a small look-up.

    Raises:
        sqlite3.Error: to be translated by the transaction around it.
    """
    driver: Any = connection.connection.driver_connection
    found: list[tuple[Any, ...]] = driver.execute(sql, tuple(values)).fetchall()
    return found


def insert_rows(connection: Connection, sql: str, values: Sequence[Sequence[Any]]) -> None:
    """Runs an INSERT of ours once a row, past SQLAlchemy, whose share would be most of a small write.

    Raises:
        sqlite3.Error: to be translated by the transaction around it.
    """
    driver: Any = connection.connection.driver_connection
    driver.executemany(sql, values)


def _engine(path: Path, *, pool_size: int) -> Engine:
    return create_engine(
        # no text: a folder may be called "what?" or "100%20"
        URL.create("sqlite", database=str(path)),
        poolclass=QueuePool,
        pool_size=pool_size,
        max_overflow=0 if pool_size == 1 else 32,
        pool_reset_on_return=None,
        pool_use_lifo=True,  # the connection used last has its pages and statements at hand
        # transactions are begun and ended by explicit statements: SQLAlchemy's own are not wanted
        skip_autocommit_rollback=True,
        connect_args={"timeout": BUSY_SLICE_SECONDS, "check_same_thread": False, "cached_statements": 256},
    )


def _on_connect(synchronous: str, *, query_only: bool) -> Callable[[Any, Any], None]:
    def connect(connection: sqlite3.Connection, _record: object) -> None:
        connection.isolation_level = None
        for pragma in (
            f"synchronous = {synchronous}",
            "temp_store = MEMORY",
            "cache_size = -16000",
            # pages that each connection maps count as memory of the process, and win no time over its cache
            "mmap_size = 0",
            "foreign_keys = ON",
            "wal_autocheckpoint = 2000",
        ):
            connection.execute(f"PRAGMA {pragma}")
        # SQLite's own NOCASE knows the letters of ASCII alone
        connection.create_function("folded", 1, normal, deterministic=True)
        if query_only:
            connection.execute("PRAGMA query_only = ON")

    return connect


def _is_busy(error: sqlite3.Error) -> bool:
    return "locked" in str(error)


def _roll_back(connection: Connection) -> None:
    try:
        _run(connection, "ROLLBACK")
    except sqlite3.Error as error:
        # SQLite has already rolled back by itself after some errors, a full disk among them
        if "no transaction" not in str(error):
            connection.invalidate()


_PLAIN_WORDS = (
    ("disk is full", "the disk is full: make room in {folder}; nothing that was acknowledged is lost"),
    ("disk i/o", "the database cannot be written (disk I/O error, is the disk full?): check {folder}"),
    ("readonly", "the database is read-only: check the permissions of {folder}"),
    ("read-only", "the database is read-only: check the permissions of {folder}"),
    ("unable to open", "the database cannot be opened: check that {folder} exists and is writable"),
    ("locked", "another process has held the database for too long; try again"),
    (
        "malformed",
        "the database file is damaged; it was left as it is: restore a backup, or move it aside and start again",
    ),
    ("not a database", "the database file is damaged or no SQLite database; it was left as it is"),
)


@contextmanager
def translated(folder: str = "the data directory") -> Iterator[None]:
    """Turns errors of the database library into ours, in words that say what to do.

    Raises:
        StorageUnavailable, Conflict: see there.
    """
    try:
        yield
    except (DBAPIError, sqlite3.Error) as error:
        original = error.orig if isinstance(error, DBAPIError) and error.orig is not None else error
        if isinstance(original, sqlite3.IntegrityError):
            raise Conflict(f"another write got there first: {original}") from error
        text = str(original)
        if getattr(original, "sqlite_errorname", "") == "SQLITE_CORRUPT_VTAB":
            raise StorageUnavailable(
                "a full-text index is damaged: `memory-server reindex` makes it anew from what is stored",
                reason=text,
            ) from error
        for sign, words in _PLAIN_WORDS:
            if sign in text.casefold():
                raise StorageUnavailable(words.format(folder=folder), reason=text) from error
        if isinstance(original, sqlite3.OperationalError | sqlite3.DatabaseError):
            raise StorageUnavailable(f"the database cannot answer: {text}", reason=text) from error
        raise
