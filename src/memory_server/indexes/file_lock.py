"""One process at a time at a directory of derived files; the lock ends with whoever holds it, however that dies."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

_LOOK_AGAIN_SECONDS = 0.02


@contextmanager
def locked(directory: Path, seconds: float | None = None) -> Iterator[None]:
    """Held while the directory is worked at; its lock file lies beside it.

    Args:
        seconds: how long somebody else is waited for; None for as long as it takes.

    Raises:
        TimeoutError: somebody else still works there.
        OSError: the lock file cannot be made.
    """
    import fcntl

    directory.parent.mkdir(parents=True, exist_ok=True)
    path = directory.parent / f".{directory.name}.lock"
    with open(os.open(path, os.O_CREAT | os.O_APPEND | os.O_WRONLY, 0o600), "a") as lock:
        if seconds is None:
            fcntl.flock(lock, fcntl.LOCK_EX)
        else:
            _wait(lambda: fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB), directory, seconds)
        yield


def _wait(take: Callable[[], None], directory: Path, seconds: float) -> None:
    deadline = time.monotonic() + seconds
    while True:
        try:
            take()
            return
        except BlockingIOError as error:
            if time.monotonic() > deadline:
                raise TimeoutError(f"another process has been at {directory} for {seconds:.0f} s") from error
        time.sleep(_LOOK_AGAIN_SECONDS)
