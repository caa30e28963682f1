"""How findings become one list."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import fields, replace
from math import exp

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_server.policies.ranking import (
    TRUST_DEPTH,
    Scored,
    Signals,
    Weights,
    asks_for_now,
    collapse,
    fuse,
    reasons,
    standardise,
)

PLAIN = Signals(words=1.0, meaning=0.5)


def order(candidates: dict[str, Signals], **asked: bool) -> list[str]:
    return [scored.memory_id for scored in fuse(candidates, **asked)]


def scores_of(ranked: Sequence[Scored]) -> dict[str, float]:
    return {scored.memory_id: scored.score for scored in ranked}


def test_standardised_values_have_mean_0_and_deviation_1() -> None:
    assert standardise([1.0, 3.0]) == [-1.0, 1.0]
    assert standardise([2.0, 2.0, 2.0]) == [0.0, 0.0, 0.0]
    assert standardise([]) == []


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        (Signals(words=9.0, meaning=0.5), Signals(words=1.0, meaning=0.5)),
        (Signals(words=1.0, meaning=0.9), Signals(words=1.0, meaning=0.3)),
        # how much better counts, not by how many places
        (Signals(words=2.0, meaning=0.9), Signals(words=2.5, meaning=0.3)),
        (replace(PLAIN, relation=True), PLAIN),
        (replace(PLAIN, by_person=True), PLAIN),
        (replace(PLAIN, by_named=True), PLAIN),
        (replace(PLAIN, standing=True), PLAIN),
        (replace(PLAIN, near_date=1.0), replace(PLAIN, near_date=0.4)),
        (replace(PLAIN, length=200), replace(PLAIN, length=10)),
        (replace(PLAIN, length=None), replace(PLAIN, length=10)),
    ],
    ids="words meaning scores relation person speaker standing date length kind".split(),
)
def test_what_speaks_for_a_memory_moves_it_up(better: Signals, worse: Signals) -> None:
    others = {f"c{number}": Signals(words=number / 3, meaning=number / 10) for number in range(6)}
    for first, second in (("a", "b"), ("b", "a")):
        ranked = order({first: better, second: worse, **others})
        assert ranked.index(first) < ranked.index(second)


def test_beyond_a_certain_length_length_counts_no_more() -> None:
    scores = scores_of(fuse({"a": replace(PLAIN, length=300), "b": replace(PLAIN, length=5000)}))
    assert scores["a"] == scores["b"]


def test_newer_is_better_only_where_the_question_is_about_now() -> None:
    candidates = {"old": replace(PLAIN, recency=0.0), "new": replace(PLAIN, recency=1.0)}
    assert order(candidates, asks_for_now=True) == ["new", "old"]
    scores = scores_of(fuse(candidates))
    assert scores["old"] == scores["new"]


def test_a_person_has_no_advantage_where_the_assistant_is_asked_what_it_said() -> None:
    candidates = {
        "machine": Signals(words=2.0, meaning=0.6),
        "person": Signals(words=1.5, meaning=0.55, by_person=True),
        "other": Signals(words=0.1, meaning=0.1),
    }
    assert order(candidates)[0] == "person"
    assert order(candidates, asks_machine=True)[0] == "machine"


def test_the_answer_to_a_turn_that_fits_is_lifted_by_it() -> None:
    weak = Signals(words=0.5, meaning=0.2)
    talk = {
        "question": Signals(words=6.0, meaning=0.8, group="monday", place=4),
        "answer": replace(weak, group="monday", place=5),
        "far": replace(weak, group="monday", place=9),
        "elsewhere": replace(weak, group="tuesday", place=5),
    }
    assert order(talk) == ["question", "answer", "far", "elsewhere"]


def test_what_was_named_by_the_question_does_not_shut_out_a_far_better_hit() -> None:
    candidates = {
        "right": Signals(words=9.0, meaning=0.9),
        "named": Signals(words=0.1, meaning=0.05, by_named=True, near_date=0.5),
        **{f"c{number}": Signals(words=0.2, meaning=0.1) for number in range(20)},
    }
    assert order(candidates)[0] == "right"


def test_what_is_trusted_more_comes_first_among_equals_and_only_the_best_are_looked_into() -> None:
    asked: list[str] = []

    def trust_of(ids: Sequence[str]) -> dict[str, float]:
        asked.extend(ids)
        return {memory_id: 0.9 if memory_id == "c" else 0.4 for memory_id in ids}

    many = {f"x{number:03}": Signals(words=0.1, meaning=0.01) for number in range(2 * TRUST_DEPTH)}
    ranked = fuse({"a": PLAIN, "b": PLAIN, "c": PLAIN, **many}, trust_of=trust_of)
    assert [scored.memory_id for scored in ranked[:3]] == ["c", "a", "b"]
    assert len(asked) == TRUST_DEPTH


def test_ties_are_broken_by_id() -> None:
    assert order({"b": PLAIN, "a": PLAIN, "c": PLAIN}) == ["a", "b", "c"]


finite = st.floats(0, 50)
signals = st.builds(
    Signals,
    words=finite,
    meaning=st.none() | st.floats(0, 1),
    relation=st.booleans(),
    recency=st.floats(0, 1),
    group=st.none() | st.sampled_from("xyz"),
    place=st.none() | st.integers(0, 5),
    length=st.none() | st.integers(0, 1000),
    by_person=st.booleans(),
    by_named=st.booleans(),
    standing=st.booleans(),
    near_date=st.floats(0, 1),
)


@given(st.dictionaries(st.text("abcdef", min_size=1, max_size=3), signals, max_size=12), st.booleans())
def test_every_candidate_is_ranked_once_with_a_score_between_0_and_1(
    candidates: dict[str, Signals], now: bool
) -> None:
    ranked = fuse(candidates, asks_for_now=now)
    assert sorted(scored.memory_id for scored in ranked) == sorted(candidates)
    scores = [scored.score for scored in ranked]
    for scored in ranked:  # the parts say how the score came to be
        assert scored.score == pytest.approx(1 / (1 + exp(-sum(scored.parts.values()))), abs=1e-6)
    assert scores == sorted(scores, reverse=True)
    assert all(0.0 <= score <= 1.0 for score in scores)


@pytest.mark.parametrize(
    ("text", "now"),
    [
        ("what is the current address?", True),
        ("where does she live now?", True),
        ("which version was it in spring", False),
        ("do you know", False),
    ],
)
def test_questions_about_the_present_are_known_by_their_words(text: str, now: bool) -> None:
    assert asks_for_now(text) is now


@pytest.mark.parametrize(
    ("items", "limit", "kept"),
    [
        ([1, 1, 2, 3], 3, [1, 2, 3]),
        ([1, 1, 1], 3, [1]),
        ([3, 2, 1], 2, [3, 2]),
        ([], 2, []),
    ],
)
def test_the_same_twice_is_left_out_and_the_list_refilled(
    items: list[int], limit: int, kept: list[int]
) -> None:
    same: Callable[[int, int], bool] = lambda a, b: a == b  # noqa: E731
    assert collapse(items, limit, same) == kept


@pytest.mark.parametrize(
    ("signal", "given"),
    [
        ("words", {"words": 5.0}),
        ("meaning", {"meaning": 0.9}),
        ("relation", {"relation": True}),
        ("speaker", {"by_named": True}),
        ("date", {"near_date": 0.9}),
        ("standing", {"standing": True}),
        ("scope", {"own_scope": True}),
    ],
)
def test_a_signal_that_speaks_for_a_memory_is_named_and_has_no_say_at_weight_0(
    signal: str, given: dict[str, float]
) -> None:
    bare = Signals(words=0.0, meaning=0.1)
    candidates = {"it": replace(bare, **given), **{f"c{number}": bare for number in range(4)}}  # type: ignore[arg-type]
    first = fuse(candidates)[0]
    assert first.memory_id == "it"
    assert signal in reasons(candidates["it"], first.parts)
    without = fuse(candidates, weights=replace(Weights(), **{signal: 0.0}))  # type: ignore[arg-type]
    assert len({scored.score for scored in without}) == 1


def test_every_weight_has_a_part_of_its_name_or_is_left_out_where_it_adds_nothing() -> None:
    everything = Signals(5.0, 0.9, True, 1.0, "g", 1, 10, True, True, True, 1.0, True)
    ranked = fuse(
        {"it": everything, "other": replace(everything, words=1.0, place=2)},
        asks_for_now=True,
        trust_of=lambda ids: dict.fromkeys(ids, 0.9),
    )
    assert set(ranked[0].parts) == {field.name for field in fields(Weights)}
