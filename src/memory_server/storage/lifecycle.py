"""Lifecycle events: every move of every memory, with reason, actor and time."""

from __future__ import annotations

from collections.abc import Iterable

from sqlalchemy import Connection

from memory_server.domain.lifecycle import LifecycleState, check_move, steps_between
from memory_server.domain.memory import Memory
from memory_server.storage import rows
from memory_server.storage.database import insert_rows

_EVENT = (
    "INSERT INTO lifecycle_events (memory_id, memory_type, from_state, to_state, reason, actor, at) "
    "VALUES (?, ?, ?, ?, ?, ?, ?)"
)


def born(
    connection: Connection, memory: Memory, memory_type: str, *, reason: str, actor: str, now: str
) -> None:
    """Notes the first state of a new memory."""
    all_born(connection, [memory], memory_type, reason=reason, actor=actor, now=now)


def all_born(
    connection: Connection, memories: Iterable[Memory], memory_type: str, *, reason: str, actor: str, now: str
) -> None:
    """Notes the first states of new memories of one kind."""
    values = [
        (memory.id, memory_type, None, str(memory.lifecycle_state), reason, actor, now) for memory in memories
    ]
    if values:
        insert_rows(connection, _EVENT, values)


def move(
    connection: Connection,
    memory_type: str,
    memory_id: str,
    from_state: LifecycleState,
    to_state: LifecycleState,
    *,
    reason: str,
    actor: str,
    now: str,
) -> None:
    """Moves a memory one step and notes it; the state alone changes, age and updated_at stay.

    Raises:
        InvalidMove: the table of moves does not allow it.
    """
    check_move(memory_type, from_state, to_state)
    rows.update(connection, memory_type, memory_id, {"lifecycle_state": to_state})
    _note(connection, memory_id, memory_type, from_state, to_state, reason, actor, now)


def walk(
    connection: Connection,
    memory_type: str,
    memory_id: str,
    from_state: LifecycleState,
    to_state: LifecycleState,
    *,
    reason: str,
    actor: str,
    now: str,
) -> tuple[LifecycleState, ...]:
    """Moves a memory to a state through every step that lies between, each its own event; gives the steps.

    The row takes the last state alone, so that a step on the way cannot collide with another memory.

    Raises:
        InvalidMove: no run of allowed steps leads there.
    """
    steps = steps_between(memory_type, from_state, to_state)
    here = from_state
    for step in steps:
        _note(connection, memory_id, memory_type, here, step, reason, actor, now)
        here = step
    if steps:
        rows.update(connection, memory_type, memory_id, {"lifecycle_state": to_state})
    return steps


def events(connection: Connection, memory_id: str) -> list[dict[str, str | None]]:
    """The moves of a memory, oldest first: from_state, to_state, reason, actor, at."""
    found = connection.exec_driver_sql(
        "SELECT from_state, to_state, reason, actor, at FROM lifecycle_events WHERE memory_id = ? ORDER BY row",
        (memory_id,),
    )
    return [
        {"from_state": row[0], "to_state": row[1], "reason": row[2], "actor": row[3], "at": row[4]}
        for row in found
    ]


def _note(
    connection: Connection,
    memory_id: str,
    memory_type: str,
    from_state: LifecycleState | None,
    to_state: LifecycleState,
    reason: str,
    actor: str,
    now: str,
) -> None:
    connection.exec_driver_sql(
        _EVENT,
        (
            memory_id,
            memory_type,
            None if from_state is None else str(from_state),
            str(to_state),
            reason,
            actor,
            now,
        ),
    )
