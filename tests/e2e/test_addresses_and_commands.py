"""Resources and prompts over stdio, for clients that shake hands and for those that do not."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

Serve = Callable[..., Any]
META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
    "io.modelcontextprotocol/clientCapabilities": {},
}


@pytest.mark.parametrize("shake_hands", [True, False], ids=["handshake", "2026-07-28"])
def test_a_client_lists_and_opens_resources_and_gets_prompts(serve: Serve, shake_hands: bool) -> None:
    session = serve(shake_hands=shake_hands, env={"MEMORY_SERVER_EMBEDDING": "none"})
    more = {} if shake_hands else {"_meta": META}

    def ask(method: str, **parameters: Any) -> Any:
        answer = session.ask(method, parameters | more)
        return answer.get("result") or answer["error"]

    if not shake_hands:
        assert {"resources", "prompts"} <= set(ask("server/discover")["capabilities"])
    assert [one["uri"] for one in ask("resources/list")["resources"]] == ["memory://stats"]
    assert len(ask("resources/templates/list")["resourceTemplates"]) == 3
    fact = {"subject": "kiln", "predicate": "burns", "object": "oak"}
    stored = ask("tools/call", name="remember", arguments=fact)["structuredContent"]["fact"]
    (content,) = ask("resources/read", uri=f"memory://facts/{stored['id']}")["contents"]
    assert json.loads(content["text"])["object"] == "oak"
    refused = ask("resources/read", uri="memory://facts/nobody")
    assert refused["code"] == -32602 and "no fact" in refused["message"]
    assert [one["name"] for one in ask("prompts/list")["prompts"]] == ["recall", "save_session"]
    (message,) = ask("prompts/get", name="recall", arguments={"task": "fire the kiln"})["messages"]
    assert "kiln burns oak" in message["content"]["text"]
    assert ask("prompts/get", name="nope")["code"] == -32602
    assert session.end() == 0
