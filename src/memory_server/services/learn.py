"""Takes knowledge out of plain text: the text itself and what it says, stored in one transaction."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Connection

from memory_server.domain.decision import Decision
from memory_server.domain.episode import Episode
from memory_server.domain.fact import Fact
from memory_server.domain.lifecycle import first_state
from memory_server.domain.memory import new_id, parse_time, rfc3339
from memory_server.domain.receipt import Receipt, receipt_for
from memory_server.domain.skill import Skill
from memory_server.policies.conversation import heading
from memory_server.policies.text import normal
from memory_server.services.learned_beliefs import StoredBelief, store_beliefs
from memory_server.services.learned_items import Origin, Stored
from memory_server.services.learned_kinds import (
    store_decisions,
    store_facts,
    store_skills,
)
from memory_server.services.lesson import Lesson, Understood, judge_of, understand
from memory_server.services.parts import Parts
from memory_server.services.skills import sync_skills
from memory_server.storage import episodes, lifecycle, outbox, receipts, sources, turns

EPISODE_CONFIDENCE = 0.5  # a text is kept as it is; how far to trust it is for what is read out of it


@dataclass(frozen=True, slots=True)
class Learned:
    """What became of a lesson; no episode where nothing was stored.

    Attributes:
        degraded: what did not go as it should, without loss of what was stored.
    """

    understood: Understood
    episode: Stored[Episode] | None = None
    facts: list[Stored[Fact]] = field(default_factory=list)
    decisions: list[Stored[Decision]] = field(default_factory=list)
    skills: list[Stored[Skill]] = field(default_factory=list)
    beliefs: list[StoredBelief] = field(default_factory=list)
    degraded: tuple[str, ...] = ()

    @property
    def receipts(self) -> list[Receipt]:
        """Those of the items, in their order."""
        items: list[Any] = [*self.facts, *self.decisions, *self.skills, *self.beliefs]
        return [item.receipt for item in items]


class _Rehearsed(Exception):
    """Ends the transaction of a rehearsal, so that nothing of it stays."""


def learn(parts: Parts, lesson: Lesson, *, created_by: str = "learn", rehearse: bool = False) -> Learned:
    """Stores what a text says, all of it or nothing.

    Args:
        created_by: the tool or process that writes, for receipts.
        rehearse: goes through all of it, and leaves nothing behind.

    Raises:
        PayloadTooLarge: the text is longer than one call may bring.
        InvalidArgument: the text is empty, a time is none, or secrets are to be refused.
        StorageUnavailable: nothing was stored.
    """
    now = datetime.now(UTC)
    understood = understand(parts, lesson, now)
    if not understood.admission.admitted:
        return Learned(understood, degraded=understood.degraded)
    try:
        with parts.database.write() as connection:
            learned = _store(parts, connection, understood, created_by, now)
            if rehearse:
                raise _Rehearsed
    except _Rehearsed:
        return learned
    if any(skill.is_new for skill in learned.skills):
        hindrance = sync_skills(parts)
        if hindrance is not None:
            return replace(learned, degraded=(*learned.degraded, hindrance))
    return learned


def _store(
    parts: Parts, connection: Connection, understood: Understood, created_by: str, now: datetime
) -> Learned:
    lesson, found = understood.lesson, understood.extraction
    episode, again = _store_episode(connection, understood, created_by, rfc3339(now))
    origin = Origin(
        episode=episode.memory,
        source=lesson.source,
        tags=lesson.tags,
        risk_tags=episode.memory.risk_tags,
        judge=judge_of(lesson, parts.settings),
        again=again,
        said_at=lesson.occurred_at,
        actor=created_by,
        now=now,
    )
    facts, ids = store_facts(connection, found.facts, origin, parts.settings.single_valued)
    return Learned(
        understood,
        episode=episode,
        facts=facts,
        decisions=store_decisions(connection, found.decisions, origin),
        skills=store_skills(connection, found.skills, origin),
        beliefs=store_beliefs(connection, found.beliefs, ids, origin, lesson.min_belief_confidence),
        degraded=understood.degraded,
    )


def _store_episode(
    connection: Connection, understood: Understood, created_by: str, now: str
) -> tuple[Stored[Episode], bool]:
    """The text itself, kept once; and whether this source has handed it over before."""
    lesson = understood.lesson
    known = episodes.saying(connection, lesson.scope, understood.text)
    if known is not None:
        return _episode_again(connection, known, lesson, created_by, now)
    episode = _new_episode(connection, understood, now)
    episodes.insert(connection, episode)
    if episode.session is not None and episode.position is not None:
        turns.place_among_neighbours(connection, episode.scope, episode.session, episode.position)
    sources.claim(connection, episode.id, episode.source, episode.confidence, now)
    lifecycle.born(connection, episode, "episode", reason="ingested", actor=created_by, now=now)
    return Stored(
        episode, _settled(connection, episode, lesson, created_by, now, "stored"), is_new=True
    ), False


def _episode_again(
    connection: Connection, known: Episode, lesson: Lesson, created_by: str, now: str
) -> tuple[Stored[Episode], bool]:
    claimed = sources.names(connection, [known.id]).get(known.id, [known.source])
    again = normal(lesson.source) in {normal(name) for name in claimed}
    sources.claim(connection, known.id, lesson.source, known.confidence, now)
    changes = {"source_count": len(claimed) + (not again), "reinforced_at": now, "updated_at": now}
    episode = episodes.update(connection, known, changes)
    told = f"handed over {'again' if again else 'too'} by {lesson.source}"
    return Stored(episode, _settled(connection, episode, lesson, created_by, now, told), is_new=False), again


def _settled(
    connection: Connection, episode: Episode, lesson: Lesson, created_by: str, now: str, told: str
) -> Receipt:
    receipt = receipt_for(
        episode, memory_type="episode", created_by=created_by, now=now, source=lesson.source, history=(told,)
    )
    receipts.add(connection, receipt)
    outbox.enqueue(connection, [("episode", episode.id)], parse_time(now).timestamp())
    return receipt


def _new_episode(connection: Connection, understood: Understood, now: str) -> Episode:
    lesson, verdict = understood.lesson, understood.admission
    place = None if lesson.session is None else episodes.next_position(connection, lesson.session)
    return Episode(
        id=new_id(),
        text=understood.text,
        heading=heading(lesson.speaker, lesson.occurred_at),
        session=lesson.session,
        speaker=lesson.speaker,
        occurred_at=lesson.occurred_at,
        position=place,
        confidence=EPISODE_CONFIDENCE,
        source=lesson.source,
        tags=lesson.tags,
        scope=lesson.scope,
        lifecycle_state=first_state("episode"),
        created_at=now,
        updated_at=now,
        reinforced_at=now,
        valid_from=lesson.occurred_at or now,
        # a text that is kept by force alone goes when its day is over
        ttl_days=verdict.ttl_days if verdict.tag == "ephemeral" else None,
        admission_tag=verdict.tag,
        risk_tags=("injection_suspected",) if understood.marks else (),
    )
