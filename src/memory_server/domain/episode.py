"""An episode: raw text that was learned from, verbatim."""

from __future__ import annotations

from typing import ClassVar

from memory_server.domain.memory import Memory


class Episode(Memory):
    memory_type: ClassVar[str] = "episode"

    text: str
    heading: str = ""
    neighbours: str = ""
    session: str | None = None
    speaker: str | None = None
    occurred_at: str | None = None
    position: int | None = None
    external_id: str | None = None

    def sentence(self) -> str:
        """Speaker and text, as it is embedded and shown in rankings."""
        return f"{self.speaker}: {self.text}" if self.speaker else self.text
