"""Facts that cannot both be true: same subject, same single-valued predicate, different objects, both current."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from sqlalchemy import Connection

from memory_server.domain.fact import Fact
from memory_server.domain.lifecycle import is_current
from memory_server.policies.conflict import is_single_valued, objects_differ
from memory_server.policies.text import normal
from memory_server.storage import facts


def conflicting_with(connection: Connection, fact: Fact, single_valued: Collection[str]) -> list[Fact]:
    """The current facts that contradict `fact`, oldest first; none where its predicate can have many values."""
    if not is_single_valued(fact.predicate, single_valued):
        return []
    slot = facts.in_slot(connection, normal(fact.subject), normal(fact.predicate), fact.scope)
    return [other for other in slot if other.id != fact.id and objects_differ(other.object, fact.object)]


def count_conflicts(
    connection: Connection, found: Sequence[Fact], single_valued: Collection[str]
) -> dict[str, int]:
    """How many current facts contradict each of these; only those with any are named."""
    counts: dict[str, int] = {}
    for fact in found:
        if fact.valid_to is None and is_current(fact.lifecycle_state):
            n_conflicts = len(conflicting_with(connection, fact, single_valued))
            if n_conflicts:
                counts[fact.id] = n_conflicts
    return counts
