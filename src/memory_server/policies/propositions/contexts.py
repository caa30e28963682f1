"""The circumstances that a proposition names for itself: in production, on Linux, for small teams."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

from memory_server.policies.propositions.lexicon import PREPOSITIONS, words
from memory_server.policies.quantities import read_quantity


@dataclass(frozen=True, slots=True)
class Context:
    """One circumstance: its kind and the phrase itself.

    Kinds are time, environment, platform, audience, condition ("under load"), case ("if it rains") and given.
    """

    kind: str
    phrase: str


ENVIRONMENTS = words(
    """production prod staging development dev test tests testing ci qa sandbox preview release debug beta
    alpha practice theory general lab laboratory cloud kubernetes docker containers container vm vms
    browser browsers office home school work private public parallel"""
)
PLATFORMS = words(
    """linux windows macos mac osx android ios ipados mobile desktop arm arm64 x86 amd64 gpu gpus cpu cpus
    unix bsd freebsd debian ubuntu fedora alpine aws gcp azure kubernetes firefox chrome safari server
    servers laptop laptops phone phones tablets"""
)
TIMES = words(
    """monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays
    saturdays sundays weekends weekdays weekend january february march april june july august
    september october november december spring summer autumn winter night noon midnight morning
    afternoon evening mornings afternoons evenings nights past future holidays"""
)
LOADS = words("load pressure stress heat vibration concurrency contention scale rest runtime startup peak")

_ALWAYS: Mapping[str, str] = MappingProxyType(
    {
        "during": "time",
        "since": "time",
        "until": "time",
        "till": "time",
        "before": "time",
        "after": "time",
        "when": "case",
        "whenever": "case",
        "while": "case",
        "if": "case",
        "unless": "case",
    }
)
_OPENERS = words("in on for at under within as") | frozenset(_ALWAYS)
_YEAR = re.compile(r"(?:1[5-9]|20|21)\d\d(?:s|-\d\d(?:-\d\d)?)?")
_MAX_WORDS = 6


def opens_context(word: str) -> bool:
    """Whether a context may begin with this case-folded word."""
    return word in _OPENERS


def read_context(
    sentence: Sequence[str], at: int, *, argument: Literal["none", "place", "any"] = "none"
) -> tuple[Context, int] | None:
    """The context that begins at `at` with the index after it; None where no known kind begins there.

    `argument` says what else the phrase may be where it directly follows a verb: for "place" ("lives in …") a
    time is still a circumstance, for "any" ("was founded in …") it is not.
    """
    opener = sentence[at]
    after = _phrase_end(sentence, at)
    if after <= at + 1:
        return None
    counted = read_quantity(sentence, at + 1) is not None
    if opener in _ALWAYS and (argument == "any" or counted) and not _YEAR.fullmatch(sentence[at + 1]):
        # "expires after 30 days" says how long, not when
        return None
    if opener in _ALWAYS:
        end = len(sentence) if _ALWAYS[opener] == "case" else after
        return Context(_ALWAYS[opener], " ".join(sentence[at:end])), end
    kind = _kind_of(opener, sentence[at + 1 : after])
    if kind is None or argument == "any" or (argument == "place" and kind != "time"):
        return None
    return Context(kind, " ".join(sentence[at:after])), after


def differ(a: frozenset[Context], b: frozenset[Context]) -> bool:
    """Whether two sets of contexts speak of different circumstances.

    What names none holds in all, but for cases: what is so if it rains says nothing of what is so.
    """
    if a == b:
        return False
    if cases(a) != cases(b):
        return True
    if not a or not b:
        return False
    kinds_a = {context.kind for context in a}
    for context in b:
        if context.kind in kinds_a and not any(context == other for other in a):
            return True
    return a.isdisjoint(b)


def cases(contexts: frozenset[Context]) -> frozenset[Context]:
    """The conditions among contexts: "if …", "when …", "unless …"."""
    return frozenset(context for context in contexts if context.kind == "case")


def _phrase_end(sentence: Sequence[str], at: int) -> int:
    """The index of the next preposition, comma or the end, at most a few words on."""
    end = at + 1
    while end < len(sentence) and end - at <= _MAX_WORDS:
        if sentence[end] == "," or sentence[end] in PREPOSITIONS or sentence[end] in _ALWAYS:
            return end
        end += 1
    return end


def _kind_of(opener: str, phrase: Sequence[str]) -> str | None:
    head, first = phrase[-1], phrase[0]
    if opener in ("in", "on", "at", "within", "as"):
        if _YEAR.fullmatch(head) or head in TIMES or first in TIMES:
            return "time"
        if head in LOADS and opener == "at":
            return "condition"
        if len(phrase) <= 2 and (head in PLATFORMS or first in PLATFORMS) and opener == "on":
            return "platform"
        if head in ENVIRONMENTS or (
            first in ENVIRONMENTS and head in ("mode", "environment", "environments")
        ):
            return "environment"
        return None
    if opener == "under":
        return "condition" if head in LOADS else None
    return "audience" if opener == "for" else None
