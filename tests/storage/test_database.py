"""Connections: a reader sees one snapshot and leaves none behind, a watcher holds nothing up."""

from __future__ import annotations

import pytest

from memory_server.domain.errors import StorageUnavailable
from memory_server.storage import meta
from memory_server.storage.database import Database


def put(database: Database, value: str) -> None:
    with database.write() as connection:
        meta.put(connection, "tide", value)


def test_a_reader_sees_one_snapshot_whatever_is_written_meanwhile(database: Database) -> None:
    put(database, "low")
    with database.read() as connection:
        assert meta.get(connection, "tide") == "low"
        put(database, "high")
        assert meta.get(connection, "tide") == "low"
    with database.read() as connection:
        assert meta.get(connection, "tide") == "high"


def test_a_read_that_fails_leaves_no_old_snapshot_to_the_next(database: Database) -> None:
    put(database, "low")
    for _ in range(3):
        with pytest.raises(KeyError), database.read() as connection:
            assert meta.get(connection, "tide") == "low"
            raise KeyError
    put(database, "high")
    with database.read() as connection:
        assert meta.get(connection, "tide") == "high"


def test_a_reader_cannot_write(database: Database) -> None:
    with pytest.raises(StorageUnavailable), database.read() as connection:
        meta.put(connection, "tide", "high")
    with database.read() as connection:
        assert meta.get(connection, "tide") is None


def test_a_write_that_fails_leaves_nothing(database: Database) -> None:
    with pytest.raises(KeyError), database.write() as connection:
        meta.put(connection, "tide", "high")
        raise KeyError
    with database.read() as connection:
        assert meta.get(connection, "tide") is None


def test_a_watcher_sees_that_others_wrote_and_does_not_keep_the_log_from_being_emptied(
    database: Database,
) -> None:
    log = database.path.with_name(database.path.name + "-wal")
    with database.watch() as watched:
        before = database.data_version(watched)
        put(database, "high")
        assert log.stat().st_size > 0
        assert database.data_version(watched) != before
        database.shorten_log()
        assert log.stat().st_size == 0
        assert database.data_version(watched)
