"""A whole run: which data, which store, which settings, and where its rows go."""

from __future__ import annotations

import platform
import shlex
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass, fields, replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, Literal

from memory_server import __version__
from memory_server.benchmarks import datasets
from memory_server.benchmarks.datasets import Haystack
from memory_server.benchmarks.evaluation import Evaluator, Progress, Row, scored
from memory_server.benchmarks.longmemeval import pooled
from memory_server.benchmarks.stores import Asking, builtin, served
from memory_server.benchmarks.traces import Trace, write_trace
from memory_server.domain.errors import InvalidArgument
from memory_server.policies.ranking import DEFAULT_WEIGHTS, Weights
from memory_server.services.conversations import Turn
from memory_server.settings import load_settings

Retriever = Literal["builtin", "server"]


@dataclass(frozen=True, slots=True)
class Options:
    """What a run depends on beside its data.

    Attributes:
        depth: results asked for, at most 100.
        limit: so many questions, the first ones; None for all.
        pooled: all haystacks in one store.
        learns: facts, decisions and beliefs are taken out of each turn, too.
        user_turns_only: what the assistant said is left out.
        without: signals of the ranking that are switched off.
        embedding_cache: a file with vectors of earlier runs.
    """

    depth: int
    limit: int | None = None
    retriever: Retriever = "builtin"
    pooled: bool = False
    learns: bool = False
    user_turns_only: bool = False
    without: tuple[str, ...] = ()
    embedding_cache: Path | None = None


def run(
    dataset: str, path: Path, options: Options, output: Path | None, progress: Progress
) -> tuple[dict[str, Any], list[Row]]:
    """Asks all questions of a data set; gives the header of the run and its rows.

    Args:
        dataset: longmemeval, locomo or beam.
        output: where the rows are written as they come.

    Raises:
        InvalidArgument: the file is no such data set, a signal is unknown, or options do not go together.
        OSError: it cannot be read, or the output cannot be written.
    """
    open_store = _opener(options)
    header = {
        "dataset": {"name": dataset, **datasets.fingerprint(path)},
        "options": {**asdict(options), "embedding_cache": options.embedding_cache is not None},
        "settings": _settings(),
        "weights": asdict(weights_without(options.without)),
        "version": __version__,
        "python": platform.python_version(),
        "command": shlex.join(["memory-server", *sys.argv[1:]]),
    }
    rows = Evaluator(open_store, options.depth).rows(_haystacks(dataset, path, options), progress)
    return header, list(rows if output is None else write_trace(output, header, rows))


def rescored(trace: Trace, output: Path | None) -> tuple[dict[str, Any], list[Row]]:
    """A saved run scored anew, without retrieving anything; lineage and dates are checked again.

    Raises:
        BrokenLineage, FromTheFuture: see `evaluation.scored`.
    """
    rows = map(scored, trace.rows)
    return trace.header, list(rows if output is None else write_trace(output, trace.header, rows))


def _haystacks(dataset: str, path: Path, options: Options) -> Iterator[Haystack]:
    if dataset == "longmemeval":
        found = datasets.longmemeval(path, user_turns_only=options.user_turns_only)
    else:
        found = {"locomo": datasets.locomo, "beam": datasets.beam}[dataset](path)
    if options.pooled:
        # the pool is that of all questions, also where only some are asked
        found = pooled(found)
    return _first(found, options.limit)


def _first(haystacks: Iterable[Haystack], limit: int | None) -> Iterator[Haystack]:
    """The haystacks with the first questions alone."""
    left = limit
    for haystack in haystacks:
        asked = haystack.questions if left is None else tuple(islice(haystack.questions, left))
        if left is not None:
            left -= len(asked)
        yield Haystack(haystack.id, haystack.turns, asked)
        if left == 0:
            return


def _opener(options: Options) -> Callable[[Sequence[Turn]], AbstractContextManager[Asking]]:
    if options.retriever == "server":
        if options.without or options.embedding_cache:
            raise InvalidArgument(
                "--without and --embedding-cache reach into the ranking: they are for --retriever builtin",
                argument="retriever",
            )
        return partial(served, learns=options.learns)
    return partial(
        builtin,
        learns=options.learns,
        weights=weights_without(options.without),
        make_embedder=_cached(options.embedding_cache),
    )


def weights_without(signals: Iterable[str]) -> Weights:
    """The weights that ship, with these at zero.

    Raises:
        InvalidArgument: there is no such signal.
    """
    known = [field.name for field in fields(Weights)]
    unknown = [signal for signal in signals if signal not in known]
    if unknown:
        raise InvalidArgument(
            f"there is no signal {unknown[0]!r}: there are {', '.join(known)}", argument="without"
        )
    return replace(DEFAULT_WEIGHTS, **dict.fromkeys(signals, 0.0))


def _cached(path: Path | None) -> Callable[[], Any] | None:
    if path is None:
        return None

    def make() -> Any:
        from memory_server.benchmarks.embedding_cache import cached
        from memory_server.indexes.embedding import make_embedder

        embedder = make_embedder(load_settings().embedding)
        return None if embedder is None else cached(embedder, path)

    return make


def _settings() -> dict[str, Any]:
    """What the environment sets that bears on what is found."""
    settings = load_settings()
    names = ("embedding", "vector_backend", "semantic_threshold", "single_valued", "secrets")
    return {name: getattr(settings, name) for name in names}
