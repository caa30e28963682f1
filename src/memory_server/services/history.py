"""Everything that ever happened to one memory: its proofs, its moves, where it came from, what it is worth."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection

from memory_server.domain.belief import Belief
from memory_server.domain.errors import NotFound
from memory_server.domain.fact import Fact
from memory_server.domain.memory import Memory, parse_time
from memory_server.domain.receipt import Receipt
from memory_server.policies.confidence import DEFAULT_SOURCE_KINDS, Confidence, effective
from memory_server.policies.decay import age_days, ttl_of
from memory_server.policies.text import cut
from memory_server.services.belief_views import belief_confidences
from memory_server.services.parts import Parts
from memory_server.services.views import confidences
from memory_server.storage import browse, lifecycle, receipts, rows, sources

_EXCERPT = 300  # characters of an episode, or of another version, that lineage shows
_VERSIONS = 20  # of what a memory continues and what took its place


@dataclass(frozen=True, slots=True)
class History:
    """One memory's life; `receipts` and `events` are the newest of so many, oldest first."""

    memory_type: str
    memory: dict[str, Any]
    trust: Confidence
    receipts: list[Receipt]
    receipt_count: int
    events: list[dict[str, str | None]]
    sources: list[dict[str, Any]]
    lineage: dict[str, Any]


def history(parts: Parts, memory_id: str, limit: int, now: datetime) -> History:
    """The life of one memory, whatever its kind; of a forgotten one everything but its content.

    Args:
        limit: at most so many receipts and derived memories.

    Raises:
        NotFound: there is no such memory.
        StorageUnavailable: the database cannot be read.
    """
    with parts.database.read() as connection:
        memory = rows.find(connection, memory_id)
        if memory is None:
            raise NotFound(f"there is no memory with the id {memory_id[:64]!r}", argument="id")
        proofs = receipts.of(connection, memory.id)
        return History(
            memory_type=memory.memory_type,  # type: ignore[attr-defined]
            memory=memory.model_dump(mode="json"),
            trust=_trust(parts, connection, memory, now),
            receipts=proofs[-limit:],
            receipt_count=len(proofs),
            events=lifecycle.events(connection, memory.id),
            sources=browse.claims(connection, memory.id),
            lineage=_lineage(connection, memory, limit),
        )


def _trust(parts: Parts, connection: Connection, memory: Memory, now: datetime) -> Confidence:
    if isinstance(memory, Fact):
        return confidences(connection, parts.settings, [memory], now)[0]
    if isinstance(memory, Belief):
        return belief_confidences(connection, parts.settings, [memory], now)[0]
    claimed = sources.names(connection, [memory.id]).get(memory.id, [memory.source])
    return effective(
        claim=memory.confidence,
        sources=claimed,
        age_days=age_days(now, parse_time(memory.reinforced_at)),
        ttl_days=ttl_of(memory.memory_type, memory.ttl_days),  # type: ignore[attr-defined]
        conflicts=0,
        state=memory.lifecycle_state,
        source_kinds={**DEFAULT_SOURCE_KINDS, **parts.settings.source_kinds},
    )


def _lineage(connection: Connection, memory: Memory, limit: int) -> dict[str, Any]:
    episode = browse.episode(connection, memory.episode_id) if memory.episode_id else None
    if episode is not None:
        episode["text"] = cut(episode["text"], _EXCERPT)
    return {
        "episode": episode,
        "span": None if memory.span_start is None else [memory.span_start, memory.span_end],
        "replaces_id": memory.replaces_id,
        "superseded_by": memory.superseded_by,
        "superseded_at": memory.superseded_at,
        "versions": [_version(one) for one in browse.versions(connection, memory, _VERSIONS)],
        "derived": browse.derived_from(connection, memory.id, limit),
        "evidence_of": browse.resting_on(connection, memory.id, limit),
    }


def _version(memory: Memory) -> dict[str, Any]:
    return {
        "id": memory.id,
        "text": cut(memory.sentence(), _EXCERPT).strip(),  # type: ignore[attr-defined]
        "source": memory.source,
        "valid_from": memory.valid_from,
        "valid_to": memory.valid_to,
        "lifecycle_state": str(memory.lifecycle_state),
    }
