"""Rows of episodes: the raw texts, found by what they say and by their place in a session."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection

from memory_server.domain.episode import Episode
from memory_server.policies.text import digest, grams, normal
from memory_server.storage import rows


def content_hash(scope: str, text: str) -> str:
    """What two episodes of one text have in common: case, white space and compatibility forms are folded."""
    return digest(scope, normal(text))


def derived(episode: Episode) -> dict[str, str]:
    """The columns computed from an episode: what it is compared and indexed by."""
    return {
        "content_hash": content_hash(episode.scope, episode.text),
        "grams": grams(f"{episode.heading}{episode.text}"),
    }


def insert(connection: Connection, episode: Episode) -> None:
    """Writes a new episode with its computed columns."""
    rows.insert(connection, episode, derived(episode))


def saying(connection: Connection, scope: str, text: str) -> Episode | None:
    """The newest episode of that text in that scope which was not archived or forgotten."""
    row = connection.exec_driver_sql(
        f"SELECT {rows.selection(Episode, 't')} FROM episodes t WHERE t.content_hash = ? "
        "AND t.lifecycle_state NOT IN ('archived','forgotten') ORDER BY t.row DESC LIMIT 1",
        (content_hash(scope, text),),
    ).first()
    return rows.from_row(Episode, row) if row else None


def next_position(connection: Connection, session: str) -> int:
    """The place after the last one of a session; the first is 0."""
    last = connection.exec_driver_sql(
        "SELECT max(position) FROM episodes WHERE session = ?", (session,)
    ).scalar()
    return 0 if last is None else int(last) + 1


def update(connection: Connection, episode: Episode, changes: dict[str, Any]) -> Episode:
    """Sets columns of an episode other than its text, and gives the episode as it is then."""
    rows.update(connection, "episode", episode.id, changes)
    return episode.model_copy(update=changes)
