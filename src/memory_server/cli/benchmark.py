"""`memory-server benchmark` and `benchmark-longmemeval`: how well the memory finds what it should."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from memory_server.cli.options import AsJson
from memory_server.cli.progress import progress_bars

TOP_K = 50
DEPTH = 100  # of talks: the reciprocal rank looks far down
MOST = 100


class Retriever(StrEnum):
    """Who retrieves."""

    BUILTIN = "builtin"
    SERVER = "server"


class Measured(StrEnum):
    """What there is to measure."""

    LOCOMO = "locomo"
    BEAM = "beam"
    FACTS = "facts"


Output = Annotated[
    Path | None, typer.Option("--output", help="Write a JSON line a question there.", show_default=False)
]
Rescore = Annotated[
    Path | None,
    typer.Option("--rescore", help="Score a saved run again; nothing is retrieved.", show_default=False),
]
Compare = Annotated[
    Path | None,
    typer.Option("--compare", help="Another saved run, on the shared questions.", show_default=False),
]
Limit = Annotated[
    int | None, typer.Option("--limit", min=1, help="So many questions, the first ones.", show_default=False)
]
Which = Annotated[
    Retriever,
    typer.Option("--retriever", help="builtin: in this process. server: a real one over stdio."),
]
Learn = Annotated[
    bool, typer.Option("--learn", help="Take facts, decisions and beliefs out of each turn, too.")
]
Cache = Annotated[
    Path | None,
    typer.Option("--embedding-cache", help="A file that keeps vectors between runs.", show_default=False),
]
Without = Annotated[
    list[str] | None,
    typer.Option(
        "--without", help="Switch a signal of the ranking off; may be repeated.", show_default=False
    ),
]


def benchmark_longmemeval(
    dataset: Annotated[
        Path | None, typer.Argument(help="The official file, .json or .json.gz.", show_default=False)
    ] = None,
    output: Output = None,
    top_k: Annotated[int, typer.Option("--top-k", min=1, max=MOST, help="Results asked for.")] = TOP_K,
    limit: Limit = None,
    retriever: Which = Retriever.BUILTIN,
    pooled: Annotated[
        bool, typer.Option("--pooled", help="All sessions of all questions in one store.")
    ] = False,
    learn: Learn = False,
    user_turns_only: Annotated[
        bool, typer.Option("--user-turns-only", help="Store what the user said alone, as official runs do.")
    ] = False,
    rescore: Rescore = None,
    compare: Compare = None,
    without: Without = None,
    embedding_cache: Cache = None,
    as_json: AsJson = False,
) -> None:
    """Measure retrieval on LongMemEval.

    Raw, source and canonical targets, at turn and session level; the official metrics stand beside ours. What the
    figures mean is in docs/longmemeval.md.
    """
    from memory_server.benchmarks.runs import Options

    options = Options(
        depth=top_k,
        limit=limit,
        retriever=retriever.value,
        pooled=pooled,
        learns=learn,
        user_turns_only=user_turns_only,
        without=tuple(without or ()),
        embedding_cache=embedding_cache,
    )
    _measure("longmemeval", dataset, options, output, rescore, compare, as_json)


def benchmark(
    what: Annotated[
        Measured, typer.Argument(help="A data set of talks, or made-up facts.", show_default=False)
    ],
    path: Annotated[
        Path | None, typer.Argument(help="The data set, .json or .json.gz.", show_default=False)
    ] = None,
    output: Output = None,
    top_k: Annotated[int, typer.Option("--top-k", min=1, max=MOST, help="Results asked for.")] = DEPTH,
    limit: Limit = None,
    retriever: Which = Retriever.BUILTIN,
    learn: Learn = False,
    rescore: Rescore = None,
    compare: Compare = None,
    without: Without = None,
    embedding_cache: Cache = None,
    count: Annotated[int, typer.Option("--facts", min=100, help="facts: how many are stored.")] = 2_000,
    seed: Annotated[int, typer.Option("--seed", help="facts: which ones.")] = 1,
    as_json: AsJson = False,
) -> None:
    """Measure retrieval on LoCoMo, BEAM or made-up facts.

    locomo and beam take a published file. facts needs none: it stores made-up facts and asks about them in whole
    questions and in paraphrases; exit code 1 where a promised figure was missed.
    """
    if what is Measured.FACTS:
        if path is not None:
            raise typer.BadParameter("facts are made up: there is no file to name")
        _measure_facts(count, seed, as_json)
        return
    from memory_server.benchmarks.runs import Options

    options = Options(
        depth=top_k,
        limit=limit,
        retriever=retriever.value,
        learns=learn,
        without=tuple(without or ()),
        embedding_cache=embedding_cache,
    )
    _measure(what.value, path, options, output, rescore, compare, as_json)


def _measure(
    name: str,
    path: Path | None,
    options: Any,
    output: Path | None,
    rescore: Path | None,
    compare: Path | None,
    as_json: bool,
) -> None:
    from memory_server.benchmarks.evaluation import FromTheFuture
    from memory_server.benchmarks.lineage import BrokenLineage
    from memory_server.benchmarks.report import comparison, report
    from memory_server.benchmarks.runs import rescored, run
    from memory_server.benchmarks.traces import read_trace
    from memory_server.cli.benchmark_tables import show_comparison, show_report
    from memory_server.cli.printing import print_json
    from memory_server.domain.errors import InvalidArgument

    if (path is None) == (rescore is None):
        raise typer.BadParameter("name either the data set or, with --rescore, a saved run")
    read = {given.resolve() for given in (rescore, compare, path) if given is not None}
    if output is not None and output.resolve() in read:
        raise typer.BadParameter("--output would overwrite what is to be read")
    other = None if compare is None else read_trace(compare)
    try:
        if rescore is not None:
            header, rows = rescored(read_trace(rescore), output)
        else:
            assert path is not None
            with _told(options.limit) as tell:
                header, rows = run(name, path, options, output, tell)
    except (BrokenLineage, FromTheFuture) as error:
        raise InvalidArgument(f"the run is worth nothing: {error}", argument="dataset") from error
    found = {"header": header, **report(rows)}
    if other is not None:
        found["comparison"] = {"with": other.header, **comparison(rows, rescored(other, None)[1])}
    if as_json:
        print_json(found)
        return
    show_report(found)
    if other is not None:
        show_comparison(found["comparison"])


def _measure_facts(count: int, seed: int, as_json: bool) -> None:
    from memory_server.benchmarks.fact_quality import measure
    from memory_server.cli.benchmark_tables import show_quality
    from memory_server.cli.printing import print_json

    with _told(None) as tell:
        found = measure(count, seed, tell)
    if as_json:
        print_json(found)
    else:
        show_quality(found)
    if not found["met"]:
        raise typer.Exit(1)


@contextmanager
def _told(limit: int | None) -> Iterator[Callable[[str, int, int | None], None]]:
    """Progress on stderr: a bar at a terminal, a line now and then elsewhere, as a run may take hours."""
    if sys.stderr.isatty():
        with progress_bars() as tell:
            yield lambda what, done, of: tell(what, done, of or limit)
        return
    last = time.monotonic()

    def line(what: str, done: int, of: int | None) -> None:
        nonlocal last
        if time.monotonic() - last >= 10:
            last = time.monotonic()
            print(f"{done}{f' of {of}' if of else ''} {what}", file=sys.stderr)

    yield line
