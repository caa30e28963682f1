"""Finds notes by their words, and by meaning what words miss, where that is switched on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Connection

from memory_server.indexes.ports import IndexUnavailable
from memory_server.policies.knowledge_search import (
    MOST_RESULTS,
    KnowledgeQuery,
    fuse,
    holds_identifier,
    identifiers,
    score,
)
from memory_server.policies.scopes import visible_from
from memory_server.services.parts import Parts
from memory_server.storage import knowledge
from memory_server.storage.knowledge import Match

STRICT_POOL, BROAD_POOL = 2, 4  # times the limit: what the boosts can act on
MEANT_FROM = 0.5  # cosine below which a note that holds no word of the query is not shown
MEANT = 20  # notes that a search by meaning brings in


@dataclass(frozen=True, slots=True)
class FoundKnowledge:
    note: Match
    score: float


@dataclass(frozen=True, slots=True)
class KnowledgeFound:
    """What a search found, best first.

    Attributes:
        total: how many notes match.
        strategy: strict, broad, recent or hybrid.
        degraded: why meaning was not asked although it is switched on, or not about everything.
    """

    results: Sequence[FoundKnowledge]
    total: int
    strategy: str
    degraded: str | None = None


def search_knowledge(parts: Parts, query: KnowledgeQuery) -> KnowledgeFound:
    """The notes that a query finds.

    Raises:
        StorageUnavailable: the database cannot be read.
    """
    if parts.settings.knowledge_semantic and query.tokens:
        return _with_meaning(parts, query)
    with parts.database.read() as connection:
        return _by_words(connection, query, query.limit)


def _by_words(connection: Connection, query: KnowledgeQuery, limit: int) -> KnowledgeFound:
    if not query.tokens:
        found = knowledge.newest(connection, query.scope, limit)
        return KnowledgeFound(_scored(found, query, 1, limit), len(found), "recent")
    strategy, of = "strict", 1
    found, total = knowledge.holding_all(connection, query.tokens, query.scope, STRICT_POOL * limit)
    if not found and len(query.tokens) > 1:
        strategy, of = "broad", len(query.tokens)
        found, total = knowledge.holding_any(connection, query.tokens, query.scope, BROAD_POOL * limit)
    return KnowledgeFound(_scored(found, query, of, limit), total, strategy)


def _scored(found: Sequence[Match], query: KnowledgeQuery, of: int, limit: int) -> list[FoundKnowledge]:
    scored = [
        FoundKnowledge(match, score(match.relevance, match.held / of, match.tags, match.scope, query))
        for match in found
    ]
    return sorted(scored, key=lambda one: -one.score)[:limit]


def _with_meaning(parts: Parts, query: KnowledgeQuery) -> KnowledgeFound:
    with parts.database.read() as connection:
        by_words = _by_words(connection, query, MOST_RESULTS)
        names = identifiers(query.text)
        exact = (
            knowledge.holding_phrase(connection, names, query.scope, STRICT_POOL * MOST_RESULTS)
            if names
            else []
        )
    try:
        meant = parts.meaning.search(
            query.text.strip(), MEANT, memory_types={"knowledge"}, scopes=visible_from(query.scope)
        )
    except IndexUnavailable as error:
        told = f"found by words alone: search by meaning is unavailable: {error}"
        return KnowledgeFound(by_words.results[: query.limit], by_words.total, by_words.strategy, told)
    exact = [note for note in exact if holds_identifier(_words(note), names)]
    worded = list(dict.fromkeys([*(one.note.id for one in by_words.results), *(note.id for note in exact)]))
    with parts.database.read() as connection:
        cosines = dict(meant.hits)
        notes = knowledge.by_ids(connection, [*worded, *cosines], query.scope)
    near = [memory_id for memory_id in cosines if memory_id in notes]
    fused = [
        FoundKnowledge(notes[memory_id], value)
        for memory_id, value in fuse(worded, near, {note.id for note in exact})
        if memory_id in notes and (memory_id in worded or cosines[memory_id] >= MEANT_FROM)
    ]
    total = by_words.total + len({one.note.id for one in fused} - set(worded))
    return KnowledgeFound(fused[: query.limit], max(total, len(fused)), "hybrid", meant.note)


def _words(note: Match) -> str:
    return "\n".join((note.title, note.content, *note.tags))
