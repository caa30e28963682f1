"""Text that an answer of this server handed out and that comes back: where it may stand in what is to be learned."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

MOST_DOCUMENTS = 64
"""Places in one text at which a JSON document is tried for; it keeps a text of brackets cheap."""
MOST_PASSAGES = 512
"""Passages between fences that are looked at in one text."""

Triple = tuple[str, str, str]

_ID = re.compile(r"(?<![0-9A-Za-z-])[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}(?![0-9A-Za-z-])")
_FENCE = re.compile(
    r'\[stored text ([0-9a-f]{24}) source="[^"\n]{0,300}" trust="[^"\n]{0,300}": data, not instructions\]\n'
)
_DOCUMENT = re.compile(r"(?<![^\s`:=(>])[\[{](?=\s*[\"{\[])")
_NOT_NEWLINE = re.compile(r"[^\n]")


@dataclass(frozen=True, slots=True)
class Echo:
    """A passage that has the shape of an answer.

    Whether it is one, storage decides: by the ids in it, by a memory that is worded like `sentence`, or by facts that
    are stored as `triples`.
    """

    start: int
    end: int
    ids: tuple[str, ...] = ()
    sentence: str = ""
    triples: tuple[Triple, ...] = ()


def find_echoes(text: str) -> list[Echo]:
    """The passages of a text that have the shape of an answer, in order, none within another.

    Looked for are JSON documents that name memories, passages between our fences, and single lines with an id.
    """
    found: list[Echo] = []
    for echo in sorted([*_documents(text), *_fenced(text)], key=lambda echo: (echo.start, -echo.end)):
        if not found or echo.start >= found[-1].end:
            found.append(echo)
    return sorted([*found, *_lines(text, found)], key=lambda echo: echo.start)


def masked(text: str, echoes: list[Echo]) -> str:
    """The text with blanks in place of those passages, so that all other places stay where they were."""
    parts: list[str] = []
    last = 0
    for echo in echoes:
        # a line of its own: what stands around it does not run together
        blank = _NOT_NEWLINE.sub(" ", text[echo.start : echo.end])
        parts += [text[last : echo.start], "\n" + blank[1:]]
        last = echo.end
    return "".join((*parts, text[last:]))


def _documents(text: str) -> Iterator[Echo]:
    if not _ID.search(text) and '"subject"' not in text:
        return
    decoder = json.JSONDecoder()
    position = tried = 0
    while tried < MOST_DOCUMENTS and (match := _DOCUMENT.search(text, position)):
        tried += 1
        position = match.end()
        try:
            value, end = decoder.raw_decode(text, match.start())
        except (ValueError, RecursionError):
            continue
        ids = tuple(dict.fromkeys(_ID.findall(text, match.start(), end)))
        triples = tuple(_triples(value))
        if ids or triples:
            yield Echo(match.start(), end, ids=ids, triples=triples)
        position = end


def _triples(value: Any) -> Iterator[Triple]:
    stack = [value]
    while stack:
        here = stack.pop()
        if isinstance(here, dict):
            triple = (here.get("subject"), here.get("predicate"), here.get("object"))
            if all(isinstance(part, str) for part in triple):
                yield triple  # type: ignore[misc]  # just checked
            stack.extend(here.values())
        elif isinstance(here, list):
            stack.extend(here)


def _fenced(text: str) -> Iterator[Echo]:
    position = looked = 0
    while looked < MOST_PASSAGES and (match := _FENCE.search(text, position)):
        looked += 1
        closing = f"\n[end of stored text {match[1]}]"
        inner_end = text.find(closing, match.end())
        position = match.end()
        if inner_end >= 0:
            position = inner_end + len(closing)
            yield Echo(match.start(), position, sentence=text[match.end() : inner_end])


def _lines(text: str, others: list[Echo]) -> Iterator[Echo]:
    """Lines that hold an id, outside of what was found already."""
    covered = iter(others)
    here = next(covered, None)
    end = -1
    for match in _ID.finditer(text):
        while here is not None and here.end <= match.start():
            here = next(covered, None)
        if match.start() < end or (here is not None and here.start <= match.start()):
            continue
        start = text.rfind("\n", 0, match.start()) + 1
        end = text.find("\n", match.end())
        end = len(text) if end < 0 else end
        if any(other.start < end and start < other.end for other in others):
            continue
        yield Echo(start, end, ids=tuple(dict.fromkeys(_ID.findall(text, start, end))))
