"""Beliefs that a sentence voices: opinions, preferences, rules, generalisations and what was only heard."""

from __future__ import annotations

import re

from .belief_wordings import (
    BINDING,
    EMPHATIC,
    FEELING,
    FRANK,
    GENERAL,
    HEARD,
    HOLDER,
    HOLDING,
    JUDGEMENT,
    META,
    MILD,
    OPENING,
    PREFERENCE,
    REQUIRED,
    RULE_START,
    UNSURE,
    WANTED,
    WHOLE_SENTENCE,
)
from .candidates import BeliefCandidate, BeliefKind, Span
from .clauses import Clause
from .readings import Reading, fold
from .wordings import seek

OUTRIGHT, PREFERRED, IMPLIED, HEDGED, HEARSAY = 0.9, 0.85, 0.75, 0.65, 0.4

_EDGE = " \t\n,;:"


def belief_of(
    reading: Reading, fact_indexes: tuple[int, ...], *, arguing: bool = False
) -> BeliefCandidate | None:
    """The belief that a sentence voices, if it does; `fact_indexes` are the facts of the same sentence.

    Where the sentence argues for the one before it (`arguing`), a mere judgement is no belief of its own.
    """
    if reading.question or reading.foreign:
        return None
    body = reading.text[reading.start : reading.end]
    if META.match(body):
        return None
    found = _voiced(reading, body) or (None if arguing else _implied(reading, body))
    if found is None:
        return None
    kind, confidence, proposition = found
    if reading.conditional and kind not in ("opinion", "preference"):
        return None
    proposition = fold(proposition).strip(_EDGE)
    if len(proposition.split()) < 3:
        return None
    proposition = proposition[:1].upper() + proposition[1:]
    return BeliefCandidate(proposition, confidence, Span(reading.start, reading.end), kind, fact_indexes)


def _voiced(reading: Reading, body: str) -> tuple[BeliefKind, float, str] | None:
    preference = seek(PREFERENCE, reading.vocabulary, body)
    if preference and _is_preference(reading, body, preference):
        outright = OUTRIGHT if not MILD.fullmatch(preference.group()) else PREFERRED
        return "preference", HEDGED if reading.hedged else outright, body
    wanted = seek(WANTED, reading.vocabulary, body)
    if wanted:
        return "preference", HEDGED if reading.hedged else IMPLIED, body
    frank = FRANK.match(body)
    if frank and _states(reading):
        return "opinion", HEDGED if reading.hedged else IMPLIED, body[frank.end() :]
    holding = seek(HOLDING, reading.vocabulary, body)
    if holding and holding.start() <= 60:
        proposition = _held(body, holding)
        confidence = (
            OUTRIGHT if EMPHATIC.search(holding.group()) else HEDGED if UNSURE.search(body) else IMPLIED
        )
        return "opinion", confidence, proposition
    hearsay = seek(HEARD, reading.vocabulary, body)
    if hearsay:
        return "hearsay", HEARSAY, body
    if not reading.wish and _is_rule(reading, body):
        return "rule", OUTRIGHT if BINDING.search(body) else IMPLIED, body
    return None


def _implied(reading: Reading, body: str) -> tuple[BeliefKind, float, str] | None:
    judgement = seek(JUDGEMENT, reading.vocabulary, body)
    if judgement and _states(reading):
        return "opinion", HEDGED if reading.hedged else 0.8, body
    if seek(GENERAL, reading.vocabulary, body) and _speaks_generally(reading):
        return "generalisation", HEDGED if reading.hedged else IMPLIED, body
    return None


def _is_preference(reading: Reading, body: str, found: re.Match[str]) -> bool:
    word = found.group().lower()
    if word.endswith(("would like", "'d like", "’d like")):
        return False
    if not MILD.search(word) or ("favo" in word and "rite" in word):
        return bool(HOLDER.search(body[: found.start()])) or word.startswith(("favo", "prefer"))
    return any(
        clause.verb.head in FEELING
        and clause.kind in ("main", "coord")
        and reading.tags[clause.verb.start] != "VD"
        and not clause.verb.modal
        and _is_somebody(reading, clause.subject[0])
        for clause in reading.clauses
    )


def _is_somebody(reading: Reading, index: int) -> bool:
    return reading.tags[index] in ("PR", "NP", "PP") and reading.tokens[index].low not in (
        "it",
        "everything",
        "you",
    )


def _is_rule(reading: Reading, body: str) -> bool:
    """What must be done, by anybody: an order, a requirement, or what one always or never does."""
    if RULE_START.match(body) or seek(REQUIRED, reading.vocabulary, body):
        return True
    for clause in reading.clauses:
        if clause.kind not in ("main", "coord"):
            continue
        who = reading.tokens[clause.subject[0]].low
        adverbs = {token.low for token in reading.tokens[clause.verb.start : clause.verb.end]}
        if clause.verb.modal in ("must", "shall", "should", "ought") and not clause.verb.copular:
            return who not in ("i", "it", "this", "that", "he", "she", "u")
        if adverbs & {"always", "never"} and who in ("we", "you") and reading.tags[clause.verb.start] != "VD":
            return not clause.verb.modal
    return False


def _held(body: str, holding: re.Match[str]) -> str:
    """What is held, without the words that say it is held."""
    rest = body[holding.end() :].strip(_EDGE)
    verb = (holding.group("verb") or "").lower()
    if (
        verb in ("doubt", "find", "consider")
        or holding.start() > 12
        or WHOLE_SENTENCE.search(holding.group())
    ):
        opening = OPENING.match(body)
        return body[opening.end() if opening else 0 :]
    return rest or body


def _speaks_generally(reading: Reading) -> bool:
    """In the present, and not of one person."""
    return any(
        clause.kind in ("main", "coord")
        and (reading.tags[clause.subject[0]] not in ("PR", "PP", "NP") or _is_plural_opening(reading, clause))
        and reading.tokens[clause.subject[0]].low not in ("this", "that", "here", "there")
        and reading.tags[clause.verb.start] not in ("VD", "MD")
        and not (clause.subject[0] == 0 and reading.tags[0] in ("VB", "VG"))
        for clause in reading.clauses
    )


def _is_plural_opening(reading: Reading, clause: Clause) -> bool:
    """'Cats sleep': a capital that only the start of the sentence gave."""
    return clause.subject == (0, 1) and reading.tokens[0].low.endswith("s") and reading.tags[0] == "NP"


def _states(reading: Reading) -> bool:
    return any(clause.kind in ("main", "coord") for clause in reading.clauses)
