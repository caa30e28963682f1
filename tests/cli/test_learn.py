"""Learning and importing from a shell."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from memory_server.cli import app as commands

TEXT = (
    "Plover uses SQLite. We decided to use Caddy instead of Nginx because it renews certificates by itself."
)


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    path = tmp_path / "notes.md"
    path.write_text(TEXT)
    return path


def test_files_are_learned_and_each_item_is_a_line(command: Any, notes: Path) -> None:
    result = command("learn", str(notes), "--source", "minutes")
    assert result.exit_code == 0, result.stderr
    lines = [line.split("\t") for line in result.stdout.splitlines()]
    assert lines[0][:2] == ["fact", "Plover uses SQLite"]
    assert lines[1][:2] == ["decision", "Caddy because it renews certificates by itself instead of Nginx"]
    assert "stored as durable (content" in result.stderr
    assert "minutes" in command("search", "Plover").stdout


def test_text_comes_through_a_pipe(command: Any) -> None:
    result = CliRunner().invoke(commands, ["learn", "--json"], input=TEXT.encode())
    answer = json.loads(result.stdout)
    assert answer["facts"][0]["item"]["object"] == "SQLite"
    assert answer["episode"]["characters"] == len(TEXT)


def test_a_dry_run_shows_all_and_stores_nothing(command: Any, notes: Path) -> None:
    shown = command("learn", str(notes), "--dry-run")
    assert "Plover uses SQLite" in shown.stdout
    assert "would be stored as durable" in shown.stderr
    assert command("search", "Plover").stdout == ""
    assert json.loads(command("learn", str(notes), "--dry-run", "--json").stdout)["dry_run"] is True


def test_what_is_not_kept_is_said_with_its_reason(command: Any, tmp_path: Path) -> None:
    path = tmp_path / "chat.txt"
    path.write_text("ok thanks")
    assert "not kept: small_talk" in command("learn", str(path)).stderr
    assert "stored as ephemeral" in command("learn", str(path), "--force").stderr


def test_a_file_that_cannot_be_read_does_not_keep_the_others_from_being_learned(
    command: Any, notes: Path, tmp_path: Path
) -> None:
    (tmp_path / "picture.png").write_bytes(b"\x89PNG\0\0")
    result = command("learn", str(tmp_path / "gone.md"), str(tmp_path / "picture.png"), str(notes))
    assert result.exit_code == 1
    assert "gone.md: No such file" in result.stderr
    assert "picture.png: this is no text" in result.stderr
    assert "Plover uses SQLite" in result.stdout


def test_a_long_file_is_learned_in_parts(command: Any, tmp_path: Path) -> None:
    path = tmp_path / "long.md"
    path.write_text(
        "\n\n".join(f"Paragraph {n} speaks of nothing in particular, at some length." for n in range(3500))
    )
    answers = json.loads(command("learn", str(path), "--json", "--dry-run").stdout)
    assert len(answers) == 2
    assert sum(answer["episode"]["characters"] for answer in answers) == len(path.read_text())


def test_a_memory_md_is_imported_through_admission(command: Any, tmp_path: Path) -> None:
    path = tmp_path / "MEMORY.md"
    path.write_text("# Memory\n\n- Plover uses SQLite.\n- ok\n")
    dry = command("import", "memory-md", str(path), "--dry-run")
    assert dry.stdout.startswith("would import 1 entries, 1 facts")
    assert "Plover uses SQLite" in dry.stdout
    (item,) = json.loads(command("import", "memory-md", str(path), "--dry-run", "--json").stdout)["items"]
    assert item == {"kind": "fact", "says": "Plover uses SQLite", "claim": 0.8}
    done = command("import", "memory-md", str(path))
    assert "not kept (small_talk): - ok" in done.stderr
    assert done.stdout.startswith("imported 1 entries, 1 facts")
    again = json.loads(command("import", "memory-md", str(path), "--json").stdout)
    assert (again["texts"], again["refused"][0]["reason_codes"]) == (0, ["small_talk"])
