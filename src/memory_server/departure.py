"""How a serving process ends: for whatever reason, once, with the app closed and code 0."""

from __future__ import annotations

import logging
import os
import signal
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

LEAVE_SECONDS = 1.8
"""From the end of input, or a signal, to the end of the process."""

FINISH_SECONDS = 1.0
"""What calls in flight are given of that after the end of input."""

UNWIND_SECONDS = 0.3
"""What the library is given after that to end by itself."""

CLOSE_SECONDS = 1.5
"""What closing the app may take of it at most."""

log = logging.getLogger(__name__)


@dataclass
class Departure:
    """The end of the process: once, with code 0, within `LEAVE_SECONDS` of the first reason for it.

    Signals are noticed by a thread of its own, through a pipe that the C handler writes to, so that the main
    thread may be anywhere, even inside a long call into the database.
    """

    close: Callable[[float], None] | None = None
    exit: Callable[[int], None] = os._exit
    _leaving: threading.Lock = field(default_factory=threading.Lock)
    _done: threading.Event = field(default_factory=threading.Event)
    _deadline: float | None = None

    def install(self) -> None:
        """Takes over SIGTERM, SIGINT and SIGHUP; to be called from the main thread."""
        reader, writer = os.pipe()
        os.set_blocking(writer, False)
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, lambda *_: None)
        signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
        threading.Thread(target=self._await_signal, args=(reader,), name="signals", daemon=True).start()

    def input_ended(self, finish: Callable[[float], None]) -> None:
        """Gives calls in flight a moment to finish, then leaves.

        Args:
            finish: waits for them, at most so many seconds, and lets the library know of the end.
        """
        self._notice()
        finish(FINISH_SECONDS)
        self._done.wait(UNWIND_SECONDS)
        self.leave()

    def served(self) -> None:
        """Says that the library has finished with what it was given, and leaves."""
        self._done.set()
        self.leave()

    def leave(self) -> None:
        """Closes the app and ends the process; a second caller waits for the first."""
        deadline = self._notice()
        with self._leaving:
            if self.close is not None:
                try:
                    self.close(max(0.1, min(CLOSE_SECONDS, deadline - time.monotonic() - 0.2)))
                except Exception:
                    log.exception("closing failed")
            for handler in logging.getLogger().handlers:
                handler.flush()
            self.exit(0)

    def _await_signal(self, reader: int) -> None:
        while os.read(reader, 1) not in _DEADLY:
            pass
        self.leave()

    def _notice(self) -> float:
        if self._deadline is None:
            self._deadline = time.monotonic() + LEAVE_SECONDS
            watchdog = threading.Timer(LEAVE_SECONDS, self.exit, (0,))
            watchdog.daemon = True
            watchdog.start()
        return self._deadline


_DEADLY = frozenset(bytes([number]) for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP))
