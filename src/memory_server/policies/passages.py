"""The part of a long text that says most about what was asked."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection

_SENTENCE_END = re.compile(r"(?<=[.!?…。！？])\s+|\n+")
_WORD = re.compile(r"[^\W_]+")


def passage(text: str, words: Collection[str], stem: Callable[[str], str], length: int) -> str:
    """At most `length` characters of a text: neighbouring sentences that hold the most of the words.

    Of equally good places the first is taken; what is left out before and behind is marked by an ellipsis.

    Args:
        words: the words of the question that say something.
        stem: gives the form in which words are compared.
        length: in characters.
    """
    if len(text) <= length:
        return text
    wanted = {stem(word) for word in words}
    spans = _sentences(text, length - 2)
    held = [
        wanted & {stem(word) for word in _WORD.findall(text[start:end].casefold())} for start, end in spans
    ]
    best, place = (-1, 0), (0, 0)
    for first, (start, _) in enumerate(spans):
        found: set[str] = set()
        for last in range(first, len(spans)):
            end = spans[last][1]
            if end - start > length - 2:
                break
            found |= held[last]
            worth = (len(found), -first)
            if worth > best or (worth == best and place[0] == start):
                best, place = worth, (start, end)
    start, end = place
    return ("…" if start else "") + text[start:end].strip() + ("…" if end < len(text.rstrip()) else "")


def _sentences(text: str, length: int) -> list[tuple[int, int]]:
    """Where sentences start and end; one that is longer than `length` is cut."""
    spans: list[tuple[int, int]] = []
    start = 0
    for end in (*(match.end() for match in _SENTENCE_END.finditer(text)), len(text)):
        while end - start > length:
            spans.append((start, start + length))
            start += length
        if end > start:
            spans.append((start, end))
        start = end
    return spans
