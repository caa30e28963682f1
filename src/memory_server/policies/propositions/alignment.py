"""How far two frames of one subject say the same thing, before anyone looks at their negations."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from memory_server.policies.propositions.antonyms import (
    AXES,
    GROUP_OF,
    STATE_NOUNS,
    SUPERLATIVES,
    opposition,
    same_group,
)
from memory_server.policies.propositions.frames import Frame, Item
from memory_server.policies.propositions.lexicon import PREPOSITIONS, mirror, words
from memory_server.policies.propositions.modifiers import implies, is_adjective
from memory_server.policies.propositions.verbs import VERB_FORMS
from memory_server.policies.quantities import Quantity, overlap

Kind = Literal["equal", "complementary", "contrary", "first_specific", "second_specific"]


@dataclass(frozen=True, slots=True)
class Alignment:
    """How the predicate of a first frame lies to that of a second, and what showed it.

    equal: they are one; complementary: one holds where the other does not; contrary: both never hold together;
    first_specific: the first implies the second; second_specific: the other way round.
    """

    kind: Kind
    method: str

    def flipped(self) -> Alignment:
        """The same seen from the second frame."""
        turned: dict[Kind, Kind] = {
            "first_specific": "second_specific",
            "second_specific": "first_specific",
        }
        return replace(self, kind=turned.get(self.kind, self.kind))

    def project(self, share: int) -> int:
        """What a share of cases for the first predicate allows for the second."""
        if self.kind == "equal":
            return share
        if self.kind == "complementary":
            return mirror(share)
        if self.kind == "contrary":
            return _downwards(mirror(share))
        return _upwards(share) if self.kind == "first_specific" else _downwards(share)


EQUAL = Alignment("equal", "identical")
_OPEN_VERBS = words(
    """like love use want eat drink read know speak buy sell own visit play watch support contain include see
    meet write make dislike hate enjoy learn teach study need offer follow cook wear collect"""
)
_MASS_VERBS = words("have provide offer need give deliver show get keep maintain demand")
_VAGUE = words(
    """unknown undefined configurable fine nice fair important tomorrow today yesterday set there here one
    different same variable dynamic negotiable wrong available correct missing"""
)
_MEASURES = words("cost weigh take last measure contain total")
_CODE = re.compile(r"[v]?\d[\w.:/-]*")


def align(a: Frame, b: Frame) -> Alignment | None:
    """How the predicates of two frames with equal subjects lie to each other; None where they just differ."""
    verbs = _verbs(a.verb, b.verb)
    if verbs is None:
        return None
    rests = EQUAL if a.rest == b.rest else _rests(a, b)
    if rests is None or verbs is EQUAL:
        return rests
    if rests.kind != "equal":
        return None
    return verbs


def _verbs(a: str, b: str) -> Alignment | None:
    if a == b:
        return EQUAL
    way = opposition(a, b)
    if way is None:
        return None
    return Alignment("equal", "synonym") if way == "same" else Alignment(way, "antonym")


def _rests(a: Frame, b: Frame) -> Alignment | None:
    if len(a.rest) == len(b.rest):
        places = [at for at in range(len(a.rest)) if a.rest[at] != b.rest[at]]
        if len(places) == 1:
            found = _substituted(a, b, places[0])
            if found is not None:
                return found
    narrower = _specific(a, b)
    if narrower is not None:
        return narrower
    return _exclusive(a, b)


def _substituted(a: Frame, b: Frame, at: int) -> Alignment | None:
    """One item differs: quantities, opposites, near synonyms, values of one group."""
    one, other = a.rest[at], b.rest[at]
    if isinstance(one, Quantity) and isinstance(other, Quantity):
        return _quantities(a, one, other)
    if not isinstance(one, str) or not isinstance(other, str):
        return None
    way = opposition(one, other)
    if way == "same":
        return Alignment("equal", "synonym")
    if way is not None:
        return Alignment(way, "antonym") if _predicative(a, at) and _predicative(b, at) else None
    last = at == len(a.rest) - 1
    if last and same_group(one, other) and (a.verb in ("be", "be on", "be in") or a.exclusive):
        return Alignment("contrary", "exclusive_value")
    if last and (a.verb == "be" or a.exclusive) and _CODE.fullmatch(one) and _CODE.fullmatch(other):
        return Alignment("contrary", "number")
    return None


def _quantities(frame: Frame, one: Quantity, other: Quantity) -> Alignment | None:
    way = overlap(one, other)
    if way == "equal":
        return Alignment("equal", "number")
    if way == "inside":
        return Alignment("first_specific", "number")
    if way == "around":
        return Alignment("second_specific", "number")
    if way != "disjoint" or (frame.past and not _lasting(frame)):
        return None
    return Alignment("contrary", "number")


def _lasting(frame: Frame) -> bool:
    """Whether what is told of the past is a state with one measure, not something that can happen again."""
    if frame.exclusive or frame.verb in _MEASURES:
        return True
    return frame.verb in ("be", "have") and not any(item in PREPOSITIONS for item in frame.rest)


def _predicative(frame: Frame, at: int) -> bool:
    """Whether an opposite at this place turns the whole statement, not just one of the things it names."""
    if frame.verb == "be":
        return not any(item in PREPOSITIONS for item in frame.rest[:at])
    if any(item in PREPOSITIONS for item in frame.rest[:at]):
        return False
    if at == len(frame.rest) - 1:
        # "wants it enabled" turns round; "likes hot" beside "likes cold" does not
        return frame.verb not in _OPEN_VERBS or (at > 0 and frame.rest[at] in _STATES)
    if frame.rest[at] in PREPOSITIONS:
        # "works with …", "works without …"
        return True
    return (frame.verb in _MASS_VERBS and not frame.plural) or frame.verb == "prefer"


def _specific(a: Frame, b: Frame) -> Alignment | None:
    if implies(a.rest, b.rest):
        return Alignment("first_specific", "modifier")
    if implies(b.rest, a.rest):
        return Alignment("second_specific", "modifier")
    return None


def _exclusive(a: Frame, b: Frame) -> Alignment | None:
    """Two values where there is one at a time."""
    if not a.exclusive or a.exclusive != b.exclusive:
        return None
    one, other = _value(a.rest), _value(b.rest)
    if not one or not other or one == other or set(one) <= set(other) or set(other) <= set(one):
        return None
    if not (_comparable(a, one) and _comparable(b, other)):
        return None
    if isinstance(one[0], Quantity) != isinstance(other[0], Quantity):
        return None
    if isinstance(one[0], Quantity) and isinstance(other[0], Quantity):
        return _quantities(a, one[0], other[0]) if one[1:] == other[1:] else None
    methods = {"value": "exclusive_value", "attribute": "exclusive_value"}
    return Alignment("contrary", methods.get(a.exclusive, a.exclusive))


def _value(rest: Sequence[Item]) -> tuple[Item, ...]:
    """The value proper: up to the first preposition, conjunction or clause."""
    for at, item in enumerate(rest):
        if item in PREPOSITIONS or item == "and" or (isinstance(item, str) and " " in item):
            return tuple(rest[:at])
    return tuple(rest)


def _comparable(frame: Frame, value: Sequence[Item]) -> bool:
    """Whether a value names something; what judges or hedges ("high", "unknown") leaves room for others."""
    if any(item in _VAGUE for item in value):
        return False
    if frame.exclusive == "attribute" and frame.verb == "be":
        if frame.subject[-1] in ("color", "shape"):
            return all(item in GROUP_OF for item in value)
        if frame.subject[-1] in STATE_NOUNS:
            return not any(item in AXES and item not in GROUP_OF for item in value) or len(value) == 1
        if not SUPERLATIVES.isdisjoint(frame.subject):
            return any(item in frame.names for item in value) or frame.subject[-1] in _NAMED_THINGS
        return not any(
            is_adjective(item) or (isinstance(item, str) and item in _PARTICIPLES) for item in value
        )
    if frame.exclusive in ("identity", "place"):
        return all(item in frame.names for item in value)
    return True


_STATES = words("enable disable open close on off")
_PARTICIPLES = frozenset(base for base, kind in VERB_FORMS.values() if kind == "ing")
_NAMED_THINGS = words(
    "language database branch city color framework editor food number host region environment"
)


def _upwards(share: int) -> int:
    """The share and all above it."""
    lowest = share & -share
    return 0 if not share else 15 & ~(lowest - 1)


def _downwards(share: int) -> int:
    """The share and all below it."""
    return 0 if not share else (1 << share.bit_length()) - 1
