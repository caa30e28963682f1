"""What an owner wants to be gone: described by an id or by filters, and seen before it happens."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from sqlalchemy import Connection

from memory_server.domain.errors import NotFound
from memory_server.domain.memory import Memory
from memory_server.policies.text import cut, digest
from memory_server.services.parts import Parts
from memory_server.storage import browse, rows
from memory_server.storage.browse import Filters, Match

SAMPLE = 10  # memories that a dry run shows
_TEXT = 160  # characters of each


@dataclass(frozen=True, slots=True)
class Wish:
    """What an owner wants to be gone: one memory by its id, or all that the filters match.

    Args:
        memory_type: only this kind.
        derived: with the episodes that match, also what was learned from them.
    """

    id: str | None = None
    filters: Filters = field(default_factory=Filters)
    memory_type: str | None = None
    derived: bool = False


@dataclass(frozen=True, slots=True)
class Forecast:
    """What would be forgotten; the same call with `confirm` does it, as long as exactly this matches.

    Attributes:
        shared: how many of them other sources claim, too.
        archived: memories that a query cannot find since they are in no full text; 0 without a query.
    """

    total: int
    by_kind: dict[str, int]
    by_source: dict[str, int]
    sample: list[dict[str, Any]]
    shared: int
    archived: int
    confirm: str


def forecast(parts: Parts, wish: Wish) -> Forecast:
    """What the wish matches now; nothing is changed.

    Raises:
        NotFound: there is no memory of that id.
        StorageUnavailable: the database cannot be read.
    """
    with parts.database.read() as connection:
        found = matches(connection, wish)
        sample = [_shown(connection, match) for match in found[:SAMPLE]]
        unseen = 0
        if wish.filters.query is not None:
            unseen = sum(browse.archived(connection, kind) for kind in _kinds(wish))
    return Forecast(
        total=len(found),
        by_kind=dict(Counter(match.memory_type for match in found)),
        by_source=dict(Counter(match.source for match in found).most_common(50)),
        sample=sample,
        shared=sum(match.source_count > 1 for match in found),
        archived=unseen,
        confirm=confirmation(wish, found),
    )


def confirmation(wish: Wish, found: Sequence[Match]) -> str:
    """A value that stands for a wish and exactly what it matched, as it was then."""
    asked = sorted((name, str(value)) for name, value in asdict(wish.filters).items() if value is not None)
    matched = sorted(f"{match.memory_type} {match.id} {match.updated_at}" for match in found)
    return digest(str(wish.id), str(wish.memory_type), str(wish.derived), *map(str, asked), *matched)[:24]


def matches(connection: Connection, wish: Wish) -> list[Match]:
    """What a wish means, one kind after the other, each oldest first.

    Raises:
        NotFound: there is no memory of that id.
    """
    if wish.id is not None:
        _, kind = memory_named(connection, wish.id)
        found = browse.by_ids(connection, kind, [wish.id])
        # what was learned from it can also go when it is gone itself
        episodes = [wish.id] if kind == "episode" else []
    else:
        found = [match for kind in _kinds(wish) for match in browse.matching(connection, kind, wish.filters)]
        episodes = [match.id for match in found if match.memory_type == "episode"]
    if not wish.derived:
        return found
    learned = [
        match
        for kind in rows.TABLES
        if kind != "episode"
        for match in browse.learned_from(connection, kind, episodes)
    ]
    every = {match.id: match for match in (*found, *learned)}
    order = list(rows.TABLES)
    return sorted(every.values(), key=lambda match: (order.index(match.memory_type), match.row))


def _kinds(wish: Wish) -> list[str]:
    return [wish.memory_type] if wish.memory_type else list(rows.TABLES)


def memory_named(connection: Connection, memory_id: str) -> tuple[Memory, str]:
    """The memory of that id, with its kind.

    Raises:
        NotFound: there is none.
    """
    memory = rows.find(connection, memory_id)
    if memory is None:
        raise NotFound(f"there is no memory with the id {memory_id[:64]!r}", argument="id")
    return memory, memory.memory_type  # type: ignore[attr-defined]


def _shown(connection: Connection, match: Match) -> dict[str, Any]:
    memory = rows.by_ids(connection, rows.MODELS[match.memory_type], [match.id])[match.id]
    return {
        "id": memory.id,
        "memory_type": match.memory_type,
        "text": cut(memory.sentence(), _TEXT),  # type: ignore[attr-defined]
        "source": memory.source,
        "scope": memory.scope,
        "created_at": memory.created_at,
        "risk_tags": list(memory.risk_tags),
    }
