"""The database of another knowledge server, read from a copy: its own file and those beside it stay as they are."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from memory_server.domain.errors import InvalidArgument

SCHEMA_VERSIONS = (1, 2)
COLUMNS = ("id", "title", "content", "tags", "scope", "created_at", "updated_at")
_TRIES = 5  # at a copy in which nobody writes meanwhile
_BESIDE = ("-wal", "-journal")


def read(path: Path, workplace: Path) -> list[dict[str, Any]]:
    """Every note of the file as its columns, oldest first; what is no UTF-8 holds surrogates.

    Args:
        workplace: a directory for a copy of the file, which nobody else may use meanwhile; it is gone afterwards,
            with what a call that was killed has left in it.

    Raises:
        InvalidArgument: there is no such file, it is damaged, or no memory of that server in a version that is known.
        OSError: it cannot be read.
    """
    if not path.is_file():
        raise InvalidArgument(f"there is no file {path}", argument="file")
    try:
        # the log lies beside the file itself, not beside a link to it
        with _opened_copy(path.resolve(), workplace) as connection:
            version = connection.execute("PRAGMA user_version").fetchone()[0]
            tables = {row[0] for row in connection.execute("SELECT name FROM sqlite_master")}
            if "knowledge" not in tables or version not in SCHEMA_VERSIONS:
                has = "a" if "knowledge" in tables else "no"
                raise InvalidArgument(
                    f"{path} is no ai-devkit memory that is known: schema version {version} with {has} table "
                    "knowledge, not version 1 or 2 with one",
                    argument="file",
                )
            found = connection.execute(f"SELECT {', '.join(COLUMNS)} FROM knowledge ORDER BY rowid")
            return [dict(zip(COLUMNS, row, strict=True)) for row in found]
    except sqlite3.Error as error:
        raise InvalidArgument(
            f"{path} cannot be read as a database ({error}); it was left as it is", argument="file"
        ) from error


@contextmanager
def _opened_copy(path: Path, workplace: Path) -> Iterator[sqlite3.Connection]:
    # opened in its own place, SQLite would write beside it, or move its log into it
    shutil.rmtree(workplace, ignore_errors=True)
    workplace.mkdir(mode=0o700)
    try:
        copy = workplace / "memory.db"
        _copy(path, copy)
        with closing(sqlite3.connect(copy)) as connection:
            # one note that is no UTF-8 must not keep the others back
            connection.text_factory = lambda raw: raw.decode("utf-8", "surrogateescape")
            yield connection
    finally:
        shutil.rmtree(workplace, ignore_errors=True)


def _copy(path: Path, target: Path) -> None:
    """Copies a database with what its log holds, as of one moment."""
    for _ in range(_TRIES):
        before = _fingerprint(path)
        # the log first: what is moved from it into the database meanwhile is then there twice, not missing
        for suffix in (*_BESIDE, ""):
            content = _content(_side(path, suffix))
            copy = _side(target, suffix)
            if content is None:
                copy.unlink(missing_ok=True)
            else:
                copy.write_bytes(content)
        if _fingerprint(path) == before:
            return
    raise InvalidArgument(f"{path} is being written all the time: try again", argument="file")


def _fingerprint(path: Path) -> list[tuple[int, int, bytes] | None]:
    """What changes when somebody writes: sizes, times, and the head of the log, new with each round of it."""
    found: list[tuple[int, int, bytes] | None] = []
    for suffix in ("", *_BESIDE):
        try:
            with _side(path, suffix).open("rb") as stream:
                status = _side(path, suffix).stat()
                found.append((status.st_size, status.st_mtime_ns, stream.read(100)))
        except FileNotFoundError:
            found.append(None)
    return found


def _content(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None


def _side(path: Path, suffix: str) -> Path:
    return path.with_name(path.name + suffix)
