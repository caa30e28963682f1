"""Takes over the notes of another knowledge server, with their ids and times; its file is only read."""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sqlalchemy import Connection

from memory_server.domain.errors import MemoryServerError
from memory_server.domain.knowledge import Knowledge, KnowledgeExists, Note
from memory_server.domain.memory import parse_time, rfc3339
from memory_server.indexes.file_lock import locked
from memory_server.policies.knowledge import kept_scope, kept_tags, trimmed
from memory_server.policies.scopes import parse_scope
from memory_server.services.knowledge import new_knowledge, record
from memory_server.services.parts import Parts
from memory_server.storage import ai_devkit, knowledge, meta, rows

log = logging.getLogger(__name__)

ACTOR = "import ai-devkit"
SOURCE = "import"
MOST_CHARACTERS = 200_000
_BATCH = 500  # notes in one transaction
_MARK = "knowledge_taken_over"
_WORKPLACE = "import-ai-devkit"  # in the data directory


@dataclass(frozen=True, slots=True)
class RefusedNote:
    id: str
    title: str
    reason: str


@dataclass(slots=True)
class TakenOver:
    """What came of a file: how many notes were new and known, and which were refused."""

    new: int = 0
    known: int = 0
    refused: list[RefusedNote] = field(default_factory=list)

    def told(self, path: Path) -> str:
        """The same in one line."""
        counts = f"{self.new} new, {self.known} known, {len(self.refused)} refused"
        return f"notes taken over from {path}: {counts}"


def import_ai_devkit(
    parts: Parts, path: Path, *, progress: Callable[[int, int], None] = lambda _done, _of: None
) -> TakenOver:
    """Takes over every note of that file that is not here yet; the same file again adds nothing.

    Args:
        progress: is told how many notes are done, and of how many.

    Raises:
        InvalidArgument: the file is not there, is damaged or is none of that server's. Nothing was taken over.
        StorageUnavailable: the batch in hand was not stored; those before it were.
    """
    found = _read(parts, path)
    done = TakenOver()
    for start in range(0, len(found), _BATCH):
        now = datetime.now(UTC)
        with parts.database.write() as connection:
            _take(connection, found[start : start + _BATCH], now, done)
        progress(min(start + _BATCH, len(found)), len(found))
    return done


def move_in_once(parts: Parts, path: Path) -> Callable[[], None]:
    """A function whose first call takes over the notes of a file where there have never been any here.

    Whoever calls it meanwhile waits; later calls do nothing. It never raises: what goes wrong is logged and noted.
    """
    lock = threading.Lock()
    tried = False

    def move_in() -> None:
        nonlocal tried
        if tried:
            return
        with lock:
            if not tried:
                _move_in(parts, path)
                tried = True

    return move_in


def taken_over_note(connection: Connection) -> list[str]:
    """What `status` says of notes that were taken over without being asked for."""
    told = meta.get(connection, _MARK)
    return [] if told is None else [told]


def _move_in(parts: Parts, path: Path) -> None:
    try:
        with parts.database.read() as connection:
            if meta.get(connection, _MARK) is not None or not knowledge.is_empty(connection):
                return
        found = _read(parts, path)
        now = datetime.now(UTC)
        done = TakenOver()
        with parts.database.write() as connection:
            # another process may have been faster
            if meta.get(connection, _MARK) is not None or not knowledge.is_empty(connection):
                return
            _take(connection, found, now, done)
            told = f"{done.told(path)}, by itself on {now:%Y-%m-%d}"
            meta.put(connection, _MARK, told)
    except Exception as error:  # a file of another program must not keep the tools from working
        told = (
            f"the notes in {path} were not taken over: {error}; `memory-server import ai-devkit` tries again"
        )
        parts.notes.append(told)
        log.warning("%s", told, exc_info=not isinstance(error, MemoryServerError | OSError))
        return
    # people have to see this: their notes are not gone
    parts.notes.append(told)
    log.warning("%s", told)
    for note in done.refused:
        log.warning("the note %s was not taken over: %s", note.id, note.reason)


def _read(parts: Parts, path: Path) -> list[dict[str, Any]]:
    workplace = parts.settings.home / _WORKPLACE
    # a copy that a killed process has left behind would outlast every forgetting
    with locked(workplace):
        return ai_devkit.read(path, workplace)


def _take(connection: Connection, found: Sequence[dict[str, Any]], now: datetime, done: TakenOver) -> None:
    problems = [_problem(row) for row in found]
    sound = [row["id"] for row, problem in zip(found, problems, strict=True) if problem is None]
    known = rows.by_ids(connection, Knowledge, sound)
    for row, problem in zip(found, problems, strict=True):
        if problem is None and row["id"] in known:
            done.known += 1
            continue
        if problem is None:
            try:
                record(connection, [_as_knowledge(row, now)], created_by=ACTOR, now=now)
                done.new += 1
                continue
            except KnowledgeExists as error:
                problem = f"{error.existing_id} has the same {error.kind} in its scope"
        done.refused.append(RefusedNote(_printable(row["id"]), _printable(row["title"]), problem))


def _problem(row: dict[str, Any]) -> str | None:
    """Why a row is no note that could be kept."""
    for name in ("id", "title", "content", "scope"):
        value = row[name]
        if not isinstance(value, str) or not trimmed(value):
            return f"its {name} is empty or no text"
        if "\0" in value or any("\ud800" <= letter <= "\udfff" for letter in value):
            return f"its {name} holds what is no text"
        if len(value) > MOST_CHARACTERS:
            return f"its {name} has more than {MOST_CHARACTERS} characters"
    try:
        parse_scope(row["scope"])
    except ValueError as error:
        return str(error)
    return None


def _as_knowledge(row: dict[str, Any], now: datetime) -> Knowledge:
    note = Note(row["title"], row["content"], _tags(row["tags"]), kept_scope(row["scope"]))
    created, updated = _moment(row["created_at"], now), _moment(row["updated_at"], now)
    return new_knowledge(note, now).model_copy(
        update={
            "id": row["id"],
            "source": SOURCE,
            "created_at": created,
            "updated_at": updated,
            "reinforced_at": updated,
            "valid_from": created,
        }
    )


def _tags(text: Any) -> tuple[str, ...]:
    """The tags of a row; what cannot be read as a list of texts has none, as for the server that wrote it."""
    try:
        tags = json.loads(text)
    except (TypeError, ValueError):
        return ()
    given = tags if isinstance(tags, list) else ()
    return kept_tags(tag for tag in given if isinstance(tag, str) and tag.isprintable())


def _moment(text: Any, now: datetime) -> str:
    """A time of a row; one that cannot be read is now."""
    try:
        return rfc3339(parse_time(text))
    except (TypeError, ValueError, OverflowError):
        return rfc3339(now)


def _printable(value: Any) -> str:
    return str(value).encode("utf-8", "replace").decode()[:100]
