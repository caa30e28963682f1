"""Facts of a reading: stricter than the open triples, with pronouns resolved and predicates made canonical."""

from __future__ import annotations

import re
from dataclasses import replace

from .candidates import FactCandidate, Span
from .clauses import Clause
from .lexicon import NEGATIONS, SPEECH, words
from .objects import Said, objects_of
from .predicates import attribute, predicate, snake
from .readings import Reading, fold
from .standing import HEARSAY, HEDGED, standing_of
from .subjects import NO_SUBJECT, RESOLVED, SECONDARY, Subjects, remember_subjects, subjects_of
from .verb_groups import Verb
from .verbs import BASE, FORMS, THIRD

_WRAPPING = "`\"'"
_QUOTING = "\"'“‘«`"
_OPEN_ANAPHORS = words(
    """
    it its they them their theirs this that these those he him his she her hers then there here we us our you your
    """
)
_EXPLETIVE = words(
    """
    cold hot warm raining snowing late early clear possible impossible likely unlikely important necessary hard easy
    good bad nice best better odd worth time true fine ok okay sunny dark
    """
)


def facts_of(reading: Reading, subjects: Subjects) -> list[FactCandidate]:
    """The facts that one sentence states."""
    if reading.leaves_alone:
        remember_subjects(reading, subjects)
        return []
    out: list[FactCandidate] = []
    outer: Clause | None = None
    for clause in reading.clauses:
        out.extend(_clause_facts(reading, clause, outer, subjects))
        if clause.kind in ("main", "coord"):
            outer = clause
    remember_subjects(reading, subjects)
    if not reading.hedged:
        return out
    return [replace(fact, confidence=min(fact.confidence, HEDGED), hedged=True) for fact in out]


def _clause_facts(
    reading: Reading, clause: Clause, outer: Clause | None, subjects: Subjects
) -> list[FactCandidate]:
    standing = standing_of(reading, clause, outer)
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
        out.extend(_apposition(reading, clause, named[0][0]))
    return [fact for fact in out if fact.subject.lower() != fact.object.lower()]


def _is_storable(reading: Reading, clause: Clause, said: Said) -> bool:
    low = said.thing.lower()
    if low in NO_SUBJECT or low in NEGATIONS or len(low) > 400 or len(low.split()) > 40:
        return False
    if not any(character.isalnum() for character in low) or sum(map(low.count, '"“”„')) % 2:
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
    name, thing = predicate(reading.tokens, verb, said.preposition), said.thing
    if re.search(r"(?:^|\s)[A-Za-z]\.$", thing):
        thing = thing[:-1]  # a unit or a letter that closes the sentence, no initial
    if len(thing) > 2 and thing[0] in _WRAPPING and thing[0] == thing[-1] and thing.count(thing[0]) == 2:
        thing = thing[1:-1]
    if thing.lower() in ("me", "us", "myself"):
        thing = subjects.speaker
    elif thing.startswith("me "):
        thing = subjects.speaker + thing[2:]
    negated = verb.negated or "no_longer" in name or name.startswith(("never_", "cannot"))
    if verb.copular and not said.preposition:
        subject, name = _copula(subject, name, said.article)
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


def _copula(subject: str, name: str, article: str) -> tuple[str, str]:
    """'X's port is 80' speaks of X and its port; 'X is a Y' says what kind of thing X is."""
    if article in ("a", "an"):
        return subject, f"{name}_a"
    for mark in ("'s ", "’s "):
        owner, _, noun = subject.rpartition(mark)
        if owner and snake(noun) and name == "is" and len(noun.split()) <= 4:
            return owner, attribute(noun)
    return subject, name


def _apposition(reading: Reading, clause: Clause, subject: str) -> list[FactCandidate]:
    start, end = clause.aside
    tags, tokens = reading.tags, reading.tokens
    if tags[start] not in ("DT", "PP") or end - start < 2 or end - start > 8 or not subject[:1].isupper():
        return []
    if any(tags[j] in ("VD", "VZ", "AX", "MD", "WH", ",") for j in range(start, end)):
        return []
    article = tokens[start].low in ("a", "an")
    thing = reading.words((start + 1 if article else start, end))
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
    """The fact of a `key: value` line; the heading above it is what it speaks of, the key its predicate."""
    value = fold(text[span.start : span.end]).strip("*_` ").rstrip(".;,")
    if not value or not snake(key) or _commands(value):
        return None
    verb, _, rest = value.partition(" ")
    if rest and FORMS.get(verb.lower(), 0) & THIRD:
        return FactCandidate(key, snake(verb), rest, SECONDARY, span, fold(f"{key}: {value}"))
    named = heading and len(heading.split()) <= 5 and heading.lower() not in _GENERIC_HEADINGS
    if named and all(part.isalpha() for part in key.replace("-", " ").split()):
        subject, name = heading, attribute(key)
    else:
        subject, name = key, "is"
    return FactCandidate(subject, name, value, SECONDARY, span, fold(f"{key}: {value}"))


def _commands(value: str) -> bool:
    """Whether a value tells to do something ('Use short names for …') and so states nothing."""
    first, *rest = value.lower().split()
    return len(rest) >= 2 and bool(FORMS.get(first, 0) & BASE) and not value[0].isdigit()


_GENERIC_HEADINGS = words(
    """
    notes note summary overview facts details misc todo context background config configuration settings
    info information meeting notes decisions status environment setup memory memories about
    """
)
