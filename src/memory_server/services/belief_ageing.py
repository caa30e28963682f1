"""Which moves of ageing beliefs have before them, by the same policy that makes these moves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from sqlalchemy import Connection

from memory_server.domain.lifecycle import LifecycleState
from memory_server.domain.memory import parse_time, rfc3339
from memory_server.policies.confidence import DEFAULT_SOURCE_KINDS, effective
from memory_server.policies.decay import age_days, due_within, ttl_of
from memory_server.services.truth import supports
from memory_server.settings import Settings
from memory_server.storage import sources
from memory_server.storage.beliefs import Outline


def due_moves_of(
    connection: Connection, settings: Settings, outlines: Sequence[Outline], days: float, now: datetime
) -> dict[str, tuple[LifecycleState, ...]]:
    """For each belief the states that it enters within `days` if nothing touches it; those that stay are left out."""
    resting = [one.id for one in outlines if one.n_evidence]
    carried = supports(connection, resting, settings.single_valued, rfc3339(now))
    claimed = sources.names(connection, [one.id for one in outlines if one.source_count > 1])
    kinds = {**DEFAULT_SOURCE_KINDS, **settings.source_kinds}
    found = {}
    for one in outlines:
        names = claimed.get(one.id, [one.source])
        if moves := _due(one, carried.get(one.id, 1.0), names, kinds, days, now):
            found[one.id] = moves
    return found


def _due(
    one: Outline, support: float, names: Sequence[str], kinds: Mapping[str, str], days: float, now: datetime
) -> tuple[LifecycleState, ...]:
    ttl = ttl_of("belief", one.ttl_days)

    def confidence_at(age: float) -> float:
        return effective(
            claim=one.confidence * support,
            sources=names,
            age_days=age,
            ttl_days=ttl,
            conflicts=0,
            state=one.state,
            source_kinds=kinds,
        ).before_state_factor

    age = age_days(now, parse_time(one.reinforced_at))
    return due_within(days, "belief", one.state, age, ttl, confidence_at)
