"""Whether a word that can be a verb is one here, and in which form: past or participle, present or noun."""

from __future__ import annotations

from .lexicon import BE, HAVE, OBJECT_PRONOUNS, SPEECH, TIMES
from .tag_sets import DETERMINING, FINITE, NOMINAL, OBJECT_STARTS
from .tokens import Token
from .verbs import BASE, FORMS, GERUND, NOUNISH, PARTICIPLE, PAST, THIRD, lemma

_NOUN_BEFORE = frozenset(("DT", "PP", "PO", "JJ", "CD", "IN", "AX", "HY"))
# -s forms that say something of what stands before them far oftener than they are plural nouns
LEANING = frozenset(
    ("uses", "runs", "needs", "owns", "supports", "hosts", "handles", "hates", "likes", "loves")
)
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


def is_named_gerund(tokens: list[Token], tags: list[str], i: int) -> bool:
    """'Billing runs on …', 'Staging cluster has …': an -ing word that opens a sentence and has its verb next."""
    if i or len(tokens) < 4:
        return False
    if not tokens[i].text[0].isupper():
        return tags[1] == "AX" and tokens[1].low in ("is", "was", "has")
    compound = tags[1] in ("NN", "V?") and not tokens[1].low.endswith(("s", "ed"))
    j = 2 if compound and tags[2] in ("AX", "MD", "V?") else 1
    low, here = tokens[j].low, tags[j]
    if here in ("AX", "MD"):
        return low not in ("be", "been", "being", "am", "having")
    shape = FORMS.get(low, 0)
    if here != "V?" or shape & BASE or (shape & THIRD and low in NOUNISH and low not in LEANING):
        return False
    return bool(shape & THIRD) or (bool(shape & PAST) and tags[j + 1] in ("IN", "TO", "DT", "PP", "CD"))


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
    numbered = _follows_version(tokens, tags, i)
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
        if finite_seen and low_after != "by" and _main_verb_pending(tags, i):
            return "VD"
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
        takes_object = after in ("DT", "CD", "PP", "PR") and low_after != "by"
        return "VD" if takes_object or not _participle_left(tags, i) else "VN"
    return "VD"


def _follows_version(tokens: list[Token], tags: list[str], i: int) -> bool:
    """'Kubernetes 1.31 dropped …': a name with its number stands at the start and has had no verb."""
    return (
        i > 1
        and tags[i - 1] == "CD"
        and tokens[i - 2].text[0].isupper()
        and tags[i - 2] in ("NP", "NN")
        and FINITE.isdisjoint(tags[:i])
        and not any(tags[j] in ("IN", ",", "TO") for j in range(i))
    )


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
        if here in ("AX", "MD", "VZ", "VD") and not (tags[j - 1] == "CD" and tokens[j].low == "am"):
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
    third, weak = bool(shape & THIRD), tokens[i].low in NOUNISH
    verb = "VZ" if third else ("VD" if shape & PAST and not shape & BASE else "VB")
    if before == "DT" and _pronominal(tokens, tags, i, third):
        return verb
    if third and before in ("JJ", "CD") and not weak and not finite_seen:
        return verb  # 'The manual says', 'Plan 9 provides': the adjective was a noun after all
    if third and _follows_version(tokens, tags, i) and not _strong_verb_ahead(tokens, tags, i):
        return verb if after in OBJECT_STARTS or after == "NN" else "NN"
    if third and before == "," and _main_verb_pending(tags, i):
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
        return verb if _same_shape_left(tags, i, "VZ" if third else "VB") else "NN"
    if third and before == "," and tokens[i].low in LEANING and after in ("NP", "CD", "NN"):
        return verb if _same_shape_left(tags, i, "VZ") else "NN"
    if third and before == "CC" and _goes_on_saying(tokens, tags, i) and _same_shape_left(tags, i, "VZ"):
        return verb
    return "NN"


def _goes_on_saying(tokens: list[Token], tags: list[str], i: int) -> bool:
    """'runs on Go and uses Redis', 'handles logins and routes requests': an -s form with an object of its own."""
    after, following = tags[i + 1 : i + 2], tokens[i + 1 : i + 2]
    if not after or after[0] not in ("NP", "CD", "NN", "JJ", "V?"):
        return False
    several = following[0].low.endswith("s") and not following[0].low.endswith(("ss", "us", "is"))
    return after[0] in ("NP", "CD") or several or tokens[i].low in LEANING


def _follows_its_subject(tokens: list[Token], tags: list[str], i: int, shape: int, finite_seen: int) -> bool:
    """Whether the noun before i is the subject of a verb at i, by agreement and by what comes after."""
    before, low_before = tags[i - 1], tokens[i - 1].low
    after = tags[i + 1] if i + 1 < len(tokens) else "."
    third, weak = bool(shape & THIRD), tokens[i].low in NOUNISH
    opens = shape & (THIRD | PAST) and (_main_verb_pending(tags, i) or _reported_subject(tokens, tags, i))
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
    return goes_on and not _strong_verb_ahead(tokens, tags, i)


def _pronominal(tokens: list[Token], tags: list[str], i: int, third: bool) -> bool:
    """'This releases', 'These include': a demonstrative that disagrees in number with what follows is the subject."""
    word = tokens[i - 1].low
    if i > 1 and tags[i - 2] not in (".", ";", ",", "CC", "Q", "SU", ":"):
        return False
    return (third and word in ("this", "that")) or (not third and word in ("these", "those"))


def _main_verb_pending(tags: list[str], i: int) -> bool:
    """'The man who painted it sold …': a relative clause has had its verb, the clause around it has not."""
    relative = next((j for j in range(i - 1, max(i - 25, 0), -1) if tags[j] in ("WH", "TH")), 0)
    described = relative - 1 if relative and tags[relative - 1] != "," else relative - 2
    if relative == 0 or described < 0 or tags[described] not in ("NN", "NP"):
        return False
    inner = any(tags[j] in FINITE for j in range(relative + 1, i))
    for j in range(relative - 1, -1, -1):
        if tags[j] in FINITE or tags[j] in (";", ".", "SU", "IN", "WH", "TH"):
            return False
    return inner


def _reported_subject(tokens: list[Token], tags: list[str], i: int) -> bool:
    """'I think Magpie uses …': the noun phrase before i follows a verb of saying, so that a clause begins with it."""
    j = i - 1
    while j > 0 and (tags[j] in NOMINAL or tags[j] in ("DT", "PP")):
        j -= 1
    return tags[j] in ("VB", "VZ", "VD") and lemma(tokens[j].low) in SPEECH


def _same_shape_left(tags: list[str], i: int, shape: str) -> bool:
    return any(tags[j] in (shape, "AX") for j in range(i - 1, max(i - 20, -1), -1))
