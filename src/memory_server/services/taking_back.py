"""Takes a change back by the moves that the model allows; what does not go back is continued by a new memory."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection

from memory_server.domain.belief import Belief
from memory_server.domain.fact import Fact
from memory_server.domain.lifecycle import LifecycleState, is_searchable, steps_between
from memory_server.domain.memory import Memory
from memory_server.policies.writes import Did, successor
from memory_server.services.changes import Change
from memory_server.services.moving_back import may_return, move_back
from memory_server.services.parts import Parts
from memory_server.services.remember import Statement, record
from memory_server.services.truth import on_fact_changed
from memory_server.services.undoing import REASON, TakenBack, Undoing, kind_of
from memory_server.services.upkeep import follow
from memory_server.storage import ageing, facts, rows, writes
from memory_server.storage.ageing import Move
from memory_server.storage.writes import UNDO, Written

_S = LifecycleState
_GONE = (_S.ARCHIVED, _S.FORGOTTEN, _S.DISCARDED)


def take_back(
    parts: Parts, connection: Connection, changes: Sequence[Change], now: datetime, done: TakenBack
) -> None:
    """Takes changes back, newest first, inside the caller's transaction; notes in `done` what became of each."""
    undoing = Undoing(parts, connection, now, done)
    for change in changes:
        if change.assertion is not None:
            _take_back_claim(undoing, change.assertion)
        # what gives a place up goes before what takes it
        for written in sorted(change.consequences, key=lambda one: not may_return(undoing, one)):
            if written.did is Did.CLOSED:
                _reopen(undoing, written)
            else:
                move_back(undoing, written)


def _take_back_claim(undoing: Undoing, written: Written) -> None:
    memory = undoing.memory(written)
    if memory is None:
        undoing.done.leave(None, written.memory_id, "it is not there")
        return
    if memory.lifecycle_state is _S.FORGOTTEN:
        undoing.leave(memory, written, "it is forgotten: nothing is left of what it said")
        return
    chain = undoing.carried_on(memory)
    by_memory = writes.of_memories(undoing.connection, [one.id for one in chain])
    every = [one for receipts in by_memory.values() for one in receipts]
    gone = writes.taken_back(every) | {written.id}
    # what an undo has carried on claims nothing of its own
    left = [one for one in every if one.asserts and one.id not in gone and one.created_by != UNDO]
    now = chain[-1]
    if left:
        _withdraw(undoing, now, written, left)
    elif now.lifecycle_state in _GONE:
        undoing.leave(now, written, f"it is {now.lifecycle_state} already")
    else:
        _take_out(undoing, now, written)
    if now.id != memory.id:
        undoing.settle(memory, [written], f"carried on by {now.id}")


def _take_out(undoing: Undoing, memory: Memory, written: Written) -> None:
    """Out of search: a belief is discarded, everything else archived; what it said stays in its history."""
    kind = kind_of(memory)
    end = _S.ARCHIVED
    if isinstance(memory, Belief) and memory.lifecycle_state is not _S.STALE:
        end = _S.DISCARDED
    steps = steps_between(kind, memory.lifecycle_state, end)
    move = Move(kind, memory.id, memory.lifecycle_state, steps, REASON, memory.reinforced_at)
    made = ageing.apply(undoing.connection, [move], actor=UNDO, now=undoing.moment)
    single_valued = undoing.parts.settings.single_valued
    follow(undoing.connection, made, actor=UNDO, now=undoing.now, single_valued=single_valued)
    taken = memory.model_copy(update={"lifecycle_state": end})
    undoing.settle(taken, [written], f"taken out: {end}")
    undoing.done.note("taken out", taken)


def _withdraw(undoing: Undoing, memory: Memory, written: Written, left: Sequence[Written]) -> None:
    """One claim less: the memory stays for the others, as it would be without it. Tags stay."""
    connection = undoing.connection
    writes.keep_claims(connection, memory.id, written.source, left)
    names = dict.fromkeys(one.source.casefold() for one in left)
    changes: dict[str, Any] = {
        "updated_at": undoing.moment,
        "reinforced_at": left[-1].timestamp,
        "source_count": len(names),
    }
    if memory.source.casefold() not in names:
        changes["source"] = left[0].source
    told = [f"claim of {written.source} withdrawn"]
    if isinstance(memory, Belief):
        changes |= _without_assertion(memory, written)
        dropped = writes.drop_evidence_of(connection, memory.id, written.timestamp)
        told += [f"pieces of evidence withdrawn: {dropped}"] if dropped else []
    elif written.memory_type != "episode":
        changes["confidence"] = max(one.confidence for one in left)
    rows.update(connection, kind_of(memory), memory.id, changes)
    changed = memory.model_copy(update=changes)
    undoing.settle(changed, [written], *told)
    undoing.done.note("claim withdrawn", changed)


def _without_assertion(belief: Belief, written: Written) -> dict[str, Any]:
    """The mean without one of the values that went into it."""
    others = belief.assertions - 1
    if others < 1:
        return {}
    mean = (belief.confidence * belief.assertions - written.confidence) / others
    return {"confidence": min(1.0, max(0.0, round(mean, 12))), "assertions": others}


def _reopen(undoing: Undoing, written: Written) -> None:
    """What was closed holds again: itself where it can, else as a new memory that continues it."""
    memory, by = undoing.memory(written), successor(written.history)
    if memory is None:
        undoing.done.leave(None, written.memory_id, "it is not there")
        return
    if undoing.was_undone(memory) and undoing.stands_in_place_of(memory, by) is None:
        _reopen_before(undoing, memory, written)
        return
    why = _why_closed(undoing, memory, written, by)
    if why is not None:
        undoing.leave(memory, written, why)
        return
    if not is_searchable(memory.lifecycle_state):
        _continue_fact(undoing, memory, written)
        return
    _open(undoing, memory, _as_closed_before(undoing, memory, written), [written], f"{by} was undone")


def _reopen_before(undoing: Undoing, undone: Memory, written: Written) -> None:
    """What was closed is undone itself, so what that had closed holds again, unless something has come between."""
    undoing.leave(undone, written, "it was undone itself")
    current: dict[str, str | None] = {"valid_to": None, "superseded_at": None, "superseded_by": None}
    for earlier in rows.superseded_by(undoing.connection, type(undone), undone.id):
        if undoing.was_undone(earlier):
            _reopen_before(undoing, earlier, written)
        elif is_searchable(earlier.lifecycle_state) and not _said_since(undoing, earlier):
            _open(undoing, earlier, current, [], f"{undone.id} and what came after it were undone")


def _said_since(undoing: Undoing, memory: Memory) -> str | None:
    if not isinstance(memory, Fact):
        return None
    same, _ = facts.said_before(undoing.connection, facts.derived(memory))
    return None if same is None else same.id


def _open(
    undoing: Undoing, memory: Memory, closed: dict[str, str | None], undone: Sequence[Written], why: str
) -> None:
    changes = {**closed, "updated_at": undoing.moment}
    rows.update(undoing.connection, kind_of(memory), memory.id, changes)
    opened = memory.model_copy(update=changes)
    told = "reopened" if opened.valid_to is None else f"closed as before: replaced by {opened.superseded_by}"
    undoing.settle(opened, undone, f"{told}; {why}")
    if isinstance(opened, Fact) and opened.valid_to is None:
        single_valued = undoing.parts.settings.single_valued
        on_fact_changed(undoing.connection, opened.id, "holds", undoing.now, single_valued=single_valued)
    undoing.done.note("reopened", opened)


def _why_closed(undoing: Undoing, memory: Memory | None, written: Written, by: str | None) -> str | None:
    """Why a closed memory has to stay as it is; None where it can be opened."""
    if memory is None or memory.lifecycle_state is _S.FORGOTTEN:
        return "it is forgotten: nothing is left of what it said"
    if memory.superseded_by != by or memory.superseded_at != written.timestamp:
        return "something else has taken its place since"
    last = undoing.stands_in_place_of(memory, by)
    if last is not None:
        return f"{last} has taken its place since"
    same = _said_since(undoing, memory)
    if same is not None:
        return f"it was stated again since, as {same}"
    if not isinstance(memory, Fact) and not is_searchable(memory.lifecycle_state):
        return f"it is {memory.lifecycle_state}"
    return None


def _as_closed_before(undoing: Undoing, memory: Memory, written: Written) -> dict[str, str | None]:
    """How it was closed before this change: mostly not at all."""
    every = writes.of_memories(undoing.connection, [memory.id])[memory.id]
    gone = writes.taken_back(every)
    earlier = [one for one in every if one.did is Did.CLOSED and one.row < written.row and one.id not in gone]
    by = successor(earlier[-1].history) if earlier else None
    other = rows.get(undoing.connection, type(memory), by) if by else None
    if other is None or other.lifecycle_state in _GONE:
        return {"valid_to": None, "superseded_at": None, "superseded_by": None}
    return {
        "valid_to": other.valid_from,
        "superseded_at": earlier[-1].timestamp,
        "superseded_by": other.id,
    }


def _continue_fact(undoing: Undoing, memory: Memory, written: Written) -> None:
    assert isinstance(memory, Fact)
    statement = Statement(
        memory.subject,
        memory.predicate,
        memory.object,
        memory.confidence,
        memory.source,
        memory.tags,
        memory.scope,
        valid_from=memory.valid_from,
        risk_tags=memory.risk_tags,
    )
    single_valued = undoing.parts.settings.single_valued
    stored = record(
        undoing.connection, statement, created_by=UNDO, now=undoing.now, single_valued=single_valued
    )
    undoing.tie(memory, stored.fact, written)
