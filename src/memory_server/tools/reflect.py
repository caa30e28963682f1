"""The tool that looks at all beliefs at once; each mode has an answer of its own."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from memory_server.app import MemoryApp
from memory_server.services.belief_survey import Question
from memory_server.services.reflect import Mode, reflect
from memory_server.services.scope_notes import scope_note_of
from memory_server.tools.answers import Answer
from memory_server.tools.scoping import ReadScope, ScopeNote, read_scopes
from memory_server.tools.tool import Tool

Advice = Annotated[str, Field(description="What to do about it, if anything")]


class Reflection(Answer):
    """What every mode answers."""

    scope_note: ScopeNote


class OverviewAnswer(Reflection):
    total_beliefs: int
    by_lifecycle_state: dict[str, int]
    by_topics: dict[str, int]
    confidence: dict[str, Any]
    contradiction_count: int
    conflicts: dict[str, Any]
    stale_count: int
    decaying_next_7d: int
    no_evidence_count: int
    oldest_belief_days: float
    newest_belief_days: float


class ContradictionsAnswer(Reflection):
    total: int
    contradictions: list[dict[str, Any]]
    recommendation: Advice


class RelationsAnswer(Reflection):
    total: int
    contradictions: int
    entailments: int
    neutral_pairs: int
    relations: list[dict[str, Any]]
    recommendation: Advice


class DecayAnswer(Reflection):
    stale_now: int
    stale_7d: int
    archived_7d: int
    forgotten_7d: int
    by_tag_stale: dict[str, int]
    recommendation: Advice


class TopicsAnswer(Reflection):
    topics: list[dict[str, Any]]
    untagged_count: int


class EvidenceAuditAnswer(Reflection):
    total: int
    with_evidence: int
    without_evidence: int
    beliefs_without_evidence: list[dict[str, Any]]
    avg_evidence_per_belief: float
    by_source_type: dict[str, int]
    zero_weight_entries: int
    recommendation: Advice


class ConfidenceAnswer(Reflection):
    beliefs: list[dict[str, Any]]
    histogram: dict[str, int]
    lowest_count: int
    recommendation: Advice


_ANSWERS: dict[Mode, type[Answer]] = {
    "overview": OverviewAnswer,
    "contradictions": ContradictionsAnswer,
    "relations": RelationsAnswer,
    "decay": DecayAnswer,
    "topics": TopicsAnswer,
    "evidence_audit": EvidenceAuditAnswer,
    "confidence": ConfidenceAnswer,
}


def run(
    app: MemoryApp,
    *,
    mode: Annotated[Mode, Field(description="What to look at")] = "overview",
    topic: Annotated[
        str | None, Field(max_length=256, description="Only beliefs with this tag or these words in a row")
    ] = None,
    min_confidence: Annotated[
        float, Field(ge=0, le=1, description="Only beliefs claimed at least so much")
    ] = 0.0,
    limit: Annotated[int, Field(ge=0, le=10_000, description="At most so many in each list, 0 for all")] = 50,
    context: Annotated[
        str | None,
        Field(max_length=256, description="For relations: only beliefs that hold there, or anywhere"),
    ] = None,
    strict_same_context: Annotated[
        bool, Field(description="For relations: under different circumstances nothing contradicts")
    ] = False,
    scope: ReadScope = None,
) -> (
    OverviewAnswer
    | ContradictionsAnswer
    | RelationsAnswer
    | DecayAnswer
    | TopicsAnswer
    | EvidenceAuditAnswer
    | ConfidenceAnswer
):
    """All beliefs from one side."""
    scopes = read_scopes(app.settings, scope)
    question = Question(topic, min_confidence, limit, context, strict_same_context, scopes)
    found = {**reflect(app, mode, question), "scope_note": scope_note_of(app, scopes)}
    return _ANSWERS[mode](**found)  # type: ignore[return-value]


REFLECT = Tool(
    name="reflect",
    title="Reflect on beliefs",
    description=(
        "Looks at all beliefs at once: an overview, contradictions, relations, what decays, topics, evidence or "
        "confidence. Use get_belief to find single beliefs, resolve_conflict to settle what contradicts, audit for "
        "the soundness of the store."
    ),
    run=run,
    toolset="core",
    read_only=True,
    destructive=False,
    idempotent=True,
    counts_all=True,
)
