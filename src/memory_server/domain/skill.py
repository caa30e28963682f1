"""A skill: how something is done, step by step, in versions."""

from __future__ import annotations

from typing import ClassVar

from memory_server.domain.memory import Memory


class Skill(Memory):
    memory_type: ClassVar[str] = "skill"

    name: str
    slug: str
    version: int = 1
    purpose: str
    steps: tuple[str, ...] = ()
    constraints: tuple[str, ...] = ()
    validation: tuple[str, ...] = ()
    success_rate: float | None = None

    def sentence(self) -> str:
        """The skill as words, as it is embedded and shown in rankings."""
        return f"{self.name}: {self.purpose}. " + "; ".join(
            (*self.steps, *self.constraints, *self.validation)
        )
