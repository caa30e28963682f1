"""What an audit finds in the rows: each finding says what is wrong, where, and which command mends it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from sqlalchemy import Connection

from memory_server.domain.lifecycle import LifecycleState
from memory_server.policies.decay import ACTIVE_FROM, STALE_BELOW
from memory_server.services.drift import Drift
from memory_server.services.due import Trust
from memory_server.services.parts import Parts
from memory_server.storage import ageing, audit, erasure
from memory_server.storage.audit import Rows

Level = Literal["error", "warning", "info"]

REINDEX, REINDEX_ALL = "memory-server reindex", "memory-server reindex --all"
DECAY, STATUS = "memory-server decay", "memory-server status"
RESTORE = "memory-server restore BACKUP"
LOOK = "the tool history, for each id"
UPDATE = "the tool remember, which raises the claim, or forget, for each id"
FORGET = "the tool forget, for each id"


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that is not as it should be; `command` mends it or shows more."""

    level: Level
    code: str
    message: str
    count: int
    ids: tuple[str, ...]
    command: str

    def shown(self) -> dict[str, object]:
        """The finding as answers show it."""
        return {
            "code": self.code,
            "message": f"{self.message}: {self.command}",
            "count": self.count,
            "ids": list(self.ids),
            "command": self.command,
        }


def consistency(parts: Parts, connection: Connection, now: datetime) -> Iterator[Finding]:
    """Stored confidence and state that do not fit together."""
    found = audit.stale_with_active_receipts(connection)
    yield from _some(
        "warning", "stale_with_active_receipt", "stale facts whose receipts say active", found, LOOK
    )
    found = audit.facts_where(
        connection, "t.confidence <= 0 AND t.lifecycle_state NOT IN ('stale','archived','forgotten')"
    )
    yield from _some(
        "warning", "zero_confidence", "facts that claim nothing and are not stale", found, UPDATE
    )
    found = _stale_and_trusted(parts, now)
    yield from _some(
        "warning",
        "stale_full_confidence",
        f"stale facts with an effective confidence of {ACTIVE_FROM:g} or more (state them again to renew them)",
        found,
        LOOK,
    )
    found = audit.closed_before_begun(connection)
    yield from _some(
        "warning", "closed_before_begun", "facts whose validity ends before it begins", found, LOOK
    )


def _stale_and_trusted(parts: Parts, now: datetime) -> Rows:
    trust = Trust(parts, now)
    others = tuple(state for state in LifecycleState if state is not LifecycleState.STALE)
    ids = [
        one.id
        for page in ageing.pages(parts.database, "fact", others)
        for one in page
        if trust.of("fact", one, 0) >= ACTIVE_FROM
    ]
    return Rows(len(ids), tuple(ids[: audit.SHOWN]))


def confidence(connection: Connection) -> Iterator[Finding]:
    """Claims that are too low to rely on, or are none."""
    found = audit.confidence_out_of_range(connection)
    yield from _some(
        "error", "confidence_out_of_range", "memories with a confidence outside 0 to 1", found, RESTORE
    )
    found = audit.low_confidence(connection, STALE_BELOW)
    yield from _some(
        "warning", "low_confidence", f"facts that claim less than {STALE_BELOW:g}", found, UPDATE
    )


def records(connection: Connection) -> Iterator[Finding]:
    """Records without an owner, and memories without proof."""
    for table, found in audit.ownerless(connection):
        # topics are derived; the other records are all that is left of what they name
        command = REINDEX if table == "belief_topics" else RESTORE
        yield from _some("warning", f"orphan_{table}", f"rows of {table} that name no memory", found, command)
    found = audit.without_receipt(connection)
    yield from _some("error", "missing_receipt", "memories that no receipt proves", found, RESTORE)
    found = audit.beliefs_without_topics(connection)
    yield from _some("warning", "topics_missing", "beliefs that no topic leads to", found, REINDEX)
    found = audit.without_episode(connection)
    yield from _some("warning", "missing_episode", "memories whose episode is not there", found, RESTORE)
    found = audit.evidence_without_fact(connection)
    yield from _some(
        "warning", "missing_evidence", "beliefs that rest on a fact that is not there", found, LOOK
    )


def lives(connection: Connection) -> Iterator[Finding]:
    """Lives that did not keep to the table of moves."""
    found = audit.forbidden_moves(connection)
    yield from _some("error", "forbidden_move", "memories that made a move which is not allowed", found, LOOK)
    found = audit.broken_chains(connection)
    yield from _some("warning", "broken_chain", "memories whose events do not follow each other", found, LOOK)
    found = audit.state_without_event(connection)
    yield from _some("error", "state_without_event", "memories whose state no event led to", found, LOOK)
    found = audit.forgotten_with_content(connection)
    yield from _some(
        "error", "forgotten_with_content", "forgotten memories that still say something", found, FORGET
    )
    if erasure.remains(connection) is not None:
        message = "unused parts of the database file may still hold words of what was forgotten"
        yield Finding("info", "forgotten_remains", message, 1, (), DECAY)


def vectors(drift: Drift) -> Iterator[Finding]:
    """What the vector index lacks, or has too many of."""
    if drift.unavailable is not None:
        message = f"the vector index cannot be looked at ({drift.unavailable})"
        yield Finding("warning", "vectors_unavailable", message, 0, (), STATUS)
    for code, message, ids in (
        ("vectors_missing", "memories without a vector", drift.missing),
        ("vectors_extra", "vectors of memories that are gone", drift.extra),
        ("vectors_outdated", "vectors of a text that has changed", drift.outdated),
    ):
        yield from _some("warning", code, message, Rows(len(ids), tuple(ids[: audit.SHOWN])), REINDEX)


def graph(drift: Drift) -> Iterator[Finding]:
    """What the graph lacks, or has too many of."""
    for code, message, ids in (
        ("graph_missing", "facts without an edge in the graph", drift.missing),
        ("graph_extra", "edges of facts that are no longer current", drift.extra),
    ):
        yield from _some("warning", code, message, Rows(len(ids), tuple(ids[: audit.SHOWN])), REINDEX_ALL)


def texts(drift: dict[str, int]) -> Iterator[Finding]:
    """Full-text indexes that disagree with their rows."""
    for memory_type, count in drift.items():
        how = f"differs from its rows in {count} entries" if count > 0 else "differs from its rows in words"
        yield Finding(
            "warning",
            "fulltext_drift",
            f"the full-text index of {memory_type} {how}",
            max(1, count),
            (),
            REINDEX,
        )


def parked(failed: int, errors: list[str]) -> Iterator[Finding]:
    """Changes that the worker gave up."""
    if failed:
        why = f" ({errors[0][:200]})" if errors else ""
        yield Finding(
            "warning",
            "outbox_failed",
            f"changes that were given up after the last try{why}",
            failed,
            (),
            REINDEX,
        )


def _some(level: Level, code: str, message: str, found: Rows, command: str) -> Iterator[Finding]:
    if found.count:
        yield Finding(level, code, f"{found.count} {message}", found.count, found.ids, command)
