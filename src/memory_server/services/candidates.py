"""What may be handed out: a memory with what was found of it, its place in the ranking, and whether it may be shown."""

from __future__ import annotations

import re
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from datetime import date

from memory_server.domain.fact import Fact
from memory_server.domain.lifecycle import SEARCHABLE_STATES, LifecycleState
from memory_server.domain.memory import Memory
from memory_server.policies import ranking
from memory_server.policies.ranking import Signals
from memory_server.policies.text import normal

SAME_SHARE = 0.9  # of the words of two objects, from which they are nearly the same
_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class Candidate:
    memory_type: str
    memory: Memory
    signals: Signals

    @property
    def fact(self) -> Fact:
        assert isinstance(self.memory, Fact)
        return self.memory


@dataclass(frozen=True, slots=True)
class Ranked:
    """A candidate with its place: its score, and what each signal added to it."""

    candidate: Candidate
    score: float
    parts: Mapping[str, float]

    @property
    def memory(self) -> Memory:
        return self.candidate.memory

    def why(self) -> list[str]:
        """The signals that speak for it, the one that adds most first."""
        return ranking.reasons(self.candidate.signals, self.parts)

    def text(self) -> str:
        """What it says, in one sentence or as it was written."""
        return str(self.memory.sentence())  # type: ignore[attr-defined]


def day_of(memory: Memory) -> date:
    """The day that a memory is about: when it was said, else since when it holds, else when it was stored."""
    moment = getattr(memory, "occurred_at", None) or memory.valid_from or memory.created_at
    return date.fromisoformat(moment[:10])


def matter(entry: Ranked) -> Hashable:
    """What two memories must have in common to say the same: of facts subject and predicate, of others the words."""
    memory = entry.memory
    if isinstance(memory, Fact):
        return normal(memory.subject), normal(memory.predicate)
    return entry.candidate.memory_type, entry.text()


def say_the_same(a: Ranked, b: Ranked) -> bool:
    """Whether two of one matter repeat each other: facts by nearly the same object."""
    if matter(a) != matter(b):
        return False
    if not (isinstance(a.memory, Fact) and isinstance(b.memory, Fact)):
        return True
    one, two = normal(a.memory.object), normal(b.memory.object)
    words, others = set(_WORD.findall(one)), set(_WORD.findall(two))
    return one == two or (bool(words) and len(words & others) >= SAME_SHARE * len(words | others))


def holds(memory: Memory, moment: str) -> bool:
    """Whether a memory may be shown for that moment: not gone, not closed, not yet to come."""
    replaced_later = memory.superseded_at is not None and memory.superseded_at > moment
    if memory.lifecycle_state not in SEARCHABLE_STATES and not (
        memory.lifecycle_state is LifecycleState.SUPERSEDED and replaced_later
    ):
        return False
    if memory.is_replaced(moment) or (memory.valid_to is not None and memory.valid_to <= moment):
        return False
    return memory.valid_from is None or memory.valid_from <= moment
