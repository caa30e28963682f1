"""The demo's script: what is stored and asked, played by a real MCP client with a server of its own."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

if TYPE_CHECKING:
    from mcp import Client

CALL_SECONDS = 30.0

FACTS: tuple[tuple[str, str, str], ...] = (
    ("basil", "is_a", "small server in the cellar"),
    ("basil", "has_ip", "192.168.7.20"),
    ("basil", "has_disk", "two mirrored 8 TB drives"),
    ("Jellyfin", "runs_on", "basil"),
    ("Jellyfin", "listens_on_port", "8096"),
    ("photo archive", "stored_on", "basil"),
    ("photo archive", "belongs_to", "Ines"),
    ("Ines", "works_for", "Northlight Studio"),
    ("Northlight Studio", "located_in", "Porto"),
    ("Ines", "is_allergic_to", "peanuts"),
    ("nightly backup", "starts_at", "03:15"),
    ("release branch", "is_cut_on", "the first Tuesday of each month"),
)
"""What the demo remembers."""


@dataclass(frozen=True, slots=True)
class Question:
    """A call whose answer must hold a word that is not in the question.

    Args:
        shows: what a right answer shows, for people.
        stage: the stage of the router that has to answer.
    """

    shows: str
    tool: str
    arguments: dict[str, Any]
    expects: str
    stage: int | None = None

    def asked(self) -> str:
        """The question as a person would put it."""
        return " to ".join(str(value) for value in self.arguments.values())


QUESTIONS: tuple[Question, ...] = (
    Question("by keyword", "search", {"query": "nightly backup"}, "03:15"),
    Question("by keyword", "search", {"query": "8096"}, "Jellyfin"),
    Question("by paraphrase", "semantic_search", {"query": "what food makes her ill?"}, "peanuts"),
    Question(
        "by paraphrase", "semantic_search", {"query": "when do we ship a new version?"}, "first Tuesday"
    ),
    Question(
        "by graph path",
        "graph_search",
        {"source_id": "photo archive", "target_id": "Porto"},
        "Northlight Studio",
    ),
    Question("by route: rules", "route", {"query": "what is the ip of basil"}, "192.168.7.20", 1),
    Question("by route: meaning", "route", {"query": "which machine keeps our pictures?"}, "basil", 2),
    Question(
        "as context", "get_context", {"task": "Ines is coming to dinner, what should I cook?"}, "peanuts"
    ),
)
"""What the demo asks, before and after a restart."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of one question; `found` is the line of the answer that holds what was expected."""

    run: str
    question: Question
    found: str | None
    milliseconds: float


@dataclass
class Session:
    """What happened: how many tools were listed, the seconds of each part, what came of each question."""

    tools: int = 0
    seconds: dict[str, float] = field(default_factory=dict)
    outcomes: list[Outcome] = field(default_factory=list)

    def missed(self) -> int:
        """How many answers lacked what was expected."""
        return sum(outcome.found is None for outcome in self.outcomes)


async def play(home: Path, log: TextIO) -> Session:
    """Plays the whole session.

    Args:
        home: the data directory that the servers use.
        log: takes the stderr of the servers.
    """
    session = Session()
    started = time.perf_counter()
    async with served(home, log) as client:
        session.tools = len((await client.list_tools()).tools)
        session.seconds["start"] = time.perf_counter() - started
        started = time.perf_counter()
        for subject, predicate, object in FACTS:
            stored = {"subject": subject, "predicate": predicate, "object": object, "source": "demo"}
            await _answer(client, "remember", stored)
        session.seconds["store"] = time.perf_counter() - started
        session.outcomes += [await ask(client, "first", question) for question in QUESTIONS]
    started = time.perf_counter()
    async with served(home, log) as client:
        await client.list_tools()
        session.seconds["restart"] = time.perf_counter() - started
        session.outcomes += [await ask(client, "after restart", question) for question in QUESTIONS]
    return session


@asynccontextmanager
async def served(home: Path, log: TextIO) -> AsyncIterator[Client]:
    """A client of a server of its own, as any MCP host would start it."""
    from mcp import Client, StdioServerParameters
    from mcp.client.stdio import stdio_client

    command = StdioServerParameters(
        command=sys.executable, args=["-m", "memory_server", "serve", "--home", str(home)]
    )
    async with Client(stdio_client(command, errlog=log), read_timeout_seconds=CALL_SECONDS) as client:
        yield client


async def ask(client: Client, run: str, question: Question) -> Outcome:
    """Puts one question and looks for what is expected in the answer."""
    started = time.perf_counter()
    answer = await _answer(client, question.tool, question.arguments)
    took = (time.perf_counter() - started) * 1000
    right_stage = question.stage is None or answer["stage"] == question.stage
    return Outcome(run, question, found_in(answer, question.expects) if right_stage else None, took)


def found_in(answer: Any, expected: str) -> str | None:
    """The innermost part of an answer that holds the expected word, as a line; None where it is nowhere.

    Of a fact the line is the fact, of a path all of its stations.
    """
    if isinstance(answer, dict):
        if "subject" in answer and expected in json.dumps(answer, ensure_ascii=False):
            return " ".join(
                str(answer[part]).replace("_", " ") for part in ("subject", "predicate", "object")
            )
        parts: Sequence[Any] = list(answer.values())
    elif isinstance(answer, list):
        names = [part.get("name") for part in answer if isinstance(part, dict)]
        if len(names) > 2 and all(names) and "attributes" not in answer[0] and expected in names:
            return " → ".join(str(name) for name in names)
        parts = answer
    else:
        return str(answer) if isinstance(answer, str) and expected in answer else None
    # paths tell more than the bare nodes that an answer names before them
    lines = [line for part in parts if (line := found_in(part, expected))]
    return max(lines, key=lambda line: " → " in line, default=None)


async def _answer(client: Client, tool: str, arguments: dict[str, Any]) -> Any:
    result = await client.call_tool(tool, arguments)
    text = "".join(part.text for part in result.content if part.type == "text")
    answer = json.loads(text)
    if result.is_error:
        raise RuntimeError(f"{tool} failed: {answer['error']['message']}")
    return answer
