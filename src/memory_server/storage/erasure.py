"""The end of a memory's life: its content is overwritten, what proves that it was there stays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sqlalchemy import Connection

from memory_server.domain.memory import new_id
from memory_server.domain.receipt import receipt_for
from memory_server.storage import meta, receipts, rows
from memory_server.storage.turns import name_once_forgotten

_EMPTY = "tags = '[]', risk_tags = '[]', grams = ''"
_COMMON = f"{_EMPTY}, updated_at = ?"
_CONTENT: Mapping[str, str] = {
    "fact": (
        "subject = '', predicate = '', object = '', subject_key = '', predicate_key = '', object_hash = '', "
        "triple_hash = ''"
    ),
    "decision": "context = '', choice = '', reason = '', rejected_alternatives = '[]', content_hash = ''",
    # a slug is there once in a scope, so it becomes the id
    "skill": (
        "name = '', slug = id, purpose = '', steps = '[]', constraints = '[]', validation = '[]', content_hash = ''"
    ),
    "belief": "proposition = '', proposition_key = '', context = NULL",
    "episode": (
        "text = '', heading = '', neighbours = '', session = NULL, speaker = NULL, content_hash = ''"
    ),
    "knowledge": "title = '', content = '', title_key = '', content_hash = ''",
}
_REMAINS = "remains"  # set while files may still hold words of what was forgotten, anew by each erasure
_NEIGHBOURS = 3  # how far from an episode others of its session may quote it


def said(memory_type: str) -> str:
    """The SQL condition on a row that still says something, which an erased one does not."""
    assignments = (part.partition(" = ") for part in f"{_CONTENT[memory_type]}, {_EMPTY}".split(", "))
    return " OR ".join(f"{column} IS NOT {empty}" for column, _, empty in assignments)


def erase(
    connection: Connection, memory_type: str, memory_ids: Sequence[str], *, actor: str, now: str
) -> None:
    """Overwrites the content of memories that are forgotten, and notes it with a receipt each.

    Ids, times, receipts and lifecycle events stay; so does what was derived from them. Full text follows by trigger
    when the state changes, so this comes after the move.
    """
    # freed bytes are overwritten as well, in the table and in the full-text index
    connection.exec_driver_sql("PRAGMA secure_delete = ON")
    meta.put(connection, _REMAINS, new_id())
    table = rows.TABLES[memory_type]
    for batch in rows.batches(memory_ids):
        marks = ", ".join("?" for _ in batch)
        if memory_type == "episode":
            _erase_quotes(connection, batch, marks)
            _erase_names(connection, batch, marks)
        connection.exec_driver_sql(
            f"UPDATE {table} SET {_CONTENT[memory_type]}, {_COMMON} WHERE id IN ({marks})", (now, *batch)
        )
        connection.exec_driver_sql(f"DELETE FROM memory_sources WHERE memory_id IN ({marks})", tuple(batch))
        if memory_type == "belief":
            # evidence may be quoted words, topics are tags
            for side in ("belief_evidence", "belief_topics"):
                connection.exec_driver_sql(f"DELETE FROM {side} WHERE belief_id IN ({marks})", tuple(batch))
        for memory in rows.by_ids(connection, rows.MODELS[memory_type], batch).values():
            history = ("forgotten: its content is overwritten",)
            receipts.add(
                connection,
                receipt_for(memory, memory_type=memory_type, created_by=actor, now=now, history=history),
            )


def _erase_quotes(connection: Connection, episode_ids: Sequence[str], marks: str) -> None:
    """Episodes of one session carry words of those beside them."""
    places = connection.exec_driver_sql(
        f"SELECT session, position - {_NEIGHBOURS}, position + {_NEIGHBOURS} FROM episodes "
        f"WHERE id IN ({marks}) AND session IS NOT NULL AND position IS NOT NULL",
        tuple(episode_ids),
    ).all()
    for place in places:
        connection.exec_driver_sql(
            "UPDATE episodes SET neighbours = '' WHERE session = ? AND position BETWEEN ? AND ?", tuple(place)
        )


def _erase_names(connection: Connection, episode_ids: Sequence[str], marks: str) -> None:
    """A turn of a talk stays known by something that tells nothing, so that an import does not bring it back."""
    named = connection.exec_driver_sql(
        f"SELECT id, external_id, session FROM episodes WHERE id IN ({marks}) "
        "AND external_id IS NOT NULL AND session IS NOT NULL",
        tuple(episode_ids),
    ).all()
    for episode_id, external_id, session in named:
        connection.exec_driver_sql(
            "UPDATE episodes SET external_id = ? WHERE id = ?",
            (name_once_forgotten(external_id, session), episode_id),
        )


def purge_full_text(connection: Connection, memory_type: str) -> None:
    """Rewrites a full-text index without the words of what has left it; some 150 ms for 100,000 rows."""
    table = rows.TABLES[memory_type]
    connection.exec_driver_sql("PRAGMA secure_delete = ON")
    connection.exec_driver_sql(f"INSERT INTO {table}_fts ({table}_fts) VALUES ('optimize')")


def remains(connection: Connection) -> str | None:
    """A mark that is there while files may still hold words of what was forgotten, another for each erasure."""
    return meta.get(connection, _REMAINS)


def remains_gone(connection: Connection, mark: str) -> None:
    """Takes that mark away; one that an erasure has set since then stays."""
    connection.exec_driver_sql("DELETE FROM meta WHERE key = ? AND value = ?", (_REMAINS, mark))
