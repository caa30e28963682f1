"""Reads for an owner who looks around: pages of memories, and what one memory is tied to."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection

from memory_server.domain.memory import Memory
from memory_server.policies.text import normal
from memory_server.storage import rows


@dataclass(frozen=True, slots=True)
class Filters:
    """Conditions that must all hold; None means any. `state` None leaves out what is forgotten."""

    source: str | None = None
    tag: str | None = None
    state: str | None = None
    scope: str | None = None
    created_from: str | None = None
    created_to: str | None = None

    def sql(self) -> tuple[str, list[object]]:
        """The conditions over alias `t`, and their values."""
        parts = ["t.lifecycle_state <> 'forgotten'" if self.state is None else "t.lifecycle_state = ?"]
        values: list[object] = [] if self.state is None else [self.state]
        for condition, value in (
            ("t.scope = ?", self.scope),
            ("t.created_at >= ?", self.created_from),
            ("t.created_at < ?", self.created_to),
            (
                "EXISTS (SELECT 1 FROM json_each(t.tags) WHERE folded(value) = ?)",
                self.tag and normal(self.tag),
            ),
        ):
            if value is not None:
                parts.append(condition)
                values.append(value)
        if self.source is not None:
            parts.append(
                "(t.source = ? COLLATE NOCASE OR t.id IN (SELECT memory_id FROM memory_sources WHERE source_key = ?))"
            )
            values += [self.source, normal(self.source)]
        return " AND ".join(parts), values


def page(
    connection: Connection, memory_type: str, filters: Filters, before_row: int, limit: int
) -> Iterator[tuple[int, Memory]]:
    """Memories of a kind with their rows, newest first, of those that were written before a row."""
    model = rows.MODELS[memory_type]
    condition, values = filters.sql()
    found = connection.exec_driver_sql(
        f"SELECT t.row, {rows.selection(model, 't')} FROM {rows.TABLES[memory_type]} t "
        f"WHERE t.row < ? AND {condition} ORDER BY t.row DESC LIMIT ?",
        (before_row, *values, limit),
    )
    for row in found:
        yield int(row[0]), rows.from_row(model, row, 1)


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
