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


@pytest.fixture
def scoped(command: Any, tmp_path: Path) -> Any:
    """The same skill in three scopes and another one in a fourth."""
    for number, scope in enumerate(("global", "project:app", "repo:org/app")):
        (tmp_path / "steps.md").write_text(FIRST + f"3. Ring {number + 1} times.\n")
        assert command("learn", str(tmp_path / "steps.md"), "--scope", scope).exit_code == 0
    (tmp_path / "steps.md").write_text(FIRST.replace("relay", "mast"))
    assert command("learn", str(tmp_path / "steps.md"), "--scope", "project:app2").exit_code == 0
    return command


def scopes_listed(result: Any) -> list[str]:
    return sorted(line.split("\t")[5] for line in result.stdout.splitlines())


def test_skills_are_listed_in_sight_of_the_scope(scoped: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    assert len(scopes_listed(scoped("skills"))) == 4
    assert scopes_listed(scoped("skills", "--scope", "project:app")) == ["global", "project:app"]
    monkeypatch.setenv("MEMORY_SERVER_SCOPE", "project:app2")
    assert scopes_listed(scoped("skills")) == ["global", "project:app2"]
    assert len(scopes_listed(scoped("skills", "--scope", "all"))) == 4


@pytest.mark.parametrize(
    ("scope", "says"),
    [
        ((), "Ring 1 times"),
        (("--scope", "global"), "Ring 1 times"),
        (("--scope", "project:app"), "Ring 2 times"),
        (("--scope", "repo:org/app"), "Ring 3 times"),
        (("--scope", "project:elsewhere"), "Ring 1 times"),
    ],
)
def test_a_skill_is_shown_as_it_is_nearest(scoped: Any, scope: tuple[str, ...], says: str) -> None:
    assert says in scoped("skills", "show", "restart-the-relay", *scope).stdout


def test_a_skill_of_one_project_alone_is_shown_compared_and_rolled_back(
    scoped: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "steps.md").write_text(BETTER.replace("relay", "mast"))
    scoped("learn", str(tmp_path / "steps.md"), "--scope", "project:app2")
    name = "restart-the-mast"
    assert "3. Start the mast" in scoped("skills", "show", name).stdout
    assert "+3. Start the mast" in scoped("skills", "diff", name, "--scope", "project:app2").stdout
    monkeypatch.setenv("MEMORY_SERVER_SCOPE", "project:app")
    hidden = scoped("skills", "rollback", name, "1")
    assert (hidden.exit_code, "there are restart-the-relay" in hidden.stderr) == (1, True)
    assert name not in hidden.stderr.partition(":")[2].partition(":")[2]
    monkeypatch.setenv("MEMORY_SERVER_SCOPE", "project:app2")
    assert "is now version 3" in scoped("skills", "rollback", name, "1").stdout
    (skill,) = [one for one in json.loads(scoped("skills", "--json").stdout) if one["slug"] == name]
    assert (skill["version"], skill["scope"]) == (3, "project:app2")


def test_where_only_several_projects_have_a_skill_they_are_named(scoped: Any, tmp_path: Path) -> None:
    (tmp_path / "steps.md").write_text(FIRST.replace("relay", "mast"))
    scoped("learn", str(tmp_path / "steps.md"), "--scope", "repo:org/app")
    result = scoped("skills", "show", "restart-the-mast")
    assert result.exit_code == 2
    assert "project:app2, repo:org/app" in result.stderr
