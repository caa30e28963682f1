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
    verb = Verb(i, i + 1, "")
    j, last_verb, main = i, i, ""
    count = len(tokens)
    be_before = False
    while j < count:
        here, low = tags[j], tokens[j].low
        if here in ("AX", "MD"):
            if main:
                break
            be_before = low in BE
            if here == "MD":
                verb.modal = low
            last_verb = j
        elif here == "RB":
            if low == "not" and j + 1 < count and tokens[j + 1].low == "only":
                break
            if low in NEGATIONS:
                verb.negated = True
                last_verb = max(last_verb, j)
        elif here in ("VB", "VZ", "VD", "VN", "VG"):
            if (
                main
                and not (here == "VB" and tags[j - 1] == "TO")
                and not (here == "VG" and j == last_verb + 1 and _chains(main))
            ):
                break
            if j > i and not main and here in ("VZ", "VD") and tags[j - 1] != "RB":
                break
            if here == "VN" and be_before:
                verb.passive = True
            elif main:
                verb.passive = False
            main, last_verb = low, j
        elif (
            here == "TO"
            and j == last_verb + 1
            and j + 1 < count
            and tags[j + 1] in ("VB", "AX")
            and (main or tokens[last_verb].low in HAVE)
        ):
            if tags[j + 1] == "AX":
                main, be_before = "", tokens[j + 1].low in BE
            last_verb = j
        else:
            break
        j += 1
    verb.end = last_verb + 1
    verb.head = lemma(main or tokens[last_verb].low if not be_before or main else "be")
    verb.copular = not main and be_before
    return verb


def _chains(word: str) -> bool:
    return lemma(word) in _CHAINING
