"""Which moves are due: for each memory, by its age, by what it is worth, by what speaks for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from memory_server.domain.belief import Belief
from memory_server.domain.lifecycle import LifecycleState, may_move
from memory_server.domain.memory import parse_time
from memory_server.policies.confidence import DEFAULT_SOURCE_KINDS, before_state_factor, best_kind
from memory_server.policies.decay import age_days, due_moves, promotion, ttl_of
from memory_server.policies.scopes import OWN_SIGHT
from memory_server.services.belief_views import belief_confidences
from memory_server.services.parts import Parts
from memory_server.storage import rows
from memory_server.storage.ageing import Ageing, Move

_SOURCES_REMEMBERED = 10_000


class Trust:
    """The effective confidence before the state factor of many memories, one after the other."""

    def __init__(self, parts: Parts, now: datetime) -> None:
        self._table = {**DEFAULT_SOURCE_KINDS, **parts.settings.source_kinds}
        self._kinds: dict[tuple[str, ...], str] = {}
        self._now = now

    def of(self, memory_type: str, one: Ageing, n_conflicts: int) -> float:
        """What the lifecycle looks at, for what was read for ageing."""
        kind = self._kinds.get(one.sources)
        if kind is None:
            kind = self._kinds[one.sources] = best_kind(one.sources, self._table)
            if len(self._kinds) > _SOURCES_REMEMBERED:
                self._kinds.clear()
        return before_state_factor(
            one.confidence,
            kind,
            len(one.sources),
            age_of(one, self._now),
            ttl_of(memory_type, one.ttl_days),
            n_conflicts,
        )


def age_of(one: Ageing, now: datetime) -> float:
    """Days since the memory was last touched."""
    return age_days(now, parse_time(one.reinforced_at))


def worths(
    parts: Parts,
    memory_type: str,
    page: Sequence[Ageing],
    conflicts: Mapping[str, int],
    trust: Trust,
    now: datetime,
) -> dict[str, float]:
    """The effective confidence before the state factor of those whom a low one would make stale."""
    asked = [one for one in page if may_move(memory_type, one.state, LifecycleState.STALE)]
    if memory_type != "belief":
        return {one.id: trust.of(memory_type, one, conflicts.get(one.id, 0)) for one in asked}
    # a belief is worth what the evidence behind it is
    with parts.database.read() as connection:
        held = list(rows.by_ids(connection, Belief, [one.id for one in asked]).values())
        trusts = belief_confidences(connection, parts.settings, held, now, OWN_SIGHT)
    return {belief.id: worth.before_state_factor for belief, worth in zip(held, trusts, strict=True)}


def ageing_of(memory_type: str, one: Ageing, worth: float, now: datetime, forget: bool) -> Move | None:
    """The steps of ageing that are due at once, or None; `worth` is the effective confidence before the state."""
    age, ttl = age_of(one, now), ttl_of(memory_type, one.ttl_days)
    steps = due_moves(memory_type, one.state, age, ttl, worth, forget=forget)
    if not steps:
        return None
    spent = f"age {age:.1f} days" + (f" of {ttl:g}" if ttl is not None else "")
    reason = f"{spent}, effective confidence {worth:.2f}" if steps[0] is LifecycleState.STALE else spent
    return Move(memory_type, one.id, one.state, steps, reason, one.reinforced_at)


def promotion_of(one: Ageing, n_conflicts: int) -> Move | None:
    """The steps up that a fact has earned, or None."""
    n_sources, state = len(one.sources), one.state
    steps: list[LifecycleState] = []
    while (step := promotion("fact", state, one.confidence, n_sources, n_conflicts)) is not None:
        steps.append(step)
        state = step
    reason = f"claim {one.confidence:g} with {n_sources} source(s) and {n_conflicts} conflict(s)"
    return Move("fact", one.id, one.state, tuple(steps), reason, one.reinforced_at) if steps else None
