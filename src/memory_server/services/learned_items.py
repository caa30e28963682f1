"""What all items of one lesson have in common: where they come from, and how they are written or stated again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any, Generic, TypeVar

from sqlalchemy import Connection

from memory_server.domain.decision import Decision
from memory_server.domain.episode import Episode
from memory_server.domain.lifecycle import first_state
from memory_server.domain.memory import Memory, new_id, rfc3339
from memory_server.domain.receipt import Receipt, receipt_for
from memory_server.domain.skill import Skill
from memory_server.policies.extraction import Span
from memory_server.services.beliefs import united
from memory_server.services.lesson import Verdict
from memory_server.services.lineage import learned_from
from memory_server.storage import decisions, lifecycle, outbox, receipts, skills, sources

M = TypeVar("M", bound=Memory)
K = TypeVar("K", Decision, Skill)


@dataclass(frozen=True, slots=True)
class Stored(Generic[M]):
    """One item with the receipt of this write; `is_new` unless it was known."""

    memory: M
    receipt: Receipt
    is_new: bool


@dataclass(frozen=True)
class Origin:
    """Where the items of one lesson come from.

    Attributes:
        judge: what admission finds about one sentence.
        again: the same source has handed over this very text before; nothing of it counts twice.
        said_at: when it was said, RFC 3339; None is now.
        actor: the tool or process that writes.
    """

    episode: Episode
    source: str
    tags: tuple[str, ...]
    risk_tags: tuple[str, ...]
    judge: Callable[[str], Verdict]
    again: bool
    said_at: str | None
    actor: str
    now: datetime

    @cached_property
    def moment(self) -> str:
        """The time of this write, RFC 3339."""
        return rfc3339(self.now)

    def words(self, span: Span) -> str:
        """What the text says there."""
        return self.episode.text[span.start : span.end]

    def history(self, span: Span) -> list[str]:
        """The place, as receipts name it."""
        return learned_from(self.episode.id, (span.start, span.end))


def common_fields(memory_type: str, span: Span, confidence: float, origin: Origin) -> dict[str, Any]:
    """The fields that every kind of memory has, of one that is read out of a text."""
    verdict = origin.judge(origin.words(span))
    return {
        "id": new_id(),
        "confidence": confidence,
        "source": origin.source,
        "tags": united(origin.tags, ()),
        "scope": origin.episode.scope,
        "lifecycle_state": first_state(memory_type),
        "created_at": origin.moment,
        "updated_at": origin.moment,
        "reinforced_at": origin.moment,
        "valid_from": verdict.valid_from or origin.said_at or origin.moment,
        "episode_id": origin.episode.id,
        "span_start": span.start,
        "span_end": span.end,
        "ttl_days": verdict.ttl_days,
        "admission_tag": verdict.tag,
        "risk_tags": origin.risk_tags,
    }


def write(connection: Connection, decision: Decision, span: Span, origin: Origin) -> Stored[Decision]:
    """Writes a new decision with all that belongs to a write."""
    decisions.insert(connection, decision)
    sources.claim(connection, decision.id, decision.source, decision.confidence, decision.created_at)
    lifecycle.born(connection, decision, "decision", reason="ingested", actor=origin.actor, now=origin.moment)
    return Stored(decision, settle(connection, decision, span, origin, ["stored"]), is_new=True)


def state_again(connection: Connection, known: K, confidence: float, span: Span, origin: Origin) -> Stored[K]:
    """Notes that a known decision or skill is stated once more; another source corroborates it."""
    sources.claim(connection, known.id, origin.source, confidence, origin.moment)
    count = sources.count(connection, known.id)
    changes: dict[str, Any] = {
        "confidence": max(known.confidence, confidence),
        "source_count": count,
        "updated_at": origin.moment,
        "reinforced_at": origin.moment,
    }
    tags = united(known.tags, origin.tags)
    if tags != known.tags:
        changes["tags"] = tags
    update: Any = decisions.update if isinstance(known, Decision) else skills.update
    changed: K = update(connection, known, changes)
    said = "corroborated by" if count > known.source_count else "stated again by"
    history = [f"{said} {origin.source}"]
    return Stored(changed, settle(connection, changed, span, origin, history, confidence), is_new=False)


def settle(
    connection: Connection,
    memory: Memory,
    span: Span,
    origin: Origin,
    history: Sequence[str],
    confidence: float | None = None,
) -> Receipt:
    """Writes the receipt, which names the place in the text, and tells the indexes."""
    memory_type: str = memory.memory_type  # type: ignore[attr-defined]
    receipt = receipt_for(
        memory,
        memory_type=memory_type,
        created_by=origin.actor,
        now=origin.moment,
        source=origin.source,
        confidence=confidence,
        history=(*history, *origin.history(span)),
    )
    receipts.add(connection, receipt)
    outbox.enqueue(connection, [(memory_type, memory.id)], origin.now.timestamp())
    return receipt
