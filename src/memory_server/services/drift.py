"""Compares the derived indexes with the rows that they are made of, by identity."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

from memory_server.indexes.network import IN_GRAPH
from memory_server.indexes.ports import IndexDamaged
from memory_server.indexes.ports import IndexUnavailable as IndexFault
from memory_server.indexes.projection import indexed_text
from memory_server.policies.text import digest
from memory_server.services.parts import Parts
from memory_server.storage import audit, outbox, rows

WHOLE_TEXT_CHECK = 300_000  # rows up to which every word of a full-text index is compared


@dataclass(slots=True)
class Drift:
    """How an index differs from its rows; ids of facts unless `kinds` says otherwise.

    `expected` and `held` count facts, waiting ones among the expected. What still waits in the outbox is lag and in
    none of the lists.
    """

    expected: int = 0
    held: int | None = None
    missing: list[str] = field(default_factory=list)
    extra: list[str] = field(default_factory=list)
    outdated: list[str] = field(default_factory=list)
    waiting: int = 0
    kinds: dict[str, str] = field(default_factory=dict)
    unavailable: str | None = None

    @property
    def size(self) -> int:
        """Entries that are not as they should be."""
        return len(self.missing) + len(self.extra) + len(self.outdated)

    @property
    def percent(self) -> float:
        """Share of all entries, expected or not, that are not as they should be."""
        whole = self.expected + len(self.extra)
        return round(min(100.0, 100.0 * self.size / whole), 4) if self.size and whole else 0.0

    def of_facts(self) -> Drift:
        """The part that concerns facts, or entries that nothing stands behind."""

        def facts(ids: list[str]) -> list[str]:
            return [memory_id for memory_id in ids if self.kinds.get(memory_id, "fact") == "fact"]

        return replace(
            self,
            missing=facts(self.missing),
            extra=facts(self.extra),
            outdated=facts(self.outdated),
            kinds={},
        )


def vector_drift(parts: Parts) -> Drift:
    """The vector index of every kind of memory against its rows; opens it unless there is nothing to compare.

    Raises:
        StorageUnavailable: the database cannot be read.
    """
    drift = Drift()
    if not parts.meaning.space.enabled:
        with parts.database.read() as connection:
            drift.expected = _count(connection, "lifecycle_state NOT IN ('archived','forgotten')")
        return drift
    # the rows first, the index after that: what is settled in the snapshot is in the index by then
    with parts.database.read() as connection:
        newest = outbox.bounds(connection)[1]
        if newest == 0 and not parts.meaning.space.vectors_path.exists():
            drift.held = 0
            return drift
        waiting = audit.pending_ids(connection)
        try:
            held = _held(parts)
        except IndexFault as error:
            drift.expected = _count(connection, "lifecycle_state NOT IN ('archived','forgotten')")
            drift.unavailable = str(error)
            return drift
        _compare_vectors(connection, drift, held, waiting)
    with parts.database.read() as connection:
        _leave_out(drift, audit.changed_after(connection, newest))
        drift.kinds |= _kinds(connection, drift.extra)
    drift.held = (drift.held or 0) + len(drift.of_facts().extra)
    return drift


def _held(parts: Parts) -> dict[str, str]:
    try:
        return parts.meaning.space.held()
    except IndexDamaged:
        parts.meaning.recover()
        return parts.meaning.space.store().ids()


def _compare_vectors(connection: Connection, drift: Drift, held: dict[str, str], waiting: set[str]) -> None:
    """Takes what is as it should be out of `held`; the rest is extra."""
    drift.held = 0
    for memory_type in rows.TABLES:
        is_fact = memory_type == "fact"
        for memory in audit.memories(connection, memory_type):
            text = indexed_text(memory)
            if text is None:
                continue
            known = held.pop(memory.id, None)
            drift.expected += is_fact
            drift.held += is_fact and known is not None
            if memory.id in waiting:
                drift.waiting += 1
            elif known is None:
                drift.missing.append(memory.id)
                drift.kinds[memory.id] = memory_type
            elif known != digest(text):
                drift.outdated.append(memory.id)
                drift.kinds[memory.id] = memory_type
    drift.extra = [memory_id for memory_id in held if memory_id not in waiting]


def graph_drift(parts: Parts) -> Drift:
    """The graph of this process against the facts that it is made of.

    Raises:
        StorageUnavailable: the database cannot be read.
    """
    with parts.database.read() as connection:
        newest = outbox.bounds(connection)[1]
        held = parts.network.current().fact_ids()
        drift = Drift(held=len(held))
        for (fact_id,) in connection.exec_driver_sql(f"SELECT id FROM facts WHERE {IN_GRAPH}"):
            drift.expected += 1
            if fact_id in held:
                held.discard(fact_id)
            else:
                drift.missing.append(fact_id)
        drift.extra = list(held)
    with parts.database.read() as connection:
        _leave_out(drift, audit.changed_after(connection, newest))
    return drift


def text_drift(parts: Parts, *, whole: bool) -> dict[str, int]:
    """How many entries of each kind's full-text index are not as they should be; kinds without any are left out.

    Args:
        whole: also compare every word, which holds up writers for a moment; -1 where that fails.

    Raises:
        StorageUnavailable: the database cannot be read.
    """
    found: dict[str, int] = {}
    with parts.database.read() as connection:
        for memory_type, table in rows.TABLES.items():
            if differing := audit.text_differences(connection, table):
                found[memory_type] = differing
        sizes = audit.totals(connection)
    for memory_type, size in sizes.items():
        if (
            whole
            and memory_type not in found
            and 0 < size <= WHOLE_TEXT_CHECK
            and not _agrees(parts, memory_type)
        ):
            found[memory_type] = -1
    return found


def _agrees(parts: Parts, memory_type: str) -> bool:
    with parts.database.write(quiet=True) as connection:
        try:
            audit.check_text(connection, rows.TABLES[memory_type])
        except DBAPIError:
            return False
    return True


def _leave_out(drift: Drift, changed: set[str]) -> None:
    """What was written while it was being looked at is no drift."""
    for ids in (drift.missing, drift.extra, drift.outdated):
        ids[:] = [memory_id for memory_id in ids if memory_id not in changed]


def _kinds(connection: Connection, ids: list[str]) -> Iterator[tuple[str, str]]:
    for batch in rows.batches(ids):
        marks = ", ".join("?" for _ in batch)
        for memory_type, table in rows.TABLES.items():
            found = connection.exec_driver_sql(f"SELECT id FROM {table} WHERE id IN ({marks})", tuple(batch))
            yield from ((row[0], memory_type) for row in found)


def _count(connection: Connection, condition: str) -> int:
    return int(connection.exec_driver_sql(f"SELECT count(*) FROM facts WHERE {condition}").scalar_one())
