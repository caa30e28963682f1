"""The tools that hold beliefs, find them, and settle those that contradict each other."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from memory_server.app import MemoryApp
from memory_server.domain.belief import Belief, Evidence, EvidenceType
from memory_server.domain.receipt import Receipt
from memory_server.policies.scopes import Sight, visible_from
from memory_server.services.belief_conflicts import RESOLUTIONS, resolve_conflict
from memory_server.services.belief_search import get_belief, wanted_state
from memory_server.services.belief_views import BeliefView, belief_confidences, belief_views
from memory_server.services.beliefs import Assertion, set_belief
from memory_server.storage.belief_search import Filters
from memory_server.tools.answers import Answer
from memory_server.tools.arguments import Empty
from memory_server.tools.scoping import ReadScope, Scope, ScopeNote, read_scopes, write_scope
from memory_server.tools.tool import Tool

Tag = Annotated[str, Field(min_length=1, max_length=64)]
Name = Annotated[str | None, Field(max_length=256)]


class GivenEvidence(BaseModel):
    """One piece of evidence as a caller names it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    source_type: EvidenceType
    source_id: Annotated[
        str, Field(min_length=1, max_length=512, description="Id of the memory, or any name")
    ]
    weight: Annotated[float, Field(ge=0, le=1, description="How much it bears")] = 0.5


class SetBeliefAnswer(Answer):
    belief: BeliefView = Field(description="The belief as held now")
    receipt: Receipt = Field(description="Proof of this write")
    superseded: BeliefView | None = Field(description="The belief that it replaced")
    reinforced: bool = Field(description="Whether the proposition was held already")
    explain: dict[str, Any] = Field(description="The parts of its effective confidence")


def run_set_belief(
    app: MemoryApp,
    *,
    proposition: Annotated[str, Field(min_length=1, max_length=2048, description="What is held to be so")],
    confidence: Annotated[float, Field(ge=0, le=1, description="How sure")] = 0.5,
    sources: Annotated[list[GivenEvidence], Field(max_length=100, description="What it rests on")] = [],  # noqa: B006
    tags: Annotated[list[Tag], Field(max_length=32, description="Words to find it by")] = [],  # noqa: B006
    source: Annotated[str, Field(min_length=1, max_length=256, description="Who or what says so")] = "system",
    replace_belief_id: Annotated[
        str | None, Field(max_length=64, description="Belief that it replaces")
    ] = None,
    scope: Scope = None,
) -> SetBeliefAnswer:
    """Holds the belief; when the answer is out it is on disk."""
    evidence = tuple(
        Evidence(
            source_type=given.source_type, source_id=given.source_id, weight=given.weight, contributor=source
        )
        for given in sources
    )
    to = write_scope(app.settings, scope)
    assertion = Assertion(
        proposition,
        confidence,
        evidence,
        tuple(tags),
        source,
        scope=to if scope is not None else None,
        default_scope=to,
        replace_belief_id=known_id(replace_belief_id),
    )
    held = set_belief(app, assertion)
    sight = visible_from(held.belief.scope)
    view, *others = _shown(app, [held.belief, *([held.superseded] if held.superseded else [])], sight)
    with app.database.read() as connection:
        (trust,) = belief_confidences(connection, app.settings, [held.belief], datetime.now(UTC), sight)
    return SetBeliefAnswer(
        belief=view,
        receipt=held.receipt,
        superseded=others[0] if others else None,
        reinforced=held.reinforced,
        explain=trust.explain,
    )


class GetBeliefAnswer(Answer):
    total: int = Field(description="How many are returned")
    beliefs: list[BeliefView] = Field(description="Best first; without a proposition the newest first")
    query: dict[str, Any] = Field(description="What was asked")
    has_more: bool = Field(description="Whether there was more than the limit")
    scope_note: ScopeNote


def run_get_belief(
    app: MemoryApp,
    *,
    proposition: Annotated[
        str | None, Field(max_length=4096, description="Words to find; none: the newest")
    ] = None,
    lifecycle_state: Annotated[
        str,
        Field(
            max_length=32,
            description='active, contradicted, superseded, stale, discarded, archived, forgotten, or "" for all; '
            "the last two are found without a proposition only",
        ),
        Empty.COUNTS,
    ] = "active",
    min_confidence: Annotated[float, Field(ge=0, le=1, description="Claimed at least so much")] = 0.0,
    tags: Annotated[list[Tag], Field(max_length=32, description="Whole tags that must all be there")] = [],  # noqa: B006
    source: Annotated[Name, Field(description="Exact source, any case")] = None,
    creator: Annotated[Name, Field(description="Exact creator, any case")] = None,
    source_id: Annotated[
        str | None, Field(max_length=512, description="Id that stands in its evidence")
    ] = None,
    limit: Annotated[int, Field(ge=1, le=100, description="At most so many")] = 10,
    scope: ReadScope = None,
) -> GetBeliefAnswer:
    """Beliefs by words and filters."""
    scopes = read_scopes(app.settings, scope)
    state = wanted_state(lifecycle_state)
    filters = Filters(state, min_confidence, tuple(tags), source, creator, source_id, scopes)
    found = get_belief(app, proposition or "", filters, limit)
    asked = {
        "proposition": proposition,
        "lifecycle_state": lifecycle_state,
        "min_confidence": min_confidence,
        "tags": tags,
        "source": source,
        "creator": creator,
        "source_id": source_id,
        "limit": limit,
        "scope": scope,
    }
    return GetBeliefAnswer(
        total=len(found.beliefs),
        beliefs=found.beliefs,
        query=asked,
        has_more=found.has_more,
        scope_note=found.scope_note,
    )


class ResolveConflictAnswer(Answer):
    belief_a: BeliefView
    belief_b: BeliefView
    resolution: str = Field(description="What was done; contradicted when auto_resolve could prefer neither")
    created: BeliefView | None = Field(description="The belief that both were merged into")
    events: list[dict[str, Any]] = Field(description="{belief_id, from_state, to_state, reason}")
    receipt: Receipt = Field(description="Proof of this write")
    auto_resolved: bool


def run_resolve_conflict(
    app: MemoryApp,
    *,
    belief_a_id: Annotated[str, Field(min_length=1, max_length=64)],
    belief_b_id: Annotated[str, Field(min_length=1, max_length=64)],
    # not a choice of the schema: with auto_resolve it is not looked at, whatever it says
    resolution: Annotated[
        str | None,
        Field(max_length=256, description=f"One of {', '.join(RESOLUTIONS)}; not needed with auto_resolve"),
    ] = None,
    new_proposition: Annotated[
        str | None, Field(max_length=2048, description="For merge: what both come to")
    ] = None,
    auto_resolve: Annotated[bool, Field(description="Decide by confidence alone")] = False,
) -> ResolveConflictAnswer:
    """Settles two beliefs at once."""
    done = resolve_conflict(
        app,
        belief_a_id.casefold(),
        belief_b_id.casefold(),
        resolution,
        new_proposition=new_proposition,
        auto_resolve=auto_resolve,
    )
    a, b, *created = _shown(app, [done.belief_a, done.belief_b, *([done.created] if done.created else [])])
    return ResolveConflictAnswer(
        belief_a=a,
        belief_b=b,
        resolution=done.resolution,
        created=created[0] if created else None,
        events=done.events,
        receipt=done.receipt,
        auto_resolved=done.auto_resolved,
    )


def known_id(text: str | None) -> str | None:
    """An id as it is stored: ids are lower case."""
    return text.casefold() if text is not None else None


def _shown(app: MemoryApp, beliefs: list[Belief], sight: Sight = None) -> list[BeliefView]:
    with app.database.read() as connection:
        return belief_views(connection, app.settings, beliefs, sight=sight)


SET_BELIEF = Tool(
    name="set_belief",
    title="Set a belief",
    description=(
        "Holds a proposition with a confidence, on evidence: opinions, preferences, rules, guesses. For a plain fact "
        "use remember. The same proposition again reinforces it; replace_belief_id puts a new one in an old one's "
        "place."
    ),
    run=run_set_belief,
    toolset="core",
    read_only=False,
    destructive=False,
    idempotent=False,
)
GET_BELIEF = Tool(
    name="get_belief",
    title="Get beliefs",
    description=(
        "Finds beliefs by words, state, tags, source or evidence, with what each is worth now. Use search for facts, "
        "reflect for an overview of all beliefs and for those that contradict each other."
    ),
    run=run_get_belief,
    toolset="core",
    read_only=True,
    destructive=False,
    idempotent=True,
)
RESOLVE_CONFLICT = Tool(
    name="resolve_conflict",
    title="Resolve a conflict",
    description=(
        "Settles two beliefs that contradict each other: keep one, merge both into new_proposition, discard both, or "
        "let auto_resolve decide by confidence. reflect with mode contradictions finds such pairs."
    ),
    run=run_resolve_conflict,
    toolset="core",
    read_only=False,
    destructive=True,
    idempotent=False,
)
