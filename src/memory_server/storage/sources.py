"""Which distinct sources claim a memory, and how strongly: the ground of corroboration."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sqlalchemy import Connection

from memory_server.policies.text import normal
from memory_server.storage.database import insert_rows
from memory_server.storage.rows import batches


def claim(connection: Connection, memory_id: str, source: str, confidence: float, now: str) -> None:
    """Notes that a source claims a memory; the highest claim of a source is kept."""
    claim_all(connection, [(memory_id, source, confidence)], now)


def claim_all(connection: Connection, claims: Iterable[tuple[str, str, float]], now: str) -> None:
    """Notes claims as (memory id, source, confidence); the highest claim of a source is kept."""
    values = [
        (memory_id, normal(source), source, confidence, now, now) for memory_id, source, confidence in claims
    ]
    if not values:
        return
    insert_rows(
        connection,
        "INSERT INTO memory_sources (memory_id, source_key, source, confidence, first_at, last_at) "
        "VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (memory_id, source_key) DO UPDATE SET "
        "confidence = max(confidence, excluded.confidence), last_at = excluded.last_at",
        values,
    )


def count(connection: Connection, memory_id: str) -> int:
    """How many distinct sources claim a memory."""
    return int(
        connection.exec_driver_sql(
            "SELECT count(*) FROM memory_sources WHERE memory_id = ?", (memory_id,)
        ).scalar_one()
    )


def names(connection: Connection, memory_ids: Sequence[str]) -> dict[str, list[str]]:
    """The sources of each memory, in the order in which they came."""
    found: dict[str, list[str]] = {}
    for batch in batches(memory_ids):
        marks = ", ".join("?" for _ in batch)
        for memory_id, source in connection.exec_driver_sql(
            f"SELECT memory_id, source FROM memory_sources WHERE memory_id IN ({marks}) ORDER BY first_at, source_key",
            tuple(batch),
        ):
            found.setdefault(memory_id, []).append(source)
    return found


def moved_on(connection: Connection, memory_id: str, to_id: str) -> bool:
    """Whether every source that claims a memory has claimed another one since."""
    (still,) = connection.exec_driver_sql(
        "SELECT count(*) FROM memory_sources o WHERE o.memory_id = ? AND NOT EXISTS (SELECT 1 FROM memory_sources n "
        "WHERE n.memory_id = ? AND n.source_key = o.source_key AND n.last_at >= o.last_at)",
        (memory_id, to_id),
    ).one()
    return not still
