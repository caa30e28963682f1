"""Stores and changes notes; when the answer is out, it is on disk and nothing is there twice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime

from sqlalchemy import Connection

from memory_server.domain.errors import NotFound
from memory_server.domain.knowledge import Knowledge, KnowledgeExists, Note, NoteChanges
from memory_server.domain.lifecycle import first_state
from memory_server.domain.memory import new_id, rfc3339
from memory_server.domain.receipt import receipt_for
from memory_server.policies.scopes import Scopes
from memory_server.policies.text import cut
from memory_server.policies.trust import injection_marks
from memory_server.services.parts import Parts
from memory_server.storage import knowledge, lifecycle, outbox, receipts, sources

CLAIM = 0.5  # as of any memory that is stored without a claim
SOURCE = "manual"
_ID_SHOWN = 128  # characters of an id that leads nowhere


@dataclass(frozen=True, slots=True)
class Page:
    """Some notes, and how many there are of their kind."""

    notes: Sequence[Knowledge]
    total: int


def store_knowledge(parts: Parts, note: Note, *, actor: str = "storeKnowledge") -> Knowledge:
    """Stores a note in a transaction of its own.

    Raises:
        KnowledgeExists: its scope has one with that title or that content.
        StorageUnavailable: nothing was stored.
    """
    # before the transaction, in which others wait
    now = datetime.now(UTC)
    fresh = new_knowledge(note, now)
    with parts.database.write() as connection:
        record(connection, [fresh], created_by=actor, now=now)
    return fresh


def new_knowledge(note: Note, now: datetime) -> Knowledge:
    """A note that is not stored yet."""
    moment = rfc3339(now)
    return Knowledge(
        id=new_id(),
        title=note.title,
        content=note.content,
        tags=note.tags,
        scope=note.scope,
        confidence=CLAIM,
        source=SOURCE,
        lifecycle_state=first_state("knowledge"),
        created_at=moment,
        updated_at=moment,
        reinforced_at=moment,
        valid_from=moment,
        risk_tags=risk_tags_of(note.title, note.content),
    )


def risk_tags_of(title: str, content: str) -> tuple[str, ...]:
    """What a reader should beware of in a note."""
    return ("injection_suspected",) if injection_marks(f"{title}\n{content}") else ()


def record(connection: Connection, notes: Sequence[Knowledge], *, created_by: str, now: datetime) -> None:
    """Writes new notes with all that belongs to a write, inside the caller's transaction.

    Raises:
        KnowledgeExists: one of them is there.
    """
    moment = rfc3339(now)
    for note in notes:
        compared = knowledge.derived(note)
        _refuse_twin(connection, note, compared)
        knowledge.insert(connection, note, compared)
    sources.claim_all(connection, [(note.id, note.source, note.confidence) for note in notes], moment)
    lifecycle.all_born(connection, notes, "knowledge", reason="ingested", actor=created_by, now=moment)
    receipts.add_all(
        connection,
        [
            receipt_for(note, memory_type="knowledge", created_by=created_by, now=moment, history=("stored",))
            for note in notes
        ],
    )
    outbox.enqueue(connection, [("knowledge", note.id) for note in notes], now.timestamp())


def update_knowledge(
    parts: Parts, memory_id: str, changes: NoteChanges, *, actor: str = "updateKnowledge"
) -> Knowledge:
    """Changes what is given of a note, and nothing else.

    Raises:
        NotFound: there is no such note, or it is archived or forgotten.
        KnowledgeExists: another note of its scope, or of the one that it moves to, has that title or content.
        StorageUnavailable: nothing was changed.
    """
    now = datetime.now(UTC)
    given = {name: value for name, value in asdict(changes).items() if value is not None}
    with parts.database.write() as connection:
        note = knowledge.current(connection, memory_id)
        if note is None:
            asked = cut(memory_id, _ID_SHOWN)
            raise NotFound(f"Knowledge item not found: {asked}", id=asked)
        moment = rfc3339(now)
        different = [name for name, value in given.items() if getattr(note, name) != value]
        changed = note.model_copy(update=given)
        compared = knowledge.derived(changed)
        _refuse_twin(connection, changed, compared)
        columns = {
            **given,
            "risk_tags": risk_tags_of(changed.title, changed.content),
            "updated_at": moment,
            "reinforced_at": moment,
        }
        changed = knowledge.update(connection, note, columns, compared)
        told = f"changed: {', '.join(different)}" if different else "updated; nothing is different"
        receipts.add(
            connection,
            receipt_for(changed, memory_type="knowledge", created_by=actor, now=moment, history=(told,)),
        )
        outbox.enqueue(connection, [("knowledge", note.id)], now.timestamp())
    return changed


def list_knowledge(
    parts: Parts,
    *,
    tokens: Sequence[str] = (),
    tags: Sequence[str] = (),
    scopes: Scopes = None,
    order: knowledge.Order = "updated-desc",
    limit: int = 50,
    offset: int = 0,
) -> Page:
    """One page of the notes that hold every token, carry every tag and are of just these scopes.

    Raises:
        StorageUnavailable: the database cannot be read.
    """
    with parts.database.read() as connection:
        notes, total = knowledge.page(
            connection, tokens=tokens, tags=tags, scopes=scopes, order=order, limit=limit, offset=offset
        )
    return Page(notes, total)


def in_scope(note: Note, default: str | None, given: object) -> Note:
    """The note in the scope that the settings name, where its caller named none."""
    return note if default is None or given not in (None, "") else replace(note, scope=default)


def _refuse_twin(connection: Connection, note: Knowledge, compared: dict[str, str]) -> None:
    twin = knowledge.twin(connection, note, compared)
    if twin is not None:
        raise KnowledgeExists(*twin)
