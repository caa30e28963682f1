"""Gives a fact a new value: the old one is closed, and stays readable."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection

from memory_server.domain.errors import Conflict, InvalidArgument, NotFound
from memory_server.domain.fact import Fact
from memory_server.domain.lifecycle import is_searchable
from memory_server.domain.memory import Memory, rfc3339
from memory_server.domain.receipt import Receipt, receipt_for
from memory_server.policies.trust import injection_marks
from memory_server.services.parts import Parts
from memory_server.services.remember import Remembered, Statement, record
from memory_server.services.truth import on_fact_changed, on_rivals_gone
from memory_server.storage import facts, outbox, receipts, rows


@dataclass(frozen=True, slots=True)
class Updated:
    fact: Fact
    previous: Fact
    receipt: Receipt


def update_fact(
    parts: Parts,
    fact_id: str,
    value: str,
    now: datetime,
    *,
    confidence: float | None = None,
    source: str = "manual",
    tags: tuple[str, ...] | None = None,
    actor: str = "update_fact",
) -> Updated:
    """Gives a fact a new value: a new fact continues the old one, whose validity ends now.

    Args:
        value: the new object.
        confidence: the new claim; that of the old fact where none is given.
        source: who says so.
        tags: the new tags; those of the old fact where none are given.

    Raises:
        NotFound: there is no such fact.
        Conflict: it is closed, archived or forgotten: there is nothing current to update.
        InvalidArgument: it has that value already.
        StorageUnavailable: nothing was changed.
    """
    with parts.database.write() as connection:
        old = _updatable(connection, fact_id, value)
        moment = rfc3339(now)
        ends = {
            "valid_to": max(moment, old.valid_from or moment),
            "superseded_at": moment,
            "updated_at": moment,
        }
        facts.update(connection, old, ends)
        marks = injection_marks(f"{old.subject} {old.predicate} {value}")
        stored = record(
            connection,
            Statement(
                old.subject,
                old.predicate,
                value,
                old.confidence if confidence is None else confidence,
                source,
                old.tags if tags is None else tags,
                old.scope,
            ),
            created_by=actor,
            now=now,
            single_valued=parts.settings.single_valued,
            risk_tags=("injection_suspected",) if marks else (),
        )
        return _linked(connection, parts, old, ends, stored, actor, now)


def _found(connection: Connection, memory_id: str) -> tuple[Memory, str]:
    memory = rows.find(connection, memory_id)
    if memory is None:
        raise NotFound(f"there is no memory with the id {memory_id[:64]!r}", argument="id")
    return memory, memory.memory_type  # type: ignore[attr-defined]


def _updatable(connection: Connection, fact_id: str, value: str) -> Fact:
    memory, memory_type = _found(connection, fact_id)
    if not isinstance(memory, Fact):
        raise InvalidArgument(
            f"{fact_id} is a {memory_type}, not a fact: set_belief and learn replace the other kinds",
            argument="id",
        )
    if memory.valid_to is not None or not is_searchable(memory.lifecycle_state):
        state = "closed" if memory.valid_to is not None else str(memory.lifecycle_state)
        hint = f"{memory.superseded_by} took its place" if memory.superseded_by else "remember states it anew"
        raise Conflict(
            f"the fact {fact_id} is {state}; {hint}", state=state, superseded_by=memory.superseded_by
        )
    if memory.object == value:
        raise InvalidArgument("the fact has that value already", argument="object")
    return memory


def _linked(
    connection: Connection,
    parts: Parts,
    old: Fact,
    ends: dict[str, str],
    stored: Remembered,
    actor: str,
    now: datetime,
) -> Updated:
    """Ties the old fact and the one that continues it together."""
    new = stored.fact
    if stored.is_new:
        new = facts.update(connection, new, {"replaces_id": old.id})
    facts.update(connection, old, {"superseded_by": new.id})
    closed = old.model_copy(update={**ends, "superseded_by": new.id})
    history = (f"closed: replaced by {new.id}",)
    receipts.add(
        connection,
        receipt_for(closed, memory_type="fact", created_by=actor, now=ends["updated_at"], history=history),
    )
    on_fact_changed(connection, old.id, "superseded", now, single_valued=parts.settings.single_valued)
    on_rivals_gone(connection, [old.id], now, parts.settings.single_valued)
    outbox.enqueue(connection, [("fact", old.id), ("fact", new.id)], now.timestamp())
    return Updated(new, closed, stored.receipt)
