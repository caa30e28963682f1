"""What many scored questions say together: means with intervals, differences, and how well a score separates."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

Row = Mapping[str, Any]
Value = Callable[[Row], float | None]

RESAMPLES = 1_000
INTERVAL = (0.025, 0.975)
SEED = 0
THRESHOLDS = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean over `n` of `of` questions, with a 95 % interval; all None where there is none."""

    value: float | None
    low: float | None
    high: float | None
    n: int
    of: int


@dataclass(frozen=True, slots=True)
class Difference:
    """Two means over the `n` questions that both have, and second less first with a 95 % interval."""

    first: float | None
    second: float | None
    low: float | None
    high: float | None
    n: int


def value_of(level: str, target: str, metric: str) -> Value:
    """A metric of a question; None where the question does not enter the target's mean."""

    def value(row: Row) -> float | None:
        scores = row["scores"][level]
        if scores is None or not row["covered"][level][target]:
            return None
        found: float | None = scores[target].get(metric)
        return found

    return value


def official_value_of(level: str, metric: str) -> Value:
    """An official metric of a question; None where it is skipped."""

    def value(row: Row) -> float | None:
        found: float | None = ((row["official"] or {}).get(level) or {}).get(metric)
        return found

    return value


def mean(rows: Iterable[Row], value: Value) -> Mean:
    """The mean of a value over the questions that have it."""
    groups: dict[str, list[float]] = {}
    total = 0
    for row in rows:
        total += 1
        found = value(row)
        if found is not None:
            groups.setdefault(row["group"], []).append(found)
    number = sum(map(len, groups.values()))
    if not number:
        return Mean(None, None, None, 0, total)
    low, high = interval(groups)
    return Mean(fmean(found for group in groups.values() for found in group), low, high, number, total)


def difference(pairs: Iterable[tuple[Row, Row]], first: Value, second: Value) -> Difference:
    """Two values compared on the questions that have both; paired, so that hard questions weigh on both alike.

    Args:
        pairs: the same question twice, from two runs or the same one.
    """
    groups: dict[str, list[float]] = {}
    ones, others = [], []
    for row, other in pairs:
        a, b = first(row), second(other)
        if a is not None and b is not None:
            ones.append(a)
            others.append(b)
            groups.setdefault(row["group"], []).append(b - a)
    if not ones:
        return Difference(None, None, None, None, 0)
    return Difference(fmean(ones), fmean(others), *interval(groups), len(ones))


def interval(groups: Mapping[str, Sequence[float]]) -> tuple[float, float]:
    """The 95 % bootstrap interval of the mean: whole groups are drawn, and questions within each."""
    chance = random.Random(SEED)
    drawn = list(groups.values())
    means = []
    for _ in range(RESAMPLES):
        values: list[float] = []
        for group in chance.choices(drawn, k=len(drawn)):
            values.extend(chance.choices(group, k=len(group)))
        means.append(fmean(values))
    means.sort()
    return means[int(INTERVAL[0] * RESAMPLES)], means[int(INTERVAL[1] * RESAMPLES)]


def area(positive: Sequence[float], negative: Sequence[float]) -> float | None:
    """The area under the ROC curve: how often a positive one scores above a negative one, ties counting half."""
    if not positive or not negative:
        return None
    won = sum((a > b) + (a == b) / 2 for a in positive for b in negative)
    return won / (len(positive) * len(negative))


def thresholds(positive: Sequence[float], negative: Sequence[float]) -> list[dict[str, float | None]]:
    """For each threshold the share of answerable questions that are answered, and of others that are refused."""

    def share(scores: Sequence[float], at_least: float) -> float | None:
        return fmean(score >= at_least for score in scores) if scores else None

    rows: list[dict[str, float | None]] = []
    for threshold in THRESHOLDS:
        wrong = share(negative, threshold)
        refused = None if wrong is None else 1 - wrong
        rows.append({"threshold": threshold, "answered": share(positive, threshold), "refused": refused})
    return rows


def quantile(values: Sequence[float], share: float) -> float | None:
    """The value below which a share of all lies."""
    if not values:
        return None
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]
