"""The newcomer's proof, and a day with the commands, end to end in processes of their own."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from memory_server.cli.demo_session import FACTS, QUESTIONS, Outcome, Question, Session, found_in


def test_the_demo_finds_everything_before_and_after_a_restart(process: Any, tmp_path: Path) -> None:
    done = process("demo", "--json", "--keep", str(tmp_path / "kept"))
    assert done.returncode == 0, done.stderr
    shown = json.loads(done.stdout)
    assert shown["stored"] == len(FACTS) >= 12
    assert [answer["run"] for answer in shown["answers"]].count("after restart") == len(QUESTIONS)
    assert all(answer["found"] for answer in shown["answers"])
    assert {"by keyword", "by paraphrase", "by graph path"} <= {answer["how"] for answer in shown["answers"]}
    assert (tmp_path / "kept" / "memory.db").exists()


def test_the_demo_touches_no_directory_that_is_in_use(process: Any, home: Path) -> None:
    done = process("demo", "--keep", str(home))
    assert done.returncode == 2
    assert "is not empty" in done.stderr


def test_a_fact_stored_from_a_shell_is_found_by_the_next_process(process: Any) -> None:
    assert process("remember", "the spare key", "lies_under", "the blue pot").returncode == 0
    found = process("search", "blue pot")
    assert found.stdout.split("\t")[:3] == ["the spare key", "lies_under", "the blue pot"]
    told = process("context", "how do I get into the house?")
    assert "the spare key lies under the blue pot" in told.stdout


def test_a_reader_that_goes_away_is_no_traceback(process: Any) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    try:
        done = process("config", stdout=writer)
    finally:
        os.close(writer)
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.asked())
def test_no_question_gives_its_answer_away(question: Question) -> None:
    assert question.expects not in json.dumps(question.arguments)


FACT = {"subject": "tea", "predicate": "is_in", "object": "the left cupboard", "score": 0.4}


@pytest.mark.parametrize(
    ("answer", "line"),
    [
        ({"results": [FACT]}, "tea is in the left cupboard"),
        ({"semantic_results": [{"id": "1", "payload": FACT}]}, "tea is in the left cupboard"),
        ({"message": "look in the left cupboard"}, "look in the left cupboard"),
        (
            {
                "nodes": [{"id": "a", "name": "the left cupboard", "attributes": {}}],
                "paths": [[{"name": "tea"}, {"name": "the left cupboard"}, {"name": "kitchen"}]],
            },
            "tea → the left cupboard → kitchen",
        ),
        ({"results": []}, None),
        (None, None),
    ],
)
def test_the_part_of_an_answer_that_holds_what_is_expected(answer: Any, line: str | None) -> None:
    assert found_in(answer, "the left cupboard") == line


def test_an_answer_without_what_was_expected_counts_as_missed() -> None:
    question = QUESTIONS[0]
    outcomes = [Outcome("first", question, found, 1.0) for found in ("03:15", None)]
    assert Session(outcomes=outcomes).missed() == 1
