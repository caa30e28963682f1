"""Notes are memories as all others: with receipts, a life, vectors, and found wherever memories are found."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from memory_server.app import MemoryApp
from memory_server.domain.knowledge import Knowledge, KnowledgeExists, Note, NoteChanges
from memory_server.policies.knowledge_search import check_search
from memory_server.services.audit import audit
from memory_server.services.context import get_context
from memory_server.services.forgetting import forget
from memory_server.services.history import history
from memory_server.services.knowledge import list_knowledge, store_knowledge, update_knowledge
from memory_server.services.knowledge_search import search_knowledge
from memory_server.services.listing import list_memories
from memory_server.services.semantic_search import semantic_search
from memory_server.storage.browse import Filters

KETTLES = Note(
    "Descale the kettles monthly",
    "Kettles in the tea kitchen are descaled on the first Monday of each month.",
)
LADDERS = Note(
    "Tie ladders before climbing",
    "A ladder is tied at its top before anybody climbs higher than three steps.",
)


@pytest.fixture
def kettles(app: MemoryApp) -> Knowledge:
    stored = store_knowledge(app, KETTLES)
    app.worker.drain()
    return stored


def test_a_write_has_a_receipt_and_a_birth(app: MemoryApp, kettles: Knowledge) -> None:
    update_knowledge(app, kettles.id, NoteChanges(tags=("tea",)))
    life = history(app, kettles.id, 10, datetime.now(UTC))
    assert life.memory_type == "knowledge"
    assert [event["to_state"] for event in life.events] == ["candidate"]
    assert [receipt.created_by for receipt in life.receipts] == ["storeKnowledge", "updateKnowledge"]
    assert life.receipts[1].history == ("changed: tags",)
    assert life.memory["created_at"] == kettles.created_at
    assert life.memory["updated_at"] > kettles.updated_at


def test_a_refused_write_leaves_nothing(app: MemoryApp, kettles: Knowledge) -> None:
    with pytest.raises(KnowledgeExists):
        store_knowledge(app, KETTLES)
    with app.database.read() as connection:
        for table in ("knowledge", "receipts", "lifecycle_events", "outbox"):
            (count,) = connection.exec_driver_sql(f"SELECT count(*) FROM {table}").one()
            assert count == 1, table


def test_notes_are_found_by_the_searches_for_everything(app: MemoryApp, kettles: Knowledge) -> None:
    related = get_context(app, "when are the kettles descaled").related
    assert [(item["id"], item["memory_type"]) for item in related] == [(kettles.id, "knowledge")]
    assert semantic_search(app, "kettles descaled monthly", 5, 0.0).hits[0]["id"] == kettles.id
    listed = list_memories(app, Filters(), 10, memory_type="knowledge").memories
    assert [memory["id"] for memory in listed] == [kettles.id]


def test_a_changed_note_is_found_by_what_it_says_now(app: MemoryApp, kettles: Knowledge) -> None:
    update_knowledge(app, kettles.id, NoteChanges(title=LADDERS.title, content=LADDERS.content))
    app.worker.drain()
    assert semantic_search(app, "ladder tied before anybody climbs", 5, 0.2).hits[0]["id"] == kettles.id
    assert not search_knowledge(app, check_search({"query": "kettles"})).results


def test_a_forgotten_note_is_gone_everywhere(app: MemoryApp, kettles: Knowledge) -> None:
    forget(app, kettles.id, datetime.now(UTC))
    app.worker.drain()
    assert not get_context(app, "when are the kettles descaled").related
    assert not search_knowledge(app, check_search({"query": "kettles"})).results
    assert not search_knowledge(app, check_search({"query": "!!!"})).results
    assert not list_knowledge(app).total
    assert b"descaled on the first Monday" not in app.database.path.read_bytes()


def test_notes_do_not_age(app: MemoryApp, kettles: Knowledge) -> None:
    from memory_server.services.upkeep import decay

    decay(app, datetime.now(UTC) + timedelta(days=5_000))
    assert search_knowledge(app, check_search({"query": "kettles"})).total == 1


def test_an_audit_counts_notes_and_finds_nothing_wrong(app: MemoryApp, kettles: Knowledge) -> None:
    update_knowledge(app, kettles.id, NoteChanges(scope="repo:kitchen"))
    app.worker.drain()
    report = audit(app, "full", datetime.now(UTC))
    assert not report.found
    assert report.stats["totals"]["knowledge"]


def test_lists_are_filtered_sorted_and_paged(app: MemoryApp) -> None:
    first = store_knowledge(app, KETTLES)
    second = store_knowledge(app, Note(LADDERS.title, LADDERS.content, ("safety", "tools"), "repo:site"))
    third = store_knowledge(app, Note("Air the store rooms daily", LADDERS.content, ("safety",)))
    update_knowledge(app, first.id, NoteChanges(tags=("tea", "50%")))

    def listed(**asked: Any) -> list[str]:
        return [note.id for note in list_knowledge(app, **asked).notes]

    assert listed() == [first.id, third.id, second.id]
    assert listed(order="created-desc") == [third.id, second.id, first.id]
    assert listed(order="title-asc") == [third.id, first.id, second.id]
    assert listed(limit=1, offset=1) == [third.id]
    assert listed(tags=["safety"]) == [third.id, second.id]
    assert listed(tags=["safety", "tools"]) == [second.id]
    assert listed(tags=["safe"]) == listed(tags=["50"]) == []
    assert listed(scopes=("repo:site",)) == [second.id]
    assert listed(tokens=["ladder", "climb"]) == [third.id, second.id]
    assert list_knowledge(app, limit=1).total == 3


class TestByMeaning:
    """With the setting on, what words miss is found by meaning."""

    @pytest.fixture
    def app(self, open_memory: Any, settings: Any) -> Any:
        with open_memory(given=settings.model_copy(update={"knowledge_semantic": True})) as app:
            yield app

    def test_what_no_word_finds_is_found(self, app: MemoryApp, monkeypatch: pytest.MonkeyPatch) -> None:
        ladders = store_knowledge(app, LADDERS)
        kettles = store_knowledge(app, KETTLES)
        _meaning_finds(app, monkeypatch, {ladders.id: 0.8, kettles.id: 0.3})
        found = search_knowledge(app, check_search({"query": "working at height"}))
        # too far from the query, and no word of it: not shown
        assert [one.note.id for one in found.results] == [ladders.id]
        assert (found.strategy, found.total, found.results[0].score) == ("hybrid", 1, 0.090909)

    def test_both_rankings_count(self, app: MemoryApp, monkeypatch: pytest.MonkeyPatch) -> None:
        ladders, kettles = store_knowledge(app, LADDERS), store_knowledge(app, KETTLES)
        _meaning_finds(app, monkeypatch, {kettles.id: 0.9, ladders.id: 0.2})
        found = search_knowledge(app, check_search({"query": "ladder"}))
        assert [(one.note.id, one.score) for one in found.results] == [
            (ladders.id, 0.174242),
            (kettles.id, 0.090909),
        ]

    def test_nothing_comes_ahead_of_an_exact_name(
        self, app: MemoryApp, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        near = store_knowledge(
            app, Note("Errors of the valve E 7714", "E: the valve. It is 7714 times as bad as E.")
        )
        exact = store_knowledge(
            app, Note("What the panel shows at night", "The panel shows E-7714 when the door is open.")
        )
        _meaning_finds(app, monkeypatch, {near.id: 0.95})
        found = search_knowledge(app, check_search({"query": "error E-7714 valve"}))
        assert [one.note.id for one in found.results] == [exact.id, near.id]

    def test_other_scopes_stay_hidden(self, app: MemoryApp, monkeypatch: pytest.MonkeyPatch) -> None:
        hidden = store_knowledge(app, Note(LADDERS.title, LADDERS.content, (), "repo:site"))
        shown = store_knowledge(app, KETTLES)
        _meaning_finds(app, monkeypatch, {hidden.id: 0.9, shown.id: 0.6})
        found = search_knowledge(app, check_search({"query": "limescale", "scope": "repo:other"}))
        assert [one.note.id for one in found.results] == [shown.id]

    def test_without_a_model_words_have_to_do_and_that_is_said(self, open_memory: Any, settings: Any) -> None:
        from memory_server.app import open_app

        given = settings.model_copy(update={"knowledge_semantic": True, "embedding": "none"})
        with open_app(given, worker=False) as app:
            store_knowledge(app, LADDERS)
            found = search_knowledge(app, check_search({"query": "ladder"}))
        assert (found.strategy, found.total) == ("strict", 1)
        assert found.degraded is not None
        assert "by words alone" in found.degraded


def _meaning_finds(app: MemoryApp, monkeypatch: pytest.MonkeyPatch, cosines: dict[str, float]) -> None:
    from memory_server.indexes.look import MeaningHits

    monkeypatch.setattr(app.meaning, "search", lambda *_, **__: MeaningHits(list(cosines.items())))
