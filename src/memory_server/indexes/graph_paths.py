"""Paths between two nodes of the graph: a search from both ends that meets in the middle."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice

Path = tuple[int, ...]
# half paths by the node where they end
Halves = dict[int, list[Path]]

# half paths made in one step of one side; between two hubs there are millions, and twenty are wanted
_STEP_LIMIT = 100_000


def find_paths(
    neighbours: Callable[[int], Iterable[int]],
    degree: Callable[[int], int],
    source: int,
    target: int,
    *,
    max_edges: int,
    max_paths: int,
) -> tuple[list[Path], bool]:
    """Paths without a node twice, shortest first, and whether the limit of a step left some out.

    The side whose next step is cheaper grows; every length is met at one split, so that no path comes twice.
    """
    if source == target:
        return [(source,)], False
    forward: Halves = {source: [(source,)]}
    backward: Halves = {target: [(target,)]}
    found: list[Path] = []
    truncated = False
    for _ in range(max_edges):
        if _cost(forward, degree) <= _cost(backward, degree):
            forward, cut = _grown(forward, neighbours, target)
        else:
            backward, cut = _grown(backward, neighbours, source)
        truncated = truncated or cut
        found += islice(_joined(forward, backward), max_paths - len(found))
        if len(found) >= max_paths or not forward or not backward:
            break
    return found, truncated


def _cost(halves: Halves, degree: Callable[[int], int]) -> int:
    return sum(degree(end) * len(paths) for end, paths in halves.items())


def _grown(halves: Halves, neighbours: Callable[[int], Iterable[int]], stop: int) -> tuple[Halves, bool]:
    """Every half path one edge longer; those that have reached the other end go no further."""
    grown: Halves = {}
    steps = 0
    for end, paths in halves.items():
        if end == stop:
            continue
        for neighbour in neighbours(end):
            longer = [(*path, neighbour) for path in paths if neighbour not in path]
            if longer:
                grown.setdefault(neighbour, []).extend(longer)
            steps += len(paths)
            if steps > _STEP_LIMIT:
                return grown, True
    return grown, False


def _joined(forward: Mapping[int, list[Path]], backward: Mapping[int, list[Path]]) -> Iterator[Path]:
    for middle in forward if len(forward) <= len(backward) else backward:
        for first in forward.get(middle, ()):
            seen = set(first)
            for second in backward.get(middle, ()):
                rest = second[-2::-1]
                if seen.isdisjoint(rest):
                    yield first + rest
