"""Why a keyword search found a fact, and why it did not find one that was expected."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection

from memory_server.domain.fact import Fact
from memory_server.policies.text import as_written, digest, index_words, normal
from memory_server.services.explanation import shut_out
from memory_server.services.parts import Parts
from memory_server.storage import fact_search, fulltext, rows, sources
from memory_server.storage.fact_search import FactHit, Filters

DEEPEST = 100  # places down to which an expected fact is looked for


def explain_search(
    parts: Parts,
    connection: Connection,
    query: str,
    filters: Filters,
    hits: Sequence[FactHit],
    expected_id: str | None,
    now: str,
) -> dict[str, Any]:
    """The weights, the words of the query that each fact holds, and what kept an expected one out."""
    words = fulltext.content_words(fulltext.parse(query))
    signals = {}
    for hit in hits:
        held = _held(parts, words, hit.fact)
        missing = _without(words, held)
        signals[hit.fact.id] = {
            "bm25": round(hit.score, 4),
            "words": [as_written(word) for word in held],
            "missing": [as_written(word) for word in missing],
        }
    expected = None
    if expected_id:
        expected = _expected(parts, connection, query, filters, hits, expected_id.casefold(), words, now)
    return {"weights": fulltext.FACT_WEIGHTS, "signals": signals, "expected": expected}


def _expected(
    parts: Parts,
    connection: Connection,
    query: str,
    filters: Filters,
    hits: Sequence[FactHit],
    memory_id: str,
    words: Sequence[str],
    now: str,
) -> dict[str, Any]:
    def told(reason: str, detail: str) -> dict[str, Any]:
        return {"id": memory_id, "reason": reason, "detail": detail}

    for found_at, hit in enumerate(hits, 1):
        if hit.fact.id == memory_id:
            return told("found", f"it is number {found_at}")
    memory = rows.find(connection, memory_id)
    kept_out = shut_out(memory, filters.scopes, filters.as_of or now)
    # without a moment that is asked about, closed facts are found too, behind the current ones
    if memory is None or (kept_out is not None and (kept_out[0] != "validity" or filters.as_of is not None)):
        return told(*(kept_out or ("unknown", "")))
    if not isinstance(memory, Fact):
        return told("kind", "search finds facts; get_context and semantic_search find other kinds")
    missed = _missed_filter(connection, filters, memory)
    if missed:
        return told("filter", f"{missed} is another one than asked for")
    held = _held(parts, words, memory)
    if words and not held:
        return told("words", f"it holds none of the words {', '.join(map(as_written, words))}")
    found, _ = fact_search.search(connection, query, filters, DEEPEST, parts.frequencies, now)
    place = next((at for at, hit in enumerate(found, 1) if hit.fact.id == memory_id), None)
    missing = _without(words, held)
    lacks = f"; it lacks {', '.join(map(as_written, missing))}" if missing else ""
    if place is None:
        return told("rank", f"it is not among the first {DEEPEST}{lacks}")
    return told("rank", f"it is number {place}{lacks}")


def _held(parts: Parts, words: Sequence[str], fact: Fact) -> list[str]:
    stem = parts.frequencies.stemmer.stem
    stems = {stem(word) for word in index_words(f"{fact.sentence()} {' '.join(fact.tags)}")}
    # what is written without blanks is looked for as a run of pairs
    return [word for word in words if all(stem(pair) in stems for pair in word.split())]


def _without(words: Sequence[str], held: Sequence[str]) -> list[str]:
    return [word for word in words if word not in held]


def _missed_filter(connection: Connection, filters: Filters, fact: Fact) -> str | None:
    """The name of a filter that the fact does not pass."""
    for name, wanted, is_value in (
        ("subject", filters.subject, normal(fact.subject)),
        ("predicate", filters.predicate, normal(fact.predicate)),
    ):
        if wanted is not None and normal(wanted) != is_value:
            return name
    if filters.object is not None and digest(normal(filters.object)) != digest(normal(fact.object)):
        return "object"
    if filters.source is not None:
        said_by = sources.names(connection, [fact.id]).get(fact.id, [fact.source])
        if normal(filters.source) not in {normal(name) for name in said_by}:
            return "source"
    return None
