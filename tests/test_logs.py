"""Log lines reach stderr when someone reads it, and hold nobody up when no one does."""

from __future__ import annotations

import logging
import os
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from memory_server.logs import NonBlockingStderrHandler, start_logging


def record(text: str) -> logging.LogRecord:
    return logging.LogRecord("toy", logging.WARNING, __file__, 1, text, (), None)


@pytest.fixture
def pipe() -> Iterator[tuple[int, int]]:
    reader, writer = os.pipe()
    yield reader, writer
    os.close(reader)
    os.close(writer)


@pytest.fixture
def plain_logging() -> Iterator[None]:
    root = logging.getLogger()
    before = (list(root.handlers), root.level, threading.excepthook)
    yield
    for handler in set(root.handlers) - set(before[0]):
        handler.close()
    root.handlers[:], threading.excepthook = before[0], before[2]
    root.setLevel(before[1])
    logging.captureWarnings(False)


def test_lines_are_written_in_order(pipe: tuple[int, int]) -> None:
    reader, writer = pipe
    handler = NonBlockingStderrHandler(writer)
    for number in range(3):
        handler.emit(record(f"naïve {number}"))
    handler.flush(10)
    assert os.read(reader, 1000).decode() == "naïve 0\nnaïve 1\nnaïve 2\n"


def test_what_nobody_reads_is_dropped_and_counted_and_nobody_waits(pipe: tuple[int, int]) -> None:
    reader, writer = pipe
    handler = NonBlockingStderrHandler(writer, capacity=10)
    for _ in range(1000):
        handler.emit(record("x" * 1000))
    handler.flush(0.01)
    assert handler.dropped > 500
    read = b""
    while b"log lines were dropped here" not in read:
        read += os.read(reader, 65536)
        handler.emit(record("again"))
    assert b"dropped here" in read


def test_a_closed_stderr_is_no_error() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    handler = NonBlockingStderrHandler(writer)
    handler.emit(record("into the void"))
    handler.flush(10)
    os.close(writer)


@pytest.mark.usefixtures("plain_logging")
def test_a_log_file_is_kept_for_its_owner_alone(tmp_path: Path) -> None:
    start_logging("ERROR", tmp_path / "logs")
    logging.getLogger("toy").info("into the file")
    path = tmp_path / "logs" / "server.log"
    assert "INFO toy: into the file" in path.read_text()
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.parent.stat().st_mode & 0o777 == 0o700


@pytest.mark.usefixtures("plain_logging")
def test_a_log_folder_that_cannot_be_made_is_done_without(tmp_path: Path) -> None:
    (tmp_path / "logs").write_text("a file")
    start_logging("CRITICAL", tmp_path / "logs")
    assert (tmp_path / "logs").read_text() == "a file"


@pytest.mark.usefixtures("plain_logging")
def test_an_error_that_ends_a_thread_is_logged(tmp_path: Path) -> None:
    def fail() -> None:
        raise RuntimeError("lost")

    start_logging("CRITICAL", tmp_path)
    thread = threading.Thread(target=fail, name="loser")
    thread.start()
    thread.join()
    text = (tmp_path / "server.log").read_text()
    assert "thread loser ended with an error" in text
    assert "RuntimeError: lost" in text
