"""Where log lines go: to stderr without ever waiting for its reader, and to a rotating file."""

from __future__ import annotations

import logging
import os
import queue
import threading
import time
from pathlib import Path

STDERR = 2
_FORMAT = "%(asctime)s %(levelname)s %(name)s: %(message)s"
_FILE_BYTES = 1_000_000
_FILES_KEPT = 3


class NonBlockingStderrHandler(logging.Handler):
    """Hands lines to a thread that writes them; what does not fit into its queue is dropped and counted.

    A client that never reads our stderr would otherwise stop us as soon as the pipe is full. The descriptor
    itself stays blocking, as it may be shared with other processes.

    Args:
        fd: the descriptor to write to.
        capacity: lines that may wait.
    """

    def __init__(self, fd: int = STDERR, capacity: int = 1000) -> None:
        super().__init__()
        self.dropped = 0
        self._told = 0
        self._fd = fd
        self._lines: queue.Queue[str] = queue.Queue(capacity)
        self._writer: threading.Thread | None = None

    def emit(self, record: logging.LogRecord) -> None:
        """Queues one record; never waits, never raises."""
        try:
            line = self.format(record)
        except Exception:  # noqa: BLE001 - a log line that cannot be formatted must not stop what it tells of
            self.handleError(record)
            return
        try:
            self._lines.put_nowait(line)
        except queue.Full:
            self.dropped += 1
            return
        if self._writer is None:
            self._writer = threading.Thread(target=self._write, name="stderr", daemon=True)
            self._writer.start()

    def flush(self, timeout: float = 0.2) -> None:
        """Waits for queued lines to be written, at most `timeout` seconds."""
        until = time.monotonic() + timeout
        with self._lines.all_tasks_done:
            while self._lines.unfinished_tasks and (left := until - time.monotonic()) > 0:
                self._lines.all_tasks_done.wait(left)

    def _write(self) -> None:
        while True:
            line = self._lines.get()
            missing, self._told = self.dropped - self._told, self.dropped
            if missing:
                line = f"({missing} log lines were dropped here, as nobody read them)\n{line}"
            data = (line + "\n").encode("utf-8", "replace")
            try:
                while data:
                    data = data[os.write(self._fd, data) :]
            except OSError:
                # stderr is closed: nobody is there to be told
                pass
            finally:
                self._lines.task_done()


def start_logging(level: str, folder: Path | None = None) -> None:
    """Sends log lines of `level` and above to stderr, and those of INFO and above to `folder/server.log`.

    Warnings and uncaught errors of threads go the same way, so nothing of ours writes to stderr directly.
    A folder that cannot be written is done without.
    """
    root = logging.getLogger()
    for handler in list(root.handlers):
        root.removeHandler(handler)
    stderr = NonBlockingStderrHandler()
    stderr.setLevel(level)
    stderr.setFormatter(logging.Formatter(_FORMAT))
    root.addHandler(stderr)
    root.setLevel(min(stderr.level, logging.INFO) if folder else stderr.level)
    if folder is not None:
        _log_to_file(root, folder)
    # the wire's own chatter, and that of HTTP, says nothing to whoever runs a memory server
    for name in ("mcp", "uvicorn.access", "httpx", "asyncio"):
        logging.getLogger(name).setLevel(max(stderr.level, logging.WARNING))
    logging.captureWarnings(True)
    threading.excepthook = _log_thread_error


def _log_to_file(root: logging.Logger, folder: Path) -> None:
    from logging.handlers import RotatingFileHandler

    path = folder / "server.log"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        os.close(os.open(path, os.O_CREAT | os.O_APPEND | os.O_WRONLY, 0o600))
        file = RotatingFileHandler(path, maxBytes=_FILE_BYTES, backupCount=_FILES_KEPT, encoding="utf-8")
    except OSError as error:
        root.warning("no log file in %s: %s", folder, error.strerror)
        return
    file.setLevel(logging.INFO)
    file.setFormatter(logging.Formatter(_FORMAT))
    # the disk may be full: the line is lost, the server goes on
    file.handleError = lambda record: None  # type: ignore[method-assign]
    root.addHandler(file)


def _log_thread_error(args: threading.ExceptHookArgs) -> None:
    if args.exc_type is SystemExit:
        return
    name = args.thread.name if args.thread else "a thread"
    error = args.exc_value or args.exc_type()
    logging.getLogger(__name__).error("thread %s ended with an error", name, exc_info=error)
