"""One tool as a value: what a caller may ask for, and the plain function that answers it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from memory_server.domain.errors import NotFound

Toolset = Literal["core", "knowledge", "curate"]


@dataclass(frozen=True, slots=True)
class Tool:
    """A row of the table of tools; MCP definitions, contracts and documentation are projections of it.

    Args:
        name: the name on the wire, `[a-zA-Z0-9_-]{1,64}`.
        title: the name for people.
        description: tells a model when to use it, and when to use its neighbour instead.
        run: `(app, *, typed keyword arguments) -> Answer`. Types, limits, defaults and descriptions of the
            arguments are read off its signature.
        toolset: the set that it is served with.
        read_only: it changes nothing that a caller can see.
        destructive: it may remove or overwrite what was stored.
        idempotent: the same call again has no further effect.
        open_world: it reaches beyond this store.
        instant: it touches no disk, so it is answered on the event loop, ahead of any queue.
        counts_all: its `total` counts all that there is, however few of it an answer lists.
        aliases: further names that are understood in calls but not listed.
        raw_schema: the input schema of a tool that checks its arguments itself; `run` is then
            `(app, arguments)` with the arguments as they came.
        present_error: the error body of a tool that has an envelope of its own.
    """

    name: str
    title: str
    description: str
    run: Callable[..., Any]
    toolset: Toolset
    read_only: bool
    destructive: bool
    idempotent: bool
    open_world: bool = False
    instant: bool = False
    counts_all: bool = False
    aliases: tuple[str, ...] = ()
    raw_schema: Mapping[str, Any] | None = None
    present_error: Callable[[Exception], dict[str, Any]] | None = None


class UnknownTool(NotFound):
    """A call names a tool that is not served here."""
