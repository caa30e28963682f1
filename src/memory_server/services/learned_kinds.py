"""Stores facts, decisions and skills that were read out of a text, inside the transaction of `learn`."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from sqlalchemy import Connection

from memory_server.domain.decision import Decision
from memory_server.domain.fact import Fact
from memory_server.domain.lifecycle import is_current
from memory_server.domain.skill import Skill
from memory_server.policies.extraction import (
    DecisionCandidate,
    FactCandidate,
    SkillCandidate,
)
from memory_server.policies.text import is_blank
from memory_server.services.learned_items import Origin, Stored, common_fields, settle, state_again, write
from memory_server.services.remember import Statement
from memory_server.services.remember_many import record_all
from memory_server.services.skills import add_version
from memory_server.storage import decisions, facts, skills

MOST_NAME = 512  # characters of a subject, a predicate, a name
MOST_OBJECT = 8192


def store_facts(
    connection: Connection, found: Sequence[FactCandidate], origin: Origin, single_valued: Collection[str]
) -> tuple[list[Stored[Fact]], dict[int, str]]:
    """The facts, each once however often the text says it, and by place in `found` the id of what it became."""
    scope = origin.episode.scope
    triples = {
        place: facts.keys(candidate.subject, candidate.predicate, candidate.object, scope)["triple_hash"]
        for place, candidate in enumerate(found)
        if _fits(candidate)
    }
    first = {triple: found[place] for place, triple in reversed(triples.items())}
    stored: dict[str, Stored[Fact]] = {}
    fresh: list[tuple[str, Statement]] = []
    for triple, candidate in reversed(first.items()):
        closed = _closed_since(connection, candidate, origin) if origin.again else None
        if closed is None:
            fresh.append((triple, _statement(candidate, origin)))
        else:
            history = ["said again by the same text; no longer current"]
            receipt = settle(connection, closed, candidate.span, origin, history)
            stored[triple] = Stored(closed, receipt, is_new=False)
    statements = [statement for _, statement in fresh]
    written = record_all(
        connection, statements, created_by=origin.actor, now=origin.now, single_valued=single_valued
    )
    for (triple, _), remembered in zip(fresh, written, strict=True):
        stored[triple] = Stored(remembered.fact, remembered.receipt, remembered.is_new)
    in_order = dict.fromkeys(triples.values())
    return [stored[triple] for triple in in_order], {
        place: stored[triple].memory.id for place, triple in triples.items()
    }


def _fits(candidate: FactCandidate) -> bool:
    names = (candidate.subject, candidate.predicate)
    if any(is_blank(part) for part in (*names, candidate.object)):
        return False
    return max(map(len, names)) <= MOST_NAME and len(candidate.object) <= MOST_OBJECT


def _statement(candidate: FactCandidate, origin: Origin) -> Statement:
    verdict = origin.judge(candidate.sentence)
    return Statement(
        subject=candidate.subject,
        predicate=candidate.predicate,
        object=candidate.object,
        confidence=candidate.confidence,
        source=origin.source,
        tags=origin.tags,
        scope=origin.episode.scope,
        valid_from=verdict.valid_from or origin.said_at,
        episode_id=origin.episode.id,
        span=(candidate.span.start, candidate.span.end),
        ttl_days=verdict.ttl_days,
        admission_tag=verdict.tag,
        risk_tags=origin.risk_tags,
    )


def _closed_since(connection: Connection, candidate: FactCandidate, origin: Origin) -> Fact | None:
    """The fact that this text once made, where something newer has taken its place since."""
    parts = (candidate.subject, candidate.predicate, candidate.object)
    _, known_id = facts.said_before(connection, facts.keys(*parts, origin.episode.scope))
    known = facts.by_ids(connection, [known_id]).get(known_id) if known_id else None
    if known is None or (known.valid_to is None and is_current(known.lifecycle_state)):
        return None
    return known


def store_decisions(
    connection: Connection, found: Sequence[DecisionCandidate], origin: Origin
) -> list[Stored[Decision]]:
    """The decisions, each once however often the text says it."""
    stored: dict[str, Stored[Decision]] = {}
    for candidate in found:
        if is_blank(candidate.choice):
            continue
        decision = Decision(
            **common_fields("decision", candidate.span, candidate.confidence, origin),
            context=candidate.context,
            choice=candidate.choice,
            reason=candidate.reason,
            rejected_alternatives=candidate.rejected_alternatives,
        )
        key = decisions.content_hash(decision)
        if key in stored:
            continue
        known = decisions.current_by_content(connection, decision)
        if known is None:
            stored[key] = write(connection, decision, candidate.span, origin)
        else:
            stored[key] = state_again(connection, known, candidate.confidence, candidate.span, origin)
    return list(stored.values())


def store_skills(
    connection: Connection, found: Sequence[SkillCandidate], origin: Origin
) -> list[Stored[Skill]]:
    """The skills: what says something else than the newest version under its name becomes the next version."""
    stored: dict[tuple[str, str], Stored[Skill]] = {}
    for candidate in found:
        if is_blank(candidate.name) or len(candidate.name) > MOST_NAME or not candidate.steps:
            continue
        skill = Skill(
            **common_fields("skill", candidate.span, candidate.confidence, origin),
            name=candidate.name,
            slug=skills.slug_of(candidate.name),
            purpose=candidate.purpose,
            steps=candidate.steps,
            constraints=candidate.constraints,
            validation=candidate.validation,
        )
        key = (skill.slug, skills.content_hash(skill))
        if key not in stored:
            stored[key] = _store_skill(connection, skill, candidate, origin)
    return list(stored.values())


def _store_skill(
    connection: Connection, skill: Skill, candidate: SkillCandidate, origin: Origin
) -> Stored[Skill]:
    versions = skills.versions(connection, skill.scope, skill.slug)
    content = skills.content_hash(skill)
    # an old text that is handed over again doesn't bring its old version back
    comparable = versions if origin.again else versions[-1:]
    known = next((old for old in comparable if skills.content_hash(old) == content), None)
    if known is not None:
        return state_again(connection, known, candidate.confidence, candidate.span, origin)
    history = origin.history(candidate.span)
    added = add_version(connection, skill, actor=origin.actor, now=origin.now, history=history)
    return Stored(added.skill, added.receipt, is_new=True)
