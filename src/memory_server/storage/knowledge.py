"""Rows of knowledge: notes found by their title, their content, their words or their age."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from sqlalchemy import Connection

from memory_server.domain.knowledge import Knowledge
from memory_server.policies import knowledge as policy
from memory_server.policies.scopes import Scopes, visible_from
from memory_server.storage import rows
from memory_server.storage.database import fetch_rows
from memory_server.storage.fulltext import WEIGHTS

CURRENT = "lifecycle_state NOT IN ('archived','forgotten')"
Order = Literal["updated-desc", "created-desc", "title-asc"]
_ORDERS: dict[str, str] = {
    "updated-desc": "t.updated_at DESC, t.row DESC",
    "created-desc": "t.created_at DESC, t.row DESC",
    "title-asc": "folded(t.title), t.row",
}
_RANK = WEIGHTS["knowledge"].replace("bm25(", "bm25(knowledge_fts, ")


@dataclass(frozen=True, slots=True)
class Match:
    """What a search shows of a note; `relevance` is −bm25, `held` how many of the words of the query it holds."""

    id: str
    title: str
    content: str
    tags: tuple[str, ...]
    scope: str
    risk_tags: tuple[str, ...]
    relevance: float = 0.0
    held: int = 1


_SHOWN = ", ".join(f"t.{name}" for name in ("id", "title", "content", "tags", "scope", "risk_tags"))


def _match(row: Sequence[Any], relevance: float = 0.0, held: int = 1) -> Match:
    memory_id, title, content, tags, scope, risk_tags = row
    return Match(memory_id, title, content, _list(tags), scope, _list(risk_tags), relevance, held)


def _list(text: str) -> tuple[str, ...]:
    return () if text == "[]" else tuple(json.loads(text))


def derived(note: Knowledge) -> dict[str, str]:
    """The columns that a note is compared by."""
    return {"title_key": policy.title_key(note.title), "content_hash": policy.content_hash(note.content)}


def insert(connection: Connection, note: Knowledge, compared: dict[str, str]) -> None:
    """Writes a new note with its derived columns."""
    rows.insert(connection, note, compared)


def update(
    connection: Connection, note: Knowledge, changes: dict[str, Any], compared: dict[str, str]
) -> Knowledge:
    """Sets columns of a note, the derived ones with them; gives the note as it is then."""
    rows.update(connection, "knowledge", note.id, {**changes, **compared})
    return note.model_copy(update=changes)


def current(connection: Connection, memory_id: str) -> Knowledge | None:
    """The note of that id, unless it is archived or forgotten."""
    found = fetch_rows(
        connection,
        f"SELECT {rows.selection(Knowledge, 't')} FROM knowledge t WHERE id = ? AND {CURRENT}",
        (memory_id,),
    )
    return rows.from_row(Knowledge, found[0]) if found else None


def twin(
    connection: Connection, note: Knowledge, compared: dict[str, str]
) -> tuple[str, Literal["title", "content"]] | None:
    """The other note of its scope that has its title (looked at first) or its content, by the derived columns."""
    for column, kind in (("title_key", "title"), ("content_hash", "content")):
        found = fetch_rows(
            connection,
            f"SELECT id FROM knowledge WHERE scope = ? AND {column} = ? AND {CURRENT} AND id <> ?",
            (note.scope, compared[column], note.id),
        )
        if found:
            return str(found[0][0]), kind  # type: ignore[return-value]
    return None


def is_empty(connection: Connection) -> bool:
    """Whether there has never been a note."""
    return not fetch_rows(connection, "SELECT 1 FROM knowledge LIMIT 1")


def holding_all(
    connection: Connection, tokens: Sequence[str], scope: str | None, limit: int
) -> tuple[list[Match], int]:
    """The best notes that hold words beginning with every token, and how many there are; equals in order of age."""
    expression = " ".join(_prefix(token) for token in tokens)
    found = _ranked(connection, expression, scope, "score, f.rowid", limit)
    total = len(found) if len(found) < limit else _count(connection, expression, scope)
    return found, total


def holding_any(
    connection: Connection, tokens: Sequence[str], scope: str | None, limit: int
) -> tuple[list[Match], int]:
    """The notes that hold words beginning with most of the tokens, and how many hold one."""
    expression = " OR ".join(_prefix(token) for token in tokens)
    held = " + ".join(
        "(f.rowid IN (SELECT rowid FROM knowledge_fts WHERE knowledge_fts MATCH ?))" for _ in tokens
    )
    found = _ranked(
        connection,
        expression,
        scope,
        "held DESC, score, f.rowid",
        limit,
        held,
        [_prefix(token) for token in tokens],
    )
    total = len(found) if len(found) < limit else _count(connection, expression, scope)
    return found, total


def holding_phrase(
    connection: Connection, phrases: Sequence[str], scope: str | None, limit: int
) -> list[Match]:
    """The best notes in which the words of one of the phrases stand in a row."""
    expression = " OR ".join('"' + phrase.replace('"', '""') + '"' for phrase in phrases)
    return _ranked(connection, expression, scope, "score, f.rowid", limit)


def newest(connection: Connection, scope: str | None, limit: int) -> list[Match]:
    """The notes that were stored last."""
    condition, values = _seen("t", scope)
    found = fetch_rows(
        connection,
        f"SELECT {_SHOWN} FROM knowledge t WHERE {CURRENT}{condition} ORDER BY t.created_at DESC, t.row DESC LIMIT ?",
        (*values, limit),
    )
    return [_match(row) for row in found]


def by_ids(connection: Connection, ids: Sequence[str], scope: str | None) -> dict[str, Match]:
    """Those of the notes that are current and seen from the scope."""
    condition, values = _seen("t", scope)
    found: dict[str, Match] = {}
    for batch in rows.batches(ids):
        marks = ", ".join("?" for _ in batch)
        sql = f"SELECT {_SHOWN} FROM knowledge t WHERE t.id IN ({marks}) AND t.{CURRENT}{condition}"
        for row in fetch_rows(connection, sql, (*batch, *values)):
            found[str(row[0])] = _match(row)
    return found


def page(
    connection: Connection,
    *,
    tokens: Sequence[str],
    tags: Sequence[str],
    scopes: Scopes,
    order: Order,
    limit: int,
    offset: int,
) -> tuple[list[Knowledge], int]:
    """One page of the notes of just these scopes that hold every token and carry every tag, and how many there are."""
    conditions, values = [f"t.{CURRENT}"], []
    if tokens:
        conditions.append("t.row IN (SELECT rowid FROM knowledge_fts WHERE knowledge_fts MATCH ?)")
        values.append(" ".join(_prefix(token) for token in tokens))
    for tag in tags:
        conditions.append("EXISTS (SELECT 1 FROM json_each(t.tags) WHERE value = ?)")
        values.append(tag)
    if scopes is not None:
        conditions.append(f"t.scope IN ({', '.join('?' for _ in scopes)})")
        values += scopes
    where = " AND ".join(conditions)
    total = int(fetch_rows(connection, f"SELECT count(*) FROM knowledge t WHERE {where}", values)[0][0])
    found = fetch_rows(
        connection,
        f"SELECT {rows.selection(Knowledge, 't')} FROM knowledge t WHERE {where} ORDER BY {_ORDERS[order]} "
        "LIMIT ? OFFSET ?",
        (*values, limit, offset),
    )
    return [rows.from_row(Knowledge, row) for row in found], total


def _ranked(
    connection: Connection,
    expression: str,
    scope: str | None,
    order: str,
    limit: int,
    held: str = "1",
    held_values: Sequence[str] = (),
) -> list[Match]:
    condition, values = _seen("s", scope)
    source = "knowledge_fts f" + (" CROSS JOIN knowledge s ON s.row = f.rowid" if scope is not None else "")
    found = fetch_rows(
        connection,
        # the rows themselves are read last, of the few that are left
        f"SELECT r.score, r.held, {_SHOWN} FROM (SELECT f.rowid AS id, {_RANK} AS score, "
        f"{held} AS held FROM {source} WHERE knowledge_fts MATCH ?{condition} ORDER BY {order} LIMIT ?) r "
        f"CROSS JOIN knowledge t ON t.row = r.id ORDER BY {order.replace('f.rowid', 'r.id')}",
        (*held_values, expression, *values, limit),
    )
    return [_match(row[2:], -float(row[0]), int(row[1])) for row in found]


def _count(connection: Connection, expression: str, scope: str | None) -> int:
    condition, values = _seen("s", scope)
    source = "knowledge_fts f" + (" CROSS JOIN knowledge s ON s.row = f.rowid" if scope is not None else "")
    sql = f"SELECT count(*) FROM {source} WHERE knowledge_fts MATCH ?{condition}"
    return int(fetch_rows(connection, sql, (expression, *values))[0][0])


def _seen(alias: str, scope: str | None) -> tuple[str, tuple[str, ...]]:
    seen = visible_from(scope)
    if seen is None:
        return "", ()
    return f" AND {alias}.scope IN ({', '.join('?' for _ in seen)})", seen


def _prefix(token: str) -> str:
    """A token, which is letters, marks and numbers alone, as the beginning of a word."""
    return f'"{token}"*'
