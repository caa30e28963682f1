"""What a belief rests on: which of its evidence still holds, and what that leaves of its claim."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum
from types import MappingProxyType

from memory_server.domain.lifecycle import LifecycleState


class Standing(StrEnum):
    """How a piece of evidence stands now; the value is what callers see."""

    HOLDS = "holds"
    CONFLICTING = "conflicting"
    SUPERSEDED = "superseded"
    ARCHIVED = "archived"
    FORGOTTEN = "forgotten"


SHARES: Mapping[Standing, float] = MappingProxyType(
    {
        Standing.HOLDS: 1.0,
        Standing.CONFLICTING: 0.5,
        Standing.SUPERSEDED: 0.0,
        Standing.ARCHIVED: 0.0,
        Standing.FORGOTTEN: 0.0,
    }
)
"""How much of a piece's weight still counts; one of two contradicting facts is as good as the other."""


def standing(state: LifecycleState, *, closed: bool, conflicting: bool) -> Standing:
    """How evidence stands by the life of the memory that it names.

    `closed` says that it is no longer true or that another took its place; `conflicting` that a current memory
    contradicts it. What has grown stale still holds: its age is not the belief's.
    """
    if state is LifecycleState.FORGOTTEN:
        return Standing.FORGOTTEN
    if state is LifecycleState.ARCHIVED:
        return Standing.ARCHIVED
    if closed or state in (LifecycleState.SUPERSEDED, LifecycleState.DISCARDED):
        return Standing.SUPERSEDED
    return Standing.CONFLICTING if conflicting else Standing.HOLDS


def support(pieces: Iterable[tuple[float, Standing]]) -> float:
    """The share of the evidence's weight that still holds, 0–1: Σ weight × share / Σ weight.

    1 where nothing weighs: a belief without evidence stands on its word alone, and no evidence can fall away.
    """
    weighed = held = 0.0
    for weight, how in pieces:
        weighed += weight
        held += weight * SHARES[how]
    return min(1.0, held / weighed) if weighed > 0 else 1.0
