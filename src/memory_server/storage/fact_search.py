"""Keyword search over facts: what a caller typed, exact filters, best first."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection

from memory_server.domain.fact import Fact
from memory_server.domain.lifecycle import LifecycleState
from memory_server.policies.scopes import Scopes, is_own
from memory_server.policies.snippets import snippets_for
from memory_server.policies.text import digest, normal
from memory_server.storage import fulltext, rows
from memory_server.storage.database import fetch_rows
from memory_server.storage.scopes import visible_sql

LONG_RUN = 2  # blanks between the pairs of a run of four characters without word breaks


@dataclass(frozen=True, slots=True)
class Filters:
    """Exact, case-insensitive conditions; None means any.

    `as_of` asks what was known to be true then, `scopes` is what the reader sees; neither finds anything by itself.
    """

    subject: str | None = None
    predicate: str | None = None
    source: str | None = None
    object: str | None = None
    as_of: str | None = None
    scopes: Scopes = None

    def given(self) -> bool:
        return any(value is not None for value in (self.subject, self.predicate, self.object, self.source))

    def sql(self) -> tuple[str, list[Any]]:
        """The conditions over alias `t`, and their values."""
        parts: list[str] = []
        values: list[Any] = []
        for column, value in (
            ("subject_key", self.subject and normal(self.subject)),
            ("predicate_key", self.predicate and normal(self.predicate)),
            ("object_hash", self.object and digest(normal(self.object))),
        ):
            if value is not None:
                parts.append(f"t.{column} = ?")
                values.append(value)
        if self.source is not None:
            parts.append("t.id IN (SELECT memory_id FROM memory_sources WHERE source_key = ?)")
            values.append(normal(self.source))
        if self.scopes is not None:
            parts.append(visible_sql(self.scopes))
            values += self.scopes
        return " AND ".join(parts), values


@dataclass(frozen=True, slots=True)
class FactHit:
    fact: Fact
    score: float
    snippet: str


def search(
    connection: Connection,
    text: str,
    filters: Filters,
    limit: int,
    frequencies: fulltext.Frequencies,
    now: str,
) -> tuple[list[FactHit], bool]:
    """At most `limit` facts, and whether there are more.

    Those with every word come first, then those with any; current ones before closed ones. With `filters.as_of` only
    what held at that time is found.
    """
    query = fulltext.parse(text)
    unfiltered = not filters.given() and filters.as_of is None and filters.scopes is None
    open_end = query.words[-1] if query.open_end and query.words else None
    snippet = snippets_for(query.words, frequencies.stemmer.stem, open_end=open_end)
    found: dict[str, FactHit] = {}
    floor = float("inf")
    for period, values in _periods(connection, filters, now):
        for place, expression in enumerate(_expressions(connection, query, frequencies)):
            for fact, score in _matches(connection, expression, filters, period, values, limit + 1):
                if fact.id in found:
                    continue
                if len(found) == limit:
                    return _ordered(found, filters.scopes), True
                # what only some of the words found never scores above what all of them found
                floor = min(floor, score)
                found[fact.id] = FactHit(fact, floor, snippet(fact.sentence()))
            if len(found) == limit and place == 0 and unfiltered:
                # full, and nothing left that holds all words: what holds one of them can be told without a search
                return _ordered(found), _any_elsewhere(connection, query, frequencies, limit)
    return _ordered(found, filters.scopes), False


def _ordered(found: dict[str, FactHit], scopes: Scopes = None) -> list[FactHit]:
    """Best first; of equal ones the current before the closed, the reader's own, the fresh before the stale."""
    return sorted(
        found.values(),
        key=lambda hit: (
            -round(hit.score, 9),
            hit.fact.valid_to is not None,
            scopes is not None and not is_own(scopes, hit.fact.scope),
            hit.fact.lifecycle_state is LifecycleState.STALE,
        ),
    )


def _any_elsewhere(
    connection: Connection, query: fulltext.Query, frequencies: fulltext.Frequencies, n_found: int
) -> bool:
    """Whether a word stands in more facts than were found, all of which hold it."""
    return any(frequencies.of(connection, "facts", word) > n_found for word in fulltext.content_words(query))


def _periods(connection: Connection, filters: Filters, now: str) -> Iterator[tuple[str, list[object]]]:
    if filters.as_of is not None:
        # what held then, by all that is known of it now: an import of old papers tells of old times
        yield (
            "coalesce(t.valid_from, t.created_at) <= ? AND (t.valid_to IS NULL OR t.valid_to > ?)",
            [filters.as_of, filters.as_of],
        )
        return
    yield "(t.valid_to IS NULL OR t.valid_to > ?)", [now]
    if fetch_rows(connection, "SELECT 1 FROM facts WHERE valid_to IS NOT NULL LIMIT 1"):
        yield "t.valid_to <= ?", [now]


def _expressions(
    connection: Connection, query: fulltext.Query, frequencies: fulltext.Frequencies
) -> Iterator[str | None]:
    if not query.phrases:
        yield None
        return
    if len(query.phrases) <= fulltext.MAX_WORDS:
        yield query.all_of()
    # one run without word breaks may be several words, if it is long
    if len(query.words) > 1 or any(word.count(" ") >= LONG_RUN for word in query.words):
        any_of = fulltext.any_of(connection, "facts", query, frequencies)
        if any_of:
            yield any_of


def _matches(
    connection: Connection,
    expression: str | None,
    filters: Filters,
    period: str,
    period_values: list[object],
    limit: int,
) -> Iterator[tuple[Fact, float]]:
    condition, values = filters.sql()
    where = " AND ".join(part for part in (condition, period) if part)
    selection = rows.selection(Fact, "t")
    own = filters.scopes[0] if filters.scopes else None
    if expression is None:
        if not filters.given():
            return
        order, first = ("t.scope <> ?, ", [own]) if own is not None else ("", [])
        found = fetch_rows(
            connection,
            f"SELECT 0.0, {selection} FROM facts t WHERE {where} "
            f"AND t.lifecycle_state NOT IN ('archived','forgotten') ORDER BY {order}t.row DESC LIMIT ?",
            (*values, *period_values, *first, limit),
        )
    else:
        found = fetch_rows(
            connection,
            f"SELECT -facts_fts.rank, {selection} FROM facts_fts CROSS JOIN facts t "
            f"ON t.row = facts_fts.rowid WHERE facts_fts MATCH ? AND rank MATCH '{fulltext.WEIGHTS['facts']}' "
            f"AND {where} ORDER BY facts_fts.rank LIMIT ?",
            (expression, *values, *period_values, fulltext.with_ties(limit, filters.scopes)),
        )
    hits = [(rows.from_row(Fact, row, 1), float(row[0])) for row in found]
    if own is not None:
        hits.sort(key=lambda hit: (-round(hit[1], 9), hit[0].scope != own))
    yield from hits[:limit]
