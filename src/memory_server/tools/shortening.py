"""Keeps an answer small enough for a model to read: the longest list loses its end, and that is said."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from memory_server.tools.schemas import TRUNCATED

MOST_BYTES = 60_000
"""The size of an answer, as compact JSON in UTF-8, above which it is cut."""

_NOTE_BYTES = 600


def shorten(
    answer: dict[str, Any], narrowing: Sequence[str], *, counts_all: bool = False, most: int = MOST_BYTES
) -> dict[str, Any]:
    """The answer itself if it is small enough, else one that is, with `truncated` saying what is missing.

    Lists lose items from the end, the longest first; only when no list has more than one item left are texts
    cut off. Changes `answer` in place. `total` keeps counting what is returned, unless it counts all.

    Args:
        narrowing: the arguments with which the caller can ask for less.
        counts_all: `total` counts what there is.
        most: bytes of compact JSON.
    """
    excess = _size(answer) - most
    if excess <= 0:
        return answer
    excess += _NOTE_BYTES
    lengths = {path: len(items) for path, items in _lists(answer)}
    cut_texts = False
    while excess > 0:
        path, items = max(
            _lists(answer), key=lambda entry: _size(entry[1]) * (len(entry[1]) > 1), default=("", [])
        )
        if len(items) > 1:
            excess -= _drop_end(items, excess)
        elif freed := _cut_longest_text(answer, excess):
            cut_texts = True
            excess -= freed
        else:
            break
    left = {path: len(items) for path, items in _lists(answer)}
    notes = [
        f"{lengths[path] - left[path]} of {lengths[path]} {path}"
        for path in lengths
        if left[path] < lengths[path]
    ]
    notes += ["the ends of long texts"] if cut_texts else []
    for path in () if counts_all else lengths:
        if answer.get("total") == lengths[path] and left[path] < lengths[path]:
            answer["total"] = left[path]
    if "has_more" in answer:
        answer["has_more"] = True
    ask = f"ask for less with {', '.join(narrowing)}" if narrowing else "ask for less"
    before = f"{answer[TRUNCATED]} " if answer.get(TRUNCATED) else ""
    answer[TRUNCATED] = (
        f"{before}Left out to stay below {most // 1000} kB: {', '.join(notes)}. To get it, {ask}."
    )
    return answer


def _size(value: Any) -> int:
    return len(json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace"))


def _lists(value: dict[str, Any], path: str = "") -> Iterator[tuple[str, list[Any]]]:
    for name, entry in value.items():
        where = f"{path}.{name}" if path else name
        if isinstance(entry, list):
            yield where, entry
        elif isinstance(entry, dict):
            yield from _lists(entry, where)


def _drop_end(items: list[Any], excess: int) -> int:
    """Drops items until enough is gone, but no more than half of them, so that long lists shrink together."""
    freed = 0
    for _ in range(len(items) // 2):
        if freed >= excess:
            break
        freed += _size(items.pop()) + 1
    return freed


def _cut_longest_text(answer: dict[str, Any], excess: int) -> int:
    longest: tuple[int, Any, Any] = (200, None, None)
    stack: list[Any] = [answer]
    while stack:
        holder = stack.pop()
        for key, entry in holder.items() if isinstance(holder, dict) else enumerate(holder):
            if isinstance(entry, str) and len(entry) > longest[0]:
                longest = (len(entry), holder, key)
            elif isinstance(entry, dict | list):
                stack.append(entry)
    length, holder, key = longest
    if holder is None:
        return 0
    before = _size(holder[key])
    holder[key] = holder[key][: max(200, min(length - excess, length // 2 + length // 4))].rstrip() + "…"
    return before - _size(holder[key])
