"""What an agent should know before a task: words, meaning and relations fused into one ranking."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Connection

from memory_server.domain.errors import InvalidArgument
from memory_server.domain.fact import Fact
from memory_server.domain.lifecycle import SEARCHABLE_STATES, LifecycleState
from memory_server.domain.memory import Memory, rfc3339
from memory_server.indexes.ports import IndexUnavailable as IndexFault
from memory_server.policies import ranking
from memory_server.policies.ranking import Signals
from memory_server.policies.stopwords import STOP_WORDS
from memory_server.policies.text import cut, is_blank, normal
from memory_server.services.parts import Parts
from memory_server.services.semantic_search import behind_note
from memory_server.services.views import FactView, confidences, fact_view
from memory_server.storage import fulltext, rows
from memory_server.storage.conflicts import conflicting_with

CANDIDATES = 80  # of each kind of search
RELATED_LENGTH = 300
RELATED_TYPES = ("decision", "skill", "belief", "knowledge", "episode")
_SAME_SHARE = 0.9


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


@dataclass(frozen=True, slots=True)
class _Candidate:
    memory_type: str
    memory: Memory
    signals: Signals


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
    moment = as_of or rfc3339(now)
    query = fulltext.parse(task)
    meaning, degraded = _meaning(parts, task)
    near = _named(parts, task)
    with parts.database.read() as connection:
        facts = _facts(parts, connection, query, meaning, near, moment, now, subject)
        ranked = _ranked(task, facts)
        kept = ranking.collapse(ranked, max_results, _nearly_same)
        kept = _with_contradictions(parts, connection, kept, moment, max_results)
        related = _related(parts, connection, query, meaning, moment, max_results)
        trusts = confidences(connection, parts.settings, [_fact(c) for c, _ in kept], now)
    views = [
        ContextFact.model_construct(
            **fact_view(_fact(candidate), trust).__dict__, score=score, why=list(candidate.signals.names())
        )
        for (candidate, score), trust in zip(kept, trusts, strict=True)
    ]
    return Context(views, related, _answerable(query, [*(c for c, _ in kept)], meaning), degraded)


def _meaning(parts: Parts, task: str) -> tuple[dict[str, float] | None, str | None]:
    try:
        with parts.observation.span("vectors"):
            found = parts.meaning.search(task, 4 * CANDIDATES)
    except IndexFault as error:
        return None, f"without search by meaning: {error}"
    return dict(found.hits), behind_note(found)


def _named(parts: Parts, task: str) -> frozenset[str]:
    """Ids of facts next to the entities that the task names."""
    with parts.observation.span("graph"):
        graph = parts.network.current()
        found: list[str] = []
        for node_id in graph.entities_in(task)[:8]:
            for edge in graph.neighbourhood(node_id, CANDIDATES).edges:
                found.extend(edge.fact_ids)
        return frozenset(found[: 2 * CANDIDATES])


def _candidates(
    parts: Parts,
    connection: Connection,
    memory_type: str,
    query: fulltext.Query,
    meaning: dict[str, float] | None,
    near: frozenset[str],
) -> dict[str, tuple[Memory, float]]:
    """Memories of a kind that words, meaning or relations found, with their score by words."""
    table = rows.TABLES[memory_type]
    if not parts.frequencies.rows(connection, table):
        return {}
    expression = fulltext.any_of(connection, table, query, parts.frequencies)
    words = dict(fulltext.matches(connection, table, expression, CANDIDATES))
    ids = list(dict.fromkeys([*words, *near, *(meaning or {})]))
    found = rows.by_ids(connection, rows.MODELS[memory_type], ids)
    return {memory_id: (memory, words.get(memory_id, 0.0)) for memory_id, memory in found.items()}


def _facts(
    parts: Parts,
    connection: Connection,
    query: fulltext.Query,
    meaning: dict[str, float] | None,
    near: frozenset[str],
    moment: str,
    now: datetime,
    subject: str | None,
) -> list[_Candidate]:
    found = _candidates(parts, connection, "fact", query, meaning, near)
    if subject is not None:
        about = _about(connection, subject)
        found = {i: found.get(i, (fact, 0.0)) for i, fact in about.items()}
    kept = [(memory, score) for memory, score in found.values() if _holds(memory, moment)]
    facts = [memory for memory, _ in kept if isinstance(memory, Fact)]
    trusts = confidences(connection, parts.settings, facts, now)
    order = {fact.id: place for place, fact in enumerate(sorted(facts, key=lambda fact: fact.created_at))}
    return [
        _Candidate(
            "fact",
            fact,
            Signals(
                words=score,
                meaning=None if meaning is None else meaning.get(fact.id, 0.0),
                relation=fact.id in near,
                trust=trust.value,
                recency=order[fact.id] / max(1, len(order) - 1),
            ),
        )
        for (fact, score), trust in zip(kept, trusts, strict=True)
    ]


def _about(connection: Connection, subject: str) -> dict[str, Memory]:
    found = connection.exec_driver_sql(
        f"SELECT {rows.selection(Fact, 't')} FROM facts t WHERE t.subject_key = ? "
        f"AND t.lifecycle_state NOT IN ('archived','forgotten') ORDER BY t.row DESC LIMIT ?",
        (normal(subject), 4 * CANDIDATES),
    )
    return {fact.id: fact for fact in (rows.from_row(Fact, row) for row in found)}


def _holds(memory: Memory, moment: str) -> bool:
    """Whether a memory may be shown for that moment: not gone, not closed, not yet to come."""
    replaced_later = memory.superseded_at is not None and memory.superseded_at > moment
    if memory.lifecycle_state not in SEARCHABLE_STATES and not (
        memory.lifecycle_state is LifecycleState.SUPERSEDED and replaced_later
    ):
        return False
    if memory.valid_to is not None and memory.valid_to <= moment:
        return False
    return memory.valid_from is None or memory.valid_from <= moment


def _ranked(task: str, candidates: Sequence[_Candidate]) -> list[tuple[_Candidate, float]]:
    by_id = {candidate.memory.id: candidate for candidate in candidates}
    fused = ranking.fuse(
        {memory_id: candidate.signals for memory_id, candidate in by_id.items()},
        asks_for_now=ranking.asks_for_now(task),
    )
    return [(by_id[memory_id], score) for memory_id, score in fused]


def _nearly_same(a: tuple[_Candidate, float], b: tuple[_Candidate, float]) -> bool:
    """Same subject and predicate, nearly the same object."""
    first, second = _fact(a[0]), _fact(b[0])
    if normal(first.subject) != normal(second.subject) or normal(first.predicate) != normal(second.predicate):
        return False
    one, two = set(normal(first.object).split()), set(normal(second.object).split())
    return len(one & two) >= _SAME_SHARE * len(one | two)


def _with_contradictions(
    parts: Parts, connection: Connection, kept: list[tuple[_Candidate, float]], moment: str, limit: int
) -> list[tuple[_Candidate, float]]:
    """Puts what contradicts a fact right behind it, so that a reader sees both sides."""
    placed: dict[str, tuple[_Candidate, float]] = {}
    scores = {candidate.memory.id: (candidate, score) for candidate, score in kept}
    for candidate, score in kept:
        placed.setdefault(candidate.memory.id, (candidate, score))
        for other in conflicting_with(connection, _fact(candidate), parts.settings.single_valued):
            if not _holds(other, moment):
                continue
            known = scores.get(other.id)
            signals = known[0].signals if known else candidate.signals
            placed.setdefault(other.id, (_Candidate("fact", other, signals), score))
    return list(placed.values())[:limit]


def _related(
    parts: Parts,
    connection: Connection,
    query: fulltext.Query,
    meaning: dict[str, float] | None,
    moment: str,
    limit: int,
) -> list[dict[str, Any]]:
    candidates = [
        _Candidate(
            memory_type,
            memory,
            Signals(
                words=score,
                meaning=None if meaning is None else meaning.get(memory.id, 0.0),
                trust=memory.confidence,
            ),
        )
        for memory_type in RELATED_TYPES
        for memory, score in _candidates(parts, connection, memory_type, query, meaning, frozenset()).values()
        if _holds(memory, moment)
    ]
    return [
        {
            "id": candidate.memory.id,
            "memory_type": candidate.memory_type,
            "text": cut(candidate.memory.sentence(), RELATED_LENGTH),  # type: ignore[attr-defined]
            "score": score,
            "created_at": candidate.memory.created_at,
            "risk_tags": list(candidate.memory.risk_tags),
        }
        for candidate, score in _ranked("", candidates)
        if candidate.signals.names()
    ][:limit]


def _fact(candidate: _Candidate) -> Fact:
    assert isinstance(candidate.memory, Fact)
    return candidate.memory


def _answerable(query: fulltext.Query, kept: Sequence[_Candidate], meaning: dict[str, float] | None) -> float:
    content = {word.casefold() for word in query.words} - STOP_WORDS
    best = 0.0
    for candidate in kept[:3]:
        text = normal(_fact(candidate).sentence())
        best = max(best, sum(word in text for word in content) / max(1, len(content)))
    if not kept:
        return 0.0
    return ranking.answerable(None if meaning is None else max(meaning.values(), default=0.0), best)
