"""Speed of the knowledge tools, as ratios to the bare operations."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory

from memory_server.benchmarks import made_up
from memory_server.benchmarks.bare import BareTransaction
from memory_server.benchmarks.client import SpawnedServer, started
from memory_server.benchmarks.latency import LIMIT, Figure, Samples
from memory_server.policies.knowledge_search import tokens
from memory_server.settings import load_settings

NOTES = 5_000
STORE_AT_MOST, SEARCH_AT_MOST = 2.0, 3.0


def measure(samples: int, count: int = NOTES) -> list[Figure]:
    """What storing and finding notes takes with `count` of them stored."""
    with TemporaryDirectory(prefix="memory-server-bench-") as folder:
        return _measure(Path(folder, "notes"), samples, count)


def _measure(home: Path, samples: int, count: int) -> list[Figure]:
    written = notes(seed=5)
    # the model has no part in either call, and would be busy with all the notes for minutes
    without_model = {"MEMORY_SERVER_EMBEDDING": "none"}
    with started(home, toolsets="core,knowledge", environment=without_model) as server:
        server.call_all("memory_storeKnowledge", islice(written, count))
        settle(home)
        stored = _store(server, home, written, samples)
        settle(home)
        found = _search(server, home, samples)
    at = f"at {count:,} notes: "
    return [
        stored.ratio(at + "storeKnowledge", STORE_AT_MOST),
        *(
            taken.ratio(f"{at}searchKnowledge, {words} of the words", SEARCH_AT_MOST)
            for words, taken in found.items()
            if taken.served
        ),
    ]


def notes(seed: int) -> Iterator[dict[str, object]]:
    """Endless different notes of some sixty words, as the tool takes them."""
    told = made_up.facts(seed)
    for number, fact in enumerate(told):
        more = [said.object for said in islice(told, 3)]
        yield {
            "title": f"What to know of {fact.subject}, note {number}",
            "content": f"{fact.subject} {fact.predicate} {fact.object}. {'. '.join(more)}.",
            "tags": [fact.predicate.replace("_", "-"), "made-up"],
        }


def settle(home: Path) -> None:
    """Waits until nothing waits for the vector index."""
    while _query(home, "SELECT 1 FROM outbox WHERE state = 'pending' LIMIT 1"):
        time.sleep(0.05)


def _store(server: SpawnedServer, home: Path, written: Iterator[dict[str, object]], samples: int) -> Samples:
    taken = Samples()
    copy = home.with_name(home.name + "-bare.db")
    bare = BareTransaction(home / "memory.db", copy, load_settings(home=home).synchronous, "knowledge")
    ids = [str(row[0]) for row in _query(home, f"SELECT id FROM knowledge ORDER BY row DESC LIMIT {samples}")]
    for memory_id, note in zip(ids, written, strict=False):
        rows = bare.rows_like(memory_id)
        taken.served.append(server.timed("memory_storeKnowledge", **note))
        taken.bare.append(bare.timed(rows))
        taken.ping.append(server.timed("ping"))
    bare.close()
    return taken


def _search(server: SpawnedServer, home: Path, samples: int) -> dict[str, Samples]:
    """Samples of queries of which some notes hold all words, and of those of which none does."""
    taken = {"all": Samples(), "any": Samples()}
    database = sqlite3.connect(f"file:{home / 'memory.db'}?mode=ro", uri=True, isolation_level=None)
    for text in islice(made_up.keyword_queries(seed=6), samples):
        words = [f'"{token}"*' for token in tokens(text)]
        strict = _bare(database, " ".join(words), 2 * LIMIT)
        broad = _bare(database, " OR ".join(words), 4 * LIMIT)
        into = taken["all" if strict[1] else "any"]
        into.served.append(server.timed("memory_searchKnowledge", query=text, limit=LIMIT))
        into.bare.append(strict[0] if strict[1] else strict[0] + broad[0])
        into.ping.append(server.timed("ping"))
    database.close()
    return taken


def _bare(database: sqlite3.Connection, expression: str, limit: int) -> tuple[float, int]:
    """Seconds of one ranked query with its rows, and how many there are."""
    begun = time.perf_counter()
    found = database.execute(
        "SELECT bm25(knowledge_fts, 10.0, 5.0, 1.0) AS score, t.* FROM knowledge_fts f JOIN knowledge t "
        "ON t.row = f.rowid WHERE knowledge_fts MATCH ? ORDER BY score LIMIT ?",
        (expression, limit),
    ).fetchall()
    return time.perf_counter() - begun, len(found)


def _query(home: Path, sql: str) -> list[tuple[object, ...]]:
    connection = sqlite3.connect(f"file:{home / 'memory.db'}?mode=ro", uri=True)
    try:
        return connection.execute(sql).fetchall()
    finally:
        connection.close()
