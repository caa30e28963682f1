"""Finds beliefs by their words and by what is known of them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

from memory_server.domain.errors import InvalidArgument
from memory_server.domain.lifecycle import LifecycleState, parse_state
from memory_server.services.belief_views import BeliefView, belief_views
from memory_server.services.parts import Parts
from memory_server.services.scope_notes import scope_note
from memory_server.storage import belief_search
from memory_server.storage.belief_search import Filters


@dataclass(frozen=True, slots=True)
class FoundBeliefs:
    beliefs: list[BeliefView]
    has_more: bool
    scope_note: str | None = None


def get_belief(parts: Parts, proposition: str, filters: Filters, limit: int) -> FoundBeliefs:
    """The beliefs that words and filters find, best first; without words the newest first.

    Raises:
        StorageUnavailable: the database cannot be read.
    """
    now = datetime.now(UTC)
    with parts.database.read() as connection:
        with parts.observation.span("database", operation="get_belief"):
            found = belief_search.search(connection, proposition, filters, limit + 1, parts.frequencies)
        views = belief_views(connection, parts.settings, found[:limit], now, filters.scopes)
        note = scope_note(connection, filters.scopes)
    return FoundBeliefs(views, has_more=len(found) > limit, scope_note=note)


def wanted_state(text: str) -> LifecycleState | None:
    """The state that a caller names, old names included; None for all of them.

    Raises:
        InvalidArgument: there is no such state.
    """
    if not text.strip():
        return None
    try:
        return parse_state(text)
    except ValueError as error:
        raise InvalidArgument(
            f'lifecycle_state: {error}, or "" for all',
            argument="lifecycle_state",
            allowed=list(LifecycleState),
        ) from error
