"""Beliefs follow the facts that they rest on, and a receipt says why."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from memory_server.app import MemoryApp
from memory_server.domain.belief import Belief, Evidence
from memory_server.domain.lifecycle import LifecycleState as S
from memory_server.services.belief_views import BeliefView, belief_views
from memory_server.services.beliefs import Assertion, hold, move
from memory_server.services.curate import update_fact
from memory_server.services.forgetting import forget
from memory_server.services.remember import Statement, record
from memory_server.services.truth import ACTOR, Change, on_fact_changed, supports
from memory_server.services.upkeep import decay
from memory_server.storage import beliefs, lifecycle, receipts, rows

NOW = datetime(2030, 1, 2, 3, 4, 5, tzinfo=UTC)
LATER = datetime(2030, 1, 3, tzinfo=UTC)


def fact(
    app: MemoryApp, obj: str, source: str = "survey", predicate: str = "has_ip", now: datetime = NOW
) -> str:
    with app.database.write() as connection:
        return record(
            connection, Statement("web1", predicate, obj, 0.9, source), created_by="test", now=now
        ).fact.id


def belief_on(app: MemoryApp, *pieces: tuple[str, float], proposition: str = "web1 answers") -> Belief:
    named = tuple(
        Evidence(source_type="fact", source_id=fact_id, weight=weight) for fact_id, weight in pieces
    )
    with app.database.write() as connection:
        return hold(connection, Assertion(proposition, 0.9, named), created_by="test", now=NOW).belief


def seen(app: MemoryApp, belief: Belief, now: datetime = NOW) -> BeliefView:
    with app.database.read() as connection:
        found = beliefs.by_ids(connection, [belief.id])[belief.id]
        return belief_views(connection, app.settings, [found], now)[0]


def told(app: MemoryApp, belief: Belief) -> list[str]:
    """What truth maintenance wrote about a belief."""
    with app.database.read() as connection:
        return [
            line
            for receipt in receipts.of(connection, belief.id)
            if receipt.created_by == ACTOR
            for line in receipt.history
        ]


def test_a_belief_on_a_superseded_fact_loses_the_claim_that_rested_on_it(app: MemoryApp) -> None:
    first = fact(app, "10.0.0.1")
    belief = belief_on(app, (first, 0.5))
    before = seen(app, belief)
    fact(app, "10.0.0.2", now=LATER)
    after = seen(app, belief, LATER)
    assert after.confidence == before.confidence == 0.9
    assert before.effective_confidence == pytest.approx(0.8)
    assert after.effective_confidence == pytest.approx(0.35, abs=0.01)
    assert after.evidence[0]["standing"] == "superseded"
    assert told(app, belief) == [
        f"evidence: fact {first} was superseded",
        "0 of 1 pieces of evidence hold; support 0.00",
    ]


def test_a_belief_on_a_contradicted_fact_keeps_half(app: MemoryApp) -> None:
    first = fact(app, "10.0.0.1")
    belief = belief_on(app, (first, 0.5))
    fact(app, "10.0.0.2", source="rumour")
    view = seen(app, belief)
    assert view.evidence[0]["standing"] == "conflicting"
    assert view.effective_confidence == pytest.approx((0.9 * 0.5 + 0.7) / 2)
    assert told(app, belief)[0] == f"evidence: fact {first} is contradicted by another"


def test_what_can_have_many_values_contradicts_nothing(app: MemoryApp) -> None:
    first = fact(app, "port 80", predicate="listens_on")
    belief = belief_on(app, (first, 0.5))
    fact(app, "port 443", source="rumour", predicate="listens_on")
    assert seen(app, belief).evidence[0]["standing"] == "holds"
    assert told(app, belief) == []


def test_the_receipt_carries_what_is_left_of_the_claim(app: MemoryApp) -> None:
    first, second = fact(app, "10.0.0.1"), fact(app, "blue", predicate="color")
    belief = belief_on(app, (first, 0.25), (second, 0.75))
    fact(app, "10.0.0.2")
    with app.database.read() as connection:
        receipt = receipts.of(connection, belief.id)[-1]
    assert receipt.confidence == pytest.approx(0.9 * 0.75)
    assert receipt.verification_status == "active"
    assert receipt.history[1] == "1 of 2 pieces of evidence hold; support 0.75"


@pytest.mark.parametrize(("state", "what"), [(S.ARCHIVED, "archived"), (S.FORGOTTEN, "forgotten")])
def test_evidence_that_was_put_away_or_forgotten_holds_no_more(
    app: MemoryApp, state: S, what: Change
) -> None:
    first = fact(app, "10.0.0.1")
    belief = belief_on(app, (first, 0.5))
    with app.database.write() as connection:
        lifecycle.walk(connection, "fact", first, S.CANDIDATE, state, reason="test", actor="test", now="2030")
        assert on_fact_changed(connection, first, what, NOW) == [belief.id]
    assert seen(app, belief).evidence[0]["standing"] == what
    assert told(app, belief)[0] == f"evidence: fact {first} was {what}"


@pytest.mark.parametrize("state", [S.SUPERSEDED, S.DISCARDED, S.ARCHIVED])
def test_beliefs_that_nobody_holds_any_more_are_left_in_peace(app: MemoryApp, state: S) -> None:
    first = fact(app, "10.0.0.1")
    belief = belief_on(app, (first, 0.5))
    with app.database.write() as connection:
        move(connection, belief, state, reason="test", created_by="test", now=NOW)
        assert on_fact_changed(connection, first, "superseded", NOW) == []


def test_every_belief_on_a_fact_is_told(app: MemoryApp) -> None:
    first = fact(app, "10.0.0.1")
    both = [belief_on(app, (first, 0.5), proposition=text) for text in ("web1 answers", "web1 is near")]
    fact(app, "10.0.0.2")
    assert all(told(app, belief) for belief in both)


def test_words_that_are_no_memory_of_ours_cannot_fall(app: MemoryApp) -> None:
    named = (
        Evidence(source_type="observation", source_id="seen on Monday"),
        Evidence(source_type="user_statement", source_id="message 7"),
        Evidence(source_type="fact", source_id="never stored here"),
    )
    with app.database.write() as connection:
        belief = hold(connection, Assertion("web1 answers", 0.9, named), created_by="test", now=NOW).belief
        assert supports(connection, [belief.id], (), "2030") == {belief.id: 1.0}


def test_decisions_are_evidence_like_facts(app: MemoryApp) -> None:
    from memory_server.domain.decision import Decision

    moment = "2030-01-02T03:04:05.000000Z"
    decision = Decision(
        id="d-1",
        confidence=0.9,
        source="learn",
        created_at=moment,
        updated_at=moment,
        reinforced_at=moment,
        context="",
        choice="Caddy",
        reason="simpler",
    )
    with app.database.write() as connection:
        rows.insert(connection, decision, {"content_hash": "x"})
        named = (Evidence(source_type="decision", source_id="d-1"),)
        belief = hold(connection, Assertion("Caddy is enough", 0.9, named), created_by="test", now=NOW).belief
        lifecycle.walk(
            connection, "decision", "d-1", S.CANDIDATE, S.ARCHIVED, reason="test", actor="test", now=moment
        )
        assert on_fact_changed(connection, "d-1", "archived", NOW, kind="decision") == [belief.id]
        assert on_fact_changed(connection, "d-1", "archived", NOW) == []
    assert told(app, belief)[0] == "evidence: decision d-1 was archived"


def test_when_the_contradiction_is_gone_the_belief_is_worth_its_claim_again(app: MemoryApp) -> None:
    first = fact(app, "10.0.0.1")
    belief = belief_on(app, (first, 0.5))
    rival = fact(app, "10.0.0.2", source="rumour")
    assert seen(app, belief).evidence[0]["standing"] == "conflicting"
    with app.database.write() as connection:
        lifecycle.walk(
            connection, "fact", rival, S.CANDIDATE, S.ARCHIVED, reason="test", actor="test", now="2030"
        )
    assert seen(app, belief).evidence[0]["standing"] == "holds"


def forgotten(app: MemoryApp, fact_id: str) -> None:
    forget(app, fact_id, LATER)


def aged(app: MemoryApp, fact_id: str) -> None:
    with app.database.write() as connection:
        connection.exec_driver_sql("UPDATE facts SET ttl_days = 0.5 WHERE id = ?", (fact_id,))
    decay(app, LATER)


def taken_back(app: MemoryApp, _fact_id: str) -> None:
    # who contradicted it comes to say the same
    fact(app, "10.0.0.1", source="rumour", now=LATER)


def corrected(app: MemoryApp, fact_id: str) -> None:
    update_fact(app, fact_id, "10.0.0.1", LATER, source="rumour")


@pytest.mark.parametrize(
    ("end", "predicate"),
    [
        (forgotten, "has_ip"),
        (forgotten, "IP address"),
        (aged, "has_ip"),
        (aged, "IP address"),
        (taken_back, "has_ip"),
        (corrected, "has_ip"),
    ],
)
def test_a_receipt_tells_that_evidence_holds_again(
    app: MemoryApp, end: Callable[[MemoryApp, str], None], predicate: str
) -> None:
    first = fact(app, "10.0.0.1")
    belief = belief_on(app, (first, 0.5))
    rival = fact(app, "10.0.0.2", source="rumour", predicate=predicate)
    assert seen(app, belief).evidence[0]["standing"] == "conflicting"
    end(app, rival)
    assert seen(app, belief).evidence[0]["standing"] == "holds"
    assert told(app, belief)[-2:] == [
        f"evidence: fact {first} holds again",
        "1 of 1 pieces of evidence hold; support 1.00",
    ]


def test_evidence_that_a_third_contradicts_does_not_hold_again(app: MemoryApp) -> None:
    first = fact(app, "10.0.0.1")
    belief = belief_on(app, (first, 0.5))
    rival = fact(app, "10.0.0.2", source="rumour")
    fact(app, "10.0.0.3", source="gossip")
    before = told(app, belief)
    forget(app, rival, LATER)
    assert seen(app, belief).evidence[0]["standing"] == "conflicting"
    assert told(app, belief) == before
