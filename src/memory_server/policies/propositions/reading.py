"""From a proposition's text to the value that relations compare, with the keys under which rivals meet."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache

from memory_server.policies.propositions.antonyms import ATTRIBUTES, GROUP_OF, SUPERLATIVES, axis_names
from memory_server.policies.propositions.clauses import Clause, read_clause
from memory_server.policies.propositions.comparisons import read_comparisons
from memory_server.policies.propositions.complements import Complement, read_complement, read_subject
from memory_server.policies.propositions.contexts import Context, opens_context, read_context
from memory_server.policies.propositions.frames import (
    Comparison,
    Frame,
    Item,
    Proposition,
    split_words,
)
from memory_server.policies.propositions.lexicon import (
    ARTICLES,
    AUXILIARIES,
    FILLERS,
    PREPOSITIONS,
    lemma,
    without_articles,
    words,
)
from memory_server.policies.propositions.verbs import VERB_FORMS
from memory_server.policies.quantities import Quantity
from memory_server.policies.text import digest, normal

MAX_KEYS = 16

# prepositions that belong to the verb before them; those with an opposite stay words of their own
_BOUND = words("in at on for to from by as of into onto near")

_EXCLUSIVE = frozenset(
    phrase
    for phrase in """live in|live at|work at|work for|be bear in|be bear on|bear in|die in|die on|be found in
    be found by|be write in|be base in|be situate at|be headquarter in|be situate in|be marry to|marry
    be own by|be lead by|be manage by|be name|be call|belong to|report to|be bear at|be employ by|be employ at
    weigh|cost|be publish in|be release in|be release on|be launch in|be invent in|be create in|be schedule for
    be due on|expire on|be publish on|be found on|be assign to|be capital of|be implement in
    be license under|start at|end at|start on|end on|open at|close at""".replace("\n", "|").split("|")
    for phrase in [phrase.strip()]
)
"""Verbs, with "be" and their preposition, that have one value at a time."""

_FUNCTION_WORDS = ARTICLES | AUXILIARIES | PREPOSITIONS | FILLERS | words("not no and or than it that")


@lru_cache(maxsize=4096)
def parse(text: str) -> Proposition:
    """Reads a proposition once, so that it can be related many times; never raises."""
    found = split_words(text)
    bag = frozenset(lemma(word) for word in found.listed if word not in _FUNCTION_WORDS and word != ",")
    own_key = "=" + digest(normal(text).rstrip(" .!,;"))[:16]
    bare = Proposition(text, (), (), frozenset(), False, bag, frozenset((own_key,)), own_key)
    if found.question or found.several or not found.listed:
        return bare
    listed, contexts = _without_leading_context(list(found.listed))
    clause = read_clause(listed)
    if clause is None:
        return _without_verb(text, listed, contexts, bag, own_key)
    complement = read_complement(clause)
    subject, near_subject = read_subject(clause)
    contexts |= complement.contexts | near_subject
    comparisons = read_comparisons(clause, subject, complement.items)
    frames: tuple[Frame, ...] = ()
    if complement.simple and not comparisons and "than" not in complement.items:
        frames = _frames(clause, subject, complement, found.names)
    keys = {own_key}
    keys.update(key for frame in frames for key in _frame_keys(frame))
    keys.update(_key("c", *each.left, "|", *each.right, each.axis) for each in comparisons)
    return Proposition(
        text, frames, comparisons, frozenset(contexts), clause.hedged, bag, frozenset(keys), own_key
    )


def _without_leading_context(listed: list[str]) -> tuple[list[str], set[Context]]:
    """Takes "In production, …" and "If …, …" off the front."""
    if "," in listed[:12] and opens_context(listed[0]):
        comma = listed.index(",")
        read = read_context(listed[:comma], 0)
        if read is not None and comma + 1 < len(listed):
            return listed[comma + 1 :], {Context(read[0].kind, " ".join(listed[:comma]))}
    return listed, set()


def _without_verb(
    text: str, listed: Sequence[str], contexts: set[Context], bag: frozenset[str], own_key: str
) -> Proposition:
    """Words in which no verb is known are compared as they stand, the last one by meaning."""
    plain = [lemma(word) for word in without_articles(listed) if word != ","]
    denials = sum(word in ("not", "never", "no") for word in plain)
    items = tuple(word for word in plain if word not in ("not", "never", "no"))
    if items[:1] == ("always",):
        # an order holds as a rule with or without the word
        items = items[1:]
    if len(items) > 40 or not items:
        return Proposition(text, (), (), frozenset(contexts), False, bag, frozenset((own_key,)), own_key)
    frame = Frame((), "", items, 8 if denials % 2 == 0 else 1, False, "", False, "", False, frozenset())
    keys = {own_key, *(_key("?", *items[:-1], name) for name in axis_names(items[-1]))}
    return Proposition(text, (frame,), (), frozenset(contexts), False, bag, frozenset(keys), own_key)


def _frames(
    clause: Clause, subject: tuple[str, ...], complement: Complement, names: frozenset[str]
) -> tuple[Frame, ...]:
    items = tuple(complement.items)
    verb, rest = _bound_verb(clause.verb, items)
    value_names = frozenset(item for item in items if isinstance(item, str) and item in names)
    frame = Frame(
        subject,
        verb,
        rest,
        share=clause.named_share(),
        explicit=clause.explicit,
        modal=clause.modal,
        past=clause.past,
        exclusive=_exclusive_kind(clause, subject, verb, rest, value_names),
        plural=complement.plural,
        names=value_names,
    )
    if clause.explicit:
        return (frame,)
    named = value_names | names.intersection(subject)
    others = (
        replace(frame, subject=who, verb=verb, rest=rest, exclusive="attribute", names=named)
        for who, verb, rest in _other_sides(subject, clause.verb, items)
    )
    return (frame, *others)


def _bound_verb(verb: str, items: tuple[Item, ...]) -> tuple[str, tuple[Item, ...]]:
    """The verb with its participle and preposition: "be write in" and what it is written in."""
    if verb == "be" and len(items) > 1 and isinstance(items[0], str) and items[0] in _PARTICIPLES:
        if f"be {items[0]}" in _EXCLUSIVE:
            return f"be {items[0]}", items[1:]
        if len(items) > 2 and (items[1] in _BOUND or f"be {items[0]} {items[1]}" in _EXCLUSIVE):
            return f"be {items[0]} {items[1]}", items[2:]
    if len(items) > 1 and items[0] in _BOUND:
        return f"{verb} {items[0]}", items[1:]
    return verb, items


_PARTICIPLES = frozenset(base for base, kind in VERB_FORMS.values() if kind == "past")


def _exclusive_kind(
    clause: Clause, subject: tuple[str, ...], verb: str, rest: tuple[Item, ...], names: frozenset[str]
) -> str:
    """Why this verb has one value at a time of such a subject; "" where it can have many."""
    if verb in _EXCLUSIVE:
        return "value"
    if verb != "be" or not subject or not rest:
        return "place" if verb == "be in" and rest and rest[0] in names else ""
    if subject[-1] in ATTRIBUTES or not SUPERLATIVES.isdisjoint(subject):
        return "attribute"
    return "identity" if clause.definite and rest[0] in names else ""


def _other_sides(
    subject: tuple[str, ...], verb: str, items: tuple[Item, ...]
) -> Iterable[tuple[tuple[str, ...], str, tuple[Item, ...]]]:
    """The same said of another subject: "X is the capital of Y", "X has the address Z", "X is the best Y"."""
    plain = tuple(item for item in items if isinstance(item, str))
    if verb == "be" and len(plain) == len(items):
        if len(items) > 2 and items[1] == "of" and plain[0] in ATTRIBUTES:
            yield (*plain[2:], plain[0]), "be", subject
            yield subject, f"be {plain[0]} of", items[2:]
        elif len(items) > 1 and plain[0] in SUPERLATIVES:
            yield plain, "be", subject
    elif verb == "have" and len(items) > 1:
        if isinstance(items[0], str) and items[0] in ATTRIBUTES and items[0] not in GROUP_OF:
            value = items[2:] if items[1] == "of" else items[1:]
            if value:
                yield (*subject, items[0]), "be", value
        elif isinstance(items[0], Quantity) and len(items) == 2 and items[1] in ATTRIBUTES:
            yield (*subject, str(items[1])), "be", items[:1]


def _frame_keys(frame: Frame) -> Iterable[str]:
    """Keys that any frame which can contradict or entail this one shares at least one of."""
    for verb in axis_names(frame.verb):
        if frame.exclusive or not frame.rest:
            yield _key(*frame.subject, "|", verb)
        for item in frame.rest[:MAX_KEYS]:
            if isinstance(item, Quantity):
                yield _key(*frame.subject, "|", verb, "#" + item.dimension)
            elif (item not in PREPOSITIONS and item != "and") or len(frame.rest) == 1:
                for name in axis_names(item):
                    yield _key(*frame.subject, "|", verb, name)


def _key(*parts: str) -> str:
    key = " ".join(parts)
    return key if len(key) <= 80 else key[:40] + digest(key)[:24]


def comparison_pairs(
    a: tuple[Comparison, ...], b: tuple[Comparison, ...]
) -> Iterable[tuple[Comparison, Comparison]]:
    """Comparisons of two propositions that speak of the same two things on the same axis."""
    for one in a:
        for other in b:
            if one.axis == other.axis and one.left == other.left and one.right == other.right:
                yield one, other
