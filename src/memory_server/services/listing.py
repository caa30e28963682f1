"""A paged look at what is stored, by kind, source, tag, state, scope and time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from memory_server.domain.errors import InvalidArgument
from memory_server.domain.memory import Memory
from memory_server.policies.text import cut
from memory_server.services.parts import Parts
from memory_server.storage import browse, rows
from memory_server.storage.browse import Filters

_TEXT = 500  # characters of a memory that a page shows
_TOP = 1 << 62


@dataclass(frozen=True, slots=True)
class Listing:
    """One page; `next_cursor` asks for the one after it, None on the last."""

    memories: list[dict[str, Any]]
    next_cursor: str | None


def list_memories(
    parts: Parts, filters: Filters, limit: int, *, memory_type: str | None = None, cursor: str | None = None
) -> Listing:
    """Memories newest first, one kind after the other where no kind is given.

    Args:
        cursor: `next_cursor` of the page before.

    Raises:
        InvalidArgument: the cursor is none of ours.
        StorageUnavailable: the database cannot be read.
    """
    kinds = [memory_type] if memory_type is not None else list(rows.TABLES)
    kind, row = _place(cursor, kinds)
    found: list[tuple[str, int, Memory]] = []
    with parts.database.read() as connection:
        for here in kinds[kinds.index(kind) :]:
            wanted = limit + 1 - len(found)
            before = row if here == kind else _TOP
            found += [(here, *entry) for entry in browse.page(connection, here, filters, before, wanted)]
            if len(found) > limit:
                break
    shown = found[:limit]
    last = f"{shown[-1][0]}:{shown[-1][1]}" if len(found) > limit else None
    return Listing([_shown(here, memory) for here, _, memory in shown], last)


def _place(cursor: str | None, kinds: list[str]) -> tuple[str, int]:
    if cursor is None:
        return kinds[0], _TOP
    kind, _, row = cursor.partition(":")
    if kind not in kinds or not (row.isascii() and row.isdigit()) or len(row) > 18:
        raise InvalidArgument(
            f"cursor must be the next_cursor of the page before, not {cursor[:60]!r}", argument="cursor"
        )
    return kind, int(row)


def _shown(memory_type: str, memory: Memory) -> dict[str, Any]:
    return {
        "id": memory.id,
        "memory_type": memory_type,
        "text": cut(memory.sentence(), _TEXT),  # type: ignore[attr-defined]
        "confidence": memory.confidence,
        "source": memory.source,
        "tags": list(memory.tags),
        "scope": memory.scope,
        "lifecycle_state": str(memory.lifecycle_state),
        "created_at": memory.created_at,
        "updated_at": memory.updated_at,
        "valid_from": memory.valid_from,
        "valid_to": memory.valid_to,
        "episode_id": memory.episode_id,
        "risk_tags": list(memory.risk_tags),
    }
