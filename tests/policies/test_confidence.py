from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_server.domain.lifecycle import LifecycleState
from memory_server.policies.confidence import (
    RELIABILITY,
    STATE_FACTORS,
    age_decay,
    best_kind,
    conflict_penalty,
    corroboration,
    effective,
    promotion_score,
    source_kind,
)


@pytest.mark.parametrize(
    ("kind", "reliability"),
    [("verified", 0.9), ("admin", 0.85), ("inferred", 0.7), ("extracted", 0.6), ("unknown", 0.3)],
)
def test_reliability_by_kind_of_source(kind: str, reliability: float) -> None:
    assert RELIABILITY[kind] == reliability


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("verified", "verified"),
        ("verified:inventory", "verified"),
        ("manual", "admin"),
        ("user", "admin"),
        ("admin", "admin"),
        ("cli", "admin"),
        ("system", "inferred"),
        ("learn", "extracted"),
        ("import", "extracted"),
        ("transcript", "extracted"),
        (" Manual ", "admin"),
        ("minutes-12", "unknown"),
        ("users", "unknown"),
        ("", "unknown"),
    ],
)
def test_names_stand_for_kinds(name: str, kind: str) -> None:
    assert source_kind(name) == kind


def test_the_table_of_names_can_be_another() -> None:
    table = {"ci*": "inferred", "ci-signed*": "verified", "ci-signed-off": "admin"}
    assert source_kind("ci-7", table) == "inferred"
    assert source_kind("ci-signed-7", table) == "verified"
    assert source_kind("CI-signed-off", table) == "admin"
    assert source_kind("manual", table) == "unknown"


def test_with_several_sources_the_best_counts() -> None:
    assert best_kind(["learn", "somebody", "manual"]) == "admin"
    assert best_kind([]) == "unknown"


@pytest.mark.parametrize(
    ("age", "ttl", "share"),
    [
        (0, 90, 1.0),
        (45, 90, 2**-0.5),
        (90, 90, 0.5),
        (135, 90, 2**-1.5),
        (180, 90, 0.3),
        (100_000, 90, 0.3),
        (400, None, 1.0),
        (-3, 90, 1.0),
        (1, 0, 0.3),
    ],
)
def test_age_halves_the_weight_once_in_a_time_to_live(age: float, ttl: float | None, share: float) -> None:
    assert age_decay(age, ttl) == pytest.approx(share)


@pytest.mark.parametrize(("n", "added"), [(0, 0.0), (1, 0.0), (2, 0.05), (3, 0.10), (9, 0.10)])
def test_distinct_sources_corroborate(n: int, added: float) -> None:
    assert corroboration(n) == added


@pytest.mark.parametrize(("n", "taken"), [(0, 0.0), (1, 0.10), (2, 0.20), (7, 0.20)])
def test_conflicts_take_away(n: int, taken: float) -> None:
    assert conflict_penalty(n) == taken


@pytest.mark.parametrize(
    ("state", "factor"),
    [
        ("active", 1.0),
        ("validated", 0.95),
        ("candidate", 0.85),
        ("stale", 0.6),
        ("archived", 0.3),
        ("superseded", 0.3),
        ("contradicted", 0.3),
        ("forgotten", 0.0),
        ("discarded", 0.0),
    ],
)
def test_the_state_leaves_its_factor(state: str, factor: float) -> None:
    assert STATE_FACTORS[LifecycleState(state)] == factor
    found = effective(
        claim=0.9, sources=["manual"], age_days=0, ttl_days=90, conflicts=0, state=LifecycleState(state)
    )
    assert found.before_state_factor == pytest.approx(0.875)
    assert found.value == pytest.approx(0.875 * factor)


@pytest.mark.parametrize(
    ("claim", "sources", "age", "conflicts", "state", "before", "value"),
    [
        # claim, sources, age in days (of 90), conflicts, state, before the state factor, effective
        (0.5, ["manual"], 0, 0, "candidate", 0.675, 0.57375),
        (0.5, ["manual"], 90, 0, "candidate", 0.3375, 0.286875),
        (0.9, ["manual", "learn"], 0, 0, "active", 0.925, 0.925),
        (0.9, ["manual", "MANUAL "], 0, 0, "active", 0.875, 0.875),
        (0.9, ["manual", "learn", "x"], 0, 1, "active", 0.875, 0.875),
        (1.0, ["verified", "manual", "learn"], 0, 0, "active", 1.0, 1.0),
        (0.9, ["x"], 0, 2, "validated", 0.4, 0.38),
        (0.0, ["x"], 900, 2, "active", 0.0, 0.0),
        (0.6, [], 0, 0, "stale", 0.45, 0.27),
    ],
)
def test_the_formula(
    claim: float, sources: list[str], age: float, conflicts: int, state: str, before: float, value: float
) -> None:
    found = effective(
        claim=claim,
        sources=sources,
        age_days=age,
        ttl_days=90,
        conflicts=conflicts,
        state=LifecycleState(state),
    )
    assert found.before_state_factor == pytest.approx(before)
    assert found.value == pytest.approx(value)


def test_the_parts_explain_the_value() -> None:
    found = effective(
        claim=0.8,
        sources=["learn", "minutes"],
        age_days=45,
        ttl_days=90,
        conflicts=1,
        state=LifecycleState.VALIDATED,
    )
    assert found.explain == {
        "claim": 0.8,
        "source_kind": "extracted",
        "reliability": 0.6,
        "sources": 2,
        "age_days": 45,
        "ttl_days": 90,
        "age_decay": pytest.approx(0.707107),
        "corroboration": 0.05,
        "conflicts": -0.1,
        "state": "validated",
        "state_factor": 0.95,
    }


@pytest.mark.parametrize(
    ("claim", "n_sources", "n_conflicts", "score"),
    [(0.5, 1, 0, 0.5), (0.9, 2, 0, 0.95), (0.8, 2, 0, 0.85), (0.6, 3, 0, 0.7), (0.9, 1, 2, 0.7)],
)
def test_promotion_looks_at_claim_corroboration_and_conflicts(
    claim: float, n_sources: int, n_conflicts: int, score: float
) -> None:
    assert promotion_score(claim, n_sources, n_conflicts) == score


@given(
    st.floats(0, 1),
    st.lists(st.text(max_size=12), max_size=5),
    st.floats(0, 1e6),
    st.none() | st.floats(0, 1000),
    st.integers(0, 5),
    st.sampled_from(LifecycleState),
)
def test_confidence_is_always_between_nought_and_one(
    claim: float, sources: list[str], age: float, ttl: float | None, conflicts: int, state: LifecycleState
) -> None:
    found = effective(
        claim=claim, sources=sources, age_days=age, ttl_days=ttl, conflicts=conflicts, state=state
    )
    assert 0.0 <= found.value <= found.before_state_factor + 0.21 <= 1.21
    assert 0.0 <= found.before_state_factor <= 1.0
