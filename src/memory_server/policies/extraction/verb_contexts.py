"""What stands around a word tells whether it is a verb: what comes before and after, and what is still awaited."""

from __future__ import annotations

from .lexicon import SPEECH
from .tag_sets import FINITE, NOMINAL
from .tokens import Token
from .verbs import BASE, FORMS, NOUNISH, PARTICIPLE, PAST, THIRD, lemma

# -s forms that say something of what stands before them far oftener than they are plural nouns
LEANING = frozenset(
    ("uses", "runs", "needs", "owns", "supports", "hosts", "handles", "hates", "likes", "loves")
)


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


def goes_on_saying(tokens: list[Token], tags: list[str], i: int) -> bool:
    """'runs on Go and uses Redis', 'handles logins and routes requests': an -s form with an object of its own."""
    after, following = tags[i + 1 : i + 2], tokens[i + 1 : i + 2]
    if not after or after[0] not in ("NP", "CD", "NN", "JJ", "V?"):
        return False
    several = following[0].low.endswith("s") and not following[0].low.endswith(("ss", "us", "is"))
    return after[0] in ("NP", "CD") or several or tokens[i].low in LEANING


def follows_version(tokens: list[Token], tags: list[str], i: int) -> bool:
    """'Kubernetes 1.31 dropped …': a name with its number stands at the start and has had no verb."""
    return (
        i > 1
        and tags[i - 1] == "CD"
        and tokens[i - 2].text[0].isupper()
        and tags[i - 2] in ("NP", "NN")
        and FINITE.isdisjoint(tags[:i])
        and not any(tags[j] in ("IN", ",", "TO") for j in range(i))
    )


def awaits_verb(tags: list[str], i: int) -> bool:
    """Whether a subject with an aside between commas stands before i and has had no verb yet."""
    commas = 0
    for j in range(i - 1, max(i - 25, -1), -1):
        here = tags[j]
        if here in FINITE or here in (";", ".", "SU", "WH", "TH", ":"):
            return False
        commas += here == ","
    return commas >= 2 and tags[0] in ("DT", "NP", "PP", "PR", "NN", "JJ")


def participle_left(tags: list[str], i: int) -> bool:
    for j in range(i - 2, max(i - 12, -1), -1):
        if tags[j] in ("VN",):
            return True
        if tags[j] in FINITE or tags[j] in (";", ".", "WH", "SU"):
            return False
    return False


def strong_verb_ahead(tokens: list[Token], tags: list[str], i: int) -> bool:
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


def pronominal(tokens: list[Token], tags: list[str], i: int, third: bool) -> bool:
    """'This releases', 'These include': a demonstrative that disagrees in number with what follows is the subject."""
    word = tokens[i - 1].low
    if i > 1 and tags[i - 2] not in (".", ";", ",", "CC", "Q", "SU", ":"):
        return False
    return (third and word in ("this", "that")) or (not third and word in ("these", "those"))


def main_verb_pending(tags: list[str], i: int) -> bool:
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


def reported_subject(tokens: list[Token], tags: list[str], i: int) -> bool:
    """'I think Magpie uses …': the noun phrase before i follows a verb of saying, so that a clause begins with it."""
    j = i - 1
    while j > 0 and (tags[j] in NOMINAL or tags[j] in ("DT", "PP")):
        j -= 1
    return tags[j] in ("VB", "VZ", "VD") and lemma(tokens[j].low) in SPEECH


def same_shape_left(tags: list[str], i: int, shape: str) -> bool:
    return any(tags[j] in (shape, "AX") for j in range(i - 1, max(i - 20, -1), -1))
