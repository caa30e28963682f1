"""Noun phrases and the stretches before a verb: where a subject stands, what is fronted, what is an aside."""

from __future__ import annotations

from .lexicon import TIMES
from .tag_sets import NOMINAL
from .tokens import Token

Range = tuple[int, int]
_SKIP_AHEAD = frozenset((",", "CC", "RB", "-", "Q", ":", ";", ")", "HY", "."))
_HEADS = frozenset(("NN", "NP", "CD", "PR", "EX", "JJ", "DT", "TH"))


def nominal_before(tags: list[str], i: int) -> bool:
    """Whether a noun or name stands just before i, marks apart."""
    while i >= 0 and tags[i] in (",", "Q", ")"):
        i -= 1
    return i >= 0 and tags[i] in NOMINAL


def noun_phrase_ending(tokens: list[Token], tags: list[str], stop: int, floor: int) -> Range:
    """The noun phrase that ends just before `stop`, with an of-phrase in front kept as its head."""
    end = stop
    while end > floor and tags[end - 1] in (",", "IN", "Q", "RB", "-", "TO"):
        end -= 1
    start = end
    while start > floor:
        here = tags[start - 1]
        if (
            here in NOMINAL
            or here in ("PO", "HY", "Q")
            or (here == "CC" and start - 2 >= floor and tags[start - 2] == "NP" and tags[start] == "NP")
        ):
            start -= 1
        elif here in ("DT", "PP"):
            start -= 1
            if start > floor and tags[start - 1] == "IN" and tokens[start - 1].low == "of":
                start -= 1
                continue
            break
        elif here == "IN" and tokens[start - 1].low == "of":
            start -= 1
        else:
            break
    if start == end and end > floor and tags[end - 1] in ("PR", "DT"):
        start = end - 1
    while start < end and tags[start] in ("IN", "CC", ",", "HY"):
        start += 1
    return (start, end)


def trim(tags: list[str], span: Range) -> Range:
    """A range without the marks, conjunctions and adverbs at its ends."""
    start, end = span
    while start < end and tags[start] in (",", "CC", "RB", "-", ":", ";", "SU", ")", "HY", "."):
        start += 1
    while end > start and tags[end - 1] in (",", "CC", "-", ":", ";", "RB", "(", "HY"):
        end -= 1
    return (start, end)


def after_front(tokens: list[Token], tags: list[str], span: Range) -> tuple[Range, list[Range]]:
    """Drops a fronted adverbial ('In 1995 , …') and tells where it stood."""
    start, end = span
    while start < end and tags[start] in _SKIP_AHEAD:
        start += 1
    if start >= end:
        return (end, end), []
    opener = tags[start]
    timely = tokens[start].low in (
        "earlier",
        "later",
        "last",
        "this",
        "next",
        "recently",
        "early",
        "late",
    ) and any(tokens[j].low in TIMES for j in range(start, min(start + 4, end)))
    if opener in ("IN", "VG", "VN", "TO", "SU", "AX") or timely:
        stops = [j for j in range(start, end) if tags[j] == ","]
        if stops and stops[-1] == end - 1 and len(stops) > 1:
            stops = stops[:-1]
        if stops:
            cut = stops[-1]
            if len(stops) > 1 and opener == "IN" and "CC" not in tags[stops[0] : end]:
                cut = stops[0] if not _year_like(tokens, stops[0] + 1) else stops[1]
            return (cut + 1, end), [(start, cut)]
        cut = _unmarked_front(tokens, tags, start, end)
        return ((cut, end), [(start, cut)]) if cut else ((start, end), [])
    return (start, end), []


def _year_like(tokens: list[Token], i: int) -> bool:
    return i < len(tokens) and tokens[i].low.isdigit()


def _unmarked_front(tokens: list[Token], tags: list[str], start: int, end: int) -> int:
    """Where the subject starts after a fronted phrase without a comma, 0 if it cannot be told."""
    for j in range(end - 1, start + 1, -1):
        if tags[j] in ("DT", "PP", "PR", "EX") and tags[j - 1] in NOMINAL:
            return j
        if tags[j] == "NP" and tags[j - 1] in ("NN", "CD"):
            return j
        if (
            tags[j - 1] in ("NN", "NP")
            and (
                (tags[j] == "CD" and tags[j - 1] == "NN")
                or tokens[j].low in ("several", "many", "some", "most")
            )
            and j < end - 1
        ):
            return j
    return 0


def split_region(tokens: list[Token], tags: list[str], span: Range) -> tuple[Range, list[Range], Range]:
    """The subject in the region before a verb, what was fronted, and an aside between commas."""
    (start, end), fronted = after_front(tokens, tags, span)
    start, end = trim_left(tags, start, end)
    if start >= end:
        return (end, end), fronted, (0, 0)
    aside: Range = (0, 0)
    if tags[end - 1] in (",", ")", "-"):
        opener = {",": ",", ")": "(", "-": "-"}[tags[end - 1]]
        first = next((j for j in range(start, end - 1) if tags[j] == opener), -1)
        if first > start:
            aside = (first + 1, end - 1)
            end = first
    start, end = trim(tags, (start, end))
    if not any(tags[j] in _HEADS for j in range(start, end)):
        return (end, end), fronted, aside
    return (start, end), fronted, aside


def trim_left(tags: list[str], start: int, end: int) -> Range:
    """A range without the marks, conjunctions and adverbs at its start."""
    while start < end and tags[start] in (",", "CC", "RB", "-", ":", ";", ")", "("):
        start += 1
    return (start, end)


def phrase_start(tags: list[str], end: int, floor: int) -> int:
    """Where the noun phrase that ends before `end` begins."""
    start = end
    while start > floor and (tags[start - 1] in NOMINAL or tags[start - 1] in ("HY", "PO")):
        start -= 1
    return start - 1 if start > floor and tags[start - 1] in ("DT", "PP") else start
