"""Which names a text holds, whatever stands between their words: "the billing API" names `billing-api`."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from functools import lru_cache

from memory_server.policies.stopwords import STOP_WORDS
from memory_server.policies.text import NO_BREAKS, normal

NAMED_WORTH = 0.2
"""What naming it is worth to a hit, as cosine: of several that are about as near, what is named is meant."""

_WORD = re.compile(r"[^\W_]+")
_UNBROKEN = re.compile(f"[{NO_BREAKS}]")

_Span = tuple[int, int]


def named_in(text: str, names: Collection[str]) -> set[str]:
    """The names that stand in a text as whole words in their order; of names within names, the longest.

    Signs and case do not matter. A name of stop words alone is none; one in a script without blanks between words may
    stand anywhere.
    """
    compared = _spread(text)
    # most names are longer than the text: objects may be whole sentences
    places = {name: list(_places(compared, name)) for name in names if len(name) <= 2 * len(text)}
    spans = {span for found in places.values() for span in found}
    return {name for name, found in places.items() if any(not _inside(span, spans) for span in found)}


def _places(compared: str, name: str) -> Iterator[_Span]:
    wanted = _spread(name)
    if not wanted.strip() or STOP_WORDS.issuperset(wanted.split()):
        return
    if _UNBROKEN.search(wanted):
        wanted = wanted.strip()
    at = compared.find(wanted)
    while at >= 0:
        yield at, at + len(wanted)
        at = compared.find(wanted, at + 1)


@lru_cache(maxsize=8192)
def _spread(text: str) -> str:
    """The words of a text with one blank before and behind each."""
    return f" {' '.join(_WORD.findall(normal(text)))} "


def _inside(span: _Span, spans: Collection[_Span]) -> bool:
    return any(start <= span[0] and span[1] <= end and (start, end) != span for start, end in spans)
