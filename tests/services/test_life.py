"""One fact and one belief from their first word to being forgotten, on a moved clock, with a look at every index."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import pairwise

from memory_server.app import MemoryApp
from memory_server.domain.belief import Belief, Evidence
from memory_server.domain.fact import Fact
from memory_server.domain.lifecycle import LifecycleState as S
from memory_server.domain.lifecycle import may_move
from memory_server.domain.memory import Memory
from memory_server.services.audit import audit
from memory_server.services.beliefs import Assertion, hold
from memory_server.services.context import get_context
from memory_server.services.remember import Statement, record
from memory_server.services.search import search
from memory_server.services.semantic_search import semantic_search
from memory_server.services.upkeep import decay
from memory_server.storage import lifecycle, receipts, rows
from memory_server.storage.fact_search import Filters

T0 = datetime(2021, 1, 1, 12, tzinfo=UTC)


def state(app: MemoryApp, model: type[Memory], memory_id: str) -> str:
    with app.database.read() as connection:
        memory = rows.get(connection, model, memory_id)
    assert memory is not None
    return str(memory.lifecycle_state)


def where(app: MemoryApp, memory_type: str, memory_id: str) -> set[str]:
    """The indexes that hold a memory, once the outbox is worked off."""
    app.worker.drain()
    table = rows.TABLES[memory_type]
    with app.database.read() as connection:
        in_text = connection.exec_driver_sql(
            f"SELECT 1 FROM {table}_fts_docsize d JOIN {table} t ON t.row = d.id WHERE t.id = ?", (memory_id,)
        ).first()
    found = {"text"} if in_text else set()
    if memory_id in app.meaning.space.store().ids():
        found.add("vectors")
    if memory_id in app.network.current().fact_ids():
        found.add("graph")
    return found


def days(count: float) -> datetime:
    return T0 + timedelta(days=count)


def sound(app: MemoryApp, now: datetime) -> None:
    seen = audit(app, "full", now)
    assert [f.code for f in seen.found if f.level != "info" and f.code != "low_confidence"] == []
    assert seen.stats["sql_vector_drift"]["drift_pct"] == seen.stats["sql_graph_drift"]["drift_pct"] == 0


def test_a_fact_lives_its_whole_life_and_each_index_follows(app: MemoryApp) -> None:
    def say(source: str, now: datetime) -> Fact:
        with app.database.write() as connection:
            return record(
                connection, Statement("heron", "nests_in", "reedbed", 0.9, source), created_by="test", now=now
            ).fact

    def shown() -> list[str]:
        by_word = [hit.id for hit in search(app, "reedbed", Filters(), 5).results]
        by_meaning = [hit["id"] for hit in semantic_search(app, "heron nests in reedbed", 5, 0.5).hits]
        for_task = [fact.id for fact in get_context(app, "where does the heron nest").facts]
        assert by_word == by_meaning == for_task
        return by_word

    everywhere = {"text", "vectors", "graph"}
    fact = say("ringer one", T0)
    assert state(app, Fact, fact.id) == "candidate"
    assert shown() == [fact.id]
    assert where(app, "fact", fact.id) == everywhere
    assert state(app, Fact, fact.id) == "validated"

    assert say("ringer two", days(1)).id == fact.id
    assert where(app, "fact", fact.id) == everywhere
    assert state(app, Fact, fact.id) == "active"
    sound(app, days(1))

    for day, expected, places in (
        (63.9, "active", everywhere),
        (64, "stale", everywhere),
        (90.9, "stale", everywhere),
        (91, "archived", set()),
        (180.9, "archived", set()),
        (181, "forgotten", set()),
    ):
        decay(app, days(day))
        assert state(app, Fact, fact.id) == expected
        assert shown() == ([fact.id] if places else [])
        assert where(app, "fact", fact.id) == places
        sound(app, days(day))

    with app.database.read() as connection:
        gone = rows.get(connection, Fact, fact.id)
        proofs = receipts.of(connection, fact.id)
        events = lifecycle.events(connection, fact.id)
    assert gone is not None
    assert (gone.subject, gone.predicate, gone.object) == ("", "", "")
    assert [receipt.created_by for receipt in proofs] == ["test", "test", "decay"]
    assert [event["to_state"] for event in events] == [
        "candidate", "validated", "active", "stale", "archived", "forgotten",
    ]  # fmt: skip
    assert all(may_move("fact", S(str(a["to_state"])), S(str(b["to_state"]))) for a, b in pairwise(events))
    assert [event["at"] for event in events[3:]] == [
        day.strftime("%Y-%m-%dT%H:%M:%S.%fZ") for day in (days(64), days(91), days(181))
    ]
    assert say("ringer one", days(182)).id != fact.id


def test_a_belief_lives_its_whole_life_and_each_index_follows(app: MemoryApp) -> None:
    with app.database.write() as connection:
        ground = record(
            connection, Statement("reedbed", "is", "flooded", 0.9), created_by="test", now=T0
        ).fact
        held = hold(
            connection,
            Assertion(
                "Herons prefer quiet water",
                0.9,
                (
                    Evidence(source_type="fact", source_id=ground.id, weight=0.1),
                    Evidence(source_type="observation", source_id="field book", weight=0.9),
                ),
                ("birds",),
            ),
            created_by="test",
            now=T0,
        ).belief
    assert where(app, "belief", held.id) == {"text", "vectors"}

    for day, expected, places in (
        (125.9, "active", {"text", "vectors"}),
        (126, "stale", {"text", "vectors"}),
        (180, "archived", set()),
        (360, "forgotten", set()),
    ):
        decay(app, days(day))
        assert state(app, Belief, held.id) == expected
        assert where(app, "belief", held.id) == places
        sound(app, days(day))

    with app.database.read() as connection:
        gone = rows.get(connection, Belief, held.id)
        proofs = receipts.of(connection, held.id)
        left = [
            connection.exec_driver_sql(
                f"SELECT count(*) FROM {side} WHERE belief_id = ?", (held.id,)
            ).scalar_one()
            for side in ("belief_evidence", "belief_topics")
        ]
    assert gone is not None
    assert (gone.proposition, gone.tags) == ("", ())
    assert left == [0, 0]
    # the fact that it rested on went first, and the belief took note
    noted = [receipt.history[0] for receipt in proofs if receipt.created_by == "truth_maintenance"]
    assert noted == [f"evidence: fact {ground.id} was {what}" for what in ("archived", "forgotten")]
    assert proofs[-1].created_by == "decay"
