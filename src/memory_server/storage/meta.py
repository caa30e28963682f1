"""Small named values that belong to the store as a whole."""

from __future__ import annotations

from sqlalchemy import Connection


def get(connection: Connection, key: str) -> str | None:
    """The value of that key, or None."""
    row = connection.exec_driver_sql("SELECT value FROM meta WHERE key = ?", (key,)).first()
    return str(row[0]) if row else None


def put(connection: Connection, key: str, value: str) -> None:
    """Sets a value."""
    connection.exec_driver_sql(
        "INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
        (key, value),
    )
