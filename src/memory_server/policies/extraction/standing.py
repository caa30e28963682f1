"""How far a sentence asserts each of its clauses: stated outright, reported, hedged or not at all."""

from __future__ import annotations

from .clauses import Clause
from .lexicon import SPEECH, words
from .readings import Reading
from .subjects import RESOLVED, ROLES, SECONDARY, STATED

HEDGED, HEARSAY = 0.5, 0.45

_FACTIVE = words(
    """
    know confirm discover find show note announce notice learn realize realise demonstrate remember prove ensure
    determine observe mention report reveal explain see
    """
)
_UNREAL = words(
    """
    doubt deny wish hope imagine suppose pretend fear propose ask wonder expect promise want require recommend decide
    agree
    """
)


def standing_of(reading: Reading, clause: Clause, outer: Clause | None) -> float:
    """How far the sentence asserts this clause; 0 where it does not. `outer` is the main clause before it."""
    verb = clause.verb
    if verb.modal in ("would", "could", "'d", "’d", "might") and not (verb.modal == "could" and verb.negated):
        return 0.0
    if _in_quotes(reading, verb.start):
        return 0.0
    if clause.kind in ("sub", "gap", "quote") or _shares_infinitive(reading, clause, outer):
        return 0.0
    if clause.kind == "complement":
        return _reported(reading, outer) if outer else 0.0
    if verb.head in ("wish", "wonder", "doubt", "imagine"):
        return 0.0
    if verb.head in SPEECH | _UNREAL and _has_complement(reading, clause):
        return STATED if verb.head in SPEECH and _is_document(reading, clause) else 0.0
    if _swallows(reading, clause):
        return 0.0
    return HEDGED if verb.modal == "may" else {"main": STATED, "coord": SECONDARY}.get(clause.kind, RESOLVED)


def _reported(reading: Reading, outer: Clause) -> float:
    """The standing of what an outer clause knows, says or only wishes."""
    verb = outer.verb
    if verb.negated or verb.modal or verb.head in _UNREAL or "TO" in reading.tags[verb.start : verb.end]:
        return 0.0
    return RESOLVED if verb.head in _FACTIVE else HEARSAY


def _is_document(reading: Reading, clause: Clause) -> bool:
    """'The data sheet says …': what a thing says is worth keeping with the thing for its source."""
    start, end = clause.subject
    last = reading.tokens[end - 1].low
    return (
        reading.tags[start] in ("DT", "PP")
        and reading.tags[end - 1] in ("NN", "JJ")
        and last not in ROLES
        and not last.endswith(("er", "or", "ist", "ian", "ant"))
    )


def _shares_infinitive(reading: Reading, clause: Clause, outer: Clause | None) -> bool:
    """'wants to learn and create': the second verb stands under the first one's 'to' and is no statement."""
    if clause.kind != "coord" or outer is None:
        return False
    if clause.verb.negated and reading.tokens[clause.verb.start].low == "do":
        return True  # an order: '…, but don't forget'
    first = next(
        (reading.tags[j] for j in range(clause.verb.start, clause.verb.end) if reading.tags[j] != "RB"), ""
    )
    return first == "VB" and reading.tags[outer.verb.start] != "VB"


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


def _swallows(reading: Reading, clause: Clause) -> bool:
    """Whether the arguments hold a clause of their own without a 'that': 'make sure the plan works'."""
    start, end = clause.region
    return any(
        other.kind == "complement"
        and start <= other.subject[0] < end
        and "TH" not in reading.tags[start : other.subject[0]]
        for other in reading.clauses
    )
