"""Rows of decisions: found by what was decided, or by their id."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection

from memory_server.domain.decision import Decision
from memory_server.policies.text import digest, grams, normal
from memory_server.storage import rows
from memory_server.storage.facts import CURRENT


def content_hash(decision: Decision) -> str:
    """What two records of one decision have in common: choice, reason and what was turned down, in any order."""
    rejected = sorted(normal(name) for name in decision.rejected_alternatives)
    return digest(decision.scope, normal(decision.choice), normal(decision.reason), *rejected)


def derived(decision: Decision) -> dict[str, str]:
    """The columns computed from a decision: what it is compared and indexed by."""
    words = (
        decision.choice,
        decision.context,
        decision.reason,
        *decision.rejected_alternatives,
        *decision.tags,
    )
    return {"content_hash": content_hash(decision), "grams": grams(" \n ".join(words))}


def insert(connection: Connection, decision: Decision) -> None:
    """Writes a new decision with its computed columns."""
    rows.insert(connection, decision, derived(decision))


def current_by_content(connection: Connection, decision: Decision) -> Decision | None:
    """The current decision that says the same in the same scope."""
    row = connection.exec_driver_sql(
        f"SELECT {rows.selection(Decision, 't')} FROM decisions t WHERE t.content_hash = ? AND {CURRENT} "
        "ORDER BY t.row LIMIT 1",
        (content_hash(decision),),
    ).first()
    return rows.from_row(Decision, row) if row else None


def update(connection: Connection, decision: Decision, changes: dict[str, Any]) -> Decision:
    """Sets columns of a decision, recomputes what is derived from them, and gives the decision as it is then."""
    changed = decision.model_copy(update=changes)
    columns = dict(changes)
    if "tags" in changes:
        columns |= derived(changed)
    rows.update(connection, "decision", decision.id, columns)
    return changed
