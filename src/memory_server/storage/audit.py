"""What an audit reads in bulk: counts, records without an owner, lives that break the table of moves."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sqlalchemy import Connection

from memory_server.domain.lifecycle import LifecycleState, first_state, may_move
from memory_server.domain.memory import Memory
from memory_server.storage import rows

SHOWN = 50  # ids that a finding lists; its count tells of all
BUCKETS = ((0.0, 0.3), (0.3, 0.5), (0.5, 0.7), (0.7, 0.85), (0.85, 1.0))
"""Stored confidences by range; the upper bound belongs to the last alone."""

_HIDDEN = "('archived','forgotten')"
_EVERY_ID = " UNION ALL ".join(f"SELECT id FROM {table}" for table in rows.TABLES.values())


@dataclass(frozen=True, slots=True)
class Rows:
    """How many rows are meant, and the ids of the first of them."""

    count: int
    ids: tuple[str, ...]


def totals(connection: Connection) -> dict[str, int]:
    """How many memories of each kind there are, forgotten ones not counted."""
    return {
        memory_type: int(
            connection.exec_driver_sql(
                f"SELECT count(*) FROM {table} WHERE lifecycle_state <> 'forgotten'"
            ).scalar_one()
        )
        for memory_type, table in rows.TABLES.items()
    }


def select(connection: Connection, query: str, values: tuple[object, ...] = ()) -> Rows:
    """The rows of a query of ours whose first column is an id."""
    count = 0
    ids: list[str] = []
    for row in connection.exec_driver_sql(query, values):
        count += 1
        if len(ids) < SHOWN:
            ids.append(str(row[0]))
    return Rows(count, tuple(ids))


def facts_where(connection: Connection, condition: str) -> Rows:
    """The facts that meet a condition of ours over alias `t`, oldest first."""
    return select(connection, f"SELECT t.id FROM facts t WHERE {condition} ORDER BY t.row")


def stale_with_active_receipts(connection: Connection) -> Rows:
    """Stale facts that were written as active after (or without) having become stale."""
    return facts_where(
        connection,
        "t.lifecycle_state = 'stale' AND EXISTS (SELECT 1 FROM receipts r WHERE r.memory_id = t.id "
        "AND r.verification_status = 'active' AND NOT EXISTS (SELECT 1 FROM lifecycle_events e "
        "WHERE e.memory_id = t.id AND e.to_state = 'stale' AND e.at >= r.timestamp))",
    )


def confidence_out_of_range(connection: Connection) -> Rows:
    """Memories of any kind whose stored confidence is no number from 0 to 1."""
    return select(
        connection,
        " UNION ALL ".join(
            f"SELECT id FROM {table} WHERE typeof(confidence) NOT IN ('real','integer') "
            "OR confidence < 0 OR confidence > 1"
            for table in rows.TABLES.values()
        ),
    )


def confidence_buckets(connection: Connection) -> dict[str, int]:
    """Facts that can be found, by stored confidence."""
    cases = " ".join(f"WHEN confidence < {upper} THEN '{lower}-{upper}'" for lower, upper in BUCKETS[:-1])
    lower, upper = BUCKETS[-1]
    found = connection.exec_driver_sql(
        f"SELECT CASE {cases} ELSE '{lower}-{upper}' END, count(*) FROM facts "
        f"WHERE lifecycle_state NOT IN {_HIDDEN} GROUP BY 1"
    )
    return {f"{lower}-{upper}": 0 for lower, upper in BUCKETS} | {str(row[0]): int(row[1]) for row in found}


def low_confidence(connection: Connection, below: float) -> Rows:
    """Facts that can be found and whose stored confidence is under a bound, lowest first."""
    return select(
        connection,
        f"SELECT id FROM facts WHERE confidence < ? AND lifecycle_state NOT IN {_HIDDEN} ORDER BY confidence, row",
        (below,),
    )


def without_receipt(connection: Connection) -> Rows:
    """Memories that no receipt proves."""
    return select(
        connection,
        " UNION ALL ".join(
            f"SELECT t.id FROM {table} t WHERE NOT EXISTS (SELECT 1 FROM receipts r WHERE r.memory_id = t.id)"
            for table in rows.TABLES.values()
        ),
    )


def ownerless(connection: Connection) -> Iterator[tuple[str, Rows]]:
    """Records that name a memory which is not there, by table."""
    for table, column in (
        ("receipts", "memory_id"),
        ("lifecycle_events", "memory_id"),
        ("memory_sources", "memory_id"),
        ("belief_evidence", "belief_id"),
        ("belief_topics", "belief_id"),
    ):
        yield (
            table,
            select(
                connection,
                f"SELECT DISTINCT {column} FROM {table} o WHERE NOT EXISTS "
                f"(SELECT 1 FROM ({_EVERY_ID}) m WHERE m.id = o.{column})",
            ),
        )


def beliefs_without_topics(connection: Connection) -> Rows:
    """Beliefs that reflection cannot lay beside others: each has one topic at least."""
    return select(
        connection,
        f"SELECT t.id FROM beliefs t WHERE t.lifecycle_state NOT IN {_HIDDEN} "
        "AND NOT EXISTS (SELECT 1 FROM belief_topics p WHERE p.belief_id = t.id)",
    )


def without_episode(connection: Connection) -> Rows:
    """Memories that name an episode which is not there."""
    return select(
        connection,
        " UNION ALL ".join(
            f"SELECT t.id FROM {table} t WHERE t.episode_id IS NOT NULL "
            "AND NOT EXISTS (SELECT 1 FROM episodes e WHERE e.id = t.episode_id)"
            for kind, table in rows.TABLES.items()
            if kind != "episode"
        ),
    )


def evidence_without_fact(connection: Connection) -> Rows:
    """Beliefs whose evidence names a fact that is not there."""
    return select(
        connection,
        "SELECT DISTINCT belief_id FROM belief_evidence e WHERE source_type = 'fact' "
        "AND NOT EXISTS (SELECT 1 FROM facts f WHERE f.id = e.source_id)",
    )


def closed_before_begun(connection: Connection) -> Rows:
    """Facts whose validity ends before it begins."""
    return facts_where(
        connection, "t.valid_to IS NOT NULL AND t.valid_from IS NOT NULL AND t.valid_to < t.valid_from"
    )


def state_without_event(connection: Connection) -> Rows:
    """Memories whose state is not the one that their last lifecycle event led to."""
    return select(
        connection,
        " UNION ALL ".join(
            f"SELECT t.id FROM {table} t WHERE t.lifecycle_state IS NOT (SELECT e.to_state FROM lifecycle_events e "
            "WHERE e.memory_id = t.id ORDER BY e.row DESC LIMIT 1)"
            for table in rows.TABLES.values()
        ),
    )


def forbidden_moves(connection: Connection) -> Rows:
    """Memories with an event that the table of moves does not allow."""
    taken = connection.exec_driver_sql(
        "SELECT DISTINCT memory_type, from_state, to_state FROM lifecycle_events WHERE from_state IS NOT NULL"
    ).all()
    bad = [tuple(move) for move in taken if not _allowed(*move)]
    if not bad:
        return Rows(0, ())
    marks = ", ".join("(?, ?, ?)" for _ in bad)
    return select(
        connection,
        "SELECT DISTINCT memory_id FROM lifecycle_events "
        f"WHERE (memory_type, from_state, to_state) IN (VALUES {marks})",
        tuple(value for move in bad for value in move),
    )


def broken_chains(connection: Connection) -> Rows:
    """Memories with an event that does not begin where the one before it ended."""
    return select(
        connection,
        "SELECT DISTINCT memory_id FROM (SELECT memory_id, from_state, "
        "lag(to_state) OVER (PARTITION BY memory_id ORDER BY row) AS before FROM lifecycle_events) "
        "WHERE from_state IS NOT before",
    )


def _allowed(memory_type: str, from_state: str, to_state: str) -> bool:
    try:
        first_state(memory_type)
        return may_move(memory_type, LifecycleState(from_state), LifecycleState(to_state))
    except ValueError:
        return False


def forgotten_with_content(connection: Connection) -> Rows:
    """Forgotten facts, beliefs and episodes that still say something."""
    return select(
        connection,
        "SELECT id FROM facts WHERE lifecycle_state = 'forgotten' AND (subject <> '' OR object <> '') "
        "UNION ALL SELECT id FROM beliefs WHERE lifecycle_state = 'forgotten' AND proposition <> '' "
        "UNION ALL SELECT id FROM decisions WHERE lifecycle_state = 'forgotten' AND choice <> '' "
        "UNION ALL SELECT id FROM skills WHERE lifecycle_state = 'forgotten' AND purpose <> '' "
        "UNION ALL SELECT id FROM episodes WHERE lifecycle_state = 'forgotten' AND text <> '' "
        "UNION ALL SELECT id FROM knowledge WHERE lifecycle_state = 'forgotten' AND content <> ''",
    )


def memories(connection: Connection, memory_type: str) -> Iterator[Memory]:
    """All memories of a kind that are not archived or forgotten, one after the other, never all in memory."""
    model = rows.MODELS[memory_type]
    for row in connection.exec_driver_sql(
        f"SELECT {rows.selection(model, 't')} FROM {rows.TABLES[memory_type]} t "
        f"WHERE t.lifecycle_state NOT IN {_HIDDEN}"
    ):
        yield rows.from_row(model, row)


def pending_ids(connection: Connection) -> set[str]:
    """Memories with a change that the indexes have still to learn of; parked changes are not among them."""
    return set(
        connection.exec_driver_sql("SELECT DISTINCT memory_id FROM outbox WHERE state = 'pending'").scalars()
    )


def changed_after(connection: Connection, seq: int) -> set[str]:
    """Memories that were written after that sequence."""
    return set(connection.exec_driver_sql("SELECT memory_id FROM outbox WHERE seq > ?", (seq,)).scalars())


def text_differences(connection: Connection, table: str) -> int:
    """Rows that a kind's full-text index lacks, and entries that no row stands behind, together."""
    (missing,) = connection.exec_driver_sql(
        f"SELECT count(*) FROM {table}_text t WHERE t.row NOT IN (SELECT id FROM {table}_fts_docsize)"
    ).one()
    (extra,) = connection.exec_driver_sql(
        f"SELECT count(*) FROM {table}_fts_docsize d WHERE d.id NOT IN (SELECT row FROM {table}_text)"
    ).one()
    return int(missing) + int(extra)


def check_text(connection: Connection, table: str) -> None:
    """Compares every word of a full-text index with its rows; a third of a second for 100,000 rows.

    Needs a connection that may write, though it changes nothing.

    Raises:
        sqlalchemy.exc.DatabaseError: the index disagrees with its rows.
    """
    connection.exec_driver_sql(f"INSERT INTO {table}_fts ({table}_fts, rank) VALUES ('integrity-check', 1)")


def rebuild_text(connection: Connection, table: str) -> None:
    """Makes a full-text index anew from its rows."""
    connection.exec_driver_sql(f"INSERT INTO {table}_fts ({table}_fts) VALUES ('rebuild')")
