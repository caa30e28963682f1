"""What an agent should know before a task: words, meaning and relations fused into one ranking."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Connection

from memory_server.domain.errors import InvalidArgument
from memory_server.domain.memory import rfc3339
from memory_server.policies import ranking
from memory_server.policies.stopwords import STOP_WORDS
from memory_server.policies.text import cut, is_blank, normal
from memory_server.services.parts import Parts
from memory_server.services.recall import (
    Candidate,
    Meant,
    Question,
    Ranked,
    gather,
    holds,
    question_of,
    ranked,
)
from memory_server.services.views import FactView, confidences, viewed
from memory_server.storage.conflicts import conflicting_with

RELATED_LENGTH = 300
READ_LENGTH = 4000  # characters of a hit that are held against the question's words
RELATED_TYPES = ("decision", "skill", "belief", "knowledge", "episode")
_SAME_SHARE = 0.9
_WORD = re.compile(r"[^\W_]+")


class ContextFact(FactView):
    """A fact with its place in the ranking and the signals that found it."""

    score: float
    why: list[str]


@dataclass(frozen=True, slots=True)
class Context:
    facts: list[ContextFact]
    related: list[dict[str, Any]]
    answerable: float
    degraded: str | None


def get_context(
    parts: Parts, task: str, *, subject: str | None = None, max_results: int = 10, as_of: str | None = None
) -> Context:
    """The facts and related memories that bear on a task, best first.

    Args:
        task: what is to be done, as the person said it.
        subject: only facts about it.
        max_results: at most so many facts, and as many related memories.
        as_of: what was known to be true at that time; RFC 3339.

    Raises:
        InvalidArgument: the task is empty.
        StorageUnavailable: the database cannot be read.
    """
    if is_blank(task):
        raise InvalidArgument("task is empty: say what you are about to do", argument="task")
    now = datetime.now(UTC)
    with parts.database.read() as connection:
        question = question_of(parts, connection, task, as_of or rfc3339(now))
        facts, meant = gather(parts, connection, question, ("fact",), subject)
        kept = ranking.collapse(ranked(parts, connection, question, facts), max_results, _nearly_same)
        kept = _with_contradictions(parts, connection, kept, question.moment, max_results)
        related, also_meant = related_to(parts, connection, question, max_results)
        trusts = confidences(connection, parts.settings, [entry.candidate.fact for entry in kept], now)
    views = [
        viewed(ContextFact, entry.candidate.fact, trust, score=entry.score, why=entry.why())
        for entry, trust in zip(kept, trusts, strict=True)
    ]
    return Context(
        facts=views,
        related=[_shown(entry) for entry in related],
        answerable=_answerable(parts, question, [*kept, *related]),
        degraded=meant.degraded or also_meant.degraded,
    )


def related_to(
    parts: Parts, connection: Connection, question: Question, limit: int
) -> tuple[list[Ranked], Meant]:
    """What is no fact and bears on a question: at most `limit` memories, no two of which say the same.

    Raises:
        StorageUnavailable: the database cannot be read.
    """
    candidates, meant = gather(parts, connection, question, RELATED_TYPES)
    speaking = [
        entry
        for entry in ranked(parts, connection, question, candidates)
        if entry.candidate.signals.bears_on_it()
    ]
    return ranking.collapse(speaking, limit, _same_text), meant


def _nearly_same(a: Ranked, b: Ranked) -> bool:
    """Same subject and predicate, nearly the same object."""
    first, second = a.candidate.fact, b.candidate.fact
    if normal(first.subject) != normal(second.subject) or normal(first.predicate) != normal(second.predicate):
        return False
    one, two = normal(first.object), normal(second.object)
    words, others = set(_WORD.findall(one)), set(_WORD.findall(two))
    return one == two or (bool(words) and len(words & others) >= _SAME_SHARE * len(words | others))


def _same_text(a: Ranked, b: Ranked) -> bool:
    return a.candidate.memory_type == b.candidate.memory_type and _text(a) == _text(b)


def _text(entry: Ranked) -> str:
    return str(entry.memory.sentence())  # type: ignore[attr-defined]


def _with_contradictions(
    parts: Parts, connection: Connection, kept: list[Ranked], moment: str, limit: int
) -> list[Ranked]:
    """Puts what contradicts a fact right behind it, so that a reader sees both sides."""
    placed: dict[str, Ranked] = {}
    known = {entry.memory.id: entry for entry in kept}
    for entry in kept:
        placed.setdefault(entry.memory.id, entry)
        for other in conflicting_with(connection, entry.candidate.fact, parts.settings.single_valued):
            if not holds(other, moment):
                continue
            beside = Ranked(Candidate("fact", other, entry.candidate.signals), entry.score, entry.parts)
            placed.setdefault(other.id, replace(known.get(other.id, beside), score=entry.score))
    return list(placed.values())[:limit]


def _shown(entry: Ranked) -> dict[str, Any]:
    return {
        "id": entry.memory.id,
        "memory_type": entry.candidate.memory_type,
        "text": cut(_text(entry), RELATED_LENGTH),
        "score": entry.score,
        "why": entry.why(),
        "created_at": entry.memory.created_at,
        "risk_tags": list(entry.memory.risk_tags),
    }


def _answerable(parts: Parts, question: Question, found: Sequence[Ranked]) -> float:
    """How likely it is that what was found holds the answer, 0 to 1."""
    content = [word for word in question.query.words if word.casefold() not in STOP_WORDS]
    if not found:
        return 0.0
    stem = parts.frequencies.stemmer.stem
    coverage = 0.0
    for entry in found:
        text = normal(_text(entry)[:READ_LENGTH])
        stems = {stem(word) for word in _WORD.findall(text)}
        # what is written without blanks is looked for as it stands
        held = sum(stem(word) in stems or (not word.isascii() and normal(word) in text) for word in content)
        coverage = max(coverage, held / max(1, len(content)))
    signals = [entry.candidate.signals for entry in found]
    meanings = [signal.meaning for signal in signals if signal.meaning is not None]
    return ranking.answerable(max(meanings, default=None), coverage)
