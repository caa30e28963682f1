"""Rows of beliefs: found by what they say or by their id, and grouped by what they are about."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection

from memory_server.domain.belief import Belief
from memory_server.domain.lifecycle import LifecycleState
from memory_server.policies.scopes import Scopes
from memory_server.policies.text import grams, normal
from memory_server.storage import rows
from memory_server.storage.scopes import visible_sql

_FINAL = " .!?,;:。！？、，；："


def proposition_key(proposition: str) -> str:
    """What two statements of one proposition have in common: case, spacing and final punctuation are folded."""
    folded = normal(proposition)
    return folded.rstrip(_FINAL) or folded


def derived(belief: Belief) -> dict[str, str]:
    """The columns computed from a belief: what it is compared and indexed by."""
    return {
        "proposition_key": proposition_key(belief.proposition),
        "grams": grams(" \n ".join((belief.proposition, *belief.tags))),
    }


def insert(connection: Connection, belief: Belief, topics: Collection[str]) -> None:
    """Writes a new belief with its computed columns and its topics."""
    rows.insert(connection, belief, derived(belief))
    if not topics:
        return
    connection.exec_driver_sql(
        "INSERT INTO belief_topics (topic, belief_id) VALUES (?, ?)",
        [(topic, belief.id) for topic in sorted(topics)],
    )


def update(connection: Connection, belief: Belief, changes: dict[str, Any]) -> Belief:
    """Sets columns of a belief, recomputes what is derived from them, and gives the belief as it is then."""
    changed = belief.model_copy(update=changes)
    columns = dict(changes)
    if "tags" in changes:
        columns |= derived(changed)
    rows.update(connection, "belief", belief.id, columns)
    return changed


def mark_superseded(connection: Connection, belief: Belief, successor_id: str, now: str) -> Belief:
    """Notes which belief took the place of this one, and when that became known."""
    return update(connection, belief, {"superseded_at": now, "superseded_by": successor_id})


def active_saying(connection: Connection, scope: str, key: str) -> Belief | None:
    """The active belief of that proposition in that scope; there is at most one."""
    row = connection.exec_driver_sql(
        f"SELECT {rows.selection(Belief, 't')} FROM beliefs t WHERE t.scope = ? AND t.proposition_key = ? "
        "AND t.lifecycle_state = 'active'",
        (scope, key),
    ).first()
    return rows.from_row(Belief, row) if row else None


def latest_saying(connection: Connection, scope: str, key: str) -> Belief | None:
    """The newest belief of that proposition in that scope, whatever became of it."""
    row = connection.exec_driver_sql(
        f"SELECT {rows.selection(Belief, 't')} FROM beliefs t WHERE t.proposition_key = ? AND t.scope = ? "
        "ORDER BY t.row DESC LIMIT 1",
        (key, scope),
    ).first()
    return rows.from_row(Belief, row) if row else None


def by_ids(connection: Connection, ids: Sequence[str]) -> dict[str, Belief]:
    """The beliefs of those ids as they are now."""
    return rows.by_ids(connection, Belief, ids)


def resting_on(connection: Connection, source_type: str, source_id: str) -> list[Belief]:
    """The beliefs that are still held and name this memory as evidence, oldest first."""
    found = connection.exec_driver_sql(
        f"SELECT {rows.selection(Belief, 't')} FROM belief_evidence e JOIN beliefs t ON t.id = e.belief_id "
        "WHERE e.source_id = ? AND e.source_type = ? AND t.lifecycle_state IN ('active','contradicted','stale') "
        "ORDER BY t.row",
        (source_id, source_type),
    )
    return [rows.from_row(Belief, row) for row in found]


@dataclass(frozen=True, slots=True)
class Outline:
    """What reflection looks at of each belief; light enough to hold all of them at once.

    `n_evidence` counts its pieces of evidence, `weightless` those of weight 0.
    """

    id: str
    proposition: str
    key: str
    confidence: float
    state: LifecycleState
    tags: tuple[str, ...]
    scope: str
    context: str | None
    source: str
    source_count: int
    created_at: str
    reinforced_at: str
    ttl_days: float | None
    n_evidence: int
    weightless: int


def outlines(connection: Connection, min_confidence: float = 0.0, scopes: Scopes = None) -> list[Outline]:
    """Every belief that a reader sees and that claims at least so much, whatever its state, oldest first."""
    visible = visible_sql(scopes)
    found = connection.exec_driver_sql(
        "SELECT t.id, t.proposition, t.proposition_key, t.confidence, t.lifecycle_state, t.tags, t.scope, t.context, "
        "t.source, t.source_count, t.created_at, t.reinforced_at, t.ttl_days, coalesce(e.n, 0), coalesce(e.zero, 0) "
        "FROM beliefs t LEFT JOIN (SELECT belief_id, count(*) AS n, sum(weight = 0) AS zero FROM belief_evidence "
        "GROUP BY belief_id) e ON e.belief_id = t.id "
        f"WHERE t.confidence >= ?{f' AND {visible}' if visible else ''} ORDER BY t.row",
        (min_confidence, *(scopes or ())),
    )
    return [
        Outline(
            id=row[0],
            proposition=row[1],
            key=row[2],
            confidence=row[3],
            state=LifecycleState(row[4]),
            tags=tuple(json.loads(row[5])) if row[5] != "[]" else (),
            scope=row[6],
            context=row[7],
            source=row[8],
            source_count=row[9],
            created_at=row[10],
            reinforced_at=row[11],
            ttl_days=row[12],
            n_evidence=row[13],
            weightless=row[14],
        )
        for row in found
    ]


def said(connection: Connection, after: int, limit: int) -> list[tuple[int, str, str]]:
    """(row, id, proposition) of the next beliefs after a row that still say something, in the order of rows."""
    found = connection.exec_driver_sql(
        "SELECT row, id, proposition FROM beliefs WHERE row > ? AND lifecycle_state <> 'forgotten' "
        "ORDER BY row LIMIT ?",
        (after, limit),
    )
    return [(row[0], row[1], row[2]) for row in found]


def topics_of(connection: Connection, ids: Sequence[str]) -> dict[str, set[str]]:
    """The topics that are stored for each of these beliefs; without any it is left out."""
    found: dict[str, set[str]] = {}
    for batch in rows.batches(ids):
        marks = ", ".join("?" for _ in batch)
        for belief_id, topic in connection.exec_driver_sql(
            f"SELECT belief_id, topic FROM belief_topics WHERE belief_id IN ({marks})", tuple(batch)
        ):
            found.setdefault(belief_id, set()).add(topic)
    return found


def put_topics(connection: Connection, topics: Mapping[str, Collection[str]]) -> None:
    """Lets each of these beliefs have these topics and no others."""
    for batch in rows.batches(list(topics)):
        marks = ", ".join("?" for _ in batch)
        connection.exec_driver_sql(f"DELETE FROM belief_topics WHERE belief_id IN ({marks})", tuple(batch))
    added = [(topic, belief_id) for belief_id, listed in topics.items() for topic in sorted(listed)]
    if added:
        connection.exec_driver_sql("INSERT INTO belief_topics (topic, belief_id) VALUES (?, ?)", added)


def drop_stray_topics(connection: Connection) -> int:
    """Deletes topics of beliefs that are forgotten or not there, and tells of how many beliefs."""
    stray = "SELECT p.belief_id FROM belief_topics p LEFT JOIN beliefs t ON t.id = p.belief_id"
    stray += " WHERE t.id IS NULL OR t.lifecycle_state = 'forgotten'"
    count = connection.exec_driver_sql(f"SELECT count(DISTINCT belief_id) FROM ({stray})").scalar_one()
    if count:
        connection.exec_driver_sql(f"DELETE FROM belief_topics WHERE belief_id IN ({stray})")
    return int(count)


def topics_shared(connection: Connection) -> Iterable[tuple[str, str]]:
    """(topic, belief id) of every topic that two or more beliefs in force (active, contradicted) have, by topic."""
    return (
        (str(row[0]), str(row[1]))
        for row in connection.exec_driver_sql(
            "SELECT p.topic, p.belief_id FROM belief_topics p JOIN beliefs t ON t.id = p.belief_id "
            "WHERE t.lifecycle_state IN ('active','contradicted') "
            "AND p.topic IN (SELECT topic FROM belief_topics GROUP BY topic HAVING count(*) > 1) ORDER BY p.topic"
        )
    )


def settlements(connection: Connection, actor: str) -> list[tuple[str, str, LifecycleState]]:
    """Every move that `actor` made beliefs make, as (time, belief id, new state), in order of time."""
    found = connection.exec_driver_sql(
        "SELECT at, memory_id, to_state FROM lifecycle_events WHERE memory_type = 'belief' AND actor = ? "
        "AND from_state IS NOT NULL ORDER BY at, row",
        (actor,),
    )
    return [(row[0], row[1], LifecycleState(row[2])) for row in found]
