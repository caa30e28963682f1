"""Words that the reading of propositions knows: closed classes, common verbs with their forms, synonyms."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TypeVar

from memory_server.policies.propositions.verbs import VERB_FORMS

T = TypeVar("T")


def words(text: str) -> frozenset[str]:
    """A set of words out of a text with blanks between them."""
    return frozenset(text.split())


def table(text: str, value: T) -> dict[str, T]:
    """The words of a text, each with the same value."""
    return dict.fromkeys(text.split(), value)


ARTICLES = words("the a an")
DETERMINERS = ARTICLES | words(
    "this that these those my your his her its our their every each all no some any"
)
BE = words("is are was were am be been being")
HAVE = words("has have had having")
DO = words("do does did")
MODALS: Mapping[str, str] = MappingProxyType(
    {"can": "can", "will": "will", "would": "would"}
    | table("must should shall ought", "must")
    | table("may might could", "may")
)
"""Modal verbs by what they claim: ability, duty, possibility, future, condition."""

AUXILIARIES = BE | HAVE | DO | frozenset(MODALS)
PAST_AUXILIARIES = words("was were had did")

PREPOSITIONS = words(
    """about above across after against along among around as at before behind below beneath beside between
    beyond by during for from in inside into near of off on onto out outside over per since through
    throughout to toward towards under until up upon via with within without"""
)

# what stands before a main clause and says nothing about its content
FILLERS = words(
    """very really quite so extremely highly pretty rather fairly totally completely truly absolutely simply
    also too still already actually basically generally currently now presently indeed even much far
    way definitely certainly clearly obviously ever"""
)
HEDGES = words("maybe perhaps probably possibly likely apparently supposedly allegedly presumably seemingly")

# share of cases in which something holds: none, few, many, all
NONE, FEW, MANY, ALL = 1, 2, 4, 8
EVERY_SHARE = NONE | FEW | MANY | ALL

FREQUENCY: Mapping[str, int] = MappingProxyType(
    table("never", NONE)
    | table("rarely seldom hardly scarcely", NONE | FEW)
    | table("sometimes occasionally", FEW | MANY | ALL)
    | table("often usually frequently mostly typically normally commonly regularly", MANY | ALL)
    | table("always constantly invariably", ALL)
)
QUANTIFIERS: Mapping[str, int] = MappingProxyType(
    table("no none neither", NONE)
    | table("few", NONE | FEW)
    | table("some several", FEW | MANY | ALL)
    | table("most many", MANY | ALL)
    | table("all every each any both", ALL)
)
NOBODY: Mapping[str, tuple[str, int]] = MappingProxyType(
    {
        "nobody": ("person", NONE),
        "no-one": ("person", NONE),
        "nothing": ("thing", NONE),
        "everybody": ("person", ALL),
        "everyone": ("person", ALL),
        "everything": ("thing", ALL),
        "somebody": ("person", FEW | MANY | ALL),
        "someone": ("person", FEW | MANY | ALL),
        "something": ("thing", FEW | MANY | ALL),
    }
)

CLAUSE_MARKERS = words("that which who whom whose where what how why")
REASON_MARKERS = words("because although though but whereas thanks despite")
COMPLEX_MARKERS = words("or nor either neither unless except instead only barely almost nearly if")
"""Words that change what a clause says in ways that are not followed further."""

SYNONYMS: Mapping[str, str] = MappingProxyType(
    {
        synonym: word
        for word, synonyms in {
            "use": "utilize utilise",
            "live": "reside",
            "buy": "purchase",
            "need": "require",
            "let": "allow permit",
            "start": "begin commence",
            "end": "finish conclude",
            "forbid": "prohibit ban disallow",
            "help": "assist aid",
            "show": "display",
            "choose": "select pick",
            "get": "obtain acquire",
            "improve": "enhance",
            "fix": "repair",
            "locate": "situate",
            "color": "colour",
            "favorite": "favourite",
            "license": "licence",
            "center": "centre",
            "memory": "ram",
            "car": "automobile",
            "db": "database",
            "doctor": "physician",
            "kid": "child children",
            "person": "people",
            "error": "mistake",
            "important": "crucial vital essential",
            "popular": "well-liked",
            "common": "frequent widespread",
            "tired": "exhausted",
            "angry": "furious",
            "simple": "straightforward",
            "movie": "film",
        }.items()
        for synonym in synonyms.split()
    }
)


_UNCHANGED = words(
    "always perhaps its this his less plus does has news lens series species besides sometimes"
)


def lemma(word: str) -> str:
    """A case-folded word without its inflection and with synonyms folded; what is no plain word stays so."""
    found = VERB_FORMS.get(word)
    base = found[0] if found else _singular(word)
    return SYNONYMS.get(base, base)


def _singular(word: str) -> str:
    if len(word) < 4 or word[-1] != "s" or word in _UNCHANGED or not word.isalpha():
        return word
    if word.endswith(("ss", "us", "is")):
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "shes", "ches", "xes", "zes")):
        return word[:-2]
    return word[:-1]


def is_article(listed: Sequence[str], at: int) -> bool:
    """Whether the word there is an article and no name: "a pump", but not "pump A" or "A and B"."""
    if listed[at] not in ARTICLES:
        return False
    following = listed[at + 1] if at + 1 < len(listed) else ","
    return following not in (",", "and", "than") and following not in PREPOSITIONS


def without_articles(listed: Sequence[str]) -> list[str]:
    """The words without their articles."""
    return [word for at, word in enumerate(listed) if not is_article(listed, at)]


def mirror(share: int) -> int:
    """The share of cases in which the opposite holds: none becomes all, few becomes many."""
    return sum(1 << (3 - bit) for bit in range(4) if share & (1 << bit))
