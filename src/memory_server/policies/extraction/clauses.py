"""Cuts a tagged sentence into clauses: who, does what, with which arguments."""

from __future__ import annotations

from dataclasses import dataclass, field

from .lexicon import SPEECH
from .regions import Range, after_front, nominal_before, noun_phrase_ending, split_region, trim
from .tokens import Token
from .verb_groups import Verb, verb_groups

_INNER = frozenset(("relative", "gap", "sub"))


@dataclass(slots=True)
class Clause:
    """One predication; ranges are token indexes, half open."""

    kind: str
    subject: Range
    verb: Verb
    region: Range
    fronted: list[Range] = field(default_factory=list)
    aside: Range = (0, 0)
    object: Range = (0, 0)
    place: Range = (0, 0)


def clauses(tokens: list[Token], tags: list[str]) -> list[Clause]:
    """The clauses of a sentence in the order of their verbs."""
    groups = verb_groups(tokens, tags)
    out: list[Clause] = []
    outer: Range = (0, 0)
    position = 0
    for number, verb in enumerate(groups):
        mark = _boundary(tokens, tags, position, verb.start, first=number == 0)
        previous = out[-1] if out else None
        clause = _inverted(tokens, tags, verb) or _make(tokens, tags, position, mark, verb, previous, outer)
        if previous is not None:
            _close(previous, clause, mark if mark >= 0 else verb.start)
            if _said_before(tokens, tags, clause, mark):
                clause.object = (0, mark)
        if clause.kind in ("main", "coord"):
            outer = clause.subject
        elif clause.kind in ("relative", "gap") and previous is None:
            outer = trim(tags, after_front(tokens, tags, (0, mark))[0])
        out.append(clause)
        position = verb.end
    return [clause for clause in out if clause.subject[0] < clause.subject[1]]


def _boundary(tokens: list[Token], tags: list[str], start: int, stop: int, *, first: bool) -> int:
    """Where the clause of the verb at `stop` begins: the index of its opening mark, or -1."""
    strong = semi = comma = conj = -1
    commas: list[int] = []
    for j in range(start, stop):
        here = tags[j]
        if here in ("SU", "WH", "TH"):
            if not (here == "WH" and strong == j - 1 and strong >= 0):
                strong = j
            comma = conj = -1
            commas = []
        elif here in (";", ":", "-"):
            semi = j
        elif here == ",":
            comma = j
            commas.append(j)
        elif here == "CC":
            conj = j
    if strong >= 0:
        return strong
    if semi >= 0 and semi > comma - 40 and not first:
        return semi
    if first:
        return -1
    if conj >= 0 and _only(tags, conj + 1, stop, ("RB", ",")):
        return conj - 1 if tags[conj - 1] == "," and conj - 1 >= start else conj
    if comma == stop - 1 and comma >= 0:
        return commas[-2] if len(commas) > 1 else comma
    if conj > 0 and tags[conj - 1] == "," and conj - 1 >= start:
        return conj - 1 if len(commas) < 3 else commas[0]
    if comma >= 0 and conj > comma:
        return comma
    if conj >= 0 and comma < 0:
        return conj
    return comma


def _only(tags: list[str], start: int, stop: int, allowed: tuple[str, ...]) -> bool:
    return all(tags[j] in allowed for j in range(start, stop))


def _make(
    tokens: list[Token],
    tags: list[str],
    position: int,
    mark: int,
    verb: Verb,
    previous: Clause | None,
    outer: Range,
) -> Clause:
    region = (verb.end, len(tokens))
    if mark < 0:
        return _unmarked(tokens, tags, position, verb, previous, outer)
    opener, how = tags[mark], tokens[mark].low in ("how", "why")
    if opener in ("WH", "TH") and not how:
        return _relative(tokens, tags, position, mark, verb, previous, region)
    subject, fronted, aside = split_region(tokens, tags, (mark + 1, verb.start))
    if opener in ("SU", "WH"):
        return Clause("sub", subject, verb, region, fronted, aside)
    if subject[0] < subject[1] or previous is None:
        return Clause("main", subject, verb, region, fronted, aside)
    resumes = previous.kind in _INNER or previous.kind == "complement"
    if resumes and outer[0] < outer[1] and tags[verb.start - 1] == ",":
        return Clause("coord", outer, verb, region, fronted)
    return Clause("coord", previous.subject, verb, region, fronted)


def _unmarked(
    tokens: list[Token], tags: list[str], position: int, verb: Verb, previous: Clause | None, outer: Range
) -> Clause:
    """A clause that no mark opens: the first one, what is said without 'that', or a main clause going on."""
    region = (verb.end, len(tokens))
    subject, fronted, aside = split_region(tokens, tags, (position, verb.start))
    if previous is None:
        return Clause("main", subject, verb, region, fronted, aside)
    if _speech(previous):
        if subject[0] >= subject[1] and position < verb.start:
            subject, fronted = trim(tags, (position, verb.start)), []  # a gerund: 'thinks hiring will resume'
        if subject[0] < subject[1]:
            return Clause("complement", subject, verb, region, fronted)
    if previous.kind in _INNER and outer[0] < outer[1]:
        return Clause("main", outer, verb, region)
    if position == subject[0] < subject[1]:
        return Clause("complement", subject, verb, region, fronted)
    return Clause("main", previous.subject, verb, region)


def _said_before(tokens: list[Token], tags: list[str], clause: Clause, mark: int) -> bool:
    """'X is Y, Ann says.': a verb of saying at the end has what stands before it for its object."""
    rest = clause.verb.end
    return (
        mark > 0
        and clause.kind == "main"
        and clause.verb.head in SPEECH
        and tags[mark] == ","
        and all(tags[j] in (".", "Q") for j in range(rest, len(tags)))
    )


def _inverted(tokens: list[Token], tags: list[str], verb: Verb) -> Clause | None:
    """'"…," says Ann': the speaker stands behind the verb and what was said before it."""
    start = verb.end
    if (
        verb.head not in SPEECH
        or verb.start < 3
        or start >= len(tokens)
        or tags[verb.start - 1] not in ("Q", ",")
    ):
        return None
    if tags[verb.start - 1] == "," and tags[verb.start - 2] != "Q":
        return None
    if tags[start] not in ("NP", "DT", "PP", "PR") or verb.end - verb.start > 1:
        return None
    end = start + 1
    while end < len(tokens) and tags[end] in ("NN", "NP", "JJ", "HY", "CD", "PO"):
        end += 1
    return Clause("quote", (start, end), verb, (end, len(tokens)), object=(0, verb.start))


def _speech(clause: Clause) -> bool:
    return clause.verb.head in SPEECH and not clause.verb.passive


def _relative(
    tokens: list[Token],
    tags: list[str],
    position: int,
    mark: int,
    verb: Verb,
    previous: Clause | None,
    region: Range,
) -> Clause:
    word = tokens[mark].low
    body = trim(tags, (mark + 1, verb.start))
    before = mark - 1
    if (previous is not None and before == previous.verb.end - 1) or (
        word == "that" and previous is not None and _speech(previous) and not nominal_before(tags, before)
    ):
        subject, fronted, aside = split_region(tokens, tags, (mark + 1, verb.start))
        return Clause("complement", subject, verb, region, fronted, aside)
    antecedent = noun_phrase_ending(tokens, tags, mark, position)
    if body[0] >= body[1]:
        return Clause("relative", antecedent, verb, region)
    subject, fronted, _ = split_region(tokens, tags, body)
    if word == "what":
        return Clause("sub", subject, verb, region, fronted)
    if subject[0] >= subject[1] or (tags[subject[0]] == "IN" and word != "where"):
        return Clause("relative", antecedent, verb, region, fronted or [body])
    if word == "that" and previous is not None and _speech(previous):
        return Clause("complement", subject, verb, region, fronted)
    if word in ("where", "when"):
        return Clause("sub", subject, verb, region, fronted, place=antecedent)
    return Clause("gap", subject, verb, region, fronted, object=antecedent)


def _close(previous: Clause, clause: Clause, stop: int) -> None:
    """Ends the arguments of the clause before, unless the new clause is one of them."""
    if clause.kind in ("complement", "sub") and not (clause.kind == "sub" and clause.place[1]):
        return
    previous.region = (previous.region[0], max(previous.region[0], min(stop, previous.region[1])))
