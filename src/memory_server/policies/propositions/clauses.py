"""The first cut through a proposition: who, the verb and what denies or weakens it, the words after it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from memory_server.policies.propositions.leads import without_lead
from memory_server.policies.propositions.lexicon import (
    ALL,
    ARTICLES,
    CLAUSE_MARKERS,
    DETERMINERS,
    DO,
    EVERY_SHARE,
    FILLERS,
    FREQUENCY,
    HAVE,
    HEDGES,
    MODALS,
    NOBODY,
    NONE,
    PAST_AUXILIARIES,
    PREPOSITIONS,
    QUANTIFIERS,
    lemma,
    mirror,
    without_articles,
    words,
)
from memory_server.policies.propositions.verbs import VERB_FORMS

_FINITE = words("is are was were am has have had do does did") | frozenset(MODALS)
_PRONOUNS = words("i you he she it we they")
_ORDERING = words("always never")
_PLURAL_SUBJECTS = words("i you we they people users developers children men women")


@dataclass(slots=True)
class Clause:
    """A clause while it is being read; `denials` counts negations, `share` is what a quantifier names."""

    subject: list[str]
    verb: str = ""
    rest: list[str] | None = None
    denials: int = 0
    share: int = ALL
    explicit: bool = False
    modal: str = ""
    past: bool = False
    hedged: bool = False
    definite: bool = False

    def named_share(self) -> int:
        """The share of cases with the negations worked in."""
        if self.denials % 2 == 0:
            return self.share
        return mirror(self.share) if self.explicit else NONE


def read_clause(sentence: Sequence[str]) -> Clause | None:
    """The clause that a sentence of case-folded words is; None where no verb is known in it."""
    listed, hedged, denials = without_lead(list(sentence))
    clause = Clause([], hedged=hedged, denials=denials)
    at = _find_auxiliary(listed)
    if at is not None:
        after = _read_auxiliary(clause, listed, at)
    else:
        at = _find_verb(listed)
        if at is None:
            return None
        clause.verb, kind = lemma(listed[at]), VERB_FORMS.get(listed[at], ("", "third"))[1]
        clause.past, after = kind == "past", at + 1
        if listed[at] == "used" and listed[after : after + 1] == ["to"] and after + 1 < len(listed):
            clause.verb, after = lemma(listed[after + 1]), after + 2
    _read_subject(clause, listed[:at])
    clause.rest = listed[after:]
    return clause if clause.verb else None


def _clause_end(listed: Sequence[str]) -> int:
    """Where a subordinate clause begins; the auxiliary of the main clause stands before."""
    return next((i for i, word in enumerate(listed) if i > 1 and word in CLAUSE_MARKERS), len(listed))


def _find_auxiliary(listed: Sequence[str]) -> int | None:
    if listed[:2] == ["do", "not"]:
        return 0
    for at in range(1, _clause_end(listed)):
        if listed[at] == "am" and listed[at - 1] != "i":
            continue
        if listed[at] in _FINITE and not (listed[at] in ("may", "can") and listed[at - 1] in PREPOSITIONS):
            return at
    return None


def _find_verb(listed: Sequence[str]) -> int | None:
    """The first word that can be a finite verb where it stands."""
    start = 1 if listed and listed[0] in FREQUENCY and len(listed) > 1 else 0
    if len(listed) > start + 1 and VERB_FORMS.get(listed[start], ("", ""))[1] == "base":
        return start
    if start and listed[0] in _ORDERING and _may_be_done(listed[1]):
        # "Never rebase shared branches": an order with an unknown verb, in which no later word is the verb
        return None
    end = _clause_end(listed)
    for at in range(1, end):
        before = listed[at - 1]
        if before in ARTICLES or before in PREPOSITIONS:
            continue
        kind = VERB_FORMS.get(listed[at], ("", ""))[1]
        plural = before.endswith("s") or before in _PLURAL_SUBJECTS or before in FREQUENCY or before == "ever"
        if kind in ("third", "past") or (kind == "base" and plural):
            return at
    return _guess_verb(listed, end)


def _may_be_done(word: str) -> bool:
    closed = (PREPOSITIONS, DETERMINERS, FREQUENCY, HEDGES, FILLERS, _PRONOUNS)
    return word.isalpha() and not any(word in words for words in closed)


def _guess_verb(listed: Sequence[str], end: int) -> int | None:
    """An unknown word is taken for a verb after a pronoun, and between a noun and a determiner."""
    if len(listed) > 1 and listed[0] in _PRONOUNS and listed[1].isalpha() and listed[1] not in PREPOSITIONS:
        return 1
    for at in range(1, end - 1):
        word, before = listed[at], listed[at - 1]
        if (
            listed[at + 1] in DETERMINERS
            and word.isalpha()
            and word not in PREPOSITIONS
            and word not in DETERMINERS
            and word not in FREQUENCY
            and word != "and"
            and before not in PREPOSITIONS
            and before not in DETERMINERS
        ):
            return at
    return None


def _read_auxiliary(clause: Clause, listed: Sequence[str], at: int) -> int:
    """Reads the verb group that begins with an auxiliary; the index after it."""
    word = listed[at]
    clause.past = word in PAST_AUXILIARIES
    after = _skip_adverbs(clause, listed, at + 1)
    following = listed[after] if after < len(listed) else ""
    if word in MODALS:
        clause.modal = MODALS[word]
        return _read_infinitive(clause, listed, after)
    if word in DO:
        if VERB_FORMS.get(following, ("", ""))[1] == "base" or clause.denials or after > at + 1:
            return _read_infinitive(clause, listed, after)
        clause.verb = "do"
        return after
    if word in HAVE:
        return _read_have(clause, listed, after, following)
    return _read_be(clause, listed, after)


def _read_infinitive(clause: Clause, listed: Sequence[str], at: int) -> int:
    if at >= len(listed):
        return at
    if listed[at] == "be":
        return _read_be(clause, listed, _skip_adverbs(clause, listed, at + 1))
    clause.verb = lemma(listed[at])
    return at + 1


def _read_have(clause: Clause, listed: Sequence[str], at: int, following: str) -> int:
    if following == "to":
        clause.modal = "must"
        return _read_infinitive(clause, listed, at + 1)
    if following == "been":
        clause.past = False
        return _read_be(clause, listed, _skip_adverbs(clause, listed, at + 1))
    beyond = listed[at + 1] if at + 1 < len(listed) else ""
    participle = VERB_FORMS.get(following, ("", ""))[1] == "past"
    if participle and (not beyond or beyond in DETERMINERS or beyond in PREPOSITIONS):
        clause.verb = lemma(following)
        return at + 1
    clause.verb = "have"
    return at


def _read_be(clause: Clause, listed: Sequence[str], at: int) -> int:
    following = listed[at] if at < len(listed) else ""
    beyond = listed[at + 1] if at + 1 < len(listed) else ""
    if following == "going" and beyond == "to":
        clause.modal = "will"
        return _read_infinitive(clause, listed, at + 2)
    if beyond and beyond not in ("and", ",") and VERB_FORMS.get(following, ("", ""))[1] == "ing":
        clause.verb = lemma(following)
        return at + 1
    clause.verb = "be"
    return at


def _skip_adverbs(clause: Clause, listed: Sequence[str], at: int) -> int:
    """Takes in what denies, counts or weakens between the parts of a verb group; the index after it."""
    while at < len(listed):
        word = listed[at]
        if word == "not" and listed[at + 1 : at + 2] != ["only"]:
            clause.denials += 1
        elif word == "no" and listed[at + 1 : at + 2] == ["longer"]:
            clause.denials += 1
            at += 1
        elif word in FREQUENCY:
            _take_frequency(clause, word)
        elif word in HEDGES:
            clause.hedged = True
        elif word not in FILLERS or at + 1 == len(listed):
            return at
        at += 1
    return at


def _take_frequency(clause: Clause, word: str) -> None:
    """After a negation the word names the complement ("not always"), else its own share."""
    share = FREQUENCY[word]
    if clause.denials % 2 == 1 and not clause.explicit:
        share, clause.denials = EVERY_SHARE & ~share, clause.denials - 1
    clause.share = share if not clause.explicit else clause.share & share or clause.share
    clause.explicit = True


def _read_subject(clause: Clause, before: Sequence[str]) -> None:
    """Takes quantifiers, negations and articles out of what stands before the verb: the subject is left."""
    listed = list(before)
    while listed and (listed[-1] in FREQUENCY or listed[-1] in FILLERS or listed[-1] in HEDGES):
        word = listed.pop()
        clause.hedged = clause.hedged or word in HEDGES
        if word in FREQUENCY:
            _take_frequency(clause, word)
    if listed[-2:] == ["no", "longer"]:
        clause.denials += 1
        listed = listed[:-2]
    denied = len(listed) > 1 and listed[0] == "not"
    if denied:
        listed = listed[1:]
    listed = _without_quantifier(clause, listed, denied)
    clause.definite = bool(listed) and listed[0] == "the"
    clause.subject = [word for word in without_articles(listed) if word != ","]


def _without_quantifier(clause: Clause, listed: list[str], denied: bool) -> list[str]:
    if listed[:2] == ["a", "few"]:
        share, listed = QUANTIFIERS["some"], listed[2:]
    elif listed and listed[0] in NOBODY:
        (noun, share), listed = NOBODY[listed[0]], listed[1:]
        listed = [noun, *listed]
    elif len(listed) > 1 and listed[0] in QUANTIFIERS:
        share, listed = QUANTIFIERS[listed[0]], listed[1:]
        listed = listed[1:] if listed[0] == "of" else listed
    else:
        clause.denials += int(denied)
        return listed
    share = EVERY_SHARE & ~share if denied else share
    clause.share = share if not clause.explicit else clause.share & share or share
    clause.explicit = True
    return listed
