"""What a tool hands back: frozen models whose fields are the contract of the answer."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class Answer(BaseModel):
    """Base of structured answers: every field is always there, null or empty where there is nothing."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class TextAnswer(BaseModel):
    """An answer that is text alone, without structured content."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    text: str
