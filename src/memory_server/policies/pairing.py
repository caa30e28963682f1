"""Which beliefs are worth laying side by side: those that share a topic, the rarest topics first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

WHOLE_GROUP = 64
"""Up to so many beliefs of one topic, every two of them are a pair: 2,016 pairs."""

NEIGHBOURS = 24
"""In a larger group each belief is paired with so many that came after it."""

MOST_PAIRS = 60_000
"""Pairs that one reflection looks at; some two seconds."""


def candidate_pairs(
    groups: Iterable[Sequence[int]], most: int = MOST_PAIRS
) -> tuple[list[tuple[int, int]], bool]:
    """Pairs out of groups that share a topic, smallest groups first, each pair once with the lower number first.

    Tells also whether pairs were left out: of very common topics, or beyond `most`.
    """
    pairs: dict[tuple[int, int], None] = {}
    left_out = False
    for group in sorted(groups, key=len):
        left_out = left_out or len(group) > WHOLE_GROUP
        for pair in _pairs_of(sorted(set(group))):
            if len(pairs) >= most and pair not in pairs:
                return list(pairs), True
            pairs[pair] = None
    return list(pairs), left_out


def _pairs_of(group: Sequence[int]) -> Iterator[tuple[int, int]]:
    reach = len(group) if len(group) <= WHOLE_GROUP else NEIGHBOURS
    for place, one in enumerate(group):
        for other in group[place + 1 : place + 1 + reach]:
            yield one, other
