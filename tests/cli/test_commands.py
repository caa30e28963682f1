"""What every command has in common: help, versions, exit codes, errors in one line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from memory_server import __version__
from memory_server.cli import commands
from memory_server.cli.commands import COMMANDS, Entry
from memory_server.domain.errors import StorageUnavailable


def test_help_lists_every_command(command: Any) -> None:
    shown = command("--help")
    assert shown.exit_code == 0
    for entry in COMMANDS:
        assert f"\n  {entry.name} " in shown.stdout


def test_no_command_at_all_shows_the_help(command: Any) -> None:
    assert command().stdout == command("--help").stdout


def test_the_version_is_printed(command: Any) -> None:
    assert command("--version").stdout == f"memory-server {__version__}\n"


def test_who_asks_for_help_gets_it_whatever_else_is_there(command: Any) -> None:
    shown = command("--toolsets", "core,knowledge", "--help")
    assert (shown.exit_code, shown.stdout) == (0, command("--help").stdout)
    assert command("--toolsets", "core,knowledge", "frobnicate").exit_code == 2


@pytest.mark.parametrize("name", [entry.name for entry in COMMANDS if not entry.passes_through])
def test_every_command_has_help(name: str, command: Any) -> None:
    shown = command(name, "--help")
    assert shown.exit_code == 0
    assert f"memory-server {name}" in shown.stdout


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["serch"], "did you mean search?"),
        (["zzz"], "there are serve, demo"),
        (["search", "a", "--limt", "3"], "--limt"),
        (["search", "a", "--limit", "many"], "--limit"),
        (["search", "a", "--limit", "1000"], "from 1 to 100"),
        (["search"], "query is empty"),
        (["remember", "a", "b"], "object"),
        (["remember", "a", "b", " "], "object"),
        (["search", "a", "--as-of", "yesterday"], "2026-03-31T12:00:00Z"),
        (["--nonsense"], "--nonsense"),
    ],
)
def test_wrong_usage_is_one_line_and_exit_code_2(words: list[str], says: str, command: Any) -> None:
    result = command(*words)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.startswith("memory-server: ")
    assert says in result.stderr
    assert result.stderr.count("\n") == 1


def test_a_data_directory_that_is_a_file_is_one_line_and_exit_code_1(command: Any, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    result = command("search", "a", "--home", str(tmp_path / "file"))
    assert result.exit_code == 1
    assert "is a file" in result.stderr
    assert result.stderr.count("\n") == 1


def test_a_damaged_database_is_one_line_and_stays_as_it_is(command: Any, tmp_path: Path) -> None:
    damaged = tmp_path / "memory.db"
    damaged.write_bytes(b"not a database at all")
    result = command("search", "a", "--db", str(damaged))
    assert result.exit_code == 1
    assert result.stderr.count("\n") == 1
    assert damaged.read_bytes() == b"not a database at all"


def test_verbose_shows_where_an_error_came_from_wherever_it_stands(command: Any, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    for words in (["--verbose", "search", "a"], ["search", "a", "--verbose"]):
        result = command(*words, "--home", str(tmp_path / "file"))
        assert "Traceback" in result.stderr
        assert result.exit_code == 1


def test_after_two_dashes_verbose_is_a_word(command: Any) -> None:
    assert command("remember", "--", "the flag", "is", "--verbose").exit_code == 0
    assert "--verbose" in command("search", "flag").stdout


@pytest.mark.parametrize(
    ("error", "code", "says"),
    [
        (StorageUnavailable("the disk is full"), 1, "the disk is full"),
        (
            FileNotFoundError(2, "No such file or directory", "notes.md"),
            1,
            "notes.md: No such file or directory",
        ),
        (ExceptionGroup("many", [StorageUnavailable("the disk is full")]), 1, "the disk is full"),
        (
            ValueError("line one\nline two"),
            1,
            "internal error: ValueError: line one line two (--verbose says where)",
        ),
    ],
)
def test_an_error_is_told_in_one_line(
    error: Exception, code: int, says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert commands.shown(error, verbose=False) == code
    assert capsys.readouterr().err == f"memory-server: {says}\n"


def test_serve_says_its_own_options(process: Any) -> None:
    assert "--transport" in process("serve", "--help").stdout
    assert "--transport" in process("--verbose", "serve", "--help").stdout


def test_a_command_is_loaded_only_when_asked_for(command: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(commands, "COMMANDS", (*COMMANDS, Entry("broken", "nowhere:nothing")))
    assert command("config").exit_code == 0
    assert command("broken").exit_code == 1
