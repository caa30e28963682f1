"""A proposition read into subject, verb and complement, so that two of them can be laid side by side."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

from memory_server.policies.propositions.contexts import Context
from memory_server.policies.quantities import Quantity

Item = str | Quantity

MAX_CHARS = 4096
_EDGE = " \t\r\n,;:!?()[]{}\"“”„«»‹›…*`'‘’"
_PLAIN_EDGE = _EDGE + "."
_CONTRACTED = {
    "can't": ("can", "not"),
    "cannot": ("can", "not"),
    "cant": ("can", "not"),
    "won't": ("will", "not"),
    "wont": ("will", "not"),
    "shan't": ("shall", "not"),
    "ain't": ("is", "not"),
    "dont": ("do", "not"),
    "doesnt": ("does", "not"),
    "didnt": ("did", "not"),
    "isnt": ("is", "not"),
    "arent": ("are", "not"),
    "wasnt": ("was", "not"),
    "werent": ("were", "not"),
    "hasnt": ("has", "not"),
    "havent": ("have", "not"),
    "shouldnt": ("should", "not"),
    "couldnt": ("could", "not"),
    "wouldnt": ("would", "not"),
    "it's": ("it", "is"),
    "that's": ("that", "is"),
    "he's": ("he", "is"),
    "she's": ("she", "is"),
    "there's": ("there", "is"),
}
_ENDINGS = (("n't", "not"), ("'re", "are"), ("'ve", "have"), ("'ll", "will"), ("'m", "am"), ("'d", "would"))
_SENTENCE_BREAK = re.compile(r"[.!?]\s+[A-Z\u0400-\u042f]")


@dataclass(frozen=True, slots=True)
class Frame:
    """One way of seeing what is said: of `subject`, `verb` and `rest` hold in a share of cases.

    `share` is a set of bits NONE, FEW, MANY, ALL; `explicit` says that a word like "all" or "never" named it.
    `exclusive` says that there is one value at a time; `plural` that the complement is about many things.
    """

    subject: tuple[str, ...]
    verb: str
    rest: tuple[Item, ...]
    share: int
    explicit: bool
    modal: str
    past: bool
    exclusive: str
    plural: bool
    names: frozenset[str]


@dataclass(frozen=True, slots=True)
class Comparison:
    """`left` stands to `right` on `axis` in one of the ways `<`, `=`, `>` (bits 1, 2, 4); sides are in order."""

    left: tuple[str, ...]
    right: tuple[str, ...]
    axis: str
    ways: int
    past: bool


@dataclass(frozen=True, slots=True)
class Proposition:
    """A proposition that was read once and can be related many times."""

    text: str
    frames: tuple[Frame, ...]
    comparisons: tuple[Comparison, ...]
    contexts: frozenset[Context]
    hedged: bool
    bag: frozenset[str]
    keys: frozenset[str]
    own_key: str


@dataclass(frozen=True, slots=True)
class Words:
    """The words of a sentence, case folded, contractions opened, commas kept as words of their own."""

    listed: tuple[str, ...]
    names: frozenset[str]
    question: bool
    several: bool


@lru_cache(maxsize=8192)
def _opened(word: str) -> tuple[str, ...]:
    """A case-folded word with its contraction opened and its possessive ending dropped."""
    if "'" not in word:
        return _CONTRACTED.get(word, (word,))
    if word in _CONTRACTED:
        return _CONTRACTED[word]
    for ending, opened in _ENDINGS:
        if word.endswith(ending) and len(word) > len(ending):
            return word[: -len(ending)], opened
    return (word[:-2],) if word.endswith("'s") and len(word) > 2 else (word.rstrip("'") or word,)


def split_words(text: str) -> Words:
    """The words of a text of any kind; at most the first 4,096 characters are looked at."""
    composed = unicodedata.normalize("NFKC", text[:MAX_CHARS]).replace("’", "'").strip()
    listed: list[str] = []
    names: set[str] = set()
    for chunk in composed.split():
        core = chunk.lstrip(_EDGE).rstrip(_PLAIN_EDGE)
        if chunk[0] in ",;(" and listed:
            listed.append(",")
        if core:
            folded = core.casefold()
            listed.extend(_opened(folded))
            if core[0].isupper():
                names.add(folded.removesuffix("'s"))
        if chunk[-1] in ",;:)" and listed and listed[-1] != ",":
            listed.append(",")
    if listed and listed[-1] == ",":
        listed.pop()
    return Words(
        tuple(listed), frozenset(names), composed.endswith("?"), bool(_SENTENCE_BREAK.search(composed))
    )
