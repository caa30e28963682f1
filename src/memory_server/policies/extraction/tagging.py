"""Guesses the part of speech of each token from closed classes, verb shapes, endings and neighbours."""

from __future__ import annotations

from .lexicon import (
    ADJECTIVE_ENDINGS,
    INTERJECTIONS,
    NOUNS_IN_ED,
    NOUNS_IN_ING,
    NOUNS_IN_LY,
    NOUNS_LIKE_ADJECTIVES,
    PUNCTUATION_TAGS,
    TAGS,
)
from .settling import SETTLERS
from .tag_sets import BREAKS, FINITE, NOMINAL, OBJECT_STARTS
from .tokens import Token
from .verb_tags import verb_or_noun
from .verbs import BASE, FORMS, NOUNISH, PAST, THIRD

_OPENERS = frozenset(("SU", "WH", "-"))
_NEVER_SUBJECTS = frozenset(("oh", "wow", "btw", "fyi", "lol", "yeah", "nah", "yep", "nope", "anyway"))
_ACRONYMS = frozenset(("am", "it", "us", "who"))


def tag(tokens: list[Token]) -> list[str]:
    """One tag for each token."""
    tags = [_first_guess(token, index) for index, token in enumerate(tokens)]
    _tag_opening(tokens, tags)
    _settle(tokens, tags)
    return tags


def _first_guess(token: Token, index: int) -> str:
    low = token.low
    known = TAGS.get(low)
    if low in _ACRONYMS and token.text.isupper():
        return "NP"
    capital = token.text[0].isupper()
    if (known and not (capital and index and known in ("JJ", "RB", "CD", "SU", "MD"))) or low == "i":
        return known or "PR"
    if token.text[0] == "`" and len(token.text) > 2:
        return "NP"  # code stands for a name
    if low == "-":
        return "HY"
    if low in PUNCTUATION_TAGS or token.text in PUNCTUATION_TAGS:
        return PUNCTUATION_TAGS.get(low) or PUNCTUATION_TAGS[token.text]
    if low[0].isdigit() or low[0] in "$€£#%+~" or (low[0] in ".-" and low[1:2].isdigit()):
        return "CD"
    if not low[0].isalpha():
        return "NN"
    if capital and index:
        return "NP"
    return _by_shape(low, capital)


def _by_shape(low: str, capital: bool) -> str:
    shape = FORMS.get(low)
    if shape:
        return "V?"
    if low.endswith("ly") and low not in NOUNS_IN_LY and len(low) > 4:
        return "RB"
    if low.endswith("ing") and low not in NOUNS_IN_ING and len(low) > 5:
        return "VG"
    if capital:
        return "NP"
    if low.startswith("re") and len(low) > 5 and low[2:] in FORMS:
        return "V?"
    if low.endswith(("ment", "tion", "ness", "ity")):
        return "NN"
    if low.endswith("ed") and low not in NOUNS_IN_ED and len(low) > 4:
        return "JJ" if "-" in low else "V?"
    if low.endswith(ADJECTIVE_ENDINGS) and low not in NOUNS_LIKE_ADJECTIVES:
        return "JJ"
    return "NN"


def _tag_opening(tokens: list[Token], tags: list[str]) -> None:
    """Calls out what stands before the sentence proper, so that no subject is seen in it."""
    if (
        len(tokens) > 2
        and tokens[0].low in INTERJECTIONS
        and (tags[1] == "," or tokens[0].low in _NEVER_SUBJECTS)
    ):
        tags[0] = "RB"


def _settle(tokens: list[Token], tags: list[str]) -> None:
    """Second pass, left to right: verbs or nouns, past or participle, and words of two classes."""
    finite_seen = 0  # 2: this clause has its verb; 1: the clause before a bare conjunction had one
    for i, guess in enumerate(tags):
        if guess in BREAKS:
            finite_seen = 1 if guess == "CC" and finite_seen and tags[i - 1] != "," else 0
        if guess == "V?":
            tags[i] = verb_or_noun(tokens, tags, i, finite_seen)
        elif guess in SETTLERS:
            tags[i] = SETTLERS[guess](tokens, tags, i)
            if tags[i] in _OPENERS:
                finite_seen = 0
        if tags[i] in FINITE:
            finite_seen = 2
    if FINITE.isdisjoint(tags) and tags[-1:] != [":"]:
        _rescue(tokens, tags)


def _rescue(tokens: list[Token], tags: list[str]) -> None:
    """A sentence without a finite verb: the likeliest verb form that was taken for a noun becomes one."""
    fallback = -1
    for i in range(1, len(tokens) - 1):
        low = tokens[i].low
        shape = FORMS.get(low, PAST if low.endswith("ed") and tags[i] in ("VN", "JJ") else 0)
        if (
            tags[i] not in ("NN", "JJ", "VN")
            or not shape & (THIRD | BASE | PAST)
            or tags[i - 1] in ("IN", "HY", "PP", "PO")
        ):
            continue
        if tags[i + 1] not in OBJECT_STARTS or not any(
            here in NOMINAL or here in ("DT", "PR") for here in tags[:i]
        ):
            continue
        if (shape & PAST and not shape & BASE) or (low not in NOUNISH and shape & (THIRD | PAST)):
            tags[i] = "VD" if shape & PAST else "VZ"
            return
        if fallback < 0 and tags[i - 1] != "DT" and (shape & THIRD or tokens[i - 1].low.endswith("s")):
            fallback = i
    if fallback > 0:
        tags[fallback] = "VZ" if FORMS.get(tokens[fallback].low, 0) & THIRD else "VB"
