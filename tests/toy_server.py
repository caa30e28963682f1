"""A stdio server with toy tools, run as a process of its own by the tests of how a server lives and dies."""

from __future__ import annotations

import logging
import os
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Annotated, Any

from memory_server.departure import Departure
from memory_server.stdio import CallsInFlight, divert_stdout

STDOUT = divert_stdout()
DEPARTURE = Departure()
DEPARTURE.install()

from pydantic import Field  # noqa: E402

from memory_server.logs import start_logging  # noqa: E402
from memory_server.server import server_of  # noqa: E402
from memory_server.serving import serve_stdio  # noqa: E402
from memory_server.tools.answers import Answer  # noqa: E402
from memory_server.tools.ping import PING  # noqa: E402
from memory_server.tools.tool import Tool  # noqa: E402


class Said(Answer):
    text: str


class ToyApp:
    """Writes what was said to a file; closing leaves a mark there."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.lock = threading.Lock()

    @contextmanager
    def observe_call(self, tool: str) -> Iterator[SimpleNamespace]:
        yield SimpleNamespace(status="", size=0)

    def observe_unknown_tool(self) -> None: ...

    def close(self, timeout: float) -> None:
        self.lock.acquire(timeout=timeout)
        with self.path.open("a") as file:
            file.write("closed\n")


def say(app: ToyApp, *, text: Annotated[str, Field(description="What to say", min_length=1)]) -> Said:
    if text.startswith("stray"):
        print("a stray print", flush=True)  # noqa: T201 - must not reach the protocol
        os.write(1, b"a stray write\n")
    logging.getLogger("toy").warning("said something %s", "x" * 200)
    with app.lock, app.path.open("a", encoding="utf-8") as file:
        file.write("said\n")
    return Said(text=text)


def hang(app: ToyApp) -> Said:
    with app.lock:
        app.path.with_suffix(".hanging").touch()
        time.sleep(60)
    return Said(text="never")


def deep(app: ToyApp, *, items: Annotated[list[str], Field(description="Items")] | None = None) -> Said:
    return Said(text="shallow")


def tool(name: str, run: Any) -> Tool:
    return Tool(
        name=name,
        title=name,
        description=name,
        run=run,
        toolset="core",
        read_only=False,
        destructive=False,
        idempotent=False,
    )


if __name__ == "__main__":
    start_logging("DEBUG")
    app = ToyApp(Path(sys.argv[1]))
    DEPARTURE.close = app.close
    if "--slow-start" in sys.argv:
        app.path.with_suffix(".starting").touch()
        time.sleep(60)
    calls = CallsInFlight()
    tools = (PING, tool("say", say), tool("hang", hang), tool("deep", deep))
    serve_stdio(server_of(app, tools, calls.answered), calls, STDOUT, DEPARTURE)
    DEPARTURE.served()
