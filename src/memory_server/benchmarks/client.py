"""A server started as clients start it, spoken to in plain JSON-RPC, so that little but the server is measured."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import IO, Any

PROTOCOL = "2025-06-18"
PIPELINED = 32  # calls on their way at once


class ServerFailed(RuntimeError):
    """The server went away or refused a call that it should have answered."""


class SpawnedServer:
    """One `memory-server serve` over stdio on a data directory of its own; ended with the block."""

    def __init__(
        self,
        home: Path,
        *,
        toolsets: str = "core",
        environment: dict[str, str] | None = None,
        stderr: int | IO[bytes] | None = None,
    ) -> None:
        self._next_id = 0
        self._process = subprocess.Popen(
            [sys.executable, "-m", "memory_server", "serve", "--home", str(home), "--toolsets", toolsets],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=stderr,
            env={**os.environ, **(environment or {})},
        )
        self.pid = self._process.pid

    def __enter__(self) -> SpawnedServer:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        try:
            self._process.wait(20)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        assert self._process.stdout is not None
        self._process.stdout.close()

    def initialise(self) -> None:
        """Shakes hands and asks for the tools, as every client does first."""
        client = {"name": "benchmark", "version": "1"}
        self.request("initialize", {"protocolVersion": PROTOCOL, "capabilities": {}, "clientInfo": client})
        self._send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        self.request("tools/list", {})

    def request(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        """Sends one request and waits for its answer."""
        sent = self._ask(method, params)
        return self._answer({sent})[1]

    def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """The structured answer of one tool call."""
        return _structured(tool, self.request("tools/call", {"name": tool, "arguments": arguments}))

    def timed(self, tool: str, **arguments: Any) -> float:
        """Seconds from sending a call to having its answer."""
        started = time.perf_counter()
        answer = self.request("tools/call", {"name": tool, "arguments": arguments})
        seconds = time.perf_counter() - started
        _structured(tool, answer)
        return seconds

    def call_all(self, tool: str, many: Iterable[dict[str, Any]]) -> int:
        """Makes many calls, several on their way at once; gives their number."""
        waiting: set[int] = set()
        done = 0
        for arguments in many:
            waiting.add(self._ask("tools/call", {"name": tool, "arguments": arguments}))
            if len(waiting) >= PIPELINED:
                done += self._collect(tool, waiting)
        while waiting:
            done += self._collect(tool, waiting)
        return done

    def cpu_seconds(self) -> float:
        """CPU time of the server so far, user and system."""
        fields = Path(f"/proc/{self.pid}/stat").read_text("utf-8").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def resident_megabytes(self) -> float:
        """Resident memory of the server."""
        for line in Path(f"/proc/{self.pid}/status").read_text("utf-8").splitlines():
            if line.startswith("VmRSS:"):
                return int(line.split()[1]) / 1024
        raise ServerFailed("the server has ended")

    def _collect(self, tool: str, waiting: set[int]) -> int:
        answered, answer = self._answer(waiting)
        waiting.discard(answered)
        _structured(tool, answer)
        return 1

    def _ask(self, method: str, params: dict[str, Any]) -> int:
        self._next_id += 1
        self._send({"jsonrpc": "2.0", "id": self._next_id, "method": method, "params": params})
        return self._next_id

    def _send(self, message: dict[str, Any]) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(message).encode() + b"\n")
        self._process.stdin.flush()

    def _answer(self, awaited: set[int]) -> tuple[int, dict[str, Any]]:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            message = json.loads(line)
            if message.get("id") in awaited:
                if "error" in message:
                    raise ServerFailed(str(message["error"]))
                return message["id"], message["result"]
        raise ServerFailed("the server ended before it had answered")


@contextmanager
def started(home: Path, **options: Any) -> Iterator[SpawnedServer]:
    """A server that has introduced itself."""
    with SpawnedServer(home, **options) as server:
        server.initialise()
        yield server


def _structured(tool: str, answer: dict[str, Any]) -> dict[str, Any]:
    if answer.get("isError"):
        raise ServerFailed(f"{tool}: {answer['content'][0]['text'][:300]}")
    found: dict[str, Any] = answer.get("structuredContent") or {}
    return found
