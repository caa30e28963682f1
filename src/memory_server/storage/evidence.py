"""What beliefs rest on, and how the memories that are named as evidence fare."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

from sqlalchemy import Connection

from memory_server.domain.belief import Evidence
from memory_server.domain.lifecycle import LifecycleState
from memory_server.policies.conflict import objects_differ, single_valued_names
from memory_server.policies.grounds import Standing, standing
from memory_server.policies.scopes import GLOBAL, OWN_SIGHT, Sight
from memory_server.storage.rows import batches

_TABLES = {"fact": "facts", "decision": "decisions"}  # the kinds of evidence that are memories themselves
_CURRENT_STATES = "('candidate','validated','active')"

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
    connection: Connection,
    named: Collection[Named],
    single_valued: Collection[str],
    now: str,
    sight: Sight = OWN_SIGHT,
) -> dict[Named, Standing]:
    """How each memory that is named as evidence stands at a time, as far as a reader sees it.

    What is no memory of ours (an observation, a user's word, an id that was never here) is left out.
    """
    found: dict[Named, Standing] = {}
    for kind, table in _TABLES.items():
        ids = sorted({source_id for source_type, source_id in named if source_type == kind})
        rivalled = _rivalled(connection, ids, single_valued, sight) if kind == "fact" else set()
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
    found = connection.exec_driver_sql(
        "SELECT count(*) FROM belief_evidence WHERE belief_id = ?", (belief_id,)
    )
    return int(found.scalar_one())


def freed_by(connection: Connection, fact_ids: Sequence[str], single_valued: Collection[str]) -> list[str]:
    """Facts named as evidence that these facts, which are no longer current, contradicted, and no other does."""
    if not fact_ids or not _any_fact(connection):
        return []
    rivals: set[str] = set()
    for batch in batches(fact_ids):
        # whoever saw them: those of the same scope, and if they were global everybody
        pairs = _contradictions(connection, batch, single_valued, f"f.scope IN (o.scope, '{GLOBAL}')")
        rivals.update(other_id for _, other_id in pairs)
    named = [
        fact_id
        for batch in batches(sorted(rivals))
        for fact_id in connection.exec_driver_sql(
            "SELECT DISTINCT source_id FROM belief_evidence WHERE source_type = 'fact' "
            f"AND source_id IN ({', '.join('?' for _ in batch)})",
            tuple(batch),
        ).scalars()
    ]
    still = _rivalled(connection, named, single_valued, OWN_SIGHT)
    return [fact_id for fact_id in named if fact_id not in still]


def _any_fact(connection: Connection) -> bool:
    found = connection.exec_driver_sql("SELECT 1 FROM belief_evidence WHERE source_type = 'fact' LIMIT 1")
    return found.first() is not None


def _rivalled(
    connection: Connection, fact_ids: Sequence[str], single_valued: Collection[str], sight: Sight
) -> set[str]:
    """Those of the facts that are current and that another current fact contradicts before a reader's eyes."""
    values = () if sight is None or sight == OWN_SIGHT else sight
    if sight == OWN_SIGHT:
        seen = f"o.scope IN (f.scope, '{GLOBAL}')"
    else:
        seen = f"(o.scope = f.scope OR '{GLOBAL}' IN (o.scope, f.scope))"
        seen += f" AND o.scope IN ({', '.join('?' for _ in values)})" if values else ""
    current = f"{seen} AND f.valid_to IS NULL AND f.lifecycle_state IN {_CURRENT_STATES}"
    return {
        fact_id
        for batch in batches(fact_ids)
        for fact_id, _ in _contradictions(connection, batch, single_valued, current, values)
    }


def _contradictions(
    connection: Connection,
    fact_ids: Sequence[str],
    single_valued: Collection[str],
    condition: str,
    values: Sequence[str] = (),
) -> Iterator[tuple[str, str]]:
    """(fact, other) for each current other that says something else than one of a batch of facts.

    `condition` is SQL of ours over the aliases `f` and `o`, with its values.
    """
    marks = ", ".join("?" for _ in fact_ids)
    said = connection.exec_driver_sql(
        "SELECT DISTINCT predicate_key FROM facts WHERE subject_key IN "
        f"(SELECT subject_key FROM facts WHERE id IN ({marks}))",
        tuple(fact_ids),
    ).scalars()
    names = single_valued_names(said, single_valued)
    if not names:
        return
    pairs = ", ".join("(?, ?)" for _ in names)
    for fact_id, own, other_id, other in connection.exec_driver_sql(
        f"WITH names (spelling, name) AS (VALUES {pairs}) SELECT f.id, f.object, o.id, o.object FROM facts f "
        "CROSS JOIN names a ON a.spelling = f.predicate_key CROSS JOIN names b ON b.name = a.name "
        "CROSS JOIN facts o ON o.subject_key = f.subject_key AND o.predicate_key = b.spelling "
        "AND o.object_hash <> f.object_hash "
        f"AND o.valid_to IS NULL AND o.lifecycle_state IN {_CURRENT_STATES} "
        f"WHERE f.id IN ({marks}) AND {condition}",
        (*(part for pair in names.items() for part in pair), *fact_ids, *values),
    ):
        if objects_differ(own, other):
            yield str(fact_id), str(other_id)
