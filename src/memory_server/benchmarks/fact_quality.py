"""Whether plain searches find a fact that is asked for in a whole question, or in words that it does not have."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import fmean
from tempfile import TemporaryDirectory
from typing import Any

from memory_server.app import MemoryApp, open_app
from memory_server.benchmarks.known import Known, known
from memory_server.benchmarks.latency import Figure
from memory_server.services.remember import Statement, remember
from memory_server.services.search import search
from memory_server.services.semantic_search import semantic_search
from memory_server.settings import load_settings
from memory_server.storage.fact_search import Filters

FACTS = 2_000
ASKED = 1_000  # facts that are asked for, of all that are stored
FIRST = 5
PROMISED = {
    ("search", "question"): 0.98,
    ("semantic_search", "question"): 0.98,
    ("semantic_search", "paraphrase"): 0.95,
}
Progress = Callable[[str, int, int | None], None]


def measure(count: int, seed: int, progress: Progress = lambda *_: None) -> dict[str, Any]:
    """Stores made-up facts and asks for some of them; figures are shares of questions, 0 to 1.

    Args:
        count: facts that are stored.
        seed: which ones, and which of them are asked for.

    Raises:
        IndexUnavailable: there is no search by meaning.
    """
    told = known(seed, count)
    asked = random.Random(seed).sample(told, k=min(ASKED, len(told)))
    with (
        TemporaryDirectory(prefix="memory-server-facts-") as folder,
        open_app(load_settings(home=Path(folder)), worker=False) as app,
    ):
        ids = stored(app, told)
        app.worker.drain()
        figures = [
            _figure(name, by, places(app, name, by, asked, ids, progress), PROMISED.get((name, by)))
            for name, by in (*PROMISED, ("search", "paraphrase"))
        ]
    met = all(figure["promised"] is None or figure["hit@5"] >= figure["promised"] for figure in figures)
    return {"facts": count, "seed": seed, "figures": figures, "met": met}


def missed(count: int = FACTS, seed: int = 1) -> list[Figure]:
    """The same as shares of questions that did not get their fact, beside the speed of searches."""
    found = measure(count, seed)
    return [
        Figure(
            f"{row['search']} by {row['asked']}: the fact is not among the first {FIRST}",
            100 * (1 - row["hit@5"]),
            "%",
            None if row["promised"] is None else round(100 * (1 - row["promised"]), 6),
            f"{row['n']:,} questions, {count:,} made-up facts",
        )
        for row in found["figures"]
    ]


def stored(app: MemoryApp, told: Sequence[Known]) -> dict[Known, str]:
    """Remembers facts; gives their ids."""
    ids = {}
    for entry in told:
        fact = entry.fact
        ids[entry] = remember(app, Statement(fact.subject, fact.predicate, fact.object)).fact.id
    return ids


def places(
    app: MemoryApp,
    name: str,
    by: str,
    asked: Sequence[Known],
    ids: dict[Known, str],
    progress: Progress = lambda *_: None,
) -> list[int | None]:
    """Where each fact stands among the first results for its question or paraphrase, from 1 on."""
    found: list[int | None] = []
    for number, entry in enumerate(asked, 1):
        text = entry.question if by == "question" else entry.paraphrase
        hits = _first(app, name, text)
        found.append(hits.index(ids[entry]) + 1 if ids[entry] in hits else None)
        progress(f"{name} by {by}", number, len(asked))
    return found


def _first(app: MemoryApp, name: str, text: str) -> list[str]:
    """Ids of the first results, as the tool of that name shows them."""
    if name == "search":
        return [fact.id for fact in search(app, text, Filters(), FIRST).results]
    found = semantic_search(app, text, FIRST, 0.0)
    return [fact.id for fact in found.results] or [hit["id"] for hit in found.hits]


def _figure(name: str, by: str, found: Sequence[int | None], promised: float | None) -> dict[str, Any]:
    return {
        "search": name,
        "asked": by,
        "hit@1": fmean(place == 1 for place in found),
        "hit@5": fmean(place is not None for place in found),
        "n": len(found),
        "promised": promised,
    }
