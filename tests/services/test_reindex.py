"""Mending: whatever an index lost or kept too long, reindex puts right and counts; an audit then finds nothing."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest
from sqlalchemy import Connection

from memory_server.app import MemoryApp
from memory_server.domain.fact import Fact
from memory_server.indexes.ports import IndexUnavailable
from memory_server.services import reindex as reindex_module
from memory_server.services.audit import audit
from memory_server.services.beliefs import Assertion, hold
from memory_server.services.forgetting import forget
from memory_server.services.measure import refresh_gauges
from memory_server.services.reindex import Repairs, reindex
from memory_server.services.remember import Statement, record
from memory_server.services.search import search
from memory_server.storage import outbox
from memory_server.storage.fact_search import Filters

NOW = datetime(2024, 1, 2, tzinfo=UTC)


def say(app: MemoryApp, subject: str) -> Fact:
    with app.database.write() as connection:
        return record(
            connection, Statement(subject, "leans_on", "wall", 0.8), created_by="test", now=NOW
        ).fact


def mend(app: MemoryApp, *, everything: bool = False) -> Repairs:
    return reindex(app, app.worker.drain, NOW, everything=everything)


def sound(app: MemoryApp) -> bool:
    return not [finding for finding in audit(app, "full", NOW).found if finding.level != "info"]


def test_a_sound_store_needs_no_repair(app: MemoryApp) -> None:
    say(app, "ladder")
    app.worker.drain()
    done = mend(app)
    assert (done.total, done.enqueued, done.settled) == (0, 0, True)


def test_missing_extra_and_outdated_vectors_are_mended_and_counted(app: MemoryApp) -> None:
    ladder, rake, spade = say(app, "ladder"), say(app, "rake"), say(app, "spade")
    app.worker.drain()
    store = app.meaning.space.store()
    (row,) = store.fetch([ladder.id])
    store.upsert([replace(row, memory_id="stranger", key="stranger#0")], stale_pieces_of=[])
    store.delete([ladder.id])
    with app.database.write() as connection:
        connection.exec_driver_sql("UPDATE facts SET subject = 'hoe' WHERE id = ?", (rake.id,))
        # gone behind the indexes' back
        connection.exec_driver_sql("UPDATE facts SET lifecycle_state = 'archived' WHERE id = ?", (spade.id,))
    done = mend(app)
    assert done.vectors == {"missing": 1, "extra": 2, "outdated": 1}
    assert set(store.ids()) == {ladder.id, rake.id}
    refresh_gauges(app)
    assert app.observation.metrics.repairs._value.get() == done.total == 4
    refresh_gauges(app)
    assert app.observation.metrics.repairs._value.get() == 4
    assert audit(app, "full", NOW).stats["sql_vector_drift"]["drift_pct"] == 0


def test_repairs_of_one_process_are_counted_in_the_metrics_of_another(
    app: MemoryApp, open_memory: object
) -> None:
    ladder = say(app, "ladder")
    app.worker.drain()
    app.meaning.space.store().delete([ladder.id])
    mend(app)
    with open_memory() as other:  # type: ignore[operator]
        refresh_gauges(other)
        assert "reindex_repair_total 1.0" in other.observation.metrics.exposition()


def test_a_full_text_index_is_built_anew_where_it_disagrees(app: MemoryApp) -> None:
    ladder = say(app, "ladder")
    with app.database.write() as connection:
        connection.exec_driver_sql("INSERT INTO facts_fts (facts_fts) VALUES ('delete-all')")
    assert search(app, "ladder", Filters(), 5).results == []
    assert mend(app).fulltext == {"fact": 1}
    assert [hit.id for hit in search(app, "ladder", Filters(), 5).results] == [ladder.id]
    assert sound(app)


def test_an_edge_of_the_graph_is_mended(app: MemoryApp) -> None:
    ladder = say(app, "ladder")
    app.network.current().drop(ladder.id)
    assert mend(app).graph == 1
    assert app.network.current().fact_ids() == {ladder.id}
    assert sound(app)


def test_parked_changes_are_tried_again(app: MemoryApp) -> None:
    ladder = say(app, "ladder")
    with app.database.write() as connection:
        outbox.park(connection, outbox.bounds(connection)[1], "no room")
    assert mend(app).parked == 1
    assert set(app.meaning.space.store().ids()) == {ladder.id}
    assert sound(app)


def test_everything_is_made_anew_when_asked_for(app: MemoryApp) -> None:
    facts = [say(app, name) for name in ("ladder", "rake")]
    app.worker.drain()
    told: list[tuple[str, int, int]] = []
    store = app.meaning.space.store()
    before = {row.memory_id: row.seq for row in store.fetch([fact.id for fact in facts])}
    done = reindex(app, app.worker.drain, NOW, everything=True, progress=lambda *step: told.append(step))
    assert (done.enqueued, done.total, done.settled) == (2, 0, True)
    assert all(row.seq > before[row.memory_id] for row in store.fetch([fact.id for fact in facts]))
    assert told[-1] == ("vectors", 2, 2)


def test_an_index_that_cannot_be_opened_is_told_and_the_rest_is_mended(
    app: MemoryApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    ladder = say(app, "ladder")
    with app.database.write() as connection:
        connection.exec_driver_sql("INSERT INTO facts_fts (facts_fts) VALUES ('delete-all')")

    def fail() -> None:
        raise IndexUnavailable("no such device")

    monkeypatch.setattr(app.meaning.space, "store", fail)
    monkeypatch.setattr(reindex_module, "_PATIENCE_SECONDS", 0.0)
    done = mend(app)
    assert done.vectors_unavailable == "no such device"
    assert (done.settled, done.pending) == (False, 1)
    assert [hit.id for hit in search(app, "ladder", Filters(), 5).results] == [ladder.id]


def test_topics_of_beliefs_are_derived_anew(app: MemoryApp, monkeypatch: pytest.MonkeyPatch) -> None:
    # a page and a bit, so that the second page is seen as well
    monkeypatch.setattr(reindex_module, "_TOPICS_AT_ONCE", 3)
    with app.database.write() as connection:
        held = [
            hold(connection, Assertion(f"Mill {name} is loud"), created_by="test", now=NOW).belief
            for name in ("A", "B", "C", "D")
        ]
        gone = hold(connection, Assertion("Mill E is loud"), created_by="test", now=NOW).belief
    forget(app, gone.id, NOW)
    with app.database.read() as connection:
        before = topics(connection)
    assert {belief_id for belief_id, _ in before} == {belief.id for belief in held}
    with app.database.write() as connection:
        connection.exec_driver_sql("DELETE FROM belief_topics WHERE belief_id = ?", (held[0].id,))
        # as another version of the word tables would have read them
        connection.exec_driver_sql(
            "UPDATE belief_topics SET topic = topic || '?' WHERE belief_id = ?", (held[3].id,)
        )
        connection.exec_driver_sql(
            "INSERT INTO belief_topics (topic, belief_id) VALUES ('x', ?), ('x', 'nobody')", (gone.id,)
        )
    codes = [finding.code for finding in audit(app, "full", NOW).found if finding.command.endswith("reindex")]
    assert codes == ["orphan_belief_topics", "topics_missing"]
    done = mend(app)
    assert done.topics == done.total == 4
    with app.database.read() as connection:
        assert topics(connection) == before
    assert mend(app).topics == 0


def topics(connection: Connection) -> set[tuple[str, str]]:
    found = connection.exec_driver_sql("SELECT belief_id, topic FROM belief_topics")
    return {(row[0], row[1]) for row in found}
