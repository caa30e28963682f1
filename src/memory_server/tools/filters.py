"""The arguments by which an owner narrows down what is stored, shared by the tools that browse, forget and undo."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from memory_server.domain.errors import InvalidArgument
from memory_server.domain.lifecycle import parse_state
from memory_server.domain.memory import parse_time, rfc3339

MemoryType = Annotated[
    Literal["fact", "decision", "skill", "belief", "episode", "knowledge"] | None,
    Field(description="Only this kind"),
]
Source = Annotated[str | None, Field(max_length=256, description="Any case")]
Tag = Annotated[str | None, Field(max_length=64, description="Any case")]
Subject = Annotated[str | None, Field(max_length=512, description="Of facts, any case")]
Session = Annotated[str | None, Field(description="Of episodes and what they taught")]
Words = Annotated[str | None, Field(max_length=4096, description="Words that must all be there")]
Time = Annotated[str | None, Field(description="RFC 3339")]
Confirm = Annotated[str | None, Field(description="What the dry run gave")]


def moment(text: str | None, argument: str) -> str | None:
    """A time as it is stored.

    Raises:
        InvalidArgument: it is none.
    """
    try:
        return None if text is None else rfc3339(parse_time(text))
    except (ValueError, OverflowError) as error:
        raise InvalidArgument(
            f"{argument} must be a time like 2026-03-31T12:00:00Z, not {text!r}", argument=argument
        ) from error


def state(text: str | None) -> str | None:
    """A lifecycle state as it is stored.

    Raises:
        InvalidArgument: there is no such state.
    """
    try:
        return None if text is None else str(parse_state(text))
    except ValueError as error:
        raise InvalidArgument(str(error), argument="lifecycle_state") from error
