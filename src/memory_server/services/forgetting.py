"""Forgets for good: one memory by its id, or all that an owner describes, seen first and then confirmed."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime
from itertools import groupby

from memory_server.domain.errors import Conflict
from memory_server.domain.lifecycle import LifecycleState, steps_between
from memory_server.domain.memory import Memory, rfc3339
from memory_server.domain.receipt import Receipt
from memory_server.services.parts import Parts
from memory_server.services.remains import REWRITTEN_AT_ONCE, insist
from memory_server.services.skills import sync_skills
from memory_server.services.upkeep import follow
from memory_server.services.wishes import Wish, confirmation, forecast, matches, memory_named
from memory_server.storage import ageing, erasure, fulltext, outbox, receipts, rows
from memory_server.storage.ageing import Move
from memory_server.storage.browse import Match
from memory_server.storage.traces import Trace

ACTOR = "forget"
PURGED_AT_ONCE = 200_000  # rows up to which one forgotten memory rewrites its full-text index (300 ms)
MANY_REWRITTEN_AT_ONCE = 256_000_000  # bytes of database up to which forgetting many rewrites it (3 s)
BATCH = 200  # memories in one transaction
PAUSE_SECONDS = 0.02  # between transactions: a writer that waits for its turn looks that often
_PROBES = 64  # memories whose own words are looked for afterwards
_PROBE_WORDS = 6


@dataclass(frozen=True, slots=True)
class Forgotten:
    memory_id: str
    memory_type: str
    steps: tuple[LifecycleState, ...]
    receipt: Receipt
    traces: tuple[Trace, ...] = ()


@dataclass(slots=True)
class ForgottenMany:
    """What was forgotten, and what was left since somebody changed it after it had been confirmed."""

    by_kind: Counter[str] = field(default_factory=Counter)
    by_source: Counter[str] = field(default_factory=Counter)
    traces: list[Trace] = field(default_factory=list)
    changed: list[str] = field(default_factory=list)


def forget(
    parts: Parts, memory_id: str, now: datetime, *, confirm: str | None = None, actor: str = ACTOR
) -> Forgotten:
    """Takes a memory through the table of moves to its end: out of every index, its content overwritten.

    Its receipts and lifecycle events stay, and so do memories that were derived from it. A second call only makes
    sure that nothing is left.

    Args:
        confirm: what a dry run of this memory gave; without it the memory is forgotten as it is.

    Raises:
        NotFound: there is no such memory.
        Conflict: the memory is not what was confirmed any more; nothing was changed.
        StorageUnavailable: nothing was changed.
    """
    with parts.database.write() as connection:
        memory, memory_type = memory_named(connection, memory_id)
        if confirm is not None:
            wish = Wish(memory_id)
            _insist_on(parts, wish, matches(connection, wish), confirm)
        steps = steps_between(memory_type, memory.lifecycle_state, LifecycleState.FORGOTTEN)
        (row,) = connection.exec_driver_sql(
            f"SELECT row FROM {rows.TABLES[memory_type]} WHERE id = ?", (memory.id,)
        ).one()
        trace = Trace(memory_type, memory.id, row, _telling_words(memory) if steps else "")
        if steps:
            move = Move(
                memory_type, memory.id, memory.lifecycle_state, steps, "asked for", memory.reinforced_at
            )
            made = ageing.apply(connection, [move], actor=actor, now=rfc3339(now))
            follow(connection, made, actor=actor, now=now, single_valued=parts.settings.single_valued)
        else:
            erasure.erase(connection, memory_type, [memory.id], actor=actor, now=rfc3339(now))
            outbox.enqueue(connection, [(memory_type, memory.id)], now.timestamp())
        if parts.frequencies.rows(connection, rows.TABLES[memory_type]) <= PURGED_AT_ONCE:
            erasure.purge_full_text(connection, memory_type)
        receipt = receipts.of(connection, memory.id)[-1]
    _clean_up(parts, {memory_type}, REWRITTEN_AT_ONCE, patience=0.5)
    return Forgotten(memory.id, memory_type, steps, receipt, (trace,))


def forget_matching(
    parts: Parts, wish: Wish, confirm: str, now: datetime, *, actor: str = ACTOR
) -> ForgottenMany:
    """Forgets what the wish matched when it got this confirmation, a few hundred in a transaction.

    Others write between the transactions. What somebody changes meanwhile stays, and is named.

    Raises:
        NotFound: there is no memory of that id.
        Conflict: something else matches now; nothing was changed.
        StorageUnavailable: the database cannot be written; what earlier transactions have forgotten stays forgotten.
    """
    with parts.database.read() as connection:
        found = matches(connection, wish)
    _insist_on(parts, wish, found, confirm)
    done = ForgottenMany()
    probes = _spread([match.id for match in found], _PROBES)
    for memory_type, group in groupby(found, key=lambda match: match.memory_type):
        of_kind = list(group)
        for start in range(0, len(of_kind), BATCH):
            if start or done.traces:
                # the lock is given to those who wait for it
                time.sleep(PAUSE_SECONDS)
            _forget_batch(parts, memory_type, of_kind[start : start + BATCH], probes, done, actor, now)
    if done.traces:
        _clean_up(parts, set(done.by_kind), MANY_REWRITTEN_AT_ONCE, patience=5.0)
    return done


def _insist_on(parts: Parts, wish: Wish, found: Sequence[Match], confirm: str) -> None:
    if confirmation(wish, found) == confirm:
        return
    seen = forecast(parts, wish)
    raise Conflict(
        f"this is not what was confirmed: {seen.total} memories match now; look again, "
        f"and confirm with {seen.confirm}"
        if seen.total
        else "nothing matches any more, so there is nothing to confirm: it may be forgotten already",
        **asdict(seen),
    )


def _forget_batch(
    parts: Parts,
    memory_type: str,
    batch: Sequence[Match],
    probes: set[str],
    done: ForgottenMany,
    actor: str,
    now: datetime,
) -> None:
    wanted = {match.id: match for match in batch}
    with parts.database.write() as connection:
        memories = rows.by_ids(connection, rows.MODELS[memory_type], list(wanted))
        moves, words = [], {}
        for memory in memories.values():
            steps = steps_between(memory_type, memory.lifecycle_state, LifecycleState.FORGOTTEN)
            # a promotion meanwhile is no change of what it says
            if steps and memory.updated_at == wanted[memory.id].updated_at:
                state, touched = memory.lifecycle_state, memory.reinforced_at
                moves.append(Move(memory_type, memory.id, state, steps, "asked for", touched))
                words[memory.id] = _telling_words(memory) if memory.id in probes else ""
        made = ageing.apply(connection, moves, actor=actor, now=rfc3339(now))
        follow(connection, made, actor=actor, now=now, single_valued=parts.settings.single_valued)
    gone = {move.memory_id for move in made}
    for match in batch:
        if match.id in gone:
            done.traces.append(Trace(memory_type, match.id, match.row, words[match.id]))
            done.by_kind[memory_type] += 1
            done.by_source[match.source] += 1
        else:
            done.changed.append(match.id)


def _clean_up(parts: Parts, memory_types: set[str], rewritten: int, patience: float) -> None:
    """Takes the words out of the files as well, as far as that is quick; the rest is marked and done by upkeep."""
    if "skill" in memory_types:
        # its file goes too, and the history of the file; before the mark is taken away, in case this process dies
        sync_skills(parts)
    parts.database.shorten_log()
    if parts.database.size() <= rewritten:
        insist(parts, patience)


def _telling_words(memory: Memory) -> str:
    """A full-text expression that finds the memory as long as its words are there."""
    phrases = fulltext.parse(memory.sentence()[:2000]).phrases  # type: ignore[attr-defined]
    longest = sorted(phrases, key=len, reverse=True)[:_PROBE_WORDS]
    return " OR ".join(longest)


def _spread(ids: Sequence[str], most: int) -> set[str]:
    step = max(1, len(ids) // most)
    return set(ids[::step][:most])
