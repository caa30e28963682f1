"""Skills as files in a Git repository, for any agent that reads the Agent Skills format; derived data."""

from __future__ import annotations

import logging
import re
import shutil
import stat
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from memory_server.domain.memory import parse_time
from memory_server.domain.skill import Skill
from memory_server.indexes.file_lock import locked
from memory_server.policies.text import cut
from memory_server.policies.trust import delimit

log = logging.getLogger(__name__)

AUTHOR = ("memory-server", "memory-server@localhost")
FILE = "SKILL.md"
BRANCH = "main"
DESCRIPTION_LENGTH = 1024
"""The format's limit."""
STALE_LOCK_SECONDS = 60.0
"""A lock of the repository that is older was left behind by a process that was killed."""
PATIENCE_SECONDS = 30.0
"""How long another process that writes is waited for."""

_SLUG = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_COMMITTED = re.compile(r"(?P<folder>[a-z0-9/-]+) version (?P<version>\d+)")
_UNPRINTABLE = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff\ud800-\udfff]")
_NO_PARAGRAPH = re.compile(r"\s*[\r\n]\s*")


class FilesUnavailable(Exception):
    """The repository cannot be written now; the text says why."""


class SkillFiles:
    """The repository `<folder>/<slug>/SKILL.md`, one commit a version of a skill."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def exists(self) -> bool:
        """Whether there is a repository yet."""
        return (self.folder / ".git").exists()

    @contextmanager
    def alone(self, seconds: float = PATIENCE_SECONDS) -> Iterator[None]:
        """Held while skills are read and written: two who write at once would break the repository.

        Raises:
            FilesUnavailable: another process has been writing for so long.
        """
        with ExitStack() as held:
            try:
                held.enter_context(locked(self.folder, seconds))
            except OSError as error:
                raise FilesUnavailable(f"{type(error).__name__}: {error}") from error
            yield

    def sync(self, skills: Sequence[Skill]) -> int:
        """Commits every version that is not committed yet; gives their number. Others must not do so meanwhile.

        A repository that holds what is stored no more is written anew: what was forgotten is in no history. So is one
        that is broken, as a killed process or a lost disk block leaves it.

        Args:
            skills: all versions of all skills, in the order in which they came.

        Raises:
            FilesUnavailable: git is missing, the repository is locked, or the disk cannot be written.
        """
        git = _git()
        try:
            wanted = {(folder_of(skill), skill.version) for skill in skills}
            # what a rewriting that was killed has left
            shutil.rmtree(self._discarded, ignore_errors=True)
            repository = self._sound(git, skills)
            try:
                done = _committed(repository)
                if not done <= wanted:
                    repository.close()
                    self._clear({folder for folder, _ in done})
                    repository, done = self._opened(git), set()
                return self._commit(repository, [s for s in skills if (folder_of(s), s.version) not in done])
            finally:
                repository.close()
        except (git.exc.GitError, OSError, ValueError) as error:
            raise FilesUnavailable(f"{type(error).__name__}: {_first_line(error)}") from error

    @property
    def _discarded(self) -> Path:
        return self.folder / ".git-discarded"

    def _sound(self, git: Any, skills: Sequence[Skill]) -> Any:
        """The repository; a new one in place of one whose history cannot be read."""
        try:
            repository = self._opened(git)
            try:
                _committed(repository)
            except BaseException:
                repository.close()
                raise
        except (git.exc.GitError, OSError, ValueError) as error:
            if not self.exists():
                raise
            log.warning(
                "the repository %s is broken and is written anew: %s", self.folder, _first_line(error)
            )
            self._clear({folder_of(skill) for skill in skills})
            return self._opened(git)
        return repository

    def _opened(self, git: Any) -> Any:
        if not self.exists():
            self.folder.mkdir(parents=True, exist_ok=True)
            self.folder.chmod(stat.S_IRWXU)
            # no template: a person's hooks are not ours to run
            git.Git(self.folder).init("--quiet", "--template=", f"--initial-branch={BRANCH}")
        lock = self.folder / ".git" / "index.lock"
        if lock.exists() and time.time() - lock.stat().st_mtime > STALE_LOCK_SECONDS:
            lock.unlink(missing_ok=True)
        return git.Repo(self.folder, search_parent_directories=False)

    def _clear(self, folders: Iterable[str]) -> None:
        # at once, so that nobody finds half a repository
        (self.folder / ".git").rename(self._discarded)
        shutil.rmtree(self._discarded)
        for folder in folders:
            (self.folder / folder / FILE).unlink(missing_ok=True)
            if (self.folder / folder).is_dir() and not any((self.folder / folder).iterdir()):
                (self.folder / folder).rmdir()

    def _commit(self, repository: Any, skills: Sequence[Skill]) -> int:
        for skill in skills:
            self._write(skill)
            repository.index.add([f"{folder_of(skill)}/{FILE}"])
            _commit(repository, f"{folder_of(skill)} version {skill.version}", skill.created_at)
        return len(skills)

    def _write(self, skill: Skill) -> None:
        path = self.folder / folder_of(skill) / FILE
        path.parent.mkdir(parents=True, exist_ok=True)
        if self.folder.resolve() not in path.resolve().parents:
            raise FilesUnavailable(f"{path} leads out of {self.folder}")
        path.write_text(document(skill), encoding="utf-8")


def folder_of(skill: Skill) -> str:
    """Where a skill's file lies: under its slug, or under its scope's name and its slug.

    Raises:
        ValueError: the slug is none.
    """
    if not _SLUG.fullmatch(skill.slug):
        raise ValueError(f"{skill.slug!r} is no slug")
    if skill.scope == "global":
        return skill.slug
    scope = re.sub(r"[^a-z0-9]+", "-", skill.scope.casefold()).strip("-")
    return f"{scope or 'scope'}/{skill.slug}"


def document(skill: Skill) -> str:
    """A skill in the Agent Skills format (agentskills.io): front matter with name and description, then markdown."""
    metadata = {
        "title": skill.name,
        "version": str(skill.version),
        "source": skill.source,
        "scope": skill.scope,
        "id": skill.id,
    }
    if skill.risk_tags:
        metadata["risk"] = " ".join(skill.risk_tags)
    lines = ["---", f"name: {skill.slug}", f"description: {_quoted(description(skill))}", "metadata:"]
    lines += [f"  {name}: {_quoted(value)}" for name, value in metadata.items()]
    body = "\n".join(_body(skill))
    if skill.risk_tags:
        # what looks like orders to a model is handed on as data
        body = delimit(body, source=skill.source, trust="suspected of giving orders to a model")
    return "\n".join([*lines, "---", "", body, ""])


def description(skill: Skill) -> str:
    """What the skill does and when to use it, within the format's limit."""
    purpose = _line(skill.purpose).rstrip(".") or _line(skill.name)
    return cut(f"{purpose}. Use when asked to {_line(skill.name)}.", DESCRIPTION_LENGTH)


def _body(skill: Skill) -> list[str]:
    lines = [f"# {_line(skill.name)}", "", _line(skill.purpose), "", "## Steps", ""]
    lines += [f"{number}. {_line(step)}" for number, step in enumerate(skill.steps, 1)]
    for title, entries in (("Constraints", skill.constraints), ("Validation", skill.validation)):
        if entries:
            lines += ["", f"## {title}", "", *(f"- {_line(entry)}" for entry in entries)]
    return lines


def _line(text: str) -> str:
    return _NO_PARAGRAPH.sub(" ", text).strip()


def _quoted(text: str) -> str:
    """A text as YAML takes it in double quotes."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + _UNPRINTABLE.sub(lambda match: f"\\u{ord(match[0]):04x}", escaped) + '"'


def _git() -> Any:
    try:
        import git
    except ImportError as error:
        # GitPython says so when there is no git program
        raise FilesUnavailable("git is not installed") from error
    return git


def _committed(repository: Any) -> set[tuple[str, int]]:
    if not repository.head.is_valid():
        if repository.references:
            raise ValueError(f"{BRANCH} names a commit that is not there")
        return set()
    found = (_COMMITTED.fullmatch(str(commit.summary)) for commit in repository.iter_commits(BRANCH))
    return {(match["folder"], int(match["version"])) for match in found if match}


def _commit(repository: Any, message: str, created_at: str) -> None:
    from git import Actor

    when = parse_time(created_at).replace(microsecond=0)
    author = Actor(*AUTHOR)
    repository.index.commit(
        message, author=author, committer=author, author_date=when, commit_date=when, skip_hooks=True
    )


def _first_line(error: BaseException) -> str:
    return next(iter(str(error).strip().splitlines()), "").strip()
