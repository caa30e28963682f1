"""A decision: what was chosen, why, and what was turned down."""

from __future__ import annotations

from typing import ClassVar

from memory_server.domain.memory import Memory


class Decision(Memory):
    memory_type: ClassVar[str] = "decision"

    context: str
    choice: str
    reason: str
    rejected_alternatives: tuple[str, ...] = ()

    def sentence(self) -> str:
        """The decision as words, as it is embedded and shown in rankings."""
        parts = [self.choice]
        if self.reason:
            parts.append(f"because {self.reason}")
        if self.rejected_alternatives:
            parts.append(f"instead of {', '.join(self.rejected_alternatives)}")
        if self.context:
            parts.append(f"({self.context})")
        return " ".join(parts)
