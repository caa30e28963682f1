"""Stores a fact with its provenance; when the answer is out, it is on disk."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from sqlalchemy import Connection

from memory_server.domain.fact import Fact
from memory_server.domain.lifecycle import LifecycleState
from memory_server.domain.memory import new_id, rfc3339
from memory_server.domain.receipt import Receipt, receipt_for
from memory_server.policies.admission import admit
from memory_server.policies.confidence import Confidence
from memory_server.policies.scopes import GLOBAL, sees, visible_from
from memory_server.policies.trust import injection_marks
from memory_server.services.lineage import learned_from
from memory_server.services.parts import Parts
from memory_server.services.timeline import by_same_source, close, ended_by, ended_by_newer, given_up_for
from memory_server.services.truth import Change, on_fact_changed, on_rivals_gone
from memory_server.services.views import confidences
from memory_server.storage import facts, lifecycle, outbox, receipts, sources
from memory_server.storage.conflicts import conflicting_with


@dataclass(frozen=True, slots=True)
class Statement:
    """A fact as somebody states it."""

    subject: str
    predicate: str
    object: str
    confidence: float = 0.5
    source: str = "manual"
    tags: tuple[str, ...] = ()
    scope: str = GLOBAL
    valid_from: str | None = None
    episode_id: str | None = None
    span: tuple[int, int] | None = None
    ttl_days: float | None = None
    admission_tag: str | None = None
    risk_tags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Remembered:
    receipt: Receipt
    fact: Fact
    is_new: bool
    trust: Confidence | None = None  # where it was asked for in the same transaction


def remember(parts: Parts, statement: Statement, *, created_by: str = "remember") -> Remembered:
    """Stores one statement in a transaction of its own, and tells how far to trust it.

    Raises:
        StorageUnavailable: nothing was stored.
    """
    text = f"{statement.subject} {statement.predicate} {statement.object}"
    marks = injection_marks(text)
    # an explicit write is always kept, as long as others of its kind; the tag says what admission makes of it
    verdict = admit(text, source=statement.source, forced=True, risk_tags=())
    statement = replace(statement, admission_tag=verdict.tag)
    now = datetime.now(UTC)
    with parts.database.write() as connection:
        stored = record(
            connection,
            statement,
            created_by=created_by,
            now=now,
            single_valued=parts.settings.single_valued,
            risk_tags=("injection_suspected",) if marks else (),
        )
        (trust,) = confidences(
            connection, parts.settings, [stored.fact], now, visible_from(stored.fact.scope)
        )
    return replace(stored, trust=trust)


def record(
    connection: Connection,
    statement: Statement,
    *,
    created_by: str,
    now: datetime,
    single_valued: Collection[str] = (),
    risk_tags: Sequence[str] = (),
) -> Remembered:
    """Stores one statement inside the caller's transaction.

    What is stated again while it is current is the same fact: it gets a new receipt, the union of tags, the higher
    claim, and from another source one more corroboration. What contradicts an older statement of the same source in
    the same scope closes that one; what is itself older than what its source says now is closed where that begins.
    """
    fact = new_fact(statement, rfc3339(now), (*statement.risk_tags, *risk_tags))
    computed = facts.derived(fact)
    known, earlier = facts.said_before(connection, computed)
    if known is not None:
        return _state_again(connection, known, statement, created_by, now, single_valued)
    if earlier is not None:
        fact = fact.model_copy(update={"replaces_id": earlier})
    history = (
        ["stored"] if earlier is None else [f"stored again; continues {earlier}, which is no longer current"]
    )
    history += learned_from(statement.episode_id, statement.span)
    rivals = conflicting_with(connection, fact, single_valued)
    fact = ended_by_newer(connection, fact, _of_scope(rivals, fact.scope))
    facts.insert(connection, fact, computed)
    sources.claim(connection, fact.id, fact.source, fact.confidence, fact.created_at)
    lifecycle.born(connection, fact, "fact", reason="ingested", actor=created_by, now=fact.created_at)
    changed = [("fact", fact.id)]
    if fact.valid_to is not None:
        history.append(f"older than {fact.superseded_by}, which it does not end")
        rivals = ended_by(connection, fact)
    own = _of_scope(rivals, fact.scope)
    same_source = {other.id for other in by_same_source(connection, own, fact.source)}
    for other in rivals:
        became: Change = "superseded" if other.id in same_source else "conflicting"
        if became == "superseded":
            close(connection, other, fact, created_by)
        # what a project says neither touches what is everybody's nor is told of there
        if sees(visible_from(fact.scope), other.scope):
            history.append(f"{'closes' if became == 'superseded' else 'conflicts with'} {other.id}")
        if sees(visible_from(other.scope), fact.scope):
            on_fact_changed(connection, other.id, became, now, single_valued=single_valued)
            changed.append(("fact", other.id))
    receipt = receipt_for(
        fact, memory_type="fact", created_by=created_by, now=fact.created_at, history=tuple(history)
    )
    receipts.add(connection, receipt)
    outbox.enqueue(connection, changed, now.timestamp())
    return Remembered(receipt, fact, is_new=True)


def _of_scope(stated: Sequence[Fact], scope: str) -> list[Fact]:
    return [fact for fact in stated if fact.scope == scope]


def new_fact(statement: Statement, now: str, risk_tags: tuple[str, ...]) -> Fact:
    """A statement as a fact that is not stored yet."""
    return Fact(
        id=new_id(),
        subject=statement.subject,
        predicate=statement.predicate,
        object=statement.object,
        confidence=statement.confidence,
        source=statement.source,
        tags=tuple(dict.fromkeys(statement.tags)),
        scope=statement.scope,
        lifecycle_state=LifecycleState.CANDIDATE,
        created_at=now,
        updated_at=now,
        reinforced_at=now,
        valid_from=statement.valid_from or now,
        episode_id=statement.episode_id,
        span_start=statement.span[0] if statement.span else None,
        span_end=statement.span[1] if statement.span else None,
        ttl_days=statement.ttl_days,
        admission_tag=statement.admission_tag,
        risk_tags=tuple(dict.fromkeys(risk_tags)),
    )


def _state_again(
    connection: Connection,
    known: Fact,
    statement: Statement,
    created_by: str,
    now: datetime,
    single_valued: Collection[str],
) -> Remembered:
    moment = rfc3339(now)
    sources.claim(connection, known.id, statement.source, statement.confidence, moment)
    count = sources.count(connection, known.id)
    history = [
        f"corroborated by {statement.source}"
        if count > known.source_count
        else f"stated again by {statement.source}"
    ]
    if statement.confidence > known.confidence:
        history.append(f"claim raised from {known.confidence:g} to {statement.confidence:g}")
    history += learned_from(statement.episode_id, statement.span)
    changes: dict[str, object] = {
        "confidence": max(known.confidence, statement.confidence),
        "updated_at": moment,
        "reinforced_at": moment,
        "source_count": count,
    }
    tags = tuple(dict.fromkeys((*known.tags, *statement.tags)))[:32]
    if tags != known.tags:
        changes["tags"] = tags
    fact = facts.update(connection, known, changes)
    closed = _close_given_up(connection, fact, statement.valid_from or moment, created_by, now, single_valued)
    history += [f"closes {fact_id}" for fact_id in closed]
    receipt = receipt_for(
        fact,
        memory_type="fact",
        created_by=created_by,
        now=moment,
        source=statement.source,
        confidence=statement.confidence,
        history=tuple(history),
    )
    receipts.add(connection, receipt)
    outbox.enqueue(connection, [("fact", fact_id) for fact_id in (fact.id, *closed)], now.timestamp())
    return Remembered(receipt, fact, is_new=False)


def _close_given_up(
    connection: Connection,
    fact: Fact,
    begin: str,
    created_by: str,
    now: datetime,
    single_valued: Collection[str],
) -> list[str]:
    """Ends what the sources of `fact` said before they came to say this; gives the ids."""
    rivals = conflicting_with(connection, fact, single_valued, (fact.scope,))
    closed = given_up_for(connection, fact, begin, rivals)
    newer = fact.model_copy(update={"created_at": rfc3339(now), "valid_from": begin})
    for other in closed:
        close(connection, other, newer, created_by)
        on_fact_changed(connection, other.id, "superseded", now, single_valued=single_valued)
    ids = [other.id for other in closed]
    on_rivals_gone(connection, ids, now, single_valued)
    return ids
