"""Reflection on what stands between beliefs: contradictions, entailments, and conflicts open and settled."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from memory_server.domain.lifecycle import LifecycleState
from memory_server.domain.memory import parse_time, rfc3339
from memory_server.policies.decay import age_days
from memory_server.services.belief_conflicts import ACTOR, CLEAR_DIFFERENCE
from memory_server.services.belief_relations import related
from memory_server.services.belief_survey import View
from memory_server.storage import beliefs
from memory_server.storage.beliefs import Outline

_S = LifecycleState


def conflicts(view: View) -> tuple[int, dict[str, int | float]]:
    """How many contradictions stand between beliefs in force, and how they and the settled ones count as conflicts.

    Unresolved are those that are found, and those that were declared contradicted and still are.
    """
    found = related(view.connection, view.every).contradictions()
    by_id = {one.id: one for one in view.every}
    settled, declared = _settled(view, by_id)
    open_pairs = {frozenset((pair.a.id, pair.b.id)) for pair in found} | declared
    sides = [[by_id[belief_id] for belief_id in pair] for pair in open_pairs]
    ages = [age_days(view.now, parse_time(max(a.created_at, b.created_at))) * 24 for a, b in sides]
    return len(found), {
        "total": len(open_pairs) + settled,
        "unresolved": len(open_pairs),
        "auto_resolvable": sum(
            1 for a, b in sides if round(abs(a.confidence - b.confidence), 9) > CLEAR_DIFFERENCE
        ),
        "age_hours_max": round(max(ages, default=0.0), 3),
    }


def _settled(view: View, by_id: Mapping[str, Outline]) -> tuple[int, set[frozenset[str]]]:
    """How many conflicts were settled, and the pairs that were declared contradicted and still are."""
    together: dict[str, list[tuple[str, LifecycleState]]] = {}
    for at, belief_id, state in beliefs.settlements(view.connection, ACTOR):
        if belief_id in by_id:
            together.setdefault(at, []).append((belief_id, state))
    settled, declared = 0, set()
    for moved in together.values():
        settled += any(state in (_S.DISCARDED, _S.SUPERSEDED) for _, state in moved)
        pair = {belief_id for belief_id, state in moved if state is _S.CONTRADICTED}
        if len(pair) == 2 and all(by_id[belief_id].state is _S.CONTRADICTED for belief_id in pair):
            declared.add(frozenset(pair))
    return settled, declared


def contradictions(view: View) -> dict[str, Any]:
    """Pairs in force that rule each other out, the surest first."""
    found = related(view.connection, view.every)
    pairs = found.contradictions()
    clear = sum(1 for pair in pairs if pair.difference > CLEAR_DIFFERENCE)
    if pairs:
        advice = f"resolve_conflict settles a pair; auto_resolve can decide {clear} of {len(pairs)}."
    else:
        advice = "No contradictions among active beliefs."
    return {
        "total": len(pairs),
        "contradictions": [
            {
                "belief_a_id": pair.a.id,
                "proposition_a": pair.a.proposition,
                "confidence_a": pair.a.confidence,
                "belief_b_id": pair.b.id,
                "proposition_b": pair.b.proposition,
                "confidence_b": pair.b.confidence,
                "overlap_score": pair.relation.overlap,
                "detection_score": pair.relation.confidence,
                "detection_method": pair.relation.method,
                "detected_at": rfc3339(view.now),
            }
            for pair in view.question.cut(pairs)
        ],
        "recommendation": advice + _left_out(found.left_out),
    }


def relations(view: View) -> dict[str, Any]:
    """Contradictions and entailments between beliefs in force that share a topic, and how many pairs are neutral."""
    question = view.question
    found = related(
        view.connection,
        view.every,
        context=question.context,
        strict_same_context=question.strict_same_context,
    )
    kinds = Counter(pair.relation.kind for pair in found.pairs)
    telling = [pair for pair in found.pairs if pair.relation.kind != "neutral"]
    telling.sort(key=lambda pair: (pair.relation.kind, -pair.relation.confidence))
    if kinds["contradiction"]:
        advice = "resolve_conflict settles a contradiction; of an entailment the more general belief may do."
    else:
        advice = "Nothing to settle among these beliefs."
    return {
        "total": len(found.pairs),
        "contradictions": kinds["contradiction"],
        "entailments": kinds["entailment"],
        "neutral_pairs": kinds["neutral"],
        "relations": [
            {
                "belief_a_id": pair.a.id,
                "proposition_a": pair.a.proposition,
                "belief_b_id": pair.b.id,
                "proposition_b": pair.b.proposition,
                "relation": pair.relation.kind,
                "confidence": pair.relation.confidence,
                "overlap": pair.relation.overlap,
                "method": pair.relation.method,
                "same_context": pair.relation.same_context,
                "direction": pair.relation.direction,
            }
            for pair in question.cut(telling)
        ],
        "recommendation": advice + _left_out(found.left_out),
    }


def _left_out(some: bool) -> str:
    return " Of very common topics only a part was compared: narrow it with topic." if some else ""
