"""Verb groups of a tagged sentence: the spine that clauses hang on."""

from __future__ import annotations

from dataclasses import dataclass

from .lexicon import BE, HAVE, MODALS, NEGATIONS, words
from .tag_sets import FINITE
from .tokens import Token
from .verbs import lemma

# verbs that a gerund may follow as part of the same doing: 'started using'
_CHAINING = words(
    """
    begin start stop keep continue avoid finish like love hate prefer enjoy go recommend suggest
    """
)


_MAIN = frozenset(("VB", "VZ", "VD", "VN", "VG"))


@dataclass(slots=True)
class Verb:
    """A verb group: auxiliaries, adverbs, main verb and the verbs chained to it."""

    start: int
    end: int
    head: str
    passive: bool = False
    copular: bool = False
    negated: bool = False
    modal: str = ""


def verb_groups(tokens: list[Token], tags: list[str]) -> list[Verb]:
    """The finite verb groups of a sentence, left to right."""
    out: list[Verb] = []
    i, count = 0, len(tokens)
    while i < count:
        if (
            tags[i] in FINITE
            and not (i and tags[i - 1] == "TO")
            and not (tokens[i].low == "having" or tokens[i].low == "being")
        ):
            verb = _verb_group(tokens, tags, i)
            while verb.start and tags[verb.start - 1] == "RB" and verb.start > (out[-1].end if out else 0):
                verb.start -= 1
                if tokens[verb.start].low in NEGATIONS:
                    verb.negated = True
            if verb.head not in MODALS:
                out.append(verb)
            i = verb.end
        else:
            i += 1
    return out


def _verb_group(tokens: list[Token], tags: list[str], i: int) -> Verb:
    """The group that begins at i: auxiliaries, then the main verb, then infinitives chained to it."""
    verb = Verb(i, i + 1, "")
    last, main = i, ""
    be_before = False
    for j in range(i, len(tokens)):
        here, low = tags[j], tokens[j].low
        if here == "RB" and not (low == "not" and j + 1 < len(tokens) and tokens[j + 1].low == "only"):
            if low in NEGATIONS:
                verb.negated, last = True, j
        elif here in ("AX", "MD") and not main:
            be_before, last = low in BE, j
            verb.modal = low if here == "MD" else verb.modal
        elif here in _MAIN and _may_follow(tags, j, i, last, main):
            verb.passive = (here == "VN" and be_before and not main) or (verb.passive and not main)
            main, last = low, j
        elif (
            here == "TO"
            and j == last + 1
            and _after(tags, j) in ("VB", "AX")
            and (main or tokens[last].low in HAVE)
        ):
            if tags[j + 1] == "AX":
                main, be_before = "", tokens[j + 1].low in BE
            last = j
        else:
            break
    verb.end = last + 1
    verb.copular = not main and be_before
    verb.head = "be" if verb.copular else lemma(main or tokens[last].low)
    return verb


def _may_follow(tags: list[str], j: int, start: int, last: int, main: str) -> bool:
    """Whether the verb at j belongs to the group: the first main verb, an infinitive or a chained gerund."""
    if main:
        return (tags[j] == "VB" and tags[j - 1] == "TO") or (
            tags[j] == "VG" and j == last + 1 and _chains(main)
        )
    return j == start or tags[j] not in ("VZ", "VD") or tags[j - 1] == "RB"


def _after(tags: list[str], j: int) -> str:
    return tags[j + 1] if j + 1 < len(tags) else "."


def _chains(word: str) -> bool:
    return lemma(word) in _CHAINING
