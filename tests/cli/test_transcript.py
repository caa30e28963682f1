"""Talks are imported from the shell."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

Command = Callable[..., Result]

LINES = [
    {
        "id": "1",
        "text": "Shall we paint the gate?",
        "session": "yard",
        "speaker": "Ines",
        "ts": "2026-03-09T10:00:00Z",
    },
    {
        "id": 2,
        "text": "Yes, in dark green.",
        "session": "yard",
        "speaker": "Tomas",
        "ts": "2026-03-09T10:00:00+01:00",
    },
    {"text": "The brush is in the barn."},
]


@pytest.fixture(autouse=True)
def no_vectors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMORY_SERVER_EMBEDDING", "none")


@pytest.fixture
def talk(tmp_path: Path) -> Path:
    path = tmp_path / "yard talk.jsonl"
    path.write_text("\n".join(json.dumps(line) for line in LINES) + "\n\n", "utf-8")
    return path


def test_a_transcript_is_imported_once_and_found(command: Command, talk: Path) -> None:
    assert command("import", "transcript", str(talk)).stdout == "imported 3 turns\n"
    assert command("import", "transcript", str(talk)).stdout == "imported 0 turns (3 known)\n"
    found = json.loads(command("context", "which colour for the gate, green?", "--json").stdout)
    assert {item["text"] for item in found["related"]} >= {"Tomas: Yes, in dark green."}


def test_the_counts_come_as_json(command: Command, talk: Path) -> None:
    counts = json.loads(command("import", "transcript", str(talk), "--json").stdout)
    assert counts == {"new": 3, "known": 0, "empty": 0, "refused": 0}


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("{", "line 1 is no JSON"),
        ("[]", "line 1 must be an object with a text"),
        ('{"text": 3}', "line 1 must be an object with a text"),
        ('{"text": "a", "ts": "yesterday"}', "line 1 has a ts that is no RFC 3339 time"),
        ('{"text": "a", "speaker": ["b"]}', "line 1 has a speaker that is no text"),
        ('{"text": "a", "session": "' + "s" * 600 + '"}', "line 1 has a session of more than 512 characters"),
        ('{"text": "' + "a" * 200_001 + '"}', "line 1 has a text of more than 200000 characters"),
    ],
)
def test_a_line_that_is_no_turn_is_named(command: Command, tmp_path: Path, line: str, told: str) -> None:
    path = tmp_path / "talk.jsonl"
    path.write_text(line + "\n", "utf-8")
    result = command("import", "transcript", str(path))
    assert result.exit_code == 2
    assert told in result.stderr


@pytest.mark.parametrize("option", ["--dry-run", "--force", "--extract-beliefs"])
def test_options_of_other_formats_are_refused(command: Command, talk: Path, option: str) -> None:
    result = command("import", "transcript", str(talk), option)
    assert result.exit_code == 2
    assert "memory-md" in result.stderr


def test_a_file_that_is_not_there_is_named(command: Command) -> None:
    result = command("import", "transcript", "no-such-file.jsonl")
    assert result.exit_code == 1
    assert "no-such-file.jsonl" in result.stderr
