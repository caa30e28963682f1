"""Comparatives in one form, so that "A is better than B" and "B is worse than A" are seen to be one."""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType

from memory_server.policies.propositions.antonyms import AXES, negative_of
from memory_server.policies.propositions.clauses import Clause
from memory_server.policies.propositions.complements import CONTRAST
from memory_server.policies.propositions.frames import Comparison, Item
from memory_server.policies.propositions.lexicon import ALL, table, without_articles, words

LESS, EQUAL, MORE = 1, 2, 4
_MIRRORED = MappingProxyType({0: 0, 1: 4, 2: 2, 3: 6, 4: 1, 5: 5, 6: 3, 7: 7})

_IRREGULAR = MappingProxyType(
    {"better": "good", "worse": "bad", "further": "far", "farther": "far", "elder": "old"}
)
_BEATING = MappingProxyType(
    table("beat outperform surpass exceed outclass trump outrank", MORE) | {"underperform": LESS}
)
_PREFERRED = MappingProxyType({"superior": MORE, "preferable": MORE, "inferior": LESS})

_VALUING = words("like love want need enjoy hate dislike trust use value fear miss favor recommend")

Side = tuple[str, ...]


def read_comparisons(clause: Clause, subject: Side, items: Sequence[Item]) -> tuple[Comparison, ...]:
    """The comparisons that a clause makes; one for each axis that its adjective may lie on."""
    plain = [item for item in items if isinstance(item, str)]
    if len(plain) != len(items) and "than" not in plain and "as" not in plain:
        return ()
    if CONTRAST in plain:
        return () if clause.explicit and clause.share != ALL else _read_contrast(clause, subject, plain)
    if (clause.explicit and clause.share != ALL) or clause.modal or (clause.hedged and clause.denials):
        return ()
    for read in (_read_than, _read_as_as, _read_beating, _read_preferring, _read_superior):
        found = read(clause, subject, plain)
        if found:
            return tuple(_ordered(clause, *each) for each in found)
    return ()


def _read_contrast(clause: Clause, subject: Side, items: Sequence[str]) -> tuple[Comparison, ...]:
    """ "We use A instead of B", "should use A rather than B": A and B are compared for that doing.

    What is denied ("do not use A instead of B") leaves open what is done.
    """
    at = items.index(CONTRAST)
    left, right = _side(items[:at]), _side(items[at + 1 :])
    if not left or not right or clause.denials or clause.verb == "be":
        return ()
    axis = " ".join(word for word in (clause.modal, clause.verb, CONTRAST, *subject) if word)
    return (_ordered(clause, left, right, axis, MORE),)


_Found = list[tuple[Side, Side, str, int]]


def _ordered(clause: Clause, left: Side, right: Side, axis: str, ways: int) -> Comparison:
    """Sides in alphabetical order, a negation worked in as the complement of the ways."""
    if clause.denials % 2 == 1:
        ways = 7 & ~ways
    if right < left:
        left, right, ways = right, left, _MIRRORED[ways]
    return Comparison(left, right, axis, ways, clause.past)


def _read_than(clause: Clause, subject: Side, items: Sequence[str]) -> _Found:
    """ "is faster than", "runs faster than", "uses less memory than", "costs more than"."""
    if "than" not in items:
        return []
    at = items.index("than")
    before, right = items[:at], _side(items[at + 1 :])
    if not before or not right or not subject:
        return []
    frame = "" if clause.verb == "be" else clause.verb
    if before[0] in ("more", "less", "fewer"):
        way = MORE if before[0] == "more" else LESS
        words = before[1:]
        if clause.verb == "be" and len(words) == 1:
            return [(subject, right, axis, _turned(way, sign)) for axis, sign in _axes_of(words[0])]
        return [(subject, right, f"{clause.verb} {' '.join(words)}".strip(), way)]
    if clause.verb in _VALUING and len(before) > 1 and before[-1] in ("more", "less", "better"):
        # "S likes A more than B" compares A with B for S
        way = LESS if before[-1] == "less" else MORE
        return [(_side(before[:-1]), right, " ".join((clause.verb, *subject)), way)]
    place = _comparative_at(before)
    if place is None:
        return []
    # "runs faster", "has better support": what is compared stays part of the axis
    others = (*before[:place], *before[place + 1 :])
    thing = " ".join(word for word in (frame, *others) if word)
    base = _base_of(before[place]) or ""
    return [(subject, right, f"{thing} {axis}".strip(), _turned(MORE, sign)) for axis, sign in _axes_of(base)]


def _comparative_at(items: Sequence[str]) -> int | None:
    """Where the comparative stands; a word that merely ends in -er counts in the last place only."""
    for at, word in enumerate(items):
        if word in _IRREGULAR or _base_of(word) in AXES:
            return at
    return len(items) - 1 if _base_of(items[-1]) else None


def _read_as_as(clause: Clause, subject: Side, items: Sequence[str]) -> _Found:
    """ "is as fast as", "is twice as fast as", "is half as fast as"."""
    ways = {"twice": MORE, "time": MORE, "half": LESS}.get(items[0], 0) if items else 0
    listed = items[1:] if ways else items
    if len(listed) < 4 or listed[0] != "as" or listed[2] != "as" or clause.verb != "be" or not subject:
        return []
    right = _side(listed[3:])
    return [(subject, right, axis, _turned(ways or MORE | EQUAL, sign)) for axis, sign in _axes_of(listed[1])]


def _read_beating(clause: Clause, subject: Side, items: Sequence[str]) -> _Found:
    if clause.verb not in _BEATING or not items or not subject or "in" in items or "by" in items:
        return []
    return [
        (subject, _side(items), axis, _turned(_BEATING[clause.verb], sign)) for axis, sign in _axes_of("good")
    ]


def _read_preferring(clause: Clause, subject: Side, items: Sequence[str]) -> _Found:
    """ "S prefers A to B", "S likes A more than B": A and B are compared for S."""
    if clause.verb == "prefer":
        for word in ("over", "to", "rather"):
            if word in items[1:-1]:
                at = items.index(word, 1)
                return [(_side(items[:at]), _side(items[at + 1 :]), f"like {' '.join(subject)}", MORE)]
    return []


def _read_superior(clause: Clause, subject: Side, items: Sequence[str]) -> _Found:
    if clause.verb != "be" or len(items) < 3 or not subject or items[0] not in _PREFERRED or items[1] != "to":
        return []
    way = _PREFERRED[items[0]]
    return [(subject, _side(items[2:]), axis, _turned(way, sign)) for axis, sign in _axes_of("good")]


def _side(items: Sequence[str]) -> Side:
    """One side of a comparison without articles and a repeated verb ("than B does")."""
    listed = without_articles(items)
    while listed and listed[-1] in ("be", "do", "and", "have"):
        listed.pop()
    return tuple(listed)


def _turned(ways: int, sign: int) -> int:
    return ways if sign > 0 else _MIRRORED[ways]


def _axes_of(adjective: str) -> list[tuple[str, int]]:
    """Axis names of an adjective and on which side of each it lies."""
    axes = AXES.get(adjective)
    if axes:
        return [(f"axis{number}", side) for number, side, _ in axes]
    positive = negative_of(adjective)
    return [(positive, -1)] if positive else [(adjective, 1)]


def _base_of(comparative: str) -> str | None:
    """The adjective of a one-word comparative: faster → fast, easier → easy; else None."""
    if comparative in _IRREGULAR:
        return _IRREGULAR[comparative]
    if not comparative.endswith("er") or len(comparative) < 5:
        return None
    stem = comparative[:-2]
    if stem.endswith("i"):
        return stem[:-1] + "y"
    candidates = (stem, stem + "e", stem[:-1] if stem[-1] == stem[-2] else stem)
    return next((base for base in candidates if base in AXES), stem)
