"""One call of a tool from arguments to reply, without any protocol: checked, run, counted, presented."""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, Protocol

from memory_server.domain.errors import Internal, InvalidArgument, MemoryServerError, PayloadTooLarge
from memory_server.tools.answers import TextAnswer
from memory_server.tools.arguments import arguments_of
from memory_server.tools.checking import check_arguments, nearest, refuse_untextual, shown
from memory_server.tools.shortening import MOST_BYTES, shorten
from memory_server.tools.tool import Tool, UnknownTool

log = logging.getLogger(__name__)


class Observation(Protocol):
    """What is told about one call when it is over."""

    status: str
    size: int


class ObservedApp(Protocol):
    """The part of the app that a call needs for itself; the rest is between the app and the tool."""

    def observe_call(self, tool: str) -> AbstractContextManager[Observation]: ...

    def observe_unknown_tool(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Reply:
    """What goes back to the caller; `text` is `structured` as compact JSON, or text alone."""

    text: str
    structured: dict[str, Any] | None
    is_error: bool


def call_tool(app: ObservedApp, tool: Tool, given: Mapping[str, Any]) -> Reply:
    """Runs one tool on what a caller sent. Never raises: whatever goes wrong becomes a reply that says so."""
    with app.observe_call(tool.name) as seen:
        reply = _answered(app, tool, given)
        seen.status = "error" if reply.is_error else "success"
        seen.size = len(reply.text.encode())
    return reply


def call_unknown(app: ObservedApp, tools: Sequence[Tool], name: str) -> Reply:
    """The reply to a call of a tool that is not served, in the envelope of the toolset that it resembles."""
    app.observe_unknown_tool()
    known = [tool.name for tool in tools]
    guess = nearest(name, known)
    hint = f"; did you mean {guess}?" if guess else ""
    error = UnknownTool(
        f"unknown tool {shown(name)}{hint} (tools here: {', '.join(known)})",
        tool=shown(name)[1:-1],
        allowed=known,
    )
    own = next((tool for tool in tools if tool.present_error and _family(tool.name) == _family(name)), None)
    if all(tool.present_error for tool in tools):
        # served alone, such a toolset stands in for a server that knows no other envelope
        own = next(iter(tools), None)
    return _refused(error, own)


def _family(name: str) -> str:
    return name.replace(".", "_").split("_")[0]


def _answered(app: ObservedApp, tool: Tool, given: Mapping[str, Any]) -> Reply:
    try:
        if tool.raw_schema is not None:
            refuse_untextual(given)
            answer = tool.run(app, given)
        else:
            answer = tool.run(app, **check_arguments(tool.name, arguments_of(tool.run), given))
        if isinstance(answer, TextAnswer):
            return Reply(answer.text, None, False)
        structured = answer.model_dump(mode="json", by_alias=True)
        text = _compact(structured)
        if len(text.encode()) > MOST_BYTES:
            structured = shorten(structured, narrowing(tool), counts_all=tool.counts_all)
            text = _compact(structured)
        return Reply(text, structured, False)
    except MemoryServerError as error:
        level = logging.DEBUG if isinstance(error, InvalidArgument | PayloadTooLarge) else logging.INFO
        # the message may quote what is stored, which is not for the log
        log.log(level, "%s was refused: %s %s", tool.name, error.code, error.details.get("argument", ""))
        return _refused(error, tool)
    except Exception as error:
        # the border of the process: the caller gets a code, the log the rest
        log.error("%s failed", tool.name, exc_info=error)
        return _refused(
            Internal(f"{tool.name} failed inside the server; its log says more", tool=tool.name), tool
        )


def narrowing(tool: Tool) -> list[str]:
    """The arguments with which a caller can ask for less; where there are no pages, those that say what is meant."""
    counting = ("limit", "top_k", "max_results", "token_budget", "cursor", "offset")
    narrow = ("query", "subject", "source", "topic", "tags", "mode", "memory_type", "audit_type")
    if tool.raw_schema is not None:
        return [name for name in ("query", "scope") if name in tool.raw_schema["properties"]]
    names = [argument.name for argument in arguments_of(tool.run)]
    return [name for name in (*counting, *narrow) if name in names]


def _refused(error: MemoryServerError, tool: Tool | None) -> Reply:
    if tool is not None and tool.present_error is not None:
        body = tool.present_error(error)
    else:
        body = {"error": {"code": error.code, "message": error.message, "details": error.details}}
    return Reply(_compact(body), None, True)


def _compact(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False, default=str)
    return text.encode("utf-8", "replace").decode("utf-8")
