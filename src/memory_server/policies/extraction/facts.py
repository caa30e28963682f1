"""Facts of a reading: stricter than the open triples, with pronouns resolved and predicates made canonical."""

from __future__ import annotations

import re
from dataclasses import replace

from .candidates import FactCandidate, Span
from .clauses import Clause
from .lexicon import NEGATIONS, SPEECH, words
from .mentions import remember_subject, remember_subjects
from .notes import unsubjected
from .objects import Said, objects_of
from .predicates import attribute, is_past, predicate, snake
from .readings import Reading
from .standing import HEARSAY, HEDGED, standing_of
from .subjects import (
    NO_SUBJECT,
    RESOLVED,
    Subjects,
    subjects_of,
)
from .verb_groups import Verb

_WRAPPING = "`\"'"
_QUOTING = "\"'“‘«`"
_OPEN_ANAPHORS = words(
    """
    it its they them their theirs this that these those he him his she her hers then there here we us our you your
    """
)
_WAITING = words("when whenever until till")  # what follows them holds only then
_NAMING = frozenset(("NP", "NN", "CD"))
_QUALIFIED = re.compile(r"\b(?:favou?rite|default|preferred|current|native|main|primary)\b")
# what has a quality for its value
_ATTRIBUTES = words(
    """
    colour color status state mood mode size type kind level priority license licence language nationality religion
    diet gender visibility rank shape style layout format encoding
    """
)
_EMPTY_OBJECTS = words("only just now still also too then again soon so well here there back")
# an object that nothing but the sentences around it could tell: 'it for now', 'that too'
_POINTS_ELSEWHERE = re.compile(
    r"(?:it|them|him)\b(?!/)|(?:these|those|this|that|her)(?:$|[,;]|\s(?:for|in|on|at|by|to|from|with|as|and|or|again|now|today|"
    r"tomorrow|yesterday|up|down|off|out|over|back|away|too|all|both|instead|anyway|soon|later|when|until|before|after)\b)"
)
_EXPLETIVE = words(
    """
    cold hot warm raining snowing late early clear possible impossible likely unlikely important necessary hard easy
    good bad nice best better odd worth time true fine ok okay sunny dark less more worse enough over
    """
)


def facts_of(reading: Reading, subjects: Subjects) -> list[FactCandidate]:
    """The facts that one sentence states."""
    if reading.leaves_alone:
        remember_subjects(reading, subjects)
        return []
    implied = unsubjected(reading, subjects.speaker)
    if implied is not None:
        return [implied]
    out: list[FactCandidate] = []
    outer: Clause | None = None
    for clause in reading.clauses:
        _call_by_name(reading, clause)
    waits = reading.tokens[0].low in _WAITING and len(reading.clauses) > 1
    for clause in reading.clauses:
        if not (waits and clause.kind in ("main", "coord") and not _is_past(reading, clause)):
            out.extend(_clause_facts(reading, clause, outer, subjects))
        remember_subject(reading, clause, subjects)
        if clause.kind in ("main", "coord"):
            outer = clause
    if not reading.hedged:
        return out
    return [replace(fact, confidence=min(fact.confidence, HEDGED), hedged=True) for fact in out]


def _call_by_name(reading: Reading, clause: Clause) -> None:
    """'The new intern, Leila, speaks …': the name that stands beside a description is who it speaks of."""
    (start, end), (first, stop) = clause.subject, clause.aside
    if not 0 < stop - first <= 3 or start >= end or reading.tags[start] not in ("DT", "PP"):
        return
    named = all(reading.tags[j] == "NP" and reading.tokens[j].text[0].isalpha() for j in range(first, stop))
    if named and reading.tags[first - 1] == "," and "NP" not in reading.tags[start:end]:
        clause.subject, clause.aside = clause.aside, clause.subject


def _in_brackets(reading: Reading, clause: Clause) -> bool:
    """'takes 14 min (was 22)': a verb right behind a bracket has no subject that could be told."""
    return clause.verb.start > 0 and reading.tags[clause.verb.start - 1] == "("


def _is_past(reading: Reading, clause: Clause) -> bool:
    return is_past([token.low for token in reading.tokens[clause.verb.start : clause.verb.end]])


def _clause_facts(
    reading: Reading, clause: Clause, outer: Clause | None, subjects: Subjects
) -> list[FactCandidate]:
    standing = 0.0 if _in_brackets(reading, clause) else standing_of(reading, clause, outer)
    named = subjects_of(reading, clause.subject, subjects) if standing > 0 else []
    if not named:
        return []
    said = [item for item in objects_of(reading, clause) if _is_storable(reading, clause, item)]
    out = [
        _fact(reading, subjects, subject, item, min(standing, trust) - _doubts(reading, item))
        for subject, trust in named
        for item in said
    ]
    if clause.aside[1]:
        out.extend(_apposition(reading, clause, named[0][0], subjects))
    return [fact for fact in out if fact.subject.lower() != fact.object.lower()]


def _is_storable(reading: Reading, clause: Clause, said: Said) -> bool:
    low = said.thing.lower()
    if (
        low in NO_SUBJECT
        or low in NEGATIONS
        or low in _EMPTY_OBJECTS
        or len(low) > 400
        or len(low.split()) > 40
    ):
        return False
    if not any(character.isalnum() for character in low) or sum(map(low.count, '"“”„')) % 2:
        return False
    if _POINTS_ELSEWHERE.match(low):
        return False
    if low.startswith(("neither ", "either ")) or (said.verb.head in SPEECH and low[0] in _QUOTING):
        return False
    expletive = reading.tokens[clause.subject[0]].low == "it" and said.verb.copular
    return not (expletive and low.split()[0] in _EXPLETIVE)


def _doubts(reading: Reading, said: Said) -> float:
    """What to take off for an object that is long, points elsewhere or is only wanted."""
    parts = said.thing.lower().split()
    return (
        (0.1 if len(parts) > 15 else 0.0)
        + (0.2 if any(word in _OPEN_ANAPHORS for word in parts) else 0.0)
        + (0.1 if said.verb.modal in ("must", "should", "ought") else 0.0)
        + (0.1 if _only_needed(reading, said.verb) else 0.0)
        - (0.05 if reading.lead else 0.0)
    )


def _only_needed(reading: Reading, verb: Verb) -> bool:
    return verb.end - verb.start > 2 and reading.tokens[verb.start].low in ("need", "needs", "has", "have")


def _fact(reading: Reading, subjects: Subjects, subject: str, said: Said, confidence: float) -> FactCandidate:
    verb = replace(said.verb, negated=True) if said.article == "no" else said.verb
    name, thing = said.name or predicate(reading.tokens, verb, said.preposition), said.thing
    if re.search(r"(?:^|\s)[A-Za-z]\.$", thing):
        thing = thing[:-1]  # a unit or a letter that closes the sentence, no initial
    if len(thing) > 2 and thing[0] in _WRAPPING and thing[0] == thing[-1] and thing.count(thing[0]) == 2:
        thing = thing[1:-1]
    if thing.lower() in ("me", "us", "myself"):
        thing = subjects.speaker
    elif thing.startswith("me "):
        thing = subjects.speaker + thing[2:]
    elif thing.startswith("us "):
        thing = thing[3:]
    negated = verb.negated or "no_longer" in name or name.startswith(("never_", "cannot"))
    if verb.copular and not said.preposition:
        subject, name = _copula(subject, name, said.article, naming=_is_named(reading, subject, thing))
    return FactCandidate(
        subject,
        name,
        thing,
        round(max(confidence, 0.3), 2),
        Span(reading.start, reading.end),
        reading.sentence,
        negated,
        confidence <= HEARSAY,
    )


def _is_named(reading: Reading, subject: str, thing: str) -> bool:
    """Whether 'X's noun' stands in the sentence itself and is given a value there, not a quality ('is hungry')."""
    noun = re.split(r"['’]s ", subject)[-1].lower()
    if noun not in reading.sentence.lower():
        return False
    if _QUALIFIED.search(noun) or noun.rpartition(" ")[2] in _ATTRIBUTES:
        return True
    first, *rest = thing.split()
    place = next((j for j, token in enumerate(reading.tokens) if token.text == first), -1)
    tags = reading.tags[place : place + 1 + len(rest)] if place >= 0 else ["NN"]
    if tags[0] == "RB":
        return "NP" in tags or "CD" in tags  # 'very hungry', whatever the second word is taken for
    return tags[0] not in ("JJ", "VN", "VG", "IN") or not _NAMING.isdisjoint(tags)


def _copula(subject: str, name: str, article: str, *, naming: bool) -> tuple[str, str]:
    """'X's port is 80' speaks of X and its port; 'X is a Y' says what kind of thing X is."""
    if article in ("a", "an"):
        return subject, f"{name}_a"
    if not naming:
        return subject, name
    for mark in ("'s ", "’s "):
        owner, _, noun = subject.rpartition(mark)
        named = any(word[0].isupper() and not word.isupper() for word in noun.split())
        whole = owner.count("(") == owner.count(")")
        if owner and snake(noun) and name == "is" and len(noun.split()) <= 4 and whole and not named:
            return owner, attribute(noun)
    return subject, name


def _apposition(reading: Reading, clause: Clause, subject: str, subjects: Subjects) -> list[FactCandidate]:
    start, end = clause.aside
    tags, tokens = reading.tags, reading.tokens
    if (
        tags[start] not in ("DT", "PP")
        or end - start < 2
        or end - start > 8
        or not (subject[:1].isupper() or "'s " in subject)
    ):
        return []
    if any(tags[j] in ("VD", "VZ", "AX", "MD", "WH", ",") for j in range(start, end)):
        return []
    article = tokens[start].low in ("a", "an")
    owned = subjects_of(reading, clause.aside, subjects) if tags[start] == "PP" else []
    thing = owned[0][0] if owned else reading.words((start + 1 if article else start, end))
    if start == 0:
        thing = thing[:1].lower() + thing[1:]
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
