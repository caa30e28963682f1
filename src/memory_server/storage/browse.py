"""Reads for an owner who looks around: pages of memories, and what one memory is tied to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection

from memory_server.domain.memory import Memory
from memory_server.policies.scopes import Scopes
from memory_server.policies.text import normal
from memory_server.storage import fulltext, rows
from memory_server.storage.database import fetch_rows
from memory_server.storage.scopes import visible_sql


@dataclass(frozen=True, slots=True)
class Filters:
    """Conditions that must all hold; None means any. `state` None leaves out what is forgotten.

    Args:
        source: whoever claims a memory, first or later, in any case.
        scope: just this one.
        scopes: one of these.
        subject: of facts; other kinds have none and do not match.
        session: of episodes, and of what was learned from these.
        query: words that must all be there, whole; what is archived is in no full text and does not match.
        created_from, created_to: from the one on, before the other; RFC 3339 as stored.
    """

    source: str | None = None
    tag: str | None = None
    state: str | None = None
    scope: str | None = None
    created_from: str | None = None
    created_to: str | None = None
    subject: str | None = None
    session: str | None = None
    query: str | None = None
    scopes: Scopes = None

    def sql(self, memory_type: str) -> tuple[str, list[object]]:
        """The conditions over alias `t` on memories of a kind, and their values."""
        parts = ["t.lifecycle_state <> 'forgotten'" if self.state is None else "t.lifecycle_state = ?"]
        values: list[object] = [] if self.state is None else [self.state]
        for condition, value in (
            ("t.scope = ?", self.scope),
            ("t.created_at >= ?", self.created_from),
            ("t.created_at < ?", self.created_to),
            ("EXISTS (SELECT 1 FROM json_each(t.tags) WHERE folded(value) = ?)", _folded(self.tag)),
            ("t.subject_key = ?" if memory_type == "fact" else "? IS NULL", _folded(self.subject)),
            (_SESSION_OF_EPISODE if memory_type == "episode" else _SESSION_OF_DERIVED, self.session),
        ):
            if value is not None:
                parts.append(condition)
                values.append(value)
        if self.scopes is not None:
            parts.append(visible_sql(self.scopes))
            values += self.scopes
        if self.source is not None:
            parts.append(
                "(t.source = ? COLLATE NOCASE OR t.id IN (SELECT memory_id FROM memory_sources WHERE source_key = ?))"
            )
            values += [self.source, normal(self.source)]
        if self.query is not None:
            table = rows.TABLES[memory_type]
            words = _all_words(memory_type, self.query)
            parts.append(
                f"t.row IN (SELECT rowid FROM {table}_fts WHERE {table}_fts MATCH ?)" if words else "? <> ''"
            )
            values.append(words)
        return " AND ".join(parts), values


_SESSION_OF_EPISODE = "t.session = ?"
_SESSION_OF_DERIVED = "t.episode_id IN (SELECT id FROM episodes WHERE session = ?)"


def _folded(text: str | None) -> str | None:
    return None if text is None else normal(text)


def _all_words(memory_type: str, query: str) -> str:
    """The full-text expression of memories that hold every word themselves; empty where there is no word."""
    every = " AND ".join(fulltext.parse(query).phrases)
    # what stands around an episode is another's text
    return f"- neighbours : ({every})" if every and memory_type == "episode" else every


def page(
    connection: Connection, memory_type: str, filters: Filters, before_row: int, limit: int
) -> Iterator[tuple[int, Memory]]:
    """Memories of a kind with their rows, newest first, of those that were written before a row."""
    model = rows.MODELS[memory_type]
    condition, values = filters.sql(memory_type)
    found = connection.exec_driver_sql(
        f"SELECT t.row, {rows.selection(model, 't')} FROM {rows.TABLES[memory_type]} t "
        f"WHERE t.row < ? AND {condition} ORDER BY t.row DESC LIMIT ?",
        (before_row, *values, limit),
    )
    for row in found:
        yield int(row[0]), rows.from_row(model, row, 1)


@dataclass(frozen=True, slots=True)
class Match:
    """One memory that filters match, as far as it has to be known to be told from what it becomes later."""

    memory_type: str
    id: str
    row: int
    source: str
    source_count: int
    updated_at: str


def matching(connection: Connection, memory_type: str, filters: Filters) -> list[Match]:
    """Every memory of a kind that the filters match, oldest first."""
    condition, values = filters.sql(memory_type)
    return _matches(connection, memory_type, condition, values)


def by_ids(connection: Connection, memory_type: str, ids: Sequence[str]) -> list[Match]:
    """The memories of those ids that are not forgotten, oldest first in each batch."""
    found = []
    for batch in rows.batches(ids):
        marks = ", ".join("?" for _ in batch)
        condition = f"t.id IN ({marks}) AND t.lifecycle_state <> 'forgotten'"
        found += _matches(connection, memory_type, condition, batch)
    return found


def learned_from(connection: Connection, memory_type: str, episode_ids: Sequence[str]) -> list[Match]:
    """What was learned from these episodes and is not forgotten, of one kind."""
    found = []
    for batch in rows.batches(episode_ids):
        marks = ", ".join("?" for _ in batch)
        condition = f"t.episode_id IN ({marks}) AND t.lifecycle_state <> 'forgotten'"
        found += _matches(connection, memory_type, condition, batch)
    return found


def _matches(
    connection: Connection, memory_type: str, condition: str, values: Sequence[object]
) -> list[Match]:
    sql = (
        "SELECT t.id, t.row, t.source, t.source_count, t.updated_at "
        f"FROM {rows.TABLES[memory_type]} t WHERE {condition} ORDER BY t.row"
    )
    return [Match(memory_type, *row) for row in fetch_rows(connection, sql, values)]


def archived(connection: Connection, memory_type: str) -> int:
    """How many memories of a kind are archived, which no full text knows."""
    found = connection.exec_driver_sql(
        f"SELECT count(*) FROM {rows.TABLES[memory_type]} WHERE lifecycle_state = 'archived'"
    )
    return int(found.scalar_one())


def claims(connection: Connection, memory_id: str) -> list[dict[str, Any]]:
    """Who claims a memory: source, confidence, first_at, last_at, in the order in which they came."""
    found = connection.exec_driver_sql(
        "SELECT source, confidence, first_at, last_at FROM memory_sources WHERE memory_id = ? "
        "ORDER BY first_at, source_key",
        (memory_id,),
    )
    return [dict(row._mapping) for row in found]


def episode(connection: Connection, episode_id: str) -> dict[str, Any] | None:
    """The episode that something was learned from: id, source, created_at, occurred_at, lifecycle_state, text."""
    row = connection.exec_driver_sql(
        "SELECT id, source, created_at, occurred_at, lifecycle_state, text FROM episodes WHERE id = ?",
        (episode_id,),
    ).first()
    return dict(row._mapping) if row else None


def derived_from(connection: Connection, episode_id: str, limit: int) -> list[dict[str, str]]:
    """What was learned from an episode: memory_type and id."""
    found: list[dict[str, str]] = []
    for memory_type, table in rows.TABLES.items():
        if memory_type != "episode" and len(found) < limit:
            ids = connection.exec_driver_sql(
                f"SELECT id FROM {table} WHERE episode_id = ? ORDER BY row LIMIT ?",
                (episode_id, limit - len(found)),
            )
            found += [{"memory_type": memory_type, "id": str(memory_id)} for memory_id in ids.scalars()]
    return found


def resting_on(connection: Connection, memory_id: str, limit: int) -> list[str]:
    """The beliefs that name a memory as evidence."""
    found = connection.exec_driver_sql(
        "SELECT belief_id FROM belief_evidence WHERE source_id = ? ORDER BY added_at, belief_id LIMIT ?",
        (memory_id, limit),
    )
    return list(found.scalars())


def versions(connection: Connection, memory: Memory, limit: int) -> list[Memory]:
    """What a memory continues and what took its place, oldest first, itself among them."""
    model = type(memory)
    chain, seen = [memory], {memory.id}
    for end, link in ((0, "replaces_id"), (-1, "superseded_by")):
        while len(chain) < limit:
            following = getattr(chain[end], link)
            other = rows.get(connection, model, following) if following and following not in seen else None
            if other is None:
                break
            seen.add(other.id)
            chain.insert(0, other) if end == 0 else chain.append(other)
    return chain
