"""Means over the questions that count, differences over the questions that both have."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_server.benchmarks.figures import (
    Difference,
    Mean,
    area,
    difference,
    interval,
    mean,
    quantile,
    thresholds,
    value_of,
)
from memory_server.benchmarks.report import comparison, report


def row(name: str, group: str, recall: float, covers: bool = True, **more: Any) -> dict[str, Any]:
    """A scored question; canonical is worth half and covered only where said."""
    values = {"raw": recall, "source": recall, "canonical": recall / 2}
    metrics = {
        target: {
            f"{metric}@{k}": value
            for metric in ("hit", "any", "recall", "all", "ndcg")
            for k in (1, 3, 5, 10)
        }
        | {"mrr": value}
        for target, value in values.items()
    }
    return {
        "id": name,
        "group": group,
        "type": "plain",
        "apart": None,
        "person_turns": ["t"],
        "evidence": {"turns": ["t"], "sessions": []},
        "scores": {"turn": metrics, "session": None},
        "covered": {
            "turn": {"raw": True, "source": True, "canonical": covers},
            "session": dict.fromkeys(("raw", "source", "canonical"), False),
        },
        "official": {"turn": {"recall_any@5": recall}},
        "answerable": 0.8,
        "ms": 10.0,
        "cpu_ms": 5.0,
        "tokens": 100,
        "resident_mb": 90.0,
        **more,
    }


ROWS = [row("1", "a", 1.0), row("2", "a", 0.5), row("3", "b", 0.0, covers=False)]


@pytest.mark.parametrize(
    ("level", "target", "value", "n"),
    [
        ("turn", "source", 0.5, 3),
        ("turn", "canonical", 0.375, 2),  # the third question has nothing that could be found
        ("session", "source", None, 0),
    ],
)
def test_a_mean_is_taken_over_covered_questions(level: str, target: str, value: float | None, n: int) -> None:
    found = mean(ROWS, value_of(level, target, "recall@5"))
    assert (found.value, found.n, found.of) == (value, n, 3)


def test_two_targets_are_compared_on_what_both_cover() -> None:
    pairs = [(one, one) for one in ROWS]
    found = difference(pairs, value_of("turn", "source", "mrr"), value_of("turn", "canonical", "mrr"))
    assert (found.first, found.second, found.n) == (0.75, 0.375, 2)
    assert found.low is not None
    assert found.high is not None
    assert found.low <= -0.375 <= found.high


def test_nothing_to_compare_is_told_as_nothing() -> None:
    value = value_of("session", "raw", "mrr")
    assert difference([], value, value) == Difference(None, None, None, None, 0)
    assert mean([], value) == Mean(None, None, None, 0, 0)


def test_two_runs_are_compared_on_the_questions_that_both_have() -> None:
    other = [row("1", "a", 0.0), row("9", "a", 1.0)]
    found = comparison(ROWS, other)
    assert found["shared"] == 1
    assert found["levels"]["turn"]["source"]["recall@5"]["second"] == 0.0
    assert found["levels"]["turn"]["source"]["recall@5"]["n"] == 1


def test_abstention_questions_are_in_no_mean() -> None:
    rows = [*ROWS, row("4", "c", 1.0, apart="abstention", answerable=0.1)]
    found = report(rows)
    assert found["means"]["turn"]["source"]["recall@5"]["of"] == 3
    assert found["by_type"]["plain"]["turn"]["source"]["recall@5"]["of"] == 3
    assert found["questions"]["apart"] == {"abstention": 1}
    assert found["answerable"]["auc"] == 1.0
    half = next(line for line in found["answerable"]["thresholds"] if line["threshold"] == 0.5)
    assert half == {"threshold": 0.5, "answered": 1.0, "refused": 1.0}


def test_misleading_questions_have_figures_of_their_own() -> None:
    rows = [*ROWS, row("4", "c", 1.0, apart="adversarial", type="adversarial")]
    found = report(rows)
    assert found["means"]["turn"]["source"]["recall@5"]["of"] == 3
    assert found["by_type"]["adversarial"]["turn"]["source"]["recall@5"]["value"] == 1.0


@pytest.mark.parametrize(
    ("positive", "negative", "expected"),
    [
        ([0.9, 0.8], [0.1], 1.0),
        ([0.1], [0.9], 0.0),
        ([0.5], [0.5], 0.5),
        ([0.9, 0.2], [0.5], 0.5),
        ([0.9], [], None),
    ],
)
def test_the_area_is_how_often_a_positive_one_is_above(
    positive: list[float], negative: list[float], expected: float | None
) -> None:
    assert area(positive, negative) == expected


def test_thresholds_trade_answers_against_refusals() -> None:
    rows = thresholds([0.35, 0.95], [0.15, 0.55])
    assert [(line["threshold"], line["answered"], line["refused"]) for line in rows][:4] == [
        (0.1, 1.0, 0.0),
        (0.2, 1.0, 0.5),
        (0.3, 1.0, 0.5),
        (0.4, 0.5, 0.5),
    ]


@pytest.mark.parametrize(
    ("values", "share", "expected"),
    [([], 0.5, None), ([3.0, 1.0, 2.0], 0.5, 2.0), ([3.0, 1.0, 2.0], 0.95, 3.0)],
)
def test_quantiles(values: list[float], share: float, expected: float | None) -> None:
    assert quantile(values, share) == expected


@given(
    st.dictionaries(
        st.text(max_size=3), st.lists(st.floats(0, 1), min_size=1, max_size=4), min_size=1, max_size=4
    )
)
def test_an_interval_lies_among_the_values_and_is_the_same_each_time(groups: dict[str, list[float]]) -> None:
    low, high = interval(groups)
    values = [value for group in groups.values() for value in group]
    assert min(values) - 1e-9 <= low <= high <= max(values) + 1e-9
    assert interval(groups) == (low, high)
