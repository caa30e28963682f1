"""Takes in talks that were written down elsewhere: many turns at once, each an episode in its place."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice

from sqlalchemy import Connection

from memory_server.domain.episode import Episode
from memory_server.domain.errors import InvalidArgument
from memory_server.domain.lifecycle import first_state
from memory_server.domain.memory import new_id, rfc3339
from memory_server.domain.receipt import receipt_for
from memory_server.policies.conversation import heading
from memory_server.policies.text import digest, is_blank
from memory_server.policies.trust import injection_marks
from memory_server.services.learn import EPISODE_CONFIDENCE
from memory_server.services.lesson import without_secrets
from memory_server.services.parts import Parts
from memory_server.storage import episodes, lifecycle, outbox, receipts, sources, turns

BATCH = 500  # turns in one transaction
ACTOR = "import"


@dataclass(frozen=True, slots=True)
class Turn:
    """What one speaker said at one time, as a transcript tells it.

    Attributes:
        occurred_at: RFC 3339.
        external_id: its name in the transcript; the same name in the same session is the same turn, if the words are
            the same too.
    """

    text: str
    session: str
    speaker: str | None = None
    occurred_at: str | None = None
    external_id: str | None = None


@dataclass(slots=True)
class ImportedTurns:
    """How many turns are new, were known already, had no words, or were left out since they hold secrets."""

    new: int = 0
    known: int = 0
    empty: int = 0
    refused: int = 0


def import_turns(
    parts: Parts,
    given: Iterable[Turn],
    *,
    source: str = "transcript",
    scope: str = "global",
    progress: Callable[[int], None] = lambda _done: None,
) -> ImportedTurns:
    """Stores turns in the order in which they come; what is stored already is left as it is.

    Args:
        given: the turns; those of one session in their order.
        progress: is told how many have been looked at.

    Raises:
        StorageUnavailable: a batch could not be stored; those before it are.
    """
    done = ImportedTurns()
    looked_at = 0
    counted: dict[str, int] = {}
    for batch in _batches(given):
        cleaned = [turn for turn in (_cleaned(parts, turn, done) for turn in batch) if turn is not None]
        named = [_named(turn, counted) for turn in cleaned]
        with parts.database.write() as connection:
            _store(connection, named, source, scope, done)
        looked_at += len(batch)
        progress(looked_at)
    return done


def _batches(given: Iterable[Turn]) -> Iterator[Sequence[Turn]]:
    iterator = iter(given)
    while batch := list(islice(iterator, BATCH)):
        yield batch


def _cleaned(parts: Parts, turn: Turn, done: ImportedTurns) -> Turn | None:
    """The turn as it may be kept, None where it may not."""
    if is_blank(turn.text):
        done.empty += 1
        return None
    try:
        text, _, _ = without_secrets(parts, turn.text)
    except InvalidArgument:
        done.refused += 1
        return None
    return Turn(text, turn.session, turn.speaker, turn.occurred_at, turn.external_id)


def _named(turn: Turn, counted: dict[str, int]) -> Turn:
    """The turn under a name of its own: one without gets it from what it says and how often that was said before."""
    if turn.external_id is not None:
        return turn
    content = digest(turn.session, turn.speaker or "", turn.occurred_at or "", turn.text)
    counted[content] = counted.get(content, 0) + 1
    return Turn(turn.text, turn.session, turn.speaker, turn.occurred_at, f"{content}-{counted[content]}")


def _store(
    connection: Connection, batch: Sequence[Turn], source: str, scope: str, done: ImportedTurns
) -> None:
    now = datetime.now(UTC)
    names = [turn.external_id for turn in batch if turn.external_id is not None]
    forgotten = {turns.name_once_forgotten(turn.external_id or "", turn.session): turn for turn in batch}
    found = turns.known_under(connection, scope, [*names, *forgotten])
    known = {_identity(e.external_id, e.session, e.text) for e in found}
    known |= {
        _identity(turn.external_id, turn.session, turn.text)
        for turn in (forgotten.get(e.external_id or "") for e in found)
        if turn is not None
    }
    places: dict[str, int] = {}
    firsts: dict[str, int] = {}
    changed: list[tuple[str, str]] = []
    for turn in batch:
        identity = _identity(turn.external_id, turn.session, turn.text)
        if identity in known:
            done.known += 1
            continue
        known.add(identity)
        if turn.session not in places:
            places[turn.session] = episodes.next_position(connection, turn.session)
            firsts[turn.session] = places[turn.session]
        episode = _episode(turn, places[turn.session], source, scope, rfc3339(now))
        places[turn.session] += 1
        _insert(connection, episode)
        changed.append(("episode", episode.id))
        done.new += 1
    for session, first in firsts.items():
        turns.place_among_neighbours(connection, scope, session, first)
    outbox.enqueue(connection, changed, now.timestamp())


def _identity(external_id: str | None, session: str | None, text: str) -> tuple[str | None, str | None, str]:
    return external_id, session, digest(text)


def _episode(turn: Turn, position: int, source: str, scope: str, now: str) -> Episode:
    return Episode(
        id=new_id(),
        text=turn.text,
        heading=heading(turn.speaker, turn.occurred_at),
        session=turn.session,
        speaker=turn.speaker,
        occurred_at=turn.occurred_at,
        position=position,
        external_id=turn.external_id,
        confidence=EPISODE_CONFIDENCE,
        source=source,
        scope=scope,
        lifecycle_state=first_state("episode"),
        created_at=now,
        updated_at=now,
        reinforced_at=now,
        valid_from=turn.occurred_at or now,
        risk_tags=("injection_suspected",) if injection_marks(turn.text) else (),
    )


def _insert(connection: Connection, episode: Episode) -> None:
    now = episode.created_at
    episodes.insert(connection, episode)
    sources.claim(connection, episode.id, episode.source, episode.confidence, now)
    lifecycle.born(connection, episode, "episode", reason="ingested", actor=ACTOR, now=now)
    receipts.add(
        connection,
        receipt_for(episode, memory_type="episode", created_by=ACTOR, now=now, history=("imported",)),
    )
