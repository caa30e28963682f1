"""How the findings of several searches become one list: scores are fused, not ranks.

Rank fusion throws away how much better one hit is than the next; a convex sum of z-scores keeps it
(S. Bruch, S. Gai, A. Ingber, "An Analysis of Fusion Functions for Hybrid Retrieval", ACM TOIS 2023). What stands
around a hit, who said it and when is added as soft boosts, never as a filter: a question may be wrong about them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import exp, sqrt
from typing import TypeVar

T = TypeVar("T")

WORDS_WEIGHT = 0.4
MEANING_WEIGHT = 0.6
NEIGHBOUR_WEIGHT = 0.2  # of the score of what comes right before and right after
GROUP_WEIGHT = 0.3  # of the best score in the same session, or about the same subject
BREVITY_COST = 1.0  # of an item without any words; thanks and greetings answer nothing
PERSON_BOOST = 1.5  # for what a person said, not a machine
SPEAKER_BOOST = 1.5  # for what the one person said whom the question names
DATE_BOOST = 2.0  # for the very day that the question names
STANDING_BOOST = 0.75  # for what somebody asked for once and for all
RELATION_BOOST = 0.35  # for what stands next to an entity that the text names
TRUST_WEIGHT = 0.5  # per unit of effective confidence away from a half
TRUST_DEPTH = 100  # of the best are asked about
RECENCY_WEIGHT = 0.6
MEANING_FLOOR = 0.2  # cosine below which nearness says nothing
TELLING_LENGTH = 120  # characters from which an item is not short

_NOW_WORDS = frozenset("now current currently latest newest recent recently today still presently".split())


@dataclass(frozen=True, slots=True)
class Signals:
    """What the searches said about one memory, and what is known of its place.

    Attributes:
        words: −bm25, 0 where no word matched.
        meaning: cosine, 0 to 1; None where there is no search by meaning.
        relation: whether it stands next to an entity that the text names.
        recency: place in time among the candidates, 0 (oldest) to 1 (newest).
        group: the session it belongs to, or what it is about; None for one that stands alone.
        place: where in its group, if that has an order.
        length: characters; None where a short one says as much as a long one.
        by_person: whether a person said it, or it was drawn from what one said.
        by_named: whether the one person said it whom the text names.
        standing: whether it asks for something once and for all.
        near_date: how near it is to a day that the text names, 0 to 1.
    """

    words: float = 0.0
    meaning: float | None = None
    relation: bool = False
    recency: float = 0.0
    group: str | None = None
    place: int | None = None
    length: int | None = None
    by_person: bool = False
    by_named: bool = False
    standing: bool = False
    near_date: float = 0.0

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


def fuse(
    candidates: Mapping[str, Signals],
    *,
    asks_for_now: bool = False,
    asks_machine: bool = False,
    trust_of: Callable[[Sequence[str]], Mapping[str, float]] = lambda _ids: {},
) -> list[tuple[str, float]]:
    """Candidates with a score between 0 and 1, best first, ties by id.

    Args:
        candidates: what the searches said, by memory id.
        asks_for_now: whether newer is better for this question.
        asks_machine: whether it is about what the assistant said, so that what a person said has no advantage.
        trust_of: tells how far to trust memories, 0 to 1; asked for the best ones alone, as it may have to look far.
    """
    ids = list(candidates)
    signals = [candidates[memory_id] for memory_id in ids]
    scores = _in_context(signals, _found(signals))
    scored = {
        memory_id: score + _boosts(signal, asks_for_now, asks_machine)
        for memory_id, signal, score in zip(ids, signals, scores, strict=True)
    }
    best = sorted(scored, key=lambda memory_id: (-scored[memory_id], memory_id))[:TRUST_DEPTH]
    trusts = trust_of(best)
    for memory_id, trust in trusts.items():
        scored[memory_id] += TRUST_WEIGHT * (trust - 0.5)
    shown = ((memory_id, _between_0_and_1(score)) for memory_id, score in scored.items())
    return sorted(shown, key=lambda entry: (-entry[1], entry[0]))


def _found(signals: Sequence[Signals]) -> list[float]:
    """What words and meaning say."""
    words = standardise([signal.words for signal in signals])
    meaning = standardise([signal.meaning or 0.0 for signal in signals])
    return [WORDS_WEIGHT * w + MEANING_WEIGHT * m for w, m in zip(words, meaning, strict=True)]


def _in_context(signals: Sequence[Signals], scores: Sequence[float]) -> list[float]:
    """The scores with a share of what stands before and behind, and of the best in the group, standardised."""
    placed = {
        (s.group, s.place): score for s, score in zip(signals, scores, strict=True) if s.place is not None
    }
    smoothed = standardise(
        [
            score
            if signal.place is None
            else score
            + NEIGHBOUR_WEIGHT
            * (
                placed.get((signal.group, signal.place - 1), 0.0)
                + placed.get((signal.group, signal.place + 1), 0.0)
            )
            for signal, score in zip(signals, scores, strict=True)
        ]
    )
    groups: dict[str, float] = {}
    for signal, score in zip(signals, smoothed, strict=True):
        if signal.group is not None:
            groups[signal.group] = max(score, groups.get(signal.group, score))
    best = standardise(
        [
            score if signal.group is None else groups[signal.group]
            for signal, score in zip(signals, smoothed, strict=True)
        ]
    )
    return standardise([s + GROUP_WEIGHT * b for s, b in zip(smoothed, best, strict=True)])


def _boosts(signal: Signals, asks_for_now: bool, asks_machine: bool) -> float:
    missing = 0 if signal.length is None else max(0, TELLING_LENGTH - signal.length)
    return (
        (0.0 if asks_machine else PERSON_BOOST * signal.by_person)
        - BREVITY_COST * missing / TELLING_LENGTH
        + SPEAKER_BOOST * signal.by_named
        + STANDING_BOOST * signal.standing
        + DATE_BOOST * signal.near_date
        + RELATION_BOOST * signal.relation
        + (RECENCY_WEIGHT * signal.recency if asks_for_now else 0.0)
    )


def _between_0_and_1(score: float) -> float:
    return round(1 / (1 + exp(-score)), 6)


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

    A logistic regression on questions asked of the talk that they are about and of another one, fitted on one half
    of the talks and checked on the other (docs/benchmarks.md). It tells that nothing is known of a matter; that the
    matter is known and the one detail is not, it cannot tell.

    Args:
        best_meaning: the highest cosine found; None without search by meaning.
        coverage: share of the question's content words that the best hit holds, 0 to 1.
    """
    if best_meaning is None:
        score = 6.6 * coverage - 3.7
    else:
        score = 12.5 * best_meaning + 3.2 * coverage - 7.9
    return round(1 / (1 + exp(-score)), 4)
