"""What became of a lesson, as callers see it: every item with its receipt and its place in the text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Any

from sqlalchemy import Connection

from memory_server.domain.episode import Episode
from memory_server.domain.memory import Memory
from memory_server.policies.scopes import Scopes, visible_from
from memory_server.services.belief_views import belief_views
from memory_server.services.learn import Learned
from memory_server.services.learned_items import Stored
from memory_server.services.lesson import Understood
from memory_server.services.views import fact_views
from memory_server.settings import Settings

_COMMON = (
    "id",
    "confidence",
    "source",
    "source_count",
    "tags",
    "scope",
    "lifecycle_state",
    "created_at",
    "updated_at",
    "valid_from",
    "valid_to",
)
_PLACE = ("episode_id", "span_start", "span_end", "ttl_days", "admission_tag", "risk_tags")
_OWN = {
    "decision": ("context", "choice", "reason", "rejected_alternatives"),
    "skill": (
        "name",
        "slug",
        "version",
        "purpose",
        "steps",
        "constraints",
        "validation",
        "success_rate",
        "replaces_id",
    ),
    "episode": ("session", "speaker", "occurred_at", "position"),
}


def answer_of(connection: Connection, settings: Settings, learned: Learned, now: datetime) -> dict[str, Any]:
    """The answer of `learn`, every field filled."""
    understood = learned.understood
    return {
        "facts": _facts(connection, settings, learned, now),
        "decisions": [_item(stored) for stored in learned.decisions],
        "skills": [_item(stored) for stored in learned.skills],
        "beliefs": _beliefs(connection, settings, learned, now),
        "receipts": learned.receipts,
        "episode": _episode(learned.episode, understood) if learned.episode else None,
        "admission": asdict(understood.admission),
        "redacted": list(understood.redacted),
        "warnings": warnings_of(understood),
        "degraded": "; ".join(learned.degraded) or None,
    }


def warnings_of(understood: Understood) -> list[str]:
    """What a caller should know about the text."""
    found = []
    if understood.redacted:
        found.append(f"secrets were taken out before anything was stored: {', '.join(understood.redacted)}")
    if understood.secrets:
        found.append(f"secrets were stored as they are: {', '.join(understood.secrets)}")
    if understood.marks:
        found.append(
            f"the text looks as if it gave orders to a model ({', '.join(understood.marks)}): it is kept as data"
        )
    if understood.echoes:
        found.append(
            f"passages that this memory had handed out were not taken for new evidence: {understood.echoes}"
        )
    return found


def _facts(
    connection: Connection, settings: Settings, learned: Learned, now: datetime
) -> list[dict[str, Any]]:
    facts = [stored.memory for stored in learned.facts]
    views = fact_views(connection, settings, facts, now, _sight(learned))
    return [
        {"receipt": stored.receipt, "item": {**view.__dict__, **_fields(stored.memory, _PLACE)}}
        for stored, view in zip(learned.facts, views, strict=True)
    ]


def _sight(learned: Learned) -> Scopes:
    """What a reader of the scope sees that the text was learned in."""
    return visible_from(learned.understood.lesson.scope)


def _item(stored: Stored[Any]) -> dict[str, Any]:
    own = _OWN[stored.memory.memory_type]
    return {"receipt": stored.receipt, "item": _fields(stored.memory, (*_COMMON, *own, *_PLACE))}


def _beliefs(
    connection: Connection, settings: Settings, learned: Learned, now: datetime
) -> list[dict[str, Any]]:
    stored = learned.beliefs
    views = belief_views(connection, settings, [held.memory for held in stored], now, _sight(learned))
    return [
        {
            "belief": {**view.__dict__, **_fields(held.memory, _PLACE)},
            "extracted": {
                "proposition": held.extracted.proposition,
                "confidence": held.extracted.confidence,
                "kind": held.extracted.kind,
                "span_start": held.extracted.span.start,
                "span_end": held.extracted.span.end,
            },
            "reinforced": held.reinforced,
            "receipt": held.receipt,
        }
        for held, view in zip(stored, views, strict=True)
    ]


def _episode(stored: Stored[Episode], understood: Understood) -> dict[str, Any]:
    own = _OWN["episode"]
    shown = _fields(stored.memory, (*_COMMON, *own, "ttl_days", "admission_tag", "risk_tags"))
    return {
        **shown,
        "characters": len(stored.memory.text),
        "known": not stored.is_new,
        "risk_marks": list(understood.marks),
        "receipt": stored.receipt,
    }


def _fields(memory: Memory, names: Sequence[str]) -> dict[str, Any]:
    found = {name: getattr(memory, name) for name in names}
    return {name: list(value) if isinstance(value, tuple) else value for name, value in found.items()}
