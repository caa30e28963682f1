"""Where a statement stands among those that its source made of the same thing: older ones end where newer begin."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import Connection

from memory_server.domain.fact import Fact
from memory_server.domain.receipt import receipt_for
from memory_server.policies.conflict import objects_differ
from memory_server.policies.text import normal
from memory_server.storage import facts, receipts, sources


def by_same_source(connection: Connection, stated: Sequence[Fact], source: str) -> list[Fact]:
    """Those of some facts that nobody but this source has claimed."""
    names = sources.names(connection, [fact.id for fact in stated])
    return [
        fact
        for fact in stated
        if {name.casefold() for name in names.get(fact.id, [fact.source])} == {source.casefold()}
    ]


def ended_by_newer(connection: Connection, fact: Fact, rivals: Sequence[Fact]) -> Fact:
    """A fact that is not stored yet, closed where its source has already said something newer; else as it was.

    A text that is learned late, with the time when it was said, so takes its place in the past instead of ending
    what holds now.
    """
    if not any(_begin(other) > _begin(fact) for other in by_same_source(connection, rivals, fact.source)):
        return fact
    said = by_same_source(connection, _ever_said(connection, fact), fact.source)
    following = min((other for other in said if _begin(other) > _begin(fact)), key=_begin)
    return fact.model_copy(
        update={
            "valid_to": following.valid_from,
            "superseded_at": fact.created_at,
            "superseded_by": following.id,
        }
    )


def ended_by(connection: Connection, fact: Fact) -> list[Fact]:
    """What the source of `fact` has said before and already taken back, that went on into the time of `fact`."""
    return [
        other
        for other in by_same_source(connection, _ever_said(connection, fact), fact.source)
        if other.valid_to is not None and _begin(other) <= _begin(fact) < other.valid_to
    ]


def given_up_for(connection: Connection, fact: Fact, begin: str, rivals: Sequence[Fact]) -> list[Fact]:
    """Those rivals of a fact that all who said them have left for it, when it is stated again from `begin` on."""
    return [
        other for other in rivals if _begin(other) < begin and sources.moved_on(connection, other.id, fact.id)
    ]


def close(connection: Connection, older: Fact, newer: Fact, created_by: str) -> Fact:
    """Ends the validity of an older statement where the newer one begins."""
    now = newer.created_at
    closed = facts.update(
        connection,
        older,
        {"valid_to": newer.valid_from, "superseded_at": now, "superseded_by": newer.id, "updated_at": now},
    )
    history = (f"closed: replaced by {newer.id}",)
    receipts.add(
        connection, receipt_for(closed, memory_type="fact", created_by=created_by, now=now, history=history)
    )
    return closed


def _ever_said(connection: Connection, fact: Fact) -> list[Fact]:
    slot = facts.ever_in_slot(connection, normal(fact.subject), normal(fact.predicate), fact.scope)
    return [other for other in slot if other.id != fact.id and objects_differ(other.object, fact.object)]


def _begin(fact: Fact) -> str:
    return fact.valid_from or fact.created_at
