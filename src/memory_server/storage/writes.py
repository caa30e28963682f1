"""Writes as receipts tell of them: which there were, which belong together, which were taken back."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection

from memory_server.policies.text import normal
from memory_server.policies.writes import ASSERTIONS, Did, undone_by, what_was_done
from memory_server.storage import rows
from memory_server.storage.database import fetch_rows

UNDO = "undo"
"""Who takes writes back; what it wrote itself is not taken back."""

_COLUMNS = "row, id, memory_id, memory_type, source, created_by, confidence, timestamp, history"
_FIRST_WINDOW = 6  # receipts read on either side of one: most writes leave one or two
_WINDOW = 200  # and in further steps


@dataclass(frozen=True, slots=True)
class Written:
    """One receipt, with what its write did."""

    row: int
    id: str
    memory_id: str
    memory_type: str
    source: str
    created_by: str
    confidence: float
    timestamp: str
    history: tuple[str, ...]

    @property
    def did(self) -> Did:
        """What the write did to the memory."""
        return what_was_done(self.history)

    @property
    def asserts(self) -> bool:
        """Whether its source claims the memory by it."""
        return self.did in ASSERTIONS


def newest(connection: Connection, before: int, limit: int) -> list[Written]:
    """The newest receipts before a row, newest first."""
    return _read(connection, "row < ? ORDER BY row DESC LIMIT ?", (before, limit))


def by_id(connection: Connection, receipt_id: str) -> Written | None:
    """The receipt of that id."""
    # no index: receipts are looked up by their memory, and this is asked for by people
    return next(iter(_read(connection, "id = ? LIMIT 1", (receipt_id,))), None)


def of_memories(connection: Connection, memory_ids: Iterable[str]) -> dict[str, list[Written]]:
    """All receipts of each memory, oldest first."""
    found: dict[str, list[Written]] = {}
    for batch in rows.batches(memory_ids):
        marks = ", ".join("?" for _ in batch)
        for written in _read(connection, f"memory_id IN ({marks}) ORDER BY row", batch):
            found.setdefault(written.memory_id, []).append(written)
    return found


def by_source(connection: Connection, source: str, since: str) -> list[Written]:
    """What a source has written since a time, newest first."""
    return _read(
        connection, "timestamp >= ? AND folded(source) = ? ORDER BY row DESC", (since, normal(source))
    )


def of_session(connection: Connection, session: str, since: str) -> list[Written]:
    """The receipts of a session's episodes since a time, newest first."""
    return _read(
        connection,
        "memory_id IN (SELECT id FROM episodes WHERE session = ?) AND timestamp >= ? ORDER BY row DESC",
        (session, since),
    )


def together_with(connection: Connection, written: Written) -> list[Written]:
    """All receipts of the transaction that wrote this one, oldest first.

    A transaction writes its receipts in a row and with one time.
    """
    before = _run(connection, written, "row < ? ORDER BY row DESC", written.row)
    after = _run(connection, written, "row > ? ORDER BY row", written.row)
    found = [*reversed(list(before)), written, *after]
    return [one for one in found if one.created_by == written.created_by]


def _run(connection: Connection, written: Written, condition: str, row: int) -> Iterator[Written]:
    limit = _FIRST_WINDOW
    while True:
        part = _read(connection, f"{condition} LIMIT {limit}", (row,))
        for one in part:
            if one.timestamp != written.timestamp:
                return
            yield one
        if len(part) < limit:
            return
        row, limit = part[-1].row, _WINDOW


def taken_back(receipts: Iterable[Written]) -> set[str]:
    """The ids of receipts that others among these take back."""
    return {receipt_id for one in receipts if one.created_by == UNDO for receipt_id in undone_by(one.history)}


def keep_claims(connection: Connection, memory_id: str, source: str, left: Sequence[Written]) -> None:
    """Lets a source claim a memory as far as its writes that are left say; without any, not at all."""
    key = normal(source)
    own = [written for written in left if normal(written.source) == key]
    if not own:
        connection.exec_driver_sql(
            "DELETE FROM memory_sources WHERE memory_id = ? AND source_key = ?", (memory_id, key)
        )
        return
    connection.exec_driver_sql(
        "UPDATE memory_sources SET confidence = ?, last_at = ? WHERE memory_id = ? AND source_key = ?",
        (max(written.confidence for written in own), own[-1].timestamp, memory_id, key),
    )


def copy_claims(connection: Connection, from_id: str, to_id: str) -> None:
    """Lets everybody who claims a memory claim another one as well."""
    connection.exec_driver_sql(
        "INSERT INTO memory_sources (memory_id, source_key, source, confidence, first_at, last_at) "
        "SELECT ?, source_key, source, confidence, first_at, last_at FROM memory_sources WHERE memory_id = ? "
        "ON CONFLICT (memory_id, source_key) DO UPDATE SET confidence = excluded.confidence, "
        "first_at = excluded.first_at, last_at = excluded.last_at",
        (to_id, from_id),
    )


def keep_evidence_times(connection: Connection, from_id: str, to_id: str) -> None:
    """Lets a belief's evidence have come when another one's did, from which it was taken over."""
    connection.exec_driver_sql(
        "UPDATE belief_evidence AS new SET added_at = old.added_at FROM belief_evidence AS old "
        "WHERE new.belief_id = ? AND old.belief_id = ? "
        "AND old.source_type = new.source_type AND old.source_id = new.source_id",
        (to_id, from_id),
    )


def drop_evidence_of(connection: Connection, belief_id: str, added_at: str) -> int:
    """Takes away the evidence that came with one assertion of a belief; tells how many pieces."""
    return connection.exec_driver_sql(
        "DELETE FROM belief_evidence WHERE belief_id = ? AND added_at = ?", (belief_id, added_at)
    ).rowcount


def _read(connection: Connection, condition: str, values: Sequence[object]) -> list[Written]:
    found = fetch_rows(connection, f"SELECT {_COLUMNS} FROM receipts WHERE {condition}", values)
    return [Written(*(*row[:8], tuple(json.loads(row[8])))) for row in found]
