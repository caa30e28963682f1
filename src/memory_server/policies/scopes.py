"""Scopes: where a memory belongs, and which of them a reader sees.

A scope is `global`, `project:<name>` or `repo:<name>`. Names match whole: `project:app` is not `project:app2`.
"""

from __future__ import annotations

import re

GLOBAL = "global"
EVERYTHING = "all"
"""What a reader says who wants no scope at all although one is set as the default."""

ALLOWED = "global, project:<name> or repo:<name>"
MAX_LENGTH = 128
_NAME = r"[a-z0-9][a-z0-9._-]*"
_SCOPE = re.compile(rf"(?:project|repo):{_NAME}(?:/{_NAME})?")


def parse_scope(text: str) -> str:
    """A scope as it is stored: trimmed, in lower case.

    Raises:
        ValueError: it is none; the text says what is allowed.
    """
    scope = text.strip().lower()
    if scope == GLOBAL or (len(scope) <= MAX_LENGTH and _SCOPE.fullmatch(scope)):
        return scope
    raise ValueError(
        f"a scope is {ALLOWED} (letters, digits, '.', '_', '-', at most one '/', up to {MAX_LENGTH} characters), "
        f"not {text[:MAX_LENGTH]!r}"
    )


def visible_from(scope: str | None) -> tuple[str, ...] | None:
    """The scopes that a reader sees, its own first; None for everything."""
    if scope is None:
        return None
    return (scope,) if scope == GLOBAL else (scope, GLOBAL)
