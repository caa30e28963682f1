"""Looks at what is really stored: the rows, the full-text, vector and graph indexes, and whether they agree."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal, get_args

from sqlalchemy import Connection

from memory_server.domain.errors import InvalidArgument
from memory_server.indexes.freed_memory import release_freed_memory
from memory_server.policies.decay import STALE_BELOW
from memory_server.services import audit_findings as findings
from memory_server.services.audit_findings import Finding
from memory_server.services.drift import Drift, graph_drift, text_drift, vector_drift
from memory_server.services.parts import Parts
from memory_server.services.upkeep import Upkeep, decay
from memory_server.storage import audit as bulk
from memory_server.storage import outbox

AuditType = Literal["full", "consistency", "orphans", "confidence"]
STATS = (
    "totals",
    "confidence",
    "sql_vector_drift",
    "sql_graph_drift",
    "vector_drift_by_type",
    "fulltext_drift",
    "outbox",
    "orphans",
    "lifecycle_moves",
)


@dataclass(slots=True)
class Audit:
    """Everything that was found; `stats` always has the same keys, null where a part was not looked at."""

    audit_type: str
    found: list[Finding] = field(default_factory=list)
    stats: dict[str, Any] = field(default_factory=lambda: dict.fromkeys(STATS))

    def at(self, level: str) -> list[dict[str, object]]:
        """The findings of that level, as answers show them."""
        return [finding.shown() for finding in self.found if finding.level == level]


def audit(parts: Parts, audit_type: str, now: datetime) -> Audit:
    """Examines the store; `full` also makes the stale and archived moves that are due, the others change nothing.

    Args:
        audit_type: full, consistency, orphans or confidence.
        now: the time that ages are counted to.

    Raises:
        InvalidArgument: there is no such audit.
        StorageUnavailable: the database cannot be read.
    """
    if audit_type not in get_args(AuditType):
        known = ", ".join(get_args(AuditType))
        raise InvalidArgument(
            f"audit_type must be one of {known}, not {audit_type[:60]!r}", argument="audit_type"
        )
    result = Audit(audit_type)
    full = audit_type == "full"
    if full:
        result.stats["lifecycle_moves"] = _moves_json(
            decay(parts, now, forget=False, promote=False, actor="audit")
        )
    with parts.database.read() as connection:
        result.stats["totals"] = bulk.totals(connection)
        sizes = outbox.sizes(connection)
        result.stats["outbox"] = sizes
        result.found += findings.parked(sizes["failed"], outbox.errors(connection, 1))
        if full or audit_type == "consistency":
            result.found += findings.consistency(parts, connection, now)
        if full or audit_type == "confidence":
            result.found += findings.confidence(connection)
            result.stats["confidence"] = _confidence_json(connection)
        if full:
            result.found += findings.records(connection)
            result.found += findings.lives(connection)
    if full or audit_type == "orphans":
        _look_for_orphans(parts, result)
    if full:
        _look_for_drift(parts, result)
        release_freed_memory()
    return result


def _look_for_orphans(parts: Parts, result: Audit) -> None:
    with parts.observation.span("graph"):
        nodes = parts.network.current().orphans()
    names = tuple(node.id for node in nodes[: bulk.SHOWN])
    result.stats["orphans"] = {"count": len(nodes), "nodes": list(names)}
    if nodes:
        message = f"{len(nodes)} nodes of the graph that no relation leads to (normal for subjects)"
        result.found.append(
            Finding(
                "info", "graph_roots", message, len(nodes), names, "nothing to mend, graph_search shows each"
            )
        )


def _look_for_drift(parts: Parts, result: Audit) -> None:
    texts = text_drift(parts, whole=True)
    # what was read so far is not needed again, and opening the vectors may take much memory
    parts.database.shrink()
    release_freed_memory()
    vectors = vector_drift(parts)
    release_freed_memory()
    graph = graph_drift(parts)
    result.found += findings.texts(texts)
    result.found += findings.vectors(vectors)
    result.found += findings.graph(graph)
    of_facts = vectors.of_facts()
    result.stats["sql_vector_drift"] = {
        "drift_pct": of_facts.percent,
        "sql_count": of_facts.expected,
        "vector_count": of_facts.held,
        "missing": len(of_facts.missing),
        "extra": len(of_facts.extra),
        "outdated": len(of_facts.outdated),
        "waiting": vectors.waiting,
        "state": _vector_state(parts, vectors),
    }
    result.stats["vector_drift_by_type"] = _by_type(vectors)
    result.stats["sql_graph_drift"] = {
        "drift_pct": graph.percent,
        "sql_count": graph.expected,
        "graph_count": graph.held,
        "missing": len(graph.missing),
        "extra": len(graph.extra),
    }
    result.stats["fulltext_drift"] = texts
    parts.observation.metrics.drift.set(vectors.size + graph.size + sum(map(abs, texts.values())))


def _vector_state(parts: Parts, drift: Drift) -> str:
    if not parts.meaning.space.enabled:
        return "off"
    return "unavailable" if drift.unavailable is not None else "ok"


def _by_type(drift: Drift) -> dict[str, dict[str, int]]:
    counts: dict[str, dict[str, int]] = {}
    for name in ("missing", "extra", "outdated"):
        for memory_id in getattr(drift, name):
            kind = counts.setdefault(
                drift.kinds.get(memory_id, "unknown"), {"missing": 0, "extra": 0, "outdated": 0}
            )
            kind[name] += 1
    return counts


def _confidence_json(connection: Connection) -> dict[str, Any]:
    buckets = bulk.confidence_buckets(connection)
    low = bulk.low_confidence(connection, STALE_BELOW)
    return {
        "total": sum(buckets.values()),
        "buckets": buckets,
        "low_confidence": list(low.ids),
        "low_confidence_count": low.count,
    }


def _moves_json(done: Upkeep) -> dict[str, Any]:
    return {
        "count": done.moved,
        "stale": done.steps["stale"],
        "archived": done.steps["archived"],
        "moves": done.listed(),
    }
