"""The argument `scope`: what may be given, where a write goes, and what a read sees, its own first."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

import pytest

from memory_server.app import MemoryApp, open_app
from memory_server.domain.errors import InvalidArgument
from memory_server.services.scope_notes import nearest_scopes
from memory_server.settings import Settings, SettingsError, load_settings
from memory_server.tools.arguments import arguments_of
from memory_server.tools.calls import call_tool
from memory_server.tools.scoping import read_scopes, write_scope
from memory_server.tools.table import TOOLS

OpenApp = Callable[..., AbstractContextManager[MemoryApp]]
TOOL = {tool.name: tool for tool in TOOLS}
ARGUMENTS = {tool.name: arguments_of(tool.run) for tool in TOOLS if tool.raw_schema is None}
SCOPED = [name for name, arguments in ARGUMENTS.items() if "scope" in {a.name for a in arguments}]


def call(app: MemoryApp, name: str, **arguments: Any) -> dict[str, Any]:
    """A tool's answer, or the body of its error."""
    answer: dict[str, Any] = json.loads(call_tool(app, TOOL[name], arguments).text)
    return answer


def state(app: MemoryApp, obj: str, scope: str | None = None, **more: Any) -> str:
    """Stores a fact of the mill; gives its id."""
    said = {"subject": "mill", "predicate": "stands_by", **more}
    given = {} if scope is None else {"scope": scope}
    return str(call(app, "remember", object=obj, **said, **given)["fact"]["id"])


@pytest.mark.parametrize(
    ("default", "given", "written", "seen"),
    [
        (None, None, "global", None),
        (None, "project:app", "project:app", ("project:app", "global")),
        (None, " Repo:Acme/Web.UI ", "repo:acme/web.ui", ("repo:acme/web.ui", "global")),
        (None, "global", "global", ("global",)),
        ("project:app", None, "project:app", ("project:app", "global")),
        ("project:app", "project:other", "project:other", ("project:other", "global")),
        ("project:app", "global", "global", ("global",)),
    ],
)
def test_a_scope_is_the_given_one_else_that_of_the_settings_else_global_or_everything(
    settings: Settings,
    default: str | None,
    given: str | None,
    written: str,
    seen: tuple[str, ...] | None,
) -> None:
    settings = settings.model_copy(update={"scope": default})
    assert write_scope(settings, given) == written
    assert read_scopes(settings, given) == seen


@pytest.mark.parametrize("given", ["all", "ALL ", " All"])
def test_all_asks_for_everything_in_spite_of_a_default_and_is_no_place_to_write_to(
    settings: Settings, given: str
) -> None:
    settings = settings.model_copy(update={"scope": "project:app"})
    assert read_scopes(settings, given) is None
    with pytest.raises(InvalidArgument, match="global, project:<name> or repo:<name>"):
        write_scope(settings, given)


@pytest.mark.parametrize("tool", SCOPED)
@pytest.mark.parametrize("scope", ["team:red", "project:", "GLOBAL?", "project:a b", "a" * 200])
def test_a_wrong_scope_is_refused_by_every_tool_and_told_what_is_allowed(
    app: MemoryApp, tool: str, scope: str
) -> None:
    required = {argument.name: "x" for argument in ARGUMENTS[tool] if argument.required}
    error = call(app, tool, **required, scope=scope)["error"]
    assert (error["code"], error["details"]["argument"]) == ("invalid_argument", "scope")
    assert "project:<name>" in error["message"]
    assert len(error["message"]) < 500


@pytest.mark.parametrize("given", ["", "  ", None])
def test_an_empty_scope_is_none(app: MemoryApp, given: str | None) -> None:
    kept = call(app, "remember", subject="mill", predicate="is", object="old", scope=given)["fact"]
    assert kept["scope"] == "global"
    assert call(app, "search", query="mill", scope=given)["total"] == 1


@pytest.mark.parametrize("scope", ["team:red", "project:", "all"])
def test_a_server_with_a_wrong_scope_does_not_start_and_says_so_in_one_line(home: Any, scope: str) -> None:
    with pytest.raises(SettingsError) as caught, open_app(load_settings(home=home, scope=scope)):
        pass
    assert "MEMORY_SERVER_SCOPE" in str(caught.value)
    assert "project:<name>" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_the_scope_of_the_server_comes_from_the_environment(
    home: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEMORY_SERVER_SCOPE", " Project:App ")
    with open_app(load_settings(home=home, embedding="none"), worker=False) as app:
        assert app.settings.scope == "project:app"
        assert (
            call(app, "remember", subject="mill", predicate="is", object="old")["fact"]["scope"]
            == "project:app"
        )
        belief = call(app, "set_belief", proposition="The mill is old")["belief"]
        assert belief["scope"] == "project:app"
        learned = call(
            app, "learn", text="The weir runs on oak piles. We decided to use oak because it lasts."
        )
        scopes = {entry["item"]["scope"] for kind in ("facts", "decisions") for entry in learned[kind]}
        assert {learned["episode"]["scope"], *scopes} == {"project:app"}


def test_a_read_sees_its_scope_and_global_and_without_one_everything(app: MemoryApp) -> None:
    everybody = state(app, "the river")
    own = state(app, "the lake", "project:app")
    near = state(app, "the sea", "project:app2")

    def found(**scope: Any) -> set[str]:
        return {fact["id"] for fact in call(app, "search", query="mill", **scope)["results"]}

    assert found() == {everybody, own, near}
    assert found(scope="all") == {everybody, own, near}
    assert found(scope="project:app") == {own, everybody}
    assert found(scope="global") == {everybody}
    assert found(scope="repo:app") == {everybody}


@pytest.mark.parametrize("name", ["search", "semantic_search", "get_belief", "get_context"])
@pytest.mark.parametrize("drained", [False, True])
@pytest.mark.parametrize("first", ["own", "global"])
def test_of_equally_good_ones_the_own_come_first_even_where_only_one_has_room(
    app: MemoryApp, name: str, drained: bool, first: str
) -> None:
    order = ["project:app", "global"] if first == "own" else ["global", "project:app"]
    for scope in order:
        state(app, "the river", scope)
        call(app, "set_belief", proposition="The mill stands by the river", scope=scope)
    if drained:
        app.worker.drain()
    for limit in (1, 10):
        match name:
            case "search":
                found = call(app, name, query="mill river", limit=limit, scope="project:app")["results"]
            case "semantic_search":
                hits = call(app, name, query="the mill stands by the river", top_k=limit, scope="project:app")
                found = [hit["payload"] for hit in hits["semantic_results"]]
            case "get_context":
                asked = {"task": "where the mill stands", "scope": "project:app"}
                found = call(app, name, max_results=limit, **asked)["facts"]
            case _:
                asked = {"proposition": "mill river", "scope": "project:app"}
                found = call(app, name, limit=limit, **asked)["beliefs"]
        assert found[0]["scope"] == "project:app"
        # what says the same is shown once by get_context
        assert len(found) >= (1 if name == "get_context" else min(limit, 2))


@pytest.mark.parametrize("drained", [False, True])
def test_a_big_other_project_takes_no_place_among_the_nearest(app: MemoryApp, drained: bool) -> None:
    for number in range(60):
        state(app, f"the river, {number}", "project:other", subject="water mill")
    own = state(app, "a bend of some canal in the north", "project:app", subject="saw mill")
    if drained:
        app.worker.drain()
    hits = call(app, "semantic_search", query="water mill stands by the river", top_k=3, scope="project:app")
    assert [hit["id"] for hit in hits["semantic_results"]] == [own]
    assert hits["degraded"] is None


def test_a_scope_in_which_nothing_is_stored_shows_what_is_global_and_names_what_may_be_meant(
    app: MemoryApp,
) -> None:
    everybody = state(app, "the river")
    state(app, "the lake", "project:windmill")
    call(app, "set_belief", proposition="Sails turn", scope="repo:acme/wind-mill")
    for name, arguments in (
        ("search", {"query": "mill"}),
        ("semantic_search", {"query": "mill"}),
        ("get_belief", {}),
        ("reflect", {}),
        ("get_context", {"task": "mill"}),
        ("route", {"query": "mill"}),
        ("route", {"query": "which port has the mill"}),
    ):
        assert call(app, name, **arguments)["scope_note"] is None
        assert call(app, name, **arguments, scope="project:windmill")["scope_note"] is None
        assert call(app, name, **arguments, scope="global")["scope_note"] is None
        note = call(app, name, **arguments, scope="project:windmil")["scope_note"]
        assert note.startswith("nothing is stored in project:windmil")
        assert "did you mean project:windmill" in note
        assert "did you mean" not in call(app, name, **arguments, scope="project:zebra")["scope_note"]
    found = call(app, "search", query="mill", scope="project:windmil")
    assert [fact["id"] for fact in found["results"]] == [everybody]


@pytest.mark.parametrize(
    ("scope", "known", "nearest"),
    [
        ("project:app", ["project:app2", "project:zebra"], ["project:app2"]),
        ("project:app", ["repo:app", "project:apt"], ["repo:app", "project:apt"]),
        ("repo:app", ["project:apps", "repo:apps"], ["repo:apps", "project:apps"]),
        ("project:web-ui", ["project:webui", "project:web", "project:x"], ["project:webui", "project:web"]),
        ("project:a1", ["project:a2", "project:a3", "project:a4", "project:a5"], []),
        ("project:garden", [], []),
    ],
)
def test_the_names_that_may_be_meant_are_the_likest(scope: str, known: list[str], nearest: list[str]) -> None:
    assert nearest_scopes(scope, known) == nearest


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ({}, {"the lake", "the sea"}),
        ({"scope": "project:other"}, {"the hill"}),
        ({"scope": "global"}, {"the sea"}),
        ({"scope": "all"}, {"the lake", "the sea", "the hill"}),
    ],
    ids=["none", "another", "global", "all"],
)
def test_a_filter_of_what_is_to_be_forgotten_sees_what_the_scope_of_the_server_sees(
    open_memory: OpenApp, settings: Settings, given: dict[str, str], meant: set[str]
) -> None:
    with open_memory(given=settings.model_copy(update={"scope": "project:app"})) as app:
        state(app, "the lake")
        state(app, "the sea", "global")
        state(app, "the hill", "project:other")
        dry = call(app, "forget", source="manual", **given)
        assert {one["text"].removeprefix("mill stands by ") for one in dry["sample"]} == meant
        assert call(app, "forget", source="manual", confirm=dry["confirm"], **given)["total"] == len(meant)


@pytest.mark.parametrize("asked", [{}, {"source": "manual"}], ids=["the last", "of a source"])
def test_an_undo_takes_back_what_the_scope_of_the_server_sees_or_what_is_named(
    open_memory: OpenApp, settings: Settings, asked: dict[str, str]
) -> None:
    with (
        open_memory() as everywhere,
        open_memory(given=settings.model_copy(update={"scope": "project:app"})) as app,
    ):
        state(app, "the lake")
        other = state(everywhere, "the hill", "project:other")
        done = call(app, "undo", **asked)
        assert [one["text"] for one in done["memories"]] == ["mill stands by the lake"]
        assert call(app, "undo").get("error", {}).get("code") == "not_found"
        assert call(app, "undo", id=other)["memories"][0]["id"] == other


def test_a_forgotten_memory_makes_no_scope(app: MemoryApp) -> None:
    gone = state(app, "the lake", "project:app")
    call(app, "forget", id=gone)
    assert "nothing is stored" in call(app, "search", query="mill", scope="project:app")["scope_note"]


def test_what_a_scope_holds_is_found_by_other_processes_and_after_a_restart(open_memory: OpenApp) -> None:
    with open_memory() as one, open_memory() as two:
        own = state(one, "the lake", "project:app")
        state(one, "the sea", "project:app2")
        for app in (two, one):
            for _ in range(2):
                hits = call(app, "semantic_search", query="mill", scope="project:app")["semantic_results"]
                assert [hit["id"] for hit in hits] == [own]
                graph = call(app, "graph_search", entity_id="mill", scope="project:app")
                assert {node["id"] for node in graph["nodes"]} == {"mill", "the lake"}
                one.worker.drain()
    with open_memory() as again:
        assert [f["id"] for f in call(again, "search", query="mill", scope="project:app")["results"]] == [own]
        hits = call(again, "semantic_search", query="mill", scope="project:app")["semantic_results"]
        assert [hit["id"] for hit in hits] == [own]


def test_the_graph_of_a_scope_knows_nothing_of_others_not_even_how_they_spell(app: MemoryApp) -> None:
    state(app, "the weir", "project:other", subject="MILL", predicate="Drives_Water_Over")
    state(app, "the weir", "project:other", subject="the sluice")
    assert call(app, "graph_search", query="mill", scope="project:app")["nodes"] == []
    assert "error" in call(app, "graph_search", entity_id="mill", scope="project:app")
    state(app, "the weir", "project:app", subject="mill", predicate="drives water over")
    (mill, weir) = call(app, "graph_search", entity_id="mill", scope="project:app")["nodes"]
    assert (mill["name"], mill["attributes"]) == ("mill", {"degree": 1})
    assert weir["attributes"] == {"degree": 1}
    assert "error" in call(app, "graph_search", source_id="mill", target_id="the sluice", scope="project:app")
    assert call(app, "graph_search", source_id="mill", target_id="the sluice")["paths"] != []


def test_the_same_triple_in_two_scopes_is_two_facts(app: MemoryApp) -> None:
    assert state(app, "the river", "project:app") != state(app, "the river", "project:app2")
    assert state(app, "the river", "project:app") == state(app, "The  River", "project:app")


@pytest.mark.parametrize("older", ["global", "project:app", "project:app2"])
def test_a_newer_statement_closes_an_older_one_of_its_own_scope_alone(app: MemoryApp, older: str) -> None:
    first = state(app, "10.0.0.1", older, predicate="has_ip")
    state(app, "10.0.0.2", "project:app", predicate="has_ip")
    (fact,) = (f for f in call(app, "search", query="mill")["results"] if f["id"] == first)
    assert (fact["valid_to"] is not None) == (older == "project:app")


@pytest.mark.parametrize(
    ("a", "b", "reader", "contradicted"),
    [
        ("global", "project:app", "project:app", {"a", "b"}),
        ("global", "project:app", "project:app2", set()),
        ("global", "project:app", "global", set()),
        ("global", "project:app", None, {"a", "b"}),
        ("project:app", "project:app2", "project:app", set()),
        ("project:app", "project:app2", None, set()),
        ("project:app", "project:app", "project:app", {"a", "b"}),
    ],
)
def test_facts_contradict_each_other_before_the_eyes_of_who_sees_both(
    app: MemoryApp, a: str, b: str, reader: str | None, contradicted: set[str]
) -> None:
    def stated(obj: str, scope: str, source: str, subject: str = "mill") -> str:
        said = {"predicate": "has_ip", "source": source, "confidence": 0.6, "subject": subject}
        return state(app, obj, scope, **said)

    stated("10.0.0.3", "global", "ann", "barn")
    names = {stated("10.0.0.1", a, "ann"): "a", stated("10.0.0.2", b, "bea"): "b"}
    asked = {} if reader is None else {"scope": reader}
    (barn,) = call(app, "search", query="barn")["results"]
    below = {
        names[fact["id"]]
        for fact in call(app, "search", query="mill", **asked)["results"]
        if fact["effective_confidence"] < barn["effective_confidence"] - 0.05
    }
    assert below == contradicted


def test_what_a_project_says_does_not_touch_what_is_everybodys(app: MemoryApp) -> None:
    fact = state(app, "10.0.0.1", "global", predicate="has_ip", source="ann", confidence=0.9)
    sources = [{"source_type": "fact", "source_id": fact, "weight": 1.0}]
    call(app, "set_belief", proposition="The mill is reached at 10.0.0.1", sources=sources, scope="global")
    state(app, "10.0.0.2", "project:app", predicate="has_ip", source="bea")
    app.worker.drain()

    def seen(scope: str) -> tuple[Any, ...]:
        (belief,) = call(app, "get_belief", scope=scope)["beliefs"]
        held = next(f for f in call(app, "search", query="mill", scope=scope)["results"] if f["id"] == fact)
        return held["lifecycle_state"], belief["evidence"][0]["standing"]

    assert seen("global") == ("validated", "holds")
    assert seen("project:other") == ("validated", "holds")
    assert seen("project:app") == ("validated", "conflicting")
    assert len(call(app, "history", id=fact)["receipts"]) == 1


def test_evidence_that_a_reader_does_not_see_is_not_told_of(app: MemoryApp) -> None:
    hidden = state(app, "10.0.0.1", "project:other", predicate="has_ip")
    sources = [
        {"source_type": "fact", "source_id": hidden, "weight": 1.0},
        {"source_type": "user_statement", "source_id": "ann", "weight": 0.5},
    ]
    call(app, "set_belief", proposition="The mill is reached", sources=sources)
    (everything,) = call(app, "get_belief")["beliefs"]
    (outside,) = call(app, "get_belief", scope="project:app")["beliefs"]
    assert everything["source_ids"] == [hidden, "ann"]
    assert outside["source_ids"] == ["ann"]
    assert [piece["source_id"] for piece in outside["evidence"]] == ["ann"]


def test_a_belief_keeps_the_scope_of_the_one_that_it_replaces_unless_another_is_given(
    app: MemoryApp, open_memory: OpenApp
) -> None:
    old = call(app, "set_belief", proposition="Ten is the rate", scope="project:app")["belief"]
    new = call(app, "set_belief", proposition="Twelve is the rate", replace_belief_id=old["id"])["belief"]
    assert new["scope"] == "project:app"
    last = call(app, "set_belief", proposition="It is nine", replace_belief_id=new["id"], scope="project:b")[
        "belief"
    ]
    assert last["scope"] == "project:b"
    assert last["version"] == 3


@pytest.mark.parametrize(
    ("a", "b", "merged"),
    [
        ("global", "global", "global"),
        ("global", "project:app", "project:app"),
        ("project:app", "global", "project:app"),
        ("project:app", "project:app", "project:app"),
        ("project:app", "project:b", None),
    ],
)
def test_two_beliefs_are_merged_where_both_are_seen(
    app: MemoryApp, a: str, b: str, merged: str | None
) -> None:
    ids = {
        f"belief_{name}_id": call(app, "set_belief", proposition=words, scope=scope)["belief"]["id"]
        for name, words, scope in (("a", "Builds are slow", a), ("b", "Builds are fast", b))
    }
    done = call(app, "resolve_conflict", **ids, resolution="merge", new_proposition="Builds take a minute")
    if merged is None:
        assert done["error"]["code"] == "conflict"
        assert call(app, "get_belief")["total"] == 2
    else:
        assert done["created"]["scope"] == merged


def test_a_reflection_counts_what_its_reader_sees(app: MemoryApp) -> None:
    call(app, "set_belief", proposition="The build is slow", tags=["speed"])
    call(app, "set_belief", proposition="The build is fast", tags=["pace"], scope="project:app")
    call(app, "set_belief", proposition="The build is very slow", tags=["other"], scope="project:b")

    def look(mode: str, **more: Any) -> dict[str, Any]:
        return call(app, "reflect", mode=mode, **more)

    assert look("overview")["total_beliefs"] == 3
    assert look("overview", scope="project:app")["total_beliefs"] == 2
    assert look("overview", scope="global")["total_beliefs"] == 1
    assert look("contradictions", scope="project:app")["total"] == 1
    assert look("contradictions", scope="global")["total"] == 0
    assert [entry["tag"] for entry in look("topics", scope="project:app")["topics"]] == ["pace", "speed"]
