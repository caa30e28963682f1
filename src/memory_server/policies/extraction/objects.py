"""What a clause says of its subject: the preposition that goes into the predicate and the object itself."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from .adjuncts import parts_of
from .clauses import Clause
from .lexicon import BE, NEGATIONS, SPEECH, words
from .predicates import is_past
from .readings import Reading
from .regions import Range
from .subjects import list_parts
from .tag_sets import NOMINAL
from .verb_groups import Verb
from .verbs import FORMS, THIRD

_PREPOSITIONS = words(
    """
    in on at by for with from to into onto under over as via against through across inside within about of up after
    before until since than near like without
    """
)


_CUTTING = frozenset(("SU", ";", "-", "(", "."))
_ONLY_THEN = words("when whenever unless until till")  # what holds only then is kept with what holds
_PARTICLES = words("off up down over out on in back away through")
_NEW_THOUGHT = frozenset(("WH", "VG", "PR", "SU", "RB", "TH"))
_NAMING = NOMINAL | {"HY"}
_TURNING = words("but so yet not which")
_TRAILING = frozenset((",", ".", "CC", ";", ":", "-", ")", "Q"))
_PASSING = words("now currently already still also")
_IDLE = words("not n't n’t never then also now still already just only even")


class Said(NamedTuple):
    """One thing said of a subject; `article` is a, an or no where it was cut off."""

    verb: Verb
    preposition: str
    thing: str
    article: str = ""
    name: str = ""  # the predicate, where the words of the verb do not give it


def objects_of(reading: Reading, clause: Clause) -> list[Said]:
    """Each thing that a clause says of its subject; none where it says nothing that can be stored."""
    start, end = _object_range(reading, clause)
    if start > clause.region[0] and reading.tags[clause.region[0]] == "," and clause.verb.head not in SPEECH:
        return []  # 'blocked, waits for …' says no thing that is blocked
    if clause.verb.head == "do" and start < end and reading.tags[start] == "PR":
        return []  # 'do you think' in the middle of a sentence asks
    tokens, tags = reading.tokens, reading.tags
    if start + 1 < end and tags[start] == "RB" and tags[start + 1] in ("IN", "TO"):
        if tokens[start].low in NEGATIONS:
            return []  # 'runs not on X but …'
        start += 0 if tokens[start + 1].low == "than" else 1
    if start < end and tags[start] == "TH" and clause.verb.head in SPEECH:
        start += 1
    preposition = ""
    opener = tokens[start].low if start < end else ""
    if start + 1 < end and tags[start] in ("IN", "TO") and opener in _PREPOSITIONS | _PARTICLES:
        preposition = _preposition(reading, start, end)
        start += len(preposition.split())
    while clause.verb.copular and start + 1 < end and tags[start] == "RB" and tokens[start].low in _PASSING:
        start += 1
    if start >= end:
        return _state(reading, clause)
    if (
        clause.verb.copular
        and end - start == 1
        and tokens[start].low in ("off", "on", "up", "down", "out", "over")
    ):
        return [Said(clause.verb, "", tokens[start].text)]
    if tags[start] in ("WH", "TH") or (end - start == 1 and tags[start] in ("IN", "TO")):
        return []
    first, *beside = parts_of(reading, clause.verb, preposition, (start, end))
    return [
        *_said(reading, clause.verb, preposition, first.span),
        *(Said(clause.verb, part.preposition, reading.words(part.span), name=part.name) for part in beside),
    ]


def _said(reading: Reading, verb: Verb, preposition: str, span: Range) -> list[Said]:
    """The object itself, each member of a plain list on its own."""
    start, end = span
    parts = [] if verb.copular else _object_list(reading, start, end)
    if parts:
        return [Said(verb, preposition, reading.words(_without_the(reading, part))) for part in parts]
    if not verb.copular:
        start, end = _without_the(reading, span)
    article = reading.tokens[start].low if end - start > 1 and reading.tags[start] == "DT" else ""
    if article == "no" or (article in ("a", "an") and verb.copular):
        return [Said(verb, preposition, reading.words((start + 1, end)), article)]
    return [Said(verb, preposition, reading.words((start, end)))]


def _without_the(reading: Reading, span: Range) -> Range:
    """A thing that is a node of the graph goes by the same name as an object and as a subject: without its 'the'."""
    start, end = span
    named = 1 < end - start <= 5 and set(reading.tags[start + 1 : end]) <= _NAMING
    return (start + 1, end) if named and reading.tokens[start].low == "the" else span


def _preposition(reading: Reading, start: int, end: int) -> str:
    """The preposition at `start`, with the particle before it ('off on'); '' where it belongs to a number."""
    low, after = reading.tokens[start].low, reading.tags[start + 1]
    if low in ("about", "around", "over") and after in ("JJ", "CD"):
        return ""
    if low == "up" and reading.tokens[start + 1].low == "to" and start + 2 < end:
        return "" if reading.tags[start + 2] == "CD" else "up to"
    if low in _PARTICLES and start + 2 < end and after in ("IN", "TO"):
        following = reading.tokens[start + 1].low
        return f"{low} {following}" if following in _PREPOSITIONS else low
    return low if low in _PREPOSITIONS else ""


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
        comma = here == "," and (
            after in _NEW_THOUGHT
            or (j + 1 < end and tokens[j + 1].low in _TURNING)
            or _does_more(reading, j + 1, end)
        )
        turn = comma or (here == "CC" and tokens[j].low in ("but", "yet") and j > start)
        if (
            here == "SU"
            and tokens[j].low in _ONLY_THEN
            and j > start
            and not is_past(_heard(reading, clause))
        ):
            continue
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


def _does_more(reading: Reading, j: int, end: int) -> bool:
    """'finished the wall, starts on the roof': a verb with a preposition behind it is no member of a list."""
    return (
        j + 1 < end
        and bool(FORMS.get(reading.tokens[j].low, 0) & THIRD)
        and reading.tags[j + 1] in ("IN", "TO")
        and reading.tokens[j + 1].low != "of"
    )


def _heard(reading: Reading, clause: Clause) -> list[str]:
    return [token.low for token in reading.tokens[clause.verb.start : clause.verb.end]]


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
