"""Facts that cannot both be true: same subject, same single-valued predicate, different objects, both current."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from sqlalchemy import Connection

from memory_server.domain.fact import Fact
from memory_server.domain.lifecycle import is_current
from memory_server.policies.conflict import is_single_valued, objects_differ
from memory_server.policies.scopes import Sight, meet, sight_of
from memory_server.policies.text import normal
from memory_server.storage import facts


def conflicting_with(
    connection: Connection, fact: Fact, single_valued: Collection[str], sight: Sight = None
) -> list[Fact]:
    """The current facts that contradict `fact` before a reader's eyes, oldest first.

    None where its predicate can have many values. Facts of two projects do not contradict each other.
    """
    if not is_single_valued(fact.predicate, single_valued):
        return []
    scopes = sight_of(sight, fact.scope)
    slot = facts.in_slot(connection, normal(fact.subject), normal(fact.predicate), scopes)
    return [
        other
        for other in slot
        if other.id != fact.id and meet(other.scope, fact.scope) and objects_differ(other.object, fact.object)
    ]


def count_conflicts(
    connection: Connection, found: Sequence[Fact], single_valued: Collection[str], sight: Sight = None
) -> dict[str, int]:
    """How many current facts contradict each of these before a reader's eyes; only those with any are named."""
    counts: dict[str, int] = {}
    for fact in found:
        if fact.valid_to is None and is_current(fact.lifecycle_state):
            n_conflicts = len(conflicting_with(connection, fact, single_valued, sight))
            if n_conflicts:
                counts[fact.id] = n_conflicts
    return counts
