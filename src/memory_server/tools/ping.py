"""The smallest tool: shows that the server answers, before any index or model is loaded."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from memory_server.tools.answers import Answer
from memory_server.tools.tool import Tool


class PingAnswer(Answer):
    status: Literal["ok"] = Field(description="Always ok")


def run(app: Any) -> PingAnswer:
    """Answers at once; touches neither database nor index."""
    return PingAnswer(status="ok")


PING = Tool(
    name="ping",
    title="Ping",
    description="Checks that the memory server is alive. It says nothing about what is stored; audit does.",
    run=run,
    toolset="core",
    read_only=True,
    destructive=False,
    idempotent=True,
    instant=True,
)
