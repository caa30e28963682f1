"""Skills in versions: a better one takes the place of the one before, which stays readable."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from sqlalchemy import Connection

from memory_server.domain.errors import InvalidArgument, NotFound
from memory_server.domain.lifecycle import LifecycleState
from memory_server.domain.memory import new_id, rfc3339
from memory_server.domain.receipt import Receipt, receipt_for
from memory_server.domain.skill import Skill
from memory_server.indexes.skill_files import FilesUnavailable, SkillFiles, document
from memory_server.policies.scopes import GLOBAL, Scopes, sees
from memory_server.services.parts import Parts
from memory_server.storage import lifecycle, outbox, receipts, skills, sources

log = logging.getLogger(__name__)

_CHANGED_MEANWHILE = 5  # times that files are written for one call


@dataclass(frozen=True, slots=True)
class Added:
    skill: Skill
    receipt: Receipt


def add_version(
    connection: Connection, skill: Skill, *, actor: str, now: datetime, history: Sequence[str]
) -> Added:
    """Writes a skill as the next version under its slug, inside the caller's transaction; closes the one before."""
    moment = rfc3339(now)
    before = next(iter(reversed(skills.versions(connection, skill.scope, skill.slug))), None)
    number = skills.highest_version(connection, skill.scope, skill.slug) + 1
    skill = skill.model_copy(update={"version": number, "replaces_id": before.id if before else None})
    skills.insert(connection, skill)
    sources.claim(connection, skill.id, skill.source, skill.confidence, moment)
    lifecycle.born(connection, skill, "skill", reason="ingested", actor=actor, now=moment)
    changed = [("skill", skill.id)]
    if before is not None and before.valid_to is None:
        _close(connection, before, skill, actor, moment)
        changed.append(("skill", before.id))
    told = "stored" if before is None else f"stored as version {number}; replaces {before.id}"
    receipt = receipt_for(skill, memory_type="skill", created_by=actor, now=moment, history=(told, *history))
    receipts.add(connection, receipt)
    outbox.enqueue(connection, changed, now.timestamp())
    return Added(skill, receipt)


def _close(connection: Connection, older: Skill, newer: Skill, actor: str, now: str) -> None:
    closed = skills.update(
        connection,
        older,
        {"valid_to": now, "superseded_at": now, "superseded_by": newer.id, "updated_at": now},
    )
    history = (f"closed: replaced by {newer.id}, version {newer.version}",)
    receipts.add(
        connection, receipt_for(closed, memory_type="skill", created_by=actor, now=now, history=history)
    )


def current_skills(parts: Parts, scopes: Scopes = None) -> list[Skill]:
    """The newest version of every skill that is seen, by slug."""
    with parts.database.read() as connection:
        found = _seen(connection, scopes)
    newest = {(skill.scope, skill.slug): skill for skill in sorted(found, key=lambda skill: skill.version)}
    return sorted(newest.values(), key=lambda skill: (skill.slug, skill.scope))


def skill_versions(parts: Parts, slug: str, scopes: Scopes = None) -> list[Skill]:
    """All versions of a skill, oldest first: of the reader's own where it has one, else of the global one.

    Raises:
        NotFound: there is no skill of that slug, or none is seen.
        InvalidArgument: all is seen, and several scopes have one while none is global.
    """
    with parts.database.read() as connection:
        seen = _seen(connection, scopes)
    named: dict[str, list[Skill]] = {}
    for skill in seen:
        if skill.slug == slug:
            named.setdefault(skill.scope, []).append(skill)
    if not named:
        known = sorted({skill.slug for skill in seen})
        there = f"there are {', '.join(known[:20])}" if known else "there are none yet"
        raise NotFound(f"no skill is called {slug!r}: {there}", slug=slug)
    nearest = next((scope for scope in scopes or (GLOBAL,) if scope in named), None)
    if nearest is None and len(named) > 1:
        several = ", ".join(sorted(named))
        raise InvalidArgument(
            f"a skill {slug!r} is in several scopes: {several}; name one of them", argument="scope"
        )
    return sorted(named[nearest or next(iter(named))], key=lambda skill: skill.version)


def _seen(connection: Connection, scopes: Scopes) -> list[Skill]:
    return [skill for skill in skills.everything(connection) if sees(scopes, skill.scope)]


def skill_version(parts: Parts, slug: str, version: int | None = None, scopes: Scopes = None) -> Skill:
    """One version of a skill, the newest where none is named.

    Raises:
        NotFound: there is no such skill or version.
        InvalidArgument: as for `skill_versions`.
    """
    found = skill_versions(parts, slug, scopes)
    if version is None:
        return found[-1]
    for skill in found:
        if skill.version == version:
            return skill
    known = ", ".join(str(skill.version) for skill in found)
    raise NotFound(f"skill {slug!r} has no version {version}; there are {known}", slug=slug, version=version)


def skill_diff(
    parts: Parts, slug: str, older: int | None = None, newer: int | None = None, scopes: Scopes = None
) -> str:
    """What changed between two versions as a unified diff of their files; the last two where none are named.

    Raises:
        NotFound: there is no such skill or version.
        InvalidArgument: as for `skill_versions`.
    """
    from difflib import unified_diff

    found = skill_versions(parts, slug, scopes)
    last = skill_version(parts, slug, newer, scopes)
    before = [skill.version for skill in found if skill.version < last.version]
    if older is None and not before:
        return ""
    first = skill_version(parts, slug, before[-1] if older is None else older, scopes)
    lines = unified_diff(
        document(first).splitlines(),
        document(last).splitlines(),
        f"{slug}/SKILL.md (version {first.version})",
        f"{slug}/SKILL.md (version {last.version})",
        lineterm="",
    )
    return "\n".join(lines)


def roll_back(
    parts: Parts, slug: str, version: int, scopes: Scopes = None, *, created_by: str = "rollback"
) -> Added:
    """Writes a new version that says what an older one said; nothing that lies between is lost.

    Raises:
        NotFound: there is no such skill or version.
        InvalidArgument: as for `skill_versions`.
        StorageUnavailable: nothing was stored.
    """
    old = skill_version(parts, slug, version, scopes)
    now = datetime.now(UTC)
    moment = rfc3339(now)
    copy = old.model_copy(
        update={
            "id": new_id(),
            "lifecycle_state": LifecycleState.CANDIDATE,
            "created_at": moment,
            "updated_at": moment,
            "reinforced_at": moment,
            "valid_from": moment,
            "valid_to": None,
            "superseded_at": None,
            "superseded_by": None,
            "source_count": 1,
        }
    )
    history = [f"rolled back to version {version}, which is {old.id}"]
    with parts.database.write() as connection:
        added = add_version(connection, copy, actor=created_by, now=now, history=history)
    sync_skills(parts)
    return added


def sync_skills(parts: Parts) -> str | None:
    """Brings the repository of skill files up to what is stored, a commit a version; gives what hindered it.

    The files are derived: what is missing now is written by the next call.

    Raises:
        StorageUnavailable: the skills cannot be read.
    """
    files = SkillFiles(parts.settings.skills_path)
    if not files.exists() and not _everything(parts):
        return None
    try:
        with files.alone():
            found = _everything(parts)
            for _ in range(_CHANGED_MEANWHILE):
                files.sync(found)
                before, found = found, _everything(parts)
                # what another process has forgotten meanwhile may just have been written once more
                if {skill.id for skill in before} == {skill.id for skill in found}:
                    break
    except FilesUnavailable as error:
        note = f"skills are not kept as files: {error}"
        if note not in parts.notes:
            parts.notes.append(note)
            log.warning("%s", note)
        return note
    return None


def _everything(parts: Parts) -> list[Skill]:
    with parts.database.read() as connection:
        return skills.everything(connection)
