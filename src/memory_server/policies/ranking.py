"""How the findings of several searches become one list: scores are fused, not ranks.

Rank fusion throws away how much better one hit is than the next; a convex sum of z-scores keeps it
(S. Bruch, S. Gai, A. Ingber, "An Analysis of Fusion Functions for Hybrid Retrieval", ACM TOIS 2023).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import exp, sqrt
from typing import TypeVar

T = TypeVar("T")

WORDS_WEIGHT = 0.4
MEANING_WEIGHT = 0.6
RELATION_BOOST = 0.35  # for what stands next to an entity that the text names
TRUST_WEIGHT = 0.5  # per unit of effective confidence away from a half
RECENCY_WEIGHT = 0.6
MEANING_FLOOR = 0.2  # cosine below which nearness says nothing

_NOW_WORDS = frozenset("now current currently latest newest recent recently today still presently".split())


@dataclass(frozen=True, slots=True)
class Signals:
    """What the searches said about one memory.

    Attributes:
        words: −bm25, 0 where no word matched.
        meaning: cosine, 0 to 1; None where there is no search by meaning.
        relation: whether it stands next to an entity that the text names.
        trust: effective confidence, 0 to 1.
        recency: place in time among the candidates, 0 (oldest) to 1 (newest).
    """

    words: float = 0.0
    meaning: float | None = None
    relation: bool = False
    trust: float = 0.5
    recency: float = 0.0

    def names(self) -> tuple[str, ...]:
        """The signals that speak for it."""
        found = []
        if self.words > 0:
            found.append("words")
        if self.meaning is not None and self.meaning >= MEANING_FLOOR:
            found.append("meaning")
        if self.relation:
            found.append("relation")
        return tuple(found)


def standardise(values: Sequence[float]) -> list[float]:
    """z-scores: distance from the mean in standard deviations; zeros where all values are the same."""
    if not values:
        return []
    mean = sum(values) / len(values)
    deviation = sqrt(sum((value - mean) ** 2 for value in values) / len(values))
    if deviation < 1e-12:
        return [0.0] * len(values)
    return [(value - mean) / deviation for value in values]


def fuse(candidates: Mapping[str, Signals], *, asks_for_now: bool = False) -> list[tuple[str, float]]:
    """Candidates with a score between 0 and 1, best first, ties by id.

    Args:
        candidates: what the searches said, by memory id.
        asks_for_now: whether newer is better for this question.
    """
    ids = list(candidates)
    signals = [candidates[memory_id] for memory_id in ids]
    words = standardise([signal.words for signal in signals])
    meaning = standardise([signal.meaning or 0.0 for signal in signals])
    scored = []
    for memory_id, signal, word_score, meaning_score in zip(ids, signals, words, meaning, strict=True):
        score = WORDS_WEIGHT * word_score + MEANING_WEIGHT * meaning_score
        score += RELATION_BOOST * signal.relation + TRUST_WEIGHT * (signal.trust - 0.5)
        if asks_for_now:
            score += RECENCY_WEIGHT * signal.recency
        scored.append((memory_id, round(1 / (1 + exp(-score)), 6)))
    return sorted(scored, key=lambda entry: (-entry[1], entry[0]))


def asks_for_now(text: str) -> bool:
    """Whether a question is about how things are at present."""
    return not _NOW_WORDS.isdisjoint(text.casefold().replace("?", " ").split())


def collapse(ranked: Iterable[T], limit: int, same: Callable[[T, T], bool]) -> list[T]:
    """The first `limit` items of which no two are the same; the list is filled up from what follows."""
    kept: list[T] = []
    for item in ranked:
        if len(kept) == limit:
            break
        if not any(same(item, other) for other in kept):
            kept.append(item)
    return kept


def answerable(best_meaning: float | None, coverage: float) -> float:
    """How likely it is that what was found holds the answer, 0 to 1.

    Args:
        best_meaning: the highest cosine found; None without search by meaning.
        coverage: share of the question's content words that the best hit holds, 0 to 1.
    """
    nearness = 0.5 if best_meaning is None else best_meaning
    return round(1 / (1 + exp(-(7.0 * nearness + 2.5 * coverage - 4.0))), 4)
