"""Facts of notes that are no sentences: `key: value` lines, and lines whose subject is whom they are about."""

from __future__ import annotations

from .adjuncts import without_fillers
from .candidates import FactCandidate, Span
from .lexicon import words
from .predicates import attribute, snake
from .readings import Reading, fold
from .standing import HEDGED
from .subjects import SECONDARY
from .verbs import BASE, FORMS, THIRD

# who was there and how a letter went: of the page itself, no fact of what it is about
_OF_THE_PAGE = frozenset(
    (
        *words(
            """
            subject from to cc bcc reply-to re fwd sent message-id in-reply-to attendees attendee participants present
            absent apologies regrets facilitator chair moderator scribe minutes notetaker agenda topic topics tags
            """
        ),
        "note taker",
        "taken by",
        "minutes by",
        "reply to",
    )
)
# what says nothing as long as nobody knows of what
_OF_WHAT = words("date time status title type kind id page author state created updated modified")
# said of oneself without a subject: 'Prefers tea', 'Likes: hiking'
_PERSONAL = words(
    """
    likes dislikes loves hates prefers enjoys avoids speaks drinks eats lives works wants detests adores
    """
)
_GENERIC_HEADINGS = words(
    """
    notes note summary overview facts details misc todo context background config configuration settings
    info information meeting notes decisions status environment setup memory memories about
    """
)


def unsubjected(reading: Reading, speaker: str) -> FactCandidate | None:
    """'Prefers short answers': a note whose subject is the person that it is about."""
    first = reading.tokens[0]
    if (
        first.low not in _PERSONAL
        or not first.text[0].isupper()
        or len(reading.tokens) < 2
        or reading.leaves_alone
    ):
        return None
    preposition = reading.tokens[1].low if reading.tags[1] in ("IN", "TO") and len(reading.tokens) > 2 else ""
    start, end = without_fillers(reading, (2 if preposition else 1, len(reading.tokens)))
    while end > start and reading.tags[end - 1] in (".", ",", ";"):
        end -= 1
    thing, name = reading.words((start, end)), snake(f"{first.low} {preposition}")
    if not thing or reading.tags[start] in (".", ",", ":", "CC"):
        return None
    span = Span(reading.start, reading.end)
    return FactCandidate(
        speaker, name, thing, HEDGED if reading.hedged else SECONDARY, span, reading.sentence
    )


def pair_fact(text: str, key: str, heading: str, span: Span, speaker: str = "user") -> FactCandidate | None:
    """The fact of a `key: value` line; the heading above it is what it speaks of, the key its predicate."""
    value = fold(text[span.start : span.end]).strip("*_` ").rstrip(".;,")
    if not value or not snake(key) or _commands(value) or key.lower() in _OF_THE_PAGE:
        return None
    if key.lower() in _PERSONAL:
        return FactCandidate(speaker, key.lower(), value, SECONDARY, span, fold(f"{key}: {value}"))
    verb, _, rest = value.partition(" ")
    if rest and FORMS.get(verb.lower(), 0) & THIRD:
        return FactCandidate(key, snake(verb), rest, SECONDARY, span, fold(f"{key}: {value}"))
    named = heading and len(heading.split()) <= 5 and heading.lower() not in _GENERIC_HEADINGS
    if named and all(part.isalpha() for part in key.replace("-", " ").split()):
        subject, name = heading, attribute(key)
    else:
        subject, name = key, "is"
        if key.lower() in _OF_WHAT:
            return None
        if value.lower().startswith("no ") and len(value) > 3:
            name, value = "has_no", value[3:]
    return FactCandidate(subject, name, value, SECONDARY, span, fold(f"{key}: {value}"))


def _commands(value: str) -> bool:
    """Whether a value tells to do something ('Use short names for …') and so states nothing."""
    first, *rest = value.lower().split()
    return len(rest) >= 2 and bool(FORMS.get(first, 0) & BASE) and not value[0].isdigit()
