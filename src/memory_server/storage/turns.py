"""Turns of talks among the episodes: looked up by the id that they came with, and set among their neighbours."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import Connection

from memory_server.domain.episode import Episode
from memory_server.policies.conversation import REACH, surroundings
from memory_server.policies.text import digest
from memory_server.storage import rows

_KEPT = "lifecycle_state NOT IN ('archived','forgotten')"


def name_once_forgotten(external_id: str, session: str) -> str:
    """What stands for the id and the session of a turn that is forgotten: it is known again, and tells neither."""
    return digest("forgotten", external_id, session)


def known_under(connection: Connection, scope: str, external_ids: Sequence[str]) -> list[Episode]:
    """The episodes that carry one of these ids in that scope, but none that was taken out."""
    found: list[Episode] = []
    for batch in rows.batches(external_ids):
        marks = ", ".join("?" for _ in batch)
        found += [
            rows.from_row(Episode, row)
            for row in connection.exec_driver_sql(
                f"SELECT {rows.selection(Episode, 't')} FROM episodes t WHERE t.external_id IN ({marks}) "
                "AND t.scope = ? AND t.lifecycle_state <> 'archived'",
                (*batch, scope),
            )
        ]
    return found


def place_among_neighbours(connection: Connection, scope: str, session: str, first: int) -> None:
    """Writes down for the turns of a session from place `first` on, and for those just before, what stands around."""
    found = [
        rows.from_row(Episode, row)
        for row in connection.exec_driver_sql(
            f"SELECT {rows.selection(Episode, 't')} FROM episodes t WHERE t.session = ? AND t.position >= ? "
            f"AND t.scope = ? AND t.{_KEPT} ORDER BY t.position, t.row",
            (session, first - 2 * REACH, scope),
        )
    ]
    texts = [turn.sentence() for turn in found]
    for at, turn in enumerate(found):
        if turn.position is None or turn.position < first - REACH:
            continue
        around = surroundings(texts, at)
        if around != turn.neighbours:
            rows.update(connection, "episode", turn.id, {"neighbours": around})


def speakers(connection: Connection) -> list[str]:
    """Everybody who speaks in an episode."""
    # one step of the index a name, however many turns there are
    found: list[str] = []
    name = connection.exec_driver_sql("SELECT min(speaker) FROM episodes WHERE speaker IS NOT NULL").scalar()
    while name is not None:
        found.append(str(name))
        name = connection.exec_driver_sql(
            "SELECT min(speaker) FROM episodes WHERE speaker > ?", (name,)
        ).scalar()
    return found


def years(connection: Connection) -> list[int]:
    """The years from the first to the last day on which something was said."""
    first, last = connection.exec_driver_sql(
        "SELECT (SELECT min(occurred_at) FROM episodes WHERE occurred_at IS NOT NULL), "
        "(SELECT max(occurred_at) FROM episodes WHERE occurred_at IS NOT NULL)"
    ).one()
    return [] if first is None else list(range(int(first[:4]), int(last[:4]) + 1))[-20:]
