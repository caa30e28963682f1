"""Wordings that are sought in a sentence only where one of their cue words occurs, which keeps reading fast."""

from __future__ import annotations

import re
from typing import NamedTuple

from .lexicon import words


class Wording(NamedTuple):
    """A pattern, the words one of which must be in the sentence, and how outright it says what it says."""

    cues: frozenset[str]
    pattern: re.Pattern[str]
    weight: float = 1.0


def wording(cues: str, *parts: str, weight: float = 1.0, case: bool = False) -> Wording:
    """A wording from its cue words and the parts of its pattern; `case` tells capitals from small letters."""
    flags = re.DOTALL if case else re.DOTALL | re.IGNORECASE
    return Wording(words(cues), re.compile("".join(parts), flags), weight)


_NEXT_CLAUSE = re.compile(
    r"[,;]?\s(?:and|but|so(?! that))\s(?:i|we|he|she|they|it|this|that|am|i'm|we're|it's)\b|[,;]\s(?:which|who|where|"
    r"while|but)\s|\s[—–]\s|;\s",
    re.IGNORECASE,
)


def until_next_clause(text: str) -> str:
    """What comes before another thought is joined on: '…, and I am glad', '…, which helps'."""
    found = _NEXT_CLAUSE.search(text)
    return text[: found.start()] if found else text


def seek(sought: Wording, vocabulary: frozenset[str], body: str) -> re.Match[str] | None:
    """Where a wording stands in `body`, whose words are `vocabulary`."""
    return None if sought.cues.isdisjoint(vocabulary) else sought.pattern.search(body)
