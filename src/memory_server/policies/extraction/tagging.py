"""Guesses the part of speech of each token from closed classes, verb shapes, endings and neighbours.

Tags: DT determiner, PP possessive, PR pronoun, EX there, NN noun, NP name, CD number, JJ adjective, RB adverb,
IN preposition, TO, MD modal, AX be/have/do, VB base, VZ third person, VD past, VN participle, VG gerund, VI bare infinitive, CC, SU
subordinator, WH, TH that, PO possessive mark, and the marks , ; : . - ( ) Q.
"""

from __future__ import annotations

from .lexicon import (
    ADJECTIVE_ENDINGS,
    BE,
    HAVE,
    INTERJECTIONS,
    NOUNS_IN_ED,
    NOUNS_IN_ING,
    NOUNS_IN_LY,
    OBJECT_PRONOUNS,
    PUNCTUATION_TAGS,
    SUBJECT_PRONOUNS,
    TAGS,
    TIMES,
)
from .tokens import Token
from .verbs import BASE, FORMS, GERUND, NOUNISH, PARTICIPLE, PAST, THIRD

_ACRONYMS = frozenset(("am", "it", "us", "who"))
NOMINAL = frozenset(("NN", "NP", "CD", "JJ"))
_DETERMINING = frozenset(("DT", "PP", "PO", "JJ", "CD", "HY"))
_OBJECT_STARTS = frozenset(("DT", "PP", "PR", "CD", "NP", "IN", "TO", "RB", "TH", "JJ", "WH"))
_BREAKS = frozenset((",", ";", ":", ".", "-", "(", ")", "SU", "WH", "TH", "CC"))
FINITE = frozenset(("AX", "MD", "VB", "VZ", "VD"))


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
    if low.endswith(ADJECTIVE_ENDINGS):
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
    """Second pass, left to right: verbs or nouns, past or participle, 's as verb or possessive."""
    finite_seen = 0  # 2: this clause has its verb; 1: the clause before a bare conjunction had one
    count = len(tokens)
    for i in range(count):
        guess = tags[i]
        low = tokens[i].low
        if guess in _BREAKS:
            finite_seen = 1 if guess == "CC" and finite_seen and tags[i - 1] != "," else 0
            if guess == "TH" and _is_determiner(tokens, tags, i):
                tags[i] = "DT"
        elif guess == "PO":
            if _is_contraction(tokens, tags, i):
                tags[i] = "AX"
                finite_seen = 2
        elif guess == "V?":
            tags[i] = _verb_or_noun(tokens, tags, i, finite_seen)
        elif (
            guess == "RB"
            and low == "so"
            and i
            and i + 1 < count
            and tags[i + 1] in ("PR", "TH")
            and tags[i + 1] != "IN"
        ):
            tags[i] = "SU"
            finite_seen = 0
        elif (
            guess == "DT"
            and low in ("what", "whatever")
            and i + 1 < count
            and tags[i + 1] in ("PR", "AX", "MD", "NP", "DT", "V?")
        ):
            tags[i] = "WH"
            finite_seen = 0
        elif guess == "IN" and low == "like" and _is_verb_like(tokens, tags, i):
            tags[i] = "VB"
        elif guess == "DT" and low == "no" and i + 1 < count and tokens[i + 1].low == "longer":
            tags[i] = "RB"
        elif guess == "HY":
            if i == 0 or i + 1 == count or tags[i + 1] in ("DT", "PR", "IN", "CC") or tags[i - 1] in _BREAKS:
                tags[i] = "-"
                finite_seen = 0
        elif guess == "VG":
            if i and tags[i - 1] in _DETERMINING and i + 1 < count and tags[i + 1] in ("IN", ",", ".", "NN"):
                tags[i] = "NN"
        elif (
            guess == "IN"
            and low in ("since", "until", "till", "before", "after", "as")
            and _starts_clause(tokens, tags, i)
        ):
            tags[i] = "SU"
            finite_seen = 0
        elif guess == "MD" and low == "may" and i + 1 < count and tags[i + 1] == "CD":
            tags[i] = "NP"
        elif guess in ("NN", "JJ") and i and _bare_verb_slot(tokens, tags, i):
            tags[i] = "VB"
        if tags[i] in FINITE:
            finite_seen = 2
    if not any(here in FINITE for here in tags):
        _rescue(tokens, tags)


def _is_verb_like(tokens: list[Token], tags: list[str], i: int) -> bool:
    """'I like', "don't like", 'would like' against 'looks like'."""
    if _auxiliary_before(tokens, tags, i) in ("do", "modal", "to"):
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
    governed = _auxiliary_before(tokens, tags, i)
    if governed == "modal":
        return not tokens[i].low.endswith(("ed", "ing")) and tags[i - 1] in ("MD", "RB")
    after = tags[i + 1] if i + 1 < len(tokens) else "."
    return governed == "to" and after in ("DT", "PP", "PR") and not _motion_before(tokens, i)


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
        if tags[i + 1] not in _OBJECT_STARTS or not any(
            here in NOMINAL or here in ("DT", "PR") for here in tags[:i]
        ):
            continue
        if (shape & PAST and not shape & BASE) or (low not in NOUNISH and shape & (THIRD | PAST)):
            tags[i] = "VD" if shape & PAST else "VZ"
            return
        if fallback < 0 and tags[i - 1] != "DT":
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
        if here in _BREAKS and here != "CC":
            return False
        if here in ("NN", "NP", "PR", "EX", "CD"):
            subject = True
    return False


def _auxiliary_before(tokens: list[Token], tags: list[str], i: int) -> str:
    """The auxiliary that governs position i: 'be', 'have', 'do', 'modal', 'to' or ''."""
    j = i - 1
    steps = 0
    while j >= 0 and steps < 5:
        low, here = tokens[j].low, tags[j]
        if here == "RB":
            j -= 1
            steps += 1
            continue
        if here == "AX":
            return "be" if low in BE else "have" if low in HAVE else "do"
        if here == "MD":
            return "modal"
        if here == "TO":
            return "to"
        return ""
    return ""


def _verb_or_noun(tokens: list[Token], tags: list[str], i: int, finite_seen: int) -> str:
    low = tokens[i].low
    shape = FORMS.get(low, PAST | PARTICIPLE)
    governed = _auxiliary_before(tokens, tags, i)
    before = tags[i - 1] if i else "^"
    after = tags[i + 1] if i + 1 < len(tokens) else "."
    if shape & BASE and _is_infinitive(tokens, tags, i):
        return "VI"
    if governed in ("modal", "do", "to") and shape & BASE:
        if (
            governed == "to"
            and low in NOUNISH
            and after in (".", ",")
            and before == "TO"
            and _motion_before(tokens, i)
        ):
            return "NN"
        return "VB"
    if shape & GERUND:
        return "NN" if before in _DETERMINING and after in ("IN", ".", ",", "NN") else "VG"
    if governed == "have" and shape & (PARTICIPLE | PAST):
        return "VN"
    if governed == "be" and shape & PARTICIPLE:
        return "VN"
    if shape & (PAST | PARTICIPLE) and not (shape & (BASE | THIRD) and low in NOUNISH):
        return _past_or_participle(tokens, tags, i, shape, finite_seen, before, after)
    return _present_or_noun(tokens, tags, i, shape, finite_seen, before, after)


def _is_infinitive(tokens: list[Token], tags: list[str], i: int) -> bool:
    """A bare form behind its own subject: 'help me find', 'can you find'."""
    if i == 0 or tags[i - 1] != "PR":
        return False
    return tokens[i - 1].low in OBJECT_PRONOUNS or (
        i > 1 and tags[i - 2] in ("MD", "AX") and tokens[i - 1].low != "one"
    )


def _motion_before(tokens: list[Token], i: int) -> bool:
    return i >= 2 and tokens[i - 2].low in (
        "go",
        "went",
        "gone",
        "back",
        "due",
        "prior",
        "up",
        "according",
        "access",
    )


def _past_or_participle(
    tokens: list[Token], tags: list[str], i: int, shape: int, finite_seen: int, before: str, after: str
) -> str:
    if before in ("DT", "PP", "PO", "JJ", "HY") or (
        before in ("IN", "CD") and after in ("NN", "JJ", "NP", "V?")
    ):
        return "JJ"
    if not shape & PAST and shape & BASE:
        return _present_or_noun(tokens, tags, i, shape, finite_seen, before, after)
    if not shape & PAST:
        return (
            "VN"
            if not shape & (BASE | THIRD) or before in ("NN", "NP", ",")
            else _present_or_noun(tokens, tags, i, shape, finite_seen, before, after)
        )
    if not shape & PARTICIPLE:
        return "VD"
    low_after = tokens[i + 1].low if i + 1 < len(tokens) else ""
    if before in ("NN", "NP", "CD", ")", "RB", "VN", "Q"):
        if low_after == "by" or (finite_seen and before != "RB"):
            return "VN"
        if after in ("IN", "TO", "RB") and _strong_verb_ahead(tokens, tags, i):
            return "VN"
        return "VD"
    if before in ("PR", "WH", "EX", "TH"):
        return "VD"
    if before == "," and low_after != "by" and _awaits_verb(tags, i):
        return "VD"
    if i == 0 or before in (",", "(", "-"):
        return (
            "VD"
            if before == "," and after in ("DT", "PP", "NP", "PR", "TH") and low_after != "by" and i > 1
            else "VN"
        )
    if before == "CC":
        return "VD" if not _participle_left(tags, i) else "VN"
    return "VD"


def _awaits_verb(tags: list[str], i: int) -> bool:
    """Whether a subject with an aside between commas stands before i and has had no verb yet."""
    commas = 0
    for j in range(i - 1, max(i - 25, -1), -1):
        here = tags[j]
        if here in FINITE or here in (";", ".", "SU", "WH", "TH", ":"):
            return False
        commas += here == ","
    return commas >= 2 and tags[0] in ("DT", "NP", "PP", "PR", "NN", "JJ")


def _participle_left(tags: list[str], i: int) -> bool:
    for j in range(i - 2, max(i - 12, -1), -1):
        if tags[j] in ("VN",):
            return True
        if tags[j] in FINITE or tags[j] in (";", ".", "WH", "SU"):
            return False
    return False


def _strong_verb_ahead(tokens: list[Token], tags: list[str], i: int) -> bool:
    """A finite verb later on, before any mark that would open a clause of its own."""
    for j in range(i + 1, min(i + 25, len(tokens))):
        here = tags[j]
        if here in ("AX", "MD", "VZ", "VD"):
            return True
        if here == "V?":
            shape = FORMS.get(tokens[j].low, PAST | PARTICIPLE)
            if shape & PAST and tags[j - 1] in ("NN", "NP", "CD") and tokens[j].low not in NOUNISH:
                return True
            if shape & THIRD and tokens[j].low not in NOUNISH and tags[j - 1] in ("NN", "NP", "CD"):
                return True
        if here in (",", ";", ".", ":", "-", "SU", "WH", "TH", "CC"):
            return False
        if here == "IN" and tokens[j].low in ("as", "since", "until", "before", "after"):
            return False
    return False


def _present_or_noun(
    tokens: list[Token], tags: list[str], i: int, shape: int, finite_seen: int, before: str, after: str
) -> str:
    low = tokens[i].low
    third = bool(shape & THIRD)
    if before == "DT" and _pronominal(tokens, tags, i, third):
        return "VZ" if third else "VB"
    verb = "VZ" if third else ("VD" if shape & PAST and not shape & BASE else "VB")
    noun = "NN"
    if before in ("DT", "PP", "PO", "JJ", "CD", "IN", "AX", "HY") or after == "HY":
        return noun
    if before in ("PR", "WH", "TH", "MD") and not (
        before == "PR" and tokens[i - 1].low in ("me", "him", "us", "them")
    ):
        return verb
    weak = low in NOUNISH
    if before == "^":
        return verb if not third and not weak else noun if weak else verb
    if before in ("NN", "NP", ")", "Q"):
        if finite_seen == 2 or (weak and (finite_seen or tokens[i - 1].low in TIMES)):
            return noun
        plural = tokens[i - 1].low.endswith("s") and not tokens[i - 1].low.endswith(("ss", "us", "is"))
        agrees = third != plural or before == "NP"
        if not agrees and not shape & PAST:
            return noun
        if weak and (after not in _OBJECT_STARTS or _strong_verb_ahead(tokens, tags, i)):
            return noun
        return verb
    if before == "RB" and weak and i > 1 and tags[i - 2] in ("DT", "PP"):
        return noun
    if before == "RB":
        return verb if not finite_seen or not weak else noun
    if before in (",", "CC"):
        if weak and after not in ("DT", "PP", "PR", "IN", "TO", "RB", "VG"):
            return noun
        if third:
            return verb if _same_shape_left(tags, i, "VZ") or not weak else noun
        return verb if not weak or _same_shape_left(tags, i, "VB") else noun
    return verb if not weak else noun


def _pronominal(tokens: list[Token], tags: list[str], i: int, third: bool) -> bool:
    """'This releases', 'These include': a demonstrative that disagrees in number with what follows is the subject."""
    word = tokens[i - 1].low
    if i > 1 and tags[i - 2] not in (".", ";", ",", "CC", "Q", "SU", ":"):
        return False
    return (third and word in ("this", "that")) or (not third and word in ("these", "those"))


def _same_shape_left(tags: list[str], i: int, shape: str) -> bool:
    return any(tags[j] in (shape, "AX") for j in range(i - 1, max(i - 20, -1), -1))
