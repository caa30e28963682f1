"""The tool that takes changes back: the last one at once, many after a look and a confirmation."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Annotated, Any

from pydantic import Field

from memory_server.app import MemoryApp
from memory_server.services.changes import Asked
from memory_server.services.undo import Outlook, outlook, undo
from memory_server.services.undoing import TakenBack
from memory_server.tools.answers import Answer
from memory_server.tools.filters import Confirm, Time, moment
from memory_server.tools.scoping import read_scopes
from memory_server.tools.tool import Tool


class UndoAnswer(Answer):
    dry_run: bool = Field(description="Nothing was changed")
    total: int = Field(description="How many changes are meant")
    actions: dict[str, int] = Field(description="What was done to how many; dry run: how they were written")
    memories: list[dict[str, Any]] = Field(description="Some of them")
    left: list[dict[str, str]] = Field(description="What stays: {id, why}")
    confirm: str | None = Field(description="Dry run: give it to undo exactly these")


def run_undo(
    app: MemoryApp,
    *,
    id: Annotated[
        str | None,
        Field(
            max_length=64,
            description="A receipt's write, a memory's last change, all learned with an episode",
        ),
    ] = None,
    source: Annotated[str | None, Field(max_length=256, description="All that it wrote")] = None,
    session: Annotated[str | None, Field(description="All learned in it")] = None,
    since: Time = None,
    confirm: Confirm = None,
) -> UndoAnswer:
    """Takes back one change; or shows many, and takes them back when that is confirmed."""
    asked = _asked(app, id, source, session, since)
    if confirm is None:
        seen = outlook(app, asked)
        if seen.many or not seen.changes:
            return _dry(seen)
        confirm = seen.confirm
    return _done(undo(app, asked, datetime.now(UTC), confirm))


def preview_undo(
    app: MemoryApp,
    *,
    id: str | None,
    source: str | None,
    session: str | None,
    since: str | None,
    confirm: str | None,
) -> UndoAnswer:
    """The dry run, even where one change alone is meant; `confirm` is not looked at."""
    return _dry(outlook(app, _asked(app, id, source, session, since)))


def _asked(
    app: MemoryApp, id: str | None, source: str | None, session: str | None, since: str | None
) -> Asked:
    # what another project has written is not the last change of this one
    seen = read_scopes(app.settings, None)
    return Asked(id and id.casefold(), source, session, moment(since, "since"), seen)


def _dry(seen: Outlook) -> UndoAnswer:
    return UndoAnswer(
        dry_run=True,
        total=seen.changes,
        actions=_with_left(seen.by_what, seen.left_count),
        memories=seen.sample,
        left=seen.left,
        confirm=seen.confirm if seen.changes else None,
    )


def _done(done: TakenBack) -> UndoAnswer:
    return UndoAnswer(
        dry_run=False,
        total=done.changes,
        actions=_with_left(done.actions, done.left_count),
        memories=list(done.done),
        left=done.left,
        confirm=None,
    )


def _with_left(counts: Mapping[str, int], left: int) -> dict[str, int]:
    return {**counts, **({"left as it is": left} if left else {})}


UNDO = Tool(
    name="undo",
    title="Undo changes",
    description=(
        "Takes back the last change or that of an id; or all that a source or session wrote since a time: first a "
        "dry run, then with confirm. What was stored goes out of search, what it replaced holds again; what was "
        "forgotten stays gone."
    ),
    run=run_undo,
    toolset="curate",
    read_only=False,
    destructive=True,
    idempotent=False,
    counts_all=True,
)
