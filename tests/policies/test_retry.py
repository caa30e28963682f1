from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_server.policies.retry import LONGEST_PAUSE_S, MAX_ATTEMPTS, next_attempt


@pytest.mark.parametrize(
    ("attempts", "pause"),
    [(0, 0.5), (1, 0.5), (2, 1.0), (3, 2.0), (4, 4.0), (5, 8.0), (6, 16.0), (7, 32.0)],
)
def test_pauses_double(attempts: int, pause: float) -> None:
    assert next_attempt(attempts, 1000.0) == 1000.0 + pause


def test_there_is_no_try_after_the_last() -> None:
    assert MAX_ATTEMPTS == 8
    assert next_attempt(8, 1000.0) is None
    assert next_attempt(9, 1000.0) is None


@given(st.integers(0, 7), st.floats(0, 1e9))
def test_a_pause_is_never_longer_than_the_cap(attempts: int, now: float) -> None:
    following = next_attempt(attempts, now)
    assert following is not None
    assert now < following <= now + LONGEST_PAUSE_S + 1e-6
