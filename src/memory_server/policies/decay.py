"""When a memory moves on in its life: promoted by what speaks for it, aged by time without touch."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from types import MappingProxyType

from memory_server.domain.lifecycle import LifecycleState, may_move
from memory_server.policies.confidence import promotion_score

TTL_DAYS: Mapping[str, float | None] = MappingProxyType(
    {
        "fact": 90.0,
        "decision": 180.0,
        "belief": 180.0,
        "skill": 365.0,
        "entity": 365.0,
        "knowledge": None,
        "episode": None,
    }
)
"""Time to live in days by kind of memory; None never ages."""

STALE_SHARE = 0.7
ARCHIVED_SHARE = 1.0
FORGOTTEN_SHARE = 2.0
"""Shares of the time to live at which the next step is due."""

STALE_BELOW = 0.3
"""An effective confidence (before the state factor) under this makes stale at any age."""

VALIDATED_FROM = 0.7
ACTIVE_FROM = 0.85
ACTIVE_SOURCES = 2

_S = LifecycleState


def ttl_of(
    memory_type: str, own_ttl_days: float | None = None, admission_tag: str | None = None
) -> float | None:
    """Time to live in days: the memory's own (from admission) where it has one, else that of its kind.

    What admission found important has none.
    """
    if admission_tag == "important":
        return None
    return own_ttl_days if own_ttl_days is not None else TTL_DAYS.get(memory_type)


def age_days(now: datetime, last_touch: datetime) -> float:
    """Days since the last reinforcement, corroboration or update; 0 for a touch in the future."""
    return max(0.0, (now - last_touch) / timedelta(days=1))


def is_expired(age: float, ttl: float | None) -> bool:
    """Whether the whole time to live is over, which is what pruning looks at."""
    return ttl is not None and age >= ttl * ARCHIVED_SHARE


def promotion(
    memory_type: str, state: LifecycleState, claim: float, n_sources: int, n_conflicts: int
) -> LifecycleState | None:
    """The next step up that claim, corroboration and conflicts earn, or None; one step a call."""
    score = promotion_score(claim, n_sources, n_conflicts)
    if state is _S.CANDIDATE and score >= VALIDATED_FROM:
        step = _S.VALIDATED
    elif state is _S.VALIDATED and score >= ACTIVE_FROM and n_sources >= ACTIVE_SOURCES:
        step = _S.ACTIVE
    else:
        return None
    return step if may_move(memory_type, state, step) else None


def due_move(
    memory_type: str, state: LifecycleState, age: float, ttl: float | None, effective_before_state: float
) -> LifecycleState | None:
    """The one step of ageing that is due, or None; `age` and `ttl` in days.

    A step is never skipped: what is older than its whole time to live becomes stale first.
    """
    share = 0.0 if ttl is None else age / ttl if ttl > 0 else float("inf")
    if may_move(memory_type, state, _S.STALE) and (
        share >= STALE_SHARE or effective_before_state < STALE_BELOW
    ):
        return _S.STALE
    if state in (_S.STALE, _S.DISCARDED) and share >= ARCHIVED_SHARE:
        return _S.ARCHIVED if may_move(memory_type, state, _S.ARCHIVED) else None
    if state is _S.ARCHIVED and share >= FORGOTTEN_SHARE:
        return _S.FORGOTTEN
    return None


def due_moves(
    memory_type: str,
    state: LifecycleState,
    age: float,
    ttl: float | None,
    effective_before_state: float,
    *,
    forget: bool = True,
) -> tuple[LifecycleState, ...]:
    """All steps of ageing that are due, in order, each its own event; `forget=False` leaves out the last."""
    steps: list[LifecycleState] = []
    here = state
    while (step := due_move(memory_type, here, age, ttl, effective_before_state)) is not None:
        if step is _S.FORGOTTEN and not forget:
            break
        steps.append(step)
        here = step
    return tuple(steps)


def due_within(
    days: float,
    memory_type: str,
    state: LifecycleState,
    age: float,
    ttl: float | None,
    confidence_at: Callable[[float], float],
) -> tuple[LifecycleState, ...]:
    """The steps that will have come due `days` from now if nothing touches the memory before.

    `confidence_at` gives the effective confidence before the state factor at an age in days.
    """
    then = age + days
    return due_moves(memory_type, state, then, ttl, confidence_at(then))
