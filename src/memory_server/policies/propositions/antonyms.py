"""Words that cannot both be said of one thing: opposites, and values of which there is one at a time."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Literal

from memory_server.policies.propositions.lexicon import lemma, words
from memory_server.policies.propositions.opposites import COMPLEMENTARY, CONTRARY, GROUPS

Opposition = Literal["complementary", "contrary", "same"]

SUPERLATIVES = words(
    """best worst main primary only current default first last largest biggest smallest fastest slowest
    oldest newest youngest tallest shortest highest lowest cheapest longest latest strongest weakest
    official favorite favourite"""
)
"""Words that leave room for one holder of a description."""

ATTRIBUTES = words(
    """address age author birthday boss branch budget capacity capital ceo city color cost country cto
    currency deadline director domain email employer gateway height hostname id ip job king language
    leader lead length level license limit location mac maintainer manager memory model mode motto
    name nationality number occupation owner password phase port position president price priority
    queen rank rate ratio region salary score severity shape size speed state status surname
    temperature threshold time timeout timezone title type url value version volume weight width"""
)
"""Head nouns of a subject ("the port of X") that have one value at a time."""

STATE_NOUNS = words("status state phase mode severity priority level shape color")
"""Attributes whose values are adjectives or participles."""


def _pairs(table: str) -> list[tuple[frozenset[str], frozenset[str]]]:
    rows = [row.split("|") for row in table.strip().splitlines()]
    return [(_lemmas(left), _lemmas(right)) for left, right in rows]


def _lemmas(text: str) -> frozenset[str]:
    return frozenset(lemma(word) for word in text.split())


Axis = tuple[int, int, bool]


def _axes() -> dict[str, tuple[Axis, ...]]:
    """Each word to its axes: (number of the axis, side +1 or −1, whether the sides are complementary)."""
    found: defaultdict[str, list[Axis]] = defaultdict(list)
    rows = [(pair, True) for pair in _pairs(COMPLEMENTARY)] + [(pair, False) for pair in _pairs(CONTRARY)]
    for number, ((left, right), complementary) in enumerate(rows):
        for word in left:
            found[word].append((number, 1, complementary))
        for word in right - left:
            found[word].append((number, -1, complementary))
    return {word: tuple(axes) for word, axes in found.items()}


AXES: Mapping[str, tuple[Axis, ...]] = MappingProxyType(_axes())
"""Lemma to the axes that it lies on."""

GROUP_OF: Mapping[str, int] = MappingProxyType(
    {lemma(word): number for number, row in enumerate(GROUPS.strip().splitlines()) for word in row.split()}
)
"""Lemma to the group of values of which there is one at a time."""

_NO_PREFIX = words(
    """under until union unit unite unique universal universe university unix uniform understand unless
    unicode
    unpack undo uncle unlock unload uninstall unwind"""
)


_DENIED = words(
    """adequate capable competent convenient effective experienced formal mortal sane sensitive significant
    sufficient tolerant variable moral partial practical probable proper pure rational replaceable responsible
    reversible legible literate logical loyal obedient organized satisfied similar offensive tangible
    accessible compatible comparable definite destructible discreet eligible evitable"""
)
"""Adjectives that in-, im-, ir-, il- or dis- turns into their negation."""


@lru_cache(maxsize=8192)
def negative_of(word: str) -> str | None:
    """The word that this one is the negation of by its prefix: unusual → usual, non-free → free."""
    if word.startswith("non-") and len(word) > 6:
        return word[4:]
    if word.startswith("multi-") and len(word) > 8:
        return "single-" + word[6:]
    if word[:2] in ("in", "im", "ir", "il") and word[2:] in _DENIED:
        return word[2:]
    if word.startswith("dis") and word[3:] in _DENIED:
        return word[3:]
    if word.startswith("un") and len(word) > 5 and word not in _NO_PREFIX:
        return word[2:].lstrip("-")
    return None


@lru_cache(maxsize=8192)
def axis_names(word: str) -> tuple[str, ...]:
    """Names under which opposites and near synonyms of a lemma meet; the lemma alone where it has none."""
    names = [f"axis{number}" for number, _, _ in AXES.get(word, ())]
    if word in GROUP_OF:
        names.append(f"group{GROUP_OF[word]}")
    names.append(negative_of(word) or word)
    return tuple(names)


@lru_cache(maxsize=8192)
def opposition(a: str, b: str) -> Opposition | None:
    """How two different lemmas stand to each other: opposite sides of an axis, the same side, or neither."""
    if negative_of(a) == b or negative_of(b) == a:
        return "complementary"
    best: Opposition | None = None
    for number, side, complementary in AXES.get(a, ()):
        for other, other_side, _ in AXES.get(b, ()):
            if number == other:
                if side != other_side:
                    return "complementary" if complementary else "contrary"
                best = "same"
    return best


def same_group(a: str, b: str) -> bool:
    """Whether two different lemmas are values of one group, such as colours or weekdays."""
    return a != b and a in GROUP_OF and GROUP_OF.get(b) == GROUP_OF[a]
