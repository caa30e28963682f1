"""Leases: one owner at a time, whatever becomes of the owner and of the clock."""

from __future__ import annotations

import pytest

from memory_server.storage import leases
from memory_server.storage.database import Database

NOW = 1_000_000.0


@pytest.mark.parametrize(
    ("owner", "taken_at", "token"),
    [
        pytest.param("one", NOW + 5, 1, id="renewed by its owner"),
        pytest.param("two", NOW + 5, None, id="respected by another while it runs"),
        pytest.param("two", NOW + 15, 2, id="taken over when it has run out"),
        pytest.param("two", NOW - 2, None, id="respected by one whose clock is a little behind"),
        pytest.param("two", NOW - 86_400, 2, id="taken over when the clock was set back"),
        pytest.param("one", NOW - 86_400, 1, id="renewed by its owner when the clock was set back"),
    ],
)
def test_who_gets_a_lease_that_one_took_for_fifteen_seconds(
    owner: str, taken_at: float, token: int | None, database: Database
) -> None:
    with database.write() as connection:
        assert leases.acquire(connection, "work", "one", NOW, 15.0) == 1
        assert leases.acquire(connection, "work", owner, taken_at, 15.0) == token


def test_only_leases_that_run_are_shown(database: Database) -> None:
    with database.write() as connection:
        leases.acquire(connection, "work", "one", NOW, 15.0)
        assert [lease["owner"] for lease in leases.held(connection, NOW + 1)] == ["one"]
        assert leases.held(connection, NOW + 16) == []
        assert leases.held(connection, NOW - 3600) == []
        leases.release(connection, "work", "one")
        assert leases.held(connection, NOW + 1) == []
