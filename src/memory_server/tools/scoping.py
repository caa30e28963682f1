"""The argument `scope` of every tool that has it: what may be given, and what holds where nothing is."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from memory_server.domain.errors import InvalidArgument
from memory_server.policies.scopes import ALLOWED, EVERYTHING, GLOBAL, Scopes, parse_scope, visible_from
from memory_server.settings import Settings

Scope = Annotated[str | None, Field(description=ALLOWED)]
"""The argument of a tool that writes."""

ReadScope = Annotated[str | None, Field(description=f"{ALLOWED}; {EVERYTHING} for all")]
"""The argument of a tool that reads."""

ScopeNote = Annotated[
    str | None, Field(description="When nothing is stored in the scope: which may be meant")
]
"""The field of an answer that tells of a scope in which nothing is stored."""


def write_scope(settings: Settings, given: str | None) -> str:
    """The scope that a new memory belongs to: the given one, else that of the settings, else `global`.

    Raises:
        InvalidArgument: it is none; the message says what is allowed.
    """
    if given is None:
        return settings.scope or GLOBAL
    return _parsed(given, ALLOWED)


def read_scopes(settings: Settings, given: str | None) -> Scopes:
    """What a read sees: the given scope and `global`, its own first; without one that of the settings, else everything.

    Raises:
        InvalidArgument: it is none; the message says what is allowed.
    """
    if given is None:
        return visible_from(settings.scope)
    if given.strip().lower() == EVERYTHING:
        return None
    return visible_from(_parsed(given, f"{ALLOWED}, or {EVERYTHING}"))


def owned_scopes(settings: Settings, given: str | None) -> Scopes:
    """What an owner means who changes many: the given scope alone; without one what a read sees.

    Raises:
        InvalidArgument: it is none; the message says what is allowed.
    """
    seen = read_scopes(settings, given)
    return seen if given is None or seen is None else seen[:1]


def _parsed(given: str, allowed: str) -> str:
    try:
        return parse_scope(given)
    except ValueError as error:
        raise InvalidArgument(f"scope: {error}", argument="scope", allowed=allowed) from error
