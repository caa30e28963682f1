"""Words of two classes settled by their neighbours: that, so, like, as, may, possessive or verb, hyphen or dash."""

from __future__ import annotations

from .lexicon import NEGATIONS, SUBJECT_PRONOUNS
from .tag_sets import BREAKS, DETERMINING, FINITE, NOMINAL
from .tokens import Token
from .verb_contexts import is_named_gerund
from .verb_tags import auxiliary_before, motion_before
from .verbs import BASE, FORMS, NOUNISH, PAST, THIRD


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
    if i and tags[i - 1] in DETERMINING and i + 1 < len(tags) and tags[i + 1] in ("IN", ",", ".", "NN"):
        return "NN"
    return "NP" if is_named_gerund(tokens, tags, i) else "VG"


def _settle_auxiliary(tokens: list[Token], tags: list[str], i: int) -> str:
    return "NN" if i and tokens[i].low == "am" and tags[i - 1] == "CD" else "AX"


def _settle_modal(tokens: list[Token], tags: list[str], i: int) -> str:
    return "NP" if tokens[i].low == "may" and _after(tags, i) == "CD" else "MD"


def _settle_noun(tokens: list[Token], tags: list[str], i: int) -> str:
    return "VB" if i and _bare_verb_slot(tokens, tags, i) else tags[i]


def _after(tags: list[str], i: int) -> str:
    return tags[i + 1] if i + 1 < len(tags) else "."


SETTLERS = {
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
    if governed == "do" and tags[i - 1] == "RB" and tokens[i - 1].low in NEGATIONS and tags[i] == "NN":
        return tokens[i].text.islower()
    if governed == "do" and tags[i] == "JJ":
        return bool(FORMS.get(tokens[i].low, 0) & BASE) and tags[i - 1] in ("AX", "RB")
    if governed == "modal":
        return not tokens[i].low.endswith(("ed", "ing")) and tags[i - 1] in ("MD", "RB")
    after = tags[i + 1] if i + 1 < len(tokens) else "."
    return governed == "to" and after in ("DT", "PP", "PR") and not motion_before(tokens, i)


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
