"""Cuts a long text into parts that one call can take, where a reader would pause."""

from __future__ import annotations

from collections.abc import Iterator

_PAUSES = ("\n\n", "\n", ". ", " ")


def pieces(text: str, length: int) -> Iterator[tuple[int, str]]:
    """The text in parts of at most `length` characters, each with where it begins; nothing is lost between them.

    Cut at the last paragraph in the second half of a part, else at the last line, sentence or word.
    """
    start = 0
    while start < len(text):
        end = min(len(text), start + length)
        if end < len(text):
            cuts = ((text.rfind(pause, start + length // 2, end), pause) for pause in _PAUSES)
            end = next((cut + len(pause) for cut, pause in cuts if cut >= 0), end)
        yield start, text[start:end]
        start = end
