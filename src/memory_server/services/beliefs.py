"""Holds a proposition with some confidence, on evidence; said again it is reinforced, not written twice."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from sqlalchemy import Connection

from memory_server.domain.belief import Belief, Evidence
from memory_server.domain.errors import Conflict, NotFound
from memory_server.domain.lifecycle import LifecycleState
from memory_server.domain.memory import new_id, rfc3339
from memory_server.domain.receipt import Receipt, receipt_for
from memory_server.policies.relations import context_of, topic_keys
from memory_server.policies.scopes import GLOBAL
from memory_server.policies.trust import injection_marks
from memory_server.services.lineage import learned_from
from memory_server.services.parts import Parts
from memory_server.storage import beliefs, evidence, lifecycle, outbox, receipts, sources

MOST_TAGS = 32
_S = LifecycleState
IN_FORCE = (_S.ACTIVE, _S.CONTRADICTED)
"""States of beliefs that still stand against others; only these can be replaced or settled."""


@dataclass(frozen=True, slots=True)
class Assertion:
    """A proposition as somebody asserts it.

    `scope` is that of the belief that it replaces where none is given, else `default_scope`; `valid_from` is now.
    """

    proposition: str
    confidence: float = 0.5
    evidence: tuple[Evidence, ...] = ()
    tags: tuple[str, ...] = ()
    source: str = "system"
    creator: str = "system"
    scope: str | None = None
    default_scope: str = GLOBAL
    replace_belief_id: str | None = None
    episode_id: str | None = None
    span: tuple[int, int] | None = None
    valid_from: str | None = None
    ttl_days: float | None = None
    admission_tag: str | None = None
    risk_tags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Held:
    belief: Belief
    receipt: Receipt
    superseded: Belief | None
    reinforced: bool


def set_belief(parts: Parts, assertion: Assertion, *, created_by: str = "set_belief") -> Held:
    """Holds one assertion in a transaction of its own.

    Raises:
        NotFound: there is no belief `replace_belief_id`.
        Conflict: the belief to be replaced is neither active nor contradicted.
        StorageUnavailable: nothing was stored.
    """
    with parts.database.write() as connection:
        return hold(connection, assertion, created_by=created_by, now=datetime.now(UTC))


def hold(connection: Connection, assertion: Assertion, *, created_by: str, now: datetime) -> Held:
    """Holds one assertion inside the caller's transaction.

    A proposition that is active in the scope is reinforced. A belief that is to be replaced is superseded by the
    belief that results: by a new one that continues its versions, or by the active one that says the same already;
    replaced by its own words, an active belief is reinforced.

    Raises:
        NotFound, Conflict: as `set_belief`.
    """
    replaced = _replaceable(connection, assertion.replace_belief_id)
    scope = assertion.scope or (replaced.scope if replaced else assertion.default_scope)
    known = beliefs.active_saying(connection, scope, beliefs.proposition_key(assertion.proposition))
    if known is not None and (replaced is None or replaced.id == known.id):
        return reinforce(connection, known, assertion, created_by=created_by, now=now)
    belief_id = known.id if known else new_id()
    gone = [supersede(connection, replaced, belief_id, created_by=created_by, now=now)] if replaced else []
    if known is not None:
        return reinforce(connection, known, assertion, replaced=gone, created_by=created_by, now=now)
    return write(connection, assertion, belief_id, scope, replaced=gone, created_by=created_by, now=now)


def supersede(
    connection: Connection, belief: Belief, successor_id: str, *, created_by: str, now: datetime
) -> Belief:
    """Gives a belief's place to another, inside the caller's transaction; the belief as it is then."""
    marked = beliefs.mark_superseded(connection, belief, successor_id, rfc3339(now))
    reason = f"replaced by {successor_id}"
    return move(connection, marked, _S.SUPERSEDED, reason=reason, created_by=created_by, now=now)[0]


def move(
    connection: Connection,
    belief: Belief,
    state: LifecycleState,
    *,
    reason: str,
    created_by: str,
    now: datetime,
) -> tuple[Belief, Receipt]:
    """Takes a belief to a state, one allowed step after the other; a belief that is there gets the receipt alone."""
    moment = rfc3339(now)
    steps = lifecycle.walk(
        connection,
        "belief",
        belief.id,
        belief.lifecycle_state,
        state,
        reason=reason,
        actor=created_by,
        now=moment,
    )
    moved = belief.model_copy(update={"lifecycle_state": state})
    receipt = receipt_for(
        moved,
        memory_type="belief",
        created_by=created_by,
        now=moment,
        history=(f"{'became' if steps else 'stays'} {state}: {reason}",),
    )
    receipts.add(connection, receipt)
    if steps:
        outbox.enqueue(connection, [("belief", belief.id)], now.timestamp())
    return moved, receipt


def _replaceable(connection: Connection, belief_id: str | None) -> Belief | None:
    if belief_id is None:
        return None
    belief = beliefs.by_ids(connection, [belief_id]).get(belief_id)
    if belief is None:
        raise NotFound(
            f"replace_belief_id {belief_id!r} names no belief; get_belief shows the ids", id=belief_id
        )
    if belief.lifecycle_state not in IN_FORCE:
        raise Conflict(
            f"belief {belief_id} is {belief.lifecycle_state}; only an active or contradicted one can be replaced",
            id=belief_id,
            lifecycle_state=str(belief.lifecycle_state),
        )
    return belief


def write(
    connection: Connection,
    assertion: Assertion,
    belief_id: str,
    scope: str,
    *,
    replaced: Sequence[Belief] = (),
    created_by: str,
    now: datetime,
) -> Held:
    """Writes an assertion as a new belief, which continues the longest chain of those that it replaces."""
    key = beliefs.proposition_key(assertion.proposition)
    earlier = max(replaced, key=_version, default=None) or beliefs.latest_saying(connection, scope, key)
    belief = _new_belief(assertion, scope, earlier, belief_id, rfc3339(now))
    if replaced:
        history = [f"stored; replaces {' and '.join(old.id for old in replaced)}"]
    elif earlier is not None:
        history = [f"stored again; continues {earlier.id}, which is {earlier.lifecycle_state}"]
    else:
        history = ["stored"]
    beliefs.insert(connection, belief, topic_keys(belief.proposition))
    sources.claim(connection, belief.id, belief.source, belief.confidence, belief.created_at)
    added = evidence.add(connection, belief.id, assertion.evidence, belief.created_at)
    if added:
        history.append(f"pieces of evidence: {added}")
    history += learned_from(assertion.episode_id, assertion.span)
    lifecycle.born(connection, belief, "belief", reason="asserted", actor=created_by, now=belief.created_at)
    receipt = receipt_for(
        belief, memory_type="belief", created_by=created_by, now=belief.created_at, history=tuple(history)
    )
    receipts.add(connection, receipt)
    outbox.enqueue(connection, [("belief", belief.id)], now.timestamp())
    return Held(belief, receipt, replaced[0] if replaced else None, reinforced=False)


def reinforce(
    connection: Connection,
    known: Belief,
    assertion: Assertion,
    *,
    replaced: Sequence[Belief] = (),
    created_by: str,
    now: datetime,
) -> Held:
    """Adds one more assertion to a belief: its confidence is the mean over all of them."""
    moment = rfc3339(now)
    sources.claim(connection, known.id, assertion.source, assertion.confidence, moment)
    added = evidence.add(connection, known.id, assertion.evidence, moment)
    confidence = mean_with(known.confidence, known.assertions, assertion.confidence)
    belief = beliefs.update(
        connection,
        known,
        {
            "confidence": confidence,
            "assertions": known.assertions + 1,
            "source_count": sources.count(connection, known.id),
            "tags": united(known.tags, assertion.tags),
            "reinforced_at": moment,
            "updated_at": moment,
        },
    )
    history = [f"reinforced by {assertion.source}: confidence {known.confidence:.4g} to {confidence:.4g}"]
    history += [f"replaces {old.id}" for old in replaced]
    if added:
        history.append(f"new pieces of evidence: {added}")
    history += learned_from(assertion.episode_id, assertion.span)
    receipt = receipt_for(
        belief,
        memory_type="belief",
        created_by=created_by,
        now=moment,
        source=assertion.source,
        confidence=assertion.confidence,
        history=tuple(history),
    )
    receipts.add(connection, receipt)
    outbox.enqueue(connection, [("belief", belief.id)], now.timestamp())
    return Held(belief, receipt, replaced[0] if replaced else None, reinforced=True)


def mean_with(mean: float, count: int, value: float) -> float:
    """The mean of `count` values that average `mean`, and one more; never outside of the two."""
    moved = mean + (value - mean) / (count + 1)
    return min(max(moved, min(mean, value)), max(mean, value))


def united(tags: Iterable[str], more: Iterable[str]) -> tuple[str, ...]:
    """Both lists of tags without repetition, the first one's before the other's, at most 32."""
    return tuple(dict.fromkeys((*tags, *more)))[:MOST_TAGS]


def _new_belief(assertion: Assertion, scope: str, earlier: Belief | None, belief_id: str, now: str) -> Belief:
    marks = ("injection_suspected",) if injection_marks(assertion.proposition) else ()
    return Belief(
        id=belief_id,
        proposition=assertion.proposition,
        confidence=assertion.confidence,
        source=assertion.source,
        creator=assertion.creator,
        tags=united(assertion.tags, ()),
        scope=scope,
        lifecycle_state=_S.ACTIVE,
        created_at=now,
        updated_at=now,
        reinforced_at=now,
        valid_from=assertion.valid_from or now,
        version=earlier.version + 1 if earlier else 1,
        replaces_id=earlier.id if earlier else None,
        context="; ".join(sorted(context_of(assertion.proposition))) or None,
        episode_id=assertion.episode_id,
        span_start=assertion.span[0] if assertion.span else None,
        span_end=assertion.span[1] if assertion.span else None,
        ttl_days=assertion.ttl_days,
        admission_tag=assertion.admission_tag,
        risk_tags=tuple(dict.fromkeys((*assertion.risk_tags, *marks))),
    )


def _version(belief: Belief) -> int:
    return belief.version
