"""The tool that shows whether the memory is sound."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, Any

from pydantic import Field

from memory_server.app import MemoryApp
from memory_server.services.audit import AuditType, audit
from memory_server.tools.answers import Answer
from memory_server.tools.tool import Tool


class AuditAnswer(Answer):
    audit_type: str
    warnings: list[dict[str, Any]] = Field(
        description="{code, message, count, ids, command}: not as it should be, nothing is lost"
    )
    errors: list[dict[str, Any]] = Field(description="The same shape: the store breaks one of its own rules")
    info: list[dict[str, Any]] = Field(description="The same shape: worth knowing, nothing to mend")
    stats: dict[str, Any] = Field(
        description=(
            "totals, confidence, sql_vector_drift, sql_graph_drift, vector_drift_by_type, fulltext_drift, outbox, "
            "orphans, lifecycle_moves; null where this audit does not look"
        )
    )


def run(
    app: MemoryApp,
    *,
    audit_type: Annotated[
        AuditType, Field(description="full, or one part: consistency, orphans, confidence")
    ] = "full",
) -> AuditAnswer:
    """Examines the store as it is."""
    seen = audit(app, audit_type, datetime.now(UTC))
    return AuditAnswer(
        audit_type=seen.audit_type,
        warnings=seen.at("warning"),
        errors=seen.at("error"),
        info=seen.at("info"),
        stats=seen.stats,
    )


AUDIT = Tool(
    name="audit",
    title="Audit the memory",
    description=(
        "Examines rows, receipts, lifecycles and all indexes, and says for each finding which command mends it. The "
        "full audit also ages what is due (stale, archived), the others change nothing. For what is believed and how "
        "sure it is use reflect, for counters metrics."
    ),
    run=run,
    toolset="core",
    read_only=False,
    destructive=False,
    idempotent=True,
)
