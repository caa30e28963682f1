"""What ageing looks at, read in pages, and the moves that it makes, written many at a time."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from sqlalchemy import Connection

from memory_server.domain.lifecycle import LifecycleState, check_move
from memory_server.policies.conflict import objects_differ, single_valued_names
from memory_server.policies.scopes import GLOBAL
from memory_server.storage import rows, sources
from memory_server.storage.database import Database
from memory_server.storage.facts import CURRENT

PAGE = 1000  # rows read at once
_MOST_CONFLICTS = 2  # the confidence arithmetic knows none, one, and two or more


@dataclass(frozen=True, slots=True)
class Ageing:
    """One memory as far as its age and trust are concerned; `sources` are the names that claim it."""

    row: int
    id: str
    state: LifecycleState
    confidence: float
    sources: tuple[str, ...]
    reinforced_at: str
    ttl_days: float | None


@dataclass(frozen=True, slots=True)
class Move:
    """Steps that one memory takes at once, each of them allowed; `reinforced_at` guards against a touch meanwhile."""

    memory_type: str
    memory_id: str
    from_state: LifecycleState
    steps: tuple[LifecycleState, ...]
    reason: str
    reinforced_at: str

    @property
    def to_state(self) -> LifecycleState:
        """Where the steps end."""
        return self.steps[-1]


def pages(
    database: Database, memory_type: str, without: Collection[LifecycleState], *, own_ttl: bool = False
) -> Iterator[list[Ageing]]:
    """All memories of a kind in the order of their rows, each page in a short transaction of its own.

    Args:
        without: states that are left out.
        own_ttl: only those whose time to live was set at admission.
    """
    last = 0
    while True:
        with database.read() as connection:
            page = _page(connection, memory_type, without, last, own_ttl)
        if page:
            yield page
        if len(page) < PAGE:
            return
        last = page[-1].row


def _page(
    connection: Connection, memory_type: str, without: Collection[LifecycleState], last: int, own_ttl: bool
) -> list[Ageing]:
    left_out = ", ".join(f"'{state}'" for state in without)
    condition = " AND ttl_days IS NOT NULL" if own_ttl else ""
    found = connection.exec_driver_sql(
        # a claim that is no number is worth nothing: audit names it, and looking for what is due goes on
        "SELECT row, id, lifecycle_state, iif(typeof(confidence) IN ('real','integer'), confidence, 0), "
        "source, source_count, reinforced_at, ttl_days "
        f"FROM {rows.TABLES[memory_type]} WHERE row > ? AND lifecycle_state NOT IN ({left_out}){condition} "
        "ORDER BY row LIMIT ?",
        (last, PAGE),
    ).all()
    # most memories have one source, which stands in the memory itself
    claimed = sources.names(connection, [row[1] for row in found if row[5] > 1])
    return [
        Ageing(
            row=row[0],
            id=row[1],
            state=LifecycleState(row[2]),
            confidence=row[3],
            sources=tuple(claimed.get(row[1], (row[4],))),
            reinforced_at=row[6],
            ttl_days=row[7],
        )
        for row in found
    ]


def conflict_counts(connection: Connection, single_valued: Collection[str]) -> dict[str, int]:
    """How many current facts contradict each fact, counted up to two; only those with any are named."""
    known = connection.exec_driver_sql("SELECT DISTINCT predicate_key FROM facts").scalars()
    names = single_valued_names(known, single_valued)
    if not names:
        return {}
    marks = ", ".join("(?, ?)" for _ in names)
    found = connection.exec_driver_sql(
        f"WITH names (spelling, name) AS (VALUES {marks}), "
        "crowded AS (SELECT subject_key, name FROM facts JOIN names ON spelling = predicate_key "
        f"WHERE {CURRENT} GROUP BY 1, 2 HAVING count(*) > 1) "
        "SELECT f.subject_key, n.name, f.scope, f.id, f.object FROM crowded c JOIN names n ON n.name = c.name "
        "CROSS JOIN facts f ON f.subject_key = c.subject_key AND f.predicate_key = n.spelling "
        f"WHERE {CURRENT} ORDER BY 1, 2",
        tuple(part for pair in names.items() for part in pair),
    )
    counts: dict[str, int] = {}
    for _, members in groupby(found, key=lambda row: (row[0], row[1])):
        counts.update(_conflicts_within([(row[2], row[3], row[4]) for row in members]))
    return counts


def _conflicts_within(members: Sequence[tuple[str, str, str]]) -> Iterator[tuple[str, int]]:
    """Of facts as (scope, id, object): those that others contradict which a reader of their own scope sees."""
    for scope, fact_id, obj in members:
        count = 0
        for other_scope, other_id, other in members:
            if other_id == fact_id or other_scope not in (scope, GLOBAL):
                continue
            if objects_differ(obj, other):
                count += 1
                if count == _MOST_CONFLICTS:
                    break
        if count:
            yield fact_id, count


def apply(connection: Connection, moves: Iterable[Move], *, actor: str, now: str) -> list[Move]:
    """Makes the moves of one kind of memory, an event for each step, and gives those that were made.

    What was touched or moved by somebody else since it was read stays as it is.

    Raises:
        InvalidMove: the table of moves does not allow a step; nothing was made.
    """
    made: list[Move] = []
    for memory_type, group in groupby(moves, key=lambda move: move.memory_type):
        wanted = {move.memory_id: move for move in group}
        made += [wanted[memory_id] for memory_id in _unchanged(connection, memory_type, wanted)]
    if not made:
        return made
    events = []
    for move in made:
        here = move.from_state
        for step in move.steps:
            check_move(move.memory_type, here, step)
            events.append((move.memory_id, move.memory_type, str(here), str(step), move.reason, actor, now))
            here = step
    for memory_type, group in groupby(made, key=lambda move: move.memory_type):
        connection.exec_driver_sql(
            f"UPDATE {rows.TABLES[memory_type]} SET lifecycle_state = ? WHERE id = ?",
            [(str(move.to_state), move.memory_id) for move in group],
        )
    connection.exec_driver_sql(
        "INSERT INTO lifecycle_events (memory_id, memory_type, from_state, to_state, reason, actor, at) "
        "VALUES (?, ?, ?, ?, ?, ?, ?)",
        events,
    )
    return made


def _unchanged(connection: Connection, memory_type: str, wanted: dict[str, Move]) -> Iterator[str]:
    for batch in rows.batches(wanted):
        marks = ", ".join("?" for _ in batch)
        found = connection.exec_driver_sql(
            f"SELECT id, lifecycle_state, reinforced_at FROM {rows.TABLES[memory_type]} WHERE id IN ({marks})",
            tuple(batch),
        )
        for memory_id, state, reinforced_at in found:
            move = wanted[memory_id]
            if state == move.from_state and reinforced_at == move.reinforced_at:
                yield memory_id
