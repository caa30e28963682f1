"""A receipt: proof of one write; never changed, never deleted, without content."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict

from memory_server.domain.memory import Memory, new_id


class Receipt(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str
    memory_id: str
    memory_type: str
    source: str
    created_by: str
    confidence: float
    verification_status: str
    timestamp: str
    history: tuple[str, ...] = ()


def receipt_for(
    memory: Memory,
    *,
    memory_type: str,
    created_by: str,
    now: str,
    source: str | None = None,
    confidence: float | None = None,
    history: tuple[str, ...] = (),
) -> Receipt:
    """The receipt of one write of `memory`; `source` and `confidence` where the write's differ from the memory's."""
    return Receipt(
        id=new_id(),
        memory_id=memory.id,
        memory_type=memory_type,
        source=memory.source if source is None else source,
        created_by=created_by,
        confidence=memory.confidence if confidence is None else confidence,
        verification_status=str(memory.lifecycle_state),
        timestamp=now,
        history=history,
    )
