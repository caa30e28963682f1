"""Truth maintenance: a belief follows what it rests on, and a receipt says why."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Literal

from sqlalchemy import Connection

from memory_server.domain.belief import Evidence
from memory_server.domain.memory import rfc3339
from memory_server.domain.receipt import receipt_for
from memory_server.policies.grounds import SHARES, Standing, support
from memory_server.policies.scopes import OWN_SIGHT, Sight
from memory_server.storage import beliefs, evidence, receipts, scopes
from memory_server.storage.evidence import Named

ACTOR = "truth_maintenance"

Change = Literal["superseded", "conflicting", "archived", "forgotten", "holds"]
"""What became of a fact; `holds` where it had fallen and holds again."""

_BECAME: Mapping[Change, str] = {
    "superseded": "was superseded",
    "conflicting": "is contradicted by another",
    "archived": "was archived",
    "forgotten": "was forgotten",
    "holds": "holds again",
}


def on_fact_changed(
    connection: Connection,
    fact_id: str,
    what: Change,
    now: datetime,
    *,
    kind: Literal["fact", "decision"] = "fact",
    single_valued: Collection[str] = (),
) -> list[str]:
    """Notes on each belief that rests on a fact (or decision) what became of it; gives the ids of those beliefs.

    To be called inside the transaction that changes the fact, after its row. The claim stays as it was stated: what
    the belief is worth is computed from its evidence whenever it is asked for, and the receipt's confidence is the
    claim times the support that is left.
    """
    resting = beliefs.resting_on(connection, kind, fact_id)
    if not resting:
        return []
    moment = rfc3339(now)
    grounds = grounds_of(connection, [belief.id for belief in resting], single_valued, moment)
    for belief in resting:
        pieces = grounds[belief.id]
        share = support_of(pieces)
        standing = sum(1 for _, how in pieces if SHARES[how] == 1.0)
        receipts.add(
            connection,
            receipt_for(
                belief,
                memory_type="belief",
                created_by=ACTOR,
                now=moment,
                confidence=round(belief.confidence * share, 4),
                history=(
                    f"evidence: {kind} {fact_id} {_BECAME[what]}",
                    f"{standing} of {len(pieces)} pieces of evidence hold; support {share:.2f}",
                ),
            ),
        )
    return [belief.id for belief in resting]


def on_rivals_gone(
    connection: Connection, gone_ids: Sequence[str], now: datetime, single_valued: Collection[str]
) -> list[str]:
    """Notes on beliefs that a fact which these facts contradicted holds again, now that they do so no more.

    To be called inside the transaction that ends them, after their rows and before their content is overwritten.
    Gives the ids of the beliefs.
    """
    freed = evidence.freed_by(connection, gone_ids, single_valued)
    told = (
        on_fact_changed(connection, fact_id, "holds", now, single_valued=single_valued) for fact_id in freed
    )
    return [belief_id for beliefs_of_one in told for belief_id in beliefs_of_one]


def grounds_of(
    connection: Connection,
    belief_ids: Sequence[str],
    single_valued: Collection[str],
    now: str,
    sight: Sight = OWN_SIGHT,
) -> dict[str, list[tuple[Evidence, Standing]]]:
    """For each belief its evidence with how it stands; an empty list where there is none.

    Memories that a reader does not see are left out of it.
    """
    named = evidence.of(connection, belief_ids)
    memories: set[Named] = {
        (piece.source_type, piece.source_id) for pieces in named.values() for piece in pieces
    }
    known = evidence.standings(connection, memories, single_valued, now, sight)
    hidden = set[str]()
    if sight is not None and sight != OWN_SIGHT:
        hidden = scopes.hidden(connection, {source_id for _, source_id in memories}, sight)
    return {
        belief_id: [
            # nothing is known against what is no memory of ours
            (piece, known.get((piece.source_type, piece.source_id), Standing.HOLDS))
            for piece in named.get(belief_id, [])
            if piece.source_id not in hidden
        ]
        for belief_id in belief_ids
    }


def supports(
    connection: Connection, belief_ids: Sequence[str], single_valued: Collection[str], now: str
) -> dict[str, float]:
    """For each belief the share of its claim that its evidence still carries, 0–1."""
    grounds = grounds_of(connection, belief_ids, single_valued, now)
    return {belief_id: support_of(pieces) for belief_id, pieces in grounds.items()}


def support_of(pieces: Sequence[tuple[Evidence, Standing]]) -> float:
    """The share of a belief's evidence, by weight, that still holds."""
    return support((piece.weight, how) for piece, how in pieces)
