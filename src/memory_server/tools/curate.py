"""The tools of an owner who looks after single memories: update, look back, look around."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, Any

from pydantic import Field

from memory_server.app import MemoryApp
from memory_server.domain.receipt import Receipt
from memory_server.services.curate import update_fact
from memory_server.services.history import history
from memory_server.services.listing import list_memories
from memory_server.services.views import FactView, confidences, fact_view
from memory_server.storage.browse import Filters
from memory_server.tools.answers import Answer
from memory_server.tools.filters import (
    MemoryType,
    Session,
    Source,
    Subject,
    Tag,
    Time,
    Words,
    moment,
    state,
)
from memory_server.tools.scoping import ReadScope, ScopeNote, read_scopes
from memory_server.tools.tool import Tool

Id = Annotated[str, Field(min_length=1, description="Id of the memory")]


class UpdateFactAnswer(Answer):
    fact: FactView = Field(description="The fact that holds now")
    previous: FactView = Field(description="The old one, closed at valid_to")
    receipt: Receipt = Field(description="Proof of this write")
    explain: dict[str, Any] = Field(description="The parts of its effective confidence")


def run_update_fact(
    app: MemoryApp,
    *,
    id: Annotated[str, Field(min_length=1, description="The fact that is out of date")],
    object: Annotated[str, Field(min_length=1, max_length=8192, description="The new value")],
    confidence: Annotated[float | None, Field(ge=0, le=1, description="As before where not given")] = None,
    source: Annotated[str, Field(min_length=1, max_length=256, description="Who or what says so")] = "manual",
    tags: Annotated[
        list[Annotated[str, Field(min_length=1, max_length=64)]] | None,
        Field(max_length=32, description="As before where not given"),
    ] = None,
) -> UpdateFactAnswer:
    """Closes the old fact and stores the one that continues it."""
    now = datetime.now(UTC)
    wanted = tuple(tags) if tags is not None else None
    done = update_fact(app, id.casefold(), object, now, confidence=confidence, source=source, tags=wanted)
    with app.database.read() as connection:
        trust, before = confidences(connection, app.settings, [done.fact, done.previous], now)
    return UpdateFactAnswer(
        fact=fact_view(done.fact, trust),
        previous=fact_view(done.previous, before),
        receipt=done.receipt,
        explain=trust.explain,
    )


class HistoryAnswer(Answer):
    memory_type: str
    memory: dict[str, Any] = Field(description="The memory as stored now; of a forgotten one no content")
    effective_confidence: float = Field(description="What its claim is worth now")
    explain: dict[str, Any] = Field(description="The parts of that")
    events: list[dict[str, Any]] = Field(description="Moves: {from_state, to_state, reason, actor, at}")
    receipts: list[Receipt] = Field(description="Proofs of writes, the newest, oldest first")
    receipt_count: int = Field(description="How many there are")
    sources: list[dict[str, Any]] = Field(description="{source, confidence, first_at, last_at}")
    lineage: dict[str, Any] = Field(
        description="episode, span, replaces_id, superseded_by, versions, derived, evidence_of"
    )


def run_history(
    app: MemoryApp,
    *,
    id: Id,
    limit: Annotated[int, Field(ge=1, le=100, description="At most so many receipts")] = 50,
) -> HistoryAnswer:
    """The whole life of one memory."""
    life = history(app, id.casefold(), limit, datetime.now(UTC))
    return HistoryAnswer(
        memory_type=life.memory_type,
        memory=life.memory,
        effective_confidence=round(life.trust.value, 4),
        explain=life.trust.explain,
        events=life.events,
        receipts=life.receipts,
        receipt_count=life.receipt_count,
        sources=life.sources,
        lineage=life.lineage,
    )


class ListAnswer(Answer):
    total: int = Field(description="On this page")
    memories: list[dict[str, Any]] = Field(
        description="{id, memory_type, text, confidence, source, tags, scope, lifecycle_state, times}"
    )
    next_cursor: str | None = Field(description="cursor of the next page; null on the last")
    scope_note: ScopeNote


def run_list(
    app: MemoryApp,
    *,
    memory_type: MemoryType = None,
    source: Source = None,
    tag: Tag = None,
    lifecycle_state: Annotated[
        str | None, Field(max_length=32, description="Default: all but forgotten")
    ] = None,
    scope: ReadScope = None,
    subject: Subject = None,
    session: Session = None,
    query: Words = None,
    created_from: Time = None,
    created_to: Time = None,
    limit: Annotated[int, Field(ge=1, le=100, description="At most so many")] = 20,
    cursor: Annotated[str | None, Field(description="next_cursor of the page before")] = None,
) -> ListAnswer:
    """One page of what is stored."""
    filters = Filters(
        source=source,
        tag=tag,
        state=state(lifecycle_state),
        subject=subject,
        session=session,
        query=query,
        created_from=moment(created_from, "created_from"),
        created_to=moment(created_to, "created_to"),
    )
    scopes = read_scopes(app.settings, scope)
    page = list_memories(app, filters, limit, memory_type=memory_type, scopes=scopes, cursor=cursor)
    return ListAnswer(
        total=len(page.memories),
        memories=page.memories,
        next_cursor=page.next_cursor,
        scope_note=page.scope_note,
    )


UPDATE_FACT = Tool(
    name="update_fact",
    title="Update a fact",
    description=(
        "Gives a fact a new value; the old one is closed and stays in its history. Use remember for what is new, "
        "forget for what must not be kept."
    ),
    run=run_update_fact,
    toolset="curate",
    read_only=False,
    destructive=True,
    idempotent=False,
)
HISTORY = Tool(
    name="history",
    title="History of a memory",
    description=(
        "Everything that ever happened to one memory: receipts, moves, sources, earlier and later versions, where it "
        "came from, why its confidence is what it is. For what was true when, use search with as_of."
    ),
    run=run_history,
    toolset="curate",
    read_only=True,
    destructive=False,
    idempotent=True,
)
LIST_MEMORIES = Tool(
    name="list_memories",
    title="List memories",
    description=(
        "Pages through what is stored, newest first, by any filter. To find by words "
        "use search, by meaning semantic_search."
    ),
    run=run_list,
    toolset="curate",
    read_only=True,
    destructive=False,
    idempotent=True,
)
