"""Stores many statements in the caller's transaction, as one after the other would, in far fewer steps."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime

from sqlalchemy import Connection

from memory_server.domain.fact import Fact
from memory_server.domain.memory import rfc3339
from memory_server.domain.receipt import receipt_for
from memory_server.policies.conflict import is_single_valued
from memory_server.services.lineage import learned_from
from memory_server.services.remember import Remembered, Statement, new_fact, record
from memory_server.storage import facts, lifecycle, outbox, receipts, sources


def record_all(
    connection: Connection,
    statements: Sequence[Statement],
    *,
    created_by: str,
    now: datetime,
    single_valued: Collection[str] = (),
) -> list[Remembered]:
    """What became of each statement, in order; no two of them say the same.

    What no fact has ever said and nothing can contradict is written in batches, the rest one by one as by `record`.
    """
    keys = [facts.keys(said.subject, said.predicate, said.object, said.scope) for said in statements]
    known = facts.known_triples(connection, keys)
    plain = {
        place
        for place, said in enumerate(statements)
        if keys[place]["triple_hash"] not in known and not is_single_valued(said.predicate, single_valued)
    }
    fresh = [
        new_fact(statements[place], rfc3339(now), statements[place].risk_tags) for place in sorted(plain)
    ]
    written = iter(_write(connection, fresh, created_by, now))
    return [
        next(written)
        if place in plain
        else record(connection, said, created_by=created_by, now=now, single_valued=single_valued)
        for place, said in enumerate(statements)
    ]


def _write(connection: Connection, fresh: Sequence[Fact], created_by: str, now: datetime) -> list[Remembered]:
    """All that belongs to the first write of facts."""
    moment = rfc3339(now)
    facts.insert_all(connection, [(fact, facts.derived(fact)) for fact in fresh])
    sources.claim_all(connection, [(fact.id, fact.source, fact.confidence) for fact in fresh], moment)
    lifecycle.all_born(connection, fresh, "fact", reason="ingested", actor=created_by, now=moment)
    proofs = [
        receipt_for(
            fact,
            memory_type="fact",
            created_by=created_by,
            now=moment,
            history=("stored", *learned_from(fact.episode_id, _span(fact))),
        )
        for fact in fresh
    ]
    receipts.add_all(connection, proofs)
    outbox.enqueue(connection, [("fact", fact.id) for fact in fresh], now.timestamp())
    return [Remembered(proof, fact, is_new=True) for proof, fact in zip(proofs, fresh, strict=True)]


def _span(fact: Fact) -> tuple[int, int] | None:
    if fact.span_start is None or fact.span_end is None:
        return None
    return fact.span_start, fact.span_end
