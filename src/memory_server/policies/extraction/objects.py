"""What a clause says of its subject: the preposition that goes into the predicate and the object itself."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from .clauses import Clause
from .lexicon import BE, SPEECH, words
from .readings import Reading
from .regions import Range
from .subjects import list_parts
from .verb_groups import Verb

_PREPOSITIONS = words(
    """
    in on at by for with from to into onto under over as via against through across inside within about of up after
    before until since than near like without
    """
)


_CUTTING = frozenset(("SU", ";", "-", "("))
_NEW_THOUGHT = frozenset(("WH", "VG", "PR", "SU", "RB", "TH"))
_TURNING = words("but so yet not which")
_TRAILING = frozenset((",", ".", "CC", ";", ":", "-", ")", "Q"))
_IDLE = words("not n't n’t never then also now still already just only even")


class Said(NamedTuple):
    """One thing said of a subject; `article` is a, an or no where it was cut off."""

    verb: Verb
    preposition: str
    thing: str
    article: str = ""


def objects_of(reading: Reading, clause: Clause) -> list[Said]:
    """Each thing that a clause says of its subject; none where it says nothing that can be stored."""
    start, end = _object_range(reading, clause)
    if clause.verb.head == "do" and start < end and reading.tags[start] == "PR":
        return []  # 'do you think' in the middle of a sentence asks
    tokens, tags = reading.tokens, reading.tags
    if start + 1 < end and tags[start] == "RB" and tags[start + 1] in ("IN", "TO"):
        start += 1
    if start < end and tags[start] == "TH" and clause.verb.head in SPEECH:
        start += 1
    preposition = ""
    if start + 1 < end and tags[start] in ("IN", "TO") and tokens[start].low in _PREPOSITIONS:
        nearly = tokens[start].low in ("about", "around", "over") and tags[start + 1] in ("JJ", "CD")
        preposition = "" if nearly else tokens[start].low
        start += 0 if nearly else 1
    if start >= end:
        return _state(reading, clause)
    if tags[start] in ("WH", "TH") or (end - start == 1 and tags[start] in ("IN", "TO")):
        return []
    parts = [] if clause.verb.copular else _object_list(reading, start, end)
    if parts:
        return [Said(clause.verb, preposition, reading.words(part)) for part in parts]
    article = tokens[start].low if end - start > 1 and tags[start] == "DT" else ""
    if article == "no" or (article in ("a", "an") and clause.verb.copular):
        return [Said(clause.verb, preposition, reading.words((start + 1, end)), article)]
    return [Said(clause.verb, preposition, reading.words((start, end)))]


def _state(reading: Reading, clause: Clause) -> list[Said]:
    """'X is painted' without anything after it says that X is 'painted'."""
    verb, tokens = clause.verb, reading.tokens
    if not verb.passive or tokens[verb.start].low not in BE:
        return []
    begin = verb.start + 1
    while begin < verb.end and tokens[begin].low in _IDLE:
        begin += 1
    state = replace(verb, end=verb.start + 1, copular=True, passive=False, head="be")
    return [Said(state, "", reading.words((begin, verb.end)))]


def _object_range(reading: Reading, clause: Clause) -> Range:
    """The arguments up to where another thought begins."""
    start, end = clause.region
    tags, tokens = reading.tags, reading.tokens
    for j in range(start, end):
        here, after = tags[j], tags[j + 1] if j + 1 < end else "."
        turn = here == "," and (after in _NEW_THOUGHT or (j + 1 < end and tokens[j + 1].low in _TURNING))
        if here in _CUTTING or turn:
            end = j
            break
    quoted = tags[start:end].count("Q") % 2 == 0
    while end > start and tags[end - 1] in _TRAILING and not tokens[end - 1].text[0].isalnum():
        if quoted and tags[end - 1] == "Q":
            break
        end -= 1
    while end > start and tags[end - 1] == "CC":
        end -= 1
    while start < end and tags[start] in ((":", ",") if quoted else (":", "Q", ",")):
        start += 1
    return start, end


def _object_list(reading: Reading, start: int, end: int) -> list[Range]:
    tags = reading.tags
    conjunctions = [j for j in range(start, end) if tags[j] == "CC"]
    if len(conjunctions) != 1 or reading.tokens[conjunctions[0]].low != "and":
        return []
    if any(tags[j] in ("IN", "TO", "WH", "TH", "VN", "VB") for j in range(start, end)):
        return []
    left = list_parts(reading, start, conjunctions[0])
    right = list_parts(reading, conjunctions[0] + 1, end)
    if not left or len(right) != 1:
        return []
    parts = [*left, *right]
    return parts if all(_is_plain_name(tags[first:stop]) for first, stop in parts) else []


def _is_plain_name(tags: list[str]) -> bool:
    """'Redis', 'Python 3.9', 'libfoo 1.2', but not 'old cars', whose adjective may belong to all of a list."""
    return tags[-1] in ("NP", "NN", "CD") and (tags[0] == "NP" or len(tags) == 1 or tags[1:] == ["CD"])
