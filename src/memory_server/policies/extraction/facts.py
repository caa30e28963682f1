"""Facts of a reading: stricter than the open triples, with pronouns resolved and predicates made canonical."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from .candidates import FactCandidate, Span
from .clauses import Clause
from .lexicon import NEGATIONS, SPEECH, TIMES, words
from .predicates import attribute, predicate, snake
from .readings import Reading, fold
from .regions import Range
from .tagging import NOMINAL

STATED, SECONDARY, RESOLVED, VAGUE, HEDGED, HEARSAY = 0.8, 0.75, 0.7, 0.6, 0.5, 0.45

_FIRST = frozenset(("i", "me", "myself"))
_WE = frozenset(("we", "us"))
_THIRD_PERSON = frozenset(("he", "she"))
_THINGS = frozenset(("it", "they"))
_NO_SUBJECT = words(
    """
    you it this that these those there they he she we i what which who one ones someone somebody anyone
    anybody everyone everybody something anything everything nothing nobody none all both each either
    neither many some few several most other others another such much more here mine yours
    """
)
_NEGATIVE_QUANTIFIERS = frozenset(("no", "none", "nobody", "nothing", "neither", "few", "little"))
_OPEN_ANAPHORS = words(
    """
    it its they them their theirs this that these those he him his she her hers then there here we us
    our you your
    """
)
_FACTIVE = words(
    """
    know confirm discover find show note announce notice learn realize realise demonstrate remember
    prove ensure determine observe mention report reveal explain see
    """
)
_UNREAL = words(
    """
    doubt deny wish hope imagine suppose pretend fear propose ask wonder expect promise want require
    recommend decide agree
    """
)
_EXPLETIVE = words(
    """
    cold hot warm raining snowing late early clear possible impossible likely unlikely important
    necessary hard easy good bad nice best better odd worth time true fine ok okay sunny dark
    """
)
_CUTTING = frozenset(("SU", ";", "-"))
_PREPOSITIONS = words(
    """
    in on at by for with from to into onto under over as via against through across inside within about
    of up after before until since than near like without
    """
)


@dataclass(slots=True)
class Subjects:
    """Who and what was last spoken of, for pronouns to point at; one for each paragraph's run."""

    speaker: str
    thing: str = ""
    person: str = ""
    plural: str = ""
    known: dict[str, str] = field(default_factory=dict)


def facts_of(reading: Reading, subjects: Subjects) -> list[FactCandidate]:
    """The facts that one sentence states."""
    if reading.leaves_alone:
        _remember_subjects(reading, subjects)
        return []
    out: list[FactCandidate] = []
    outer: Clause | None = None
    for clause in reading.clauses:
        out.extend(_clause_facts(reading, clause, outer, subjects))
        if clause.kind in ("main", "coord"):
            outer = clause
    _remember_subjects(reading, subjects)
    if not reading.hedged:
        return out
    return [replace(fact, confidence=min(fact.confidence, HEDGED), hedged=True) for fact in out]


def _words(reading: Reading, span: Range) -> str:
    start, end = span
    return (
        fold(reading.text[reading.tokens[start].start : reading.tokens[end - 1].end]) if start < end else ""
    )


def _clause_facts(
    reading: Reading, clause: Clause, outer: Clause | None, subjects: Subjects
) -> list[FactCandidate]:
    base = _standing(reading, clause, outer)
    if base <= 0:
        return []
    named = _subjects_of(reading, clause.subject, subjects)
    if not named:
        return []
    objects = _objects_of(reading, clause)
    out: list[FactCandidate] = []
    for subject, trust in named:
        for preposition, thing, article in objects:
            fact = _fact(reading, clause, subject, preposition, thing, article, min(base, trust))
            if fact is not None:
                out.append(fact)
    if clause.aside[1]:
        out.extend(_apposition(reading, clause, named[0][0]))
    return out


def _standing(reading: Reading, clause: Clause, outer: Clause | None) -> float:
    """How far the sentence asserts this clause; 0 where it does not."""
    verb = clause.verb
    if verb.modal in ("would", "could", "'d", "’d", "might") and not (verb.modal == "could" and verb.negated):
        return 0.0
    if _in_quotes(reading, verb.start):
        return 0.0
    if clause.kind in ("sub", "gap"):
        return 0.0
    if clause.kind == "complement":
        if outer is None or outer.verb.negated or outer.verb.head in _UNREAL or outer.verb.modal:
            return 0.0
        return STATED - 0.1 if outer.verb.head in _FACTIVE else HEARSAY
    if verb.head in SPEECH | _UNREAL and _has_complement(reading, clause):
        return 0.0
    if verb.head in ("wish", "wonder", "doubt", "imagine"):
        return 0.0
    base = {"main": STATED, "coord": SECONDARY}.get(clause.kind, RESOLVED)
    if verb.modal == "may":
        base = HEDGED
    return base


def _has_complement(reading: Reading, clause: Clause) -> bool:
    return any(
        other.kind == "complement" and other.verb.start > clause.verb.start for other in reading.clauses
    )


def _in_quotes(reading: Reading, index: int) -> bool:
    marks = 0
    for position in range(index):
        text = reading.tokens[position].text
        if text in ('"', "``", "“", "”", "''", "«", "»", "„"):
            marks += 1
    return marks % 2 == 1


# ------------------------------------------------------------------ subjects


def _subjects_of(reading: Reading, span: Range, subjects: Subjects) -> list[tuple[str, float]]:
    start, end = span
    tokens, tags = reading.tokens, reading.tags
    if start >= end or end - start > 10:
        return []
    first = tokens[start].low
    if end - start == 1:
        return _single_word(reading, start, subjects)
    if first in _NEGATIVE_QUANTIFIERS or tags[start] in ("WH", "EX", "VG", "TO", "IN", "TH", "MD"):
        return []
    if any(tags[j] in ("WH", "TH", "SU", "MD", "VD", "VZ") for j in range(start, end)):
        return []
    conjunctions = [j for j in range(start, end) if tags[j] == "CC"]
    if len(conjunctions) == 1 and tokens[conjunctions[0]].low == "and" and "IN" not in tags[start:end]:
        left = _list_parts(reading, start, conjunctions[0])
        if left:
            return [
                item
                for part in [*left, (conjunctions[0] + 1, end)]
                for item in _subjects_of(reading, part, subjects)
            ]
    if any(tags[j] == "PR" for j in range(start, end)):
        return []
    trust = (
        VAGUE
        if first
        in (
            "this",
            "these",
            "that",
            "those",
            "some",
            "many",
            "most",
            "one",
            "another",
            "other",
            "such",
            "his",
            "her",
            "their",
            "its",
            "your",
        )
        else STATED
    )
    owner = ""
    if first in ("my", "our"):
        owner = f"{subjects.speaker}'s "
        start += 1
    elif first in ("his", "her", "their", "its"):
        name = subjects.person if first in ("his", "her") else subjects.thing or subjects.person
        if not name:
            return []
        owner, trust = f"{name}'s ", RESOLVED
        start += 1
    elif tags[start] == "DT" and first in ("the", "a", "an", "this", "that", "these", "those"):
        if first in ("a", "an"):
            trust = SECONDARY
        start += 1
    name = _words(reading, (start, end)).replace(" 's ", "'s ").replace(" ’s ", "’s ")
    if not name or name.lower() in _NO_SUBJECT or not any(character.isalnum() for character in name):
        return []
    return [(owner + name, trust)]


def _single_word(reading: Reading, index: int, subjects: Subjects) -> list[tuple[str, float]]:
    low, text = reading.tokens[index].low, reading.tokens[index].text
    if low in _FIRST:
        return [(subjects.speaker, STATED)]
    if low in _WE:
        return [(subjects.speaker, VAGUE)]
    if low in _THIRD_PERSON:
        return [(subjects.person, RESOLVED)] if subjects.person else []
    if low in _THINGS:
        name = subjects.thing if low == "it" else subjects.plural or subjects.thing
        return [(name, RESOLVED)] if name else []
    if low in _NO_SUBJECT or reading.tags[index] not in NOMINAL or low in TIMES or not text[0].isalnum():
        return []
    if reading.tags[index] == "CD" or (reading.tags[index] == "JJ" and not text[0].isupper()):
        return []
    return [(text.strip("`"), STATED)]


def _list_parts(reading: Reading, start: int, end: int) -> list[Range]:
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


def _remember_subjects(reading: Reading, subjects: Subjects) -> None:
    tokens, tags = reading.tokens, reading.tags
    for clause in reading.clauses:
        start, end = clause.subject
        if clause.kind in ("gap", "relative") or start >= end or end - start > 8:
            continue
        if end - start == 1 and (
            tags[start] in ("PR", "EX", "WH", "DT", "TH") or tokens[start].low in _NO_SUBJECT
        ):
            continue
        if tags[start] in ("IN", "VG", "TO", "WH") or tokens[start].low in _NEGATIVE_QUANTIFIERS:
            continue
        named = _subjects_of(reading, clause.subject, subjects)
        if not named:
            continue
        name = named[0][0]
        if len(named) > 1 or (tokens[end - 1].low.endswith("s") and tags[end - 1] == "NN"):
            subjects.plural = " and ".join(item[0] for item in named)
        if len(named) == 1:
            subjects.thing = name
            if _person_like(reading, clause.subject):
                subjects.person = name


def _person_like(reading: Reading, span: Range) -> bool:
    start, end = span
    names = [j for j in range(start, end) if reading.tokens[j].text[0].isupper() and reading.tags[j] == "NP"]
    if len(names) == end - start and end - start <= 3:
        return all(reading.tokens[j].text.replace(".", "").replace("-", "").isalpha() for j in names)
    return reading.tokens[start].low in ("my", "our", "his", "her") or reading.tokens[end - 1].low in (
        "manager", "boss", "wife", "husband", "brother", "sister", "mother", "father", "friend", "colleague", "doctor",
        "teacher", "lead", "engineer", "developer", "designer", "client", "customer", "daughter", "son", "mom", "dad",
    )  # fmt: skip


# ------------------------------------------------------------------ objects


def _objects_of(reading: Reading, clause: Clause) -> list[tuple[str, str, str]]:
    """(preposition, object, article) for each thing that the clause says of its subject."""
    start, end = _object_range(reading, clause)
    tokens, tags = reading.tokens, reading.tags
    preposition = ""
    if start < end and tags[start] == "RB" and start + 1 < end and tags[start + 1] in ("IN", "TO"):
        start += 1
    if start < end and (tags[start] == "IN" or tags[start] == "TO") and tokens[start].low in _PREPOSITIONS:
        if start + 1 < end and not (
            clause.verb.copular and tags[start + 1] == "CD" and tokens[start].low in ("around", "about")
        ):
            preposition = tokens[start].low
            start += 1
    if start >= end:
        return []
    if not clause.verb.copular:
        parts = _object_list(reading, start, end)
        if parts:
            return [(preposition, _words(reading, part), "") for part in parts]
    article = (
        tokens[start].low
        if tags[start] == "DT" and tokens[start].low in ("a", "an", "no") and end - start > 1
        else ""
    )
    if article and (clause.verb.copular or article == "no"):
        start += 1
    elif article:
        article = ""
    return [(preposition, _words(reading, (start, end)), article)]


def _object_range(reading: Reading, clause: Clause) -> Range:
    start, end = clause.region
    tags, tokens = reading.tags, reading.tokens
    for j in range(start, end):
        if tags[j] in _CUTTING or (tags[j] == "SU"):
            end = j
            break
        if (
            tags[j] == ","
            and j + 1 < end
            and (
                tags[j + 1] in ("WH", "VG", "PR", "SU", "RB", "TH")
                or tokens[j + 1].low in ("but", "so", "yet", "not", "which")
            )
        ):
            end = j
            break
        if tags[j] == "(":
            end = j
            break
    while (
        end > start
        and tags[end - 1] in (",", ".", "CC", ";", ":", "-", ")", "Q")
        and not tokens[end - 1].text[0].isalnum()
    ):
        end -= 1
    while end > start and tags[end - 1] == "CC":
        end -= 1
    while start < end and tags[start] in (":", "Q", ","):
        start += 1
    return start, end


def _object_list(reading: Reading, start: int, end: int) -> list[Range]:
    tags = reading.tags
    conjunctions = [j for j in range(start, end) if tags[j] == "CC"]
    if len(conjunctions) != 1 or reading.tokens[conjunctions[0]].low != "and":
        return []
    if any(tags[j] in ("IN", "TO", "WH", "TH", "VN", "VB") for j in range(start, end)):
        return []
    left = _list_parts(reading, start, conjunctions[0])
    right = _list_parts(reading, conjunctions[0] + 1, end)
    if not left or len(right) != 1:
        return []
    parts = [*left, *right]
    names = all(
        tags[stop - 1] in ("NP", "NN", "CD") and (tags[first] == "NP" or stop - first == 1)
        for first, stop in parts
    )
    return parts if names else []


def _fact(
    reading: Reading,
    clause: Clause,
    subject: str,
    preposition: str,
    thing: str,
    article: str,
    confidence: float,
) -> FactCandidate | None:
    low = thing.lower()
    if not any(character.isalnum() for character in thing) or low in _NO_SUBJECT or low in NEGATIONS:
        return None
    words = low.split()
    if len(words) > 40 or len(thing) > 400:
        return None
    verb = clause.verb
    negated = verb.negated
    if reading.tokens[clause.subject[0]].low == "it" and verb.copular and words[0] in _EXPLETIVE:
        return None
    if article == "no" and not negated:
        verb = replace(verb, negated=True)
        negated = True
    name = predicate(reading.tokens, verb, preposition)
    if "no_longer" in name or name.startswith(("never_", "cannot")) or "_not_" in name:
        negated = True
    if clause.verb.copular and not preposition:
        subject, name, thing = _copula(reading, clause, subject, name, thing, article)
    if not name or subject.lower() == thing.lower():
        return None
    if len(words) > 15:
        confidence -= 0.1
    if any(word in _OPEN_ANAPHORS for word in words):
        confidence -= 0.2
    if verb.modal in ("must", "should", "ought") or name.startswith(("needs_to", "has_to")):
        confidence -= 0.1
    if reading.lead:
        confidence += 0.05
    return FactCandidate(
        subject,
        name,
        thing,
        round(max(confidence, 0.3), 2),
        Span(reading.start, reading.end),
        reading.sentence,
        negated,
    )


def _copula(
    reading: Reading, clause: Clause, subject: str, name: str, thing: str, article: str
) -> tuple[str, str, str]:
    """'X's port is 80' says X – port – 80; 'X is a Y' says X – is_a – Y."""
    owner, mark, noun = subject.rpartition("'s ")
    if not mark:
        owner, mark, noun = subject.rpartition("’s ")
    if mark and name == "is" and 0 < len(noun.split()) <= 4 and article == "":
        return owner, attribute(noun), thing
    if article in ("a", "an") and name in ("is", "is_not", "was", "was_not"):
        return subject, f"{name}_a", thing
    return subject, name, thing


def _apposition(reading: Reading, clause: Clause, subject: str) -> list[FactCandidate]:
    start, end = clause.aside
    tags, tokens = reading.tags, reading.tokens
    if tags[start] not in ("DT", "PP") or end - start < 2 or end - start > 8 or not subject[:1].isupper():
        return []
    if any(tags[j] in ("VD", "VZ", "AX", "MD", "WH", ",") for j in range(start, end)):
        return []
    article = tokens[start].low in ("a", "an")
    thing = _words(reading, (start + 1 if article else start, end))
    return [
        FactCandidate(
            subject,
            "is_a" if article else "is",
            thing,
            RESOLVED,
            Span(reading.start, reading.end),
            reading.sentence,
        )
    ]


def pair_fact(text: str, key: str, heading: str, span: Span) -> FactCandidate | None:
    """The fact of a `key: value` line; the heading above it is what it speaks of."""
    value = fold(text[span.start : span.end]).strip("*_` ").rstrip(".;,")
    if not value or not snake(key):
        return None
    topic = (
        heading if heading and len(heading.split()) <= 5 and heading.lower() not in _GENERIC_HEADINGS else ""
    )
    subject, name = (topic, attribute(key)) if topic else (key, "is")
    return FactCandidate(subject, name, value, SECONDARY, span, fold(f"{key}: {value}"))


_GENERIC_HEADINGS = words(
    """
    notes note summary overview facts details misc todo context background config configuration settings
    info information meeting notes decisions status environment setup memory memories about
    """
)
