"""What of a ranking is handed out: one page of it, within a budget of tokens, as records or as text for a model."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any, NamedTuple

from memory_server.domain.errors import InvalidArgument
from memory_server.domain.memory import parse_time, rfc3339
from memory_server.policies.text import cut
from memory_server.policies.tokens import count_tokens
from memory_server.policies.trust import delimit

LINE_LENGTH = 1_000  # characters of one memory in a text for a model
SHORTEST_LINE = 60  # to which they are cut down where a budget is small
NOTHING = "Nothing is stored that bears on this."
NOT_SHOWN = "Something is stored that bears on this, but no line of it fits token_budget."
_CURSOR = re.compile(r"f(\d{1,6})r(\d{1,6})(?:t(\d{1,16}))?", re.ASCII)
_BETWEEN = 2  # tokens for the signs that join records
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class Page(NamedTuple):
    """How many facts and related memories come before what is to be shown.

    Attributes:
        asked: RFC 3339; when the first page was asked for. What is written later is on none of the pages.
    """

    facts: int = 0
    related: int = 0
    asked: str | None = None

    def cursor(self) -> str:
        asked = (
            "" if self.asked is None else f"t{(parse_time(self.asked) - _EPOCH) // timedelta(microseconds=1)}"
        )
        return f"f{self.facts}r{self.related}{asked}"


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
    asked = match[3] and rfc3339(_EPOCH + timedelta(microseconds=int(match[3])))
    return Page(int(match[1]), int(match[2]), asked)


class Line(NamedTuple):
    """A memory on one line: the day it is about, what it says, what it is, who says so, how far to trust it."""

    day: str
    said: str
    about: str

    def text(self, length: int = LINE_LENGTH) -> str:
        """The line with at most so many characters of what the memory says."""
        return f"- [{self.day}] {cut(self.said, length)} ({self.about})"


@dataclass(frozen=True, slots=True)
class Entry:
    """A memory as it is handed out: its record, and its line in a text.

    Attributes:
        gone: whether it holds no more since the first page was asked for, so that it only keeps its place.
    """

    record: Any
    line: Line
    score: float
    gone: bool = False


@dataclass(frozen=True, slots=True)
class Handout:
    """What fits a budget.

    Attributes:
        kept: the places of facts and of related memories that are handed out.
        lines: of these, as text.
        passed: how many of each were gone through, with those that were left out.
        tokens: what that costs a model to read.
        note: what was left out since it costs more than the budget for itself.
    """

    kept: tuple[list[int], list[int]]
    lines: list[str]
    passed: tuple[int, int]
    tokens: int
    note: str | None = None


def within(facts: Sequence[Entry], related: Sequence[Entry], budget: int | None, *, as_text: bool) -> Handout:
    """What of two lists, each best first, fits a budget together; the lowest ranked are left out first.

    A memory that would not fit if it stood alone is cut down in a text, and otherwise passed over.
    """
    order = sorted(
        (-entry.score, kind, at)
        for kind, entries in enumerate((facts, related))
        for at, entry in enumerate(entries)
    )
    kept: tuple[list[int], list[int]] = ([], [])
    said_by_kind: tuple[list[str], list[str]] = ([], [])
    passed, spent, too_long = [0, 0], 0, []
    for _, kind, at in order:
        entry = (facts, related)[kind][at]
        said, cost = ("", 0) if entry.gone else _alone(entry, budget, as_text)
        if budget is not None and cost > budget:
            too_long.append(cost)
        elif not entry.gone:
            # the fence stands around all of them once
            cost -= _fence_cost() if as_text and any(kept) else 0
            if budget is not None and spent + cost > budget:
                break
            spent += cost
            said_by_kind[kind].append(said)
            kept[kind].append(at)
        passed[kind] += 1
    lines = [*said_by_kind[0], *said_by_kind[1]]
    if as_text:
        spent = count_tokens(as_fenced(lines, NOT_SHOWN if too_long else NOTHING))
    return Handout(kept, lines, (passed[0], passed[1]), spent, _left_out(too_long))


def _alone(entry: Entry, budget: int | None, as_text: bool) -> tuple[str, int]:
    """What is handed out of an entry, as text, and what it costs if nothing stands beside it."""
    if not as_text:
        record = entry.record if isinstance(entry.record, dict) else entry.record.model_dump(mode="json")
        return "", count_tokens(json.dumps(record, ensure_ascii=False, separators=(",", ":"))) + _BETWEEN
    said, cost = "", 0
    for length in _lengths(len(entry.line.said)):
        said = entry.line.text(length)
        cost = count_tokens(said) + 1 + _fence_cost()
        if budget is None or cost <= budget:
            break
    return said, cost


@cache
def _fence_cost() -> int:
    """What a fence costs at most: its hash costs the more, the more often letters and figures take turns in it."""
    head, _, foot = as_fenced(["-"]).splitlines()
    return count_tokens(re.sub("[0-9a-f]{24}", "a1" * 12, f"{head}\n\n{foot}"))


def _lengths(length: int) -> Iterator[int]:
    """To how many characters a line is cut, the longest first."""
    length = min(length, LINE_LENGTH)
    while length > SHORTEST_LINE:
        yield length
        length = length * 3 // 4
    yield SHORTEST_LINE


def _left_out(costs: Sequence[int]) -> str | None:
    if not costs:
        return None
    many = "1 memory costs" if len(costs) == 1 else f"{len(costs)} memories cost"
    least = f"{min(costs)} tokens" if len(costs) == 1 else f"from {min(costs)} tokens on"
    return f"left out: {many} more than token_budget alone ({least})"


def line(text: str, *, day: str, kind: str, source: str, trust: float, risk_tags: Sequence[str]) -> Line:
    """A memory as a line; nothing in it can begin another one, and no source looks like the end of it."""
    marks = "".join(f", {tag.replace('_', ' ')}" for tag in risk_tags)
    name = " ".join(re.sub(r"[()\[\]]", " ", source).split())
    return Line(day, " ".join(text.split()), f"{kind}, source: {name}, trust {trust:.2f}{marks}")


def as_fenced(lines: Sequence[str], nothing: str = NOTHING) -> str:
    """Lines as one text for a model, fenced in, so that it takes them for data; without lines a plain sentence."""
    return delimit("\n".join(lines), source="memory", trust="as each line says") if lines else nothing
