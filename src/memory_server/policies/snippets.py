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


def snippets_for(
    words: Collection[str], stem: Callable[[str], str], *, open_end: str | None = None
) -> Callable[[str], str]:
    """A function from a found text to at most some 200 characters around its first hit, each hit between `**`.

    Args:
        words: the words of the query.
        stem: gives the form in which words are compared.
        open_end: a last word that may be the beginning of a longer one.
    """
    stems = {stem(word) for word in words}
    runs = [word for word in words if _RUN.fullmatch(word)]
    beginning = open_end.casefold() if open_end else None
    # a stem begins as its word does: most words of a text need not be looked at any further
    initials = {form[0] for form in (*stems, beginning) if form}

    def is_hit(token: str) -> bool:
        first = token[0]
        if first.isascii() and first.lower() not in initials:
            return False
        return stem(token) in stems or (beginning is not None and token.casefold().startswith(beginning))

    def snippet(text: str) -> str:
        spans: list[tuple[int, int]] = []
        for match in _TOKEN.finditer(text):
            token = match.group()
            if token[0] >= _FIRST_RUN and _RUN.match(token):
                spans.extend(_inside(token, match.start(), runs))
            elif is_hit(token):
                spans.append(match.span())
        return _marked(text, spans) if spans else cut(text, LENGTH)

    return snippet


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
