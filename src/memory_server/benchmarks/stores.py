"""The stores that are evaluated: this package's own ranking in this process, or a server that is spoken to."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Protocol

from memory_server.app import MemoryApp, open_app
from memory_server.benchmarks.client import SpawnedServer, started
from memory_server.domain.errors import StorageUnavailable
from memory_server.domain.memory import rfc3339
from memory_server.policies.ranking import DEFAULT_WEIGHTS, Weights
from memory_server.services.context import get_context
from memory_server.services.conversations import Turn, import_turns
from memory_server.services.learn import learn
from memory_server.services.lesson import Lesson
from memory_server.settings import load_settings

SOURCE = "conversation"
_PREFIX = "memory-server-benchmark-"


@dataclass(frozen=True, slots=True)
class Retrieved:
    """What one question got: memories by id with score and shown text, best first.

    Attributes:
        answerable: how likely the answer is among them, as the store itself says.
        seconds: from asking to having the answer.
        cpu_seconds: CPU time that this took.
    """

    hits: Sequence[tuple[str, float, str]]
    answerable: float | None
    seconds: float
    cpu_seconds: float


class Asking(Protocol):
    """A filled store."""

    database: Path

    def ask(self, question: str, asked_at: str | None, most: int) -> Retrieved:
        """The best memories for a question, as known at that time."""

    def resident_megabytes(self) -> float:
        """Resident memory of the process that answers."""


class Builtin:
    """The memory in this process; what get_context ranks."""

    def __init__(self, app: MemoryApp, weights: Weights) -> None:
        self._app = app
        self._weights = weights
        self.database = app.settings.database_path

    def ask(self, question: str, asked_at: str | None, most: int) -> Retrieved:
        moment = asked_at or rfc3339(datetime.now(UTC))
        cpu, begun = time.process_time(), time.perf_counter()
        found = get_context(self._app, question, max_results=most, as_of=moment, weights=self._weights)
        seconds, cpu = time.perf_counter() - begun, time.process_time() - cpu
        facts = [
            (fact.id, fact.score, _sentence(fact.subject, fact.predicate, fact.object))
            for fact in found.facts
        ]
        related = [(item["id"], item["score"], item["text"]) for item in found.related]
        return Retrieved(_merged(facts, related)[:most], found.answerable, seconds, cpu)

    def resident_megabytes(self) -> float:
        return _resident_megabytes(os.getpid())


class Served:
    """`memory-server serve` over stdio; what its tool get_context answers."""

    def __init__(self, server: SpawnedServer, database: Path) -> None:
        self._server = server
        self.database = database

    def ask(self, question: str, asked_at: str | None, most: int) -> Retrieved:
        given = {"task": question, "max_results": most, **({"as_of": asked_at} if asked_at else {})}
        cpu, begun = self._server.cpu_seconds(), time.perf_counter()
        found = self._server.call("get_context", **given)
        seconds, cpu = time.perf_counter() - begun, self._server.cpu_seconds() - cpu
        facts = [
            (fact["id"], fact["score"], _sentence(fact["subject"], fact["predicate"], fact["object"]))
            for fact in found["facts"]
        ]
        related = [(item["id"], item["score"], item["text"]) for item in found["related"]]
        return Retrieved(_merged(facts, related)[:most], found["answerable"], seconds, cpu)

    def resident_megabytes(self) -> float:
        return self._server.resident_megabytes()


@contextmanager
def builtin(
    turns: Sequence[Turn],
    *,
    learns: bool = False,
    weights: Weights = DEFAULT_WEIGHTS,
    make_embedder: Callable[[], Any] | None = None,
) -> Iterator[Builtin]:
    """A throw-away memory in this process that holds these turns, and what can be read out of them.

    Args:
        learns: take facts, decisions and beliefs out of each turn, too.
        weights: of the ranking.
        make_embedder: in place of the embedder that the settings name.
    """
    with TemporaryDirectory(prefix=_PREFIX) as folder:
        settings = load_settings(home=Path(folder))
        with open_app(settings, worker=False, make_embedder=make_embedder) as app:
            import_turns(app, turns)
            for turn in turns if learns else ():
                lesson = Lesson(
                    turn.text,
                    source=SOURCE,
                    extract_beliefs=True,
                    session=turn.session,
                    speaker=turn.speaker,
                    occurred_at=turn.occurred_at,
                )
                learn(app, lesson)
            app.worker.drain()
            yield Builtin(app, weights)


@contextmanager
def served(turns: Sequence[Turn], *, learns: bool = False) -> Iterator[Served]:
    """A server of its own that holds these turns, imported as people import talks.

    Raises:
        StorageUnavailable: the import failed.
    """
    with TemporaryDirectory(prefix=_PREFIX) as folder:
        home = Path(folder)
        _import(home, turns)
        with started(home) as server:
            if learns:
                server.call_all("learn", map(_lesson, turns))
            _wait_until_indexed(home / "memory.db")
            yield Served(server, home / "memory.db")


def _import(home: Path, turns: Sequence[Turn]) -> None:
    lines = (
        {"id": t.external_id, "text": t.text, "session": t.session, "speaker": t.speaker, "ts": t.occurred_at}
        for t in turns
    )
    done = subprocess.run(
        [sys.executable, "-m", "memory_server", "import", "transcript", "-", "--home", str(home)],
        input="\n".join(map(json.dumps, lines)),
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise StorageUnavailable(f"the import of a transcript failed: {done.stderr.strip()[-300:]}")


def _lesson(turn: Turn) -> dict[str, Any]:
    given = {"session": turn.session, "speaker": turn.speaker, "occurred_at": turn.occurred_at}
    told = {name: value for name, value in given.items() if value}
    return {"text": turn.text, "source": SOURCE, "extract_beliefs": True, **told}


def _wait_until_indexed(database: Path) -> None:
    connection = sqlite3.connect(f"{database.absolute().as_uri()}?mode=ro", uri=True)
    try:
        while connection.execute("SELECT 1 FROM outbox WHERE state = 'pending' LIMIT 1").fetchone():
            time.sleep(0.05)
    finally:
        connection.close()


def _merged(
    facts: list[tuple[str, float, str]], related: list[tuple[str, float, str]]
) -> list[tuple[str, float, str]]:
    """One list of both, by score; each keeps its own order where it ranks by more than that."""
    if not facts or not related:
        return facts or related
    return sorted([*facts, *related], key=lambda hit: -hit[1])


def _sentence(subject: str, predicate: str, value: str) -> str:
    return f"{subject} {predicate.replace('_', ' ')} {value}"


def _resident_megabytes(pid: int) -> float:
    try:
        lines = Path(f"/proc/{pid}/status").read_text("utf-8").splitlines()
    except OSError:  # no such file system
        return 0.0
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith("VmRSS:")), 0.0)
