"""An owner forgets while another server of the same directory writes and searches."""

from __future__ import annotations

import shutil
import subprocess
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Serve = Callable[..., Any]
TOOLSETS = ("--toolsets", "core,curate")


def holding(home: Path, word: str) -> list[Path]:
    files = [path for path in home.rglob("*") if path.is_file()]
    return [path for path in files if word.encode() in path.read_bytes().lower()]


def test_one_process_forgets_while_another_writes(serve: Serve, data: Path) -> None:
    owner, other = serve(*TOOLSETS), serve(*TOOLSETS)
    facts = [
        {"subject": f"shed {place}", "predicate": "hides", "object": f"zorblatt {place}", "source": "spam"}
        for place in range(40)
    ]
    assert not any(reply.is_error for reply in owner.call_many("remember", facts))
    other.call("learn", text="The zorblatt lives in the walled garden.", source="spam", session="monday")
    assert other.call("semantic_search", query="zorblatt in a shed", top_k=3)["total"] == 3
    stop, replies = threading.Event(), []

    def write() -> None:
        while not stop.is_set():
            told = {"subject": "barn", "predicate": "counts", "object": str(len(replies)), "source": "deed"}
            replies.append(other.call("remember", **told))
            replies.append(other.call("search", query="barn"))

    thread = threading.Thread(target=write)
    thread.start()
    try:
        dry = owner.call("forget", source="spam")
        assert dry["total"] >= 41
        done = owner.call("forget", source="spam", confirm=dry["confirm"])
    finally:
        stop.set()
        thread.join()
    assert done["total"] == dry["total"]
    found = {check["where"]: check["result"] for check in done["certificate"]["checks"]}
    assert set(found) == {"rows", "full_text", "vectors", "graph", "skills_repository", "beliefs", "files"}
    assert "found" not in found.values(), done["certificate"]
    assert [reply.text for reply in replies if reply.is_error] == []
    assert len(replies) > 2
    for session in (owner, other):
        assert session.call("search", query="zorblatt")["total"] == 0
        hits = session.call("semantic_search", query="zorblatt in a shed", top_k=50)["semantic_results"]
        assert {hit["payload"]["subject"] for hit in hits} == {"barn"}
        assert session.call("graph_search", query="zorblatt")["nodes"] == []
    assert owner.end() == 0 and other.end() == 0
    assert holding(data, "zorblatt") == []


def test_an_undo_of_one_process_is_seen_by_the_other(serve: Serve) -> None:
    owner, other = serve(*TOOLSETS), serve(*TOOLSETS)
    old = other.call("remember", subject="barn", predicate="located_in", object="Kent")["fact"]
    other.call("update_fact", id=old["id"], object="Sussex")
    assert owner.call("undo")["actions"] == {"taken out": 1, "reopened": 1}
    assert [fact["object"] for fact in other.call("search", query="barn")["results"]] == ["Kent"]
    hits = other.call("semantic_search", query="where is the barn")["semantic_results"]
    assert [hit["payload"]["object"] for hit in hits] == ["Kent"]
    assert {node["id"] for node in other.call("graph_search", entity_id="barn")["nodes"]} == {"barn", "kent"}


@pytest.mark.skipif(shutil.which("git") is None, reason="there is no git here")
def test_the_repository_of_skills_stays_whole_while_one_process_forgets_and_others_learn(
    serve: Serve, data: Path
) -> None:
    owner, *others = (serve(*TOOLSETS, env={"MEMORY_SERVER_EMBEDDING": "none"}) for _ in range(3))
    texts = [
        f"How to mend the zorblatt {place}:\n1. Take it apart.\n2. Oil part {place}." for place in range(4)
    ]
    spam = [{"text": text, "source": "spam"} for text in texts]
    assert not any(reply.is_error for reply in owner.call_many("learn", spam))
    replies = []

    def learn(session: Any, name: str) -> None:
        for place in range(8):
            text = f"How to bake the {name} {place}:\n1. Mix flour.\n2. Heat oven {place}."
            replies.append(session.call("learn", text=text, source="deed"))

    threads = [
        threading.Thread(target=learn, args=pair) for pair in zip(others, ("loaf", "cake"), strict=True)
    ]
    for thread in threads:
        thread.start()
    # each by itself: the repository is written anew four times
    for memory in owner.call("list_memories", memory_type="skill", source="spam")["memories"]:
        certificate = owner.call("forget", id=memory["id"])["certificate"]
        assert certificate["checks"][4]["result"] == "clean", certificate
    for thread in threads:
        thread.join()
    assert [reply.text for reply in replies if reply.is_error or "not kept" in reply.text] == []
    folder = data / "skills"

    def git(*words: str) -> str:
        done = subprocess.run(["git", "-C", str(folder), *words], capture_output=True, text=True, check=True)
        return done.stdout

    assert git("fsck", "--strict") == git("status", "--short") == ""
    written = git("log", "-p", "--format=%s")
    assert written.count(" version 1\n") == 16 and "zorblatt" not in written
