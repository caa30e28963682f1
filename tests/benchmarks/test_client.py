"""The benchmarks' own client against the real server, and the bare operations beside it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest

from memory_server.benchmarks.bare import BareQuery, BareTransaction
from memory_server.benchmarks.client import ServerFailed, SpawnedServer, started
from memory_server.benchmarks.latency import Figure, Samples
from memory_server.benchmarks.made_up import facts


@pytest.fixture
def server(tmp_path: Path) -> Iterator[SpawnedServer]:
    with started(tmp_path / "memory", environment={"MEMORY_SERVER_EMBEDDING": "none"}) as spawned:
        yield spawned


def test_many_calls_on_their_way_at_once_are_all_answered(server: SpawnedServer, tmp_path: Path) -> None:
    told = list(islice(facts(seed=9), 60))
    assert server.call_all("remember", [fact.arguments() for fact in told]) == 60
    assert server.call("search", query=told[7].object)["results"][0]["object"] == told[7].object
    assert server.timed("ping") > 0.0

    bare = BareTransaction(tmp_path / "memory" / "memory.db", tmp_path / "bare.db", "FULL")
    stored = server.call("search", query=told[7].object)["results"][0]
    rows = bare.rows_like(stored["id"])
    assert [table for table, _ in rows] == [
        "facts", "memory_sources", "lifecycle_events", "receipts", "outbox",
    ]  # fmt: skip
    assert bare.timed(rows) > 0.0
    assert bare.timed(bare.rows_like(stored["id"])) > 0.0
    bare.close()

    query = BareQuery(tmp_path / "memory" / "memory.db")
    expression, all_words = query.expression("near the", 5)
    assert all_words
    assert query.timed(expression, 5) > 0.0
    assert not query.expression("weekly zeppelin", 5)[1]
    query.close()


def test_a_refused_call_is_an_error(server: SpawnedServer) -> None:
    with pytest.raises(ServerFailed, match="subject"):
        server.call("remember", subject="", predicate="is", object="empty")


def test_a_ratio_is_told_with_its_parts() -> None:
    figure = Samples(served=[0.005, 0.005], ping=[0.001, 0.001], bare=[0.002, 0.002]).ratio("call", 2.5)
    assert figure.value == pytest.approx(2.0)
    assert figure.met
    assert figure.detail == "(5.00 − 1.00 ms ping) / 2.00 ms bare"
    assert Figure("told", 1.0, "s").met is None
    assert Figure("missed", 3.0, "s", 2.0).met is False
