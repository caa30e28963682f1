"""A backup is the store at one moment; restoring one brings exactly that moment back, for every process."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import AbstractContextManager, closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from memory_server.app import MemoryApp
from memory_server.domain.errors import InvalidArgument, NotFound, StorageUnavailable
from memory_server.services.audit import audit
from memory_server.services.backup import back_up, restore
from memory_server.services.forgetting import forget
from memory_server.services.remember import Statement, remember
from memory_server.services.search import search
from memory_server.storage.fact_search import Filters

OpenApp = Callable[..., AbstractContextManager[MemoryApp]]


def objects(app: MemoryApp) -> set[str]:
    return {fact.object for fact in search(app, "", Filters(subject="kiln"), 50).results}


def meant(app: MemoryApp, text: str) -> list[str]:
    return [memory_id for memory_id, _ in app.meaning.search(text, 10, minimum=0.1).hits]


def test_a_backup_holds_what_was_stored_and_is_its_owners_alone(app: MemoryApp) -> None:
    remember(app, Statement("kiln", "burns", "oak"))
    made = back_up(app)
    assert made.memories["fact"] == 1
    assert made.path.parent == app.settings.home / "backups"
    assert made.path.stat().st_mode & 0o077 == 0
    with closing(sqlite3.connect(made.path)) as connection:
        assert connection.execute("SELECT object FROM facts").fetchall() == [("oak",)]
        assert connection.execute(
            "SELECT count(*) FROM facts_fts WHERE facts_fts MATCH 'oak'"
        ).fetchone() == (1,)


def test_a_backup_never_overwrites_a_file(app: MemoryApp, tmp_path: Path) -> None:
    target = tmp_path / "copy.db"
    target.write_text("mine")
    with pytest.raises(InvalidArgument, match="exists already"):
        back_up(app, target)
    assert target.read_text() == "mine"


def test_a_target_that_cannot_be_written_leaves_nothing(app: MemoryApp, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StorageUnavailable, match="no backup was made"):
        back_up(app, tmp_path / "file" / "copy.db")


def test_restoring_brings_back_that_moment_in_every_process_and_index(open_memory: OpenApp) -> None:
    with open_memory() as one, open_memory() as two:
        kept = remember(one, Statement("kiln", "burns", "oak")).fact
        one.worker.drain()
        made = back_up(one)
        later = remember(one, Statement("kiln", "burns", "beech")).fact
        one.worker.drain()
        assert objects(two) == {"oak", "beech"}
        assert set(two.network.current().fact_ids()) == {kept.id, later.id}
        assert set(meant(two, "kiln burns")) == {kept.id, later.id}
        restored, before = restore(one, made.path)
        assert restored.memories["fact"] == 1
        assert before.memories["fact"] == 2
        for app in (one, two):
            assert objects(app) == {"oak"}
            assert set(app.network.current().fact_ids()) == {kept.id}
            assert kept.id in meant(app, "kiln burns")
        one.worker.drain()
        again = remember(two, Statement("kiln", "burns", "ash")).fact
        assert objects(one) == {"oak", "ash"}
        assert again.id in meant(one, "ash")
        # and back again: what was stored before is not lost
        restore(two, before.path)
        assert objects(one) == {"oak", "beech"}


def test_what_came_after_the_backup_leaves_the_indexes_too(app: MemoryApp) -> None:
    kept, aged = (remember(app, Statement("kiln", "burns", wood)).fact for wood in ("oak", "elm"))
    forget(app, aged.id, datetime.now(UTC))
    made = back_up(app)
    later = remember(app, Statement("kiln", "burns", "beech")).fact
    app.worker.drain()
    assert set(app.meaning.space.held()) == {kept.id, later.id}
    restore(app, made.path)
    app.worker.drain()
    assert set(app.meaning.space.held()) == {kept.id}
    assert audit(app, "full", datetime.now(UTC)).at("warning") == []


@pytest.mark.parametrize("damage", ["not a database", "other tables", "cut off"])
def test_what_is_no_sound_backup_changes_nothing(app: MemoryApp, tmp_path: Path, damage: str) -> None:
    remember(app, Statement("kiln", "burns", "oak"))
    bad = tmp_path / "bad.db"
    if damage == "not a database":
        bad.write_bytes(b"no database " * 100)
    elif damage == "other tables":
        with closing(sqlite3.connect(bad)) as connection, connection:
            connection.execute("CREATE TABLE songs (title)")
    else:
        whole = back_up(app).path.read_bytes()
        bad.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(StorageUnavailable, match="nothing was changed"):
        restore(app, bad)
    assert objects(app) == {"oak"}


def test_a_file_that_is_not_there_is_said_so(app: MemoryApp, tmp_path: Path) -> None:
    with pytest.raises(NotFound, match="there is no file"):
        restore(app, tmp_path / "nowhere.db")
