"""The one table of tools: whatever offers tools to anyone reads it, so none is in one place and not in another."""

from __future__ import annotations

from collections.abc import Sequence

from memory_server.domain.errors import InvalidArgument
from memory_server.tools.ping import PING
from memory_server.tools.tool import Tool

TOOLS: tuple[Tool, ...] = (PING,)
"""Every tool, in the order in which they are listed."""


def tools_of(toolsets: Sequence[str], tools: Sequence[Tool] = TOOLS) -> tuple[Tool, ...]:
    """The tools of the named toolsets, in the order of the table.

    Raises:
        InvalidArgument: no toolset is named, or one that does not exist.
    """
    known = tuple(dict.fromkeys(tool.toolset for tool in tools))
    for name in toolsets:
        if name not in known:
            raise InvalidArgument(
                f"unknown toolset {name!r}; known ones: {', '.join(known)}", argument="toolsets", allowed=known
            )
    if not toolsets:
        raise InvalidArgument(
            f"no toolset is named; known ones: {', '.join(known)}", argument="toolsets", allowed=known
        )
    return tuple(tool for tool in tools if tool.toolset in toolsets)
