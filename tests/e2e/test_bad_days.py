"""Bad days: a killed process, a full disk, damaged files, many processes at once. Nothing acknowledged is lost."""

from __future__ import annotations

import contextlib
import hashlib
import os
import resource
import shutil
import sqlite3
import subprocess
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Serve = Callable[..., Any]


def crate(number: int, tag: str = "run", size: int = 0) -> dict[str, str]:
    filling = " filling" * (size // 8)
    return {
        "subject": f"Crate{tag}{number}",
        "predicate": "stored_on",
        "object": f"shelf {number} {tag}{filling}",
    }


def is_found(session: Any, fact: dict[str, str]) -> bool:
    found = session.call("search", query=fact["subject"], subject=fact["subject"])
    return [hit["object"] for hit in found["results"]] == [fact["object"]]


def check_integrity(home: Path) -> None:
    with contextlib.closing(sqlite3.connect(home / "memory.db")) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        connection.execute("INSERT INTO facts_fts (facts_fts, rank) VALUES ('integrity-check', 1)")


def test_kill_9_in_the_middle_of_writes_loses_nothing_acknowledged(serve: Serve, data: Path) -> None:
    session = serve()
    facts = [crate(number, "kill") for number in range(200)]
    numbers = [session.post_call("remember", **fact) for fact in facts]
    session.wait(numbers[90])
    session.kill()
    acknowledged = [fact for fact, number in zip(facts, numbers, strict=True) if session.answered(number)]
    assert len(acknowledged) >= 60
    again = serve()
    assert [fact for fact in acknowledged if not is_found(again, fact)] == []
    hits = again.call("semantic_search", query="Cratekill3 stored on shelf 3", top_k=5)["semantic_results"]
    assert hits
    assert again.end() == 0
    check_integrity(data)


def test_end_of_input_with_calls_in_flight_keeps_what_was_acknowledged(serve: Serve) -> None:
    session = serve()
    facts = [crate(number, "fly") for number in range(60)]
    numbers = [session.post_call("remember", **fact) for fact in facts]
    assert session.end() == 0
    acknowledged = [fact for fact, number in zip(facts, numbers, strict=True) if session.answered(number)]
    again = serve()
    assert [fact for fact in acknowledged if not is_found(again, fact)] == []


def test_two_processes_write_at_once_and_see_each_other(serve: Serve, data: Path) -> None:
    sessions = [serve(), serve()]
    replies: dict[int, list[Any]] = {}

    def write(who: int) -> None:
        replies[who] = sessions[who].call_many("remember", [crate(n, f"w{who}") for n in range(60)])

    writers = [threading.Thread(target=write, args=(who,)) for who in range(2)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert [reply.text for who in replies for reply in replies[who] if reply.is_error] == []
    for who, session in enumerate(sessions):
        assert all(is_found(session, crate(number, f"w{1 - who}")) for number in range(60))
        own = session.call("semantic_search", query=f"Cratew{1 - who}59 stored on shelf 59", top_k=10)
        assert any(hit["payload"]["subject"] == f"Cratew{1 - who}59" for hit in own["semantic_results"])
        graph = session.call("graph_search", entity_id=f"cratew{1 - who}7")
        assert len(graph["edges"]) == 1
    for session in sessions:
        assert session.end() == 0
    check_integrity(data)


def test_several_first_starts_at_once_all_succeed(serve: Serve, data: Path) -> None:
    sessions = [serve(shake_hands=False) for _ in range(4)]
    for number, session in enumerate(sessions):
        session.shake_hands()
        assert not session.call("remember", **crate(number, "race")).is_error
    assert all(is_found(sessions[0], crate(number, "race")) for number in range(4))
    for session in sessions:
        assert session.end() == 0
    check_integrity(data)


def limit_file_size() -> None:
    # a disk that is full: SQLite sees the same error as from a file system without room
    resource.setrlimit(resource.RLIMIT_FSIZE, (3 * 1024 * 1024, 3 * 1024 * 1024))


def test_a_full_disk_is_a_clear_error_and_the_server_lives_on(serve: Serve) -> None:
    session = serve(preexec_fn=limit_file_size)
    stored: list[dict[str, str]] = []
    refused = None
    for number in range(1500):
        reply = session.call("remember", **crate(number, "full", 7800))
        if reply.is_error:
            refused = reply
            break
        stored.append(crate(number, "full", 7800))
    assert refused is not None
    assert refused.code == "storage_unavailable"
    assert "full" in refused.text or "disk" in refused.text
    assert stored
    assert session.call("ping")["status"] == "ok"
    assert is_found(session, stored[0])
    session.kill()
    again = serve()
    assert [fact["subject"] for fact in stored if not is_found(again, fact)] == []
    assert not again.call("remember", **crate(1, "room again")).is_error


def read_only(path: Path) -> list[str]:
    if os.geteuid() != 0 or not shutil.which("unshare"):
        pytest.skip("needs root and unshare for a read-only mount")
    script = 'mount --bind "$1" "$1" && mount -o remount,ro,bind "$1" && shift && exec "$@"'
    prefix = ["unshare", "-m", "sh", "-c", script, "sh", str(path)]
    if subprocess.run([*prefix, "true"], capture_output=True, check=False).returncode != 0:
        pytest.skip("no private mounts here")
    return prefix


@pytest.mark.parametrize("filled", [False, True])
def test_a_read_only_directory_is_said_so(serve: Serve, data: Path, filled: bool) -> None:
    data.mkdir(mode=0o700)
    if filled:
        session = serve()
        session.call("remember", **crate(1))
        session.end()
    session = serve(prefix=read_only(data), shake_hands=False)
    try:
        session.shake_hands()
    except Exception:  # noqa: BLE001 - it may refuse to start, or to write
        assert session.process.wait(10) == 1
        said = session.errors.decode()
    else:
        said = session.call("remember", **crate(2)).text
    assert "read-only" in said.lower() or "cannot be created" in said.lower()


@pytest.mark.parametrize("length", [16, 120])
def test_a_database_that_is_none_stops_the_start_and_is_left_as_it_was(
    serve: Serve, data: Path, length: int
) -> None:
    data.mkdir(mode=0o700)
    (data / "memory.db").write_bytes(b"these are not the pages you are looking for " * length)
    before = hashlib.sha256((data / "memory.db").read_bytes()).hexdigest()
    session = serve(shake_hands=False)
    assert session.process.wait(30) == 1
    session.end()
    assert b"damaged" in session.errors
    assert b"Traceback" not in session.errors
    assert session.lines == []
    assert hashlib.sha256((data / "memory.db").read_bytes()).hexdigest() == before


def test_garbage_in_the_vector_files_is_set_aside_and_mended(serve: Serve, data: Path) -> None:
    session = serve()
    facts = [
        {"subject": f"Lantern{n}", "predicate": "lights", "object": f"pier number {n}"} for n in range(12)
    ]
    session.call_many("remember", facts)
    session.call("semantic_search", query="pier lights")
    while "outbox_pending 0.0" not in session.call("metrics").text:
        continue
    session.end()
    files = [path for path in (data / "vectors").rglob("*") if path.is_file()]
    assert files
    for path in files:
        path.write_bytes(b"\x00garbage\xff" * 7)
    again = serve()
    assert all(is_found(again, fact) for fact in facts)
    hits = again.call("semantic_search", query="Lantern3 lights pier number 3")["semantic_results"]
    assert hits[0]["payload"]["subject"] == "Lantern3"
    aside = [path.name for path in data.iterdir() if "damaged" in path.name]
    assert aside


def test_a_missing_vector_directory_is_made_anew(serve: Serve, data: Path) -> None:
    session = serve()
    session.call("remember", **crate(1))
    while "outbox_pending 0.0" not in session.call("metrics").text:
        continue
    session.end()
    shutil.rmtree(data / "vectors")
    again = serve()
    hits = again.call("semantic_search", query="Craterun1 on a shelf")["semantic_results"]
    assert [hit["payload"]["subject"] for hit in hits] == ["Craterun1"]


def test_without_a_model_everything_else_works_and_says_so(serve: Serve, tmp_path: Path) -> None:
    session = serve(env={"MEMORY_SERVER_EMBEDDING": str(tmp_path / "no-model-here")})
    session.call("remember", **crate(1))
    assert is_found(session, crate(1))
    assert session.call("semantic_search", query="shelf").code == "index_unavailable"
    context = session.call("get_context", task="Craterun1")
    assert context["facts"][0]["subject"] == "Craterun1"
    assert "search by meaning" in context["degraded"]
    assert session.call("graph_search", query="Craterun1")["nodes"]


ODD = {
    "joined emoji": "\\ud83d\\udc69\\u200d\\ud83d\\ude80",
    "right to left": "\\u202eabc\\u202c \\u05e9\\u05dc\\u05d5\\u05dd",
    "zero width": "a\\u200b\\ufeffb",
    "separators": "a\\u2028b\\u2029c\\u0085d",
    "combining": "e" + "\\u0301" * 300,
    "private use": "\\ue000\\uf8ff",
    "noncharacters": "a\\uffff\\ufffeb",
    "controls": "\\u0001\\u001b[31m\\u007f\\u0008x",
}


@pytest.mark.parametrize("label", ODD)
def test_odd_text_comes_back_exactly(serve: Serve, label: str) -> None:
    import json

    session = serve()
    session.send(
        (
            '{"jsonrpc":"2.0","id":"odd","method":"tools/call","params":{"name":"remember","arguments":'
            f'{{"subject":"Odd","predicate":"holds","object":"{ODD[label]}"}}}}}}'
        ).encode()
    )
    session.wait("odd")
    found = session.call("search", query="", subject="Odd")
    assert [hit["object"] for hit in found["results"]] == [json.loads(f'"{ODD[label]}"')]
    assert session.call("get_context", task="Odd")["total"] == 1


def test_forty_writes_sent_at_once_are_all_kept(serve: Serve) -> None:
    session = serve()
    replies = session.call_many("remember", [crate(number, "burst") for number in range(40)])
    assert [reply.text for reply in replies if reply.is_error] == []
    assert all(is_found(session, crate(number, "burst")) for number in range(40))
