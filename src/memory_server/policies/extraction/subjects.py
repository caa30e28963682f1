"""Who a clause speaks of: names as they stand, pronouns resolved to what was last spoken of."""

from __future__ import annotations

import re
from dataclasses import dataclass

from .lexicon import TIMES, words
from .readings import Reading
from .regions import Range
from .tag_sets import NOMINAL
from .verbs import BASE, FORMS

STATED, SECONDARY, RESOLVED, VAGUE = 0.8, 0.75, 0.7, 0.6

_FIRST = frozenset(("i", "me", "myself"))
_WE = frozenset(("we", "us"))
_THIRD_PERSON = frozenset(("he", "she"))
_OTHER_SEX = {
    "he": re.compile(
        r"\b(?:M(?:r?s|iss)\.?|(?:wife|sister|mother|mom|daughter|girlfriend|aunt|grandmother)\b)"
    ),
    "she": re.compile(r"\b(?:Mr\b\.?|(?:husband|brother|father|dad|son|boyfriend|uncle|grandfather)\b)"),
}
_THINGS = frozenset(("it", "they"))
NO_SUBJECT = words(
    """
    you it this that these those there they he she we i what which who one ones someone somebody anyone anybody everyone
    everybody something anything everything nothing nobody none all both each either neither many some few several most
    other others another such much more here mine yours
    """
)
_PARTICLES = words("out up down off over")
_CLAUSAL = frozenset(("WH", "TH", "SU", "MD", "VD", "VZ", ";", ":"))
_ARTICLES = words("the a an this that these those")
_OWNERS = words("my our his her their its")
_NO_HEADS = frozenset(("WH", "EX", "VG", "VN", "TO", "IN", "TH", "MD"))
_INFORMAL = words("todo til nb ps gonna wanna gotta thanks thank please pls plz lol yeah nah btw")
NEGATIVE_QUANTIFIERS = words("no none nobody nothing neither few little")
_NO_OPENERS = NEGATIVE_QUANTIFIERS | words(
    "dear hi hello hey having being gonna your you sounds looks seems feels"
)
_VAGUE_OPENERS = words("this these that those some many most one another other such his her their its your")
_NAME_IN_QUOTES = re.compile(r"(?P<before>[^\"“”„«»]{0,60}?)\s?[\"“„«]?(?P<name>[^\"“”„«»]{1,60})[\"”“»]")
_QUOTES = frozenset('"“”„«»*:|<>')
ROLES = words(
    """
    manager boss wife husband brother sister mother father friend colleague doctor teacher lead engineer developer
    designer client customer daughter son mom dad partner girlfriend boyfriend cousin uncle aunt neighbour neighbor
    """
)


@dataclass(slots=True)
class Subjects:
    """Who and what was last spoken of, for pronouns to point at."""

    speaker: str
    thing: str = ""
    person: str = ""
    plural: str = ""

    def forget(self) -> None:
        """Lets pronouns point at nothing: somebody else speaks, or about something else."""
        self.thing = self.person = self.plural = ""

    def owner(self, possessive: str) -> str:
        """'my' -> "user's ", 'its' -> "Heron's "; empty where nobody fits."""
        if possessive in ("my", "our"):
            name = self.speaker
        elif possessive in ("his", "her"):
            name = self.person
        elif possessive == "their":
            name = self.plural
        else:
            name = self.thing
        return f"{name}'s " if name else ""


def subjects_of(reading: Reading, span: Range, subjects: Subjects) -> list[tuple[str, float]]:
    """Each name that a subject stands for, with the trust in it; none where it cannot be told."""
    start, end = span
    tags = reading.tags
    if start >= end or end - start > 10:
        return []
    if tags[start] == "JJ" and start + 1 < end and tags[start + 1] in ("DT", "PP"):
        start += 1  # 'sure the design …'
    if end - start == 1:
        return _single_word(reading, start, subjects)
    if reading.tokens[start].low == "both" and "CC" in tags[start:end]:
        start += 1
    if _is_no_name(reading, start, end):
        return []
    conjunctions = [j for j in range(start, end) if tags[j] == "CC"]
    if (
        len(conjunctions) == 1
        and reading.tokens[conjunctions[0]].low == "and"
        and "IN" not in tags[start:end]
    ):
        left = list_parts(reading, start, conjunctions[0])
        parts = [*left, (conjunctions[0] + 1, end)] if left else []
        if parts:
            return [name for part in parts for name in subjects_of(reading, part, subjects)]
    if "PR" in tags[start:end]:
        return []
    return _phrase(reading, start, end, subjects)


def _is_no_name(reading: Reading, start: int, end: int) -> bool:
    first, tags = reading.tokens[start].low, reading.tags
    return (
        first in _NO_OPENERS
        or tags[start] in _NO_HEADS
        or _commands(reading, start)
        or _holds_infinitive(tags, start, end)
        or any(tags[j] in _CLAUSAL for j in range(start, end))
    )


def _phrase(reading: Reading, start: int, end: int, subjects: Subjects) -> list[tuple[str, float]]:
    """A noun phrase without its article, or with its owner's name for 'my', 'his', 'its'."""
    first = reading.tokens[start].low
    timed = first == "this" and reading.tokens[start + 1].low in TIMES
    trust = VAGUE if first in _VAGUE_OPENERS and not timed else STATED
    owner = ""
    if first in _OWNERS:
        owner = subjects.owner(first)
        trust = STATED if first in ("my", "our") else RESOLVED
        if not owner:
            return []
    if owner or (first in _ARTICLES and not timed):
        start += 1
        trust = min(trust, SECONDARY if first in ("a", "an") else trust)
    name = _unquoted(reading.words((start, end)).replace(" 's ", "'s ").replace(" ’s ", "’s "))
    if (
        not name
        or name.lower() in NO_SUBJECT
        or _QUOTES & set(name)
        or name.count("(") != name.count(")")
        or not any(map(str.isalnum, name))
    ):
        return []
    return [(owner + ("user" if name == "User" else name), trust)]


def _unquoted(name: str) -> str:
    """'Project "Heron"' without the marks; a name that is quoted in more than one place stays as it is."""
    found = _NAME_IN_QUOTES.fullmatch(name)
    return " ".join(found.group("before", "name")).strip() if found else name


def _commands(reading: Reading, start: int) -> bool:
    """'Use apps like …': a bare verb at the head of the sentence orders something and is no subject."""
    token = reading.tokens[start]
    if start > 1 or not FORMS.get(token.low, 0) & BASE:
        return False
    after = reading.tags[start + 1]
    return (
        reading.tags[start] == "VB"
        or after in ("DT", "PP", "PR", "JJ")
        or reading.tokens[start + 1].low in _PARTICLES
    )


def _holds_infinitive(tags: list[str], start: int, end: int) -> bool:
    return tags[end - 1] == "TO" or any(
        tags[j] == "TO" and tags[j + 1] in ("VB", "AX") for j in range(start, end - 1)
    )


def _single_word(reading: Reading, index: int, subjects: Subjects) -> list[tuple[str, float]]:
    low, text = reading.tokens[index].low, reading.tokens[index].text
    if low in _INFORMAL:
        return []
    if low in _FIRST:
        return [(subjects.speaker, STATED)]
    if low in _WE:
        return [(subjects.speaker, VAGUE)]
    if low in _THIRD_PERSON:
        fits = subjects.person and not _OTHER_SEX[low].search(subjects.person)
        return [(subjects.person, RESOLVED)] if fits else []
    if low in _THINGS:
        name = subjects.thing if low == "it" else subjects.plural
        return [(name, RESOLVED)] if name else []
    if (
        low in NO_SUBJECT
        or reading.tags[index] not in NOMINAL
        or low in TIMES
        or not text.strip("`")[:1].isalnum()
    ):
        return []
    if reading.tags[index] == "CD" or (reading.tags[index] == "JJ" and not text[0].isupper()):
        return []
    return [("user" if low == "user" else text.strip("`"), STATED)]


def list_parts(reading: Reading, start: int, end: int) -> list[Range]:
    """The comma-separated names before an 'and', or nothing if they are no plain names."""
    parts: list[Range] = []
    begin = start
    for j in range(start, end + 1):
        if j == end or reading.tags[j] == ",":
            if begin < j:
                parts.append((begin, j))
            begin = j + 1
    plain = all(
        stop - first <= 4
        and all(
            reading.tags[j] in NOMINAL or reading.tags[j] in ("DT", "PR", "PP") for j in range(first, stop)
        )
        for first, stop in parts
    )
    return parts if plain else []
