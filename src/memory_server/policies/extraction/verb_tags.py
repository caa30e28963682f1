"""Whether a word that can be a verb is one here, and in which form: past or participle, present or noun."""

from __future__ import annotations

from .lexicon import BE, HAVE, OBJECT_PRONOUNS, TIMES
from .tag_sets import DETERMINING, OBJECT_STARTS
from .tokens import Token
from .verb_contexts import (
    LEANING,
    awaits_verb,
    follows_version,
    goes_on_saying,
    is_named_gerund,
    main_verb_pending,
    participle_left,
    pronominal,
    reported_subject,
    same_shape_left,
    strong_verb_ahead,
)
from .verbs import BASE, FORMS, GERUND, NOUNISH, PARTICIPLE, PAST, THIRD

_NOUN_BEFORE = frozenset(("DT", "PP", "PO", "JJ", "CD", "IN", "AX", "HY"))
_HOW_OFTEN = frozenset(("daily", "weekly", "monthly", "hourly", "nightly", "early", "late", "fast", "hard"))


def auxiliary_before(tokens: list[Token], tags: list[str], i: int) -> str:
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


def verb_or_noun(tokens: list[Token], tags: list[str], i: int, finite_seen: int) -> str:
    """The tag of a word that has the form of a verb; `finite_seen` tells whether its clause has a verb already."""
    low = tokens[i].low
    shape = FORMS.get(low, PAST | PARTICIPLE)
    governed = auxiliary_before(tokens, tags, i)
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
            and motion_before(tokens, i)
        ):
            return "NN"
        return "VB"
    if shape & GERUND:
        if is_named_gerund(tokens, tags, i):
            return "NP"
        return "NN" if before in DETERMINING and after in ("IN", ".", ",", "NN") else "VG"
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


def motion_before(tokens: list[Token], i: int) -> bool:
    """Whether what stands before a "to" makes it a preposition: \'back to work\'."""
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
    numbered = follows_version(tokens, tags, i)
    if before in ("DT", "PP", "PO", "JJ", "HY") or (
        before in ("IN", "CD") and after in ("NN", "JJ", "NP", "V?") and not numbered
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
        if finite_seen and low_after != "by" and main_verb_pending(tags, i):
            return "VD"
        if low_after == "by" or (finite_seen and before != "RB"):
            return "VN"
        if after in ("IN", "TO", "RB") and strong_verb_ahead(tokens, tags, i):
            return "VN"
        return "VD"
    if before in ("PR", "WH", "EX", "TH"):
        return "VD"
    if before == "," and low_after != "by" and awaits_verb(tags, i):
        return "VD"
    if i == 0 or before in (",", "(", "-"):
        return (
            "VD"
            if before == "," and after in ("DT", "PP", "NP", "PR", "TH") and low_after != "by" and i > 1
            else "VN"
        )
    if before == "CC":
        takes_object = after in ("DT", "CD", "PP", "PR") and low_after != "by"
        return "VD" if takes_object or not participle_left(tags, i) else "VN"
    return "VD"


def _present_or_noun(
    tokens: list[Token], tags: list[str], i: int, shape: int, finite_seen: int, before: str, after: str
) -> str:
    third, weak = bool(shape & THIRD), tokens[i].low in NOUNISH
    verb = "VZ" if third else ("VD" if shape & PAST and not shape & BASE else "VB")
    if before == "DT" and pronominal(tokens, tags, i, third):
        return verb
    if third and before in ("JJ", "CD") and not weak and not finite_seen:
        return verb  # 'The manual says', 'Plan 9 provides': the adjective was a noun after all
    if third and follows_version(tokens, tags, i) and not strong_verb_ahead(tokens, tags, i):
        return verb if after in OBJECT_STARTS or after == "NN" else "NN"
    if third and before == "," and main_verb_pending(tags, i):
        return verb
    if before in _NOUN_BEFORE or after == "HY":
        return "NN"
    if before in ("WH", "TH", "MD") or (before == "PR" and tokens[i - 1].low not in OBJECT_PRONOUNS):
        return verb
    if before in ("NN", "NP", ")", "Q"):
        return verb if _follows_its_subject(tokens, tags, i, shape, finite_seen) else "NN"
    if not weak:
        return verb
    joined = before == "RB" and i > 1 and tags[i - 2] == "CC"
    if before == "RB":
        return verb if (not finite_seen or joined) and not (i > 1 and tags[i - 2] in ("DT", "PP")) else "NN"
    if before in (",", "CC") and after in ("DT", "PP", "PR", "IN", "TO", "RB", "VG"):
        return verb if same_shape_left(tags, i, "VZ" if third else "VB") else "NN"
    if third and before == "," and tokens[i].low in LEANING and after in ("NP", "CD", "NN"):
        return verb if same_shape_left(tags, i, "VZ") else "NN"
    if third and before == "CC" and goes_on_saying(tokens, tags, i) and same_shape_left(tags, i, "VZ"):
        return verb
    return "NN"


def _follows_its_subject(tokens: list[Token], tags: list[str], i: int, shape: int, finite_seen: int) -> bool:
    """Whether the noun before i is the subject of a verb at i, by agreement and by what comes after."""
    before, low_before = tags[i - 1], tokens[i - 1].low
    after = tags[i + 1] if i + 1 < len(tokens) else "."
    third, weak = bool(shape & THIRD), tokens[i].low in NOUNISH
    opens = shape & (THIRD | PAST) and (main_verb_pending(tags, i) or reported_subject(tokens, tags, i))
    if not opens and (finite_seen == 2 or (weak and (finite_seen or low_before in TIMES))):
        return False
    plural = low_before.endswith("s") and not low_before.endswith(("ss", "us", "is"))
    several = plural or (i > 1 and "CC" in tags[max(i - 4, 0) : i - 1])
    agrees = third or several if before == "NP" else third != plural
    if not agrees and not shape & PAST:
        return False
    if not weak:
        return True
    leaning = third and after == "NN" and tokens[i].low in LEANING
    often = i + 1 < len(tokens) and tokens[i + 1].low in _HOW_OFTEN
    named = third and before == "NP" and after in ("NN", "V?")
    # 'The warranty covers parts': no plural stands before another one
    several_follow = third and after in ("NN", "V?") and tokens[i + 1].low.endswith("s")
    goes_on = after in OBJECT_STARTS or often or leaning or named or several_follow
    return goes_on and not strong_verb_ahead(tokens, tags, i)
