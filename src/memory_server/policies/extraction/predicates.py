"""Canonical predicates: verb groups in snake_case, with tense, negation and modality kept where they matter."""

from __future__ import annotations

import re
from itertools import pairwise

from .lexicon import BE, HAVE, words
from .tokens import Token
from .verb_groups import Verb
from .verbs import BASE, FORMS, PAST, THIRD, lemma, third_person

# present statements that mean the same get one name; everything else keeps its own words
_SYNONYMS = {
    "utilizes": "uses",
    "utilises": "uses",
    "leverages": "uses",
    "relies_on": "depends_on",
    "relies_upon": "depends_on",
    "depends_upon": "depends_on",
    "works_for": "works_at",
    "lives_at": "lives_in",
    "resides_in": "lives_in",
    "runs_under": "runs_on",
    "listens_at": "listens_on",
    "favors": "prefers",
    "favours": "prefers",
    "comprises": "includes",
    "is_in": "located_in",
    "is_based_in": "located_in",
    "is_located_in": "located_in",
    "is_located_at": "located_in",
    "is_situated_in": "located_in",
    "is_called": "named",
    "is_named": "named",
    "is_employed_by": "works_at",
    "is_employed_at": "works_at",
    "is_made_of": "consists_of",
    "is_composed_of": "consists_of",
    "is_dependent_on": "depends_on",
    "is_built_on": "built_on",
}
# participles of events: what was done stays done, so the auxiliary says nothing
_EVENTS = words(
    """
    born founded written created built developed established designed released published invented made
    named launched introduced implemented acquired installed added discovered
    """
)
_FREQUENCY = frozenset(("rarely", "seldom", "hardly", "barely", "scarcely", "almost", "nearly"))
_MODALS = {"ca": "can", "wo": "will", "'ll": "will", "’ll": "will", "'d": "would", "’d": "would"}
_PERFECT = frozenset(("have", "has", "'ve", "’ve"))
_NEGATIVE = frozenset(("not", "n't", "n’t", "never"))
_IDLE = words("also still now just already only even currently always often usually then so both all each")
_NOT_WORD = re.compile(r"[^\w]+|_+")


def snake(words: str) -> str:
    """Lower-case words joined by single underscores; everything else dropped."""
    return _NOT_WORD.sub("_", words.lower()).strip("_")


def attribute(noun: str) -> str:
    """The predicate for 'X's noun is …' and 'noun: …'."""
    name = snake(noun)
    return "has_ip" if name in ("ip", "ip_address", "ip_addr") else name


def predicate(tokens: list[Token], verb: Verb, preposition: str = "") -> str:
    """The canonical predicate of a verb group together with the preposition that follows it."""
    words = [token.low for token in tokens[verb.start : verb.end]]
    never = "never" in words
    no_longer = any(a == "no" and b == "longer" for a, b in pairwise(words))
    adverb = next((word for word in words if word in _FREQUENCY), "")
    inner_not = any(a in _NEGATIVE and b == "to" for a, b in pairwise(words))
    plain = [
        word
        for word in words
        if word not in _NEGATIVE and word not in _IDLE and not (word.endswith("ly") and word not in FORMS)
    ]
    plain = [word for word in plain if not (no_longer and word in ("no", "longer")) and word != adverb]
    negated = verb.negated and not inner_not and not never
    name = _phrase(plain or words[-1:], verb, negated)
    if inner_not:
        name = name.replace("_to_", "_not_to_", 1)
    prefix = "no_longer_" if no_longer else "never_" if never else f"{adverb}_" if adverb else ""
    full = snake(f"{prefix}{name} {preposition}")
    return _SYNONYMS.get(full, full)


def is_past(verb_words: list[str]) -> bool:
    """Whether the first word of a verb group is a past form."""
    first = verb_words[0]
    shape = FORMS.get(first, PAST if first.endswith("ed") else 0)
    return bool(shape & PAST) and not shape & (BASE | THIRD)


def _phrase(words: list[str], verb: Verb, negated: bool) -> str:
    """Active, passive or copular, in the form that a reader would look it up by."""
    modal = _MODALS.get(verb.modal, verb.modal)
    if verb.modal:
        rest = "_".join(word for word in words if word != verb.modal)
        joiner = "cannot" if negated and modal in ("can", "cannot") else f"{modal}_not" if negated else modal
        return f"{joiner}_{rest}"
    past = is_past(words)
    if words[0] in BE:
        return _be_phrase(words, verb, negated, past)
    if words[0] in _PERFECT and len(words) > 1 and words[1] != "to":
        return ("has_not_" if negated else "has_" if words[1] == "been" else "") + "_".join(words[1:])
    if words[0] == "had" and len(words) > 1 and words[1] != "to":
        return ("had_not_" if negated else "had_") + "_".join(words[1:])
    if words[0] in ("do", "does", "did") and len(words) > 1:
        past, words = words[0] == "did", words[1:]
    rest = "_".join(words[1:])
    base = lemma(words[0])
    if negated:
        head = f"{'did' if past else 'does'}_not_{base}"
    elif past:
        head = words[0]
    else:
        head = (
            "has"
            if base == "have"
            else "does"
            if base == "do"
            else "goes"
            if base == "go"
            else third_person(base)
        )
    return f"{head}_{rest}" if rest else head


def _be_phrase(words: list[str], verb: Verb, negated: bool, past: bool) -> str:
    auxiliary = ("was" if past else "is") + ("_not" if negated else "")
    rest = words[1:]
    if verb.copular or not rest:
        return auxiliary
    if rest[0].endswith("ing") and not verb.passive and rest[0] != "being" and len(rest) == 1 and not past:
        base = lemma(rest[0])
        return f"does_not_{base}" if negated else "has" if base == "have" else third_person(base)
    if verb.passive and len(rest) == 1 and not negated and rest[0] in _EVENTS:
        return rest[0]
    return f"{auxiliary}_{'_'.join(rest)}"


__all__ = ["HAVE", "attribute", "is_past", "predicate", "snake"]
