"""The notes of ai-devkit are taken over with ids and times; its file and those beside it stay as they are."""

from __future__ import annotations

import hashlib
import json
import sqlite3
import threading
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from memory_server.app import MemoryApp
from memory_server.domain.errors import InvalidArgument
from memory_server.domain.knowledge import Note, NoteChanges
from memory_server.policies.knowledge_search import check_search
from memory_server.services.history import history
from memory_server.services.knowledge import list_knowledge, store_knowledge, update_knowledge
from memory_server.services.knowledge_search import search_knowledge
from memory_server.services.status import take_status
from memory_server.services.transfer_ai_devkit import TakenOver, import_ai_devkit, move_in_once

NOTES: list[dict[str, Any]] = [
    {
        "id": "0d5f1c1e-0000-4000-8000-000000000001",
        "title": "Rinse the brushes at once",
        "content": "Brushes are rinsed as soon as the painting is done; dried paint cannot be got out of them.",
        "tags": '["paint","tools"]',
        "scope": "global",
        "created_at": "2025-03-04T05:06:07.089Z",
        "updated_at": "2025-06-07T08:09:10.011Z",
    },
    {
        "id": "0d5f1c1e-0000-4000-8000-000000000002",
        "title": "Shake every can before use",
        "content": "Cans that stood for a week are shaken for a minute, as the pigment goes to the bottom.",
        "tags": "[]",
        "scope": "project:fence",
        "created_at": "2025-03-05T05:06:07.000Z",
        "updated_at": "2025-03-05T05:06:07.000Z",
    },
]


def make(
    path: Path, notes: list[dict[str, Any]], *, version: int = 2, log_ahead: bool = False
) -> sqlite3.Connection:
    """A database as that server keeps it; the open connection of whoever wrote it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    connection = sqlite3.connect(path, isolation_level=None)
    if log_ahead:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA wal_autocheckpoint = 0")
    more = ", embedding BLOB, embedding_version TEXT" if version == 2 else ""
    connection.execute(
        "CREATE TABLE knowledge (id TEXT PRIMARY KEY, title TEXT, content TEXT, tags TEXT, scope TEXT, "
        f"normalized_title TEXT, content_hash TEXT, created_at TEXT, updated_at TEXT{more})"
    )
    connection.execute(f"PRAGMA user_version = {version}")
    for note in notes:
        connection.execute(
            f"INSERT INTO knowledge ({', '.join(note)}) VALUES ({', '.join('?' for _ in note)})",
            tuple(note.values()),
        )
    return connection


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "theirs" / "memory.db"


def prints(file: Path) -> dict[str, str]:
    return {
        path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(file.parent.iterdir())
    }


@pytest.mark.parametrize("version", [1, 2])
def test_notes_keep_ids_times_tags_and_scopes(app: MemoryApp, file: Path, version: int) -> None:
    make(file, NOTES, version=version).close()
    done = import_ai_devkit(app, file)
    assert (done.new, done.known, done.refused) == (2, 0, [])
    kept = {note.id: note for note in list_knowledge(app).notes}
    first = kept[NOTES[0]["id"]]
    assert (first.title, first.content) == (NOTES[0]["title"], NOTES[0]["content"])
    assert (first.tags, first.scope) == (("paint", "tools"), "global")
    assert first.created_at == "2025-03-04T05:06:07.089000Z"
    assert first.updated_at == "2025-06-07T08:09:10.011000Z"
    assert kept[NOTES[1]["id"]].scope == "project:fence"


def test_notes_taken_over_are_memories_as_all_others(app: MemoryApp, file: Path) -> None:
    from datetime import UTC, datetime

    make(file, NOTES).close()
    import_ai_devkit(app, file)
    app.worker.drain()
    assert search_knowledge(app, check_search({"query": "rinse brush"})).results
    life = history(app, NOTES[0]["id"], 5, datetime.now(UTC))
    assert life.receipts[0].created_by == "import ai-devkit"
    update_knowledge(app, NOTES[0]["id"], NoteChanges(tags=()))


def test_the_same_file_again_adds_nothing(app: MemoryApp, file: Path) -> None:
    with closing(make(file, NOTES[:1])) as writer:
        assert import_ai_devkit(app, file).new == 1
        update_knowledge(app, NOTES[0]["id"], NoteChanges(title="Rinse brushes and rollers"))
        again = import_ai_devkit(app, file)
        assert (again.new, again.known) == (0, 1)
        writer.execute(
            "INSERT INTO knowledge SELECT 'new', 'Another note of theirs', content || ' So it is.', '[]', "
            "'global', '', '', created_at, updated_at, NULL, NULL FROM knowledge"
        )
        grown = import_ai_devkit(app, file)
        assert (grown.new, grown.known) == (1, 1)
    # what was changed here stays as it is here
    assert "Rinse brushes and rollers" in {note.title for note in list_knowledge(app).notes}


def test_what_was_forgotten_does_not_come_back(app: MemoryApp, file: Path) -> None:
    from datetime import UTC, datetime

    from memory_server.services.forgetting import forget

    make(file, NOTES).close()
    import_ai_devkit(app, file)
    forget(app, NOTES[0]["id"], datetime.now(UTC))
    assert import_ai_devkit(app, file).known == 2
    assert list_knowledge(app).total == 1


def test_what_stands_in_the_log_alone_is_read_and_no_byte_is_written(app: MemoryApp, file: Path) -> None:
    with closing(make(file, NOTES, log_ahead=True)):
        before = prints(file)
        assert "memory.db-wal" in before
        assert import_ai_devkit(app, file).new == 2
        assert prints(file) == before


@pytest.mark.parametrize("linked", ["memory.db", "."])
def test_behind_a_link_the_log_is_read_where_it_is(
    app: MemoryApp, file: Path, tmp_path: Path, linked: str
) -> None:
    real = tmp_path / "dotfiles" / "memory.db"
    with closing(make(real, NOTES, log_ahead=True)):
        before = prints(real)
        place = tmp_path / "linked"
        if linked == ".":
            place.symlink_to(real.parent)
        else:
            place.mkdir()
            (place / linked).symlink_to(real)
        assert import_ai_devkit(app, place / "memory.db").new == 2
        assert prints(real) == before


def test_a_log_left_behind_by_a_crash_is_read_and_no_byte_is_written(
    app: MemoryApp, file: Path, tmp_path: Path
) -> None:
    with closing(make(tmp_path / "live" / "memory.db", NOTES, log_ahead=True)):
        file.parent.mkdir()
        for name in ("memory.db", "memory.db-wal"):
            (file.parent / name).write_bytes((tmp_path / "live" / name).read_bytes())
    before = prints(file)
    assert import_ai_devkit(app, file).new == 2
    assert prints(file) == before
    assert not list(app.settings.home.glob("import-*"))


def test_a_copy_left_behind_by_a_killed_import_goes_with_the_next(app: MemoryApp, file: Path) -> None:
    left = app.settings.home / "import-ai-devkit"
    with closing(make(left / "memory.db", NOTES[:1], log_ahead=True)):
        kept = {path.name: path.read_bytes() for path in left.iterdir()}
    for name, content in kept.items():
        (left / name).write_bytes(content)
    make(file, NOTES[1:]).close()
    assert import_ai_devkit(app, file).new == 1
    assert [note.id for note in list_knowledge(app).notes] == [NOTES[1]["id"]]
    assert not left.exists()


def test_imports_at_once_take_turns(app: MemoryApp, file: Path) -> None:
    make(file, NOTES).close()
    done: list[TakenOver] = []
    threads = [threading.Thread(target=lambda: done.append(import_ai_devkit(app, file))) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert sorted((one.new, one.known) for one in done) == [(0, 2)] * 5 + [(2, 0)]


def test_a_file_that_may_only_be_read_is_enough(app: MemoryApp, file: Path) -> None:
    make(file, NOTES).close()
    file.chmod(0o400)
    file.parent.chmod(0o500)
    try:
        assert import_ai_devkit(app, file).new == 2
    finally:
        file.parent.chmod(0o700)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"title": "  "}, "title is empty"),
        ({"content": None}, "content is empty"),
        ({"content": b"\xff\xfe no text"}, "content"),
        ({"title": "A title with \0 inside"}, "title holds"),
        ({"scope": "team:red"}, "scope"),
    ],
)
def test_what_is_no_note_is_refused_with_the_reason(
    app: MemoryApp, file: Path, change: dict[str, Any], reason: str
) -> None:
    make(file, [NOTES[0] | change, NOTES[1]]).close()
    done = import_ai_devkit(app, file)
    assert done.new == 1
    (refused,) = done.refused
    assert refused.id == NOTES[0]["id"]
    assert reason in refused.reason


def test_text_that_is_no_utf_8_is_refused(app: MemoryApp, file: Path) -> None:
    with closing(make(file, NOTES)) as writer:
        writer.execute("UPDATE knowledge SET content = CAST(x'ff' || content AS TEXT) WHERE scope = 'global'")
    done = import_ai_devkit(app, file)
    assert (done.new, len(done.refused)) == (1, 1)


@pytest.mark.parametrize("tags", ["not json", "5", '{"a": 1}', None])
def test_tags_that_cannot_be_read_are_left_out(app: MemoryApp, file: Path, tags: Any) -> None:
    make(file, [NOTES[0] | {"tags": tags, "created_at": "yesterday"}]).close()
    assert import_ai_devkit(app, file).new == 1
    (note,) = list_knowledge(app).notes
    assert note.tags == ()


def test_a_note_that_is_here_under_another_id_is_refused(app: MemoryApp, file: Path) -> None:
    own = store_knowledge(app, Note(NOTES[0]["title"], "Own words " * 10))
    make(file, NOTES).close()
    done = import_ai_devkit(app, file)
    assert done.new == 1
    assert own.id in done.refused[0].reason


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "no ai-devkit memory"),
        (b"plainly no database, and long enough to have a header of sixteen bytes" * 20, "cannot be read"),
        (b"SQLite format 3\0" + b"\xff" * 2_000, "cannot be read"),
        (None, "there is no file"),
    ],
)
def test_what_is_no_such_file_is_told(app: MemoryApp, file: Path, content: bytes | None, said: str) -> None:
    file.parent.mkdir()
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(InvalidArgument, match=said):
        import_ai_devkit(app, file)


@pytest.mark.parametrize("version", [0, 3])
def test_a_schema_of_another_version_is_refused(app: MemoryApp, file: Path, version: int) -> None:
    make(file, NOTES, version=version).close()
    with pytest.raises(InvalidArgument, match=f"version {version}"):
        import_ai_devkit(app, file)
    assert list_knowledge(app).total == 0


class TestByItself:
    def test_the_first_start_takes_over_what_is_there_and_says_so(self, app: MemoryApp, file: Path) -> None:
        make(file, NOTES).close()
        move_in_once(app, file)()
        assert list_knowledge(app).total == 2
        (note,) = [note for note in take_status(app).notes if str(file) in note]
        assert "2 new" in note

    def test_it_happens_once(self, app: MemoryApp, open_memory: Any, file: Path) -> None:
        from datetime import UTC, datetime

        from memory_server.services.forgetting import forget

        with closing(make(file, NOTES[:1])) as writer:
            move_in_once(app, file)()
            forget(app, NOTES[0]["id"], datetime.now(UTC))
            writer.execute("UPDATE knowledge SET id = 'another'")
            with open_memory() as later:
                move_in_once(later, file)()
        assert list_knowledge(app).total == 0

    def test_a_store_with_notes_of_its_own_is_left_alone(self, app: MemoryApp, file: Path) -> None:
        make(file, NOTES).close()
        store_knowledge(
            app, Note("A note of our own here", "It was here before anything could be taken over.")
        )
        move_in_once(app, file)()
        assert list_knowledge(app).total == 1

    def test_many_at_once_take_over_once(self, app: MemoryApp, open_memory: Any, file: Path) -> None:
        make(file, NOTES).close()
        with open_memory() as other:
            own, theirs = move_in_once(app, file), move_in_once(other, file)
            threads = [threading.Thread(target=start) for start in (own, theirs) * 4]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
        assert list_knowledge(app).total == 2
        with app.database.read() as connection:
            (count,) = connection.exec_driver_sql("SELECT count(*) FROM receipts").one()
        assert count == 2

    def test_a_damaged_file_is_noted_and_tried_again_at_the_next_start(
        self, app: MemoryApp, open_memory: Any, file: Path
    ) -> None:
        file.parent.mkdir()
        file.write_bytes(b"SQLite format 3\0" + b"\xff" * 2_000)
        start = move_in_once(app, file)
        start()
        start()
        (note,) = [note for note in app.notes if str(file) in note]
        assert "import ai-devkit" in note
        file.unlink()
        make(file, NOTES).close()
        with open_memory() as later:
            move_in_once(later, file)()
            assert list_knowledge(later).total == 2


def test_refusals_can_be_shown_whatever_is_in_them(app: MemoryApp, file: Path) -> None:
    with closing(make(file, NOTES[:1])) as writer:
        writer.execute("UPDATE knowledge SET title = CAST(x'ff41' AS TEXT), id = CAST(x'ff42' AS TEXT)")
    (refused,) = import_ai_devkit(app, file).refused
    json.dumps([refused.id, refused.title], ensure_ascii=False).encode()
