"""Rows of beliefs: what counts as the same proposition, and what finds it."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from memory_server.domain.belief import Evidence
from memory_server.domain.lifecycle import LifecycleState
from memory_server.services.beliefs import Assertion, hold, move
from memory_server.storage import belief_search, beliefs, evidence
from memory_server.storage.belief_search import Filters
from memory_server.storage.database import Database
from memory_server.storage.fulltext import Frequencies

NOW = datetime(2030, 1, 2, tzinfo=UTC)


def store(database: Database, *assertions: Assertion) -> list[str]:
    with database.write() as connection:
        return [hold(connection, one, created_by="test", now=NOW).belief.id for one in assertions]


def found(database: Database, text: str = "", limit: int = 10, **filters: object) -> list[str]:
    with database.read() as connection:
        hits = belief_search.search(connection, text, Filters(**filters), limit, Frequencies())  # type: ignore[arg-type]
    return [belief.proposition for belief in hits]


@pytest.mark.parametrize(
    "other",
    [
        "Tea keeps well",
        "tea keeps well",
        "  Tea   keeps\twell ",
        "Tea keeps well.",
        "Tea keeps well!!",
        "Tea keeps well …",
        "Ｔea keeps well。",
    ],
)
def test_case_spacing_width_and_final_punctuation_do_not_make_another_proposition(other: str) -> None:
    assert beliefs.proposition_key(other) == beliefs.proposition_key("Tea keeps well")


@pytest.mark.parametrize(
    "other", ["Tea keeps", "Tea keeps well in tins", "Tea, keeps well", "Tea keeps well 100%", "?"]
)
def test_other_words_make_another_proposition(other: str) -> None:
    assert beliefs.proposition_key(other) != beliefs.proposition_key("Tea keeps well")
    assert beliefs.proposition_key(other)


def test_beliefs_with_every_word_come_before_those_with_some(database: Database) -> None:
    store(
        database,
        Assertion("Green tea is bitter"),
        Assertion("Tea houses close early"),
        Assertion("Bitter words last"),
        Assertion("Salt is white"),
    )
    assert found(database, "bitter tea")[0] == "Green tea is bitter"
    assert set(found(database, "bitter tea")) == {
        "Green tea is bitter",
        "Tea houses close early",
        "Bitter words last",
    }
    assert found(database, "bitter tea", limit=1) == ["Green tea is bitter"]


def test_without_words_the_newest_come_first(database: Database) -> None:
    store(database, Assertion("First"), Assertion("Second"), Assertion("Third"))
    assert found(database, limit=2) == ["Third", "Second"]


@pytest.mark.parametrize("text", ['"', "*", "( AND", "NEAR(", "-", "…", "'; DROP TABLE beliefs", "col:x"])
def test_any_text_is_a_valid_query(database: Database, text: str) -> None:
    store(database, Assertion("Tea keeps well"))
    assert found(database, text) == []


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        ({"tags": ("cat",)}, ["Whiskers is calm"]),
        ({"tags": ("CAT", "pet")}, ["Whiskers is calm"]),
        ({"tags": ("cat", "garden")}, []),
        ({"tags": ("cat%",)}, []),
        ({"tags": ("ÉTAGÈRE",)}, ["Shelves are sorted"]),
        ({"tags": ("a,\"b'",)}, ["Shelves are sorted"]),
        ({"creator": "LEARN"}, ["Shelves are sorted"]),
        ({"tags": ("category",)}, ["Shelves are sorted"]),
        ({"source": "ANNA"}, ["Whiskers is calm"]),
        ({"source": "ann"}, []),
        ({"creator": "Learn"}, ["Shelves are sorted"]),
        ({"source_id": "o-1"}, ["Shelves are sorted"]),
        ({"source_id": "o"}, []),
        ({"min_confidence": 0.7}, ["Whiskers is calm"]),
        ({"min_confidence": 0.71}, []),
        ({"state": None}, ["Shelves are sorted", "Whiskers is calm"]),
        ({"state": LifecycleState.STALE}, []),
    ],
)
def test_filters_are_exact(database: Database, filters: dict[str, object], expected: list[str]) -> None:
    store(
        database,
        Assertion("Whiskers is calm", 0.7, tags=("cat", "pet"), source="Anna"),
        Assertion(
            "Shelves are sorted",
            evidence=(Evidence(source_type="observation", source_id="o-1"),),
            tags=("category", "étagère", "a,\"B'"),
            creator="learn",
        ),
    )
    assert found(database, **filters) == expected


def test_a_belief_that_left_is_found_by_its_state_alone(database: Database) -> None:
    (one,) = store(database, Assertion("Lamps burn oil"))
    with database.write() as connection:
        belief = beliefs.by_ids(connection, [one])[one]
        move(connection, belief, LifecycleState.ARCHIVED, reason="old", created_by="test", now=NOW)
    assert found(database, "lamps", state=None) == []
    assert found(database, state=LifecycleState.ARCHIVED) == ["Lamps burn oil"]


def test_evidence_named_again_keeps_the_greater_weight(database: Database) -> None:
    first = Evidence(source_type="observation", source_id="o-1", weight=0.4, contributor="anna")
    again = Evidence(source_type="observation", source_id="o-1", weight=0.9, contributor="ben")
    (one,) = store(database, Assertion("It rains", evidence=(first,)))
    with database.write() as connection:
        assert evidence.add(connection, one, [again, first], "2030") == 0
        assert evidence.add(connection, one, [Evidence(source_type="decision", source_id="o-1")], "2031") == 1
        assert [
            (piece.source_type, piece.weight, piece.contributor)
            for piece in evidence.of(connection, [one])[one]
        ] == [
            ("observation", 0.9, "anna"),
            ("decision", 0.5, "system"),
        ]


def test_beliefs_are_filed_under_what_they_are_about_while_they_are_in_force(database: Database) -> None:
    one, other, gone = store(
        database, Assertion("Pump A is loud"), Assertion("Pump A is silent"), Assertion("Pump A is broken")
    )
    with database.write() as connection:
        belief = beliefs.by_ids(connection, [gone])[gone]
        move(connection, belief, LifecycleState.DISCARDED, reason="wrong", created_by="test", now=NOW)
    with database.read() as connection:
        shared: dict[str, set[str]] = {}
        for topic, belief_id in beliefs.topics_shared(connection):
            shared.setdefault(topic, set()).add(belief_id)
    assert {one, other} in shared.values()
    assert all(gone not in ids for ids in shared.values())


def test_the_context_that_a_proposition_names_is_kept(database: Database) -> None:
    plain, bound = store(database, Assertion("Redis is fast"), Assertion("Redis is slow on Windows"))
    with database.read() as connection:
        both = beliefs.by_ids(connection, [plain, bound])
    assert both[plain].context is None
    assert both[bound].context == "on windows"
