"""What a client sees of a bound tool, through the library's own in-memory client."""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

import anyio
import jsonschema
import pytest
from mcp.client import Client
from pydantic import BaseModel, Field

from memory_server.domain.errors import Conflict, InvalidArgument
from memory_server.server import server_of
from memory_server.tools.answers import Answer, TextAnswer
from memory_server.tools.calls import call_tool
from memory_server.tools.ping import PING
from memory_server.tools.schemas import output_schema_of
from memory_server.tools.shortening import MOST_BYTES, shorten
from memory_server.tools.tool import Tool, UnknownTool


@dataclass
class Seen:
    tool: str
    status: str = "?"
    size: int = 0


@dataclass
class ToyApp:
    """An app that only watches its calls."""

    calls: list[Seen] = field(default_factory=list)
    unknown: int = 0

    @contextmanager
    def observe_call(self, tool: str) -> Iterator[Seen]:
        self.calls.append(Seen(tool))
        yield self.calls[-1]

    def observe_unknown_tool(self) -> None:
        self.unknown += 1


class Part(BaseModel):
    name: str
    weight: float


class Basket(Answer):
    total: int = Field(description="How many parts are here")
    parts: tuple[Part, ...] = Field(description="The parts")
    owner: str | None = Field(description="Whose it is")
    first: Part | None = None
    kind: Literal["big", "small"] = "small"
    has_more: bool = False


class Crate(Answer):
    total: str
    more: list[int]


def fill(app: ToyApp, *, count: Annotated[int, Field(description="How many", ge=0, le=10_000)] = 1) -> Basket:
    parts = tuple(Part(name=f"naïve 数据 {n}", weight=0.5) for n in range(count))
    return Basket(total=count, parts=parts, owner=None)


def crash(app: ToyApp) -> Basket:
    raise RuntimeError("the password is swordfish")


def clash(app: ToyApp) -> Basket:
    raise Conflict("the basket is closed", basket_id="b-1")


def measure(app: ToyApp) -> TextAnswer:
    return TextAnswer(text="# HELP x\nx 1\n")


def raw(app: ToyApp, given: dict[str, Any]) -> Basket:
    if given.get("title") is None:
        raise InvalidArgument("title is needed", argument="title")
    return Basket(total=0, parts=(), owner=given["title"])


def own_envelope(error: Exception) -> dict[str, Any]:
    return {"error": "UNKNOWN" if isinstance(error, UnknownTool) else "OWN", "message": str(error)}


def tool(run: Any, name: str, **more: Any) -> Tool:
    defaults: dict[str, Any] = {
        "title": name.title(),
        "description": f"What {name} is for.",
        "toolset": "core",
        "read_only": True,
        "destructive": False,
        "idempotent": True,
    }
    return Tool(name=name, run=run, **(defaults | more))


TOOLS = (
    PING,
    tool(fill, "fill", read_only=False, idempotent=False),
    tool(crash, "crash"),
    tool(clash, "clash", destructive=True),
    tool(measure, "measure"),
    tool(
        raw,
        "notes_add",
        toolset="knowledge",
        aliases=("notes.add",),
        raw_schema={"type": "object", "properties": {"title": {"type": "string"}}, "required": ["title"]},
        present_error=own_envelope,
    ),
)


@pytest.fixture
def app() -> ToyApp:
    return ToyApp()


def ask(app: ToyApp, name: str, arguments: dict[str, Any] | None = None) -> Any:
    async def go() -> Any:
        async with Client(server_of(app, TOOLS)) as client:
            return await client.call_tool(name, arguments or {})

    return anyio.run(go)


def listed(app: ToyApp) -> dict[str, Any]:
    async def go() -> Any:
        async with Client(server_of(app, TOOLS)) as client:
            return await client.list_tools()

    return {entry.name: entry for entry in anyio.run(go).tools}


def error_of(result: Any) -> dict[str, Any]:
    assert result.is_error
    assert result.structured_content is None
    return json.loads(result.content[0].text)["error"]


def test_an_answer_is_the_same_as_text_and_as_structured_content(app: ToyApp) -> None:
    result = ask(app, "fill", {"count": 2})
    assert not result.is_error
    assert result.content[0].text == json.dumps(
        result.structured_content, ensure_ascii=False, separators=(",", ":")
    )
    assert result.structured_content["parts"][1] == {"name": "naïve 数据 1", "weight": 0.5}
    assert result.structured_content["owner"] is None


def test_each_call_is_counted_with_its_outcome_and_size(app: ToyApp) -> None:
    size = len(ask(app, "fill").content[0].text.encode())
    ask(app, "fill", {"count": -1})
    ask(app, "crash")
    assert app.calls == [Seen("fill", "success", size), *app.calls[1:]]
    assert [call.status for call in app.calls] == ["success", "error", "error"]
    assert all(call.size > 0 for call in app.calls)


def test_a_text_answer_is_text_alone(app: ToyApp) -> None:
    result = ask(app, "measure")
    assert result.content[0].text == "# HELP x\nx 1\n"
    assert result.structured_content is None
    assert listed(app)["measure"].output_schema is None


def test_bad_arguments_are_an_error_result_that_names_them(app: ToyApp) -> None:
    error = error_of(ask(app, "fill", {"cuont": 3}))
    assert error["code"] == "invalid_argument"
    assert error["message"] == 'unknown argument "cuont" of fill; did you mean count? (it takes count)'
    assert error["details"]["nearest"] == "count"


def test_what_a_client_adds_to_every_call_does_no_harm(app: ToyApp) -> None:
    assert ask(app, "ping", {"wait_for_previous": False}).structured_content == {"status": "ok"}


def test_an_anticipated_error_keeps_its_code_and_details(app: ToyApp) -> None:
    assert error_of(ask(app, "clash")) == {
        "code": "conflict",
        "message": "the basket is closed",
        "details": {"basket_id": "b-1"},
    }


def test_a_crash_shows_its_inside_to_the_log_alone(app: ToyApp, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.ERROR):
        error = error_of(ask(app, "crash"))
    assert error["code"] == "internal"
    assert "swordfish" not in json.dumps(error)
    assert "swordfish" in caplog.text
    assert "Traceback" in caplog.text


def test_an_unknown_tool_is_an_error_that_names_the_nearest(app: ToyApp) -> None:
    error = error_of(ask(app, "flil"))
    assert error["code"] == "not_found"
    assert 'unknown tool "flil"; did you mean fill?' in error["message"]
    assert error["details"]["allowed"] == [entry.name for entry in TOOLS]
    assert app.unknown == 1
    assert app.calls == []


def test_an_unknown_tool_of_a_toolset_with_its_own_envelope_gets_that(app: ToyApp) -> None:
    result = ask(app, "notes.remove")
    assert json.loads(result.content[0].text)["error"] == "UNKNOWN"


def test_a_raw_tool_gets_its_arguments_as_they_came_and_presents_its_own_errors(app: ToyApp) -> None:
    assert ask(app, "notes_add", {"title": " x ", "other": 1}).structured_content["owner"] == " x "
    refused = ask(app, "notes_add", {"title": None})
    assert refused.is_error
    assert json.loads(refused.content[0].text) == {"error": "OWN", "message": "title is needed"}
    assert json.loads(ask(app, "notes_add", {"title": "a\0"}).content[0].text)["error"] == "OWN"


def test_an_alias_is_understood_but_not_listed(app: ToyApp) -> None:
    assert ask(app, "notes.add", {"title": "x"}).structured_content["owner"] == "x"
    assert "notes.add" not in listed(app)


def test_tools_are_listed_in_order_with_title_description_and_true_annotations(app: ToyApp) -> None:
    tools = listed(app)
    assert list(tools) == [entry.name for entry in TOOLS]
    assert tools["clash"].title == "Clash"
    assert tools["clash"].description == "What clash is for."
    hints = tools["fill"].annotations.model_dump(exclude_none=True)
    assert hints == {
        "title": "Fill",
        "read_only_hint": False,
        "destructive_hint": False,
        "idempotent_hint": False,
        "open_world_hint": False,
    }
    assert tools["clash"].annotations.destructive_hint is True


def test_the_output_schema_is_one_level_deep_and_leaves_nullable_fields_untyped(app: ToyApp) -> None:
    schema = listed(app)["fill"].output_schema
    assert schema["required"] == ["total", "parts", "owner", "first", "kind", "has_more"]
    properties = schema["properties"]
    assert properties["total"] == {"type": "integer", "description": "How many parts are here"}
    assert properties["parts"] == {"type": "array", "description": "The parts"}
    assert properties["owner"] == {"description": "Whose it is"}
    assert properties["first"] == {}
    assert properties["kind"] == {"type": "string"}
    assert "truncated" in properties
    jsonschema.validate(ask(app, "fill").structured_content, schema)


def test_a_tool_with_several_answers_requires_what_all_of_them_have() -> None:
    def run(app: Any) -> Basket | Crate: ...

    schema = output_schema_of(run)
    assert schema is not None
    assert schema["required"] == ["total"]
    assert "type" not in schema["properties"]["total"]
    assert schema["properties"]["more"] == {"type": "array"}


def test_a_call_does_not_hold_up_ping() -> None:
    entered, release = threading.Event(), threading.Event()

    def wait(app: Any) -> TextAnswer:
        entered.set()
        assert release.wait(20)
        return TextAnswer(text="done")

    async def go() -> list[str]:
        order: list[str] = []
        async with Client(server_of(ToyApp(), (PING, tool(wait, "wait")))) as client:

            async def slow() -> None:
                await client.call_tool("wait", {})
                order.append("wait")

            async with anyio.create_task_group() as tasks:
                tasks.start_soon(slow)
                await anyio.to_thread.run_sync(entered.wait, 20)
                await client.call_tool("ping", {})
                order.append("ping")
                release.set()
        return order

    assert anyio.run(go) == ["ping", "wait"]


def test_an_answer_above_the_limit_loses_the_end_of_its_longest_list_and_says_so(app: ToyApp) -> None:
    result = ask(app, "fill", {"count": 5000})
    answer = result.structured_content
    assert len(result.content[0].text.encode()) <= MOST_BYTES
    assert 500 < len(answer["parts"]) < 5000
    assert answer["total"] == len(answer["parts"])
    assert answer["has_more"] is True
    assert f"{5000 - len(answer['parts'])} of 5000 parts" in answer["truncated"]
    jsonschema.validate(answer, output_schema_of(fill))


@pytest.mark.parametrize("lists", [1, 2, 3])
def test_long_lists_shrink_together(lists: int) -> None:
    answer = {f"list{n}": [{"text": "x" * 100}] * 800 for n in range(lists)} | {"inner": {"short": ["a"]}}
    short = shorten(answer, ["limit"])
    assert len(json.dumps(short).encode()) <= MOST_BYTES * 1.1
    left = [len(short[f"list{n}"]) for n in range(lists)]
    assert min(left) * 3 > max(left)
    assert short["inner"] == {"short": ["a"]}
    assert "ask for less with limit" in short["truncated"]


@pytest.mark.parametrize("counts_all", [True, False])
def test_a_total_of_all_there_is_stays_when_the_list_is_cut(counts_all: bool) -> None:
    answer = {"total": 800, "items": [{"text": "x" * 100}] * 800}
    short = shorten(answer, [], counts_all=counts_all)
    assert len(short["items"]) < 800
    assert short["total"] == (800 if counts_all else len(short["items"]))


def test_one_giant_text_is_cut_off() -> None:
    short = shorten({"items": [{"text": "ж" * 90_000, "id": "a"}]}, [])
    assert len(json.dumps(short, ensure_ascii=False).encode()) <= MOST_BYTES
    assert short["items"][0]["text"].endswith("…")
    assert short["items"][0]["id"] == "a"
    assert "the ends of long texts" in short["truncated"]


def test_an_answer_within_the_limit_is_left_alone() -> None:
    answer = {"items": ["x" * 1000] * 50}
    assert shorten(answer, []) == {"items": ["x" * 1000] * 50}


def test_a_call_needs_no_protocol(app: ToyApp) -> None:
    reply = call_tool(app, TOOLS[1], {"count": "1"})
    assert reply.structured is not None
    assert reply.structured["total"] == 1
    assert not reply.is_error
