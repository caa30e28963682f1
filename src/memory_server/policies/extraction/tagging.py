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
    SUBJECT_PRONOUNS,
    TAGS,
)
from .tag_sets import BREAKS, DETERMINING, FINITE, NOMINAL, OBJECT_STARTS
from .tokens import Token
from .verb_tags import auxiliary_before, motion_before, verb_or_noun
from .verbs import BASE, FORMS, NOUNISH, PAST, THIRD

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
        and (tags[1] == "," or tokens[0].low in ("oh", "wow"))
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
        elif guess in _UNSETTLED:
            tags[i] = _SETTLERS[guess](tokens, tags, i)
            if tags[i] in _OPENERS:
                finite_seen = 0
        if tags[i] in FINITE:
            finite_seen = 2
    if FINITE.isdisjoint(tags):
        _rescue(tokens, tags)


def _settle_that(tokens: list[Token], tags: list[str], i: int) -> str:
    return "DT" if _is_determiner(tokens, tags, i) else "TH"


def _settle_possessive(tokens: list[Token], tags: list[str], i: int) -> str:
    return "AX" if _is_contraction(tokens, tags, i) else "PO"


def _settle_determiner(tokens: list[Token], tags: list[str], i: int) -> str:
    low, after = tokens[i].low, _after(tags, i)
    if low in ("what", "whatever") and after in ("PR", "AX", "MD", "NP", "DT", "V?"):
        return "WH"
    if (
        low in ("both", "all", "each")
        and i
        and tags[i - 1] in ("NN", "NP", "PR")
        and after in ("V?", "AX", "MD")
    ):
        return "RB"
    return "RB" if low == "no" and i + 1 < len(tokens) and tokens[i + 1].low == "longer" else "DT"


def _settle_preposition(tokens: list[Token], tags: list[str], i: int) -> str:
    low = tokens[i].low
    if low == "like":
        return "VB" if _is_verb_like(tokens, tags, i) else "IN"
    if low in ("since", "until", "till", "before", "after", "as") and _starts_clause(tokens, tags, i):
        return "SU"
    return "IN"


def _settle_adverb(tokens: list[Token], tags: list[str], i: int) -> str:
    return "SU" if i and tokens[i].low == "so" and _after(tags, i) in ("PR", "TH") else "RB"


def _settle_hyphen(tokens: list[Token], tags: list[str], i: int) -> str:
    dash = i == 0 or _after(tags, i) in ("DT", "PR", "IN", "CC", ".") or tags[i - 1] in BREAKS
    return "-" if dash else "HY"


def _settle_gerund(tokens: list[Token], tags: list[str], i: int) -> str:
    named = i and tags[i - 1] in DETERMINING and i + 1 < len(tags) and tags[i + 1] in ("IN", ",", ".", "NN")
    return "NN" if named else "VG"


def _settle_auxiliary(tokens: list[Token], tags: list[str], i: int) -> str:
    return "NN" if i and tokens[i].low == "am" and tags[i - 1] == "CD" else "AX"


def _settle_modal(tokens: list[Token], tags: list[str], i: int) -> str:
    return "NP" if tokens[i].low == "may" and _after(tags, i) == "CD" else "MD"


def _settle_noun(tokens: list[Token], tags: list[str], i: int) -> str:
    return "VB" if i and _bare_verb_slot(tokens, tags, i) else tags[i]


def _after(tags: list[str], i: int) -> str:
    return tags[i + 1] if i + 1 < len(tags) else "."


_SETTLERS = {
    "TH": _settle_that,
    "PO": _settle_possessive,
    "DT": _settle_determiner,
    "IN": _settle_preposition,
    "RB": _settle_adverb,
    "HY": _settle_hyphen,
    "VG": _settle_gerund,
    "AX": _settle_auxiliary,
    "MD": _settle_modal,
    "NN": _settle_noun,
    "JJ": _settle_noun,
}
_UNSETTLED = frozenset(_SETTLERS)
_OPENERS = frozenset(("SU", "WH", "-"))


def _is_verb_like(tokens: list[Token], tags: list[str], i: int) -> bool:
    """'I like', "don't like", 'would like' against 'looks like'."""
    if auxiliary_before(tokens, tags, i) in ("do", "modal", "to"):
        return True
    before = i - 1
    while before > 0 and tags[before] == "RB":
        before -= 1
    return (
        before >= 0
        and tokens[before].low in ("i", "you", "we", "they", "who")
        and tags[before] in ("PR", "WH")
    )


def _bare_verb_slot(tokens: list[Token], tags: list[str], i: int) -> bool:
    """Where only a base form can stand: 'would probably X', "don't X", 'to X the …'."""
    if tokens[i].low not in FORMS and not tokens[i].text.islower():
        return False
    governed = auxiliary_before(tokens, tags, i)
    if governed == "modal":
        return not tokens[i].low.endswith(("ed", "ing")) and tags[i - 1] in ("MD", "RB")
    after = tags[i + 1] if i + 1 < len(tokens) else "."
    return governed == "to" and after in ("DT", "PP", "PR") and not motion_before(tokens, i)


def _rescue(tokens: list[Token], tags: list[str]) -> None:
    """A sentence without a finite verb: the likeliest verb form that was taken for a noun becomes one."""
    fallback = -1
    for i in range(1, len(tokens) - 1):
        low = tokens[i].low
        shape = FORMS.get(low, PAST if low.endswith("ed") and tags[i] in ("VN", "JJ") else 0)
        if (
            tags[i] not in ("NN", "JJ", "VN")
            or not shape & (THIRD | BASE | PAST)
            or tags[i - 1] in ("IN", "HY", "PP")
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


def _is_determiner(tokens: list[Token], tags: list[str], i: int) -> bool:
    if i + 1 >= len(tokens):
        return True
    after = tags[i + 1]
    if i == 0 or tags[i - 1] in ("IN", "CC", ";", "TO", ":") or (i == 1 and tags[0] == "Q"):
        return True
    if after in ("AX", "MD", "VZ", "VD") and tags[i - 1] not in NOMINAL:
        return True
    return tags[i - 1] in ("AX",) and after in ("NN", ".", ",")


def _is_contraction(tokens: list[Token], tags: list[str], i: int) -> bool:
    if tokens[i].low not in ("'s", "’s") or i == 0:
        return False
    if tags[i - 1] == "PR" and tokens[i - 1].low not in SUBJECT_PRONOUNS:
        return i + 1 < len(tokens) and tags[i + 1] in ("DT", "VG", "AX", "RB")
    if tags[i - 1] in ("PR", "EX", "WH", "TH") or tokens[i - 1].low in ("that", "here", "what"):
        return True
    if i + 1 >= len(tokens):
        return False
    return tags[i + 1] in ("DT", "PP") or tokens[i + 1].low in (
        "not",
        "been",
        "very",
        "so",
        "also",
        "now",
        "always",
    )


def _starts_clause(tokens: list[Token], tags: list[str], i: int) -> bool:
    """Whether a finite verb with a subject of its own comes before the next break."""
    subject = False
    for j in range(i + 1, min(i + 9, len(tokens))):
        here = tags[j]
        if here in FINITE or (
            here == "V?"
            and subject
            and FORMS.get(tokens[j].low, PAST) & (PAST | THIRD)
            and tokens[j].low not in NOUNISH
        ):
            return subject
        if here in BREAKS and here != "CC":
            return False
        if here in ("NN", "NP", "PR", "EX", "CD"):
            subject = True
    return False
