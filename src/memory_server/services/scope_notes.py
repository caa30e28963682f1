"""Tells a reader of a scope in which nothing is stored which scopes may have been meant."""

from __future__ import annotations

from difflib import SequenceMatcher

from sqlalchemy import Connection

from memory_server.policies.scopes import Scopes
from memory_server.services.parts import Parts
from memory_server.storage import scopes as stored

_MOST = 3
_LIKENESS = 0.6


def scope_note(connection: Connection, scopes: Scopes) -> str | None:
    """What to say where nothing is stored in the reader's own scope: the nearest names; None where something is.

    Raises:
        StorageUnavailable: the database cannot be read.
    """
    if scopes is None or stored.holds_anything(connection, scopes[0]):
        return None
    own = scopes[0]
    alike = nearest_scopes(own, stored.known(connection))
    meant = f"; did you mean {' or '.join(alike)}?" if alike else ""
    return f"nothing is stored in {own}, so what is global is shown{meant}"


def scope_note_of(parts: Parts, scopes: Scopes) -> str | None:
    """As `scope_note`, for those who have no connection at hand."""
    if scopes is None:
        return None
    with parts.database.read() as connection:
        return scope_note(connection, scopes)


def nearest_scopes(scope: str, known: list[str]) -> list[str]:
    """At most three known scopes whose names are like this one's, the likest first, of equal ones its own kind."""
    kind, _, name = scope.partition(":")
    likeness = {other: SequenceMatcher(None, name, other.partition(":")[2]).ratio() for other in known}
    alike = [other for other in known if likeness[other] >= _LIKENESS]
    return sorted(alike, key=lambda other: (-likeness[other], not other.startswith(f"{kind}:"), other))[
        :_MOST
    ]
