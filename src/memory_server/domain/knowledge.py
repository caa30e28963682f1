"""Knowledge: an actionable note with a title, tags and a scope."""

from __future__ import annotations

from typing import ClassVar

from memory_server.domain.memory import Memory


class Knowledge(Memory):
    memory_type: ClassVar[str] = "knowledge"

    title: str
    content: str

    def sentence(self) -> str:
        """The note as words, as it is embedded and shown in rankings."""
        return f"{self.title}\n{self.content}"
