"""Scopes from a shell: as an option of a command, from the environment, and when they are wrong."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest


def found(command: Any, *words: str) -> list[str]:
    result = command("search", "mill", *words, "--json")
    assert result.exit_code == 0, result.stderr
    return sorted(fact["object"] for fact in json.loads(result.stdout)["results"])


@pytest.fixture
def stored(command: Any) -> Any:
    assert command("remember", "mill", "stands_by", "the river").exit_code == 0
    assert command("remember", "mill", "stands_by", "the lake", "--scope", "project:app").exit_code == 0
    assert command("remember", "mill", "stands_by", "the sea", "--scope", "project:app2").exit_code == 0
    return command


def test_a_search_names_its_scope_or_takes_that_of_the_environment(
    stored: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert found(stored) == ["the lake", "the river", "the sea"]
    assert found(stored, "--scope", "project:app") == ["the lake", "the river"]
    assert found(stored, "--scope", "global") == ["the river"]
    monkeypatch.setenv("MEMORY_SERVER_SCOPE", "project:app2")
    assert found(stored) == ["the river", "the sea"]
    assert found(stored, "--scope", "all") == ["the lake", "the river", "the sea"]


def test_a_scope_in_which_nothing_is_stored_is_told_of_beside_the_results(stored: Any) -> None:
    result = stored("search", "mill", "--scope", "project:ap")
    assert "the river" in result.stdout
    assert "did you mean project:app or project:app2?" in result.stderr


@pytest.mark.parametrize(
    "words",
    [
        ("search", "mill"),
        ("context", "the mill"),
        ("reflect",),
        ("remember", "mill", "is", "old"),
        ("learn", "notes.md"),
        ("import", "memory-md", "notes.md"),
        ("import", "transcript", "talk.jsonl"),
        ("knowledge", "list"),
        ("skills", "list"),
    ],
    ids=lambda words: " ".join(words[:2]),
)
def test_a_wrong_scope_is_wrong_usage_of_every_command_that_takes_one(
    command: Any, words: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("notes.md").write_text("- The mill stands by the river.\n")
    Path("talk.jsonl").write_text('{"text": "The mill stands by the river."}\n')
    result = command(*words, "--scope", "team:red")
    assert result.exit_code == 2
    assert "project:<name>" in result.stderr
    assert result.stderr.count("\n") == 1
    assert json.loads(command("search", "mill", "--json").stdout)["total"] == 0


@pytest.mark.parametrize(
    "words",
    [("learn", "notes.md"), ("import", "memory-md", "notes.md"), ("import", "transcript", "talk.jsonl")],
    ids=" ".join,
)
def test_what_is_learned_and_imported_belongs_to_the_scope(
    command: Any, words: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("notes.md").write_text("- The mill stands by the river.\n")
    Path("talk.jsonl").write_text('{"text": "The mill stands by the river."}\n')
    assert command(*words, "--scope", "repo:acme/mill").exit_code == 0
    own = command("context", "where does the mill stand", "--scope", "repo:acme/mill")
    other = command("context", "where does the mill stand", "--scope", "project:mill")
    assert "river" in own.stdout
    assert "river" not in other.stdout


def test_a_wrong_scope_in_the_environment_is_told_of_in_one_line(
    command: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEMORY_SERVER_SCOPE", "everywhere")
    result = command("search", "mill")
    assert result.exit_code == 1
    assert result.stderr.count("\n") == 1
    assert "MEMORY_SERVER_SCOPE" in result.stderr
