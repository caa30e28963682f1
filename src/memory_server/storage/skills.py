"""Rows of skills: versions of one procedure under one slug, found by slug and version."""

from __future__ import annotations

import re
import unicodedata
from typing import Any

from sqlalchemy import Connection

from memory_server.domain.skill import Skill
from memory_server.policies.text import digest, grams, normal
from memory_server.storage import rows

SLUG_LENGTH = 64
SLUG = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_KEPT = "lifecycle_state NOT IN ('archived','forgotten')"
_SIGNS = str.maketrans({"+": " plus ", "#": " sharp ", "&": " and ", "%": " percent ", "@": " at "})


def slug_of(name: str) -> str:
    """A skill's name as a directory may be called: lower-case letters, figures and single hyphens, at most 64.

    Names that lose letters on the way (other scripts, great length) end in a hash, so that they stay apart.
    """
    folded = unicodedata.normalize("NFKD", normal(name).translate(_SIGNS))
    letters = "".join(char for char in folded if not unicodedata.combining(char))
    slug = re.sub(r"[^a-z0-9]+", "-", letters).strip("-")
    foreign = any(char.isalnum() and not char.isascii() for char in letters)
    if slug and not foreign and len(slug) <= SLUG_LENGTH:
        return slug
    mark = digest(normal(name))[:8]
    head = slug[: SLUG_LENGTH - len(mark) - 1].strip("-") or "skill"
    return f"{head}-{mark}"


def content_hash(skill: Skill) -> str:
    """What two records of one procedure have in common; the order of steps counts."""
    lists = (
        "\x1e".join(normal(line) for line in part)
        for part in (skill.steps, skill.constraints, skill.validation)
    )
    return digest(normal(skill.purpose), *lists)


def derived(skill: Skill) -> dict[str, str]:
    """The columns computed from a skill: what it is compared and indexed by."""
    words = (skill.name, skill.purpose, *skill.steps, *skill.constraints, *skill.validation, *skill.tags)
    return {"content_hash": content_hash(skill), "grams": grams(" \n ".join(words))}


def insert(connection: Connection, skill: Skill) -> None:
    """Writes a new version with its computed columns."""
    rows.insert(connection, skill, derived(skill))


def versions(connection: Connection, scope: str, slug: str) -> list[Skill]:
    """All versions of a skill that were not archived or forgotten, oldest first."""
    found = connection.exec_driver_sql(
        f"SELECT {rows.selection(Skill, 't')} FROM skills t WHERE t.scope = ? AND t.slug = ? AND t.{_KEPT} "
        "ORDER BY t.version",
        (scope, slug),
    )
    return [rows.from_row(Skill, row) for row in found]


def highest_version(connection: Connection, scope: str, slug: str) -> int:
    """The highest version ever given under that slug, archived ones included; 0 where there is none."""
    found = connection.exec_driver_sql(
        "SELECT max(version) FROM skills WHERE scope = ? AND slug = ?", (scope, slug)
    ).scalar()
    return int(found or 0)


def everything(connection: Connection) -> list[Skill]:
    """Every version of every skill that was not archived or forgotten, in the order in which they came."""
    found = connection.exec_driver_sql(
        f"SELECT {rows.selection(Skill, 't')} FROM skills t WHERE t.{_KEPT} ORDER BY t.row"
    )
    return [rows.from_row(Skill, row) for row in found]


def update(connection: Connection, skill: Skill, changes: dict[str, Any]) -> Skill:
    """Sets columns of a skill, recomputes what is derived from them, and gives the skill as it is then."""
    changed = skill.model_copy(update=changes)
    columns = dict(changes)
    if "tags" in changes:
        columns |= derived(changed)
    rows.update(connection, "skill", skill.id, columns)
    return changed
