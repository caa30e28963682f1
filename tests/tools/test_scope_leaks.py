"""Nothing from a scope that a reader does not see appears anywhere in an answer, whatever is stored and asked."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memory_server.app import MemoryApp, open_app
from memory_server.domain.errors import NotFound
from memory_server.domain.knowledge import Note
from memory_server.indexes.memory import HashEmbedder, MemoryVectorStore
from memory_server.policies.scopes import sees, visible_from
from memory_server.services.knowledge import store_knowledge
from memory_server.services.reflect import Mode
from memory_server.settings import Settings, load_settings
from memory_server.tools.arguments import arguments_of
from memory_server.tools.calls import call_tool
from memory_server.tools.resources import read_resource
from memory_server.tools.table import TOOLS

SCOPES = ("global", "project:app", "project:app2", "repo:app")
KINDS = ("fact", "rival", "belief", "doubt", "text", "note")
THINGS = ("server", "Server", "SERVER", "router")
TOOL = {tool.name: tool for tool in TOOLS}
READING = [
    tool
    for tool in TOOLS
    if tool.read_only
    and tool.raw_schema is None
    and "scope" in {argument.name for argument in arguments_of(tool.run)}
]
MODES = ("overview", "contradictions", "decay", "topics", "evidence_audit", "confidence", "relations")

memories = st.tuples(st.sampled_from(KINDS), st.sampled_from(SCOPES), st.sampled_from(THINGS))


def call(app: MemoryApp, name: str, **arguments: Any) -> str:
    return call_tool(app, TOOL[name], arguments).text


def store(app: MemoryApp, kind: str, scope: str, thing: str, mark: str, evidence: list[str]) -> list[str]:
    """Stores a memory that carries a mark of its own; gives the ids of what came of it."""

    def ids(answer: str) -> list[str]:
        said = json.loads(answer)
        assert "error" not in said, said
        return [receipt["memory_id"] for receipt in [said["receipt"], *said.get("receipts", ())]]

    match kind:
        case "fact":
            said = {"subject": thing, "predicate": "stands_next_to", "object": f"rack {mark}"}
            return ids(call(app, "remember", **said, tags=[mark], scope=scope))
        case "rival":
            said = {"subject": thing, "predicate": "has_ip", "object": f"{mark}.example", "source": mark}
            return ids(call(app, "remember", **said, scope=scope))
        case "belief" | "doubt":
            speed = "fast" if kind == "belief" else "slow"
            sources = [{"source_type": "fact", "source_id": memory_id} for memory_id in evidence[-3:]]
            said = {"proposition": f"The {thing} is {speed} in {mark} weather", "tags": [mark]}
            if kind == "doubt":
                said["proposition"] = f"The {thing} is {speed}"
            return ids(call(app, "set_belief", **said, sources=sources, source=mark, scope=scope))
        case "text":
            text = (
                f"The {thing} runs on {mark}. We decided to use {mark} for the {thing} because it is quick. "
                f"I think the {thing} is better than {mark}. How to restart the {thing} {mark}:\n1. stop {mark}\n"
                f"2. start {mark}\n"
            )
            more = {"session": "talk", "speaker": f"Speaker {mark}", "extract_beliefs": True}
            learned = json.loads(call(app, "learn", text=text, **more, scope=scope))
            return [learned["episode"]["id"], *(receipt["memory_id"] for receipt in learned["receipts"])]
        case _:
            note = Note(
                f"How the {thing} is watched {mark}", f"The {thing} is watched by {mark} " * 12, scope=scope
            )
            return [store_knowledge(app, note).id]


def questions(name: str) -> Iterator[dict[str, Any]]:
    """What is asked of each tool, so that its parts all have something to say."""
    match name:
        case "search":
            yield from ({"query": "server"}, {"query": "rack has ip runs", "limit": 3})
            yield from ({"query": "", "subject": "server"}, {"query": "server", "as_of": "2100-01-01"})
        case "semantic_search" | "route":
            yield from ({"query": "the server is fast"}, {"query": "which port has the server"})
            yield {"query": "how is the server watched", "top_k": 2}
        case "get_context":
            yield from ({"task": "restart the server"}, {"task": "what is the ip of the router"})
            yield {"task": "where does it stand", "subject": "server", "max_results": 3}
        case "get_belief":
            yield from ({}, {"proposition": "server fast"}, {"lifecycle_state": "", "limit": 2})
        case "reflect":
            yield from ({"mode": mode} for mode in MODES)
            yield {"mode": "overview", "topic": "server"}
        case "graph_search":
            yield from ({"query": "server and router"}, {"entity_id": "server"})
            yield {"source_id": "server", "target_id": "router"}
        case _:
            yield from ({}, {"limit": 2})


def answers(app: MemoryApp, scope: str | None) -> Iterator[tuple[str, str]]:
    """Every answer of every reading tool, with what was asked."""
    for tool in READING:
        for question in questions(tool.name):
            asked = question if scope is None else {**question, "scope": scope}
            yield f"{tool.name} {asked}", call(app, tool.name, **asked)


def test_every_reading_tool_is_asked() -> None:
    assert set(MODES) == set(Mode.__args__)  # type: ignore[attr-defined]
    assert all(next(questions(tool.name), None) is not None for tool in READING)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    written=st.lists(memories, min_size=3, max_size=12),
    drained=st.integers(0, 12),
    by_default=st.booleans(),
)
def test_no_answer_holds_anything_that_its_reader_does_not_see(
    open_fresh: Callable[[str | None], AbstractContextManager[MemoryApp]],
    written: list[tuple[str, str, str]],
    drained: int,
    by_default: bool,
) -> None:
    """With some of it settled in the vector index and some not, by argument and by the setting of the server."""
    marks: dict[str, str] = {}
    stored: list[str] = []
    with open_fresh(None) as app:
        for number, (kind, scope, thing) in enumerate(written):
            mark = f"zq{number:02}x{len(stored)}k"
            ids = store(app, kind, scope, thing, mark, stored)
            marks |= {mark: scope, **dict.fromkeys(ids, scope)}
            stored += ids
            if number == drained:
                app.worker.drain()
        if not by_default:
            for reader in SCOPES:
                assert_nothing_leaks(answers(app, reader), marks, reader)
    if by_default:
        for reader in SCOPES:
            with open_fresh(reader) as app:
                assert_nothing_leaks(answers(app, None), marks, reader)


def assert_nothing_leaks(told: Iterator[tuple[str, str]], marks: dict[str, str], reader: str) -> None:
    hidden = [mark for mark, scope in marks.items() if not sees(visible_from(reader), scope)]
    for asked, answer in told:
        assert [mark for mark in hidden if mark in answer] == [], asked


def test_a_skill_is_read_by_its_name_in_sight_of_the_server_alone(
    open_fresh: Callable[[str | None], AbstractContextManager[MemoryApp]],
) -> None:
    with open_fresh(None) as app:
        store(app, "text", "project:app2", "server", "zq00x", [])
    with open_fresh("project:app2") as app:
        assert "zq00x" in read_resource(app, "memory://skills/restart-the-server-zq00x")[1]
    with open_fresh("project:app") as app, pytest.raises(NotFound, match="there are none yet"):
        read_resource(app, "memory://skills/restart-the-server-zq00x")


def test_with_everything_in_sight_the_marks_are_found(
    open_fresh: Callable[[str | None], AbstractContextManager[MemoryApp]],
) -> None:
    """So that the test above does not look for what no answer ever holds."""
    marks = {}
    with open_fresh(None) as app:
        for number, kind in enumerate(KINDS):
            marks[kind] = f"zq{number:02}x"
            store(app, kind, "project:app", "server", marks[kind], [])
        told = " ".join(answer for _, answer in answers(app, "project:app"))
        assert {kind for kind, mark in marks.items() if mark in told} == set(KINDS)


@pytest.fixture
def open_fresh(
    tmp_path: Path, database_template: Path
) -> Callable[[str | None], AbstractContextManager[MemoryApp]]:
    """Opens an app with that scope as its default; one without any begins with nothing stored."""
    numbers = iter(range(1_000_000))
    current: list[tuple[Settings, MemoryVectorStore]] = []

    def open_one(scope: str | None) -> AbstractContextManager[MemoryApp]:
        if scope is None:
            home = tmp_path / f"fresh-{next(numbers)}"
            home.mkdir()
            shutil.copy(database_template, home / "memory.db")
            current[:] = [(load_settings(home=home), MemoryVectorStore())]
        ((chosen, store),) = current
        return open_app(
            chosen.model_copy(update={"scope": scope}),
            worker=False,
            make_embedder=HashEmbedder,
            open_store=lambda _embedder: (store, False),
        )

    return open_one
