"""The one transaction in which changes are taken back, and what is told of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from sqlalchemy import Connection

from memory_server.domain.lifecycle import LifecycleState
from memory_server.domain.memory import Memory, rfc3339
from memory_server.domain.receipt import receipt_for
from memory_server.domain.skill import Skill
from memory_server.policies.text import cut
from memory_server.policies.writes import UNDOES
from memory_server.services.parts import Parts
from memory_server.storage import outbox, receipts, rows, writes
from memory_server.storage.writes import UNDO, Written

_TEXT = 160  # characters of a memory that an answer shows
_LISTED = 50

_S = LifecycleState
_NO_MORE = (_S.ARCHIVED, _S.FORGOTTEN, _S.DISCARDED, _S.SUPERSEDED)

REASON = "undone"
"""Of every move that an undo makes."""


@dataclass(slots=True)
class TakenBack:
    """What was done, to how many memories each, and the first of them; `left` says what stays and why."""

    changes: int = 0
    actions: Counter[str] = field(default_factory=Counter)
    done: list[dict[str, str]] = field(default_factory=list)
    left: list[dict[str, str]] = field(default_factory=list)
    left_count: int = 0
    skills: bool = False

    def note(self, action: str, memory: Memory) -> None:
        """Counts one action, and lists it if it is among the first."""
        self.actions[action] += 1
        if len(self.done) < _LISTED:
            self.done.append({"action": action, **shown(memory)})
        self.skills = self.skills or isinstance(memory, Skill)

    def leave(self, memory: Memory | None, memory_id: str, why: str) -> None:
        """Counts what is not taken back, and lists it if it is among the first."""
        self.left_count += 1
        if len(self.left) < _LISTED:
            about = {"id": memory_id} if memory is None else shown(memory)
            self.left.append({**about, "why": why})


def shown(memory: Memory) -> dict[str, str]:
    """A memory as answers name it."""
    return {
        "id": memory.id,
        "memory_type": kind_of(memory),
        "text": cut(memory.sentence(), _TEXT).strip(),  # type: ignore[attr-defined]
    }


def kind_of(memory: Memory) -> str:
    """The kind of a memory."""
    return memory.memory_type  # type: ignore[attr-defined, no-any-return]


@dataclass(frozen=True, slots=True)
class Undoing:
    """The one transaction in which changes are taken back."""

    parts: Parts
    connection: Connection
    now: datetime
    done: TakenBack

    @property
    def moment(self) -> str:
        """The time of this undo, RFC 3339."""
        return rfc3339(self.now)

    def memory(self, written: Written) -> Memory | None:
        """The memory that a receipt speaks of, as it is now."""
        return rows.get(self.connection, rows.MODELS[written.memory_type], written.memory_id)

    def leave(self, memory: Memory, undone: Written, why: str) -> None:
        """Leaves a memory as it is, and notes that its write was looked at: the next undo takes the one before."""
        self.settle(memory, [undone], f"left as it is: {why}")
        self.done.leave(memory, memory.id, why)

    def carried_on(self, memory: Memory) -> list[Memory]:
        """The memory, and what continues it because an earlier undo could not bring it back itself."""
        chain = [memory]
        while chain[-1].superseded_by is not None:
            following = rows.get(self.connection, type(memory), chain[-1].superseded_by)
            if following is None or not self._born_here(following):
                break
            chain.append(following)
        return chain

    def was_undone(self, memory: Memory) -> bool:
        """Whether every claim of a memory, and of what it carries on, was taken back by this undo or an earlier."""
        line = [memory]
        while line[-1].replaces_id is not None and self._born_here(line[-1]):
            earlier = rows.get(self.connection, type(memory), line[-1].replaces_id)
            if earlier is None:
                break
            line.append(earlier)
        of_line = writes.of_memories(self.connection, [one.id for one in line])
        every = [one for written in of_line.values() for one in written]
        gone = writes.taken_back(every)
        return not any(one.asserts and one.id not in gone and one.created_by != UNDO for one in every)

    def stands_in_place_of(self, memory: Memory, by: str | None) -> str | None:
        """What holds in the place that `by` had taken from a memory and lost in turn; None where nothing does."""
        model, seen = type(memory), {memory.id}
        later = rows.get(self.connection, model, by) if by else None
        while later is not None and later.superseded_by and later.superseded_by not in seen:
            seen.add(later.superseded_by)
            later = rows.get(self.connection, model, later.superseded_by)
            if later is not None and later.lifecycle_state not in _NO_MORE:
                return later.id
        return None

    def _born_here(self, memory: Memory) -> bool:
        first, *_ = writes.of_memories(self.connection, [memory.id])[memory.id]
        return first.created_by == UNDO

    def settle(self, memory: Memory, undone: Sequence[Written], *told: str) -> None:
        """Writes the receipt that takes others back, and tells the indexes."""
        history = (*(f"{UNDOES}{written.id}" for written in undone), *told)
        kind = kind_of(memory)
        receipts.add(
            self.connection,
            receipt_for(memory, memory_type=kind, created_by=UNDO, now=self.moment, history=history),
        )
        outbox.enqueue(self.connection, [(kind, memory.id)], self.now.timestamp())

    def tie(self, old: Memory, new: Memory, undone: Written) -> None:
        """Notes that a memory which does not come back is continued by a new one."""
        rows.update(self.connection, kind_of(old), old.id, {"superseded_by": new.id})
        self.settle(old, [undone], f"{old.lifecycle_state} stays so; continued as {new.id}")
        self.done.note("continued as a new memory", new)
