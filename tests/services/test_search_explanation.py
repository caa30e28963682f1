"""Why a keyword search found a fact, and why not."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from memory_server.app import MemoryApp
from memory_server.domain.memory import rfc3339
from memory_server.services.beliefs import Assertion, set_belief
from memory_server.services.forgetting import forget
from memory_server.services.remember import Statement, record, remember
from memory_server.services.search import search
from memory_server.storage.fact_search import Filters

NOW = datetime(2026, 3, 9, 12, tzinfo=UTC)


def say(app: MemoryApp, subject: str, predicate: str, obj: str, days: float = 0) -> str:
    with app.database.write() as connection:
        statement = Statement(subject, predicate, obj, 0.8)
        return record(connection, statement, created_by="test", now=NOW + timedelta(days=days)).fact.id


def test_an_explanation_names_the_words_that_each_fact_holds(app: MemoryApp) -> None:
    say(app, "ferry", "leaves", "pier nine")
    found = search(app, "where does the ferry land?", Filters(), 10, explain=True)
    assert found.explanation is not None
    (signals,) = found.explanation["signals"].values()
    assert signals["words"] == ["ferry"]
    assert signals["missing"] == ["land"]
    assert found.explanation["weights"]["subject"] > found.explanation["weights"]["tags"]


@pytest.mark.parametrize(
    ("query", "held", "missing"),
    [
        ("起重机", ["起重机"], []),
        ("港口起重机 渡船", ["港口起重机"], ["渡船"]),
        ("⛴", ["⛴"], []),
        ("C++ harbour", ["c++"], ["harbour"]),
        ("Fähre кран", ["кран"], ["fahre"]),
    ],
)
def test_words_of_any_script_and_signs_are_told_as_they_are_written(
    app: MemoryApp, query: str, held: list[str], missing: list[str]
) -> None:
    say(app, "港口起重机 ⛴", "written_in", "C++, кран")
    found = search(app, query, Filters(), 10, explain=True)
    assert found.explanation is not None
    (signals,) = found.explanation["signals"].values()
    assert (signals["words"], signals["missing"]) == (held, missing)


def test_a_sentence_without_word_breaks_finds_what_holds_a_part_of_it(app: MemoryApp) -> None:
    say(app, "王小明", "住在", "港口旁边")
    say(app, "李华", "喜欢", "渡船")
    assert [fact.subject for fact in search(app, "王小明住在哪里？", Filters(), 10).results] == ["王小明"]
    assert search(app, "喜欢吗", Filters(), 10).results == []


def test_of_an_expected_fact_it_is_told_what_kept_it_out(app: MemoryApp) -> None:
    ids = [say(app, f"ferry {number}", "leaves", "pier nine") for number in range(4)]

    def reason(memory_id: str, **given: Any) -> tuple[str, str]:
        limit = given.pop("limit", 10)
        told = search(app, "ferry pier", Filters(**given), limit, expected_id=memory_id).explanation
        assert told is not None
        return told["expected"]["reason"], told["expected"]["detail"]

    last = search(app, "ferry pier", Filters(), 10).results[-1].id
    old = say(app, "ferry", "has_port", "pier one")
    say(app, "ferry", "has_port", "pier two", days=2)
    other = say(app, "zeppelin", "flies", "high")
    mine = remember(app, Statement("ferry 8", "leaves", "pier nine", scope="project:mine")).fact.id
    gone = say(app, "ferry 9", "leaves", "pier nine")
    forget(app, gone, NOW)
    belief = set_belief(app, Assertion("The ferry leaves the pier late", 0.8)).belief.id
    assert reason(ids[0])[0] == "found"
    assert reason(last, limit=1) == ("rank", "it is number 4")
    assert reason(old)[0] == "found"
    assert reason(old, as_of=rfc3339(NOW + timedelta(days=3)))[0] == "validity"
    assert reason(other) == ("words", "it holds none of the words ferry, pier")
    assert reason(mine, scopes=("project:other", "global"))[0] == "scope"
    assert reason(gone)[0] == "lifecycle"
    assert reason(ids[0], subject="ferry 1") == ("filter", "subject is another one than asked for")
    assert reason(ids[0], source="gossip") == ("filter", "source is another one than asked for")
    assert reason(belief)[0] == "kind"
    assert reason("nothing")[0] == "unknown"
