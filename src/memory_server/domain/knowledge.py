"""Knowledge: an actionable note with a title, tags and a scope."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from memory_server.domain.errors import Conflict
from memory_server.domain.memory import Memory


class Knowledge(Memory):
    memory_type: ClassVar[str] = "knowledge"

    title: str
    content: str

    def sentence(self) -> str:
        """The note as words, as it is embedded and shown in rankings."""
        return f"{self.title}\n{self.content}"


@dataclass(frozen=True, slots=True)
class Note:
    """What a note says, as it is kept."""

    title: str
    content: str
    tags: tuple[str, ...] = ()
    scope: str = "global"


@dataclass(frozen=True, slots=True)
class NoteChanges:
    """What is to be different about a note; None where it stays as it is."""

    title: str | None = None
    content: str | None = None
    tags: tuple[str, ...] | None = None
    scope: str | None = None


class KnowledgeExists(Conflict):
    """Another note of the same scope has the same title or the same content."""

    def __init__(self, existing_id: str, kind: Literal["title", "content"]) -> None:
        alike = "similar title" if kind == "title" else "identical content"
        super().__init__(
            f"Knowledge with {alike} already exists in this scope", existing_id=existing_id, kind=kind
        )
        self.existing_id = existing_id
        self.kind = kind
