"""Whether a text is worth keeping, for how long, and what it is: looked at before anything is taken out of it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from memory_server.domain.memory import rfc3339
from memory_server.policies.admission_words import (
    DECISION,
    HEARSAY,
    HEDGE,
    IMPORTANT,
    PASSING,
    PASSING_NOT,
    PREFERENCE,
    PROCEDURE,
    SMALL_TALK,
    VALID_FROM,
    VALID_TO,
)
from memory_server.policies.confidence import DEFAULT_SOURCE_KINDS, RELIABILITY, source_kind
from memory_server.policies.secrets import find_secrets
from memory_server.policies.text import is_blank, normal
from memory_server.policies.trust import injection_marks

TAG_TTL_DAYS: Mapping[str, float | None] = {"ephemeral": 1.0, "durable": 365.0, "important": None}
"""Days that each tag keeps a text; None is for ever."""

MAX_CHARS = 20_000
"""A text is judged by its first characters; what is longer than this is a document and no passing remark."""

_SENTENCES = re.compile(r"(?<=[.!?…。！？])\s+|\n+")


@dataclass(frozen=True, slots=True)
class Admission:
    """What admission found.

    `tag` is ephemeral, durable or important; `ttl_days` None never expires; `score` (0–1) says how worth keeping
    it is; `memory_kind` is small_talk, remark, question, decision, preference, instruction, procedure or
    statement; `epistemic_status` stated, hedged, hearsay or asked; `authority_level` the kind of the source;
    `valid_from` and `valid_to` (RFC 3339 or a date) are what the text itself names.
    """

    admitted: bool
    tag: str
    ttl_days: float | None
    score: float
    reason_codes: tuple[str, ...]
    memory_kind: str
    epistemic_status: str
    authority_level: str
    risk_tags: tuple[str, ...]
    admission_tags: tuple[str, ...]
    valid_from: str | None
    valid_to: str | None


def admit(
    text: str,
    *,
    source: str,
    now: datetime | None = None,
    forced: bool = False,
    source_kinds: Mapping[str, str] = DEFAULT_SOURCE_KINDS,
    risk_tags: tuple[str, ...] | None = None,
) -> Admission:
    """Judges a text by its words and its source.

    `forced` admits whatever it is, as an explicit write does; the tag stays. `now` dates the end of a passing
    remark; `risk_tags` are given where the text was looked at for risks before. Ephemeral is a text of which
    every sentence is small talk or speaks of the moment.
    """
    head = normal(text[:MAX_CHARS])
    sentences = [part for part in map(normal, _SENTENCES.split(text[:MAX_CHARS])) if part]
    reasons = _reasons(head, sentences)
    kind = _memory_kind(head, sentences, reasons)
    tag = _tag(reasons)
    worthless = tag == "ephemeral" or "empty" in reasons
    risks = _risk_tags(text) if risk_tags is None else risk_tags
    authority = source_kind(source, source_kinds)
    ttl = TAG_TTL_DAYS[tag]
    valid_to = _named_date(VALID_TO, head)
    if valid_to is None and tag == "ephemeral" and now is not None:
        valid_to = rfc3339(now + timedelta(days=1))
    return Admission(
        admitted=forced or not worthless,
        tag=tag,
        ttl_days=ttl,
        score=_score(tag, kind, authority, bool(risks), "empty" in reasons),
        reason_codes=(*reasons, "forced") if forced and worthless else reasons,
        memory_kind=kind,
        epistemic_status=_epistemic_status(head, kind),
        authority_level=authority,
        risk_tags=risks,
        admission_tags=tuple(dict.fromkeys((tag, kind, *risks))),
        valid_from=_named_date(VALID_FROM, head),
        valid_to=valid_to,
    )


def _reasons(head: str, sentences: list[str]) -> tuple[str, ...]:
    """Codes for what was noticed, the deciding one first."""
    if is_blank(head):
        return ("empty",)
    if re.search(IMPORTANT, head):
        return ("important_words",)
    talk = [_is_small_talk(sentence) for sentence in sentences]
    if all(talk):
        return ("small_talk",)
    passing = [small or _is_passing(sentence) for small, sentence in zip(talk, sentences, strict=True)]
    return ("passing",) if all(passing) else ("content",)


def _is_small_talk(sentence: str) -> bool:
    """Whether nothing but greetings, thanks and assent is said."""
    return re.fullmatch(SMALL_TALK, sentence) is not None


def _is_passing(sentence: str) -> bool:
    """Whether a sentence speaks of the moment only; a decision taken today stays one."""
    if re.search(DECISION, sentence):
        return False
    return re.search(PASSING, re.sub(PASSING_NOT, " ", sentence)) is not None


def _tag(reasons: tuple[str, ...]) -> str:
    if reasons[0] == "important_words":
        return "important"
    return "durable" if reasons[0] == "content" else "ephemeral"


def _memory_kind(head: str, sentences: list[str], reasons: tuple[str, ...]) -> str:
    if reasons[0] in ("small_talk", "empty"):
        return "small_talk"
    if re.search(DECISION, head):
        return "decision"
    if re.search(PREFERENCE, head):
        return "preference"
    if re.search(PROCEDURE, head):
        return "procedure"
    if reasons[0] == "important_words":
        return "instruction"
    if all(sentence.endswith(("?", "？")) for sentence in sentences):
        return "question"
    return "remark" if reasons[0] == "passing" else "statement"


def _epistemic_status(head: str, kind: str) -> str:
    if kind == "question":
        return "asked"
    if re.search(HEARSAY, head):
        return "hearsay"
    return "hedged" if re.search(HEDGE, head) else "stated"


def _risk_tags(text: str) -> tuple[str, ...]:
    risks = [
        name
        for name, found in (
            ("injection_suspected", injection_marks(text)),
            ("secret_suspected", find_secrets(text)),
        )
        if found
    ]
    return tuple(risks)


def _score(tag: str, kind: str, authority: str, risky: bool, empty: bool) -> float:
    """0.5 for a plain statement; up for what is important or reliable, down for what passes or is suspect."""
    if empty:
        return 0.0
    score = {"ephemeral": 0.1, "durable": 0.5, "important": 0.8}[tag]
    score += 0.1 if kind in ("decision", "preference", "procedure", "instruction") else 0.0
    score -= 0.2 if kind == "question" else 0.0
    score += (RELIABILITY.get(authority, RELIABILITY["unknown"]) - RELIABILITY["extracted"]) / 5
    score -= 0.3 if risky else 0.0
    return round(min(1.0, max(0.0, score)), 3)


def _named_date(pattern: str, head: str) -> str | None:
    match = re.search(pattern, head)
    if match is None:
        return None
    try:
        return date.fromisoformat(match["date"]).isoformat()
    except ValueError:
        # it looks like a date and is none, such as 2026-02-31
        return None
