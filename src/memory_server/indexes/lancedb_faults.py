"""What can go wrong with vectors on disk: foreign errors become ours, damaged files are set aside."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path

from memory_server.indexes.file_lock import locked
from memory_server.indexes.ports import IndexDamaged, IndexUnavailable
from memory_server.settings import has_temporary_place

_REFUSED = (
    "permission denied",
    "operation not permitted",
    "read-only file system",
    "no space left",
    "quota exceeded",
    "too many open files",
    "failed to create temp dir",
)
_NOTE = "DAMAGED.txt"
_BUSY = ("conflict", "concurrent", "timed out", "timeout")


@contextmanager
def border(directory: Path) -> Iterator[None]:
    """Where errors of LanceDB, Arrow and the file system become IndexUnavailable or IndexDamaged."""
    try:
        yield
    except (IndexUnavailable, KeyboardInterrupt, SystemExit, GeneratorExit, MemoryError):
        raise
    except ImportError as error:
        raise IndexUnavailable(f"LanceDB cannot be imported ({error}): reinstall the package.") from error
    except BaseException as error:
        # a panic of the Rust side is no Exception
        if not isinstance(error, Exception) and type(error).__name__ != "PanicException":
            raise
        translated = _translated(error, directory)
        if isinstance(translated, IndexDamaged):
            _note_damage(directory, str(translated))
        raise translated from error


def refuse_damaged(directory: Path) -> None:
    """Raises IndexDamaged where damage was met in use, even if a first look at the files finds none."""
    if (directory / _NOTE).exists():
        raise IndexDamaged(f"{directory} was found damaged while it was in use.")


def _note_damage(directory: Path, reason: str) -> None:
    # without the directory, or without the right to write to it, the next opening sees for itself
    with suppress(OSError):
        (directory / _NOTE).write_text(f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ} {reason}\n", "utf-8")


def is_missing_file(error: BaseException) -> bool:
    """Whether a file was gone that the table's version needs: cleaned away by another process, or lost."""
    return "not found" in str(error).lower() or "no such file" in str(error).lower()


def _translated(error: BaseException, directory: Path) -> IndexUnavailable:
    said = f"{type(error).__name__}: {error}".lower()
    if isinstance(error, OSError) and error.errno is not None:
        return IndexUnavailable(f"The vector directory {directory} cannot be used: {error.strerror}.")
    if any(word in said for word in _REFUSED):
        return IndexUnavailable(
            f"The vector directory {directory} cannot be written: make it writable, or free space "
            f"({_first_line(error)})."
        )
    if any(word in said for word in _BUSY):
        return IndexUnavailable(f"Another process writes vectors to {directory}: {_first_line(error)}")
    return IndexDamaged(f"The vectors in {directory} do not read back: {_first_line(error)}")


_PLACE_IN_SOURCE = re.compile(r",? \S+\.rs:\d+:\d+")


def _first_line(error: BaseException) -> str:
    line = (str(error).splitlines() or [type(error).__name__])[0]
    return _PLACE_IN_SOURCE.sub("", line)[:300]


def find_room_to_sort(directory: Path) -> None:
    """Where there is no place for temporary files, the vector directory becomes that place.

    LanceDB makes and removes a folder there for each index, and a host may give the process none.
    """
    if not has_temporary_place():
        os.environ.update(TMPDIR=str(directory))


@contextmanager
def opening(directory: Path) -> Iterator[None]:
    """Held while a table is opened or made: what another process is half through making is no damage."""
    with locked(directory):
        yield


def set_aside(directory: Path) -> Path:
    """Rename a damaged directory to `<name>.damaged-<time>` beside it; nothing is deleted."""
    stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%SZ")
    target = directory.with_name(f"{directory.name}.damaged-{stamp}")
    number = 1
    while target.exists():
        number += 1
        target = directory.with_name(f"{directory.name}.damaged-{stamp}-{number}")
    directory.rename(target)
    return target
