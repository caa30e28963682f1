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
        """The fact as words, as it is shown in rankings."""
        return f"{self.subject} {self.predicate.replace('_', ' ')} {self.object}"

    def answer(self) -> str:
        """The fact behind the question that it answers, as it is embedded.

        Who asks knows subject and predicate and not the object, of which a vector of the bare sentence is full.
        """
        return f"what {self.subject} {self.predicate.replace('_', ' ')}? {self.sentence()}"
