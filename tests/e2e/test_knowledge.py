"""The knowledge tools in processes of their own: many at once, and the first start beside another server's notes."""

from __future__ import annotations

import json
import sqlite3
import threading
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

Serve = Callable[..., Any]

PROCESSES, SHARED, OWN = 8, 6, 4
WITHOUT_MODEL = {"MEMORY_SERVER_EMBEDDING": "none"}


def note(number: int, whose: str = "all") -> dict[str, Any]:
    return {
        "title": f"Rule {number} of {whose} about moorings",
        "content": f"Boats of {whose} that lie at mooring {number} are tied with two lines, whatever the wind.",
        "tags": ["boats"],
    }


@pytest.fixture
def start(serve: Serve, tmp_path: Path) -> Callable[..., Any]:
    """Starts a server with the knowledge tools, for a user with a home of its own."""

    def begin(*options: str, **more: Any) -> Any:
        env = {**WITHOUT_MODEL, "HOME": str(tmp_path / "user"), **more.pop("env", {})}
        return serve("--toolsets", "knowledge", *options, env=env, **more)

    return begin


def test_eight_processes_storing_at_once_lose_and_double_nothing(
    start: Callable[..., Any], data: Path
) -> None:
    # on a directory that does not exist: they make the database at once, too
    sessions = [start(shake_hands=False) for _ in range(PROCESSES)]
    answers: list[Any] = []

    def work(place: int, session: Any) -> None:
        session.shake_hands()
        given = [note(n) for n in range(SHARED)] + [note(n, f"crew {place}") for n in range(OWN)]
        # each in another order
        given = given[place:] + given[:place]
        answers.extend(session.call_many("memory_storeKnowledge", given))

    threads = [threading.Thread(target=work, args=entry) for entry in enumerate(sessions)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    assert len(answers) == PROCESSES * (SHARED + OWN)
    made = [answer["id"] for answer in answers if not answer.is_error]
    refused = [json.loads(answer.text) for answer in answers if answer.is_error]
    assert len(set(made)) == len(made) == SHARED + PROCESSES * OWN
    assert {body["error"] for body in refused} == {"DUPLICATE_ERROR"}
    assert {body["details"]["existingId"] for body in refused} <= set(made)
    found = sessions[0].call("memory_searchKnowledge", query="boats mooring", limit=20)
    assert found["totalMatches"] == len(made)
    for session in sessions:
        session.end()
        assert b"locked" not in session.errors
    with closing(sqlite3.connect(data / "memory.db")) as database:
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        for table in ("knowledge", "receipts", "lifecycle_events", "outbox"):
            assert database.execute(f"SELECT count(*) FROM {table}").fetchone() == (len(made),), table


def theirs(tmp_path: Path, content: bytes | None = None) -> Path:
    file = tmp_path / "user" / ".ai-devkit" / "memory.db"
    file.parent.mkdir(parents=True)
    if content is not None:
        file.write_bytes(content)
        return file
    with closing(sqlite3.connect(file)) as database:
        database.execute(
            "CREATE TABLE knowledge (id TEXT PRIMARY KEY, title TEXT, content TEXT, tags TEXT, scope TEXT, "
            "normalized_title TEXT, content_hash TEXT, created_at TEXT, updated_at TEXT, embedding BLOB, "
            "embedding_version TEXT)"
        )
        database.execute("PRAGMA user_version = 2")
        database.execute(
            "INSERT INTO knowledge VALUES ('old-id', 'Grease the winch in spring', 'The winch is greased in April, "
            "before the first boat is lifted.', '[]', 'global', '', '', '2025-01-02', '2025-01-02', NULL, NULL)"
        )
        database.commit()
    return file


def test_the_first_call_finds_the_notes_of_the_server_before(
    start: Callable[..., Any], tmp_path: Path
) -> None:
    file = theirs(tmp_path)
    before = file.read_bytes()
    session = start()
    found = session.call("memory_searchKnowledge", query="winch")
    assert [hit["id"] for hit in found["results"]] == ["old-id"]
    assert session.end() == 0
    assert b"1 new, 0 known, 0 refused" in session.errors
    assert file.read_bytes() == before
    assert [path.name for path in file.parent.iterdir()] == ["memory.db"]


def test_notes_are_taken_over_without_any_call(start: Callable[..., Any], tmp_path: Path, data: Path) -> None:
    theirs(tmp_path)
    session = start()
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline and b"taken over" not in session.errors:
        threading.Event().wait(0.05)
    assert b"taken over" in session.errors


def test_a_damaged_file_of_theirs_harms_nobody(start: Callable[..., Any], tmp_path: Path) -> None:
    theirs(tmp_path, b"SQLite format 3\0" + b"\x07" * 5_000)
    session = start()
    assert not session.call("memory_storeKnowledge", **note(1)).is_error
    assert session.call("memory_searchKnowledge", query="mooring")["totalMatches"] == 1
    assert session.end() == 0
    assert b"were not taken over" in session.errors


def test_a_home_that_cannot_be_looked_into_harms_nobody(start: Callable[..., Any], tmp_path: Path) -> None:
    # a name that is too long is refused to everybody, a locked directory not to root
    session = start(env={"HOME": str(tmp_path / ("h" * 300))})
    assert not session.call("memory_storeKnowledge", **note(1)).is_error
    assert session.end() == 0
    assert b"were not taken over" in session.errors


def test_other_toolsets_leave_their_notes_alone(serve: Serve, tmp_path: Path, data: Path) -> None:
    theirs(tmp_path)
    session = serve(env={**WITHOUT_MODEL, "HOME": str(tmp_path / "user")})
    session.call("remember", subject="Winch", predicate="is", object="red")
    assert session.end() == 0
    with closing(sqlite3.connect(data / "memory.db")) as database:
        assert database.execute("SELECT count(*) FROM knowledge").fetchone() == (0,)
