"""What this memory handed out is no evidence for itself when it comes back."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from memory_server.app import MemoryApp
from memory_server.policies.trust import delimit
from memory_server.services.learn import learn
from memory_server.services.lesson import Lesson
from memory_server.services.remember import Statement, remember
from memory_server.storage import rows, sources
from memory_server.tools.calls import call_tool
from memory_server.tools.context import GET_CONTEXT
from memory_server.tools.recall import SEARCH, SEMANTIC_SEARCH


def answer(app: MemoryApp, tool: Any, **given: Any) -> str:
    return call_tool(app, tool, given).text


def of_context(app: MemoryApp) -> str:
    return answer(app, GET_CONTEXT, task="what does Dunlin use")


def of_search(app: MemoryApp) -> str:
    return json.dumps(json.loads(answer(app, SEARCH, query="Dunlin")), indent=2)


def of_meaning(app: MemoryApp) -> str:
    return f"The memory answered:\n\n{answer(app, SEMANTIC_SEARCH, query='Dunlin uses Postgres')}\n\nThat is all."


def without_ids(app: MemoryApp) -> str:
    found = json.loads(answer(app, SEARCH, query="Dunlin"))["results"]
    return json.dumps([{name: fact[name] for name in ("subject", "predicate", "object")} for fact in found])


def fenced(_app: MemoryApp) -> str:
    return delimit("Dunlin uses Postgres", source="wiki", trust="0.70")


def shortened(_app: MemoryApp) -> str:
    return delimit("Dunlin uses Postg…", source="wiki", trust="0.70")


def as_a_line(app: MemoryApp) -> str:
    (fact,) = json.loads(answer(app, SEARCH, query="Dunlin"))["results"]
    return f"Dunlin uses Postgres ({fact['id']})"


WAYS = [of_context, of_search, of_meaning, without_ids, fenced, shortened, as_a_line]


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
def test_an_answer_that_comes_back_counts_for_nothing(
    app: MemoryApp, way: Callable[[MemoryApp], str]
) -> None:
    known = remember(app, Statement("Dunlin", "uses", "Postgres", source="wiki")).fact
    learned = learn(app, Lesson(way(app), source="assistant"))
    assert learned.facts == []
    assert learned.understood.echoes == 1
    with app.database.read() as connection:
        assert sources.count(connection, known.id) == 1


def test_nothing_but_an_answer_leaves_nothing(app: MemoryApp) -> None:
    remember(app, Statement("Dunlin", "uses", "Postgres", source="wiki"))
    learned = learn(app, Lesson(of_context(app), source="assistant"))
    assert learned.episode is None
    assert learned.understood.admission.reason_codes == ("handed_out",)


def test_what_is_new_beside_an_answer_is_learned_from_its_place(app: MemoryApp) -> None:
    remember(app, Statement("Dunlin", "uses", "Postgres", source="wiki"))
    text = f"I looked it up: {of_context(app)}\nDunlin runs on host birch."
    learned = learn(app, Lesson(text, source="assistant"))
    (fact,) = [item.memory for item in learned.facts if item.memory.subject == "Dunlin"]
    assert (fact.predicate, fact.object) == ("runs_on", "host birch")
    assert text[fact.span_start : fact.span_end] == "Dunlin runs on host birch."
    assert learned.episode and learned.episode.memory.text == text


def test_the_same_said_in_plain_words_is_a_statement(app: MemoryApp) -> None:
    known = remember(app, Statement("Dunlin", "uses", "Postgres", source="wiki")).fact
    learned = learn(app, Lesson("Dunlin uses Postgres.", source="ops"))
    assert learned.understood.echoes == 0
    with app.database.read() as connection:
        assert sources.count(connection, known.id) == 2


@pytest.mark.parametrize(
    "text",
    [
        delimit("Godwit uses Postgres", source="wiki", trust="0.70"),
        "Ticket 3f2b8a10-77aa-4c1d-9e0f-1234567890ab: Godwit uses Postgres.",
    ],
    ids=["a fence around what is not known here", "an id of something else"],
)
def test_what_only_looks_like_an_answer_is_learned(app: MemoryApp, text: str) -> None:
    learned = learn(app, Lesson(text))
    assert learned.understood.echoes == 0
    assert learned.episode is not None


def test_reading_writes_nothing(app: MemoryApp) -> None:
    remember(app, Statement("Dunlin", "uses", "Postgres", source="wiki"))
    tables = (*rows.TABLES.values(), "receipts", "outbox")

    def everything() -> list[Any]:
        with app.database.read() as connection:
            return [connection.exec_driver_sql(f"SELECT * FROM {table}").all() for table in tables]

    before = everything()
    for way in WAYS:
        way(app)
    assert everything() == before
