"""Skills from a shell: listed, shown, compared and rolled back."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

FIRST = "How to restart the relay:\n1. Drain the queue.\n2. Stop the relay.\n"
BETTER = FIRST + "3. Start the relay.\n"


@pytest.fixture
def slug(command: Any, tmp_path: Path) -> str:
    for name, text in (("first.md", FIRST), ("better.md", BETTER)):
        (tmp_path / name).write_text(text)
        assert command("learn", str(tmp_path / name)).exit_code == 0
    (skill,) = json.loads(command("skills", "list", "--json").stdout)
    return str(skill["slug"])


def test_an_empty_store_says_so(command: Any) -> None:
    result = command("skills")
    assert (result.exit_code, result.stdout) == (0, "")
    assert "no skills yet" in result.stderr


def test_the_list_shows_the_newest_version(command: Any, slug: str) -> None:
    assert command("skills", "list").stdout.split("\t")[:2] == [slug, "2"]


def test_a_version_is_shown_as_its_file(command: Any, slug: str, home: Path) -> None:
    newest = command("skills", "show", slug).stdout
    assert newest == (home / "skills" / slug / "SKILL.md").read_text()
    assert "3. Start" not in command("skills", "show", slug, "1").stdout


def test_versions_are_compared(command: Any, slug: str) -> None:
    assert "+3. Start the relay" in command("skills", "diff", slug).stdout
    assert "-3. Start the relay" in command("skills", "diff", slug, "2", "1").stdout


def test_a_rollback_is_a_new_version(command: Any, slug: str) -> None:
    assert "is now version 3" in command("skills", "rollback", slug, "1").stdout
    assert "3. Start" not in command("skills", "show", slug).stdout


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["show"], 2, "needs the name of a skill"),
        (["show", "nothing"], 1, "no skill is called 'nothing'"),
        (["rollback", "nothing"], 2, "needs a version"),
        (["dance"], 2, "dance"),
    ],
)
def test_what_cannot_be_done_is_one_line(command: Any, words: list[str], code: int, message: str) -> None:
    result = command("skills", *words)
    assert result.exit_code == code
    assert message in result.stderr
    assert len(result.stderr.splitlines()) == 1
