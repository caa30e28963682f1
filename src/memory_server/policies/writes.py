"""What a write did to a memory, read off the receipt that it left."""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import StrEnum

UNDOES = "undoes receipt "
"""Begins the line of a receipt that names another one, which counts no longer."""

_SUCCESSOR = re.compile(r"(?:closed|became \w+): replaced by ([0-9a-f-]{36})\b")


class Did(StrEnum):
    """What one write did to one memory; the value is what callers see."""

    STORED = "stored"
    RESTATED = "restated"
    CLOSED = "closed"
    MOVED = "moved"
    CHANGED = "changed in place"
    FORGOTTEN = "forgotten"
    NOTED = "noted"
    UNKNOWN = "unknown"


_BEGINNINGS: tuple[tuple[str, Did], ...] = (
    ("stored", Did.STORED),
    ("imported", Did.STORED),
    ("corroborated by ", Did.RESTATED),
    ("stated again by ", Did.RESTATED),
    ("reinforced by ", Did.RESTATED),
    ("handed over ", Did.RESTATED),
    ("closed: ", Did.CLOSED),
    ("became ", Did.MOVED),
    ("changed: ", Did.CHANGED),
    ("forgotten: ", Did.FORGOTTEN),
    # nothing but the receipt was written
    ("said again by the same text", Did.NOTED),
    ("updated; nothing is different", Did.NOTED),
    ("stays ", Did.NOTED),
    ("evidence: ", Did.NOTED),
    (UNDOES, Did.NOTED),
)

ASSERTIONS = (Did.STORED, Did.RESTATED)
"""Writes by which a source claims a memory."""


def what_was_done(history: Sequence[str]) -> Did:
    """What the write behind a receipt did, by the first line of its history."""
    first = history[0] if history else ""
    return next((did for beginning, did in _BEGINNINGS if first.startswith(beginning)), Did.UNKNOWN)


def successor(history: Sequence[str]) -> str | None:
    """The id of the memory that took another's place, from the receipt that closed or superseded that one."""
    match = _SUCCESSOR.match(history[0]) if history else None
    return match[1] if match else None


def undone_by(history: Sequence[str]) -> list[str]:
    """The ids of receipts that a receipt takes back."""
    return [line.removeprefix(UNDOES) for line in history if line.startswith(UNDOES)]
