"""What time does to memories: stale, archived, forgotten, a step at a time; and promotions that were missed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import groupby

from sqlalchemy import Connection

from memory_server.domain.lifecycle import LifecycleState, is_current, is_searchable, steps_between
from memory_server.domain.memory import rfc3339
from memory_server.policies.decay import is_expired
from memory_server.services.due import Trust, age_of, ageing_of, promotion_of, worths
from memory_server.services.parts import Parts
from memory_server.services.remains import purge
from memory_server.services.skills import sync_skills
from memory_server.services.truth import on_fact_changed, on_rivals_gone
from memory_server.storage import ageing, erasure, outbox, rows
from memory_server.storage.ageing import Move

BATCH = 400  # moves in one transaction, so that writers wait for a moment at most
LISTED = 50  # moves that an answer lists; its counts tell of all

Progress = Callable[[str, int], None]
"""Is told what is looked at, and how many rows of it have been."""

_S = LifecycleState
_LEFT_INDEXES = frozenset({_S.ARCHIVED, _S.FORGOTTEN})
_RESTED_ON = ("fact", "decision")  # what beliefs may rest on


@dataclass(slots=True)
class Upkeep:
    """What was (or, in a dry run, would be) moved: how many to each state, and the first of the moves."""

    looked_at: int = 0
    steps: Counter[str] = field(default_factory=Counter)
    moves: list[Move] = field(default_factory=list)
    moved: int = 0

    def add(self, moves: Sequence[Move]) -> None:
        """Counts moves, and lists the first."""
        self.moved += len(moves)
        self.moves += moves[: max(0, LISTED - len(self.moves))]
        for move in moves:
            self.steps.update(str(step) for step in move.steps)

    def listed(self) -> list[dict[str, str]]:
        """The first moves, as answers show them."""
        return [
            {
                "memory_type": move.memory_type,
                "id": move.memory_id,
                "from_state": str(move.from_state),
                "to_state": str(move.to_state),
                "reason": move.reason,
            }
            for move in self.moves
        ]


def decay(
    parts: Parts,
    now: datetime,
    *,
    dry_run: bool = False,
    forget: bool = True,
    promote: bool = True,
    actor: str = "decay",
    progress: Progress = lambda _what, _count: None,
) -> Upkeep:
    """Makes every move that is due at `now`, for every kind of memory, a few hundred in a transaction.

    Args:
        now: the time that ages are counted to.
        dry_run: nothing is changed; the answer says what would be.
        forget: also the last step, which overwrites content.
        promote: also the steps up that facts have earned.
        actor: who is named in the events.
        progress: is told of each page.

    Raises:
        StorageUnavailable: the database cannot be read or written; the moves of earlier transactions stay made.
    """
    done = Upkeep()
    with parts.database.read() as connection:
        conflicts = ageing.conflict_counts(connection, parts.settings.single_valued)
    trust = Trust(parts, now)
    without = (_S.FORGOTTEN,) if forget else (_S.FORGOTTEN, _S.ARCHIVED)
    for memory_type in rows.TABLES:
        looked_at = 0
        for page in ageing.pages(parts.database, memory_type, without):
            worth = worths(parts, memory_type, page, conflicts, trust, now)
            due = [
                move
                for one in page
                if (move := ageing_of(memory_type, one, worth.get(one.id, 1.0), now, forget))
            ]
            if promote and memory_type == "fact":
                aged = {move.memory_id for move in due}
                rising = [one for one in page if one.id not in aged]
                due += [move for one in rising if (move := promotion_of(one, conflicts.get(one.id, 0)))]
            _make(parts, due, done, now, actor, dry_run)
            looked_at += len(page)
            progress(memory_type, looked_at)
        done.looked_at += looked_at
    if forget:
        _purge(parts, dry_run)
    return done


def prune(
    parts: Parts,
    now: datetime,
    *,
    dry_run: bool = False,
    actor: str = "prune",
    progress: Progress = lambda _what, _count: None,
) -> Upkeep:
    """Archives what has outlived the time that admission gave it.

    Raises:
        StorageUnavailable: as for `decay`.
    """
    done = Upkeep()
    for memory_type in rows.TABLES:
        for page in ageing.pages(parts.database, memory_type, (_S.ARCHIVED, _S.FORGOTTEN), own_ttl=True):
            expired = [one for one in page if is_expired(age_of(one, now), one.ttl_days)]
            due = [
                Move(
                    memory_type,
                    one.id,
                    one.state,
                    steps_between(memory_type, one.state, _S.ARCHIVED),
                    f"expired: {age_of(one, now):.1f} days of {one.ttl_days:g} that admission gave it",
                    one.reinforced_at,
                )
                for one in expired
            ]
            _make(parts, due, done, now, actor, dry_run)
            done.looked_at += len(page)
            progress(memory_type, done.looked_at)
    return done


def _make(parts: Parts, due: Sequence[Move], done: Upkeep, now: datetime, actor: str, dry_run: bool) -> None:
    if dry_run:
        done.add(due)
        return
    for start in range(0, len(due), BATCH):
        with parts.database.write() as connection:
            made = ageing.apply(connection, due[start : start + BATCH], actor=actor, now=rfc3339(now))
            follow(connection, made, actor=actor, now=now, single_valued=parts.settings.single_valued)
        done.add(made)


def _purge(parts: Parts, dry_run: bool) -> None:
    """Takes the words of what was forgotten out of the files as well, also what a run that died has left."""
    if dry_run:
        return
    with parts.database.read() as connection:
        left = erasure.remains(connection) is not None
    if left:
        sync_skills(parts)
    purge(parts)


def follow(
    connection: Connection,
    made: Sequence[Move],
    *,
    actor: str,
    now: datetime,
    single_valued: Collection[str],
) -> None:
    """What moves bring about: content is overwritten, indexes are told, beliefs that rested on it take note.

    To be called in the transaction of the moves, after them.
    """
    ended = [
        move.memory_id
        for move in made
        if move.memory_type == "fact" and is_current(move.from_state) and not is_current(move.to_state)
    ]
    on_rivals_gone(connection, ended, now, single_valued)
    left = [move for move in made if move.to_state in _LEFT_INDEXES]
    for memory_type, group in groupby(left, key=lambda move: move.memory_type):
        moves = list(group)
        ids = [move.memory_id for move in moves if move.to_state is _S.FORGOTTEN]
        if ids:
            erasure.erase(connection, memory_type, ids, actor=actor, now=rfc3339(now))
        if memory_type in _RESTED_ON:
            for memory_id in _evidence_among(connection, memory_type, [move.memory_id for move in moves]):
                on_fact_changed(
                    connection,
                    memory_id,
                    "forgotten" if memory_id in ids else "archived",
                    now,
                    kind="fact" if memory_type == "fact" else "decision",
                    single_valued=single_valued,
                )
    # a superseded belief that grows stale is looked for again
    come = [m for m in made if is_searchable(m.to_state) and not is_searchable(m.from_state)]
    changed = [(move.memory_type, move.memory_id) for move in (*left, *come)]
    outbox.enqueue(connection, changed, now.timestamp())


def _evidence_among(connection: Connection, memory_type: str, ids: Sequence[str]) -> Iterator[str]:
    for batch in rows.batches(ids):
        marks = ", ".join("?" for _ in batch)
        yield from (
            connection.exec_driver_sql(
                f"SELECT DISTINCT source_id FROM belief_evidence WHERE source_type = ? AND source_id IN ({marks})",
                (memory_type, *batch),
            )
            .scalars()
            .all()
        )
