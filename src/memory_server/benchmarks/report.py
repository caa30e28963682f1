"""A run in figures: per target and level, per kind of question, beside the official ones, and what it cost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from itertools import combinations
from statistics import fmean
from typing import Any

from memory_server.benchmarks.figures import (
    Row,
    Value,
    area,
    difference,
    mean,
    official_value_of,
    quantile,
    thresholds,
    value_of,
)
from memory_server.benchmarks.scoring import CUTOFFS, LEVELS, TARGETS

NAMES = ("hit", "any", "recall", "all", "ndcg")
OFFICIAL_NAMES = ("recall_any", "recall_all", "ndcg_any")
SHOWN = ("hit@1", "hit@5", "recall@1", "recall@5", "recall@10", "all@5", "all@10", "ndcg@10", "mrr")
OFFICIAL_SHOWN = tuple(f"{name}@{k}" for k in (5, 10) for name in OFFICIAL_NAMES)
COMPARED = ("hit@5", "recall@5", "recall@10", "all@10", "ndcg@10", "mrr")
MISLEADING = "adversarial"  # in no mean, but with figures of its own

Figures = dict[str, Any]


def report(rows: Sequence[Row]) -> Figures:
    """All figures of a run, ready for JSON; means are 0 to 1."""
    scored = [row for row in rows if row["apart"] is None]
    told = [row for row in rows if row["apart"] in (None, MISLEADING)]
    itself = [(row, row) for row in scored]
    return {
        "questions": _numbers(rows),
        "means": {level: _targets(scored, level, SHOWN) for level in LEVELS},
        "by_type": {
            kind: {
                level: _targets([row for row in told if row["type"] == kind], level, ("recall@10",))
                for level in LEVELS
            }
            for kind in sorted({row["type"] for row in told})
        },
        "official": {level: _official(scored, level) for level in LEVELS},
        "targets_compared": {
            level: {
                f"{first} and {second}": _differences(itself, level, first, second)
                for first, second in combinations(TARGETS, 2)
            }
            for level in LEVELS
        },
        "answerable": _answerable(rows),
        "cost": _cost(rows),
    }


def comparison(rows: Sequence[Row], others: Sequence[Row]) -> Figures:
    """Two runs on the questions that both have and cover, per level and target; the second less the first."""
    theirs = {row["id"]: row for row in others}
    pairs = [(row, theirs[row["id"]]) for row in rows if row["apart"] is None and row["id"] in theirs]
    return {
        "shared": len(pairs),
        "levels": {
            level: {target: _differences(pairs, level, target, target) for target in TARGETS}
            for level in LEVELS
        },
    }


def _numbers(rows: Sequence[Row]) -> Figures:
    scored = [row for row in rows if row["apart"] is None]
    return {
        "all": len(rows),
        "scored": len(scored),
        "apart": dict(Counter(row["apart"] for row in rows if row["apart"])),
        "with_a_turn_of_a_person": sum(bool(row["person_turns"]) for row in scored),
        "with_turns_of_an_assistant_alone": sum(
            bool(row["evidence"]["turns"]) and not row["person_turns"] for row in scored
        ),
        "without_a_labelled_turn": sum(not row["evidence"]["turns"] for row in scored),
    }


def _targets(rows: Sequence[Row], level: str, with_interval: Sequence[str]) -> Figures:
    metrics = [f"{name}@{k}" for name in NAMES for k in CUTOFFS] + ["mrr"]
    return {
        target: {
            metric: _mean(rows, value_of(level, target, metric), metric in with_interval)
            for metric in metrics
        }
        for target in TARGETS
    }


def _official(rows: Sequence[Row], level: str) -> Figures:
    metrics = [f"{name}@{k}" for name in OFFICIAL_NAMES for k in CUTOFFS]
    return {
        metric: _mean(rows, official_value_of(level, metric), metric in OFFICIAL_SHOWN) for metric in metrics
    }


def _mean(rows: Sequence[Row], value: Value, with_interval: bool) -> Figures:
    if with_interval:
        return asdict(mean(rows, value))
    found = [known for row in rows if (known := value(row)) is not None]
    return {"value": fmean(found) if found else None, "n": len(found), "of": len(rows)}


def _differences(pairs: Sequence[tuple[Row, Row]], level: str, first: str, second: str) -> Figures:
    return {
        metric: asdict(difference(pairs, value_of(level, first, metric), value_of(level, second, metric)))
        for metric in COMPARED
    }


def _answerable(rows: Sequence[Row]) -> Figures:
    """How well the store's own word tells questions that can be answered from those that cannot."""
    told = [row for row in rows if row["answerable"] is not None]
    positive = [row["answerable"] for row in told if row["apart"] is None]
    negative = [row["answerable"] for row in told if row["apart"] == "abstention"]
    return {
        "answerable_questions": len(positive),
        "abstention_questions": len(negative),
        "auc": area(positive, negative),
        "thresholds": thresholds(positive, negative) if negative else [],
    }


def _cost(rows: Sequence[Row]) -> Figures:
    return {
        "ms_p50": quantile([row["ms"] for row in rows], 0.5),
        "ms_p95": quantile([row["ms"] for row in rows], 0.95),
        "cpu_ms_p50": quantile([row["cpu_ms"] for row in rows], 0.5),
        "cpu_ms_p95": quantile([row["cpu_ms"] for row in rows], 0.95),
        "tokens_of_first_10": fmean(row["tokens"] for row in rows) if rows else None,
        "resident_mb": max((row["resident_mb"] for row in rows), default=None),
    }
