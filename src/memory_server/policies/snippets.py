"""A short piece of a text with the words that were looked for marked."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection

from memory_server.policies.text import NO_BREAKS, cut

LENGTH = 200
MARK = "**"
_FIRST_RUN = "\u0e00"  # no script without word breaks has a character below this
_RUN = re.compile(f"[{NO_BREAKS}]+")
_TOKEN = re.compile(f"[{NO_BREAKS}]+|[^\\W_{NO_BREAKS}]+")


def snippet(
    text: str, words: Collection[str], stem: Callable[[str], str], *, open_end: str | None = None
) -> str:
    """At most some 200 characters around the first hit, each hit between `**`.

    Args:
        text: what was found.
        words: the words of the query.
        stem: gives the form in which words are compared.
        open_end: a last word that may be the beginning of a longer one.
    """
    stems = {stem(word) for word in words}
    runs = [word for word in words if _RUN.fullmatch(word)]
    beginning = open_end.casefold() if open_end else None
    spans: list[tuple[int, int]] = []
    for match in _TOKEN.finditer(text):
        token = match.group()
        if token[0] >= _FIRST_RUN and _RUN.match(token):
            spans.extend(_inside(token, match.start(), runs))
        elif stem(token) in stems or (beginning and token.casefold().startswith(beginning)):
            spans.append(match.span())
    if not spans:
        return cut(text, LENGTH)
    return _marked(text, spans)


def _inside(token: str, offset: int, runs: Collection[str]) -> list[tuple[int, int]]:
    found = []
    for run in runs:
        at = token.find(run)
        if at >= 0:
            found.append((offset + at, offset + at + len(run)))
    return found


def _marked(text: str, spans: list[tuple[int, int]]) -> str:
    start = max(0, spans[0][0] - LENGTH // 4)
    if start:
        blank = text.find(" ", start, spans[0][0])
        start = blank + 1 if blank >= 0 else start
    end = min(len(text), start + LENGTH)
    parts = ["…"] if start else []
    here = start
    for first, last in sorted(set(spans)):
        if first < here or last > end:
            continue
        parts += [text[here:first], MARK, text[first:last], MARK]
        here = last
    parts.append(text[here:end])
    if end < len(text):
        parts.append("…")
    return "".join(parts)
