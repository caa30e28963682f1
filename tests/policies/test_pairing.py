"""Beliefs meet through the topics that they share, and never too many of them."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from memory_server.policies.pairing import NEIGHBOURS, WHOLE_GROUP, candidate_pairs

GROUPS = st.lists(st.lists(st.integers(0, 300), max_size=120), max_size=20)


def test_every_two_of_a_small_group_are_a_pair() -> None:
    assert candidate_pairs([[3, 1, 2]]) == ([(1, 2), (1, 3), (2, 3)], False)


def test_a_pair_that_shares_two_topics_comes_once() -> None:
    assert candidate_pairs([[1, 2], [2, 1, 3]]) == ([(1, 2), (1, 3), (2, 3)], False)


def test_rare_topics_come_first() -> None:
    pairs, left_out = candidate_pairs([[1, 2, 3, 4], [8, 9]], most=1)
    assert pairs == [(8, 9)]
    assert left_out


def test_of_a_very_common_topic_each_meets_some_and_it_is_told() -> None:
    group = list(range(WHOLE_GROUP + 1))
    pairs, left_out = candidate_pairs([group])
    assert left_out
    assert len(pairs) < len(group) * NEIGHBOURS
    assert {one for pair in pairs for one in pair} == set(group)


@given(GROUPS, st.integers(0, 500))
def test_pairs_are_in_order_different_and_bounded(groups: list[list[int]], most: int) -> None:
    pairs, _ = candidate_pairs(groups, most)
    assert len(pairs) == len(set(pairs)) <= most
    assert all(one < other for one, other in pairs)
    assert all(any(one in group and other in group for group in groups) for one, other in pairs)
