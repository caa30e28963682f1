"""Search over beliefs: words of the proposition, exact filters, best first."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from sqlalchemy import Connection

from memory_server.domain.belief import Belief
from memory_server.domain.lifecycle import LifecycleState
from memory_server.policies.scopes import Scopes, is_own
from memory_server.policies.text import normal
from memory_server.storage import fulltext, rows
from memory_server.storage.scopes import visible_sql


@dataclass(frozen=True, slots=True)
class Filters:
    """Conditions that a belief must meet; None means any. Tags are whole tags, and all must be there.

    `scopes` is what the reader sees, its own first.
    """

    state: LifecycleState | None = LifecycleState.ACTIVE
    min_confidence: float = 0.0
    tags: tuple[str, ...] = ()
    source: str | None = None
    creator: str | None = None
    source_id: str | None = None
    scopes: Scopes = None

    def sql(self) -> tuple[str, list[object]]:
        """The conditions over alias `t`, and their values."""
        parts, values = ["t.confidence >= ?"], [self.min_confidence]  # type: tuple[list[str], list[object]]
        if self.state is not None:
            # nearly all are active: walking them from the newest on beats collecting and sorting them by that index
            parts.append(f"{'+' if self.state is LifecycleState.ACTIVE else ''}t.lifecycle_state = ?")
            values.append(str(self.state))
        for tag in self.tags:
            parts.append("EXISTS (SELECT 1 FROM json_each(t.tags) WHERE folded(value) = ?)")
            values.append(normal(tag))
        if self.source is not None:
            parts.append("t.id IN (SELECT memory_id FROM memory_sources WHERE source_key = ?)")
            values.append(normal(self.source))
        if self.creator is not None:
            parts.append("folded(t.creator) = ?")
            values.append(normal(self.creator))
        if self.source_id is not None:
            parts.append("t.id IN (SELECT belief_id FROM belief_evidence WHERE source_id = ?)")
            values.append(self.source_id)
        if self.scopes is not None:
            parts.append(visible_sql(self.scopes))
            values += self.scopes
        return " AND ".join(parts), values


def search(
    connection: Connection, text: str, filters: Filters, limit: int, frequencies: fulltext.Frequencies
) -> list[Belief]:
    """At most `limit` beliefs: those with every word first, then those with any; without words the newest first.

    Of those that are found alike, and without words of all, the reader's own come first.

    What is archived or forgotten is in no full-text index and is found by filters alone.
    """
    query = fulltext.parse(text)
    if not query.phrases:
        if text.strip():
            return []
        parts = (
            [filters] if filters.scopes is None else [replace(filters, scopes=(s,)) for s in filters.scopes]
        )
        newest: list[Belief] = []
        for part in parts:
            newest += _newest(connection, part, limit - len(newest)) if len(newest) < limit else []
        return newest
    found: dict[str, Belief] = {}
    for expression in _expressions(connection, query, frequencies):
        if len(found) >= limit:
            break
        for belief in _matches(connection, expression, filters, limit):
            if len(found) < limit:
                found.setdefault(belief.id, belief)
    return list(found.values())


def _expressions(
    connection: Connection, query: fulltext.Query, frequencies: fulltext.Frequencies
) -> Iterator[str]:
    if len(query.phrases) <= fulltext.MAX_WORDS:
        yield query.all_of()
    if len(query.words) > 1:
        any_of = fulltext.any_of(connection, "beliefs", query, frequencies)
        if any_of:
            yield any_of


def _newest(connection: Connection, filters: Filters, limit: int) -> list[Belief]:
    condition, values = filters.sql()
    found = connection.exec_driver_sql(
        f"SELECT {rows.selection(Belief, 't')} FROM beliefs t WHERE {condition} ORDER BY t.row DESC LIMIT ?",
        (*values, limit),
    )
    return [rows.from_row(Belief, row) for row in found]


def _matches(connection: Connection, expression: str, filters: Filters, limit: int) -> Iterator[Belief]:
    condition, values = filters.sql()
    columns = rows.selection(Belief, "t")
    found = connection.exec_driver_sql(
        f"SELECT -beliefs_fts.rank, {columns} FROM beliefs_fts CROSS JOIN beliefs t ON t.row = beliefs_fts.rowid "
        f"WHERE beliefs_fts MATCH ? AND rank MATCH '{fulltext.WEIGHTS['beliefs']}' AND {condition} "
        "ORDER BY beliefs_fts.rank LIMIT ?",
        (expression, *values, fulltext.with_ties(limit, filters.scopes)),
    )
    hits = [(rows.from_row(Belief, row, 1), float(row[0])) for row in found]
    if filters.scopes is not None:
        hits.sort(key=lambda hit: (-round(hit[1], 9), not is_own(filters.scopes, hit[0].scope)))
    yield from (belief for belief, _ in hits[:limit])
