"""What a sentence has spoken of, noted for the pronouns of what comes after it."""

from __future__ import annotations

import re

from .clauses import Clause
from .lexicon import words
from .readings import Reading
from .regions import Range
from .subjects import NEGATIVE_QUANTIFIERS, NO_SUBJECT, ROLES, Subjects, subjects_of

# what only people do, so that 'it' does not mean who did it
_HUMAN_DOINGS = words(
    """
    say tell think believe claim argue ask want wish hope prefer like love hate dislike enjoy live marry study promise
    decide agree know feel speak
    """
)


def remember_subjects(reading: Reading, subjects: Subjects) -> None:
    """Notes what a sentence has spoken of, for the pronouns of the next ones."""
    for clause in reading.clauses:
        remember_subject(reading, clause, subjects)


def remember_subject(reading: Reading, clause: Clause, subjects: Subjects) -> None:
    """Notes what a clause has spoken of, for the pronouns of what comes after it."""
    tokens, tags = reading.tokens, reading.tags
    start, end = clause.subject
    if clause.kind in ("gap", "relative") or start >= end or end - start > 8:
        return
    if end - start == 1 and (
        tags[start] in ("PR", "EX", "WH", "DT", "TH") or tokens[start].low in NO_SUBJECT
    ):
        return
    if tags[start] in ("IN", "VG", "TO", "WH") or tokens[start].low in NEGATIVE_QUANTIFIERS:
        return
    named = subjects_of(reading, clause.subject, subjects)
    if not named or len(named[0][0]) > 100:
        return
    name = named[0][0]
    agrees = tokens[clause.verb.start].low in ("are", "were", "have", "do", "'re", "’re")
    several = tokens[end - 1].low.endswith("s") and (tags[end - 1] == "NN" or agrees)
    if len(named) > 1 or several:
        subjects.plural = " and ".join(item[0] for item in named)
    if len(named) > 1:
        return
    human = clause.verb.head in _HUMAN_DOINGS or tokens[end - 1].low in ROLES
    if tags[start] in ("NP", "PP") and "PO" in tags[start:end] and not human:
        subjects.person = re.split(r"['’]s (?=[^'’]*\Z)", name)[0]  # 'Ida's train leaves. She …'
    elif tokens[start].low not in ("his", "her", "their") and _person_like(reading, clause.subject):
        subjects.person = name
    who = _named_there(reading, clause)
    if who:
        subjects.person = who
    if not human and tags[end - 1] != "CD" and not name[0].isdigit():
        subjects.thing = name


def _named_there(reading: Reading, clause: Clause) -> str:
    """'Her deputy is Karel': who is named behind the verb is whom the next 'he' means."""
    start, (first, stop) = clause.region[0], clause.subject
    owned = reading.tags[first] == "PP" or "PO" in reading.tags[first:stop]
    if not clause.verb.copular or not owned:
        return ""
    end = start
    while end < len(reading.tags) and reading.tags[end] == "NP" and reading.tokens[end].text.isalpha():
        end += 1
    ended = end >= len(reading.tags) or reading.tags[end] in (".", ",", ";", "CC")
    return reading.words((start, end)) if 0 < end - start <= 3 and ended else ""


def _person_like(reading: Reading, span: Range) -> bool:
    start, end = span
    names = [j for j in range(start, end) if reading.tokens[j].text[0].isupper() and reading.tags[j] == "NP"]
    if len(names) == end - start and end - start <= 3:
        return all(reading.tokens[j].text.replace(".", "").replace("-", "").isalpha() for j in names)
    return reading.tokens[start].low in ("my", "our") or reading.tokens[end - 1].low in ROLES
