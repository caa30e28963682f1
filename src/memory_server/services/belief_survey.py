"""The beliefs that a reflection looks at, and how they are counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection

from memory_server.domain.lifecycle import LifecycleState
from memory_server.policies.scopes import Scopes
from memory_server.policies.text import normal
from memory_server.settings import Settings
from memory_server.storage.beliefs import Outline

HELD = frozenset({LifecycleState.ACTIVE, LifecycleState.CONTRADICTED, LifecycleState.STALE})
"""States in which a belief is still held; what was replaced, discarded or put away is counted by state alone."""


@dataclass(frozen=True, slots=True)
class Question:
    """What a reflection is about; `limit` bounds its lists, 0 for all, and never its counts.

    `scopes` is what the reader sees; nothing else is listed or counted.
    """

    topic: str | None = None
    min_confidence: float = 0.0
    limit: int = 50
    context: str | None = None
    strict_same_context: bool = False
    scopes: Scopes = None

    def cut(self, items: Sequence[Any]) -> list[Any]:
        """As many of the items as are wanted."""
        return list(items[: self.limit] if self.limit else items)


@dataclass(frozen=True, slots=True)
class View:
    """The beliefs that a reflection looks at, as of `now`."""

    connection: Connection
    settings: Settings
    now: datetime
    question: Question
    every: list[Outline]

    @property
    def held(self) -> list[Outline]:
        """Those that are still held."""
        return [one for one in self.every if one.state in HELD]


def is_about(belief: Outline, topic: str) -> bool:
    """Whether a belief has this tag, or says these words in a row; case does not matter."""
    wanted = normal(topic)
    if any(normal(tag) == wanted for tag in belief.tags):
        return True
    return f" {' '.join(_words(wanted))} " in f" {' '.join(_words(belief.key))} "


def _words(text: str) -> list[str]:
    return [bare for word in text.split() if (bare := word.strip(".,;:!?()[]\"'"))]


def ranked(counts: Mapping[str, int]) -> list[tuple[str, int]]:
    """Names with their counts, the commonest first, equals by name."""
    return sorted(counts.items(), key=lambda entry: (-entry[1], entry[0]))


def average(values: Sequence[float]) -> float:
    """The mean, 0 of nothing."""
    return round(sum(values) / len(values), 4) if values else 0.0


def histogram(held: Sequence[Outline], floors: Mapping[str, float]) -> dict[str, int]:
    """How many beliefs claim at least each floor and less than the one before; floors come in falling order."""
    counts: Counter[str] = Counter()
    for one in held:
        # a mean such as 0.7999999999999999 is 0.8 to everybody else
        claim = round(one.confidence, 9)
        counts[next(name for name, floor in floors.items() if claim >= floor)] += 1
    return {name: counts[name] for name in floors}
