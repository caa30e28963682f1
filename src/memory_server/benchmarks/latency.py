"""Speed and size of a served memory, as ratios to the bare operations and against what was promised."""

from __future__ import annotations

import os
import re
import sqlite3
import statistics
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from memory_server.benchmarks import made_up
from memory_server.benchmarks.bare import BareQuery, BareScan, BareTransaction
from memory_server.benchmarks.client import SpawnedServer, started
from memory_server.settings import load_settings

HEAVY = (
    "numpy",
    "onnxruntime",
    "tokenizers",
    "lancedb",
    "pyarrow",
    "alembic",
    "git",
    "rich",
    "opentelemetry.sdk",
)
LIMIT = 10
FEW = 500
SOME = 2_000


@dataclass(frozen=True, slots=True)
class Figure:
    """One measured value; `target` is the most that it may be, None where it is only told."""

    name: str
    value: float
    unit: str
    target: float | None = None
    detail: str = ""

    @property
    def met(self) -> bool | None:
        return None if self.target is None else self.value <= self.target


@dataclass
class Samples:
    """Seconds of the server's call, of the ping beside it and of the bare operation, taken in turn."""

    served: list[float] = field(default_factory=list)
    ping: list[float] = field(default_factory=list)
    bare: list[float] = field(default_factory=list)

    def ratio(self, name: str, target: float) -> Figure:
        """How many times the bare operation the server takes, less the way there and back."""
        served, ping, bare = (
            statistics.median(taken) * 1000 for taken in (self.served, self.ping, self.bare)
        )
        detail = f"({served:.2f} − {ping:.2f} ms ping) / {bare:.2f} ms bare"
        return Figure(name, (served - ping) / bare, "×", target, detail)


def measure(count: int, samples: int) -> list[Figure]:
    """All figures, with `count` facts stored; takes minutes for 20,000."""
    with TemporaryDirectory(prefix="memory-server-bench-") as folder:
        small, large = Path(folder, "small"), Path(folder, "large")
        return [*_start(Path(folder, "start")), *_small(small), *_large(large, count, samples)]


def _start(home: Path) -> list[Figure]:
    loaded = ", ".join(_heavy_modules(home)) or "none"
    seconds = []
    for _ in range(3):
        with started(home) as server:
            seconds.append(server.cpu_seconds())
            time.sleep(1.0)
            idle = server.resident_megabytes()
    return [
        Figure(
            "start: CPU until tools/list is answered",
            statistics.median(seconds),
            "s",
            1.3,
            f"heavy modules: {loaded}",
        ),
        Figure("start: resident memory while idle", idle, "MB", 110),
    ]


def _heavy_modules(home: Path) -> list[str]:
    """Which heavy modules a server has imported when it has listed its tools."""
    log = home.parent / "imports"
    with log.open("wb") as stderr, started(home, environment={"PYTHONPROFILEIMPORTTIME": "1"}, stderr=stderr):
        pass
    imported = set(re.findall(r"\|\s+([\w.]+)$", log.read_text("utf-8", "replace"), re.MULTILINE))
    return [name for name in HEAVY if name in imported]


def _small(home: Path) -> list[Figure]:
    told = made_up.facts(seed=1)
    with started(home) as server:
        server.call_all("remember", [fact.arguments() for fact in islice(told, FEW)])
        seconds = _indexed(server, home)
        memory = server.resident_megabytes()
        server.call_all("remember", [fact.arguments() for fact in islice(told, SOME - FEW)])
        _indexed(server, home)
        time.sleep(6.0)  # files are merged when nothing happens for a little while
    files = [path for path in home.rglob("*") if path.is_file()]
    size = sum(path.stat().st_size for path in files) / 1e6
    return [
        Figure(f"{FEW} facts: indexed after the last remember", seconds, "s", 10),
        Figure(f"{FEW} facts: resident memory after that", memory, "MB", 520),
        Figure(f"{SOME:,} facts: files", len(files), "", 50),
        Figure(f"{SOME:,} facts: size on disk", size, "MB", 15),
    ]


def _large(home: Path, count: int, samples: int) -> list[Figure]:
    told = made_up.facts(seed=2)
    with started(home) as server:
        begun = time.perf_counter()
        server.call_all("remember", (fact.arguments() for fact in islice(told, count)))
        filled = time.perf_counter() - begun
        settled = _indexed(server, home)
        time.sleep(6.0)
        remembered = _remember(server, home, told, samples)
        searched = _search(server, home, samples)
        meant = _semantic(server, home, samples)
        memory = server.resident_megabytes()
    at = f"at {count:,} facts: "
    return [
        remembered.ratio(at + "remember", 2.2),
        *(
            taken.ratio(f"{at}search, {words} of the words", 2.5)
            for words, taken in searched.items()
            if taken.served
        ),
        meant.ratio(at + "semantic_search", 1.5),
        Figure(
            at + "remember, pipelined", count / filled, "/s", detail=f"indexed {settled:.0f} s after the last"
        ),
        Figure(at + "resident memory at the end", memory, "MB"),
    ]


def _remember(server: SpawnedServer, home: Path, told: Iterator[made_up.MadeUpFact], samples: int) -> Samples:
    taken = Samples()
    bare = BareTransaction(home / "memory.db", home.parent / "bare.db", load_settings(home=home).synchronous)
    ids = _ids(home, samples)
    for memory_id, fact in zip(ids, told, strict=False):
        rows = bare.rows_like(memory_id)
        taken.served.append(server.timed("remember", **fact.arguments()))
        taken.bare.append(bare.timed(rows))
        taken.ping.append(server.timed("ping"))
    bare.close()
    return taken


def _search(server: SpawnedServer, home: Path, samples: int) -> dict[str, Samples]:
    """Samples of queries whose words stand together in enough facts, and of those where any word has to do."""
    _indexed(server, home)
    taken = {"all": Samples(), "any": Samples()}
    bare = BareQuery(home / "memory.db")
    for text in islice(made_up.keyword_queries(seed=3), samples):
        # one more than is shown, as the server tells whether there is more
        expression, all_words = bare.expression(text, LIMIT + 1)
        into = taken["all" if all_words else "any"]
        into.served.append(server.timed("search", query=text, limit=LIMIT))
        into.bare.append(bare.timed(expression, LIMIT + 1))
        into.ping.append(server.timed("ping"))
    bare.close()
    return taken


def _semantic(server: SpawnedServer, home: Path, samples: int) -> Samples:
    import numpy as np

    from memory_server.indexes.embedding import make_embedder
    from memory_server.indexes.lancedb import open_vector_store

    embedder = make_embedder()
    assert embedder is not None
    store, _ = open_vector_store(home / "vectors", embedder.fingerprint, embedder.dimension)
    bare = BareScan(embedder, np.concatenate([block.vectors for block in store.scan()]))
    store.close()
    asked = made_up.questions(seed=4)
    for text in islice(asked, 3):
        server.timed("semantic_search", query=text, top_k=LIMIT)
        bare.timed(text, LIMIT)
    taken = Samples()
    for text in islice(asked, samples):
        taken.served.append(server.timed("semantic_search", query=text, top_k=LIMIT))
        taken.bare.append(bare.timed(text, LIMIT))
        taken.ping.append(server.timed("ping"))
    return taken


def _ids(home: Path, count: int) -> list[str]:
    return [row[0] for row in _query(home, "SELECT id FROM facts ORDER BY row DESC LIMIT ?", count)]


def _indexed(server: SpawnedServer, home: Path) -> float:
    """Seconds until nothing waits for the vector index and the graph knows the newest fact."""
    begun = time.perf_counter()
    while _query(home, "SELECT 1 FROM outbox WHERE state = 'pending' LIMIT ?", 1):
        time.sleep(0.05)
    newest = _query(home, "SELECT subject FROM facts ORDER BY row DESC LIMIT ?", 1)[0][0]
    assert server.call("graph_search", entity_id=newest)["nodes"]
    return time.perf_counter() - begun


def _query(home: Path, sql: str, value: int) -> list[Any]:
    connection = sqlite3.connect(f"file:{home / 'memory.db'}?mode=ro", uri=True)
    try:
        return connection.execute(sql, (value,)).fetchall()
    finally:
        connection.close()


def machine() -> str:
    """What the figures were taken on, in a few words."""
    import platform

    model = platform.processor() or platform.machine()
    system = f"{platform.system()} {platform.release()}, Python {platform.python_version()}"
    return f"{os.cpu_count()} cores ({model}), {system}"
