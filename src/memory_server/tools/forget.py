"""The tool that forgets for good: one memory at once, many after a look and a confirmation."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import Annotated, Any

from pydantic import Field

from memory_server.app import MemoryApp
from memory_server.domain.errors import InvalidArgument
from memory_server.domain.receipt import Receipt
from memory_server.services.certificate import Certificate, certify
from memory_server.services.forgetting import forget, forget_matching
from memory_server.services.wishes import Forecast, Wish, forecast
from memory_server.storage.browse import Filters
from memory_server.storage.traces import Trace
from memory_server.tools.answers import Answer
from memory_server.tools.filters import (
    Confirm,
    MemoryType,
    Session,
    Source,
    Subject,
    Tag,
    Time,
    Words,
    moment,
)
from memory_server.tools.scoping import owned_scopes
from memory_server.tools.tool import Tool


class ForgetAnswer(Answer):
    id: str | None = Field(description="Where an id was given")
    memory_type: str | None
    lifecycle_state: str | None = Field(description="forgotten; null in a dry run")
    steps: list[str] = Field(description="States that it went through; empty if forgotten before")
    receipt: Receipt | None = Field(description="Of one forgotten by id")
    dry_run: bool = Field(description="Nothing was changed")
    total: int = Field(description="How many are (to be) forgotten")
    by_kind: dict[str, int]
    by_source: dict[str, int]
    sample: list[dict[str, Any]] = Field(description="Dry run: some of them")
    notes: list[str]
    confirm: str | None = Field(description="Dry run: give it to forget exactly these")
    certificate: Certificate | None = Field(description="What was purged, and what was found afterwards")


def run_forget(
    app: MemoryApp,
    *,
    id: Annotated[str | None, Field(description="One memory, at once")] = None,
    memory_type: MemoryType = None,
    source: Source = None,
    tag: Tag = None,
    scope: Annotated[str | None, Field(description="Just this, or all")] = None,
    subject: Subject = None,
    session: Session = None,
    query: Words = None,
    created_from: Time = None,
    created_to: Time = None,
    derived: Annotated[
        bool, Field(description="With episodes, also what was learned from them; needs confirm")
    ] = False,
    confirm: Confirm = None,
) -> ForgetAnswer:
    """Forgets one memory; or shows what a filter matches, and forgets that when it is confirmed."""
    wish = _wish(
        app, id, memory_type, source, tag, scope, subject, session, query, created_from, created_to, derived
    )
    if wish.id is not None and not derived:
        return _forget_one(app, wish.id, confirm)
    if confirm is None:
        return _dry(forecast(app, wish), wish)
    return _forget_many(app, wish, confirm)


def preview_forget(app: MemoryApp, *, confirm: str | None, **given: Any) -> ForgetAnswer:
    """The dry run, even where one memory alone is meant; takes what `run_forget` takes."""
    wish = _wish(app, **given)
    return _dry(forecast(app, wish), wish)


def _wish(
    app: MemoryApp,
    id: str | None,
    memory_type: str | None,
    source: str | None,
    tag: str | None,
    scope: str | None,
    subject: str | None,
    session: str | None,
    query: str | None,
    created_from: str | None,
    created_to: str | None,
    derived: bool,
) -> Wish:
    filters = Filters(
        source=source,
        tag=tag,
        subject=subject,
        session=session,
        query=query,
        created_from=moment(created_from, "created_from"),
        created_to=moment(created_to, "created_to"),
    )
    filtered = filters != Filters() or memory_type is not None or scope is not None
    if (id is None) != filtered:
        raise InvalidArgument(
            "give an id, or filters, not both" if filtered else "say what to forget: an id, or a filter",
            argument="id",
        )
    if id is None:
        filters = replace(filters, scopes=owned_scopes(app.settings, scope))
    return Wish(id and id.casefold(), filters, memory_type, derived)


def _forget_one(app: MemoryApp, memory_id: str, confirm: str | None) -> ForgetAnswer:
    gone = forget(app, memory_id, datetime.now(UTC), confirm=confirm)
    return ForgetAnswer(
        id=gone.memory_id,
        memory_type=gone.memory_type,
        lifecycle_state="forgotten",
        steps=[str(step) for step in gone.steps],
        receipt=gone.receipt,
        dry_run=False,
        total=1,
        by_kind={gone.memory_type: 1},
        by_source={gone.receipt.source: 1},
        sample=[],
        notes=[],
        confirm=None,
        certificate=_certificate(app, gone.traces),
    )


def _forget_many(app: MemoryApp, wish: Wish, confirm: str) -> ForgetAnswer:
    done = forget_matching(app, wish, confirm, datetime.now(UTC))
    notes = []
    if done.changed:
        notes.append(
            f"{len(done.changed)} were changed while others were forgotten, and stay: {', '.join(done.changed[:10])}"
        )
    return ForgetAnswer(
        id=wish.id,
        memory_type=wish.memory_type,
        lifecycle_state="forgotten",
        steps=[],
        receipt=None,
        dry_run=False,
        total=len(done.traces),
        by_kind=dict(done.by_kind),
        by_source=dict(done.by_source.most_common(50)),
        sample=[],
        notes=notes,
        confirm=None,
        certificate=_certificate(app, done.traces),
    )


def _dry(seen: Forecast, wish: Wish) -> ForgetAnswer:
    notes = []
    if wish.id is not None and not seen.total:
        notes.append("it was forgotten before")
    if seen.shared:
        notes.append(f"{seen.shared} of them are claimed by further sources, and would be gone for these too")
    if seen.archived:
        notes.append(f"{seen.archived} archived memories are in no full text, so query does not find them")
    return ForgetAnswer(
        id=wish.id,
        memory_type=wish.memory_type,
        lifecycle_state=None,
        steps=[],
        receipt=None,
        dry_run=True,
        total=seen.total,
        by_kind=seen.by_kind,
        by_source=seen.by_source,
        sample=seen.sample,
        notes=notes,
        confirm=seen.confirm if seen.total else None,
        certificate=None,
    )


def _certificate(app: MemoryApp, gone: list[Trace] | tuple[Trace, ...]) -> Certificate:
    return certify(app, gone, drain=None if app.worker.running else app.worker.finish)


FORGET = Tool(
    name="forget",
    title="Forget for good",
    description=(
        "Removes memories for good, from search, vectors, graph and disk; receipts stay. One by id at once; many by "
        "filters: first a dry run, then with confirm. Use update_fact when a value has changed, undo for mistakes."
    ),
    run=run_forget,
    toolset="curate",
    read_only=False,
    destructive=True,
    idempotent=True,
    counts_all=True,
)
