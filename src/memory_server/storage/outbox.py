"""The outbox: the order of all changes, and which of them the vector index has still to learn of."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection

from memory_server.policies.retry import LONGEST_PAUSE_S
from memory_server.storage.database import insert_rows

KEPT_ROWS = 20_000  # settled rows that stay, for processes that follow the sequence


@dataclass(frozen=True, slots=True)
class Change:
    """Memory `memory_id` is not what it was; how it is now is in its table."""

    seq: int
    memory_type: str
    memory_id: str
    attempts: int = 0


def enqueue(connection: Connection, changes: Iterable[tuple[str, str]], now: float) -> None:
    """Notes changed memories as (memory_type, memory_id), inside the transaction that changes them."""
    values = [(memory_type, memory_id, now) for memory_type, memory_id in changes]
    if values:
        insert_rows(
            connection, "INSERT INTO outbox (memory_type, memory_id, created_at) VALUES (?, ?, ?)", values
        )


def due(connection: Connection, now: float, limit: int) -> list[Change]:
    """Pending changes whose time to be tried has come, oldest first.

    What should wait for longer than the longest pause was put off before the clock was set back: it is due.
    """
    found = connection.exec_driver_sql(
        "SELECT seq, memory_type, memory_id, attempts FROM outbox WHERE state = 'pending' "
        "AND (retry_at <= ? OR retry_at > ?) ORDER BY seq LIMIT ?",
        (now, now + LONGEST_PAUSE_S, limit),
    )
    return [Change(*row) for row in found]


def unsettled(connection: Connection, limit: int) -> tuple[list[Change], int]:
    """The newest changes that the vector index may not show yet (parked ones too), and how many there are."""
    total = int(connection.exec_driver_sql("SELECT count(*) FROM outbox WHERE state <> 'done'").scalar_one())
    if not total:
        return [], 0
    found = connection.exec_driver_sql(
        "SELECT seq, memory_type, memory_id, attempts FROM outbox WHERE state <> 'done' ORDER BY seq DESC LIMIT ?",
        (limit,),
    )
    return [Change(*row) for row in found], total


def after(connection: Connection, seq: int, limit: int) -> list[Change]:
    """The changes that follow `seq`, in order, settled or not."""
    found = connection.exec_driver_sql(
        "SELECT seq, memory_type, memory_id, attempts FROM outbox WHERE seq > ? ORDER BY seq LIMIT ?",
        (seq, limit),
    )
    return [Change(*row) for row in found]


def bounds(connection: Connection) -> tuple[int, int]:
    """The oldest row that is left (0 when none is) and the highest sequence ever given."""
    oldest = connection.exec_driver_sql("SELECT min(seq) FROM outbox").scalar_one()
    newest = connection.exec_driver_sql("SELECT seq FROM sqlite_sequence WHERE name = 'outbox'").scalar()
    return int(oldest or 0), int(newest or 0)


def settle(connection: Connection, seqs: Sequence[int]) -> None:
    """Marks changes as done: the vector index has them."""
    _set(connection, "state = 'done', error = NULL", (), seqs)


def postpone(connection: Connection, seq: int, retry_at: float, error: str) -> None:
    """Leaves a change for a later try."""
    _set(connection, "attempts = attempts + 1, retry_at = ?, error = ?", (retry_at, error), [seq])


def park(connection: Connection, seq: int, error: str) -> None:
    """Gives a change up until somebody asks for it again."""
    _set(connection, "state = 'failed', attempts = attempts + 1, error = ?", (error,), [seq])


def revive(connection: Connection) -> int:
    """Makes parked changes pending again; tells how many."""
    return connection.exec_driver_sql(
        "UPDATE outbox SET state = 'pending', attempts = 0, retry_at = 0 WHERE state = 'failed'"
    ).rowcount


def trim(connection: Connection, kept: int = KEPT_ROWS) -> None:
    """Drops settled rows that nobody is likely to follow any more."""
    connection.exec_driver_sql(
        "DELETE FROM outbox WHERE state = 'done' AND seq <= (SELECT max(seq) FROM outbox) - ?", (kept,)
    )


def sizes(connection: Connection) -> dict[str, int]:
    """How many changes are pending and failed."""
    found: dict[str, int] = dict(
        connection.exec_driver_sql(
            "SELECT state, count(*) FROM outbox WHERE state <> 'done' GROUP BY state"
        ).all()
    )
    return {"pending": int(found.get("pending", 0)), "failed": int(found.get("failed", 0))}


def errors(connection: Connection, limit: int = 5) -> list[str]:
    """The last errors of changes that wait or are parked."""
    found = connection.exec_driver_sql(
        "SELECT DISTINCT error FROM outbox WHERE state <> 'done' AND error IS NOT NULL ORDER BY seq DESC LIMIT ?",
        (limit,),
    )
    return [str(row[0]) for row in found]


def _set(connection: Connection, assignment: str, values: tuple[object, ...], seqs: Sequence[int]) -> None:
    for start in range(0, len(seqs), 500):
        part = seqs[start : start + 500]
        marks = ", ".join("?" for _ in part)
        connection.exec_driver_sql(f"UPDATE outbox SET {assignment} WHERE seq IN ({marks})", (*values, *part))
