"""Dresses the table of tools as MCP tools; with the server, the only place that knows the MCP library."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, partial
from typing import Any

import anyio
import anyio.to_thread
from mcp.server.mcpserver.tools import Tool as McpTool
from mcp.server.mcpserver.utilities.func_metadata import ArgModelBase, FuncMetadata
from mcp_types import CallToolResult, TextContent, ToolAnnotations
from pydantic import PrivateAttr

from memory_server.tools.calls import ObservedApp, Reply, call_tool
from memory_server.tools.schemas import input_schema_of, output_schema_of
from memory_server.tools.tool import Tool

MOST_THREADS = 8
"""Calls that run at once; the others wait, as SQLite writes one at a time and threads hold connections."""


class BoundTool(McpTool):
    """A tool bound to an app: our own checks, envelope and compact text instead of the library's."""

    _call: Callable[[Mapping[str, Any]], Reply] = PrivateAttr()
    _output_schema: dict[str, Any] | None = PrivateAttr(default=None)
    _threads: anyio.CapacityLimiter | None = PrivateAttr(default=None)

    @cached_property
    def output_schema(self) -> dict[str, Any] | None:
        return self._output_schema

    async def run(
        self, arguments: dict[str, Any], context: Any, convert_result: bool = False
    ) -> CallToolResult:
        """Answers one call; instant tools on the event loop, the others on a worker thread."""
        if self._threads is None:
            return as_result(self._call(arguments))
        return as_result(await anyio.to_thread.run_sync(self._call, arguments, limiter=self._threads))


def bind(app: ObservedApp, tools: Sequence[Tool]) -> list[BoundTool]:
    """The tools as the MCP library takes them, in the given order."""
    threads = anyio.CapacityLimiter(MOST_THREADS)
    return [_bound(app, tool, threads) for tool in tools]


def as_result(reply: Reply) -> CallToolResult:
    """A reply as it goes over the wire; errors carry no structured content, as clients check that."""
    return CallToolResult(
        content=[TextContent(type="text", text=reply.text)],
        structured_content=reply.structured,
        is_error=reply.is_error,
    )


def _bound(app: ObservedApp, tool: Tool, threads: anyio.CapacityLimiter) -> BoundTool:
    bound = BoundTool(
        fn=tool.run,
        name=tool.name,
        title=tool.title,
        description=tool.description,
        parameters=input_schema_of(tool),
        fn_metadata=FuncMetadata(arg_model=ArgModelBase),
        is_async=False,
        context_kwarg=None,
        annotations=ToolAnnotations(
            title=tool.title,
            read_only_hint=tool.read_only,
            destructive_hint=tool.destructive,
            idempotent_hint=tool.idempotent,
            open_world_hint=tool.open_world,
        ),
    )
    bound._call = partial(call_tool, app, tool)
    bound._output_schema = output_schema_of(tool.run)
    bound._threads = None if tool.instant else threads
    return bound
