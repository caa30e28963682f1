"""The words after a verb, read into items that can be laid side by side: lemmas and quantities."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from memory_server.policies.propositions.clauses import Clause
from memory_server.policies.propositions.contexts import Context, opens_context, read_context
from memory_server.policies.propositions.frames import Item
from memory_server.policies.propositions.lexicon import (
    ALL,
    CLAUSE_MARKERS,
    COMPLEX_MARKERS,
    FILLERS,
    FREQUENCY,
    HEDGES,
    NOBODY,
    NONE,
    PREPOSITIONS,
    REASON_MARKERS,
    is_article,
    lemma,
    without_articles,
    words,
)
from memory_server.policies.propositions.verbs import VERB_FORMS
from memory_server.policies.quantities import read_quantity

MAX_ITEMS = 40
CONTRAST = "instead of"
"""The item between what is wanted and what is not, in whatever words ("rather than" is one way to say it)."""

_CONTRASTING = (("instead", "of"), ("rather", "than"))

# verbs and adjectives whose "in …", "on …" or "for …" is what they say, not a circumstance
_GOVERNING = words(
    """live work run base situate depend rely build focus write stay deploy host store implement headquarter
    grow responsible known famous ready wait look apply ask search pay stand arrive land sit lie consist
    participate specialize believe interested listen agree insist concentrate count bet move reply"""
)
# those of which a date is what they say
_DATED = words(
    """be bear die found publish release launch create invent originate start end open close schedule plan due
    expire marry establish begin"""
)


@dataclass(slots=True)
class Complement:
    """What follows the verb; `simple` is false when it holds words whose effect is not followed."""

    items: list[Item] = field(default_factory=list)
    contexts: set[Context] = field(default_factory=set)
    plural: bool = False
    simple: bool = True


def read_complement(clause: Clause) -> Complement:
    """The complement of a clause; negations and adverbs found in it are counted on the clause."""
    found = Complement()
    listed = _without_tail(clause, list(clause.rest or ()), found)
    at = 0
    while at < len(listed):
        at = _read_item(clause, listed, at, found)
        if len(found.items) > MAX_ITEMS:
            found.simple = False
            break
    while found.items and found.items[-1] == "and":
        found.items.pop()
    return found


def read_subject(clause: Clause) -> tuple[tuple[str, ...], set[Context]]:
    """The lemmas of the subject and the contexts that stand with it ("Docker on Linux …")."""
    listed, contexts = clause.subject, set[Context]()
    for at in range(1, len(listed)):
        if opens_context(listed[at]):
            read = read_context(listed, at)
            # "the meeting on Monday" is another meeting, not the same one at another time
            if read is not None and read[1] == len(listed) and read[0].kind != "time":
                contexts.add(read[0])
                listed = listed[:at]
                break
    if listed.count("of") == 1 and 0 < listed.index("of") < len(listed) - 1:
        middle = listed.index("of")
        listed = listed[middle + 1 :] + listed[:middle]
    return tuple(map(lemma, without_articles(listed))), contexts


def _without_tail(clause: Clause, listed: list[str], found: Complement) -> list[str]:
    """Cuts reasons and contrasts off; a relative clause becomes one opaque word."""
    for at, word in enumerate(listed):
        if word in REASON_MARKERS:
            found.simple = found.simple and (clause.denials % 2 == 0 or word in ("but", "although", "though"))
            return _trimmed(listed[:at])
        if word in CLAUSE_MARKERS:
            return [*listed[:at], " ".join(listed[at:])]
    return listed


def _trimmed(listed: list[str]) -> list[str]:
    while listed and listed[-1] == ",":
        listed = listed[:-1]
    return listed


def _read_item(clause: Clause, listed: Sequence[str], at: int, found: Complement) -> int:
    """Reads one item from `at`; the index after it."""
    word = listed[at]
    if opens_context(word):
        read = read_context(listed, at, argument=_argument_of(clause, found.items))
        if read is not None:
            found.contexts.add(read[0])
            return read[1]
    if (word, *listed[at + 1 : at + 2]) in _CONTRASTING:
        found.items.append(CONTRAST)
        found.simple = False
        return at + 2
    quantity = None if _is_label(found.items) else read_quantity(listed, at)
    if quantity is not None and listed[at + 1 : at + 2] != ["of"]:
        found.items.append(quantity[0])
        return quantity[1] + (1 if listed[quantity[1] : quantity[1] + 1] == ["of"] else 0)
    _read_word(clause, listed, at, found)
    return at + 1


def _read_word(clause: Clause, listed: Sequence[str], at: int, found: Complement) -> None:
    word = listed[at]
    if word in ("no", "without") and not (word == "no" and found.items):
        clause.denials += 1
        if word == "without":
            found.items.append("with")
    elif word in NOBODY and not found.items:
        noun, share = NOBODY[word]
        clause.denials += int(share == NONE)
        found.items.append(noun)
        found.simple = found.simple and share != ALL
    elif word in ("not", "no", "none", "never") or word in COMPLEX_MARKERS:
        found.simple = False
    elif word == ",":
        if found.items and found.items[-1] != "and":
            found.items.append("and")
    elif word in FREQUENCY and not clause.explicit:
        clause.share, clause.explicit = FREQUENCY[word], True
    elif word in HEDGES:
        clause.hedged = True
    elif word in ("anymore", "any", "yet") and clause.denials:
        pass
    elif not is_article(listed, at) and (word not in FILLERS or (at + 1 == len(listed) and not found.items)):
        if word not in PREPOSITIONS and word != "and":
            found.plural = word.endswith("s") and not word.endswith("ss")
        if not (word == "and" and found.items and found.items[-1] == "and"):
            found.items.append(lemma(word))


def _argument_of(clause: Clause, items: Sequence[Item]) -> Literal["none", "place", "any"]:
    """What a preposition here may open, if it directly follows a verb or adjective that takes one."""
    if not items:
        governor = clause.verb
    elif len(items) == 1 and isinstance(items[0], str) and clause.verb == "be":
        governor = items[0]
    else:
        return "none"
    if governor in _DATED:
        return "any"
    return "place" if governor in _GOVERNING else "none"


def _is_label(items: Sequence[Item]) -> bool:
    """Whether a number here is a name ("port 80", "Python 3.11"), as it is after a noun."""
    if not items or not isinstance(items[-1], str):
        return False
    last = items[-1]
    return last not in PREPOSITIONS and last != "and" and last not in VERB_FORMS
