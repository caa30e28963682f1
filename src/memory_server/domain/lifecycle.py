"""The states that a memory passes through, from the first write to being forgotten, and the moves between."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType


class LifecycleState(StrEnum):
    """Where a memory stands in its life; the value is what is stored and what clients see."""

    CANDIDATE = "candidate"
    VALIDATED = "validated"
    ACTIVE = "active"
    STALE = "stale"
    ARCHIVED = "archived"
    FORGOTTEN = "forgotten"
    SUPERSEDED = "superseded"
    CONTRADICTED = "contradicted"
    DISCARDED = "discarded"


Moves = Mapping[LifecycleState, tuple[LifecycleState, ...]]

_S = LifecycleState

FACT_MOVES: Moves = MappingProxyType(
    {
        _S.CANDIDATE: (_S.VALIDATED, _S.STALE),
        _S.VALIDATED: (_S.ACTIVE, _S.STALE),
        _S.ACTIVE: (_S.STALE,),
        _S.STALE: (_S.ARCHIVED,),
        _S.ARCHIVED: (_S.FORGOTTEN,),
        _S.FORGOTTEN: (),
    }
)
"""Allowed moves of everything that is not a belief: forward only, nothing else."""

BELIEF_MOVES: Moves = MappingProxyType(
    {
        _S.ACTIVE: (_S.SUPERSEDED, _S.CONTRADICTED, _S.STALE, _S.DISCARDED),
        _S.SUPERSEDED: (_S.STALE, _S.DISCARDED),
        _S.CONTRADICTED: (_S.ACTIVE, _S.STALE, _S.DISCARDED),
        _S.DISCARDED: (_S.ARCHIVED,),
        _S.STALE: (_S.ARCHIVED,),
        _S.ARCHIVED: (_S.FORGOTTEN,),
        _S.FORGOTTEN: (),
    }
)
"""Allowed moves of beliefs; a belief starts active."""

CURRENT_STATES = frozenset({_S.CANDIDATE, _S.VALIDATED, _S.ACTIVE})
"""States in which a memory counts as known now: stated again it is corroborated, not written twice."""

SEARCHABLE_STATES = CURRENT_STATES | {_S.STALE, _S.CONTRADICTED}
"""States that searches show unless asked otherwise; the rest has left the indexes or was replaced."""

_OLD_NAMES = MappingProxyType({"trusted": _S.ACTIVE, "deprecated": _S.STALE})


class InvalidMove(ValueError):
    """A lifecycle move that the table does not allow."""

    def __init__(self, memory_type: str, from_state: LifecycleState, to_state: LifecycleState) -> None:
        self.memory_type = memory_type
        self.from_state = from_state
        self.to_state = to_state
        allowed = ", ".join(moves_of(memory_type).get(from_state, ())) or "nothing"
        super().__init__(f"a {memory_type} cannot move from {from_state} to {to_state}; allowed: {allowed}")


def parse_state(text: str) -> LifecycleState:
    """The state of that name in any case; the names of version 0.5 (trusted, deprecated) are read too.

    Raises ValueError that lists the known names.
    """
    name = text.strip().casefold()
    if name in _OLD_NAMES:
        return _OLD_NAMES[name]
    try:
        return LifecycleState(name)
    except ValueError:
        known = ", ".join(LifecycleState)
        raise ValueError(f"unknown lifecycle state {text!r}; known: {known}") from None


def moves_of(memory_type: str) -> Moves:
    """The table of moves for a kind of memory: beliefs have their own, all others share that of facts."""
    return BELIEF_MOVES if memory_type == "belief" else FACT_MOVES


def first_state(memory_type: str) -> LifecycleState:
    """The state in which a new memory of this kind is written."""
    return _S.ACTIVE if memory_type == "belief" else _S.CANDIDATE


def may_move(memory_type: str, from_state: LifecycleState, to_state: LifecycleState) -> bool:
    """Whether the table allows this one step."""
    return to_state in moves_of(memory_type).get(from_state, ())


def check_move(memory_type: str, from_state: LifecycleState, to_state: LifecycleState) -> None:
    """Raises InvalidMove unless the table allows this one step."""
    if not may_move(memory_type, from_state, to_state):
        raise InvalidMove(memory_type, from_state, to_state)


def steps_between(
    memory_type: str, from_state: LifecycleState, to_state: LifecycleState
) -> tuple[LifecycleState, ...]:
    """The shortest run of allowed steps that ends in `to_state`, without the start; empty when already there.

    An order such as `forget` reaches its end through these, one event for each, so that it never goes around
    the table. Raises InvalidMove when no run of steps leads there.
    """
    moves = moves_of(memory_type)
    paths: deque[tuple[LifecycleState, ...]] = deque([()])
    seen = {from_state}
    while paths:
        path = paths.popleft()
        here = path[-1] if path else from_state
        if here == to_state:
            return path
        for following in moves.get(here, ()):
            if following not in seen:
                seen.add(following)
                paths.append((*path, following))
    raise InvalidMove(memory_type, from_state, to_state)


def is_current(state: LifecycleState) -> bool:
    """Whether a memory in this state counts as known now."""
    return state in CURRENT_STATES


def is_searchable(state: LifecycleState) -> bool:
    """Whether searches show a memory in this state unless asked otherwise."""
    return state in SEARCHABLE_STATES
