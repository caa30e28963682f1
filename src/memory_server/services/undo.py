"""Undo: takes back the last change, or everything that a source or a session has written since a time."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection

from memory_server.domain.errors import Conflict, NotFound
from memory_server.policies.text import digest
from memory_server.services.changes import Asked, Change, Selected, select, standing_of
from memory_server.services.parts import Parts
from memory_server.services.skills import sync_skills
from memory_server.services.taking_back import take_back
from memory_server.services.undoing import TakenBack, shown
from memory_server.storage import rows

BATCH = 100  # changes in one transaction
PAUSE_SECONDS = 0.02  # between transactions: a writer that waits for its turn looks that often
SAMPLE = 10  # changes that a dry run shows


@dataclass(frozen=True, slots=True)
class Outlook:
    """What would be taken back; the same call with `confirm` does it, as long as exactly this is meant.

    Attributes:
        changes: how many there are.
        by_what: how many memories were stored, restated, closed, moved by them.
        left: what cannot be taken back, with why.
        many: whether it has to be confirmed.
    """

    changes: int
    by_what: dict[str, int]
    sample: list[dict[str, Any]]
    left: list[dict[str, str]]
    left_count: int
    many: bool
    confirm: str


def outlook(parts: Parts, asked: Asked) -> Outlook:
    """What an undo would take back now; nothing is changed.

    Raises:
        NotFound, Conflict, InvalidArgument: as `select`.
        StorageUnavailable: the database cannot be read.
    """
    with parts.database.read() as connection:
        selected = select(connection, asked)
        return _seen(connection, asked, selected)


def undo(parts: Parts, asked: Asked, now: datetime, confirm: str | None = None) -> TakenBack:
    """Takes changes back, newest first; more than one only with the confirmation that `outlook` gave for them.

    Raises:
        NotFound, InvalidArgument: as `select`.
        Conflict: as `select`; or something else is meant now than what was confirmed. Nothing was changed.
        StorageUnavailable: the database cannot be written; what earlier transactions have taken back stays so.
    """
    with parts.database.read() as connection:
        selected = select(connection, asked)
        seen = _seen(connection, asked, selected)
    if confirm is not None and confirm != seen.confirm:
        raise Conflict(
            f"this is not what was confirmed: {seen.changes} changes are meant now; look again, and confirm "
            f"with {seen.confirm}",
            **asdict(seen),
        )
    if confirm is None and seen.many:
        raise Conflict(f"{seen.changes} changes are meant: confirm with {seen.confirm}", **asdict(seen))
    if not selected.changes:
        raise NotFound("there is no change of it that could be undone")
    done = TakenBack()
    for start in range(0, len(selected.changes), BATCH):
        if start:
            # the lock is given to those who wait for it
            time.sleep(PAUSE_SECONDS)
        with parts.database.write() as connection:
            # only what nobody else has taken back meanwhile
            standing = _still(connection, selected.changes[start : start + BATCH])
            take_back(parts, connection, standing, now, done)
        done.changes += len(standing)
    for written, why in selected.left:
        done.leave(None, written.memory_id, why)
    if done.skills:
        sync_skills(parts)
    return done


def _still(connection: Connection, changes: Sequence[Change]) -> list[Change]:
    receipts = [written for change in changes for written in change.receipts]
    standing = standing_of(connection, receipts)
    return [change for change in changes if all(written.id in standing for written in change.receipts)]


def _seen(connection: Connection, asked: Asked, selected: Selected) -> Outlook:
    receipts = [written for change in selected.changes for written in change.receipts]
    meant = sorted(f"{name} {value}" for name, value in asdict(asked).items() if value is not None)
    return Outlook(
        changes=len(selected.changes),
        by_what=dict(Counter(str(written.did) for written in receipts)),
        sample=[_shown(connection, change) for change in selected.changes[:SAMPLE]],
        left=[{"id": written.memory_id, "why": why} for written, why in selected.left[:SAMPLE]],
        left_count=len(selected.left),
        many=len(selected.changes) > 1,
        confirm=digest(*meant, *sorted(written.id for written in receipts))[:24],
    )


def _shown(connection: Connection, change: Change) -> dict[str, Any]:
    first = change.receipts[0]
    memory = rows.get(connection, rows.MODELS[first.memory_type], first.memory_id)
    about = shown(memory) if memory is not None else {"id": first.memory_id}
    return {
        **about,
        "what": str(first.did),
        "source": first.source,
        "by": first.created_by,
        "at": first.timestamp,
        "also": len(change.consequences),
    }
