"""A run is kept as JSON Lines and read back as it was."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from memory_server.benchmarks.traces import read_trace, write_trace
from memory_server.domain.errors import InvalidArgument

HEADER = {"dataset": {"name": "longmemeval"}}
ROWS = [{"kind": "question", "id": name} for name in ("1", "2")]


def test_what_is_written_is_handed_on_and_read_back(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    assert list(write_trace(path, HEADER, ROWS)) == ROWS
    assert [json.loads(line)["kind"] for line in path.read_text("utf-8").splitlines()] == [
        "header",
        "question",
        "question",
    ]
    trace = read_trace(path)
    assert trace.rows == ROWS
    assert trace.header["dataset"] == {"name": "longmemeval"}


def test_a_run_that_breaks_off_leaves_what_it_had(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    coming = write_trace(path, HEADER, ROWS)
    next(coming)
    assert read_trace(path).rows == ROWS[:1]


def test_a_run_that_cannot_begin_leaves_the_one_before_it(tmp_path: Path) -> None:
    def broken() -> Iterator[dict[str, Any]]:
        yield from ROWS[:0]
        raise InvalidArgument("this is no data set")

    path = tmp_path / "run.jsonl"
    list(write_trace(path, HEADER, ROWS))
    with pytest.raises(InvalidArgument):
        list(write_trace(path, HEADER, broken()))
    assert read_trace(path).rows == ROWS
    list(write_trace(path, HEADER, ROWS[:1]))
    assert read_trace(path).rows == ROWS[:1]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "was not written by"),
        ('{"a": 1}', "was not written by"),
        ("[]", "was not written by"),
        ("{", "line 1 is no JSON"),
    ],
)
def test_another_file_is_refused(text: str, told: str, tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    path.write_text(text, "utf-8")
    with pytest.raises(InvalidArgument, match=told):
        read_trace(path)
