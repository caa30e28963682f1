"""Whether a longer complement says what a shorter one says, and more."""

from __future__ import annotations

from collections.abc import Sequence

from memory_server.policies.propositions.antonyms import AXES, GROUP_OF
from memory_server.policies.propositions.frames import Item
from memory_server.policies.propositions.lexicon import HEDGES, PREPOSITIONS, table, words
from memory_server.policies.quantities import Quantity

_BLOCKERS = words("former fake almost nearly barely only not or potential alleged so-called mock virtual")

_ADVERB_ENDINGS = ("ly",)
_ADJECTIVE_ENDINGS = (
    "able",
    "ible",
    "ful",
    "ous",
    "ive",
    "less",
    "ish",
    "ical",
    "ic",
    "al",
    "ary",
    "ern",
    "ant",
    "ent",
)
_MORE_ADJECTIVES = table("in-memory open-source own native main full large free real modern key core", True)


def implies(longer: Sequence[Item], shorter: Sequence[Item]) -> bool:
    """Whether more words say the same and more: another conjunct, an adjective before, a phrase after."""
    if len(longer) <= len(shorter):
        return False
    extra = [item for item in longer if item not in shorter]
    if any(item in _BLOCKERS or item in HEDGES for item in extra):
        return False
    if not shorter:
        return longer[0] in PREPOSITIONS or _is_adverb(longer[0])
    if "and" in longer and tuple(shorter) in _conjuncts(longer):
        return True
    if tuple(longer[: len(shorter)]) == tuple(shorter):
        following = longer[len(shorter)]
        return (
            following in PREPOSITIONS
            or _is_adverb(following)
            or (isinstance(following, str) and " " in following)
        )
    start = len(longer) - len(shorter)
    if tuple(longer[start:]) == tuple(shorter):
        return all(is_adjective(item) for item in longer[:start])
    # one adjective inside: "is a fast database" beside "is a database"
    return len(longer) == len(shorter) + 1 and any(
        tuple(longer[:at]) + tuple(longer[at + 1 :]) == tuple(shorter) and is_adjective(longer[at])
        for at in range(len(longer))
    )


def _conjuncts(items: Sequence[Item]) -> list[tuple[Item, ...]]:
    parts: list[list[Item]] = [[]]
    for item in items:
        if item == "and":
            parts.append([])
        else:
            parts[-1].append(item)
    return [tuple(part) for part in parts]


def _is_adverb(item: Item) -> bool:
    return isinstance(item, str) and item.endswith(_ADVERB_ENDINGS) and len(item) > 4


def is_adjective(item: Item) -> bool:
    if isinstance(item, Quantity):
        return True
    if item in PREPOSITIONS or item in _BLOCKERS:
        return False
    return (
        item in AXES
        or item in _MORE_ADJECTIVES
        or item in GROUP_OF
        or _is_adverb(item)
        or (len(item) > 5 and item.endswith(_ADJECTIVE_ENDINGS))
    )
