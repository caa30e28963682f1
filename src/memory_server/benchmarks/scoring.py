"""Scores a ranked list against labelled evidence: by what items come from, not by what they are."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import log2

TARGETS = ("raw", "source", "canonical")
LEVELS = ("turn", "session")
CUTOFFS = (1, 3, 5, 10, 30, 50)
RAW = "episode"  # the one kind of memory that is raw text


@dataclass(frozen=True, slots=True)
class Item:
    """One retrieved memory with its anchors.

    Attributes:
        kind: the type of memory.
        turns: the turns that it comes from; of a derived item those of all its parents.
        sessions: the sessions of these turns, and those of which the turn is not known.
        parents: ids of the memories that a derived item was drawn from.
        score: as the retriever gave it.
        said_at: when the first of its turns was said, RFC 3339.
        serves: whether it is current, not replaced, archived or put away.
    """

    id: str
    kind: str
    turns: tuple[str, ...] = ()
    sessions: tuple[str, ...] = ()
    parents: tuple[str, ...] = ()
    score: float = 1.0
    said_at: str | None = None
    valid_from: str | None = None
    valid_to: str | None = None
    serves: bool = True

    @property
    def is_derived(self) -> bool:
        return self.kind != RAW

    def anchors(self, level: str) -> tuple[str, ...]:
        return self.turns if level == "turn" else self.sessions


@dataclass(frozen=True, slots=True)
class Asked:
    """The time that a question is about: from `first` to `last`, RFC 3339; None where it is not known."""

    first: str | None = None
    last: str | None = None


def counts(item: Item, target: str, asked: Asked) -> bool:
    """Whether an item can earn something for a target: raw text, everything, or what was derived and holds."""
    if target == "source":
        return True
    if target == "raw":
        return not item.is_derived
    if not item.is_derived or not item.serves:
        return False
    begun = item.valid_from is None or asked.last is None or item.valid_from <= asked.last
    over = item.valid_to is not None and (asked.first is None or item.valid_to <= asked.first)
    return begun and not over


def results(items: Iterable[Item]) -> list[Item]:
    """What counts as a list of results: each item once, none of score zero, equal scores in the order of ids."""
    once: dict[str, Item] = {}
    for item in items:
        if item.score > 0:
            once.setdefault(item.id, item)
    return [
        item
        for _, same in groupby(once.values(), key=lambda item: item.score)
        for item in sorted(same, key=lambda item: (item.turns, item.id))
    ]


def finds(
    items: Sequence[Item], evidence: Collection[str], target: str, level: str, asked: Asked
) -> list[tuple[int, int]]:
    """Where evidence is found: (place, how many new pieces of it), places from 1 on.

    At turn level every item has a place, whether it counts or not. At session level the place of an item is the number
    of distinct sessions that the list has shown up to it, so that a list of raw text has each session once, in order of
    first appearance.
    """
    return (
        list(_turn_finds(items, evidence, target, asked))
        if level == "turn"
        else list(_session_finds(items, evidence, target, asked))
    )


def _turn_finds(
    items: Sequence[Item], evidence: Collection[str], target: str, asked: Asked
) -> Iterator[tuple[int, int]]:
    left = set(evidence)
    for place, item in enumerate(items, 1):
        new = left.intersection(item.turns) if counts(item, target, asked) else ()
        if new:
            left.difference_update(new)
            yield place, len(new)


def _session_finds(
    items: Sequence[Item], evidence: Collection[str], target: str, asked: Asked
) -> Iterator[tuple[int, int]]:
    left = set(evidence)
    shown: set[str] = set()
    for item in items:
        eligible = counts(item, target, asked)
        for session in item.sessions:
            shown.add(session)
            if eligible and session in left:
                left.discard(session)
                yield len(shown), 1


def scores(
    found: Sequence[tuple[int, int]], n_evidence: int, depth: int, cutoffs: Iterable[int] = CUTOFFS
) -> dict[str, float]:
    """All metrics of one ranking, 0 to 1.

    hit@k (also named any@k): something is found; recall@k: the share of the evidence that is found; all@k: all of it;
    ndcg@k: 1/log2(place + 1) for each place that brings something new, over the best that is possible (K. Järvelin,
    J. Kekäläinen, "Cumulated gain-based evaluation of IR techniques", ACM TOIS 2002); mrr: 1/place of the first find.

    Args:
        found: see `finds`.
        n_evidence: pieces of evidence, at least one; the same for every store, whatever was derived in it.
        depth: how many results were asked for; nothing is said of longer lists.
    """
    values: dict[str, float] = {}
    for k in cutoffs:
        if k > depth:
            continue
        number = sum(new for place, new in found if place <= k)
        values[f"hit@{k}"] = values[f"any@{k}"] = float(number > 0)
        values[f"recall@{k}"] = number / n_evidence
        values[f"all@{k}"] = float(number == n_evidence)
        gained = sum(1 / log2(place + 1) for place, _ in found if place <= k)
        values[f"ndcg@{k}"] = gained / sum(1 / log2(place + 1) for place in range(1, min(n_evidence, k) + 1))
    values["mrr"] = 1 / found[0][0] if found else 0.0
    return values


def official_scores(
    ranked: Iterable[str], evidence: Collection[str], depth: int, cutoffs: Iterable[int] = CUTOFFS
) -> dict[str, float]:
    """The retrieval metrics that LongMemEval publishes, for comparing with others' figures.

    recall_any@k, recall_all@k, and its nDCG, in which the second place weighs as much as the first and place p > 1
    weighs 1/log2(p) (D. Wu et al., "LongMemEval", ICLR 2025, and the code beside it).

    Args:
        ranked: ids of turns or sessions, best first; only the first of the same id counts.
        evidence: ids of those that hold the answer, at least one.
    """
    order = list(dict.fromkeys(ranked))
    wanted = set(evidence)
    values: dict[str, float] = {}
    for k in cutoffs:
        if k > depth:
            continue
        places = [place for place, name in enumerate(order[:k], 1) if name in wanted]
        values[f"recall_any@{k}"] = float(bool(places))
        values[f"recall_all@{k}"] = float(len(places) == len(wanted))
        best = sum(_official_weight(place) for place in range(1, min(len(wanted), k) + 1))
        values[f"ndcg_any@{k}"] = sum(map(_official_weight, places)) / best
    return values


def _official_weight(place: int) -> float:
    return 1.0 if place == 1 else 1 / log2(place)


def holders(items: Iterable[Item], level: str) -> dict[str, list[Item]]:
    """The items of a store by each of their anchors."""
    found: dict[str, list[Item]] = {}
    for item in items:
        for anchor in item.anchors(level):
            found.setdefault(anchor, []).append(item)
    return found


def covered(
    holding: Mapping[str, Sequence[Item]], evidence: Iterable[str], target: str, asked: Asked
) -> bool:
    """Whether a store holds anything at all that could be found for a target."""
    return any(counts(item, target, asked) for anchor in evidence for item in holding.get(anchor, ()))
