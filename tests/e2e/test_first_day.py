"""What the server is for on its first day: store, find by word, meaning and relation, through a restart."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

Serve = Callable[..., Any]

HARBOUR = [
    {"subject": "Lighthouse", "predicate": "warns", "object": "ships about rocks", "tags": ["coast"]},
    {"subject": "Bakery", "predicate": "sells", "object": "fresh bread at dawn", "source": "baker"},
    {"subject": "Library", "predicate": "lends", "object": "old maps of the coast"},
    {"subject": "Alder", "predicate": "feeds", "object": "Brook"},
    {"subject": "Brook", "predicate": "joins", "object": "Creek"},
    {"subject": "Creek", "predicate": "reaches", "object": "Delta"},
    {"subject": "Harbour gate", "predicate": "has_ip", "object": "10.20.30.40"},
]


def check_everything_is_found(session: Any) -> None:
    found = session.call("search", query="maps coast")
    assert found["results"][0]["subject"] == "Library"
    meant = session.call("semantic_search", query="who tells boats about danger", top_k=3)
    assert meant["semantic_results"][0]["payload"]["subject"] == "Lighthouse"
    scores = [hit["score"] for hit in meant["semantic_results"]]
    assert scores == sorted(scores, reverse=True)
    assert all(0 <= score <= 1 for score in scores)
    around = session.call("graph_search", query="what does the Brook do?")
    assert {node["name"] for node in around["nodes"]} == {"Alder", "Brook", "Creek"}
    path = session.call("graph_search", source_id="alder", target_id="delta")
    assert [node["name"] for node in path["paths"][0]] == ["Alder", "Brook", "Creek", "Delta"]
    ruled = session.call("route", query="what is the ip of the harbour gate")
    assert ruled["stage"] == 1
    assert ruled["rule_match"]["rule_name"] == "ip_address_query"
    assert ruled["ranked_results"][0]["metadata"]["object"] == "10.20.30.40"
    semantic = session.call("route", query="where do I get something to eat in the morning")
    assert (semantic["stage"], semantic["route"]) == (2, "semantic")
    context = session.call("get_context", task="I want to read about the shore", max_results=2)
    assert context["facts"][0]["subject"] in ("Library", "Lighthouse")
    assert context["facts"][0]["why"]


def test_everything_is_found_at_once_and_again_after_a_restart(serve: Serve) -> None:
    session = serve()
    for fact in HARBOUR:
        assert session.call("remember", **fact)["receipt"]["verification_status"] == "candidate"
    check_everything_is_found(session)
    assert session.end() == 0
    again = serve()
    check_everything_is_found(again)
    for name in ("Lighthouse", "Bakery"):
        hits = again.call("semantic_search", query=f"{name} by the sea")["semantic_results"]
        assert sum(hit["payload"]["subject"] == name for hit in hits) == 1
    assert again.end() == 0


def test_text_and_structured_content_tell_the_same(serve: Serve) -> None:
    session = serve()
    session.call("remember", **HARBOUR[0])
    for tool, arguments in [
        ("ping", {}),
        ("search", {"query": "ships"}),
        ("get_context", {"task": "ships"}),
        ("semantic_search", {"query": "boats"}),
        ("graph_search", {"query": "lighthouse"}),
        ("route", {"query": "boats"}),
    ]:
        reply = session.call(tool, **arguments)
        assert json.loads(reply.text) == reply.value


def test_an_empty_store_answers_everything(serve: Serve) -> None:
    session = serve()
    assert session.call("search", query="anything")["total"] == 0
    assert session.call("semantic_search", query="anything")["semantic_results"] == []
    assert session.call("graph_search", query="anything")["nodes"] == []
    assert session.call("get_context", task="anything")["facts"] == []
    routed = session.call("route", query="zzqx gibberish")
    assert (routed["stage"], routed["route"]) == (4, "llm_fallback")
    assert routed["message"] == "LLM fallback not configured"


@pytest.mark.parametrize(
    ("tool", "arguments", "named"),
    [
        ("remember", {"subject": "A", "predicate": "is"}, "object"),
        ("remember", {"subject": 42, "predicate": "is", "object": "x"}, "subject"),
        ("remember", {"subject": "A", "predicate": "is", "object": ["x"]}, "object"),
        ("remember", {"subject": "A", "predicate": "is", "object": "x", "confidence": 1.5}, "confidence"),
        ("remember", {"subject": "A", "predicate": "is", "object": "x", "confidence": True}, "confidence"),
        ("remember", {"subject": " \u200b", "predicate": "is", "object": "x"}, "subject"),
        ("remember", {"subject": "A", "predicate": "is", "object": "x" * 8193}, "object"),
        ("remember", {"subject": "A", "predicate": "is", "object": "left\u0000right"}, "object"),
        ("search", {}, "query"),
        ("search", {"query": ""}, "query"),
        ("search", {"query": "x", "max_result": 1}, "max_result"),
        ("search", {"query": "x", "limit": -1}, "limit"),
        ("get_context", {"task": "x", "max_results": 0}, "max_results"),
        ("semantic_search", {"query": "x", "top_k": 0}, "top_k"),
        ("semantic_search", {"query": "x", "score_threshold": "high"}, "score_threshold"),
        ("graph_search", {}, "query"),
        ("graph_search", {"source_id": "a"}, "target_id"),
        ("graph_search", {"query": "a", "entity_id": "b"}, "exactly one"),
        ("get_context", {"task": "x", "as_of": "yesterday"}, "as_of"),
    ],
)
def test_bad_input_is_refused_with_the_argument_named_and_nothing_stored(
    serve: Serve, tool: str, arguments: dict[str, Any], named: str
) -> None:
    session = serve()
    reply = session.call(tool, **arguments)
    assert reply.code == "invalid_argument"
    assert named in reply.text
    assert reply.value is None
    assert session.call("search", query="x")["total"] == 0
    assert session.call("ping")["status"] == "ok"


@pytest.mark.parametrize(("name", "value"), [("limit", "3"), ("limit", 3.0), ("limit", 3)])
def test_numbers_are_understood_however_a_client_writes_them(serve: Serve, name: str, value: Any) -> None:
    session = serve()
    session.call_many(
        "remember", [{"subject": f"Item {n}", "predicate": "is", "object": "common"} for n in range(5)]
    )
    assert session.call("search", query="common", **{name: value})["total"] == 3


def test_the_metrics_are_valid_and_count_what_happened(serve: Serve) -> None:
    session = serve()
    session.call("remember", subject="A", predicate='quo"te\nline', object="x", source='src"}\n# HELP x')
    session.call("search", query="A")
    session.call("search", query="A", wrong=1)
    session.call('evil"} 1\nfake_metric 2')
    text = session.call("metrics").text
    assert 'tool_calls_total{status="success",tool="search"} 1.0' in text
    assert 'tool_calls_total{status="error",tool="search"} 1.0' in text
    assert 'tool_error_total{tool="search"} 1.0' in text
    assert "\nfake_metric 2" not in text
    assert 'memories_total{state="candidate",type="fact"} 1.0' in text
    assert "remember_latency_ms_bucket" in text
