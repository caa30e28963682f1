"""A paged look at what is stored, by kind, source, tag, state, scope and time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from memory_server.domain.errors import InvalidArgument
from memory_server.domain.memory import Memory
from memory_server.policies.scopes import Scopes
from memory_server.policies.text import cut
from memory_server.services.parts import Parts
from memory_server.services.scope_notes import scope_note
from memory_server.storage import browse, rows
from memory_server.storage.browse import Filters

_TEXT = 500  # characters of a memory that a page shows
_TOP = 1 << 62

Shelf = tuple[str | None, str]
"""A scope (None for all) and a kind of memory in it."""


@dataclass(frozen=True, slots=True)
class Listing:
    """One page; `next_cursor` asks for the one after it, None on the last."""

    memories: list[dict[str, Any]]
    next_cursor: str | None
    scope_note: str | None


def list_memories(
    parts: Parts,
    filters: Filters,
    limit: int,
    *,
    memory_type: str | None = None,
    scopes: Scopes = None,
    cursor: str | None = None,
) -> Listing:
    """Memories newest first, one kind after the other where no kind is given; the reader's own scope comes first.

    A page begins behind the row at which the one before ended, so that nothing is shown twice and what was there
    from the beginning is not left out, whatever is written meanwhile.

    Args:
        scopes: what the reader sees; None for everything.
        cursor: `next_cursor` of the page before.

    Raises:
        InvalidArgument: the cursor is none of ours.
        StorageUnavailable: the database cannot be read.
    """
    shelves = [
        (scope, kind)
        for scope in (scopes or (None,))
        for kind in ([memory_type] if memory_type is not None else rows.TABLES)
    ]
    first, row = _place(cursor, shelves)
    found: list[tuple[int, int, Memory]] = []
    with parts.database.read() as connection:
        for number in range(first, len(shelves)):
            scope, kind = shelves[number]
            asked = filters if scope is None else replace(filters, scope=scope)
            before = row if number == first else _TOP
            wanted = limit + 1 - len(found)
            found += [(number, *entry) for entry in browse.page(connection, kind, asked, before, wanted)]
            if len(found) > limit:
                break
        note = scope_note(connection, scopes)
    shown = found[:limit]
    last = _cursor(shelves, shown[-1][0], shown[-1][1]) if len(found) > limit else None
    return Listing([_shown(shelves[number][1], memory) for number, _, memory in shown], last, note)


def _cursor(shelves: Sequence[Shelf], number: int, row: int) -> str:
    scope, kind = shelves[number]
    return f"{kind}:{row}" + (f":{scope}" if scope is not None else "")


def _place(cursor: str | None, shelves: Sequence[Shelf]) -> tuple[int, int]:
    if cursor is None:
        return 0, _TOP
    kind, _, place = cursor.partition(":")
    row, _, scope = place.partition(":")
    if (scope or None, kind) not in shelves or not (row.isascii() and row.isdigit()) or len(row) > 18:
        raise InvalidArgument(
            f"cursor must be the next_cursor of the page before, asked for in the same way, not {cursor[:60]!r}",
            argument="cursor",
        )
    return shelves.index((scope or None, kind)), int(row)


def _shown(memory_type: str, memory: Memory) -> dict[str, Any]:
    return {
        "id": memory.id,
        "memory_type": memory_type,
        "text": cut(memory.sentence(), _TEXT).strip(),  # type: ignore[attr-defined]
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
