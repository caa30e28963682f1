"""Keyword search over facts."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from memory_server.domain.errors import InvalidArgument
from memory_server.domain.memory import rfc3339
from memory_server.policies.text import is_blank
from memory_server.services.parts import Parts
from memory_server.services.scope_notes import scope_note
from memory_server.services.search_explanation import explain_search
from memory_server.services.views import FactView, confidences, viewed
from memory_server.storage import fact_search
from memory_server.storage.fact_search import Filters


class FoundFact(FactView):
    """A fact that a keyword search found."""

    score: float
    snippet: str


@dataclass(frozen=True, slots=True)
class Found:
    """Facts best first; `scope_note` where nothing is stored in the reader's scope."""

    results: list[FoundFact]
    has_more: bool
    scope_note: str | None = None
    explanation: dict[str, Any] | None = None


def search(
    parts: Parts,
    query: str,
    filters: Filters,
    limit: int,
    *,
    explain: bool = False,
    expected_id: str | None = None,
) -> Found:
    """The facts that a text and exact filters find, best first.

    Args:
        explain: with the words of the query that each one holds.
        expected_id: a fact that should be found, to be told what kept it out.

    Raises:
        InvalidArgument: neither words nor a filter.
        StorageUnavailable: the database cannot be read.
    """
    if is_blank(query) and not filters.given():
        raise InvalidArgument(
            "query is empty: give words to find, or a filter (subject, predicate, object or source)",
            argument="query",
        )
    now = datetime.now(UTC)
    with parts.database.read() as connection:
        hits, has_more = fact_search.search(
            connection, query, filters, limit, parts.frequencies, rfc3339(now)
        )
        trusts = confidences(connection, parts.settings, [hit.fact for hit in hits], now, filters.scopes)
        note = scope_note(connection, filters.scopes)
        explanation = None
        if explain or expected_id:
            explanation = explain_search(parts, connection, query, filters, hits, expected_id, rfc3339(now))
    results = [
        viewed(FoundFact, hit.fact, trust, score=squash(hit.score), snippet=hit.snippet)
        for trust, hit in zip(trusts, hits, strict=True)
    ]
    return Found(results, has_more, note, explanation)


def squash(score: float) -> float:
    """A score without an upper end (−bm25) on the scale from 0 to 1; order is kept."""
    return round(max(0.0, score) / (1.0 + max(0.0, score)), 8)
