"""Questions are asked of a filled store, and each becomes a row that can be scored again."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from memory_server.benchmarks.datasets import Haystack, Question, longmemeval
from memory_server.benchmarks.evaluation import Evaluator, FromTheFuture, asked_about, refuse_later, scored
from memory_server.benchmarks.lineage import BrokenLineage
from memory_server.benchmarks.longmemeval import pooled
from memory_server.benchmarks.scoring import Asked, Item
from memory_server.benchmarks.stores import builtin
from memory_server.services.conversations import Turn

SMALL = Path(__file__).parent / "talks" / "longmemeval_small.json"


@pytest.fixture(autouse=True)
def words_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMORY_SERVER_EMBEDDING", "none")


@pytest.fixture(scope="module")
def rows() -> dict[str, dict[str, Any]]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MEMORY_SERVER_EMBEDDING", "none")
        return {row["id"]: row for row in Evaluator(builtin, 20).rows(longmemeval(SMALL))}


def test_every_question_has_a_row(rows: dict[str, Any]) -> None:
    assert list(rows) == [question.id for haystack in longmemeval(SMALL) for question in haystack.questions]


def test_evidence_is_found_and_scored(rows: dict[str, Any]) -> None:
    row = rows["boat_colour"]
    assert row["items"][0]["turns"] == ("answer_boat_1_1",)
    assert row["scores"]["turn"]["raw"]["recall@1"] == 1.0
    assert row["official"]["turn"]["recall_any@1"] == 1.0
    assert row["covered"]["turn"] == {"raw": True, "source": True, "canonical": False}


def test_nothing_that_was_said_after_the_question_comes_back(rows: dict[str, Any]) -> None:
    assert rows["boat_colour"]["asked_at"] == "2024-05-20T09:30:00.000000Z"
    assert all("filler_late" not in item["sessions"] for item in rows["boat_colour"]["items"])


def test_evidence_of_the_assistant_counts_here_and_not_officially(rows: dict[str, Any]) -> None:
    row = rows["loaf_time"]
    assert row["scores"]["turn"]["source"]["recall@5"] == 1.0
    assert row["official"] is None


def test_a_question_without_a_labelled_turn_is_scored_by_session_alone(rows: dict[str, Any]) -> None:
    row = rows["kite_help"]
    assert row["scores"]["turn"] is None
    assert row["scores"]["session"]["source"]["hit@1"] == 1.0
    assert row["official"] is None


def test_an_abstention_question_stands_apart_with_what_the_store_says(rows: dict[str, Any]) -> None:
    row = rows["boat_name_abs"]
    assert row["apart"] == "abstention"
    assert 0 <= row["answerable"] <= 1


def test_a_saved_row_scores_the_same_again(rows: dict[str, Any]) -> None:
    for row in rows.values():
        saved = json.loads(json.dumps(row))
        assert scored({**saved, "scores": None, "official": None}) == saved


def spoiled(row: dict[str, Any], **changes: Any) -> dict[str, Any]:
    saved = json.loads(json.dumps(row))
    saved["items"][0].update(changes)
    return saved


def test_a_saved_row_with_other_anchors_is_refused(rows: dict[str, Any]) -> None:
    with pytest.raises(BrokenLineage):
        scored(spoiled(rows["boat_colour"], kind="fact"))


def test_a_saved_row_from_the_future_is_refused(rows: dict[str, Any]) -> None:
    with pytest.raises(FromTheFuture):
        scored(spoiled(rows["boat_colour"], said_at="2024-06-02T12:00:00.000000Z"))


@pytest.mark.parametrize(
    ("said_at", "asked_at", "refused"),
    [
        ("2024-05-02T10:00:00.000000Z", "2024-05-01T10:00:00.000000Z", True),
        ("2024-05-01T10:00:00.000000Z", "2024-05-01T10:00:00.000000Z", False),
        (None, "2024-05-01T10:00:00.000000Z", False),
        ("2024-05-02T10:00:00.000000Z", None, False),
    ],
)
def test_what_is_later_than_the_question_is_refused(
    said_at: str | None, asked_at: str | None, refused: bool
) -> None:
    items = [Item("1", "episode", ("a.1",), ("a",), said_at=said_at)]
    if refused:
        with pytest.raises(FromTheFuture):
            refuse_later(items, asked_at)
    else:
        refuse_later(items, asked_at)


def question(text: str, asked_at: str | None) -> Question:
    return Question("q", text, "plain", asked_at, (), (), ())


MAY_20 = "2024-05-20T09:30:00.000000Z"


@pytest.mark.parametrize(
    ("text", "asked_at", "about"),
    [
        ("Who owns the mill?", None, Asked()),
        ("Who owns the mill?", MAY_20, Asked(MAY_20, MAY_20)),
        (
            "Who owned the mill in March 2023?",
            MAY_20,
            Asked("2023-03-01T00:00:00.000000Z", "2023-03-31T23:59:59.999999Z"),
        ),
        ("Who will own the mill in March 2025?", MAY_20, Asked(MAY_20, MAY_20)),
        ("Who owned it in March 2023, who in April 2023?", MAY_20, Asked(MAY_20, MAY_20)),  # two are none
    ],
)
def test_the_time_that_a_question_is_about(text: str, asked_at: str | None, about: Asked) -> None:
    assert asked_about(question(text, asked_at)) == about


def test_a_derived_item_counts_where_its_parents_are_the_evidence() -> None:
    turns = (
        Turn("We decided to paint the ferry blue because the old paint peels.", "s1", "user", None, "s1_1"),
    )
    asked = Question(
        "q", "What colour did we decide on for the ferry?", "plain", None, ("s1_1",), ("s1",), ("s1_1",)
    )

    @contextmanager
    def learned(given: Any) -> Iterator[Any]:
        with builtin(given, learns=True) as store:
            yield store

    (row,) = Evaluator(learned, 20).rows([Haystack("h", turns, (asked,))])
    assert row["covered"]["turn"] == {"raw": True, "source": True, "canonical": True}
    assert row["scores"]["turn"]["canonical"]["recall@10"] == 1.0
    assert {item["kind"] for item in row["items"]} > {"episode"}
    assert scored(json.loads(json.dumps(row)))["scores"] == row["scores"]


def test_all_sessions_of_all_questions_make_one_pool() -> None:
    (pool,) = pooled(longmemeval(SMALL))
    assert len(pool.questions) == 7
    names = [turn.external_id for turn in pool.turns]
    assert len(set(names)) == len(names) == 33  # eleven sessions of three turns
    dates = {turn.session: turn.occurred_at for turn in pool.turns}
    assert dates["filler_1"] == "2024-03-18T10:00:00.000000Z"  # the earliest of four


def test_one_name_for_two_sessions_becomes_two_in_a_pool() -> None:
    def haystack(name: str, text: str) -> Haystack:
        turn = Turn(text, "s", "user", MAY_20, "s_1")
        return Haystack(name, (turn,), (Question(name, text, "plain", MAY_20, ("s_1",), ("s",), ("s_1",)),))

    (pool,) = pooled([haystack("1", "one"), haystack("2", "two"), haystack("3", "one")])
    assert [(turn.session, turn.external_id) for turn in pool.turns] == [("s", "s_1"), ("s#2", "s#2_1")]
    assert [one.turns for one in pool.questions] == [("s_1",), ("s#2_1",), ("s_1",)]


def test_progress_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[int] = []
    tell: Callable[[str, int, int | None], None] = lambda _what, done, _of: told.append(done)  # noqa: E731
    list(Evaluator(builtin, 5).rows(list(longmemeval(SMALL))[:2], tell))
    assert told == [1, 2]
