"""Notes from a shell: stored, found, changed, listed, and taken over from ai-devkit."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from typer.testing import Result

Command = Callable[..., Result]

SAIL = (
    "Dry the sail before it is folded",
    "A sail that is folded while it is wet grows mould within a few days.",
)


@pytest.fixture(autouse=True)
def a_home_of_its_own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "user"))
    monkeypatch.setenv("MEMORY_SERVER_EMBEDDING", "none")


@pytest.fixture
def sail(command: Command) -> str:
    made = command(
        "knowledge", "store", "--title", SAIL[0], "--content", SAIL[1], "--tags", "boat, Sail ,boat"
    )
    assert made.exit_code == 0, made.stderr
    return str(json.loads(made.stdout)["id"])


def printed(result: Result) -> Any:
    assert result.exit_code == 0, result.stderr
    return json.loads(result.stdout)


def test_a_stored_note_is_found(command: Command, sail: str) -> None:
    found = printed(command("knowledge", "search", "-q", "wet sails", "-l", "2.9", "-s", "project:quay"))
    assert found == {
        "results": [
            {
                "id": sail,
                "title": SAIL[0],
                "content": SAIL[1],
                "tags": ["boat", "sail"],
                "scope": "global",
                "score": 0.2,
            }
        ],
        "totalMatches": 1,
        "query": "wet sails",
        "strategy": "strict",
    }


def test_a_note_is_changed_and_listed(command: Command, sail: str) -> None:
    printed(
        command("knowledge", "update", "--id", sail, "-t", "Dry every sail before folding", "--tags", "x,y")
    )
    listed = printed(command("knowledge", "list"))
    assert listed["total"] == 1
    assert listed["items"][0]["title"] == "Dry every sail before folding"
    assert listed["items"][0]["tags"] == ["x", "y"]
    assert printed(command("knowledge", "list", "--tags", "z"))["total"] == 0
    assert (
        printed(command("knowledge", "list", "-q", "mould", "-s", "GLOBAL", "--sort", "title-asc"))["total"]
        == 1
    )


@pytest.mark.parametrize(
    ("default", "words", "seen"),
    [
        (None, (), {"global", "project:app", "project:app2"}),
        (None, ("-s", "project:app"), {"project:app"}),
        (None, ("-s", "Project:APP "), {"project:app"}),
        ("project:app", (), {"global", "project:app"}),
        ("project:app", ("-s", "global"), {"global"}),
        ("project:app", ("-s", "all"), {"global", "project:app", "project:app2"}),
    ],
)
def test_notes_are_listed_in_sight_of_the_scope(
    command: Command,
    sail: str,
    monkeypatch: pytest.MonkeyPatch,
    default: str | None,
    words: tuple[str, ...],
    seen: set[str],
) -> None:
    for scope in ("project:app", "project:app2"):
        command("knowledge", "store", "-t", SAIL[0], "-c", SAIL[1], "-s", scope)
    if default is not None:
        monkeypatch.setenv("MEMORY_SERVER_SCOPE", default)
    listed = printed(command("knowledge", "list", *words))
    assert {note["scope"] for note in listed["items"]} == seen
    assert listed["total"] == len(seen)


@pytest.mark.parametrize("number", [10**6, 2**63, 10**40])
def test_a_list_takes_numbers_of_any_size(command: Command, sail: str, number: int) -> None:
    assert len(printed(command("knowledge", "list", "--limit", str(number)))["items"]) == 1
    assert printed(command("knowledge", "list", "--offset", str(number))) == {"items": [], "total": 1}


def test_tables_are_short(command: Command, sail: str) -> None:
    long = "A title that goes on and on until nobody can read it any more in a row"
    command("knowledge", "store", "-t", long, "-c", SAIL[1] + " Twice.", "-s", "repo:a/b")
    rows = command("knowledge", "search", "--query", "days", "--table").stdout.splitlines()
    assert f"{sail[:8]}\t{SAIL[0]}\tglobal" in rows
    (cut,) = [row for row in rows if "repo:a/b" in row]
    assert cut.split("\t")[1] == long[:57] + "..."
    assert command("knowledge", "list", "--table").stdout.count("\n") == 2
    assert "no notes" in command("knowledge", "search", "-q", "zzzz", "--table").stdout


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        (["store", "-t", "short", "-c", "tiny"], 1, "Title must be at least 10 characters; Content must be"),
        (["store", "-t", SAIL[0].upper(), "-c", SAIL[1]], 1, "similar title already exists"),
        (["store", "-t", "A comma at the end", "-c", "c" * 60, "--tags", "a,"], 1, 'Invalid tag ""'),
        (["store", "-t", "A title and no content"], 2, "--content"),
        (["search", "-q", "zz"], 1, "at least 3 characters"),
        (["search", "-q", "sail", "--limit", "abc"], 1, "Limit must be a positive number"),
        (["search", "-q", "sail", "--limit", "0"], 1, "Limit must be a positive number"),
        (["search"], 2, "--query"),
        (["update", "--id", "nope", "-t", SAIL[0]], 1, "not found: nope"),
        (["update", "--id", "nope", "--tags", ""], 1, "At least one field to update"),
        (["list", "--limit", "0"], 2, "--limit"),
        (["list", "--sort", "random"], 2, "--sort"),
        (["bogus"], 2, "bogus"),
    ],
)
def test_what_goes_wrong_is_told_in_one_line(
    command: Command, sail: str, words: list[str], code: int, says: str
) -> None:
    result = command("knowledge", *words)
    assert result.exit_code == code
    assert result.stdout == ""
    assert says in result.stderr
    assert result.stderr.count("\n") == 1


def test_help_is_shown_by_the_group_and_by_each(command: Command) -> None:
    assert "store" in command("knowledge").stdout
    for name in ("store", "search", "update", "list"):
        assert f"memory-server knowledge {name}" in command("knowledge", name, "--help").stdout


def their_notes(path: Path) -> None:
    path.parent.mkdir(parents=True)
    with closing(sqlite3.connect(path)) as database:
        database.execute(
            "CREATE TABLE knowledge (id TEXT PRIMARY KEY, title TEXT, content TEXT, tags TEXT, scope TEXT, "
            "normalized_title TEXT, content_hash TEXT, created_at TEXT, updated_at TEXT)"
        )
        database.execute("PRAGMA user_version = 1")
        for number, title in enumerate(("Coil every line clockwise", "")):
            database.execute(
                "INSERT INTO knowledge VALUES (?, ?, ?, '[]', 'global', '', ?, '2025-01-02', '2025-01-02')",
                (
                    f"their-{number}",
                    title,
                    f"A line that is coiled the other way kinks. {number}",
                    str(number),
                ),
            )
        database.commit()


def test_import_tells_what_is_new_known_and_refused(command: Command, tmp_path: Path) -> None:
    file = tmp_path / "theirs" / "memory.db"
    their_notes(file)
    done = command("import", "ai-devkit", str(file))
    assert done.exit_code == 0
    assert "1 new, 0 known, 1 refused" in done.stdout
    assert "their-1" in done.stderr
    assert "title is empty" in done.stderr
    again = printed(command("import", "ai-devkit", str(file), "--json"))
    assert (again["new"], again["known"], len(again["refused"])) == (0, 1, 1)
    assert printed(command("knowledge", "search", "-q", "coil lines"))["results"][0]["id"] == "their-0"


def test_import_knows_where_the_file_is(command: Command, tmp_path: Path) -> None:
    assert "there is no file" in command("import", "ai-devkit").stderr
    their_notes(tmp_path / "user" / ".ai-devkit" / "memory.db")
    assert "1 new" in command("import", "ai-devkit").stdout


def test_the_first_command_takes_over_what_is_there(command: Command, tmp_path: Path) -> None:
    their_notes(tmp_path / "user" / ".ai-devkit" / "memory.db")
    first = command("knowledge", "list", "--table")
    assert "Coil every line clockwise" in first.stdout
    assert "taken over" in first.stderr
    assert "taken over" not in command("knowledge", "list").stderr
    notes = json.loads(command("status", "--json").stdout)["notes"]
    assert any("1 new, 0 known, 1 refused" in note for note in notes)


def test_a_home_that_cannot_be_looked_into_is_told_of(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / ("h" * 300)))
    listed = command("knowledge", "list")
    assert printed(listed)["total"] == 0
    assert "were not taken over" in listed.stderr
    refused = command("import", "ai-devkit")
    assert (refused.exit_code, refused.stderr.count("\n")) == (1, 1)


def test_options_of_other_formats_are_refused(command: Command) -> None:
    assert command("import", "ai-devkit", "x.db", "--dry-run").exit_code == 2
    assert command("import", "ai-devkit", "x.db", "--scope", "global").exit_code == 2
    assert command("import", "memory-md").exit_code == 2
