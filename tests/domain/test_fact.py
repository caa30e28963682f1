"""A fact in words."""

from __future__ import annotations

from memory_server.domain.fact import Fact

WHEN = "2026-03-02T10:00:00.000000Z"


def test_a_fact_is_embedded_behind_the_question_that_it_answers() -> None:
    fact = Fact(
        id="1",
        subject="harbour-api",
        predicate="listens_on",
        object="port 7200",
        confidence=0.5,
        source="wiki",
        created_at=WHEN,
        updated_at=WHEN,
        reinforced_at=WHEN,
    )
    assert fact.sentence() == "harbour-api listens on port 7200"
    assert fact.answer() == "what harbour-api listens on? harbour-api listens on port 7200"
