"""A short piece of a text with the words that were looked for marked."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator

from memory_server.policies.text import NO_BREAKS, cut

LENGTH = 200
MARK = "**"
_SHARED = 2  # letters at its beginning that every inflection of a word has
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
    # a stem begins as its word does, so most words of a text need not be looked at
    starts = {form[:_SHARED].lower() for form in (*words, beginning) if form}

    def snippet(text: str) -> str:
        spans: list[tuple[int, int]] = []
        for start, end in _tokens_starting(text, starts) if text.isascii() else _tokens(text):
            token = text[start:end]
            if token[0] >= _FIRST_RUN and _RUN.match(token):
                spans.extend(_inside(token, start, runs))
            elif stem(token) in stems or (beginning is not None and token.casefold().startswith(beginning)):
                spans.append((start, end))
        return _marked(text, spans) if spans else cut(text, LENGTH)

    return snippet


def _tokens(text: str) -> Iterator[tuple[int, int]]:
    for match in _TOKEN.finditer(text):
        yield match.span()


def _tokens_starting(text: str, starts: Collection[str]) -> Iterator[tuple[int, int]]:
    """The words of an ASCII text that begin in one of these ways, wherever they stand."""
    lowered = text.lower()
    for start in starts:
        at = lowered.find(start)
        while at >= 0:
            if at == 0 or not lowered[at - 1].isalnum():
                end = at + 1
                while end < len(lowered) and lowered[end].isalnum():
                    end += 1
                yield at, end
            at = lowered.find(start, at + 1)


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
