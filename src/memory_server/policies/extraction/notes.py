"""Facts of notes that are no sentences: `key: value` lines, and lines whose subject is whom they are about."""

from __future__ import annotations

from .adjuncts import without_fillers
from .candidates import FactCandidate, Span
from .lexicon import NEGATIONS, words
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
# a section about the one who writes
_OF_ONESELF = frozenset(
    (
        *words("user me myself profile personal preferences bio owner"),
        "about me",
        "about the user",
        "user profile",
        "user preferences",
        "personal preferences",
        "who i am",
    )
)
_GENERIC_HEADINGS = words(
    """
    notes note summary overview facts details misc todo context background config configuration settings
    info information meeting notes decisions status environment setup memory memories about
    """
)


def unsubjected(reading: Reading, speaker: str) -> FactCandidate | None:
    """'Prefers short answers', "Doesn't eat fish": a note whose subject is the person that it is about."""
    tokens, tags = reading.tokens, reading.tags
    if len(tokens) < 2 or not tokens[0].text[0].isupper() or reading.leaves_alone:
        return None
    start, name = 1, tokens[0].low
    denied = name == "does" and len(tokens) > 3 and tokens[1].low in NEGATIONS
    if denied and FORMS.get(tokens[2].low, 0) & BASE:
        start, name = 3, f"does_not_{tokens[2].low}"
    elif name not in _PERSONAL:
        return None
    if tags[start] in ("IN", "TO") and start + 1 < len(tokens):
        start, name = start + 1, f"{name}_{tokens[start].low}"
    start, end = without_fillers(reading, (start, len(tokens)))
    while end > start and tags[end - 1] in (".", ",", ";"):
        end -= 1
    thing = reading.words((start, end))
    if not thing or tags[start] in (".", ",", ":", "CC"):
        return None
    subject, trust = _whom(reading.block.heading, speaker)
    span = Span(reading.start, reading.end)
    confidence = HEDGED if reading.hedged else trust
    return FactCandidate(
        subject, snake(name), thing, confidence, span, reading.sentence, denied, reading.hedged
    )


def _whom(heading: str, speaker: str) -> tuple[str, float]:
    """Whom a section is about, and the trust in it: its full name, or the writer."""
    parts = heading.split()
    if len(parts) in (2, 3) and all(part[0].isupper() and part.isalpha() for part in parts):
        return heading, SECONDARY
    known = not parts or heading.lower() in _GENERIC_HEADINGS | _OF_ONESELF
    return speaker, SECONDARY if known else HEDGED


def pair_fact(text: str, key: str, heading: str, span: Span, speaker: str = "user") -> FactCandidate | None:
    """The fact of a `key: value` line; the heading above it is what it speaks of, the key its predicate."""
    value = _bare(fold(text[span.start : span.end]).rstrip(".;,"))
    if heading.lower() in _OF_ONESELF:
        heading = speaker
    if not value or not snake(key) or _commands(value) or key.lower() in _OF_THE_PAGE:
        return None
    if key.lower() in _PERSONAL:
        subject, trust = _whom("" if heading == speaker else heading, speaker)
        return FactCandidate(subject, key.lower(), value, trust, span, fold(f"{key}: {value}"))
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
    versioned = bool(rest) and rest[0][0].isdigit()  # 'Go 1.24, htmx'
    return len(rest) >= 2 and bool(FORMS.get(first, 0) & BASE) and not versioned


def _bare(value: str) -> str:
    """A value without the marks that stand around all of it."""
    for mark in ("**", "*", "__", "_", "`"):
        if (
            value.startswith(mark)
            and value.endswith(mark)
            and value.count(mark) == 2
            and len(value) > 2 * len(mark)
        ):
            return value[len(mark) : -len(mark)].strip()
    return value.strip("*_ ")
