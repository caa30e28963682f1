"""Runs commands as a person would: in this process, or as a process of its own."""

from __future__ import annotations

import logging
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from memory_server.cli import app

Command = Callable[..., Result]
Process = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def command(home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Command]:
    """Runs a command on the test's data directory."""
    monkeypatch.setenv("MEMORY_SERVER_HOME", str(home))
    root = logging.getLogger()
    handlers, level = list(root.handlers), root.level
    yield lambda *words: CliRunner().invoke(app, list(words))
    root.handlers[:] = handlers
    root.setLevel(level)


@pytest.fixture
def process(tmp_path: Path) -> Process:
    """Runs `memory-server` from outside, with the environment that the test has set."""

    def run(*words: str, stdout: int = subprocess.PIPE) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "memory_server", *words],
            stdout=stdout,
            stderr=subprocess.PIPE,
            text=True,
            timeout=60,
            check=False,
            cwd=tmp_path,
        )

    return run
