"""Mends whatever the derived indexes lack or have too much of, and counts it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import datetime

from memory_server.domain.lifecycle import LifecycleState
from memory_server.indexes.space import enqueue_everything
from memory_server.policies.relations import topic_keys
from memory_server.services.drift import graph_drift, text_drift, vector_drift
from memory_server.services.measure import REPAIRS
from memory_server.services.parts import Parts
from memory_server.services.remains import purge
from memory_server.services.skills import sync_skills
from memory_server.storage import audit, beliefs, meta, outbox, rows

_ENQUEUED_AT_ONCE = 5_000
_TOPICS_AT_ONCE = 500
_PATIENCE_SECONDS = 30.0  # without a step forward, as when another process that leads has died
_PAUSE_SECONDS = 0.1

Progress = Callable[[str, int, int], None]
"""Is told what is done, how much of it, and of how much."""


@dataclass(slots=True)
class Repairs:
    """What was found wrong and put right, in entries; `pending` is what still waits when `settled` is False.

    `topics` counts beliefs whose keys for finding rivals were wrong; `vectors_unavailable` and `skill_files` say what
    hindered those two, if anything.
    """

    parked: int = 0
    topics: int = 0
    fulltext: dict[str, int] = field(default_factory=dict)
    vectors: dict[str, int] = field(default_factory=lambda: {"missing": 0, "extra": 0, "outdated": 0})
    graph: int = 0
    enqueued: int = 0
    vectors_unavailable: str | None = None
    skill_files: str | None = None
    settled: bool = False
    pending: int = 0
    errors: list[str] = field(default_factory=list)

    @property
    def total(self) -> int:
        """All entries that were mended."""
        indexes = sum(map(abs, self.fulltext.values())) + sum(self.vectors.values()) + self.graph
        return self.parked + self.topics + indexes


def reindex(
    parts: Parts,
    drain: Callable[[], None],
    now: datetime,
    *,
    everything: bool = False,
    progress: Progress = lambda _what, _done, _of: None,
) -> Repairs:
    """Makes full text, topics, vectors, graph and skill files agree with the rows; waits until the outbox is empty.

    Args:
        drain: works off what is due in the outbox; see `Worker.drain`.
        everything: make all entries anew, not only those that are wrong.
        progress: is told how far the work is.

    Raises:
        StorageUnavailable: the database cannot be read or written.
    """
    done = Repairs()
    _mend_text(parts, done, everything, progress)
    done.topics = _mend_topics(parts, progress)
    with parts.database.write() as connection:
        done.parked = outbox.revive(connection)
    _enqueue_drift(parts, done, now, everything)
    parts.network.rebuild()
    parts.network.current()
    with parts.database.write(quiet=True) as connection:
        meta.put(connection, REPAIRS, str(int(meta.get(connection, REPAIRS) or 0) + done.total))
    purge(parts)
    done.skill_files = sync_skills(parts)
    _wait(parts, done, drain, progress)
    return done


def _mend_text(parts: Parts, done: Repairs, everything: bool, progress: Progress) -> None:
    done.fulltext = text_drift(parts, whole=True)
    kinds = list(rows.TABLES) if everything else list(done.fulltext)
    for place, memory_type in enumerate(kinds):
        progress("full text", place, len(kinds))
        with parts.database.write(quiet=True) as connection:
            audit.rebuild_text(connection, rows.TABLES[memory_type])


def _mend_topics(parts: Parts, progress: Progress) -> int:
    """Derives the topics of all beliefs as this version reads them; tells of how many beliefs they differed."""
    with parts.database.write(quiet=True) as connection:
        mended = beliefs.drop_stray_topics(connection)
    row = looked_at = 0
    while True:
        with parts.database.read() as connection:
            page = beliefs.said(connection, row, _TOPICS_AT_ONCE)
            known = beliefs.topics_of(connection, [belief_id for _, belief_id, _ in page])
        if not page:
            return mended
        row, looked_at = page[-1][0], looked_at + len(page)
        wanted = {belief_id: topic_keys(proposition) for _, belief_id, proposition in page}
        wrong = [belief_id for belief_id, topics in wanted.items() if topics != known.get(belief_id, set())]
        if wrong:
            with parts.database.write(quiet=True) as connection:
                # forgotten meanwhile, a belief must not get its words back
                still = beliefs.by_ids(connection, wrong)
                mending = [
                    one.id for one in still.values() if one.lifecycle_state is not LifecycleState.FORGOTTEN
                ]
                beliefs.put_topics(connection, {belief_id: wanted[belief_id] for belief_id in mending})
            mended += len(mending)
        progress("topics", looked_at, looked_at)


def _enqueue_drift(parts: Parts, done: Repairs, now: datetime, everything: bool) -> None:
    vectors = vector_drift(parts)
    graph = graph_drift(parts)
    done.graph = graph.size
    done.vectors_unavailable = vectors.unavailable
    done.vectors = {
        "missing": len(vectors.missing),
        "extra": len(vectors.extra),
        "outdated": len(vectors.outdated),
    }
    wrong = [*vectors.missing, *vectors.extra, *vectors.outdated]
    changes = dict.fromkeys((vectors.kinds.get(memory_id, "fact"), memory_id) for memory_id in wrong)
    # every process follows the sequence with its graph: what is enqueued is looked at by all of them
    changes |= dict.fromkeys(("fact", fact_id) for fact_id in (*graph.missing, *graph.extra))
    if everything:
        with parts.database.write() as connection:
            done.enqueued = enqueue_everything(connection, now.timestamp())
        changes = dict.fromkeys(("fact", memory_id) for memory_id in vectors.extra)
    for batch in _batches(list(changes)):
        with parts.database.write() as connection:
            outbox.enqueue(connection, batch, now.timestamp())
    done.enqueued += len(changes)


def _batches(changes: list[tuple[str, str]]) -> Iterable[list[tuple[str, str]]]:
    for start in range(0, len(changes), _ENQUEUED_AT_ONCE):
        yield changes[start : start + _ENQUEUED_AT_ONCE]


def _wait(parts: Parts, done: Repairs, drain: Callable[[], None], progress: Progress) -> None:
    whole = least = _pending(parts)
    deadline = time.monotonic() + _PATIENCE_SECONDS
    left = whole
    while left and time.monotonic() < deadline:
        progress("vectors", whole - left, whole)
        drain()
        left = _pending(parts)
        if left < least:
            least, deadline = left, time.monotonic() + _PATIENCE_SECONDS
        elif left:
            time.sleep(_PAUSE_SECONDS)
    progress("vectors", whole - left, whole)
    with parts.database.read() as connection:
        sizes = outbox.sizes(connection)
        done.errors = outbox.errors(connection)
    done.pending = sizes["pending"] + sizes["failed"]
    done.settled = not done.pending


def _pending(parts: Parts) -> int:
    with parts.database.read() as connection:
        return outbox.sizes(connection)["pending"]
