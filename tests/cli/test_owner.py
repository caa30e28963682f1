"""An owner's commands: they show first, ask on a terminal, and do just what was shown."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from memory_server.cli import app as cli

Command = Callable[..., Result]


@pytest.fixture(autouse=True)
def no_vectors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMORY_SERVER_EMBEDDING", "none")


@pytest.fixture
def filled(command: Command) -> Command:
    for burnt, source in (("oak", "potter"), ("beech", "spam"), ("tyres", "spam")):
        command("remember", "kiln", "burns", burnt, "--source", source)
    return command


def shown(result: Result, code: int = 0) -> Any:
    assert result.exit_code == code, result.output
    return json.loads(result.stdout)


def objects(command: Command) -> set[str]:
    listed = shown(command("list", "--json"))["memories"]
    return {memory["text"].split()[-1] for memory in listed if memory["lifecycle_state"] == "candidate"}


def at_a_terminal(monkeypatch: pytest.MonkeyPatch, *words: str, answer: str) -> Result:
    monkeypatch.setattr("memory_server.cli.confirmed._is_terminal", lambda: True)
    return CliRunner().invoke(cli, list(words), input=answer)


def test_list_pages_and_filters(filled: Command) -> None:
    first = filled("list", "--limit", "2")
    assert "kiln burns tyres" in first.stdout and "oak" not in first.stdout
    cursor = first.stderr.strip().rpartition(" ")[2]
    assert "kiln burns oak" in filled("list", "--limit", "2", "--cursor", cursor).stdout
    assert "nothing matches" in filled("list", "--tag", "none").stderr


def test_list_tells_of_a_scope_in_which_nothing_is_stored(filled: Command) -> None:
    filled("remember", "kiln", "burns", "ash", "--scope", "project:pottery")
    listed = filled("list", "--scope", "project:potery")
    assert "kiln burns oak" in listed.stdout and "did you mean project:pottery?" in listed.stderr
    assert shown(filled("list", "--scope", "project:pottery", "--json"))["scope_note"] is None


def test_history_shows_a_whole_life(filled: Command) -> None:
    memory = shown(filled("list", "--json", "--limit", "1"))["memories"][0]
    assert filled("undo", memory["id"], "--yes").exit_code == 0
    told = filled("history", memory["id"]).stdout
    assert "kiln burns tyres" in told and "taken out: archived" in told
    assert filled("history", "nobody").exit_code == 1


@pytest.mark.parametrize("words", [("forget", "--source", "spam"), ("undo", "--source", "spam")])
def test_a_dry_run_changes_nothing_and_gives_the_confirmation(
    filled: Command, words: tuple[str, ...]
) -> None:
    dry = shown(filled(*words, "--dry-run", "--json"))
    assert (dry["dry_run"], dry["total"]) == (True, 2)
    assert "kiln burns tyres" in filled(*words, "--dry-run").stdout
    assert objects(filled) == {"oak", "beech", "tyres"}
    done = shown(filled(*words, "--confirm", dry["confirm"], "--json"))
    assert not done["dry_run"]
    assert objects(filled) == {"oak"}


@pytest.mark.parametrize("words", [("forget", "--source", "spam"), ("undo",), ("undo", "--source", "spam")])
def test_without_a_terminal_it_has_to_be_said_that_it_is_meant(
    filled: Command, words: tuple[str, ...]
) -> None:
    refused = filled(*words)
    assert refused.exit_code == 2
    assert "--dry-run" in refused.stderr and "--yes" in refused.stderr
    assert len(objects(filled)) == 3
    assert filled(*words, "--yes").exit_code == 0
    assert len(objects(filled)) < 3


def test_on_a_terminal_it_shows_what_is_meant_and_asks(
    filled: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    given_up = at_a_terminal(monkeypatch, "forget", "--source", "spam", answer="n\n")
    assert given_up.exit_code == 1
    assert "kiln burns tyres" in given_up.stderr and "Forget 2 for good?" in given_up.stderr
    assert objects(filled) == {"oak", "beech", "tyres"}
    done = at_a_terminal(monkeypatch, "forget", "--source", "spam", answer="y\n")
    assert done.exit_code == 0 and "forgot 2: 2 fact" in done.stdout
    assert objects(filled) == {"oak"}


@pytest.mark.parametrize("words", [("forget", "--source", "spam"), ("undo", "--source", "spam")])
def test_what_is_asked_on_a_terminal_does_not_mix_with_the_answer(
    filled: Command, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    done = at_a_terminal(monkeypatch, *words, "--json", answer="y\n")
    assert shown(done)["total"] == 2 and "kiln burns tyres" in done.stderr


def test_where_something_is_left_forget_fails_and_still_shows_where(
    filled: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memory_server.services.certificate.erasure.remains", lambda _connection: "a mark")
    left = shown(filled("forget", "--source", "spam", "--yes", "--json"), code=1)
    assert [check["where"] for check in left["certificate"]["checks"] if check["result"] == "found"] == [
        "files"
    ]


def test_forgetting_again_says_that_it_was_done_before(filled: Command) -> None:
    memory = shown(filled("list", "--json", "--limit", "1"))["memories"][0]
    filled("forget", memory["id"], "--yes")
    again = filled("forget", memory["id"], "--yes")
    assert again.exit_code == 0 and "it was forgotten before" in again.stderr


def test_forget_by_id_shows_it_first_too(filled: Command) -> None:
    memory = shown(filled("list", "--json", "--limit", "1"))["memories"][0]
    dry = shown(filled("forget", memory["id"], "--dry-run", "--json"))
    assert (dry["total"], dry["sample"][0]["text"]) == (1, "kiln burns tyres")
    done = shown(filled("forget", memory["id"], "--yes", "--json"))
    assert done["receipt"]["memory_id"] == memory["id"] and done["certificate"]["clean"]


def test_a_confirmation_of_something_else_is_one_line_and_exit_code_1(filled: Command) -> None:
    result = filled("forget", "--source", "spam", "--confirm", "nonsense")
    assert result.exit_code == 1
    assert result.stderr.count("\n") == 1 and "look again" in result.stderr


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        (("forget",), 2, "say what to forget"),
        (("forget", "--source", "nobody", "--yes"), 0, "nothing matches"),
        (("forget", "nobody", "--yes"), 1, "no memory with the id"),
        (("undo", "nobody", "--yes"), 1, "no memory and no receipt"),
        (("undo", "--source", "nobody", "--yes"), 0, "nothing to undo"),
        (("undo", "--since", "2026-01-01"), 2, "since goes with"),
    ],
)
def test_what_makes_no_sense_is_said(filled: Command, words: tuple[str, ...], code: int, says: str) -> None:
    result = filled(*words)
    assert result.exit_code == code
    assert says in result.stderr
