"""Before the first use the file is made, checked, completed or migrated, or refused in plain words and left alone."""

from __future__ import annotations

import hashlib
import os
import shutil
import sqlite3
import threading
from contextlib import closing
from pathlib import Path

import pytest

from memory_server.domain.belief import Belief
from memory_server.domain.decision import Decision
from memory_server.domain.episode import Episode
from memory_server.domain.errors import StorageUnavailable
from memory_server.domain.fact import Fact
from memory_server.domain.knowledge import Knowledge
from memory_server.domain.skill import Skill
from memory_server.services.remember import Statement, record
from memory_server.storage.database import Database
from memory_server.storage.rows import TABLES
from memory_server.storage.schema import (
    HEAD,
    KINDS,
    _log_ahead,
    check_before_use,
    expected_names,
    manifest,
    prepare_database,
)

COMPUTED = {
    "facts": {"subject_key", "predicate_key", "object_hash", "triple_hash"},
    "decisions": {"content_hash"},
    "skills": {"content_hash"},
    "beliefs": {"proposition_key"},
    "episodes": {"content_hash"},
    "knowledge": {"title_key", "content_hash"},
}


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


@pytest.fixture
def path(home: Path) -> Path:
    """A database with one fact."""
    from datetime import UTC, datetime

    database = Database(home / "memory.db")
    with database.write() as connection:
        record(connection, Statement("Mill", "stands_by", "the river"), created_by="t", now=datetime.now(UTC))
    database.close()
    return home / "memory.db"


def facts_found(path: Path, word: str = "mill") -> int:
    with closing(sqlite3.connect(path)) as connection:
        return int(
            connection.execute("SELECT count(*) FROM facts_fts WHERE facts_fts MATCH ?", (word,)).fetchone()[
                0
            ]
        )


def test_a_database_is_made_for_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "new.db"
    assert check_before_use(path)
    assert prepare_database(path) == ["created the database"]
    assert prepare_database(path) == []
    assert path.stat().st_mode & 0o077 == 0
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)


def test_four_first_starts_at_once_all_succeed(tmp_path: Path) -> None:
    path = tmp_path / "new.db"
    failures: list[Exception] = []

    def start() -> None:
        try:
            check_before_use(path)
            prepare_database(path)
        except Exception as error:  # noqa: BLE001 - whatever it is, the test reports it
            failures.append(error)

    threads = [threading.Thread(target=start) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("SELECT version_num FROM alembic_version").fetchall() == [(HEAD,)]


def test_a_start_waits_while_another_switches_the_file_to_its_log(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    check_before_use(path)
    other = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    # what SQLite answers without waiting: a file in its first mode with a writer that readers let in
    other.execute("BEGIN EXCLUSIVE")
    attempts: list[int] = []

    class Refused(sqlite3.Connection):
        def execute(self, sql: str, *values: object) -> sqlite3.Cursor:  # type: ignore[override]
            if "journal_mode" in sql:
                attempts.append(1)
                if len(attempts) == 3:
                    other.execute("ROLLBACK")
            return super().execute(sql, *values)

    with closing(sqlite3.connect(path, isolation_level=None, timeout=0, factory=Refused)) as connection:
        _log_ahead(connection)
        assert super(Refused, connection).execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert len(attempts) == 3
    other.close()


def test_the_names_that_a_start_looks_for_are_those_that_the_migrations_make() -> None:
    made = manifest()
    assert expected_names() <= set(made)
    tables = {name for name, sql in made.items() if sql.startswith("CREATE TABLE")}
    assert tables <= expected_names()


@pytest.mark.parametrize("model", [Fact, Decision, Skill, Belief, Episode, Knowledge])
def test_a_kind_is_the_same_in_its_model_and_in_its_table(path: Path, model: type) -> None:
    table = TABLES[model.memory_type]  # type: ignore[attr-defined]
    with closing(sqlite3.connect(path)) as connection:
        columns = {row[1] for row in connection.execute(f"PRAGMA table_info({table})")}
    assert columns - {"row", "grams"} - COMPUTED[table] == set(model.model_fields)  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        pytest.param(
            b"no database at all, only words. " * 8, "damaged or not a database", id="header overwritten"
        ),
        pytest.param(b"\x00" * 64, "damaged or not a database", id="zeros"),
    ],
)
def test_a_file_that_is_no_database_is_refused_and_left_as_it_was(
    path: Path, damage: bytes, words: str
) -> None:
    with path.open("r+b") as file:
        file.write(damage)
    before = digest(path)
    for check in (check_before_use, prepare_database):
        with pytest.raises(StorageUnavailable, match=words):
            check(path)
    assert digest(path) == before


def test_a_database_with_a_damaged_schema_page_is_refused_and_left_as_it_was(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        connection.execute("PRAGMA journal_mode = DELETE")
    with path.open("r+b") as file:
        file.seek(100)
        file.write(os.urandom(4000))
    before = digest(path)
    with pytest.raises(StorageUnavailable, match="damaged"):
        prepare_database(path)
    assert digest(path) == before


def test_a_newer_schema_is_refused(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
        connection.commit()
    with pytest.raises(StorageUnavailable, match="newer than this program"):
        prepare_database(path)


@pytest.mark.parametrize("version", ["0000", "", "00*", "../0001", "0001_memory"])
def test_a_schema_that_no_version_made_is_refused_and_left_as_it_was(version: str, path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("UPDATE alembic_version SET version_num = ?", (version,))
        connection.commit()
    before = digest(path)
    with pytest.raises(StorageUnavailable, match=r"no version of this program|newer than this program"):
        prepare_database(path)
    assert digest(path) == before
    assert not (path.parent / "backups").exists()


def test_somebody_elses_database_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE songs (title)")
        connection.commit()
    with pytest.raises(StorageUnavailable, match="other tables"):
        prepare_database(path)


def test_a_right_schema_without_a_version_is_stamped(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("DROP TABLE alembic_version")
        connection.commit()
    assert prepare_database(path) == ["stamped a schema that was right but carried no version"]
    assert prepare_database(path) == []


@pytest.mark.parametrize("name", sorted(expected_names() - {"facts", "receipts"}))
def test_whatever_is_missing_is_completed(path: Path, name: str, database_template: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        kind = connection.execute("SELECT type FROM sqlite_master WHERE name = ?", (name,)).fetchone()[0]
        connection.execute(f"DROP {kind} {name}")
        connection.commit()
    assert any("completed the schema" in note for note in prepare_database(path))
    with closing(sqlite3.connect(path)) as connection:
        names = {row[0] for row in connection.execute("SELECT name FROM sqlite_master")}
    assert expected_names() <= names
    assert facts_found(path) == 1
    assert prepare_database(path) == []


@pytest.mark.parametrize("name", ["facts", "receipts"])
def test_a_database_that_lost_its_memories_is_not_completed_but_refused(path: Path, name: str) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"DROP TABLE {name}")
        connection.commit()
    with pytest.raises(StorageUnavailable, match="restore a backup"):
        prepare_database(path)


@pytest.mark.parametrize("kind", ["facts"])
def test_a_full_text_index_that_was_emptied_is_rebuilt(path: Path, kind: str) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"INSERT INTO {kind}_fts ({kind}_fts) VALUES ('delete-all')")
        connection.commit()
    assert facts_found(path) == 0
    assert any("rebuilt the full-text index of facts" in note for note in prepare_database(path))
    assert facts_found(path) == 1


def damage_full_text(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("DELETE FROM facts_fts_data WHERE id > 10")
        connection.commit()


def test_a_full_text_index_that_is_damaged_inside_is_rebuilt(path: Path) -> None:
    damage_full_text(path)
    with pytest.raises(sqlite3.DatabaseError):
        facts_found(path)
    assert any("full-text index of facts (damaged)" in note for note in prepare_database(path))
    assert facts_found(path) == 1


def test_damage_to_a_full_text_index_that_is_met_in_use_says_what_mends_it(path: Path) -> None:
    damage_full_text(path)
    database = Database(path)
    with (
        pytest.raises(StorageUnavailable, match="memory-server reindex"),
        database.read() as connection,
    ):
        connection.exec_driver_sql("SELECT count(*) FROM facts_fts WHERE facts_fts MATCH 'mill'").all()
    database.close()


def test_every_kind_has_a_full_text_index_that_agrees_with_it(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        for kind in KINDS:
            connection.execute(f"INSERT INTO {kind}_fts ({kind}_fts, rank) VALUES ('integrity-check', 1)")


def test_a_file_in_a_directory_that_does_not_exist_cannot_be_created(tmp_path: Path) -> None:
    with pytest.raises(StorageUnavailable, match="cannot be created"):
        check_before_use(tmp_path / "nowhere" / "memory.db")


def test_an_older_schema_is_migrated_with_a_backup_first(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from memory_server.storage import schema

    migrated: list[Path] = []
    monkeypatch.setattr(schema, "migrate", lambda where, revision="head": migrated.append(where))
    monkeypatch.setattr(schema, "known_versions", lambda: frozenset({"0000", HEAD}))
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '0000'")
        connection.commit()
    (note,) = prepare_database(path)
    assert migrated == [path]
    backup = Path(note.rsplit(" ", 1)[1])
    assert facts_found(backup) == 1
    assert backup.stat().st_mode & 0o077 == 0
    shutil.rmtree(backup.parent)
