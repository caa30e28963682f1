"""Checked after each write: has a fact earned its next step up in life?"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from sqlalchemy import Connection

from memory_server.domain.fact import Fact
from memory_server.domain.lifecycle import is_current
from memory_server.policies.decay import promotion
from memory_server.policies.scopes import OWN_SIGHT
from memory_server.storage import facts, lifecycle
from memory_server.storage.conflicts import count_conflicts


def promote(connection: Connection, fact_ids: Sequence[str], single_valued: Collection[str], now: str) -> int:
    """Moves facts up as far as claim, corroboration and conflicts allow; tells how many steps were made."""
    steps = 0
    found = [fact for fact in facts.by_ids(connection, fact_ids).values() if is_current(fact.lifecycle_state)]
    conflicts = count_conflicts(connection, found, single_valued, OWN_SIGHT)
    for fact in found:
        steps += _promote(connection, fact, conflicts.get(fact.id, 0), now)
    return steps


def _promote(connection: Connection, fact: Fact, n_conflicts: int, now: str) -> int:
    state, steps = fact.lifecycle_state, 0
    while (step := promotion("fact", state, fact.confidence, fact.source_count, n_conflicts)) is not None:
        reason = f"claim {fact.confidence:g} with {fact.source_count} source(s) and {n_conflicts} conflict(s)"
        lifecycle.move(connection, "fact", fact.id, state, step, reason=reason, actor="worker", now=now)
        state, steps = step, steps + 1
    return steps
