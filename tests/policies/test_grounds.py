"""What is left of a belief's claim when its evidence falls away."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_server.domain.lifecycle import LifecycleState as S
from memory_server.policies.grounds import SHARES, Standing, standing, support

WEIGHTS = st.floats(min_value=0, max_value=1)
PIECES = st.lists(st.tuples(WEIGHTS, st.sampled_from(Standing)), max_size=12)


@pytest.mark.parametrize(
    ("state", "closed", "conflicting", "expected"),
    [
        (S.CANDIDATE, False, False, Standing.HOLDS),
        (S.VALIDATED, False, False, Standing.HOLDS),
        (S.ACTIVE, False, False, Standing.HOLDS),
        (S.STALE, False, False, Standing.HOLDS),
        (S.CANDIDATE, False, True, Standing.CONFLICTING),
        (S.ACTIVE, True, False, Standing.SUPERSEDED),
        (S.ACTIVE, True, True, Standing.SUPERSEDED),
        (S.ARCHIVED, False, False, Standing.ARCHIVED),
        (S.ARCHIVED, True, True, Standing.ARCHIVED),
        (S.FORGOTTEN, False, False, Standing.FORGOTTEN),
        (S.FORGOTTEN, True, True, Standing.FORGOTTEN),
    ],
)
def test_evidence_stands_as_the_life_of_its_memory_says(
    state: S, closed: bool, conflicting: bool, expected: Standing
) -> None:
    assert standing(state, closed=closed, conflicting=conflicting) is expected


@pytest.mark.parametrize(
    ("pieces", "expected"),
    [
        pytest.param([], 1.0, id="no evidence"),
        pytest.param([(0.0, Standing.FORGOTTEN)], 1.0, id="evidence that weighs nothing"),
        pytest.param([(0.5, Standing.HOLDS)], 1.0, id="all holds"),
        pytest.param([(0.5, Standing.CONFLICTING)], 0.5, id="contradicted"),
        pytest.param([(0.5, Standing.SUPERSEDED)], 0.0, id="superseded"),
        pytest.param([(0.5, Standing.ARCHIVED)], 0.0, id="archived"),
        pytest.param([(0.5, Standing.FORGOTTEN)], 0.0, id="forgotten"),
        pytest.param([(0.5, Standing.HOLDS), (0.5, Standing.FORGOTTEN)], 0.5, id="half is gone"),
        pytest.param([(0.9, Standing.HOLDS), (0.1, Standing.SUPERSEDED)], 0.9, id="a light piece is gone"),
        pytest.param(
            [(0.2, Standing.HOLDS), (0.2, Standing.CONFLICTING)], 0.75, id="one of two contradicted"
        ),
    ],
)
def test_support_is_the_share_of_the_weight_that_holds(
    pieces: list[tuple[float, Standing]], expected: float
) -> None:
    assert support(pieces) == pytest.approx(expected)


@given(PIECES)
def test_support_is_a_share(pieces: list[tuple[float, Standing]]) -> None:
    assert 0.0 <= support(pieces) <= 1.0


@given(PIECES, WEIGHTS)
def test_a_piece_that_falls_never_adds_support(pieces: list[tuple[float, Standing]], weight: float) -> None:
    standing_still = support([*pieces, (weight, Standing.HOLDS)])
    for how in Standing:
        assert support([*pieces, (weight, how)]) <= standing_still + 1e-9


def test_every_standing_has_its_share() -> None:
    assert set(SHARES) == set(Standing)
