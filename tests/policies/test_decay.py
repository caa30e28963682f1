from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_server.domain.lifecycle import LifecycleState, check_move
from memory_server.policies.confidence import age_decay
from memory_server.policies.decay import (
    TTL_DAYS,
    age_days,
    due_move,
    due_moves,
    due_within,
    is_expired,
    promotion,
    ttl_of,
)


@pytest.mark.parametrize(
    ("memory_type", "days"),
    [
        ("fact", 90),
        ("decision", 180),
        ("belief", 180),
        ("skill", 365),
        ("entity", 365),
        ("knowledge", None),
        ("episode", None),
    ],
)
def test_time_to_live_by_kind(memory_type: str, days: float | None) -> None:
    assert TTL_DAYS[memory_type] == days
    assert ttl_of(memory_type) == days
    assert ttl_of(memory_type, 1.0) == 1.0
    assert ttl_of(memory_type, 1.0, "important") is None
    assert ttl_of(memory_type, None, "durable") == days


def test_age_is_counted_in_days_and_never_negative() -> None:
    now = datetime(2026, 5, 1, 12, tzinfo=UTC)
    assert age_days(now, now - timedelta(hours=36)) == 1.5
    assert age_days(now, now + timedelta(days=2)) == 0.0


@pytest.mark.parametrize(
    ("memory_type", "state", "claim", "n_sources", "n_conflicts", "step"),
    [
        ("fact", "candidate", 0.5, 1, 0, None),
        ("fact", "candidate", 0.69, 1, 0, None),
        ("fact", "candidate", 0.7, 1, 0, "validated"),
        ("fact", "candidate", 0.65, 2, 0, "validated"),
        ("fact", "candidate", 0.6, 3, 0, "validated"),
        ("fact", "candidate", 0.9, 1, 0, "validated"),
        ("fact", "candidate", 0.9, 2, 0, "validated"),
        ("fact", "candidate", 0.75, 1, 1, None),
        ("fact", "candidate", 0.9, 1, 2, "validated"),
        ("fact", "candidate", 0.89, 1, 2, None),
        ("fact", "validated", 0.9, 1, 0, None),
        ("fact", "validated", 1.0, 1, 0, None),
        ("fact", "validated", 0.9, 2, 0, "active"),
        ("fact", "validated", 0.8, 2, 0, "active"),
        ("fact", "validated", 0.79, 2, 0, None),
        ("fact", "validated", 0.9, 2, 1, "active"),
        ("fact", "validated", 0.85, 2, 1, None),
        ("fact", "active", 1.0, 3, 0, None),
        ("fact", "stale", 1.0, 3, 0, None),
        ("fact", "archived", 1.0, 3, 0, None),
        ("skill", "candidate", 0.9, 1, 0, "validated"),
        ("belief", "active", 1.0, 3, 0, None),
        ("belief", "candidate", 1.0, 3, 0, None),
    ],
)
def test_promotion(
    memory_type: str, state: str, claim: float, n_sources: int, n_conflicts: int, step: str | None
) -> None:
    assert promotion(memory_type, LifecycleState(state), claim, n_sources, n_conflicts) == step


@pytest.mark.parametrize(
    ("memory_type", "state", "age", "ttl", "confidence", "step"),
    [
        # stale: 70 % of the time to live, or confidence under 0.3
        ("fact", "candidate", 62.9, 90, 0.5, None),
        ("fact", "candidate", 63, 90, 0.5, "stale"),
        ("fact", "validated", 63, 90, 0.5, "stale"),
        ("fact", "active", 63, 90, 0.9, "stale"),
        ("fact", "active", 0, 90, 0.29, "stale"),
        ("fact", "active", 0, 90, 0.3, None),
        ("knowledge", "candidate", 5000, None, 0.5, None),
        ("knowledge", "candidate", 5000, None, 0.2, "stale"),
        ("belief", "active", 126, 180, 0.9, "stale"),
        ("belief", "superseded", 126, 180, 0.9, "stale"),
        ("belief", "contradicted", 126, 180, 0.9, "stale"),
        ("belief", "discarded", 126, 180, 0.9, None),
        # archived: stale, and the whole time to live
        ("fact", "stale", 89.9, 90, 0.1, None),
        ("fact", "stale", 90, 90, 0.9, "archived"),
        ("belief", "stale", 180, 180, 0.9, "archived"),
        ("belief", "discarded", 180, 180, 0.9, "archived"),
        ("knowledge", "stale", 9000, None, 0.1, None),
        # forgotten: archived, and twice the time to live
        ("fact", "archived", 179.9, 90, 0.0, None),
        ("fact", "archived", 180, 90, 0.9, "forgotten"),
        ("fact", "forgotten", 9000, 90, 0.0, None),
        # one step at a time, however old
        ("fact", "active", 9000, 90, 0.0, "stale"),
        # a day for the ephemeral
        ("fact", "candidate", 0.7, 1, 0.9, "stale"),
    ],
)
def test_one_step_of_ageing(
    memory_type: str, state: str, age: float, ttl: float | None, confidence: float, step: str | None
) -> None:
    assert due_move(memory_type, LifecycleState(state), age, ttl, confidence) == step


@pytest.mark.parametrize(
    ("age", "forget", "steps"),
    [
        (10, True, []),
        (70, True, ["stale"]),
        (100, True, ["stale", "archived"]),
        (200, True, ["stale", "archived", "forgotten"]),
        (200, False, ["stale", "archived"]),
    ],
)
def test_all_steps_that_are_due_come_in_order(age: float, forget: bool, steps: list[str]) -> None:
    assert list(due_moves("fact", LifecycleState.ACTIVE, age, 90, 0.9, forget=forget)) == steps


@pytest.mark.parametrize(
    ("days", "age", "steps"),
    [(7, 50, []), (7, 56, ["stale"]), (7, 83, ["stale", "archived"]), (0, 56, [])],
)
def test_the_forecast_asks_the_same_policy_at_a_later_age(days: float, age: float, steps: list[str]) -> None:
    found = due_within(days, "fact", LifecycleState.VALIDATED, age, 90, lambda at: age_decay(at, 90))
    assert list(found) == steps


def test_the_forecast_sees_confidence_fall() -> None:
    def confidence_at(age: float) -> float:
        return 0.4 * age_decay(age, 90)

    assert due_within(7, "fact", LifecycleState.ACTIVE, 20, 90, confidence_at) == ()
    assert due_within(7, "fact", LifecycleState.ACTIVE, 34, 90, confidence_at) == ("stale",)


@pytest.mark.parametrize(("age", "ttl", "over"), [(1, 1, True), (0.9, 1, False), (9999, None, False)])
def test_what_has_expired(age: float, ttl: float | None, over: bool) -> None:
    assert is_expired(age, ttl) is over


@given(
    st.sampled_from([*TTL_DAYS, "belief"]),
    st.sampled_from(LifecycleState),
    st.floats(0, 1e5),
    st.none() | st.floats(0, 1000),
    st.floats(0, 1),
)
def test_ageing_never_goes_around_the_table(
    memory_type: str, state: LifecycleState, age: float, ttl: float | None, confidence: float
) -> None:
    here = state
    for step in due_moves(memory_type, state, age, ttl, confidence):
        check_move(memory_type, here, step)
        here = step
