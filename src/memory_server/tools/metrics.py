"""The tool that shows the server's metrics."""

from __future__ import annotations

from memory_server.app import MemoryApp
from memory_server.services.measure import refresh_gauges
from memory_server.tools.answers import TextAnswer
from memory_server.tools.tool import Tool


def run(app: MemoryApp) -> TextAnswer:
    """Prometheus text exposition."""
    refresh_gauges(app)
    return TextAnswer(text=app.observation.metrics.exposition())


METRICS = Tool(
    name="metrics",
    title="Metrics",
    description="Counters and latencies of this server as Prometheus text. For what is stored use reflect or audit.",
    run=run,
    toolset="core",
    read_only=True,
    destructive=False,
    idempotent=True,
)
