"""A real server process and a client that speaks plain JSON-RPC to it, so that nothing is hidden or retried."""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

TIMEOUT = 60.0


class Reply:
    """One answer of a tool."""

    def __init__(self, message: dict[str, Any]) -> None:
        result = message.get("result") or {}
        self.text: str = result["content"][0]["text"] if result.get("content") else str(message.get("error"))
        self.is_error: bool = bool(result.get("isError")) or "error" in message
        self.value: Any = result.get("structuredContent")

    def __getitem__(self, key: str) -> Any:
        assert not self.is_error, self.text
        return self.value[key]

    @property
    def code(self) -> str:
        assert self.is_error, self.text
        return str(json.loads(self.text)["error"]["code"])


class Session:
    """A server process with an open session."""

    def __init__(self, home: Path, *options: str, shake_hands: bool = True, **more: Any) -> None:
        environment = {name: value for name, value in os.environ.items() if not name.startswith("MEMORY_")}
        environment |= {"MEMORY_SERVER_HOME": str(home), **more.pop("env", {})}
        self.process = subprocess.Popen(
            [*more.pop("prefix", []), sys.executable, "-m", "memory_server", "serve", *options],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment,
            **more,
        )
        self.lines: list[bytes] = []
        self.errors = b""
        self._number = 0
        self._arrived: dict[Any, queue.SimpleQueue[dict[str, Any]]] = {}
        self._lock = threading.Lock()
        self._readers = [threading.Thread(target=reader, daemon=True) for reader in (self._read, self._drain)]
        for reader in self._readers:
            reader.start()
        if shake_hands:
            self.shake_hands()

    def shake_hands(self) -> None:
        self.ask(
            "initialize",
            {
                "protocolVersion": "2025-06-18",
                "capabilities": {},
                "clientInfo": {"name": "test", "version": "1"},
            },
        )
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def send(self, message: dict[str, Any] | bytes) -> None:
        assert self.process.stdin is not None
        line = message if isinstance(message, bytes) else json.dumps(message).encode()
        self.process.stdin.write(line + b"\n")
        self.process.stdin.flush()

    def post(self, method: str, parameters: dict[str, Any]) -> int:
        self._number += 1
        self.send({"jsonrpc": "2.0", "id": self._number, "method": method, "params": parameters})
        return self._number

    def wait(self, number: Any, timeout: float = TIMEOUT) -> dict[str, Any]:
        return self._slot(number).get(timeout=timeout)

    def ask(self, method: str, parameters: dict[str, Any]) -> dict[str, Any]:
        return self.wait(self.post(method, parameters))

    def post_call(self, tool: str, **arguments: Any) -> int:
        return self.post("tools/call", {"name": tool, "arguments": arguments})

    def call(self, tool: str, **arguments: Any) -> Reply:
        return Reply(self.wait(self.post_call(tool, **arguments)))

    def call_many(self, tool: str, many: list[dict[str, Any]]) -> list[Reply]:
        """All at once."""
        numbers = [self.post_call(tool, **arguments) for arguments in many]
        return [Reply(self.wait(number)) for number in numbers]

    def answered(self, number: int) -> bool:
        return not self._slot(number).empty()

    def close_stdin(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()

    def end(self, timeout: float = 10.0) -> int:
        """Closes the session as a client does; the exit code."""
        if self.process.stdin is not None and not self.process.stdin.closed:
            self.close_stdin()
        code = self.process.wait(timeout)
        for reader in self._readers:
            reader.join(timeout)
        return code

    def kill(self) -> None:
        self.process.kill()
        self.process.wait(10)
        for reader in self._readers:
            reader.join(10)
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            if stream is not None:
                try:
                    stream.close()
                except BrokenPipeError:
                    continue

    def _slot(self, number: Any) -> queue.SimpleQueue[dict[str, Any]]:
        with self._lock:
            return self._arrived.setdefault(number, queue.SimpleQueue())

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.lines.append(line)
            message = json.loads(line)
            if "id" in message and "method" not in message:
                self._slot(message["id"]).put(message)

    def _drain(self) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self.errors += line


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A data directory that does not exist yet."""
    return tmp_path / "data"


@pytest.fixture
def serve(data: Path) -> Iterator[Callable[..., Session]]:
    """Starts servers, on one data directory unless another is named; all are gone after the test."""
    sessions: list[Session] = []

    def start(*options: str, home: Path | None = None, **more: Any) -> Session:
        session = Session(home or data, *options, **more)
        sessions.append(session)
        return session

    yield start
    for session in sessions:
        session.kill()
