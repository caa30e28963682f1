"""How the findings of several searches become one list: scores are fused, not ranks.

Rank fusion throws away how much better one hit is than the next; a convex sum of z-scores keeps it
(S. Bruch, S. Gai, A. Ingber, "An Analysis of Fusion Functions for Hybrid Retrieval", ACM TOIS 2023). What stands
around a hit, who said it and when is added as soft boosts, never as a filter: a question may be wrong about them.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import exp, log1p, sqrt
from typing import TypeVar

T = TypeVar("T")

TRUST_DEPTH = 100  # of the best are asked about
MEANING_FLOOR = 0.1  # cosine below which nearness says nothing; most pairs of unrelated sentences are below
TELLING_LENGTH = 120  # characters from which an item is not short
# deviations of cosines, of nearness by tokens and of fused scores, below which candidates hardly differ
LEAST_MEANING, LEAST_LATE, LEAST_TOTAL = 0.05, 0.04, 0.3
LENGTH_SLOPE = 0.05  # by which nearness by tokens grows with the logarithm of their number
LENGTH_PRIOR = 2.0  # how much spread of lengths weighs as much as that
TELLING_WORTH = 0.1  # from which a signal is named as a reason

_CONTEXT = ("neighbours", "group", "speaker", "date", "standing", "recency", "scope", "contradiction")
_NOW_WORDS = frozenset("now current currently latest newest recent recently today still presently".split())


@dataclass(frozen=True, slots=True)
class Weights:
    """What each signal is worth, in standard deviations of the scores that it is added to.

    Attributes:
        words: of the full-text score.
        meaning: of nearness in meaning.
        late: the share of it that single tokens have, 0 to 1; the rest is the cosine's.
        neighbours: of the score of what comes right before and right after.
        group: of the best score in the same session, or about the same subject.
        brevity: taken from an item without any words; thanks and greetings answer nothing.
        person: for what a person said, not a machine.
        speaker: for what the one person said whom the question names.
        date: for the very day that the question names.
        standing: for what somebody asked for once and for all.
        relation: for what stands next to an entity that the text names.
        scope: for what belongs to the reader's own scope and not to everybody's.
        trust: per unit of effective confidence away from a half.
        recency: for the newest, where the question asks for now.
    """

    words: float = 0.4
    meaning: float = 0.6
    late: float = 0.7
    neighbours: float = 0.2
    group: float = 0.3
    brevity: float = 1.0
    person: float = 1.5
    speaker: float = 1.5
    date: float = 2.0
    standing: float = 0.75
    relation: float = 0.35
    scope: float = 0.5
    trust: float = 0.5
    recency: float = 0.6


DEFAULT_WEIGHTS = Weights()
"""One setting for every kind of memory; how it was chosen: docs/adr/0010-one-ranking.md."""


@dataclass(frozen=True, slots=True)
class Scored:
    """A place in the ranking.

    Attributes:
        score: between 0 and 1; larger is better.
        parts: what each signal added, by the names of `Weights`; their sum is the logit of the score.
    """

    memory_id: str
    score: float
    parts: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Signals:
    """What the searches said about one memory, and what is known of its place.

    Attributes:
        words: −bm25, 0 where no word matched.
        meaning: cosine, 0 to 1; None where there is no search by meaning.
        late: how near it is by single tokens, -1 to 1; None where they are not known.
        n_tokens: of how many tokens that is.
        relation: whether it stands next to an entity that the text names.
        recency: place in time among the candidates, 0 (oldest) to 1 (newest).
        group: the session it belongs to, or what it is about; None for one that stands alone.
        place: where in its group, if that has an order.
        length: characters; None where a short one says as much as a long one.
        by_person: whether a person said it, or it was drawn from what one said.
        by_named: whether the one person said it whom the text names.
        standing: whether it asks for something once and for all.
        near_date: how near it is to a day that the text names, 0 to 1.
        own_scope: whether it belongs to the reader's own scope.
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
    own_scope: bool = False
    late: float | None = None
    n_tokens: int = 0

    def bears_on_it(self) -> bool:
        """Whether anything that was looked for was found in it."""
        near = self.meaning is not None and self.meaning >= MEANING_FLOOR
        return near or self.words > 0 or self.relation


def standardise(values: Sequence[float], least: float = 1e-12) -> list[float]:
    """z-scores: distance from the mean in standard deviations; zeros where all values are the same.

    Args:
        least: the deviation that is taken where it is smaller, so that differences without meaning stay small.
    """
    if not values:
        return []
    mean = sum(values) / len(values)
    deviation = sqrt(sum((value - mean) ** 2 for value in values) / len(values))
    if deviation < 1e-12:
        return [0.0] * len(values)
    return [(value - mean) / max(deviation, least) for value in values]


def fuse(
    candidates: Mapping[str, Signals],
    *,
    asks_for_now: bool = False,
    asks_machine: bool = False,
    trust_of: Callable[[Sequence[str]], Mapping[str, float]] = lambda _ids: {},
    weights: Weights = DEFAULT_WEIGHTS,
) -> list[Scored]:
    """Candidates with a score between 0 and 1 and its parts, best first, ties by id.

    Args:
        candidates: what the searches said, by memory id.
        asks_for_now: whether newer is better for this question.
        asks_machine: whether it is about what the assistant said, so that what a person said has no advantage.
        trust_of: tells how far to trust memories, 0 to 1; asked for the best ones alone, as it may have to look far.
    """
    ids = list(candidates)
    signals = [candidates[memory_id] for memory_id in ids]
    found = _in_context(signals, _found(signals, weights), weights)
    parts = {
        memory_id: {name: values[at] for name, values in found.items()}
        | _boosts(signal, asks_for_now, asks_machine, weights)
        for at, (memory_id, signal) in enumerate(zip(ids, signals, strict=True))
    }
    scored = {memory_id: sum(worths.values()) for memory_id, worths in parts.items()}
    best = sorted(scored, key=lambda memory_id: (-scored[memory_id], memory_id))[:TRUST_DEPTH]
    for memory_id, trust in trust_of(best).items():
        parts[memory_id]["trust"] = weights.trust * (trust - 0.5)
        scored[memory_id] += parts[memory_id]["trust"]
    ranked = [
        Scored(memory_id, _between_0_and_1(score), parts[memory_id]) for memory_id, score in scored.items()
    ]
    return sorted(ranked, key=lambda entry: (-entry.score, entry.memory_id))


Parts = dict[str, list[float]]  # what each signal adds to each candidate


def _found(signals: Sequence[Signals], weights: Weights) -> Parts:
    """What words and meaning say."""
    words = standardise([signal.words for signal in signals])
    meaning = standardise([signal.meaning or 0.0 for signal in signals], LEAST_MEANING)
    late = _late(signals)
    shares = [0.0 if near is None else weights.late for near in late]
    return {
        "words": [weights.words * w for w in words],
        "meaning": [weights.meaning * (1 - s) * m for m, s in zip(meaning, shares, strict=True)],
        "late": [weights.meaning * s * (near or 0.0) for near, s in zip(late, shares, strict=True)],
    }


def _late(signals: Sequence[Signals]) -> list[float | None]:
    """z-scores of nearness by tokens beyond what a text of that length has by chance.

    The more tokens a text has, the better is the best match of each word of a question, whatever it is about: what
    the logarithm of its length explains is taken out by a line of least squares over the candidates, held towards the
    usual slope where these are few (ridge regression; A. Hoerl, R. Kennard, Technometrics 1970).
    """
    known = [(log1p(s.n_tokens), s.late) for s in signals if s.late is not None]
    if not known:
        return [None] * len(signals)
    mean_length = sum(length for length, _ in known) / len(known)
    mean_late = sum(late for _, late in known) / len(known)
    spread = sum((length - mean_length) ** 2 for length, _ in known)
    common = sum((length - mean_length) * (late - mean_late) for length, late in known)
    slope = (common + LENGTH_PRIOR * LENGTH_SLOPE) / (spread + LENGTH_PRIOR)
    beyond = iter(standardise([late - slope * length for length, late in known], LEAST_LATE))
    return [None if signal.late is None else next(beyond) for signal in signals]


def _in_context(signals: Sequence[Signals], parts: Parts, weights: Weights) -> Parts:
    """The parts with a share of what stands before and behind, and of the best in the group, standardised."""
    scores = _totals(parts)
    placed = {
        (s.group, s.place): score for s, score in zip(signals, scores, strict=True) if s.place is not None
    }
    around = [
        0.0
        if signal.place is None
        else weights.neighbours
        * (
            placed.get((signal.group, signal.place - 1), 0.0)
            + placed.get((signal.group, signal.place + 1), 0.0)
        )
        for signal in signals
    ]
    parts = _standardised({**parts, "neighbours": around})
    smoothed = _totals(parts)
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
    return _standardised({**parts, "group": [weights.group * b for b in best]})


def _totals(parts: Parts) -> list[float]:
    return [sum(worths) for worths in zip(*parts.values(), strict=True)]


def _standardised(parts: Parts) -> Parts:
    """The parts scaled and shifted, each for itself, so that their sums are z-scores."""
    totals = _totals(parts)
    if not totals:
        return parts
    mean = sum(totals) / len(totals)
    deviation = sqrt(sum((total - mean) ** 2 for total in totals) / len(totals))
    if deviation < 1e-12:
        return {name: [0.0] * len(totals) for name in parts}
    means = {name: sum(values) / len(values) for name, values in parts.items()}
    deviation = max(deviation, LEAST_TOTAL)
    return {name: [(value - means[name]) / deviation for value in values] for name, values in parts.items()}


def _boosts(signal: Signals, asks_for_now: bool, asks_machine: bool, weights: Weights) -> dict[str, float]:
    missing = 0 if signal.length is None else max(0, TELLING_LENGTH - signal.length)
    worths = {
        "person": 0.0 if asks_machine else weights.person * signal.by_person,
        "brevity": -weights.brevity * missing / TELLING_LENGTH,
        "speaker": weights.speaker * signal.by_named,
        "standing": weights.standing * signal.standing,
        "date": weights.date * signal.near_date,
        "relation": weights.relation * signal.relation,
        "scope": weights.scope * signal.own_scope,
        "recency": weights.recency * signal.recency if asks_for_now else 0.0,
    }
    return {name: worth for name, worth in worths.items() if worth}


def _between_0_and_1(score: float) -> float:
    return round(1 / (1 + exp(-score)), 6)


def reasons(signals: Signals, parts: Mapping[str, float]) -> list[str]:
    """The signals that speak for a candidate, the one that adds most first.

    Whoever it is that speaks, how long and how trusted it is are no reasons: they say nothing about the question.
    """
    found = {
        "words": signals.words > 0,
        "meaning": signals.meaning is not None and signals.meaning >= MEANING_FLOOR,
        "relation": signals.relation,
        **{name: parts.get(name, 0.0) >= TELLING_WORTH for name in _CONTEXT},
    }
    return sorted((name for name, speaks in found.items() if speaks), key=lambda name: -parts.get(name, 0.0))


def asks_for_now(text: str) -> bool:
    """Whether a question is about how things are at present."""
    return not _NOW_WORDS.isdisjoint(text.casefold().replace("?", " ").split())


def collapse(
    ranked: Iterable[T],
    limit: int,
    same: Callable[[T, T], bool],
    key: Callable[[T], Hashable] = lambda _item: None,
) -> list[T]:
    """The first `limit` items of which no two are the same; the list is filled up from what follows.

    Args:
        key: what two items must have in common to be the same, so that not every pair is looked at.
    """
    kept: list[T] = []
    by_key: dict[Hashable, list[T]] = {}
    for item in ranked:
        if len(kept) == limit:
            break
        others = by_key.setdefault(key(item), [])
        if not any(same(item, other) for other in others):
            others.append(item)
            kept.append(item)
    return kept
