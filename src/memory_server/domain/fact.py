"""A fact: subject, predicate, object."""

from __future__ import annotations

from typing import ClassVar

from memory_server.domain.memory import Memory


class Fact(Memory):
    memory_type: ClassVar[str] = "fact"

    subject: str
    predicate: str
    object: str

    def sentence(self) -> str:
        """The fact as words, as it is embedded and shown in rankings."""
        return f"{self.subject} {self.predicate.replace('_', ' ')} {self.object}"
