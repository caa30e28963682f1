"""Words of a sentence with their offsets; URLs, versions, paths, numbers and code stay whole."""

from __future__ import annotations

import re
from typing import NamedTuple

from .lexicon import words

_CHUNK = re.compile(r"\S+")
_OPENERS = "([{\"“”„«»‘'`<*_"
_CLOSERS = ")]}\"”“»’'`>*,.;:!?…_"
_EMPHASIS = ("*", "_")
_INNER_BREAK = re.compile(r"—|–(?=\D)|\.{3}|…|;(?=\w)")
_CODE = re.compile(r"(?<![`\w])`(?![`\s])[^`\n]{1,200}`(?!`)")
_QUOTES = ("``", "''")
_KEPT_ABBREVIATIONS = words(
    """
    mr mrs ms dr prof st jr sr inc ltd co corp vs etc e.g i.e no gen col lt sgt capt rev hon gov sen rep
    messrs u.s u.k u.n d.c a.m p.m ph.d approx dept est fig vol pp bros op cf al
    """
)
_ENDINGS = ("'s", "’s", "'re", "’re", "'ve", "’ve", "'ll", "’ll", "'m", "’m", "'d", "’d")


class Token(NamedTuple):
    """One word or mark: its text, lower-case text and place."""

    text: str
    low: str
    start: int
    end: int


def tokenize(text: str, start: int = 0, end: int | None = None) -> list[Token]:
    """The tokens of text[start:end]; offsets are into `text`. Linear in its length."""
    stop = len(text) if end is None else end
    out: list[Token] = []
    if "`" not in text[start:stop]:
        _plain(text, start, stop, out)
        return out
    position = start
    for match in _CODE.finditer(text, start, stop):
        _plain(text, position, match.start(), out)
        out.append(Token(match.group(), match.group().lower(), match.start(), match.end()))
        position = match.end()
    _plain(text, position, stop, out)
    return out


def _plain(text: str, start: int, stop: int, out: list[Token]) -> None:
    for match in _CHUNK.finditer(text, start, stop):
        chunk = match.group()
        if chunk.isalnum() and chunk != "cannot":
            out.append(Token(chunk, chunk.lower(), match.start(), match.end()))
        else:
            _split_chunk(text, match.start(), match.end(), out)


def _split_chunk(text: str, start: int, end: int, out: list[Token]) -> None:
    """Peels marks off both ends of a run without spaces; emphasis marks and link targets are dropped."""
    if text[start:end] in _QUOTES:
        out.append(Token(text[start:end], text[start:end], start, end))
        return
    while start < end and text[start] in _OPENERS and not text.startswith(_ENDINGS, start, end):
        if text[start] not in _EMPHASIS:
            out.append(Token(text[start], text[start], start, start + 1))
        start += 1
    link = text.find("](", start, end)
    target = text.find(")", link, end) if link >= 0 else -1
    if start < link < target:
        _inner(text, start, link, out)
        start = target + 1
    tail: list[Token] = []
    while end > start and text[end - 1] in _CLOSERS and not _keeps_end(text, start, end):
        width = 3 if text.endswith("...", start, end) else 1
        mark = text[end - width : end]
        if mark not in _EMPHASIS:
            tail.append(Token(mark, mark, end - width, end))
        end -= width
    _inner(text, start, end, out)
    out.extend(reversed(tail))


def _inner(text: str, start: int, end: int, out: list[Token]) -> None:
    position = start
    if "://" not in text[start:end]:
        for inner in _INNER_BREAK.finditer(text, start, end):
            _word(text, position, inner.start(), out)
            out.append(Token(inner.group(), inner.group(), inner.start(), inner.end()))
            position = inner.end()
    _word(text, position, end, out)


def _keeps_end(text: str, start: int, end: int) -> bool:
    last = text[end - 1]
    if last == ".":
        word = text[start : end - 1].lower()
        return (
            word in _KEPT_ABBREVIATIONS
            or (len(word) == 1 and word.isalpha() and word != "i")
            or (len(word) == 3 and word[1] == "." and word[0].isalpha())
        )
    if last in ")]}":  # brackets that belong to the word: f(x), a[0]
        opener = {")": "(", "]": "[", "}": "{"}[last]
        return text.find(opener, start, end) >= 0 and end - start < 200
    return last == "_" and end - start > 1 and text[end - 2].isalnum() and "_" in text[start : end - 1]


def _word(text: str, start: int, end: int, out: list[Token]) -> None:
    if start >= end:
        return
    word = text[start:end]
    low = word.lower()
    cut = end
    if low.endswith(("n't", "n’t")) and len(low) > 3:
        cut = end - 3
    elif low == "cannot":
        cut = start + 3
    else:
        for ending in _ENDINGS:
            if low.endswith(ending) and len(low) > len(ending):
                cut = end - len(ending)
                break
    if start < cut < end:
        out.append(Token(word[: cut - start], low[: cut - start], start, cut))
        out.append(Token(word[cut - start :], low[cut - start :], cut, end))
    else:
        out.append(Token(word, low, start, end))
