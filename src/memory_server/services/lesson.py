"""A text that is to be learned from, made ready: secrets out, echoes out, judged, and read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache

from memory_server.domain.errors import InvalidArgument, PayloadTooLarge
from memory_server.domain.memory import parse_time, rfc3339
from memory_server.policies.admission import Admission, admit
from memory_server.policies.confidence import DEFAULT_SOURCE_KINDS
from memory_server.policies.extraction import Extraction, extract
from memory_server.policies.secrets import redact
from memory_server.policies.text import is_blank
from memory_server.policies.trust import injection_marks
from memory_server.services.echoes import without_echoes
from memory_server.services.model_reading import with_model
from memory_server.services.parts import Parts
from memory_server.settings import Settings

MOST_CHARACTERS = 200_000

NO_EXPIRY_DAYS = 36_525.0
"""What "for ever" is on an item: none at all would mean the time to live of its kind. A hundred years."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """A text as somebody hands it over.

    Attributes:
        speaker: who says it; "I" in it means them.
        occurred_at: when it was said, RFC 3339; None is now.
        forced: stored whatever admission finds.
    """

    text: str
    source: str = "user"
    extract_beliefs: bool = False
    min_belief_confidence: float = 0.6
    session: str | None = None
    speaker: str | None = None
    occurred_at: str | None = None
    scope: str = "global"
    tags: tuple[str, ...] = ()
    forced: bool = False


@dataclass(frozen=True, slots=True)
class Verdict:
    """What admission says of one sentence, as it goes onto what is read out of it."""

    tag: str
    ttl_days: float
    valid_from: str | None


@dataclass(frozen=True, slots=True)
class Understood:
    """A lesson with what was found in it; nothing of it is stored yet.

    Attributes:
        text: as it will be kept: secrets are out, every place in `extraction` counts its characters.
        redacted: kinds of secrets that were taken out.
        secrets: kinds of secrets that are in it still, since the setting says so.
        echoes: passages that this server had handed out, which were not read.
    """

    lesson: Lesson
    text: str
    redacted: tuple[str, ...]
    secrets: tuple[str, ...]
    marks: tuple[str, ...]
    echoes: int
    admission: Admission
    extraction: Extraction
    degraded: tuple[str, ...] = ()


def understand(parts: Parts, lesson: Lesson, now: datetime) -> Understood:
    """Reads a lesson; no transaction is open while that takes its time.

    Raises:
        PayloadTooLarge: the text is longer than one call may bring.
        InvalidArgument: the text is empty or the time is none, or it holds secrets and the setting is to refuse them.
        StorageUnavailable: what was handed out cannot be looked up.
    """
    lesson = _checked(lesson)
    text, redacted, secrets = without_secrets(parts, lesson.text)
    with parts.database.read() as connection:
        readable, echoes = without_echoes(connection, text)
    admission = _judged(parts, lesson, readable, text, now)
    extraction, degraded = Extraction(), tuple[str, ...]()
    if admission.admitted and not is_blank(readable):
        extraction = extract(readable, speaker=lesson.speaker, beliefs=lesson.extract_beliefs)
        extraction, degraded = with_model(
            parts.settings, readable, extraction, beliefs=lesson.extract_beliefs
        )
    return Understood(
        lesson, text, redacted, secrets, injection_marks(text), echoes, admission, extraction, degraded
    )


def without_secrets(parts: Parts, text: str) -> tuple[str, tuple[str, ...], tuple[str, ...]]:
    """The text as the setting `secrets` wants it, the kinds that were taken out, and those that were left in.

    Raises:
        InvalidArgument: there are secrets and the setting is to refuse them.
    """
    cleaned, found = redact(text)
    kinds = tuple(dict.fromkeys(secret.kind for secret in found))
    if not kinds or parts.settings.secrets == "keep":
        return text, (), kinds
    if parts.settings.secrets == "refuse":
        raise InvalidArgument(
            f"text holds secrets ({', '.join(kinds)}) and the setting is to refuse them: take them out first",
            argument="text",
            kinds=list(kinds),
        )
    return cleaned, kinds, ()


def _checked(lesson: Lesson) -> Lesson:
    if len(lesson.text) > MOST_CHARACTERS:
        raise PayloadTooLarge(
            f"text has {len(lesson.text)} characters; at most {MOST_CHARACTERS} are allowed: learn it in parts",
            argument="text",
            length=len(lesson.text),
            allowed=MOST_CHARACTERS,
        )
    if is_blank(lesson.text):
        raise InvalidArgument("text is empty: give something to learn from", argument="text")
    if lesson.occurred_at is None:
        return lesson
    try:
        return replace(lesson, occurred_at=rfc3339(parse_time(lesson.occurred_at)))
    except (ValueError, OverflowError) as error:
        raise InvalidArgument(
            f"occurred_at must be a time like 2026-03-31T12:00:00Z, not {lesson.occurred_at[:60]!r}",
            argument="occurred_at",
        ) from error


def _judged(parts: Parts, lesson: Lesson, readable: str, text: str, now: datetime) -> Admission:
    kinds = {**DEFAULT_SOURCE_KINDS, **parts.settings.source_kinds}
    if is_blank(readable):
        # nothing but what we said ourselves
        verdict = admit(text, source=lesson.source, now=now, source_kinds=kinds)
        return replace(verdict, admitted=lesson.forced, reason_codes=("handed_out",))
    return admit(readable, source=lesson.source, now=now, forced=lesson.forced, source_kinds=kinds)


def judge_of(lesson: Lesson, settings: Settings) -> Callable[[str], Verdict]:
    """What admission finds about single sentences of a lesson; each is looked at once."""
    kinds = {**DEFAULT_SOURCE_KINDS, **settings.source_kinds}

    @cache
    def judge(sentence: str) -> Verdict:
        found = admit(sentence, source=lesson.source, source_kinds=kinds, risk_tags=())
        ttl_days = NO_EXPIRY_DAYS if found.ttl_days is None else found.ttl_days
        return Verdict(found.tag, ttl_days, _named_day(found.valid_from))

    return judge


def _named_day(text: str | None) -> str | None:
    try:
        return rfc3339(parse_time(text)) if text else None
    except ValueError:
        # it looks like a date and is none, such as 2026-02-31
        return None
