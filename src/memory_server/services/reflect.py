"""Looks at all beliefs at once: how many, how sure, on what, against what, and what time does to them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Any, Literal, get_args

from memory_server.domain.belief import EvidenceType
from memory_server.domain.lifecycle import BELIEF_MOVES, LifecycleState
from memory_server.domain.memory import parse_time
from memory_server.policies.decay import age_days
from memory_server.services.belief_ageing import due_moves_of
from memory_server.services.belief_survey import Question, View, average, histogram, is_about, ranked
from memory_server.services.parts import Parts
from memory_server.services.reflect_relations import conflicts, contradictions, relations
from memory_server.storage import beliefs, evidence
from memory_server.storage.beliefs import Outline

Mode = Literal["overview", "contradictions", "decay", "topics", "evidence_audit", "confidence", "relations"]
AHEAD_DAYS = 7.0

_S = LifecycleState


def reflect(parts: Parts, mode: Mode, question: Question, now: datetime | None = None) -> dict[str, Any]:
    """One mode's answer about the beliefs that the question names and the reader sees.

    Raises:
        StorageUnavailable: the database cannot be read.
    """
    with parts.database.read() as connection:
        every = beliefs.outlines(connection, question.min_confidence, question.scopes)
        if question.topic is not None:
            every = [one for one in every if is_about(one, question.topic)]
        view = View(connection, parts.settings, now or datetime.now(UTC), question, every)
        return _MODES[mode](view)


def overview(view: View) -> dict[str, Any]:
    """How many beliefs there are, how sure they are, and what wants a look."""
    held, now = view.held, view.now
    ages = [age_days(now, parse_time(one.created_at)) for one in held]
    moves = due_moves_of(view.connection, view.settings, view.every, AHEAD_DAYS, now)
    n_contradictions, open_and_settled = conflicts(view)
    tags = Counter(tag for one in held for tag in one.tags)
    states = Counter(one.state for one in view.every)
    return {
        "total_beliefs": len(view.every),
        "by_lifecycle_state": {str(state): states[state] for state in BELIEF_MOVES},
        "by_topics": dict(view.question.cut(ranked(tags))),
        "confidence": {
            **histogram(held, {"high_0.8_1.0": 0.8, "medium_0.5_0.8": 0.5, "low_0.0_0.5": 0.0}),
            "average": average([one.confidence for one in held]),
        },
        "contradiction_count": n_contradictions,
        "conflicts": open_and_settled,
        "stale_count": states[_S.STALE],
        "decaying_next_7d": len(moves),
        "no_evidence_count": sum(1 for one in held if not one.n_evidence),
        "oldest_belief_days": round(max(ages, default=0.0), 3),
        "newest_belief_days": round(min(ages, default=0.0), 3),
    }


def decay(view: View) -> dict[str, Any]:
    """What is stale, and the moves of ageing that are due within seven days."""
    moves = due_moves_of(view.connection, view.settings, view.every, AHEAD_DAYS, view.now)
    to = Counter(state for states in moves.values() for state in states)
    stale = [one for one in view.every if one.state is _S.STALE]
    ageing = [one for one in view.every if one.state is _S.STALE or _S.STALE in moves.get(one.id, ())]
    n_moving = len(moves)
    if n_moving:
        advice = (
            f"{n_moving} belief(s) move on within 7 days; set_belief with the same words keeps one in force."
        )
    else:
        advice = "No belief moves on within 7 days."
    return {
        "stale_now": len(stale),
        "stale_7d": to[_S.STALE],
        "archived_7d": to[_S.ARCHIVED],
        "forgotten_7d": to[_S.FORGOTTEN],
        "by_tag_stale": dict(ranked(Counter(tag for one in ageing for tag in one.tags))),
        "recommendation": advice,
    }


def topics(view: View) -> dict[str, Any]:
    """Held beliefs by tag, the commonest first."""
    held = view.held
    by_tag: dict[str, list[Outline]] = {}
    for one in held:
        for tag in one.tags:
            by_tag.setdefault(tag, []).append(one)
    return {
        "topics": [
            {
                "tag": tag,
                "count": count,
                "avg_confidence": average([one.confidence for one in by_tag[tag]]),
                "stale": sum(1 for one in by_tag[tag] if one.state is _S.STALE),
            }
            for tag, count in view.question.cut(ranked(Counter({tag: len(of) for tag, of in by_tag.items()})))
        ],
        "untagged_count": sum(1 for one in held if not one.tags),
    }


def evidence_audit(view: View) -> dict[str, Any]:
    """What held beliefs rest on, and which of them rest on nothing."""
    held = view.held
    without = [one for one in held if not one.n_evidence]
    pieces = sum(one.n_evidence for one in held)
    weightless = sum(one.weightless for one in held)
    by_type = evidence.by_source_type(view.connection, [one.id for one in held if one.n_evidence])
    advice = []
    if without:
        advice.append(f"{len(without)} belief(s) rest on nothing: set_belief with sources adds evidence.")
    if weightless:
        advice.append(f"{weightless} piece(s) of evidence weigh nothing.")
    return {
        "total": len(held),
        "with_evidence": len(held) - len(without),
        "without_evidence": len(without),
        "beliefs_without_evidence": [
            {"id": one.id, "proposition": one.proposition} for one in view.question.cut(without)
        ],
        "avg_evidence_per_belief": round(pieces / len(held), 4) if held else 0.0,
        "by_source_type": {kind: by_type.get(kind, 0) for kind in get_args(EvidenceType)},
        "zero_weight_entries": weightless,
        "recommendation": " ".join(advice) or "Every belief rests on evidence.",
    }


def confidence(view: View) -> dict[str, Any]:
    """Held beliefs, the least sure first, and how sure they are on the whole."""
    held = view.held
    spread = histogram(held, {"0.9_1.0": 0.9, "0.7_0.9": 0.7, "0.5_0.7": 0.5, "0.3_0.5": 0.3, "0.0_0.3": 0.0})
    lowest = spread["0.0_0.3"]
    return {
        "beliefs": [
            {
                "id": one.id,
                "proposition": one.proposition,
                "confidence": one.confidence,
                "evidence_count": one.n_evidence,
                "lifecycle_state": str(one.state),
            }
            for one in view.question.cut(sorted(held, key=_claim))
        ],
        "histogram": spread,
        "lowest_count": lowest,
        "recommendation": (
            f"{lowest} belief(s) claim less than 0.3: give them evidence, or replace them."
            if lowest
            else "No belief claims less than 0.3."
        ),
    }


def _claim(one: Outline) -> float:
    return one.confidence


_MODES: Mapping[Mode, Callable[[View], dict[str, Any]]] = MappingProxyType(
    {
        "overview": overview,
        "contradictions": contradictions,
        "decay": decay,
        "topics": topics,
        "evidence_audit": evidence_audit,
        "confidence": confidence,
        "relations": relations,
    }
)
