"""Between frozen values and table rows: one model a table, lists kept as JSON text."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any, TypeVar

from sqlalchemy import Connection

from memory_server.domain.belief import Belief
from memory_server.domain.decision import Decision
from memory_server.domain.episode import Episode
from memory_server.domain.fact import Fact
from memory_server.domain.knowledge import Knowledge
from memory_server.domain.lifecycle import LifecycleState
from memory_server.domain.memory import Memory, trusted
from memory_server.domain.skill import Skill
from memory_server.storage.database import fetch_rows, insert_rows

M = TypeVar("M", bound=Memory)

TABLES: Mapping[str, str] = {
    "fact": "facts",
    "decision": "decisions",
    "skill": "skills",
    "belief": "beliefs",
    "episode": "episodes",
    "knowledge": "knowledge",
}
MODELS: Mapping[str, type[Memory]] = {
    "fact": Fact,
    "decision": Decision,
    "skill": Skill,
    "belief": Belief,
    "episode": Episode,
    "knowledge": Knowledge,
}
_LISTS = frozenset({"tags", "risk_tags", "rejected_alternatives", "steps", "constraints", "validation"})
_BATCH = 500  # ids in one IN (…), well below SQLite's limit on parameters


@cache
def columns(model: type[Memory]) -> tuple[str, ...]:
    """The columns of a kind's table that are its value, in the order of the model."""
    return tuple(model.model_fields)


@cache
def selection(model: type[Memory], alias: str) -> str:
    """The column list of a SELECT that `from_row` reads."""
    return ", ".join(f'{alias}."{name}"' for name in columns(model))


def from_row(model: type[M], row: Sequence[Any], offset: int = 0) -> M:
    """The value of a row whose columns stand in the model's order from `offset` on."""
    names = columns(model)
    values: dict[str, Any] = dict(zip(names, row[offset : offset + len(names)], strict=True))
    for name in _lists_of(model):
        value = values[name]
        values[name] = tuple(json.loads(value)) if value != "[]" else ()
    values["lifecycle_state"] = LifecycleState(values["lifecycle_state"])
    # what is stored was validated before it was written
    return trusted(model, values)


@cache
def _lists_of(model: type[Memory]) -> tuple[str, ...]:
    return tuple(name for name in columns(model) if name in _LISTS)


def encode(name: str, value: Any) -> Any:
    """A field's value as its column holds it."""
    if name in _LISTS:
        return json.dumps(value, ensure_ascii=False) if value else "[]"
    return str(value) if isinstance(value, LifecycleState) else value


@cache
def _insertion(model: type[Memory], derived: tuple[str, ...]) -> str:
    names = (*columns(model), *derived)
    quoted = ", ".join(f'"{name}"' for name in names)
    marks = ", ".join("?" for _ in names)
    return f"INSERT INTO {TABLES[model.memory_type]} ({quoted}) VALUES ({marks})"  # type: ignore[attr-defined]


def insert(connection: Connection, memory: Memory, derived: Mapping[str, Any]) -> None:
    """Writes a new memory with the columns that are computed from it (keys, hashes, grams).

    Raises:
        Conflict: another writer stored the same meanwhile (from the enclosing transaction).
    """
    insert_all(connection, [(memory, derived)])


def insert_all(connection: Connection, memories: Sequence[tuple[Memory, Mapping[str, Any]]]) -> None:
    """Writes new memories of one kind, each with its computed columns, which are the same for all.

    Raises:
        Conflict: as `insert`.
    """
    if not memories:
        return
    model, derived = type(memories[0][0]), tuple(memories[0][1])
    names = columns(model)
    insert_rows(
        connection,
        _insertion(model, derived),
        [
            (*(encode(name, getattr(memory, name)) for name in names), *(computed[name] for name in derived))
            for memory, computed in memories
        ],
    )


def update(connection: Connection, memory_type: str, memory_id: str, changes: Mapping[str, Any]) -> None:
    """Sets columns of one memory; lists and states are encoded."""
    assignments = ", ".join(f'"{name}" = ?' for name in changes)
    values = [encode(name, value) for name, value in changes.items()]
    connection.exec_driver_sql(
        f"UPDATE {TABLES[memory_type]} SET {assignments} WHERE id = ?", (*values, memory_id)
    )


def by_ids(connection: Connection, model: type[M], ids: Sequence[str]) -> dict[str, M]:
    """The memories of those ids, as they are now; what is not there is left out."""
    table = TABLES[model.memory_type]  # type: ignore[attr-defined]
    found: dict[str, M] = {}
    for batch in batches(ids):
        marks = ", ".join("?" for _ in batch)
        sql = f"SELECT {selection(model, 't')} FROM {table} t WHERE t.id IN ({marks})"
        for row in fetch_rows(connection, sql, batch):
            memory = from_row(model, row)
            found[memory.id] = memory
    return found


def get(connection: Connection, model: type[M], memory_id: str) -> M | None:
    """The memory of that id, or None."""
    return by_ids(connection, model, [memory_id]).get(memory_id)


def superseded_by(connection: Connection, model: type[M], memory_id: str) -> list[M]:
    """The memories whose place that one has taken, oldest first."""
    table = next(TABLES[kind] for kind, known in MODELS.items() if known is model)
    found = connection.exec_driver_sql(
        f"SELECT {selection(model, 't')} FROM {table} t WHERE t.superseded_by = ? ORDER BY t.row",
        (memory_id,),
    )
    return [from_row(model, row) for row in found]


def find(connection: Connection, memory_id: str) -> Memory | None:
    """The memory of that id, whatever its kind."""
    for model in MODELS.values():
        memory = get(connection, model, memory_id)
        if memory is not None:
            return memory
    return None


def batches(items: Iterable[str], size: int = _BATCH) -> Iterable[list[str]]:
    """Cuts a list into parts that fit one statement."""
    part: list[str] = []
    for item in items:
        part.append(item)
        if len(part) == size:
            yield part
            part = []
    if part:
        yield part
