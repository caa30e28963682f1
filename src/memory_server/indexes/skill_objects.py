"""Looks into the repository of skill files for skills that should be gone: files, commits, and loose objects."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from memory_server.indexes.skill_files import FILE, FilesUnavailable


def ids_in_repository(folder: Path, ids: Collection[str]) -> set[str]:
    """Those of the ids that a file or any object of the repository holds, whether a commit leads to it or not.

    Every file of a skill carries its id, so a version that was ever written is found by it.

    Raises:
        FilesUnavailable: git is missing, or the repository cannot be read.
    """
    found: set[str] = set()
    if not folder.exists():
        return found
    wanted = {memory_id: memory_id.encode() for memory_id in ids}
    try:
        contents = [path.read_bytes() for path in folder.glob(f"**/{FILE}")]
        if (folder / ".git").exists():
            contents.append(_every_object(folder))
    except OSError as error:
        raise FilesUnavailable(f"{type(error).__name__}: {error}") from error
    for content in contents:
        found.update(memory_id for memory_id, name in wanted.items() if name in content)
    return found


def _every_object(folder: Path) -> bytes:
    try:
        import git
    except ImportError as error:
        raise FilesUnavailable("git is not installed") from error
    try:
        content: bytes = git.Git(folder).execute(
            ["git", "cat-file", "--batch-all-objects", "--batch", "--buffer"],
            stdout_as_string=False,
            strip_newline_in_stdout=False,
        )
    except git.exc.GitError as error:
        raise FilesUnavailable(f"{type(error).__name__}: {str(error).splitlines()[0]}") from error
    return content
