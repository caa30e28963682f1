"""The running server, the table of tools and the contract files say the same."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import anyio
import jsonschema
import pytest
from mcp.client import Client
from referencing import Registry, Resource

from memory_server.app import MemoryApp, open_app
from memory_server.server import server_of
from memory_server.settings import load_settings
from memory_server.tools.contracts import contracts, differences, rendered, write
from memory_server.tools.table import TOOLS

CONTRACTS = Path(__file__).parents[2] / "contracts"
LISTED = {tool.name: tool for tool in TOOLS}
MOST_LISTED_BYTES = 28_000
MOST_OF_CURATE = 9_500
MOST_OF_ALL = 42_000

# beyond the words that some clients refuse, combinators at any level
FORBIDDEN = {
    "$ref", "$defs", "anyOf", "oneOf", "allOf", "not", "const", "exclusiveMinimum", "exclusiveMaximum",
    "propertyNames", "patternProperties", "format", "pattern",
}  # fmt: skip

TEXT = (
    "The billing service runs on port 8443. We decided to use PostgreSQL instead of MySQL because it has better "
    "JSON support. To restart the worker: 1) stop the unit 2) clear the cache 3) start the unit. "
    "I think that small functions are easier to read."
)

# what is asked of each tool, in this order, so that later calls meet data of every sort
CALLS: list[tuple[str, dict[str, Any]]] = [
    ("ping", {}),
    ("remember", {"subject": "Larch", "predicate": "runs_on", "object": "Node 22", "tags": ["infra"]}),
    ("remember", {"subject": "Larch", "predicate": "runs_on", "object": "Node 22", "source": "cli"}),
    ("remember", {"subject": "Larch", "predicate": "depends_on", "object": "Heath"}),
    ("learn", {"text": TEXT, "extract_beliefs": True}),
    ("learn", {"text": "ok thanks"}),
    ("search", {"query": "larch"}),
    ("search", {"query": "", "subject": "Larch", "limit": 1}),
    ("search", {"query": "nothing like it"}),
    ("get_context", {"task": "Restart Larch on its host"}),
    ("semantic_search", {"query": "which runtime does the service use"}),
    ("semantic_search", {"query": "what is the ip of Larch"}),
    ("graph_search", {"query": "Larch"}),
    ("graph_search", {"source_id": "larch", "target_id": "heath"}),
    ("route", {"query": "what is the ip of Larch"}),
    ("route", {"query": "which runtime does the service use"}),
    ("set_belief", {"proposition": "Larch is easy to run", "confidence": 0.8, "tags": ["ops"]}),
    ("set_belief", {"proposition": "Larch is hard to run", "sources": [{"source_type": "user_statement", "source_id": "u1"}]}),
    ("get_belief", {"proposition": "larch"}),
    *(("reflect", {"mode": mode}) for mode in ("overview", "contradictions", "decay", "topics", "evidence_audit", "confidence", "relations")),
    *(("audit", {"audit_type": kind}) for kind in ("full", "consistency", "orphans", "confidence")),
    ("list_memories", {}),
    ("metrics", {}),
]  # fmt: skip


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MemoryApp]:
    home = tmp_path_factory.mktemp("contracts")
    with open_app(load_settings(home=home)) as opened:
        yield opened


@pytest.fixture(scope="module")
def listing(app: MemoryApp) -> list[dict[str, Any]]:
    async def go() -> Any:
        async with Client(server_of(app, TOOLS)) as client:
            return await client.list_tools()

    return [tool.model_dump(by_alias=True, mode="json", exclude_none=True) for tool in anyio.run(go).tools]


@pytest.fixture(scope="module")
def answers(app: MemoryApp) -> list[tuple[str, Any]]:
    async def go() -> list[tuple[str, Any]]:
        async with Client(server_of(app, TOOLS)) as client:
            return [(name, await client.call_tool(name, given)) for name, given in CALLS if name in LISTED]

    return anyio.run(go)


@pytest.fixture(scope="module")
def registry() -> Registry:
    return Registry().with_resources(
        (name, Resource.from_contents(contract)) for name, contract in contracts().items()
    )


def test_contract_files_are_those_that_the_table_of_tools_says() -> None:
    assert differences(CONTRACTS) == [], "run `make contracts`"


def test_contracts_are_written_without_leftovers_and_a_change_is_noticed(tmp_path: Path) -> None:
    (tmp_path / "gone.schema.json").write_text("{}")
    (tmp_path / "ping.schema.json").write_text("{}")
    assert "common.schema.json is missing" in differences(tmp_path)
    assert "gone.schema.json is of no tool" in differences(tmp_path)
    assert "ping.schema.json is out of date" in differences(tmp_path)
    write(tmp_path)
    assert differences(tmp_path) == []
    assert {path.name for path in tmp_path.iterdir()} == set(rendered())


@pytest.mark.parametrize("name", sorted(contracts()))
def test_each_contract_is_a_valid_schema_whose_references_lead_somewhere(
    name: str, registry: Registry
) -> None:
    contract = contracts()[name]
    jsonschema.Draft202012Validator.check_schema(contract)
    resolver = registry.resolver(base_uri=name)
    for reference in re.findall(r'"\$ref": "([^"]+)"', json.dumps(contract)):
        resolver.lookup(reference)


def test_listed_tools_have_the_schemas_and_annotations_of_their_contracts(
    listing: list[dict[str, Any]],
) -> None:
    assert [tool["name"] for tool in listing] == [tool.name for tool in TOOLS]
    for tool in listing:
        contract = contracts()[f"{tool['name']}.schema.json"]
        assert tool["inputSchema"] == contract["$defs"]["arguments"]
        assert tool.get("outputSchema") == contract["$defs"].get("listed_answer")
        assert (tool["title"], tool["description"]) == (contract["title"], contract["description"])
        annotations = {key: value for key, value in tool["annotations"].items() if key != "title"}
        assert annotations == contract["x-annotations"]


def test_the_schemas_of_a_session_stay_within_their_budget(listing: list[dict[str, Any]]) -> None:
    core = [tool for tool in listing if LISTED[tool["name"]].toolset == "core"]
    size = len(json.dumps(core, ensure_ascii=False, separators=(",", ":")).encode())
    assert size < MOST_LISTED_BYTES


def test_all_toolsets_together_stay_within_theirs(listing: list[dict[str, Any]]) -> None:
    def size(tools: list[dict[str, Any]]) -> int:
        return len(json.dumps(tools, ensure_ascii=False, separators=(",", ":")).encode())

    assert size([tool for tool in listing if LISTED[tool["name"]].toolset == "curate"]) <= MOST_OF_CURATE
    assert size(listing) <= MOST_OF_ALL


def words_of(schema: Any, inside_properties: bool = False) -> Iterator[tuple[str, Any]]:
    if isinstance(schema, dict):
        for key, value in schema.items():
            if not inside_properties:
                yield key, value
            if key not in ("default", "enum"):
                yield from words_of(value, key == "properties" and not inside_properties)
    elif isinstance(schema, list):
        for entry in schema:
            yield from words_of(entry)


def test_listed_schemas_use_only_what_every_client_takes(listing: list[dict[str, Any]]) -> None:
    for tool in listing:
        assert re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", tool["name"])
        for schema in filter(None, (tool["inputSchema"], tool.get("outputSchema"))):
            assert schema["type"] == "object"
            assert "properties" in schema
            for word, value in words_of(schema):
                assert word not in FORBIDDEN, tool["name"]
                if word == "type":
                    assert isinstance(value, str)
                if word == "enum":
                    assert all(isinstance(entry, str) and entry and "/" not in entry for entry in value)
        if LISTED[tool["name"]].raw_schema is None:
            assert tool["inputSchema"]["additionalProperties"] is False
        for name, argument in tool["inputSchema"]["properties"].items():
            assert argument["type"] in ("string", "integer", "number", "boolean", "array"), (
                tool["name"],
                name,
            )
            assert argument["description"], (tool["name"], name)


def test_every_tool_of_the_table_is_asked_for_a_real_answer() -> None:
    # those that need an id of something stored are asked in tests of their own
    asked_elsewhere = {tool.name for tool in TOOLS if tool.toolset != "core"} | {"resolve_conflict"}
    assert {tool.name for tool in TOOLS} - {name for name, _ in CALLS} <= asked_elsewhere


def test_real_answers_fit_the_schema_of_their_contract(
    answers: list[tuple[str, Any]], registry: Registry
) -> None:
    for name, result in answers:
        assert not result.is_error, (name, result.content[0].text)
        contract = contracts()[f"{name}.schema.json"]
        if result.structured_content is None:
            assert contract["$defs"]["answer"]["type"] == "string"
            continue
        assert json.loads(result.content[0].text) == result.structured_content
        for schema in ("listed_answer", "answer"):
            reference = {"$ref": f"{name}.schema.json#/$defs/{schema}"}
            jsonschema.Draft202012Validator(reference, registry=registry).validate(result.structured_content)


@pytest.mark.parametrize(
    ("name", "given", "code"),
    [
        ("remember", {"subject": "A"}, "invalid_argument"),
        ("search", {"query": "x", "max_result": 1}, "invalid_argument"),
        ("no_such_tool", {}, "not_found"),
        ("learn", {"text": "x" * 200_001}, "payload_too_large"),
        ("learn", {"text": ""}, "invalid_argument"),
    ],
)
def test_errors_fit_the_schema_of_their_contract(
    app: MemoryApp, registry: Registry, name: str, given: dict[str, Any], code: str
) -> None:
    async def go() -> Any:
        async with Client(server_of(app, TOOLS)) as client:
            return await client.call_tool(name, given)

    result = anyio.run(go)
    assert result.is_error
    assert result.structured_content is None
    error = json.loads(result.content[0].text)
    jsonschema.Draft202012Validator({"$ref": "common.schema.json#/$defs/Error"}, registry=registry).validate(
        error
    )
    assert error["error"]["code"] == code
