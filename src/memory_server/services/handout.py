"""What of a ranking is handed out: one page of it, within a budget of tokens, as records or as text for a model."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from memory_server.domain.errors import InvalidArgument
from memory_server.policies.text import cut
from memory_server.policies.tokens import count_tokens
from memory_server.policies.trust import delimit

LINE_LENGTH = 1_000  # characters of one memory in a text for a model
NOTHING = "Nothing is stored that bears on this."
_CURSOR = re.compile(r"f(\d{1,6})r(\d{1,6})")


class Page(NamedTuple):
    """How many facts and related memories come before what is to be shown."""

    facts: int = 0
    related: int = 0

    def cursor(self) -> str:
        return f"f{self.facts}r{self.related}"


def parse_cursor(text: str | None) -> Page:
    """The page that `next_cursor` of an answer names; the first one for None.

    Raises:
        InvalidArgument: it is no such cursor.
    """
    if text is None:
        return Page()
    match = _CURSOR.fullmatch(text)
    if match is None:
        raise InvalidArgument("cursor must be next_cursor of an earlier answer", argument="cursor")
    return Page(int(match[1]), int(match[2]))


@dataclass(frozen=True, slots=True)
class Entry:
    """A memory as it is handed out: its record, and its line in a text."""

    record: Any
    line: str
    score: float


@dataclass(frozen=True, slots=True)
class Handout:
    """What fits: so many of the facts and of the related memories, and what that costs a model to read."""

    facts: int
    related: int
    tokens: int


def within(facts: Sequence[Entry], related: Sequence[Entry], budget: int | None, *, as_text: bool) -> Handout:
    """How many of two lists, each best first, fit a budget together; the lowest ranked are left out first."""
    costs = [[_cost(entry, as_text) for entry in entries] for entries in (facts, related)]
    order = sorted(
        [
            (-entry.score, kind, at)
            for kind, entries in enumerate((facts, related))
            for at, entry in enumerate(entries)
        ]
    )
    spent = count_tokens(as_fenced([])) if as_text else 0
    kept = [0, 0]
    for _, kind, at in order:
        if budget is not None and spent + costs[kind][at] > budget:
            break
        spent += costs[kind][at]
        kept[kind] += 1
    return Handout(kept[0], kept[1], spent)


def _cost(entry: Entry, as_text: bool) -> int:
    if as_text:
        return count_tokens(entry.line) + 1
    record = entry.record if isinstance(entry.record, dict) else entry.record.model_dump(mode="json")
    return count_tokens(json.dumps(record, ensure_ascii=False, separators=(",", ":")))


def line(
    text: str,
    *,
    day: str,
    kind: str,
    source: str,
    trust: float,
    risk_tags: Sequence[str],
    length: int = LINE_LENGTH,
) -> str:
    """A memory on one line: the day it is about, what it says, what it is, who says so, how far to trust it."""
    marks = "".join(f", {tag.replace('_', ' ')}" for tag in risk_tags)
    said = cut(" ".join(text.split()), length)
    return f"- [{day}] {said} ({kind}, source: {' '.join(source.split())}, trust {trust:.2f}{marks})"


def as_fenced(lines: Sequence[str]) -> str:
    """Lines as one text for a model, fenced in, so that it takes them for data."""
    return delimit("\n".join(lines) or NOTHING, source="memory", trust="as each line says")
