"""Scopes as the database knows them: a condition on rows, and which scopes hold anything."""

from __future__ import annotations

from collections.abc import Iterable

from sqlalchemy import Connection

from memory_server.policies.scopes import GLOBAL, Scopes
from memory_server.storage import rows
from memory_server.storage.database import fetch_rows

# as the partial indexes say it; what is gone makes no scope
_HELD = f"scope <> '{GLOBAL}' AND lifecycle_state NOT IN ('archived','forgotten')"


def visible_sql(scopes: Scopes) -> str:
    """The condition over alias `t` that keeps what a reader sees; its values are the scopes. Empty for everything."""
    return f"t.scope IN ({', '.join('?' for _ in scopes)})" if scopes is not None else ""


def hidden(connection: Connection, ids: Iterable[str], scopes: Scopes) -> set[str]:
    """Those of the ids that name a memory, of whatever kind, which a reader does not see."""
    if scopes is None:
        return set()
    found: set[str] = set()
    marks = ", ".join("?" for _ in scopes)
    wanted = list(ids)
    for table in rows.TABLES.values():
        for batch in rows.batches(wanted):
            named = ", ".join("?" for _ in batch)
            sql = f"SELECT id FROM {table} WHERE id IN ({named}) AND scope NOT IN ({marks})"
            found.update(str(row[0]) for row in fetch_rows(connection, sql, (*batch, *scopes)))
    return found


def holds_anything(connection: Connection, scope: str) -> bool:
    """Whether anything is stored in a scope; `global` always counts as used."""
    return scope == GLOBAL or any(
        fetch_rows(connection, f"SELECT 1 FROM {table} WHERE {_HELD} AND scope = ? LIMIT 1", (scope,))
        for table in rows.TABLES.values()
    )


def known(connection: Connection) -> list[str]:
    """Every scope but `global` in which anything is stored, in alphabetical order."""
    found: set[str] = set()
    for table in rows.TABLES.values():
        # one step of the index a scope, however much is in it
        sql = f"SELECT min(scope) FROM {table} WHERE {_HELD} AND scope > ?"
        at = ""
        while (row := fetch_rows(connection, sql, (at,))[0][0]) is not None:
            at = str(row)
            found.add(at)
    return sorted(found)
