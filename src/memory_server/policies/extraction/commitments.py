"""Promises that the writer makes: facts about the writer with the predicate `committed_to`."""

from __future__ import annotations

import re

from .candidates import FactCandidate, Span
from .lexicon import words
from .readings import Reading, fold
from .verbs import lemma
from .wordings import seek, until_next_clause, wording

STATED = 0.8

_FILLERS = r"^(?:(?:and|so|but|ok|okay|also|then|just|sure|yes|alright|great|got it)[,.]?\s){0,3}"
_PROMISE = wording(
    "promise promised promising pledge pledged pledging swore vow vowed assure assured told agreed offered said",
    _FILLERS,
    r"(?:(?:(?:i|we)(?:'ve|’ve| have)?\s(?:just\s|also\s)?)?",
    r"(?:promis(?:e|ed|ing)|pledg(?:e|ed|ing)|swore|vow(?:ed)?|assur(?:e|ed)|told|offered)|i said|i agreed)\s",
    r"(?:(?:to\s)?(?P<whom>(?:the |my |our )?[\w.'’-]{1,30}(?: [A-Z][\w.'’-]{1,30})?)\s)?",
    r"(?:that\s)?(?:(?:i|we)(?:'d|’d|'ll|’ll| would| will)|to)\s(?P<what>\S.{2,400})",
)
# what has to be done by a time is as good as promised
_DUE = wording(
    "by before until due",
    r"^(?:(?:and|so|but|also)\s)?i(?:'ve|’ve)?\s(?:need|have|got) to\s(?P<what>\S.{2,200}\s(?:by|before|until|"
    r"due)\s.{2,100})",
)
# 'told Ann that the plan will be with her by May': a date is promised, whatever the subject
_DELIVERED = wording(
    "promised told assured",
    _FILLERS,
    r"(?:(?:i|we)(?:'ve|’ve| have)?\s(?:just\s|also\s)?)?(?:promised|told|assured)\s",
    r"(?:the |my |our )?[\w.'’-]{1,30}(?: [A-Z][\w.'’-]{1,30})?\s(?:that\s)?",
    r"(?P<what>(?:the|my|our|a|an|his|her|their|it|they)\s.{1,80}?(?:\bwill|'ll|’ll)\s.{2,120}?\b(?:by|before|until|"
    r"on|in time)\s.{2,80})",
)
_COMMIT = wording(
    "owe handling commit committing committed hook track signed volunteered took taking planning intend plan "
    "going responsible",
    r"\b(?:i|we)(?:'m|’m|'re|’re|'ve|’ve| am| are| have)?\s(?:commit(?:ting|ted)?(?: myself| ourselves)? to|",
    r"on the hook (?:for|to)|on track to|signed up to|volunteered to|took on|taking (?:on|care of)|handling|"
    r"planning to|intend to|plan to|",
    r"going to|responsible for|owe)\s(?P<what>\S.{2,400})",
)
_WILL = wording(
    "'ll ’ll will shall",
    _FILLERS,
    r"(?:(?:by|on|before|this|next|after) [^,]{2,40},\s)?(?:i(?:'ll|’ll| will| shall)|\Awill)\s",
    r"(?:(?:also|definitely|personally|then|just|now|make sure to|be sure to|try to|take care to)\s){0,2}",
    r"(?:be (?=\w{2,15}ing\b))?",
    r"(?P<verb>[a-z]{2,20})\s(?P<rest>\S.{1,400})",
)
_GERUND = re.compile(
    r"^(?P<verb>[A-Z][a-z]{2,15}ing)\s(?P<rest>(?:(?:him|her|them)\s)?(?:the|my|our|his|her|their|all|its|a|an|"
    r"this)\s.{2,300})",
    re.DOTALL,
)
_FINISHED = re.compile(r"\bhave\b.{2,120}\b(?:ready|done|finished|complete|by)\b", re.IGNORECASE)
# what one will feel, know or be is no promise
_NO_PROMISE = words(
    """
    be have need see think admit say note assume know feel love hate miss like want wait agree never not probably always
    guess die bet get likely remember regret believe let
    """
)
_EDGE = " \t\n,;:.!"


def commitment_of(reading: Reading, holder: str, *, answering: bool = False) -> FactCandidate | None:
    """What the writer promises in a sentence; after a wish of somebody (`answering`) a bare gerund promises too."""
    if reading.question or reading.foreign:
        return None
    body = reading.text[reading.start : reading.end]
    what = _promised(body, reading.vocabulary) or (_gerund(body) if answering else "")
    if not what:
        return None
    confidence = STATED - (0.2 if reading.hedged or body.lower().startswith("if ") else 0.0)
    return FactCandidate(
        holder,
        "committed_to",
        what,
        round(confidence, 2),
        Span(reading.start, reading.end),
        reading.sentence,
        False,
        reading.hedged,
    )


def _promised(body: str, vocabulary: frozenset[str]) -> str:
    for sought in (_PROMISE, _DELIVERED, _COMMIT, _DUE):
        found = seek(sought, vocabulary, body)
        if found:
            return fold(until_next_clause(found.group("what"))).strip(_EDGE)
    found = seek(_WILL, vocabulary, body)
    if found and (found.group("verb").lower() not in _NO_PROMISE or _FINISHED.search(found.group(0))):
        return fold(until_next_clause(f"{found.group('verb')} {found.group('rest')}")).strip(_EDGE)
    return ""


def _gerund(body: str) -> str:
    found = _GERUND.match(body)
    return fold(f"{lemma(found.group('verb').lower())} {found.group('rest')}").strip(_EDGE) if found else ""
