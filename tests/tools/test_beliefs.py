"""The tools of beliefs as a client sees them."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import anyio
import jsonschema
import pytest
from mcp.client import Client

from memory_server.app import MemoryApp
from memory_server.server import build_server

Ask = Callable[..., dict[str, Any]]

BELIEF = {
    "id",
    "proposition",
    "confidence",
    "effective_confidence",
    "source",
    "creator",
    "source_ids",
    "evidence",
    "tags",
    "scope",
    "risk_tags",
    "created_at",
    "updated_at",
    "last_reinforced_at",
    "version",
    "verification_status",
    "lifecycle_state",
}


@pytest.fixture
def ask(app: MemoryApp) -> Ask:
    """Calls a tool; the answer is held against the listed output schema, an error gives its body."""
    server = build_server(app)

    def call(tool: str, **arguments: Any) -> dict[str, Any]:
        async def go() -> tuple[Any, Any]:
            async with Client(server) as client:
                listed = {entry.name: entry for entry in (await client.list_tools()).tools}
                return await client.call_tool(tool, arguments), listed[tool].output_schema

        result, schema = anyio.run(go)
        body: dict[str, Any] = json.loads(result.content[0].text)
        if result.is_error:
            error: dict[str, Any] = body["error"]
            return error
        assert result.structured_content == body
        jsonschema.validate(body, schema)
        return body

    return call


def count(app: MemoryApp) -> int:
    with app.database.read() as connection:
        return int(connection.exec_driver_sql("SELECT count(*) FROM beliefs").scalar_one())


def test_a_belief_is_held_found_and_shown_with_all_its_fields(ask: Ask) -> None:
    piece = {"source_type": "observation", "source_id": "o-1", "weight": 0.8}
    held = ask(
        "set_belief", proposition="Tides follow the moon", confidence=0.9, sources=[piece], tags=["sea"]
    )
    belief = held["belief"]
    assert set(held) >= {"belief", "receipt", "superseded", "reinforced"}
    assert set(belief) == BELIEF
    assert (belief["verification_status"], belief["lifecycle_state"]) == ("active", "active")
    assert (belief["source"], belief["creator"], belief["version"]) == ("system", "system", 1)
    assert belief["source_ids"] == ["o-1"]
    assert belief["evidence"] == [{**piece, "contributor": "system", "standing": "holds"}]
    assert (held["superseded"], held["reinforced"]) == (None, False)
    assert (held["receipt"]["memory_type"], held["receipt"]["created_by"]) == ("belief", "set_belief")
    found = ask("get_belief", proposition="moon")
    assert (found["total"], found["beliefs"], found["has_more"]) == (1, [belief], False)
    assert found["query"]["proposition"] == "moon"


def test_older_clients_send_lists_as_json_text(ask: Ask) -> None:
    held = ask(
        "set_belief",
        proposition="Tides follow the moon",
        sources='[{"source_type": "fact", "source_id": "f-1"}]',
        tags='["sea", "moon"]',
    )
    assert held["belief"]["tags"] == ["sea", "moon"]
    assert held["belief"]["evidence"][0]["weight"] == 0.5
    assert ask("get_belief", tags='["moon"]')["total"] == 1


@pytest.mark.parametrize(
    ("arguments", "names"),
    [
        ({"proposition": " "}, "proposition"),
        ({"proposition": "x" * 2049}, "proposition"),
        ({"proposition": "x", "confidence": 1.1}, "confidence"),
        ({"proposition": "x", "confidence": -0.1}, "confidence"),
        ({"proposition": "x", "confidence": "nan"}, "confidence"),
        ({"proposition": "x", "sources": [{"source_type": "rumour", "source_id": "r"}]}, "source_type"),
        ({"proposition": "x", "sources": [{"source_type": "fact"}]}, "source_id"),
        ({"proposition": "x", "sources": [{"source_type": "fact", "source_id": "f", "weight": 2}]}, "weight"),
        ({"proposition": "x", "sources": [{"source_type": "fact", "source_id": "f", "wight": 1}]}, "weight"),
        ({"proposition": "x", "sources": '[{"source_type": "rumour", "source_id": "r"}]'}, "source_type"),
        ({"proposition": "x", "sources": "not json"}, "sources"),
        ({"proposition": "x", "tags": [""]}, "tags"),
        ({"proposition": "x", "propositon": "y"}, "proposition"),
    ],
)
def test_what_cannot_be_held_is_refused_with_nothing_stored(
    ask: Ask, app: MemoryApp, arguments: dict[str, Any], names: str
) -> None:
    error = ask("set_belief", **arguments)
    assert error["code"] == "invalid_argument"
    assert names in error["message"]
    assert count(app) == 0


def test_evidence_of_an_unknown_kind_does_not_reinforce_either(ask: Ask) -> None:
    held = ask("set_belief", proposition="Tides follow the moon", confidence=0.4)["belief"]
    bad = [{"source_type": "observation", "source_id": "o"}, {"source_type": "rumour", "source_id": "r"}]
    assert ask("set_belief", proposition="Tides follow the moon", sources=bad)["code"] == "invalid_argument"
    assert ask("get_belief")["beliefs"] == [held]


def test_replacing_shows_what_was_superseded(ask: Ask) -> None:
    first = ask("set_belief", proposition="The depot opens at six")["belief"]
    held = ask("set_belief", proposition="The depot opens at seven", replace_belief_id=first["id"].upper())
    assert held["superseded"]["id"] == first["id"]
    assert held["superseded"]["lifecycle_state"] == "superseded"
    assert held["belief"]["version"] == 2
    assert [one["proposition"] for one in ask("get_belief", proposition="depot opens")["beliefs"]] == [
        "The depot opens at seven"
    ]
    assert ask("set_belief", proposition="x", replace_belief_id="nobody")["code"] == "not_found"
    assert ask("set_belief", proposition="x", replace_belief_id=first["id"])["code"] == "conflict"


@pytest.mark.parametrize(
    ("state", "expected"),
    [
        (None, ["new"]),
        ("active", ["new"]),
        ("ACTIVE", ["new"]),
        ("trusted", ["new"]),
        ("superseded", ["old"]),
        ("deprecated", []),
        ("", ["new", "old"]),
    ],
)
def test_a_state_is_asked_for_by_name_old_names_included(
    ask: Ask, state: str | None, expected: list[str]
) -> None:
    old = ask("set_belief", proposition="old")["belief"]["id"]
    ask("set_belief", proposition="new", replace_belief_id=old)
    asked = {} if state is None else {"lifecycle_state": state}
    assert [one["proposition"] for one in ask("get_belief", **asked)["beliefs"]] == expected


@pytest.mark.parametrize(
    ("arguments", "names"),
    [
        ({"lifecycle_state": "asleep"}, "lifecycle_state"),
        ({"limit": 0}, "limit"),
        ({"limit": 101}, "limit"),
        ({"limit": -1}, "limit"),
        ({"min_confidence": 2}, "min_confidence"),
    ],
)
def test_what_cannot_be_asked_is_refused(ask: Ask, arguments: dict[str, Any], names: str) -> None:
    error = ask("get_belief", **arguments)
    assert (error["code"], names in error["message"]) == ("invalid_argument", True)


def test_a_limit_is_kept_exactly_and_says_whether_there_is_more(ask: Ask) -> None:
    for number in range(6):
        ask("set_belief", proposition=f"Common belief number {number}")
    for limit in (2, "2"):
        found = ask("get_belief", proposition="common belief", limit=limit)
        assert (len(found["beliefs"]), found["total"], found["has_more"]) == (2, 2, True)
    assert not ask("get_belief", proposition="common belief", limit=6)["has_more"]


def test_a_conflict_is_resolved_and_told(ask: Ask) -> None:
    loud = ask("set_belief", proposition="Pump A is loud", confidence=0.9)["belief"]["id"]
    silent = ask("set_belief", proposition="Pump A is silent")["belief"]["id"]
    done = ask(
        "resolve_conflict",
        belief_a_id=loud,
        belief_b_id=silent,
        resolution="merge",
        new_proposition="Pump A is loud at night",
    )
    assert set(done) == {
        "belief_a",
        "belief_b",
        "resolution",
        "created",
        "events",
        "receipt",
        "auto_resolved",
    }
    assert all(set(done[name]) == BELIEF for name in ("belief_a", "belief_b", "created"))
    assert done["created"]["confidence"] == 0.7
    assert [(event["belief_id"], event["from_state"], event["to_state"]) for event in done["events"]] == [
        (loud, "active", "superseded"),
        (silent, "active", "superseded"),
    ]
    assert done["receipt"]["memory_id"] == done["created"]["id"]


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        ({"resolution": "merge"}, "invalid_argument", "new_proposition"),
        ({"resolution": "coin_toss"}, "invalid_argument", "keep_a, keep_b, merge, discard_both"),
        ({}, "invalid_argument", "resolution"),
        ({"belief_b_id": "A"}, "invalid_argument", "belief_b_id"),
        ({"belief_b_id": "nobody", "resolution": "keep_a"}, "not_found", "nobody"),
        ({"belief_b_id": "nobody", "auto_resolve": True}, "not_found", "nobody"),
        ({"auto_resolve": "perhaps"}, "invalid_argument", "auto_resolve"),
    ],
)
def test_what_cannot_be_resolved_is_refused_and_both_stay(
    ask: Ask, arguments: dict[str, Any], code: str, says: str
) -> None:
    loud = ask("set_belief", proposition="Pump A is loud", confidence=0.9)["belief"]["id"]
    silent = ask("set_belief", proposition="Pump A is silent")["belief"]["id"]
    given = {"belief_a_id": loud, "belief_b_id": silent} | arguments
    if given["belief_b_id"] == "A":
        given["belief_b_id"] = loud
    error = ask("resolve_conflict", **given)
    assert error["code"] == code
    assert says in error["message"]
    assert ask("get_belief", proposition="Pump A")["total"] == 2


def test_with_auto_resolve_the_resolution_is_not_looked_at(ask: Ask) -> None:
    loud = ask("set_belief", proposition="Pump A is loud", confidence=0.95)["belief"]["id"]
    silent = ask("set_belief", proposition="Pump A is silent", confidence=0.2)["belief"]["id"]
    done = ask(
        "resolve_conflict", belief_a_id=loud, belief_b_id=silent, resolution="coin_toss", auto_resolve=True
    )
    assert (done["auto_resolved"], done["resolution"]) == (True, "keep_a")
    assert done["belief_b"]["lifecycle_state"] == "superseded"


@pytest.mark.parametrize(
    "mode", ["overview", "contradictions", "relations", "decay", "topics", "evidence_audit", "confidence"]
)
def test_reflect_answers_every_mode_by_its_schema(ask: Ask, mode: str) -> None:
    ask("reflect", mode=mode)
    ask("set_belief", proposition="Pump A is loud", tags=["pump"])
    ask("set_belief", proposition="Pump A is silent")
    assert "code" not in ask("reflect", mode=mode, limit=0, topic="pump a", min_confidence=0.1)


@pytest.mark.parametrize(
    ("arguments", "names"),
    [({"mode": "dreams"}, "overview"), ({"limit": -1}, "limit"), ({"min_confidence": 1.5}, "min_confidence")],
)
def test_reflect_refuses_what_it_does_not_know(ask: Ask, arguments: dict[str, Any], names: str) -> None:
    error = ask("reflect", **arguments)
    assert (error["code"], names in error["message"]) == ("invalid_argument", True)
