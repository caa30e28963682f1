"""What trails behind an object without being part of it: when it happened, at which address, as what, and fillers."""

from __future__ import annotations

import re
from typing import NamedTuple

from .lexicon import MONTHS, TIMES, WEEKDAYS, words
from .predicates import is_past
from .readings import Reading
from .regions import Range
from .verb_groups import Verb

_FILLERS = (
    ("any", "more"),
    ("anymore",),
    ("by", "the", "way"),
    ("btw",),
    ("as", "well"),
    ("too",),
    ("then",),
    ("please",),
    ("in", "my", "opinion"),
    ("in", "my", "view"),
    ("i", "think"),
    ("i", "believe"),
    ("as", "far", "as", "i", "know"),
)
_INSTEAD = (("instead", "of"), ("rather", "than"), ("in", "place", "of"))
_ROLE_VERBS = words("work serve act start volunteer train")
_CHANGING = words(
    """
    go move change switch migrate relocate raise lower increase decrease reduce rename upgrade downgrade extend grow
    rise fall drop shift transfer convert
    """
)
_YEAR = re.compile(r"(?:1[5-9]|20)\d\d(?:-\d\d(?:-\d\d)?)?\Z")
_DAY = re.compile(r"\d{1,2}(?:st|nd|rd|th)?\Z")
_IP_ADDRESS = re.compile(r"\d{1,3}(?:\.\d{1,3}){3}(?::\d{1,5})?(?:/\d{1,2})?\Z")
_PORT = re.compile(r"\d{2,5}\Z")


class Part(NamedTuple):
    """A stretch of what follows a verb: the preposition it hangs on, or the name of what it gives."""

    preposition: str
    span: Range
    name: str = ""


def parts_of(reading: Reading, verb: Verb, preposition: str, span: Range) -> list[Part]:
    """The object of a verb first, then what was said beside it; fillers are dropped."""
    past = is_past([token.low for token in reading.tokens[verb.start : verb.end]])
    start, end = without_fillers(reading, span, past=past)
    tail: list[Part] = []
    while True:
        cut = None if verb.copular else _last_part(reading, verb, preposition, (start, end))
        if cut is None:
            break
        end = cut[0]
        tail.insert(0, cut[1])
    return [Part(preposition, (start, end)), *tail]


def without_fillers(reading: Reading, span: Range, *, past: bool = False) -> Range:
    """The span without 'any more', 'by the way', and without the 'instead of …' that names what it is not.

    Of what is `past` the words that count from the day it was said go too: 'last week', 'yesterday'.
    """
    start, end = span
    low = [token.low for token in reading.tokens[start:end]]
    for opener in _INSTEAD:
        at = next((j for j in range(1, len(low)) if tuple(low[j : j + len(opener)]) == opener), 0)
        if at:
            low = low[:at]
    found = True
    while found:
        width = next((len(f) for f in _FILLERS if len(low) > len(f) and tuple(low[-len(f) :]) == f), 0)
        if past and not width:
            width = _counted_from_today(low)
        low = low[: len(low) - width]
        while width and len(low) > 1 and low[-1] == ",":
            low.pop()
        found = bool(width)
    return start, start + len(low)


def _counted_from_today(low: list[str]) -> int:
    """How many words at the end of what is past count from the day it was said; 0 where nothing else is left."""
    if len(low) > 2 and low[-2] in ("last", "this") and low[-1] in TIMES:
        return 2
    return 1 if len(low) > 1 and low[-1] == "yesterday" else 0


def _last_part(reading: Reading, verb: Verb, preposition: str, span: Range) -> tuple[int, Part] | None:
    """The last thing said beside the object and where it begins; None where the object is all there is."""
    start, end = span
    tokens, tags = reading.tokens, reading.tags
    stands_alone = (
        bool(preposition) or verb.passive
    )  # 'founded the choir in 2011': nobody was founded in 2011
    for j in range(end - 2, max(start, end - 6), -1):
        low, inside = tokens[j].low, (j + 1, end)
        if tags[j] == "," and tokens[j + 1].low == "port" and _is_port(reading, inside):
            return j, Part("", (j + 2, end), "port")
        if tags[j] not in ("IN", "TO"):
            continue
        if low in ("in", "on", "since") and low != preposition and _is_date(reading, inside):
            return (j, Part(low, inside)) if stands_alone else None
        if low in ("at", "on") and low != preposition and _is_address(reading, inside):
            return j, Part(low, inside)
        if low == "as" and verb.head in _ROLE_VERBS and tags[j + 1] == "DT":
            return j, Part("as", inside)
        if low == "to" and preposition == "from" and verb.head in _CHANGING:
            return j, Part("to", inside)
        return None
    return None


def _is_date(reading: Reading, span: Range) -> bool:
    """'2021', 'May 2021', '3 May 1991', 'Friday'."""
    said = [token.low.rstrip(".,") for token in reading.tokens[slice(*span)] if token.low != ","]
    if not said or len(said) > 4:
        return False
    dated = any(word in MONTHS or word in WEEKDAYS or _YEAR.match(word) for word in said)
    return dated and all(
        word in MONTHS or word in WEEKDAYS or _YEAR.match(word) or _DAY.match(word) for word in said
    )


def _is_address(reading: Reading, span: Range) -> bool:
    start, end = span
    text = reading.tokens[start].text
    return end - start == 1 and (bool(_IP_ADDRESS.match(text)) or "://" in text)


def _is_port(reading: Reading, span: Range) -> bool:
    start, end = span
    return end - start == 2 and bool(_PORT.match(reading.tokens[end - 1].text))
