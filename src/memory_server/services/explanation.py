"""Why a memory was found, and why one that was expected was not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from sqlalchemy import Connection

from memory_server.domain.fact import Fact
from memory_server.domain.lifecycle import SEARCHABLE_STATES
from memory_server.domain.memory import Memory
from memory_server.policies.ranking import MEANING_FLOOR, Weights
from memory_server.policies.scopes import Scopes, sees
from memory_server.policies.text import normal
from memory_server.services.candidates import Ranked, holds, say_the_same
from memory_server.services.parts import Parts
from memory_server.services.recall import Question
from memory_server.storage import rows


@dataclass(frozen=True, slots=True)
class Looked:
    """What a ranking looked at.

    Attributes:
        facts: as far as they were wanted, without repetitions.
        related: likewise.
        order: all that was ranked.
        subject: the subject that the facts had to have.
    """

    facts: Sequence[Ranked]
    related: Sequence[Ranked]
    order: Sequence[Ranked]
    subject: str | None = None


def explanation_of(
    parts: Parts,
    connection: Connection,
    question: Question,
    looked: Looked,
    shown: Looked,
    weights: Weights,
    expected_id: str | None,
) -> dict[str, Any]:
    """The weights, what each signal added to each memory that is shown, and what kept an expected one out.

    The parts of a memory add up to the logit of its score.
    """
    return {
        "weights": asdict(weights),
        "signals": {entry.memory.id: _rounded(entry.parts) for entry in (*shown.facts, *shown.related)},
        "expected": _expected(parts, connection, question, looked, shown, expected_id.casefold())
        if expected_id
        else None,
    }


def _expected(
    parts: Parts, connection: Connection, question: Question, looked: Looked, shown: Looked, memory_id: str
) -> dict[str, Any]:
    for entries in (shown.facts, shown.related):
        for shown_at, entry in enumerate(entries, 1):
            if entry.memory.id == memory_id:
                return _told(memory_id, "found", f"it is number {shown_at} of this page")
    memory = rows.find(connection, memory_id)
    kept_out = shut_out(memory, question.scopes, question.moment)
    if memory is None or kept_out is not None:
        return _told(memory_id, *(kept_out or ("unknown", "")))
    if (
        looked.subject is not None
        and isinstance(memory, Fact)
        and normal(memory.subject) != normal(looked.subject)
    ):
        return _told(memory_id, "subject", f"it is about {memory.subject!r}, not about {looked.subject!r}")
    of_kind = [entry for entry in looked.order if isinstance(entry.memory, Fact) == isinstance(memory, Fact)]
    place = next((at for at, entry in enumerate(of_kind, 1) if entry.memory.id == memory_id), None)
    if place is None:
        return _told(memory_id, "threshold", _too_far(question, memory_id))
    entry = of_kind[place - 1]
    twin = _twin(looked, entry)
    if twin is not None:
        return _told(
            memory_id, "duplicate", f"it says nearly the same as {twin}, which is shown in its place"
        )
    said = f"it is number {place} of {len(of_kind)}, with a score of {entry.score:.3f}"
    return {**_told(memory_id, "rank", said), "signals": _rounded(entry.parts)}


def shut_out(memory: Memory | None, scopes: Scopes, moment: str) -> tuple[str, str] | None:
    """What keeps a memory out of every answer, whatever is asked: its scope, its state, its time."""
    if memory is None:
        return "unknown", "there is no memory with this id"
    if not sees(scopes, memory.scope):
        return "scope", "it belongs to a scope that is not seen from here"
    if memory.lifecycle_state not in SEARCHABLE_STATES:
        return "lifecycle", f"it is {memory.lifecycle_state}"
    if not holds(memory, moment):
        since, until = memory.valid_from or memory.created_at, memory.valid_to or "now"
        return "validity", f"it holds from {since} to {until}, the question is about {moment}"
    return None


def _too_far(question: Question, memory_id: str) -> str:
    close = question.look.closeness([memory_id]).get(memory_id) if question.look is not None else None
    near = "there is no vector of it" if close is None else f"its cosine is {close.cosine:.3f}"
    return (
        f"none of the best hits by word, and {near}: too many are nearer, or it is below the {MEANING_FLOOR} from "
        "which a cosine says anything"
    )


def _twin(looked: Looked, entry: Ranked) -> str | None:
    """What was taken in its place, since it says nearly the same."""
    taken = [other for other in (*looked.facts, *looked.related) if other.memory.id != entry.memory.id]
    if any(other.memory.id == entry.memory.id for other in (*looked.facts, *looked.related)):
        return None
    return next((other.memory.id for other in taken if say_the_same(other, entry)), None)


def _told(memory_id: str, reason: str, detail: str) -> dict[str, Any]:
    return {"id": memory_id, "reason": reason, "detail": detail}


def _rounded(worths: Any) -> dict[str, float]:
    return {name: round(worth, 3) for name, worth in worths.items()}
