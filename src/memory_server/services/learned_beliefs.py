"""Stores beliefs that were read out of a text, inside the transaction of `learn`, with what they rest on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection

from memory_server.domain.belief import Belief, Evidence
from memory_server.domain.receipt import Receipt
from memory_server.policies.extraction import BeliefCandidate
from memory_server.policies.text import is_blank
from memory_server.services.beliefs import Assertion, hold
from memory_server.services.learned_items import Origin, settle
from memory_server.storage import beliefs, receipts

MOST_PROPOSITION = 2048
WEIGHT = 0.5  # as evidence, of a fact of the same sentence or of the text itself


@dataclass(frozen=True, slots=True)
class StoredBelief:
    """A belief with what the text says of it; not `reinforced` by a text that has spoken for it before."""

    memory: Belief
    receipt: Receipt
    extracted: BeliefCandidate
    reinforced: bool


def store_beliefs(
    connection: Connection,
    found: Sequence[BeliefCandidate],
    fact_ids: Mapping[int, str],
    origin: Origin,
    least: float,
) -> list[StoredBelief]:
    """The beliefs that claim at least so much, each once, resting on the facts of their sentence."""
    stored: dict[str, StoredBelief] = {}
    for candidate in found:
        fits = not is_blank(candidate.proposition) and len(candidate.proposition) <= MOST_PROPOSITION
        key = beliefs.proposition_key(candidate.proposition)
        if fits and candidate.confidence >= least and key not in stored:
            stored[key] = _store_belief(connection, candidate, fact_ids, origin)
    return list(stored.values())


def _store_belief(
    connection: Connection, candidate: BeliefCandidate, fact_ids: Mapping[int, str], origin: Origin
) -> StoredBelief:
    known = _spoken_for(connection, candidate, origin) if origin.again else None
    if known is not None:
        history = ["said again by the same text"]
        receipt = settle(connection, known, candidate.span, origin, history, candidate.confidence)
        return StoredBelief(known, receipt, candidate, reinforced=False)
    verdict = origin.judge(origin.words(candidate.span))
    assertion = Assertion(
        proposition=candidate.proposition,
        confidence=candidate.confidence,
        evidence=_evidence(candidate, fact_ids, origin),
        tags=origin.tags,
        source=origin.source,
        creator=origin.actor,
        scope=origin.episode.scope,
        episode_id=origin.episode.id,
        span=(candidate.span.start, candidate.span.end),
        valid_from=verdict.valid_from or origin.said_at,
        ttl_days=verdict.ttl_days,
        admission_tag=verdict.tag,
        risk_tags=origin.risk_tags,
    )
    held = hold(connection, assertion, created_by=origin.actor, now=origin.now)
    return StoredBelief(held.belief, held.receipt, candidate, held.reinforced)


def _spoken_for(connection: Connection, candidate: BeliefCandidate, origin: Origin) -> Belief | None:
    """The belief, whatever became of it, if this text from this source has asserted it before."""
    key = beliefs.proposition_key(candidate.proposition)
    known = beliefs.latest_saying(connection, origin.episode.scope, key)
    if known is None:
        return None
    place = origin.history(candidate.span)[0]
    asserted = any(
        place in receipt.history and receipt.source == origin.source
        for receipt in receipts.of(connection, known.id)
    )
    return known if asserted else None


def _evidence(
    candidate: BeliefCandidate, fact_ids: Mapping[int, str], origin: Origin
) -> tuple[Evidence, ...]:
    """The facts of the same sentence; where there is none, the text itself."""
    named = [fact_ids[place] for place in candidate.fact_indexes if place in fact_ids]
    if named:
        return tuple(
            Evidence(source_type="fact", source_id=fact_id, weight=WEIGHT, contributor=origin.source)
            for fact_id in dict.fromkeys(named)
        )
    return (
        Evidence(
            source_type="observation", source_id=origin.episode.id, weight=WEIGHT, contributor=origin.source
        ),
    )
