"""What every kind of memory has, whatever it says."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, TypeVar
from uuid import uuid4

from pydantic import BaseModel, ConfigDict, Field

from memory_server.domain.lifecycle import LifecycleState

M = TypeVar("M", bound=BaseModel)

MEMORY_TYPES = ("fact", "decision", "skill", "belief", "episode", "knowledge")


class Memory(BaseModel):
    """One remembered thing; frozen, the same in the table and on the wire.

    Times are RFC 3339 text in UTC with microseconds, ending in `Z`, so that they sort as text.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str
    confidence: float = Field(description="What was claimed, 0 to 1.")
    source: str = Field(description="Who or what said so first.")
    tags: tuple[str, ...] = ()
    scope: str = "global"
    lifecycle_state: LifecycleState = LifecycleState.CANDIDATE
    created_at: str
    updated_at: str
    reinforced_at: str = Field(
        description="Age counts from here: last corroboration, reinforcement or update."
    )
    valid_from: str | None = Field(default=None, description="True from this time on.")
    valid_to: str | None = Field(default=None, description="No longer true from this time on.")
    superseded_at: str | None = Field(
        default=None, description="When it became known that another took its place."
    )
    superseded_by: str | None = None
    replaces_id: str | None = Field(default=None, description="The older memory that this one continues.")
    episode_id: str | None = Field(default=None, description="The raw text that this was learned from.")
    span_start: int | None = Field(default=None, description="Where in that text, in characters.")
    span_end: int | None = None
    ttl_days: float | None = Field(
        default=None, description="Time to live set at admission; null means its kind's."
    )
    admission_tag: str | None = Field(default=None, description="ephemeral, durable or important.")
    risk_tags: tuple[str, ...] = Field(default=(), description="For example injection_suspected.")
    source_count: int = Field(default=1, description="Distinct sources that claim it.")

    def is_replaced(self, moment: str) -> bool:
        """Whether another had taken its place by then, whatever has become of it since."""
        return self.superseded_at is not None and self.superseded_at <= moment


def trusted(model: type[M], values: dict[str, Any]) -> M:
    """A frozen value of fields that were validated before; every field has to be given.

    As `model_construct`, which looks for aliases and defaults of each field and takes ten times as long.
    """
    made = model.__new__(model)
    for name, value in (
        ("__dict__", values),
        ("__pydantic_fields_set__", set(values)),
        ("__pydantic_extra__", None),
        ("__pydantic_private__", None),
    ):
        object.__setattr__(made, name, value)
    return made


def new_id() -> str:
    """A fresh lower-case UUID."""
    return str(uuid4())


def rfc3339(moment: datetime) -> str:
    """A time as it is stored and shown: UTC, microseconds, `Z`."""
    # not strftime, whose years before 1000 have no four figures everywhere
    return f"{moment.astimezone(UTC).replace(tzinfo=None).isoformat(timespec='microseconds')}Z"


def parse_time(text: str) -> datetime:
    """The moment that an RFC 3339 text names; a text without an offset is taken as UTC.

    Raises:
        ValueError: the text is no date or time.
    """
    moment = datetime.fromisoformat(text)
    try:
        return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)
    except OverflowError as error:  # the first and the last day of the calendar, from another time zone
        raise ValueError(f"{text} is off the calendar in UTC") from error
