"""Leases: at most one process at a time feeds the vector index; another takes over when it dies."""

from __future__ import annotations

from sqlalchemy import Connection


def acquire(connection: Connection, name: str, owner: str, now: float, seconds: float) -> int | None:
    """Takes or renews a lease; gives its fencing token, or None while somebody else holds it.

    The token grows with every change of owner: what a former owner still writes can be told by it.
    """
    row = connection.exec_driver_sql(
        "SELECT owner, token, expires_at FROM leases WHERE name = ?", (name,)
    ).first()
    if row and row[0] != owner and row[2] > now:
        return None
    token = (row[1] if row[0] == owner else row[1] + 1) if row else 1
    connection.exec_driver_sql(
        "INSERT INTO leases (name, owner, token, expires_at) VALUES (?, ?, ?, ?) ON CONFLICT (name) DO UPDATE SET "
        "owner = excluded.owner, token = excluded.token, expires_at = excluded.expires_at",
        (name, owner, token, now + seconds),
    )
    return int(token)


def holds(connection: Connection, name: str, owner: str, token: int) -> bool:
    """Whether the lease is still that owner's, under that token."""
    row = connection.exec_driver_sql("SELECT owner, token FROM leases WHERE name = ?", (name,)).first()
    return row is not None and row[0] == owner and row[1] == token


def release(connection: Connection, name: str, owner: str) -> None:
    """Gives the lease back at once instead of letting it expire."""
    connection.exec_driver_sql("UPDATE leases SET expires_at = 0 WHERE name = ? AND owner = ?", (name, owner))


def held(connection: Connection) -> list[dict[str, object]]:
    """All leases: name, owner, token, expires_at (seconds since the epoch)."""
    found = connection.exec_driver_sql("SELECT name, owner, token, expires_at FROM leases ORDER BY name")
    return [{"name": row[0], "owner": row[1], "token": row[2], "expires_at": row[3]} for row in found]
