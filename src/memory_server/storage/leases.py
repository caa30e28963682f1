"""Leases: at most one process at a time feeds the vector index; another takes over when it dies."""

from __future__ import annotations

from sqlalchemy import Connection

LONGEST_SECONDS = 60.0  # no lease is taken for longer


def acquire(connection: Connection, name: str, owner: str, now: float, seconds: float) -> int | None:
    """Takes or renews a lease; gives its fencing token, or None while somebody else holds it.

    The token grows with every change of owner: what a former owner still writes can be told by it.
    """
    row = connection.exec_driver_sql(
        "SELECT owner, token, expires_at FROM leases WHERE name = ?", (name,)
    ).first()
    if row and row[0] != owner and runs(row[2], now):
        return None
    token = (row[1] if row[0] == owner else row[1] + 1) if row else 1
    connection.exec_driver_sql(
        "INSERT INTO leases (name, owner, token, expires_at) VALUES (?, ?, ?, ?) ON CONFLICT (name) DO UPDATE SET "
        "owner = excluded.owner, token = excluded.token, expires_at = excluded.expires_at",
        (name, owner, token, now + seconds),
    )
    return int(token)


def runs(expires_at: float, now: float) -> bool:
    """Whether a lease is still to be respected.

    One that would outlast the longest was taken before the clock was set back: its owner renews it, if it is alive.
    """
    return now < expires_at <= now + LONGEST_SECONDS


def holds(connection: Connection, name: str, owner: str, token: int) -> bool:
    """Whether the lease is still that owner's, under that token."""
    row = connection.exec_driver_sql("SELECT owner, token FROM leases WHERE name = ?", (name,)).first()
    return row is not None and row[0] == owner and row[1] == token


def release(connection: Connection, name: str, owner: str) -> None:
    """Gives the lease back at once instead of letting it expire."""
    connection.exec_driver_sql("UPDATE leases SET expires_at = 0 WHERE name = ? AND owner = ?", (name, owner))


def held(connection: Connection, now: float) -> list[dict[str, object]]:
    """The leases that run: name, owner, token, expires_at (seconds since the epoch)."""
    found = connection.exec_driver_sql("SELECT name, owner, token, expires_at FROM leases ORDER BY name")
    names = ("name", "owner", "token", "expires_at")
    return [dict(zip(names, row, strict=True)) for row in found if runs(row[3], now)]
