"""Scopes: where a memory belongs, and which of them a reader sees.

A scope is `global`, `project:<name>` or `repo:<name>`. Names match whole: `project:app` is not `project:app2`.
"""

from __future__ import annotations

import re
from typing import Final, Literal

GLOBAL = "global"
EVERYTHING = "all"
"""What a reader says who wants no scope at all although one is set as the default."""

ALLOWED = "global, project:<name> or repo:<name>"
MAX_LENGTH = 128
_NAME = r"[a-z0-9_-][a-z0-9._-]*"
# ASCII: a Kelvin sign is no letter of a name, although it becomes one in lower case
_SCOPE = re.compile(rf"(?:project|repo):{_NAME}(?:/{_NAME})?", re.ASCII | re.IGNORECASE)


Scopes = tuple[str, ...] | None
"""What a reader sees: scopes, its own first; None for everything."""


OWN_SIGHT: Final = "own"
"""In place of a reader, where what becomes of a memory is decided: for each, what a reader of its own scope sees."""

Sight = Scopes | Literal["own"]


def parse_scope(text: str) -> str:
    """A scope as it is stored: trimmed, in lower case.

    Raises:
        ValueError: it is none; the text says what is allowed.
    """
    scope = text.strip()
    if scope.lower() == GLOBAL or (len(scope) <= MAX_LENGTH and _SCOPE.fullmatch(scope)):
        return scope.lower()
    raise ValueError(
        f"a scope is {ALLOWED} (letters, digits, '.', '_', '-', at most one '/', up to {MAX_LENGTH} characters), "
        f"not {text[:MAX_LENGTH]!r}"
    )


def visible_from(scope: str | None) -> Scopes:
    """The scopes that a reader sees, its own first; None for everything."""
    if scope is None:
        return None
    return (scope,) if scope == GLOBAL else (scope, GLOBAL)


def sees(scopes: Scopes, scope: str) -> bool:
    """Whether a reader sees what belongs to a scope."""
    return scopes is None or scope in scopes


def sight_of(sight: Sight, scope: str) -> Scopes:
    """What a reader sees who looks at a memory of that scope; `OWN_SIGHT` is resolved to the memory's own."""
    return visible_from(scope) if sight == OWN_SIGHT else sight


def is_own(scopes: Scopes, scope: str | None) -> bool:
    """Whether that is the reader's own scope, whose memories come before equally good ones."""
    return scopes is not None and scope == scopes[0]


def meet(scope: str, other: str) -> bool:
    """Whether there is a reader who sees both scopes as its own or everybody's."""
    return scope == other or GLOBAL in (scope, other)
