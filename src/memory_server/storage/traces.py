"""Looks for what should be gone: in the rows, in full text, among evidence."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection

from memory_server.storage import rows
from memory_server.storage.database import fetch_rows
from memory_server.storage.erasure import said


@dataclass(frozen=True, slots=True)
class Trace:
    """One memory that is to be gone; `words` is a full-text expression that found it before, empty for none."""

    memory_type: str
    id: str
    row: int
    words: str = ""


def words_of(connection: Connection, memory_type: str, expressions: Sequence[tuple[int, str]]) -> set[int]:
    """Those of the rows that full text finds by the words that go with them."""
    table = rows.TABLES[memory_type]
    sql = f"SELECT rowid FROM {table}_fts WHERE {table}_fts MATCH ? AND rowid = ?"
    return {
        row
        for row, expression in expressions
        if expression and fetch_rows(connection, sql, (expression, row))
    }


def entries_of(connection: Connection, memory_type: str, table_rows: Sequence[int]) -> int:
    """How many of the rows have an entry in full text."""
    table = f"{rows.TABLES[memory_type]}_fts_docsize"
    return _counted(connection, f"SELECT count(*) FROM {table} WHERE id", [str(row) for row in table_rows])


def still_saying(connection: Connection, memory_type: str, ids: Sequence[str]) -> int:
    """How many of the memories are not forgotten, or have a column left that says something."""
    sql = (
        f"SELECT count(*) FROM {rows.TABLES[memory_type]} "
        f"WHERE (lifecycle_state <> 'forgotten' OR {said(memory_type)}) AND id"
    )
    return _counted(connection, sql, ids)


def side_rows(connection: Connection, ids: Sequence[str]) -> int:
    """How many sources, topics and pieces of evidence of these memories there are."""
    return sum(
        _counted(connection, f"SELECT count(*) FROM {table} WHERE {column}", ids)
        for table, column in (
            ("memory_sources", "memory_id"),
            ("belief_topics", "belief_id"),
            ("belief_evidence", "belief_id"),
        )
    )


def _counted(connection: Connection, sql: str, values: Sequence[str]) -> int:
    return sum(
        int(fetch_rows(connection, f"{sql} IN ({', '.join('?' for _ in batch)})", batch)[0][0])
        for batch in rows.batches(values)
    )


def beliefs_naming(connection: Connection, ids: Sequence[str]) -> dict[str, list[str]]:
    """The beliefs, not forgotten themselves, that name one of the memories as evidence, with those that they name."""
    found: dict[str, list[str]] = {}
    for batch in rows.batches(ids):
        marks = ", ".join("?" for _ in batch)
        for belief_id, source_id in fetch_rows(
            connection,
            "SELECT e.belief_id, e.source_id FROM belief_evidence e JOIN beliefs b ON b.id = e.belief_id "
            f"WHERE e.source_id IN ({marks}) AND b.lifecycle_state <> 'forgotten' ORDER BY b.row, e.source_id",
            batch,
        ):
            found.setdefault(belief_id, []).append(source_id)
    return found


def episodes_behind(connection: Connection, memory_type: str, ids: Collection[str]) -> list[str]:
    """The episodes, not forgotten, that the memories were learned from: their words are still there."""
    found: dict[str, None] = {}
    for batch in rows.batches(ids):
        marks = ", ".join("?" for _ in batch)
        sql = (
            f"SELECT DISTINCT e.id FROM {rows.TABLES[memory_type]} t JOIN episodes e ON e.id = t.episode_id "
            f"WHERE t.id IN ({marks}) AND e.lifecycle_state <> 'forgotten'"
        )
        found |= dict.fromkeys(str(row[0]) for row in fetch_rows(connection, sql, batch))
    return list(found)


def unsettled(connection: Connection, ids: Sequence[str]) -> tuple[int, str | None]:
    """How many changes of these memories the vector index has still to learn of, and an error that keeps it from it."""
    count, reason = 0, None
    for batch in rows.batches(ids):
        marks = ", ".join("?" for _ in batch)
        ((here, error),) = fetch_rows(
            connection,
            f"SELECT count(*), max(error) FROM outbox WHERE state <> 'done' AND memory_id IN ({marks})",
            batch,
        )
        count, reason = count + int(here), reason or error
    return count, reason
