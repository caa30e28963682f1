"""How likely it is that what was found holds the answer."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_server.policies.answerable import answerable


@pytest.mark.parametrize(
    ("meaning", "coverage", "low", "high"),
    [
        (0.8, 1.0, 0.95, 1.0),
        (0.6, 0.5, 0.6, 0.9),
        (0.3, 0.3, 0.0, 0.1),
        (None, 1.0, 0.9, 1.0),
        (None, 0.2, 0.0, 0.2),
    ],
)
def test_answerable_is_high_where_something_near_holds_the_words(
    meaning: float | None, coverage: float, low: float, high: float
) -> None:
    assert low <= answerable(meaning, coverage) <= high


@given(st.floats(0, 1), st.floats(0, 1), st.floats(0, 1))
def test_answerable_grows_with_nearness_and_coverage(meaning: float, more: float, coverage: float) -> None:
    low, high = sorted((meaning, more))
    assert answerable(low, coverage) <= answerable(high, coverage)
    assert answerable(coverage, low) <= answerable(coverage, high)
