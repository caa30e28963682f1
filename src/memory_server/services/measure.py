"""Reads off the store what the gauges show."""

from __future__ import annotations

from memory_server.services.parts import Parts
from memory_server.storage import meta, outbox, rows

REPAIRS = "reindex_repairs"  # name in `meta` of how many index entries reindex has mended, in any process


def refresh_gauges(parts: Parts) -> None:
    """Sets the gauges to what is stored now.

    Raises:
        StorageUnavailable: the database cannot be read.
    """
    metrics = parts.observation.metrics
    with parts.database.read() as connection:
        sizes = outbox.sizes(connection)
        repairs = int(meta.get(connection, REPAIRS) or 0)
        metrics.memories.clear()
        for memory_type, table in rows.TABLES.items():
            for state, count in connection.exec_driver_sql(
                f"SELECT lifecycle_state, count(*) FROM {table} GROUP BY lifecycle_state"
            ):
                metrics.memories.labels(memory_type, state).set(count)
    metrics.repairs.inc(max(0, repairs - metrics.repairs_seen))
    metrics.repairs_seen = repairs
    metrics.pending.set(sizes["pending"])
    metrics.failed.set(sizes["failed"])
