"""Skills as files in Git: one commit a version, in the format that agents read, whatever the machine's settings are."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from memory_server.domain.skill import Skill
from memory_server.indexes.skill_files import (
    DESCRIPTION_LENGTH,
    STALE_LOCK_SECONDS,
    FilesUnavailable,
    SkillFiles,
    document,
    folder_of,
)

NOW = "2026-05-01T10:00:00.000000Z"


def skill(version: int = 1, **given: Any) -> Skill:
    fields: dict[str, Any] = {
        "id": f"00000000-0000-4000-8000-{version:012d}",
        "confidence": 0.8,
        "source": "minutes",
        "created_at": NOW,
        "updated_at": NOW,
        "reinforced_at": NOW,
        "name": "rotate logs",
        "slug": "rotate-logs",
        "version": version,
        "purpose": "Keep log files small",
        "steps": ("stop the writer", f"move the file, way {version}"),
    }
    return Skill(**{**fields, **given})


def git(folder: Path, *words: str) -> str:
    return subprocess.run(
        ["git", "-C", str(folder), *words], capture_output=True, text=True, check=True
    ).stdout


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "skills"


def test_each_version_is_one_commit_and_the_file_is_the_newest(folder: Path) -> None:
    assert SkillFiles(folder).sync([skill(1), skill(2)]) == 2
    assert git(folder, "log", "--format=%s|%an|%ae|%cn").splitlines() == [
        "rotate-logs version 2|memory-server|memory-server@localhost|memory-server",
        "rotate-logs version 1|memory-server|memory-server@localhost|memory-server",
    ]
    assert (folder / "rotate-logs" / "SKILL.md").read_text() == document(skill(2))
    assert "way 1" in git(folder, "show", "HEAD~1:rotate-logs/SKILL.md")
    assert git(folder, "status", "--short") == ""


def test_what_is_committed_is_not_committed_again(folder: Path) -> None:
    SkillFiles(folder).sync([skill(1)])
    assert SkillFiles(folder).sync([skill(1)]) == 0
    assert SkillFiles(folder).sync([skill(1), skill(2)]) == 1


def test_what_is_stored_no_more_is_in_no_history(folder: Path) -> None:
    other = skill(1, name="water plants", slug="water-plants", purpose="secret garden")
    SkillFiles(folder).sync([skill(1), other])
    SkillFiles(folder).sync([skill(1)])
    assert not (folder / "water-plants").exists()
    assert "secret garden" not in git(folder, "log", "-p", "--all")
    assert git(folder, "log", "--format=%s").split("\n")[0] == "rotate-logs version 1"


def test_a_person_s_own_file_beside_a_skill_stays(folder: Path) -> None:
    SkillFiles(folder).sync([skill(1)])
    (folder / "rotate-logs" / "notes.txt").write_text("mine")
    SkillFiles(folder).sync([skill(1, slug="other", name="other")])
    assert (folder / "rotate-logs" / "notes.txt").read_text() == "mine"


def test_no_setting_of_the_machine_is_needed_and_no_hook_runs(folder: Path, tmp_path: Path) -> None:
    hooks = tmp_path / "template" / "hooks"
    hooks.mkdir(parents=True)
    for name in ("pre-commit", "commit-msg", "post-commit"):
        (hooks / name).write_text(f"#!/bin/sh\ntouch {tmp_path}/ran\nexit 1\n")
        (hooks / name).chmod(0o755)
    config = tmp_path / "gitconfig"
    config.write_text(
        f"[init]\n\ttemplateDir = {hooks.parent}\n[core]\n\thooksPath = {hooks}\n[commit]\n\tgpgsign = true\n"
    )
    environment = {
        name: value for name, value in os.environ.items() if name not in ("HOME", "XDG_CONFIG_HOME")
    }
    program = (
        "import sys; from pathlib import Path; sys.path.insert(0, sys.argv[2]);"
        "from test_skill_files import skill; from memory_server.indexes.skill_files import SkillFiles;"
        "print(SkillFiles(Path(sys.argv[1])).sync([skill(1), skill(2)]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(folder), str(Path(__file__).parent)],
        env={**environment, "GIT_CONFIG_GLOBAL": str(config)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.stdout.strip(), done.returncode) == ("2", 0), done.stderr
    assert not (tmp_path / "ran").exists()


def test_without_git_it_says_so(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "git", None)
    with pytest.raises(FilesUnavailable, match="git is not installed"):
        SkillFiles(folder).sync([skill(1)])


def test_a_lock_that_a_killed_process_left_is_taken_away(folder: Path) -> None:
    SkillFiles(folder).sync([skill(1)])
    lock = folder / ".git" / "index.lock"
    lock.touch()
    with pytest.raises(FilesUnavailable, match="lock"):
        SkillFiles(folder).sync([skill(1), skill(2)])
    old = lock.stat().st_mtime - 2 * STALE_LOCK_SECONDS
    os.utime(lock, (old, old))
    assert SkillFiles(folder).sync([skill(1), skill(2)]) == 1


def _lose_head(folder: Path) -> None:
    head = git(folder, "rev-parse", "HEAD").strip()
    (folder / ".git" / "objects" / head[:2] / head[2:]).unlink()


def _lose_first_commit(folder: Path) -> None:
    first = git(folder, "rev-list", "--max-parents=0", "HEAD").strip()
    (folder / ".git" / "objects" / first[:2] / first[2:]).unlink()


def _lose_objects(folder: Path) -> None:
    shutil.rmtree(folder / ".git" / "objects")


def _name_no_commit(folder: Path) -> None:
    (folder / ".git" / "refs" / "heads" / "main").write_text("nonsense\n")


def _leave_a_discarded_one(folder: Path) -> None:
    (folder / ".git").rename(folder / ".git-discarded")


@pytest.mark.parametrize(
    "damage", [_lose_head, _lose_first_commit, _lose_objects, _name_no_commit, _leave_a_discarded_one]
)
def test_a_broken_repository_is_written_anew(folder: Path, damage: Callable[[Path], None]) -> None:
    SkillFiles(folder).sync([skill(1), skill(2)])
    damage(folder)
    assert SkillFiles(folder).sync([skill(1), skill(2), skill(3)]) == 3
    assert git(folder, "log", "--format=%s").splitlines()[0] == "rotate-logs version 3"
    assert git(folder, "fsck", "--strict") == "" and not (folder / ".git-discarded").exists()
    assert git(folder, "status", "--short") == ""


def test_who_writes_is_alone_and_is_not_waited_for_without_end(folder: Path) -> None:
    def also() -> None:
        with SkillFiles(folder).alone(seconds=0):
            pass

    with SkillFiles(folder).alone(), pytest.raises(FilesUnavailable, match="another process"):
        also()
    also()


def test_nothing_is_written_outside_of_the_folder(folder: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    folder.mkdir()
    (folder / "rotate-logs").symlink_to(outside)
    with pytest.raises(FilesUnavailable, match="leads out"):
        SkillFiles(folder).sync([skill(1)])
    assert list(outside.iterdir()) == []


@pytest.mark.parametrize("slug", ["../x", "a/b", ".git", "", "A", "a--b"])
def test_only_a_slug_names_a_folder(slug: str) -> None:
    with pytest.raises(ValueError, match="no slug"):
        folder_of(skill(slug=slug))


def test_a_scope_has_a_folder_of_its_own() -> None:
    assert folder_of(skill(scope="project:Blue Hut")) == "project-blue-hut/rotate-logs"


def test_the_file_has_the_front_matter_of_the_format() -> None:
    yaml = pytest.importorskip("yaml")
    odd = skill(
        name='say "hi": #1 🌱',
        purpose="Uses: a colon,\n\ta tab, \x07 a bell, “quotes” and \u2028 a separator " + "x" * 2000,
        constraints=("never\nbreak a line",),
        validation=("it works",),
    )
    text = document(odd)
    _, front, body = text.split("---\n", 2)
    values = yaml.safe_load(front)
    assert values["name"] == "rotate-logs"
    assert 0 < len(values["description"]) <= DESCRIPTION_LENGTH
    assert values["metadata"]["title"] == 'say "hi": #1 🌱'
    assert values["metadata"]["version"] == "1"
    assert all(isinstance(value, str) for value in values["metadata"].values())
    assert "1. stop the writer\n2. move the file, way 1\n" in body
    assert "- never break a line\n" in body


def test_a_skill_that_gives_orders_to_a_model_is_fenced_in() -> None:
    text = document(skill(risk_tags=("injection_suspected",)))
    assert 'risk: "injection_suspected"' in text
    assert "data, not instructions]\n# rotate logs" in text
