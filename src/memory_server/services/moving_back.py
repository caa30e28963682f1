"""Takes back what was done to beliefs: moved back where the table allows it, else continued by a new belief."""

from __future__ import annotations

from memory_server.domain.belief import Belief
from memory_server.domain.lifecycle import LifecycleState, may_move
from memory_server.domain.memory import new_id
from memory_server.policies.writes import Did, successor
from memory_server.services.beliefs import Assertion, write
from memory_server.services.undoing import REASON, Undoing
from memory_server.storage import beliefs, evidence, lifecycle, rows, writes
from memory_server.storage.writes import UNDO, Written

_S = LifecycleState


def may_return(undoing: Undoing, written: Written) -> bool:
    """Whether a belief that was moved goes back by itself."""
    step = _step_of(undoing, written)
    return step is not None and may_move("belief", step[1], step[0])


def _step_of(undoing: Undoing, written: Written) -> tuple[LifecycleState, LifecycleState] | None:
    """From where to where a write moved a belief."""
    if written.did is not Did.MOVED:
        return None
    steps = [
        event
        for event in lifecycle.events(undoing.connection, written.memory_id)
        if event["at"] == written.timestamp and event["actor"] == written.created_by and event["from_state"]
    ]
    if not steps:
        return None
    return LifecycleState(str(steps[0]["from_state"])), LifecycleState(str(steps[-1]["to_state"]))


def move_back(undoing: Undoing, written: Written) -> None:
    """A belief back to where it was: by itself where the table allows it, else as a new belief that continues it."""
    belief, step = undoing.memory(written), _step_of(undoing, written)
    if not isinstance(belief, Belief) or step is None:
        undoing.done.leave(belief, written.memory_id, "nothing is known of where it was before")
        return
    if belief.lifecycle_state is _S.FORGOTTEN:
        undoing.leave(belief, written, "it is forgotten: nothing is left of what it said")
        return
    by = successor(written.history)
    last = undoing.stands_in_place_of(belief, by) if by else None
    if last is not None:
        undoing.leave(belief, written, f"{last} has taken its place since")
        return
    if undoing.was_undone(belief):
        undoing.leave(belief, written, "it was undone itself")
        _continue_those_before(undoing, belief, written)
        return
    belief = _carried_on(undoing, belief, written)
    before, after = step
    if belief.lifecycle_state is not after:
        undoing.leave(belief, written, f"it became {belief.lifecycle_state} since")
        return
    twin = _twin(undoing, belief)
    if twin is not None:
        undoing.leave(belief, written, f"{twin.id} holds the same proposition now")
        return
    if not may_move("belief", after, before):
        _continue_belief(undoing, belief, before, written)
        return
    _walk(undoing, belief, before)
    moved = belief.model_copy(update={"lifecycle_state": before})
    undoing.settle(moved, [written], f"back from {after} to {before}")
    undoing.done.note("moved back", moved)


def _continue_those_before(undoing: Undoing, undone: Belief, written: Written) -> None:
    """What an undone belief had replaced holds again, as a belief that continues it."""
    for earlier in rows.superseded_by(undoing.connection, Belief, undone.id):
        if undoing.was_undone(earlier):
            _continue_those_before(undoing, earlier, written)
        elif earlier.lifecycle_state is _S.SUPERSEDED and _twin(undoing, earlier) is None:
            _continue_belief(undoing, earlier, _S.ACTIVE, written)


def _twin(undoing: Undoing, belief: Belief) -> Belief | None:
    key = beliefs.proposition_key(belief.proposition)
    twin = beliefs.active_saying(undoing.connection, belief.scope, key)
    return None if twin is None or twin.id == belief.id else twin


def _carried_on(undoing: Undoing, belief: Belief, written: Written) -> Belief:
    """The belief that stands for this one now."""
    now = undoing.carried_on(belief)[-1]
    assert isinstance(now, Belief)
    if now.id != belief.id:
        undoing.settle(belief, [written], f"carried on by {now.id}")
    return now


def _continue_belief(undoing: Undoing, belief: Belief, state: LifecycleState, written: Written) -> None:
    connection = undoing.connection
    assertion = Assertion(
        proposition=belief.proposition,
        confidence=belief.confidence,
        evidence=tuple(evidence.of(connection, [belief.id]).get(belief.id, ())),
        tags=belief.tags,
        source=belief.source,
        creator=belief.creator,
        scope=belief.scope,
        episode_id=belief.episode_id,
        span=None if belief.span_start is None else (belief.span_start, belief.span_end or 0),
        ttl_days=belief.ttl_days,
        admission_tag=belief.admission_tag,
        risk_tags=belief.risk_tags,
    )
    held = write(
        connection, assertion, new_id(), belief.scope, replaced=[belief], created_by=UNDO, now=undoing.now
    )
    writes.copy_claims(connection, belief.id, held.belief.id)
    # it goes with the assertion that it came with, if that is undone
    writes.keep_evidence_times(connection, belief.id, held.belief.id)
    kept = {"assertions": belief.assertions, "source_count": belief.source_count}
    new = beliefs.update(connection, held.belief, kept)
    if state is _S.CONTRADICTED:
        _walk(undoing, new, state)
        new = new.model_copy(update={"lifecycle_state": state})
    undoing.tie(belief, new, written)


def _walk(undoing: Undoing, belief: Belief, state: LifecycleState) -> None:
    lifecycle.walk(
        undoing.connection,
        "belief",
        belief.id,
        belief.lifecycle_state,
        state,
        reason=REASON,
        actor=UNDO,
        now=undoing.moment,
    )
