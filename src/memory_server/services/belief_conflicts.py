"""Settles two beliefs that cannot both be held; whatever comes of it happens at once or not at all."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal, get_args

from sqlalchemy import Connection

from memory_server.domain.belief import Belief, Evidence
from memory_server.domain.errors import Conflict, InvalidArgument, NotFound
from memory_server.domain.lifecycle import LifecycleState
from memory_server.domain.memory import new_id, rfc3339
from memory_server.domain.receipt import Receipt
from memory_server.policies.scopes import GLOBAL, meet
from memory_server.policies.text import is_blank
from memory_server.services.beliefs import IN_FORCE, Assertion, move, reinforce, supersede, united, write
from memory_server.services.parts import Parts
from memory_server.storage import beliefs, evidence, lifecycle, sources

Resolution = Literal["keep_a", "keep_b", "merge", "discard_both"]
RESOLUTIONS: tuple[str, ...] = get_args(Resolution)

_S = LifecycleState
ACTOR = "resolve_conflict"
CLEAR_DIFFERENCE = 0.5
"""Confidences that lie further apart than this are settled without a person."""


@dataclass(frozen=True, slots=True)
class Resolved:
    """What became of two beliefs; `resolution` is what was done, `contradicted` where neither could be preferred."""

    belief_a: Belief
    belief_b: Belief
    resolution: str
    created: Belief | None
    events: list[dict[str, str | None]]
    receipt: Receipt
    auto_resolved: bool


@dataclass
class _Settlement:
    """Two beliefs on the way to being settled, inside the one transaction; `receipt` is what the caller gets."""

    connection: Connection
    a: Belief
    b: Belief
    now: datetime
    created: Belief | None = None
    receipt: Receipt | None = None

    def take_a(self, state: LifecycleState, reason: str) -> None:
        self.a, self.receipt = self._taken(self.a, state, reason)

    def take_b(self, state: LifecycleState, reason: str) -> None:
        self.b, _ = self._taken(self.b, state, reason)

    def _taken(self, belief: Belief, state: LifecycleState, reason: str) -> tuple[Belief, Receipt]:
        if state is _S.ACTIVE and belief.lifecycle_state is not _S.ACTIVE:
            self._refuse_twin(belief)
        return move(self.connection, belief, state, reason=reason, created_by=ACTOR, now=self.now)

    def _refuse_twin(self, belief: Belief) -> None:
        key = beliefs.proposition_key(belief.proposition)
        twin = beliefs.active_saying(self.connection, belief.scope, key)
        if twin is not None:
            raise Conflict(
                f"belief {belief.id} cannot be active again: {twin.id} holds the same proposition; "
                f"resolve the conflict with that one",
                id=belief.id,
                active_id=twin.id,
            )

    def events(self) -> list[dict[str, str | None]]:
        """The moves that were made, those of a first."""
        moment = rfc3339(self.now)
        return [
            {"belief_id": belief.id, **{name: event[name] for name in ("from_state", "to_state", "reason")}}
            for belief in (self.a, self.b)
            for event in lifecycle.events(self.connection, belief.id)
            if event["at"] == moment and event["actor"] == ACTOR and event["from_state"] is not None
        ]


def resolve_conflict(
    parts: Parts,
    belief_a_id: str,
    belief_b_id: str,
    resolution: str | None = None,
    *,
    new_proposition: str | None = None,
    auto_resolve: bool = False,
) -> Resolved:
    """Settles two beliefs in one transaction, its checks included.

    keep_a and keep_b discard the other and make the kept one active; merge supersedes both by a new belief with
    their mean confidence and all their tags, sources and evidence, in the narrower of their scopes, so that what a
    project holds does not become everybody's by the way; discard_both discards both. `auto_resolve`
    decides by confidence: further apart than 0.5, the lower one is superseded, else both become contradicted.

    Raises:
        InvalidArgument: the ids are equal, the resolution is unknown, a merge lacks its proposition.
        NotFound: an id names no belief.
        Conflict: one of them is neither active nor contradicted, or a merge is of two projects.
    """
    settle = _settling(belief_a_id, belief_b_id, resolution, new_proposition, auto_resolve)
    with parts.database.write() as connection:
        a, b = _in_force(connection, belief_a_id, belief_b_id)
        settlement = _Settlement(connection, a, b, datetime.now(UTC))
        done = settle(settlement)
        assert settlement.receipt is not None
        return Resolved(
            belief_a=settlement.a,
            belief_b=settlement.b,
            resolution=done,
            created=settlement.created,
            events=settlement.events(),
            receipt=settlement.receipt,
            auto_resolved=auto_resolve,
        )


def _settling(
    belief_a_id: str,
    belief_b_id: str,
    resolution: str | None,
    new_proposition: str | None,
    auto_resolve: bool,
) -> Callable[[_Settlement], str]:
    """What is to be done with the two beliefs, checked as far as that goes without looking at them."""
    if belief_a_id == belief_b_id:
        raise InvalidArgument(
            f"belief_a_id and belief_b_id are both {belief_a_id!r}; name two beliefs", argument="belief_b_id"
        )
    if auto_resolve:
        return _by_confidence
    if resolution is None or resolution not in RESOLUTIONS:
        given = "is missing" if resolution is None else f"is {resolution[:60]!r}"
        raise InvalidArgument(
            f"resolution {given}; allowed: {', '.join(RESOLUTIONS)}, or auto_resolve true",
            argument="resolution",
            allowed=list(RESOLUTIONS),
        )
    if resolution == "merge":
        if new_proposition is None or is_blank(new_proposition):
            raise InvalidArgument(
                "merge needs new_proposition: what both come to", argument="new_proposition"
            )
        merged = new_proposition
        return lambda settlement: _merge(settlement, merged)
    return {"keep_a": _keep_a, "keep_b": _keep_b, "discard_both": _discard_both}[resolution]


def _in_force(connection: Connection, *belief_ids: str) -> list[Belief]:
    """The beliefs of those ids, all of which must be active or contradicted."""
    found = beliefs.by_ids(connection, belief_ids)
    for belief_id in belief_ids:
        if belief_id not in found:
            raise NotFound(f"there is no belief {belief_id!r}; get_belief shows the ids", id=belief_id)
    for belief_id in belief_ids:
        state = found[belief_id].lifecycle_state
        if state not in IN_FORCE:
            raise Conflict(
                f"belief {belief_id} is {state}; only active and contradicted beliefs can be resolved",
                id=belief_id,
                lifecycle_state=str(state),
            )
    return [found[belief_id] for belief_id in belief_ids]


def _keep_a(settlement: _Settlement) -> str:
    a, b = settlement.a, settlement.b
    # the loser goes first, as it may be what holds the winner's proposition
    settlement.take_b(_S.DISCARDED, f"{a.id} was kept")
    settlement.take_a(_S.ACTIVE, f"kept over {b.id}")
    return "keep_a"


def _keep_b(settlement: _Settlement) -> str:
    a, b = settlement.a, settlement.b
    settlement.take_a(_S.DISCARDED, f"{b.id} was kept")
    settlement.take_b(_S.ACTIVE, f"kept over {a.id}")
    return "keep_b"


def _discard_both(settlement: _Settlement) -> str:
    a, b = settlement.a, settlement.b
    settlement.take_a(_S.DISCARDED, f"discarded together with {b.id}")
    settlement.take_b(_S.DISCARDED, f"discarded together with {a.id}")
    return "discard_both"


def _by_confidence(settlement: _Settlement) -> str:
    a, b = settlement.a, settlement.b
    # rounded, so that 0.7 − 0.2 does not lie further apart than 0.5 by a hair
    difference = round(a.confidence - b.confidence, 9)
    if abs(difference) <= CLEAR_DIFFERENCE:
        settlement.take_a(_S.CONTRADICTED, f"contradicts {b.id}; neither is clearly surer")
        settlement.take_b(_S.CONTRADICTED, f"contradicts {a.id}; neither is clearly surer")
        return "contradicted"
    moment = rfc3339(settlement.now)
    if difference > 0:
        settlement.b = beliefs.mark_superseded(settlement.connection, b, a.id, moment)
        settlement.take_b(_S.SUPERSEDED, f"{a.id} is surer by {difference:g}")
        settlement.take_a(_S.ACTIVE, f"surer than {b.id} by {difference:g}")
        return "keep_a"
    settlement.a = beliefs.mark_superseded(settlement.connection, a, b.id, moment)
    settlement.take_a(_S.SUPERSEDED, f"{b.id} is surer by {-difference:g}")
    settlement.take_b(_S.ACTIVE, f"surer than {a.id} by {-difference:g}")
    return "keep_b"


def _merge(settlement: _Settlement, proposition: str) -> str:
    """Both give their place to one belief: to a new one, or to a third that is active under these words already."""
    connection, a, b, now = settlement.connection, settlement.a, settlement.b, settlement.now
    scope = _narrower(a, b)
    assertion = Assertion(
        proposition,
        confidence=(a.confidence + b.confidence) / 2,
        evidence=_united_evidence(connection, a, b),
        tags=united(a.tags, b.tags),
        source=a.source,
        creator=ACTOR,
    )
    third = beliefs.active_saying(connection, scope, beliefs.proposition_key(proposition))
    if third is not None and third.id in (a.id, b.id):
        third = None
    successor = third.id if third else new_id()
    # the places are given up first: the new belief may say what one of the two said
    settlement.a = supersede(connection, a, successor, created_by=ACTOR, now=now)
    settlement.b = supersede(connection, b, successor, created_by=ACTOR, now=now)
    gone = (settlement.a, settlement.b)
    if third is None:
        held = write(connection, assertion, successor, scope, replaced=gone, created_by=ACTOR, now=now)
    else:
        held = reinforce(connection, third, assertion, replaced=gone, created_by=ACTOR, now=now)
    settlement.created = _with_sources_of(connection, held.belief, (a, b), assertion.confidence, rfc3339(now))
    settlement.receipt = held.receipt
    return "merge"


def _narrower(a: Belief, b: Belief) -> str:
    """The scope from which both are seen."""
    if not meet(a.scope, b.scope):
        raise Conflict(
            f"belief {a.id} belongs to {a.scope} and {b.id} to {b.scope}: nobody sees both, so they are not merged; "
            f"set_belief states in either what holds there",
            belief_a_id=a.id,
            belief_b_id=b.id,
        )
    return b.scope if a.scope == GLOBAL else a.scope


def _united_evidence(connection: Connection, a: Belief, b: Belief) -> tuple[Evidence, ...]:
    named = evidence.of(connection, [a.id, b.id])
    return tuple(piece for belief in (a, b) for piece in named.get(belief.id, ()))


def _with_sources_of(
    connection: Connection, belief: Belief, merged: Sequence[Belief], confidence: float, now: str
) -> Belief:
    """The belief, claimed by all sources of those that it came of."""
    claimed = sources.names(connection, [old.id for old in merged])
    for names in claimed.values():
        for source in names:
            sources.claim(connection, belief.id, source, confidence, now)
    return beliefs.update(connection, belief, {"source_count": sources.count(connection, belief.id)})
