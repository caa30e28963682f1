"""What beliefs rest on, and how the memories that are named as evidence fare."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

from sqlalchemy import Connection

from memory_server.domain.belief import Evidence
from memory_server.domain.lifecycle import LifecycleState
from memory_server.policies.conflict import is_single_valued, objects_differ
from memory_server.policies.grounds import Standing, standing
from memory_server.storage.rows import batches

_TABLES = {"fact": "facts", "decision": "decisions"}  # the kinds of evidence that are memories themselves

Named = tuple[str, str]
"""Kind and id of what is named as evidence."""


def add(connection: Connection, belief_id: str, pieces: Iterable[Evidence], now: str) -> int:
    """Adds evidence to a belief; tells how many pieces are new. What is there already keeps the greater weight."""
    before = _count(connection, belief_id)
    for piece in pieces:
        connection.exec_driver_sql(
            "INSERT INTO belief_evidence (belief_id, source_type, source_id, weight, contributor, added_at) "
            "VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (belief_id, source_type, source_id) DO UPDATE SET "
            "weight = max(weight, excluded.weight)",
            (belief_id, piece.source_type, piece.source_id, piece.weight, piece.contributor, now),
        )
    return _count(connection, belief_id) - before


def of(connection: Connection, belief_ids: Sequence[str]) -> dict[str, list[Evidence]]:
    """The evidence of each belief in the order in which it came; beliefs without any are left out."""
    found: dict[str, list[Evidence]] = {}
    for batch in batches(belief_ids):
        marks = ", ".join("?" for _ in batch)
        for belief_id, source_type, source_id, weight, contributor in connection.exec_driver_sql(
            "SELECT belief_id, source_type, source_id, weight, contributor FROM belief_evidence "
            f"WHERE belief_id IN ({marks}) ORDER BY added_at, source_type, source_id",
            tuple(batch),
        ):
            found.setdefault(belief_id, []).append(
                Evidence.model_construct(
                    source_type=source_type, source_id=source_id, weight=weight, contributor=contributor
                )
            )
    return found


def standings(
    connection: Connection, named: Collection[Named], single_valued: Collection[str], now: str
) -> dict[Named, Standing]:
    """How each memory that is named as evidence stands at a time.

    What is no memory of ours (an observation, a user's word, an id that was never here) is left out.
    """
    found: dict[Named, Standing] = {}
    for kind, table in _TABLES.items():
        ids = sorted({source_id for source_type, source_id in named if source_type == kind})
        rivalled = _rivalled(connection, ids, single_valued) if kind == "fact" else set()
        for batch in batches(ids):
            marks = ", ".join("?" for _ in batch)
            for memory_id, state, valid_to, superseded_at in connection.exec_driver_sql(
                f"SELECT id, lifecycle_state, valid_to, superseded_at FROM {table} WHERE id IN ({marks})",
                tuple(batch),
            ):
                closed = superseded_at is not None or (valid_to is not None and valid_to <= now)
                found[kind, memory_id] = standing(
                    LifecycleState(state), closed=closed, conflicting=memory_id in rivalled
                )
    return found


def by_source_type(connection: Connection, belief_ids: Sequence[str]) -> dict[str, int]:
    """How many pieces of evidence of each kind these beliefs have."""
    counts: dict[str, int] = {}
    for batch in batches(belief_ids):
        marks = ", ".join("?" for _ in batch)
        for source_type, count in connection.exec_driver_sql(
            f"SELECT source_type, count(*) FROM belief_evidence WHERE belief_id IN ({marks}) GROUP BY source_type",
            tuple(batch),
        ):
            counts[source_type] = counts.get(source_type, 0) + int(count)
    return counts


def _count(connection: Connection, belief_id: str) -> int:
    found = connection.exec_driver_sql("SELECT count(*) FROM belief_evidence WHERE belief_id = ?", (belief_id,))
    return int(found.scalar_one())


def _rivalled(connection: Connection, fact_ids: Sequence[str], single_valued: Collection[str]) -> set[str]:
    """Those of the facts that another current fact contradicts."""
    found: set[str] = set()
    for batch in batches(list(_of_one_value(connection, fact_ids, single_valued))):
        marks = ", ".join("?" for _ in batch)
        for fact_id, own, other in connection.exec_driver_sql(
            "SELECT f.id, f.object, o.object FROM facts f CROSS JOIN facts o ON o.subject_key = f.subject_key "
            "AND o.predicate_key = f.predicate_key AND o.scope = f.scope AND o.object_hash <> f.object_hash "
            "AND o.valid_to IS NULL AND o.lifecycle_state IN ('candidate','validated','active') "
            f"WHERE f.id IN ({marks}) AND f.valid_to IS NULL "
            "AND f.lifecycle_state IN ('candidate','validated','active')",
            tuple(batch),
        ):
            if objects_differ(own, other):
                found.add(fact_id)
    return found


def _of_one_value(
    connection: Connection, fact_ids: Sequence[str], single_valued: Collection[str]
) -> Iterator[str]:
    """The facts whose predicate has one value at a time; the others contradict nothing, however many there are."""
    for batch in batches(fact_ids):
        marks = ", ".join("?" for _ in batch)
        for fact_id, predicate in connection.exec_driver_sql(
            f"SELECT id, predicate FROM facts WHERE id IN ({marks})", tuple(batch)
        ):
            if is_single_valued(predicate, single_valued):
                yield str(fact_id)
