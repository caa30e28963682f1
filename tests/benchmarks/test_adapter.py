"""The adapter does what clients could do, and nothing else."""

from __future__ import annotations

import json
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from memory_server.benchmarks.adapter import Evaluated, answers, serve
from memory_server.services.context import get_context

ITEMS: list[dict[str, Any]] = [
    {
        "id": "a",
        "text": "The kiln cracked on the first firing.",
        "session": "s1",
        "speaker": "Ines",
        "ts": "2026-03-02",
    },
    {
        "id": "b",
        "text": "Was it the glaze?",
        "session": "s1",
        "speaker": "Tomas",
        "ts": "2026-03-02",
        "caption": "",
    },
    {
        "id": "c",
        "text": "Look at this.",
        "session": "s2",
        "speaker": "Ines",
        "ts": "2026-04-02",
        "caption": "a blue vase",
    },
]


@pytest.fixture
def evaluated() -> Iterator[Evaluated]:
    made = Evaluated(embedding="none")
    yield made
    made.close()


def test_items_are_found_under_their_own_ids(evaluated: Evaluated) -> None:
    assert evaluated.answer({"op": "ingest", "items": ITEMS}) == {"ok": True}
    assert evaluated.answer({"op": "search", "query": "what cracked the kiln?", "k": 2})["ids"][0] == "a"
    assert evaluated.answer({"op": "search", "query": "blue vase", "k": 1}) == {"ids": ["c"]}


def test_the_order_is_that_of_get_context(evaluated: Evaluated) -> None:
    evaluated.answer({"op": "ingest", "items": ITEMS})
    found = evaluated.search("was the kiln or the vase cracked?", 10, None)
    related = get_context(evaluated._memory, "was the kiln or the vase cracked?").related
    with evaluated._memory.database.read() as connection:
        names = dict(connection.exec_driver_sql("SELECT id, external_id FROM episodes").all())
    assert found == [names[item["id"]] for item in related]


def test_nothing_from_after_the_question_is_found(evaluated: Evaluated) -> None:
    evaluated.answer({"op": "ingest", "items": ITEMS})
    asked = {"op": "search", "query": "blue vase kiln", "k": 10, "ts": "2026-03-15"}
    assert "c" not in evaluated.answer(asked)["ids"]


def test_a_reset_forgets_and_leaves_no_files(evaluated: Evaluated) -> None:
    evaluated.answer({"op": "ingest", "items": ITEMS})
    home = Path(evaluated._memory.settings.home)
    assert evaluated.answer({"op": "reset"}) == {"ok": True}
    assert not home.exists()
    assert evaluated.answer({"op": "search", "query": "kiln", "k": 5}) == {"ids": []}


def test_every_line_gets_one_line_back_and_errors_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMORY_SERVER_EMBEDDING", "none")
    lines = [
        '{"op": "reset"}',
        "not json",
        json.dumps({"op": "ingest", "items": ITEMS[:1]}),
        '{"op": "search"}',
    ]
    out = StringIO()
    serve(StringIO("\n".join(lines) + "\n"), out)
    told = [json.loads(line) for line in out.getvalue().splitlines()]
    assert [sorted(answer) for answer in told] == [["ok"], ["error"], ["ok"], ["error"]]


def test_answers_come_line_by_line(evaluated: Evaluated) -> None:
    coming = answers(evaluated, StringIO('{"op": "reset"}\n{"op": "reset"}\n'))
    assert next(coming) == {"ok": True}
