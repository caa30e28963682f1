"""How two propositions stand to each other: one rules the other out, one follows from it, or neither."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from memory_server.policies.propositions.alignment import Alignment, align
from memory_server.policies.propositions.contexts import Context, cases, differ, opens_context, read_context
from memory_server.policies.propositions.frames import Comparison, Frame, Proposition, split_words
from memory_server.policies.propositions.lexicon import ALL, FEW, MANY, NONE
from memory_server.policies.propositions.reading import comparison_pairs, parse
from memory_server.policies.text import normal

Kind = Literal["contradiction", "entailment", "neutral"]
Direction = Literal["both", "a_to_b", "b_to_a", "none"]


@dataclass(frozen=True, slots=True)
class Relation:
    """What stands between two propositions a and b.

    `confidence` is how sure the kind is, `overlap` the share of content words in common (both 0–1); `method`
    names what decided; `direction` tells for an entailment which follows from which; `same_context` is false
    where both name circumstances and these differ.
    """

    kind: Kind
    confidence: float
    overlap: float
    method: str
    same_context: bool
    direction: Direction = "none"


_CONFIDENCE = {
    "identical": 0.98,
    "negation": 0.95,
    "comparative": 0.95,
    "antonym": 0.9,
    "number": 0.9,
    "quantifier": 0.9,
    "synonym": 0.85,
    "modifier": 0.8,
    "exclusive_value": 0.8,
    "identity": 0.7,
    "place": 0.6,
}
HEDGE_FACTOR = 0.8
OTHER_CONTEXT_FACTOR = 0.5


@dataclass(frozen=True, slots=True)
class _Verdict:
    kind: Kind
    method: str
    direction: Direction = "none"


def relate(
    a: str | Proposition,
    b: str | Proposition,
    *,
    context_a: str | None = None,
    context_b: str | None = None,
    strict_same_context: bool = False,
) -> Relation:
    """The relation between two propositions, given as text or as read by `parse`.

    Contexts that are given count with those that the propositions name. Under different contexts nothing is
    entailed; a contradiction is neutral when `strict_same_context`, else only half as sure.
    """
    one = parse(a) if isinstance(a, str) else a
    other = parse(b) if isinstance(b, str) else b
    overlap = _jaccard(one.bag, other.bag)
    apart = differ(_contexts(one, context_a), _contexts(other, context_b))
    verdict = None if one.keys.isdisjoint(other.keys) else _decide(one, other)
    if (
        verdict is not None
        and apart
        and (strict_same_context or verdict.kind == "entailment" or _other_case(one, other))
    ):
        verdict = None
    if verdict is None:
        return Relation("neutral", 0.0, overlap, "none", not apart)
    confidence = _CONFIDENCE[verdict.method]
    if one.hedged or other.hedged:
        confidence *= HEDGE_FACTOR
    if apart:
        confidence *= OTHER_CONTEXT_FACTOR
    return Relation(verdict.kind, round(confidence, 4), overlap, verdict.method, not apart, verdict.direction)


def topic_keys(proposition: str | Proposition) -> frozenset[str]:
    """Keys to look rivals up by: what `relate` calls contradiction or entailment shares at least one of them.

    A key names subject and verb with one word of what is said, so that few propositions share it.
    """
    return (parse(proposition) if isinstance(proposition, str) else proposition).keys


def context_of(proposition: str | Proposition) -> frozenset[str]:
    """The circumstances that the proposition names: "in production", "on linux", "for small teams"."""
    read = parse(proposition) if isinstance(proposition, str) else proposition
    return frozenset(context.phrase for context in read.contexts)


def _other_case(a: Proposition, b: Proposition) -> bool:
    return cases(a.contexts) != cases(b.contexts)


def _contexts(proposition: Proposition, given: str | None) -> frozenset[Context]:
    if given is None or not given.strip():
        return proposition.contexts
    listed = split_words(given).listed
    if listed and opens_context(listed[0]):
        read = read_context(listed, 0)
        if read is not None and read[1] == len(listed):
            return proposition.contexts | {read[0]}
    return proposition.contexts | {Context("given", normal(given))}


def _decide(a: Proposition, b: Proposition) -> _Verdict | None:
    if a.own_key == b.own_key:
        return _Verdict("entailment", "identical", "both")
    best: _Verdict | None = None
    for verdict in _verdicts(a, b):
        if best is None or _CONFIDENCE[verdict.method] > _CONFIDENCE[best.method]:
            best = verdict
    return best


def _verdicts(a: Proposition, b: Proposition) -> Iterable[_Verdict]:
    for one, other in comparison_pairs(a.comparisons, b.comparisons):
        verdict = _compare_ways(one, other)
        if verdict is not None:
            yield verdict
    for frame in a.frames:
        for rival in b.frames:
            if frame.subject == rival.subject:
                verdict = _compare_frames(frame, rival)
                if verdict is not None:
                    yield verdict


def _compare_ways(a: Comparison, b: Comparison) -> _Verdict | None:
    if a.past != b.past:
        return None
    if a.ways & b.ways == 0:
        return _Verdict("contradiction", "comparative")
    return _entailed(a.ways & ~b.ways == 0, b.ways & ~a.ways == 0, "comparative")


def _compare_frames(a: Frame, b: Frame) -> _Verdict | None:
    if a.past != b.past:
        return None
    found = align(a, b)
    if found is None:
        return None
    if a.modal != b.modal or "may" in (a.modal, b.modal):
        return _compare_modals(a, b, found)
    share_a, share_b = _widened(a, b), _widened(b, a)
    from_a, from_b = found.project(share_a), found.flipped().project(share_b)
    if from_a & share_b == 0 or from_b & share_a == 0:
        return _Verdict("contradiction", _method(a, b, found))
    return _entailed(from_a & ~share_b == 0, from_b & ~share_a == 0, _method(a, b, found))


def _compare_modals(a: Frame, b: Frame, found: Alignment) -> _Verdict | None:
    """What is so can be so, and what cannot be so is not; other differences of mood say nothing."""
    if found.kind != "equal" or a.explicit or b.explicit:
        return None
    if a.modal == b.modal:
        return _Verdict("entailment", found.method, "both") if a.share == b.share else None
    if {a.modal, b.modal} != {"", "can"}:
        return None
    plain, able = (a, b) if a.modal == "" else (b, a)
    if plain.share == ALL and able.share == NONE:
        return _Verdict("contradiction", "negation")
    if plain.share == able.share:
        forward = plain is a if plain.share == ALL else able is a
        return _Verdict("entailment", "modifier", "a_to_b" if forward else "b_to_a")
    return None


def _widened(frame: Frame, rival: Frame) -> int:
    """Without a quantifier a thing is so as a rule: beside "sometimes" or "all" it leaves exceptions open."""
    if frame.explicit or not rival.explicit or frame.share != ALL:
        return frame.share
    return FEW | MANY | ALL


def _method(a: Frame, b: Frame, found: Alignment) -> str:
    if found.kind != "equal":
        return found.method
    if a.explicit or b.explicit:
        return found.method if a.share == b.share else "quantifier"
    return "negation" if a.share != b.share else found.method


def _entailed(forward: bool, backward: bool, method: str) -> _Verdict | None:
    if forward and backward:
        return _Verdict("entailment", method, "both")
    if forward:
        return _Verdict("entailment", method, "a_to_b")
    return _Verdict("entailment", method, "b_to_a") if backward else None


def _jaccard(a: frozenset[str], b: frozenset[str]) -> float:
    if not a or not b:
        return 0.0
    common = len(a & b)
    return round(common / (len(a) + len(b) - common), 4)
