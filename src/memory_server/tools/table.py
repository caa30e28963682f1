"""The one table of tools: whatever offers tools to anyone reads it, so none is here and missing there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from memory_server.domain.errors import InvalidArgument
from memory_server.tools.audit import AUDIT
from memory_server.tools.beliefs import GET_BELIEF, RESOLVE_CONFLICT, SET_BELIEF
from memory_server.tools.context import GET_CONTEXT, ROUTE
from memory_server.tools.curate import HISTORY, LIST_MEMORIES, UPDATE_FACT
from memory_server.tools.forget import FORGET
from memory_server.tools.knowledge import SEARCH_KNOWLEDGE, STORE_KNOWLEDGE, UPDATE_KNOWLEDGE
from memory_server.tools.learn import LEARN
from memory_server.tools.metrics import METRICS
from memory_server.tools.ping import PING
from memory_server.tools.recall import GRAPH_SEARCH, SEARCH, SEMANTIC_SEARCH
from memory_server.tools.reflect import REFLECT
from memory_server.tools.remember import REMEMBER
from memory_server.tools.tool import Tool
from memory_server.tools.undo import UNDO

TOOLS: tuple[Tool, ...] = (
    PING,
    REMEMBER,
    SEARCH,
    GET_CONTEXT,
    SEMANTIC_SEARCH,
    LEARN,
    GRAPH_SEARCH,
    ROUTE,
    AUDIT,
    METRICS,
    SET_BELIEF,
    GET_BELIEF,
    RESOLVE_CONFLICT,
    REFLECT,
    FORGET,
    UPDATE_FACT,
    HISTORY,
    LIST_MEMORIES,
    UNDO,
    STORE_KNOWLEDGE,
    UPDATE_KNOWLEDGE,
    SEARCH_KNOWLEDGE,
)
"""Every tool, in the order in which they are listed."""


def tools_of(toolsets: Sequence[str], tools: Sequence[Tool] = TOOLS) -> tuple[Tool, ...]:
    """The tools of the named toolsets, in the order of the table.

    Raises:
        InvalidArgument: no toolset is named, or one that does not exist.
    """
    known = tuple(dict.fromkeys(tool.toolset for tool in tools))
    unknown = [name for name in toolsets if name not in known]
    if unknown or not toolsets:
        problem = f"unknown toolset {unknown[0]!r}" if unknown else "no toolset is named"
        raise InvalidArgument(f"{problem}; known: {', '.join(known)}", argument="toolsets", allowed=known)
    return tuple(tool for tool in tools if tool.toolset in toolsets)


def exposition(app: Any, tools: Sequence[Tool] = TOOLS) -> str:
    """What the tool `metrics` answers, for those who ask over plain HTTP."""
    text: str = next(tool for tool in tools if tool.name == "metrics").run(app).text
    return text
