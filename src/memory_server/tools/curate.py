"""The tools of an owner: forget, update, look back, look around."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, Any, Literal

from pydantic import Field

from memory_server.app import MemoryApp
from memory_server.domain.errors import InvalidArgument
from memory_server.domain.lifecycle import parse_state
from memory_server.domain.memory import parse_time, rfc3339
from memory_server.domain.receipt import Receipt
from memory_server.services.curate import forget, update_fact
from memory_server.services.history import history
from memory_server.services.listing import list_memories
from memory_server.services.views import FactView, confidences, fact_view
from memory_server.storage.browse import Filters
from memory_server.tools.answers import Answer
from memory_server.tools.tool import Tool

Id = Annotated[str, Field(min_length=1, max_length=64, description="Id of the memory")]
Tag = Annotated[str, Field(min_length=1, max_length=64)]
Time = Annotated[str | None, Field(max_length=40, description="RFC 3339")]
MemoryType = Literal["fact", "decision", "skill", "belief", "episode", "knowledge"]


class ForgetAnswer(Answer):
    id: str
    memory_type: str
    lifecycle_state: str = Field(description="forgotten")
    steps: list[str] = Field(description="The states that it went through; empty if it was forgotten before")
    receipt: Receipt = Field(description="Proof that it was forgotten")


def run_forget(app: MemoryApp, *, id: Id) -> ForgetAnswer:
    """Forgets one memory; when the answer is out its content is gone from disk."""
    gone = forget(app, id.casefold(), datetime.now(UTC))
    return ForgetAnswer(
        id=gone.memory_id,
        memory_type=gone.memory_type,
        lifecycle_state="forgotten",
        steps=[str(step) for step in gone.steps],
        receipt=gone.receipt,
    )


class UpdateFactAnswer(Answer):
    fact: FactView = Field(description="The fact that holds now")
    previous: FactView = Field(description="The old one, closed: valid_to says since when")
    receipt: Receipt = Field(description="Proof of this write")
    explain: dict[str, Any] = Field(description="The parts of the new fact's effective confidence")


def run_update_fact(
    app: MemoryApp,
    *,
    id: Annotated[str, Field(min_length=1, max_length=64, description="Id of the fact that is out of date")],
    object: Annotated[str, Field(min_length=1, max_length=8192, description="The new value")],
    confidence: Annotated[
        float | None, Field(ge=0, le=1, description="How sure the source is; as before where not given")
    ] = None,
    source: Annotated[str, Field(min_length=1, max_length=256, description="Who or what says so")] = "manual",
    tags: Annotated[list[Tag] | None, Field(max_length=32, description="As before where not given")] = None,
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
    receipts: list[Receipt] = Field(description="Proofs of writes, oldest first; the newest of them all")
    receipt_count: int = Field(description="How many there are")
    sources: list[dict[str, Any]] = Field(description="{source, confidence, first_at, last_at}")
    lineage: dict[str, Any] = Field(
        description="episode and span it came from, replaces_id, superseded_by, derived memories, evidence_of"
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
    total: int = Field(description="How many are on this page")
    memories: list[dict[str, Any]] = Field(
        description="{id, memory_type, text, confidence, source, tags, scope, lifecycle_state, times}, newest first"
    )
    next_cursor: str | None = Field(description="Give it as cursor to get the next page; null on the last")


def run_list(
    app: MemoryApp,
    *,
    memory_type: Annotated[MemoryType | None, Field(description="Only this kind")] = None,
    source: Annotated[str | None, Field(max_length=256, description="Exact source, any case")] = None,
    tag: Annotated[str | None, Field(max_length=64, description="Exact tag, any case")] = None,
    lifecycle_state: Annotated[
        str | None, Field(max_length=32, description="Exact state; all but forgotten where not given")
    ] = None,
    scope: Annotated[
        str | None, Field(max_length=256, description="global, project:<name> or repo:<name>")
    ] = None,
    created_from: Time = None,
    created_to: Time = None,
    limit: Annotated[int, Field(ge=1, le=100, description="At most so many")] = 20,
    cursor: Annotated[str | None, Field(max_length=64, description="next_cursor of the page before")] = None,
) -> ListAnswer:
    """One page of what is stored."""
    filters = Filters(
        source,
        tag,
        _state(lifecycle_state),
        scope,
        _moment(created_from, "created_from"),
        _moment(created_to, "created_to"),
    )
    page = list_memories(app, filters, limit, memory_type=memory_type, cursor=cursor)
    return ListAnswer(total=len(page.memories), memories=page.memories, next_cursor=page.next_cursor)


def _state(text: str | None) -> str | None:
    try:
        return None if text is None else str(parse_state(text))
    except ValueError as error:
        raise InvalidArgument(str(error), argument="lifecycle_state") from error


def _moment(text: str | None, argument: str) -> str | None:
    try:
        return None if text is None else rfc3339(parse_time(text))
    except ValueError as error:
        raise InvalidArgument(
            f"{argument} must be a time like 2026-03-31T12:00:00Z, not {text!r}", argument=argument
        ) from error


FORGET = Tool(
    name="forget",
    title="Forget a memory",
    description=(
        "Removes one memory for good: out of search, vectors and graph at once, its content overwritten; only its "
        "receipts stay. Use update_fact when a value has changed, resolve_conflict when two beliefs contradict."
    ),
    run=run_forget,
    toolset="curate",
    read_only=False,
    destructive=True,
    idempotent=True,
)
UPDATE_FACT = Tool(
    name="update_fact",
    title="Update a fact",
    description=(
        "Gives a fact a new value: the old one is closed and stays readable in its history, the new one continues "
        "it. Use remember for what was not known before, forget for what must not be kept."
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
        "Everything that ever happened to one memory: receipts, moves through its life, sources, where it came from, "
        "and why its confidence is what it is. For what was true at some time use search with as_of."
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
        "Pages through what is stored, newest first, by kind, source, tag, state, scope or time. To find something "
        "by its words use search, by its meaning semantic_search."
    ),
    run=run_list,
    toolset="curate",
    read_only=True,
    destructive=False,
    idempotent=True,
)
