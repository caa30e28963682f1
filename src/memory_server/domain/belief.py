"""A belief: a proposition held with some confidence, on evidence."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import BaseModel, ConfigDict

from memory_server.domain.memory import Memory

EvidenceType = Literal["fact", "decision", "observation", "user_statement"]


class Evidence(BaseModel):
    """One piece of what a belief rests on."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    source_type: EvidenceType
    source_id: str
    weight: float = 0.5
    contributor: str = "system"


class Belief(Memory):
    memory_type: ClassVar[str] = "belief"

    proposition: str
    creator: str = "system"
    version: int = 1
    assertions: int = 1
    context: str | None = None

    def sentence(self) -> str:
        """The belief as words, as it is embedded and shown in rankings."""
        return self.proposition
