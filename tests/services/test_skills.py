"""Skills in versions: better ones replace, the same ones do not, and old ones can be brought back."""

from __future__ import annotations

import subprocess
import sys
from datetime import UTC, datetime

import pytest

from memory_server.app import MemoryApp
from memory_server.domain.errors import NotFound
from memory_server.services.context import get_context
from memory_server.services.forgetting import forget
from memory_server.services.learn import Learned, learn
from memory_server.services.lesson import Lesson
from memory_server.services.skills import (
    current_skills,
    roll_back,
    skill_diff,
    skill_version,
    skill_versions,
    sync_skills,
)
from memory_server.storage import receipts
from memory_server.storage.skills import SLUG, SLUG_LENGTH, slug_of

FIRST = "How to restart the relay:\n1. Drain the queue.\n2. Stop the relay.\n"
BETTER = FIRST + "3. Start the relay.\n\nVerify that the lamp is green."


def take(app: MemoryApp, text: str, source: str = "user") -> Learned:
    return learn(app, Lesson(text, source=source))


def slug_in(app: MemoryApp) -> str:
    (skill,) = current_skills(app)
    return skill.slug


def test_a_better_version_replaces_and_the_old_one_stays_readable(app: MemoryApp) -> None:
    first = take(app, FIRST).skills[0].memory
    second = take(app, BETTER).skills[0].memory
    assert (first.version, second.version, second.replaces_id) == (1, 2, first.id)
    old, new = skill_versions(app, first.slug)
    assert old.valid_to is not None
    assert old.superseded_by == new.id
    assert new.valid_to is None
    with app.database.read() as connection:
        assert receipts.of(connection, old.id)[-1].history[0].startswith("closed: replaced by")


def test_context_shows_the_newest_version_only(app: MemoryApp) -> None:
    take(app, FIRST)
    second = take(app, BETTER).skills[0].memory
    related = [
        item["id"] for item in get_context(app, "restart the relay").related if item["memory_type"] == "skill"
    ]
    assert related == [second.id]


def test_the_same_skill_in_other_words_around_it_is_no_new_version(app: MemoryApp) -> None:
    take(app, FIRST)
    again = take(app, f"Notes from Tuesday.\n\n{FIRST}", source="ana").skills[0]
    assert not again.is_new
    assert (again.memory.version, again.memory.source_count) == (1, 2)


def test_an_old_text_does_not_bring_its_version_back(app: MemoryApp) -> None:
    take(app, FIRST)
    take(app, BETTER)
    assert take(app, FIRST).skills[0].memory.version == 1
    assert len(skill_versions(app, slug_in(app))) == 2


def test_two_versions_can_be_compared(app: MemoryApp) -> None:
    take(app, FIRST)
    take(app, BETTER)
    lines = skill_diff(app, slug_in(app)).splitlines()
    assert "+3. Start the relay" in lines
    assert skill_diff(app, slug_in(app), 1, 1) == ""


def test_a_rollback_is_a_new_version_with_the_old_content(app: MemoryApp) -> None:
    first = take(app, FIRST).skills[0].memory
    take(app, BETTER)
    added = roll_back(app, first.slug, 1)
    assert added.skill.version == 3
    assert added.skill.steps == first.steps
    assert added.receipt.history == (
        f"stored as version 3; replaces {skill_versions(app, first.slug)[1].id}",
        f"rolled back to version 1, which is {first.id}",
    )
    assert [skill.version for skill in current_skills(app)] == [3]


def test_files_follow_each_version(app: MemoryApp) -> None:
    take(app, FIRST)
    take(app, BETTER)
    roll_back(app, slug_in(app), 1)
    log = subprocess.run(
        ["git", "-C", str(app.settings.skills_path), "log", "--format=%s"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert log.splitlines() == [f"{slug_in(app)} version {number}" for number in (3, 2, 1)]


def test_files_that_were_lost_are_made_again(app: MemoryApp) -> None:
    import shutil

    take(app, FIRST)
    shutil.rmtree(app.settings.skills_path)
    assert sync_skills(app) is None
    assert (app.settings.skills_path / slug_in(app) / "SKILL.md").exists()


def test_without_git_everything_else_works_and_one_note_says_so(
    app: MemoryApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "git", None)
    learned = take(app, FIRST)
    take(app, BETTER)
    assert learned.degraded == ("skills are not kept as files: git is not installed",)
    assert app.notes.count("skills are not kept as files: git is not installed") == 1
    assert [skill.version for skill in skill_versions(app, slug_in(app))] == [1, 2]


def test_a_store_without_skills_has_no_repository(app: MemoryApp) -> None:
    assert sync_skills(app) is None
    assert not app.settings.skills_path.exists()


def test_what_is_not_there_is_named_with_what_is(app: MemoryApp) -> None:
    with pytest.raises(NotFound, match="there are none yet"):
        skill_versions(app, "nothing")
    take(app, FIRST)
    with pytest.raises(NotFound, match=slug_in(app)):
        skill_versions(app, "nothing")
    with pytest.raises(NotFound, match="has no version 7; there are 1"):
        skill_version(app, slug_in(app), 7)


@pytest.mark.parametrize(
    ("name", "slug"),
    [
        ("Deploy Docker", "deploy-docker"),
        ("build C++ code", "build-c-plus-plus-code"),
        ("build C# code", "build-c-sharp-code"),
        ("  crème   brûlée ", "creme-brulee"),
        ("a--b__c", "a-b-c"),
    ],
)
def test_a_slug_reads_like_the_name(name: str, slug: str) -> None:
    assert slug_of(name) == slug


@pytest.mark.parametrize(
    "name", ["部署", "перезапуск реле", "🚀", "x" * 200, "-", "деплой docker", "../../etc/passwd"]
)
def test_any_name_has_a_slug_that_is_a_folder(name: str) -> None:
    slug = slug_of(name)
    assert SLUG.fullmatch(slug)
    assert len(slug) <= SLUG_LENGTH


def test_names_that_lose_letters_stay_apart() -> None:
    names = ["部署", "测试", "x" * 100, "x" * 101, "деплой docker", "запуск docker"]
    assert len({slug_of(name) for name in names}) == len(names)


def test_a_forgotten_skill_is_in_no_file_and_in_no_history(app: MemoryApp) -> None:
    take(app, FIRST)
    skill = take(app, BETTER).skills[0].memory
    forget(app, skill.id, datetime.now(UTC))
    folder = app.settings.skills_path
    shown = subprocess.run(
        ["git", "-C", str(folder), "log", "-p"], capture_output=True, text=True, check=True
    ).stdout
    assert "Start the relay" not in shown
    assert "Start the relay" not in (folder / skill.slug / "SKILL.md").read_text()
