"""What a server shows of itself, and who gets in over HTTP."""

from __future__ import annotations

import base64
import json
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any

import anyio
import pytest
from mcp.client import Client
from starlette.testclient import TestClient

from memory_server import __version__
from memory_server.domain.errors import InvalidArgument
from memory_server.server import build_server, server_of
from memory_server.streamable import http_app, is_loopback
from memory_server.tools.ping import PING
from memory_server.tools.table import TOOLS, exposition, tools_of


class ToyApp:
    @contextmanager
    def observe_call(self, tool: str) -> Iterator[SimpleNamespace]:
        yield SimpleNamespace(status="", size=0)

    def observe_unknown_tool(self) -> None: ...


def test_a_server_says_who_it_is_and_how_to_use_it() -> None:
    server = build_server(ToyApp())
    assert (server.name, server.title, server.version) == ("memory-server", "Composite Memory", __version__)
    assert server.instructions is not None
    assert len(server.instructions) < 1500
    assert server.website_url
    (icon,) = server.icons or []
    assert base64.b64decode(icon.src.partition(",")[2]).startswith(b"<svg")


def test_building_a_server_leaves_logging_as_it_was() -> None:
    before = list(logging.getLogger().handlers)
    server_of(ToyApp(), (PING,))
    assert logging.getLogger().handlers == before


def test_toolsets_choose_what_is_listed_in_the_order_of_the_table() -> None:
    async def names() -> list[str]:
        async with Client(build_server(ToyApp(), ["core"])) as client:
            return [tool.name for tool in (await client.list_tools()).tools]

    assert anyio.run(names) == [tool.name for tool in TOOLS if tool.toolset == "core"]


@pytest.mark.parametrize("toolsets", [["cores"], []])
def test_a_toolset_that_does_not_exist_is_refused_with_the_known_ones(toolsets: list[str]) -> None:
    with pytest.raises(InvalidArgument, match=r"known: core"):
        tools_of(toolsets)


def test_every_name_and_alias_in_the_table_is_there_once() -> None:
    names = [name for tool in TOOLS for name in (tool.name, *tool.aliases)]
    assert len(names) == len(set(names))


def test_descriptions_say_enough_and_not_too_much() -> None:
    for tool in TOOLS:
        assert 40 <= len(tool.description) <= 600, tool.name
        assert tool.title, tool.name


def test_plain_http_shows_what_the_metrics_tool_answers() -> None:
    assert (
        exposition(None, [SimpleNamespace(name="metrics", run=lambda app: SimpleNamespace(text="x 1\n"))])
        == "x 1\n"
    )


INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    },
}
JSON = {"content-type": "application/json", "accept": "application/json, text/event-stream"}


@contextmanager
def over_http(
    host: str = "127.0.0.1", token: str | None = None, allowed: tuple[str, ...] = ()
) -> Iterator[Any]:
    app = http_app(server_of(ToyApp(), (PING,)), lambda: "x 1\n", host, 8765, allowed, token)
    with TestClient(app, base_url="http://127.0.0.1:8765") as client:
        yield client


def test_http_on_loopback_serves_mcp_and_metrics_without_a_token() -> None:
    with over_http() as client:
        answer = client.post("/mcp", json=INITIALIZE, headers=JSON)
        assert answer.status_code == 200
        assert "memory-server" in answer.text
        metrics = client.get("/metrics")
        assert metrics.text == "x 1\n"
        assert metrics.headers["content-type"].startswith("text/plain; version=0.0.4")


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"host": "evil.example"}, 421),
        ({"host": "evil.example:8765"}, 421),
        ({"host": "127.0.0.1.evil.example:8765"}, 421),
        ({"origin": "http://evil.example"}, 403),
        ({"origin": "http://localhost.evil.example:8765"}, 403),
        ({"origin": "null"}, 403),
        ({"origin": "http://localhost:8765"}, 200),
        ({"host": "localhost:8765"}, 200),
        ({"host": "[::1]:8765"}, 200),
    ],
)
@pytest.mark.parametrize("path", ["/metrics", "/mcp"])
def test_http_checks_host_and_origin_on_every_route(path: str, headers: dict[str, str], status: int) -> None:
    with over_http() as client:
        if path == "/metrics":
            answer = client.get(path, headers=headers)
        else:
            answer = client.post(path, json=INITIALIZE, headers=JSON | headers)
        assert answer.status_code == status


def test_a_further_name_is_let_in_when_it_was_named() -> None:
    with over_http(allowed=("box.lan",)) as client:
        assert client.get("/metrics", headers={"host": "box.lan:8765"}).status_code == 200


@pytest.mark.parametrize(
    ("authorization", "status"),
    [
        (None, 401),
        ("", 401),
        ("Bearer", 401),
        ("Bearer wrong", 401),
        ("Basic sesame", 401),
        ("Bearer sesame", 200),
        ("bearer sesame", 200),
        ("Bearer sésame", 401),
    ],
)
@pytest.mark.parametrize("host", ["127.0.0.1", "0.0.0.0"])
def test_a_token_is_asked_for_on_every_route(host: str, authorization: str | None, status: int) -> None:
    headers = {} if authorization is None else {"authorization": authorization.encode("latin-1")}
    with over_http(host, token="sesame") as client:
        assert client.get("/metrics", headers=headers).status_code == status
        assert client.post("/mcp", json=INITIALIZE, headers=JSON | headers).status_code == status


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.5", "box.lan"])
def test_an_address_that_can_be_reached_from_elsewhere_needs_a_token(host: str) -> None:
    with pytest.raises(InvalidArgument, match="MEMORY_SERVER_HTTP_TOKEN"):
        http_app(server_of(ToyApp(), (PING,)), lambda: "", host, 8765)


@pytest.mark.parametrize(
    ("host", "loopback"),
    [
        ("127.0.0.1", True),
        ("127.9.9.9", True),
        ("localhost", True),
        ("::1", True),
        ("[::1]", True),
        ("0.0.0.0", False),
        ("::", False),
        ("10.0.0.1", False),
        ("localhost.evil.example", False),
        ("", False),
    ],
)
def test_what_is_loopback(host: str, loopback: bool) -> None:
    assert is_loopback(host) is loopback


def test_a_call_over_http_is_answered_like_one_over_stdio() -> None:
    with over_http() as client:
        call = {
            "jsonrpc": "2.0",
            "id": 2,
            "method": "tools/call",
            "params": {"name": "pnig", "arguments": {}},
        }
        opened = client.post("/mcp", json=INITIALIZE, headers=JSON)
        session = {"mcp-session-id": opened.headers["mcp-session-id"], "mcp-protocol-version": "2025-06-18"}
        client.post(
            "/mcp", json={"jsonrpc": "2.0", "method": "notifications/initialized"}, headers=JSON | session
        )
        answer = client.post("/mcp", json=call, headers=JSON | session)
        data = next(line for line in answer.text.splitlines() if line.startswith("data: {"))
        result = json.loads(data.removeprefix("data: "))["result"]
        assert result["isError"]
        assert "did you mean ping?" in result["content"][0]["text"]
