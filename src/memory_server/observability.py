"""What can be seen of a running server: Prometheus metrics on their own registry, spans, log files."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from opentelemetry import trace

if TYPE_CHECKING:
    from collections.abc import Callable

    from opentelemetry.util.types import AttributeValue

_SEARCH_MS = (1, 2, 5, 10, 20, 50, 100, 200, 500)
_SEMANTIC_MS = (10, 20, 50, 100, 200, 500, 1000)
_REMEMBER_MS = (5, 10, 20, 50, 100, 200, 500)
_TOOL_MS = (1, 5, 10, 50, 100, 500, 1000, 5000)


class Call:
    """One tool call under observation; the tool's binding sets the outcome."""

    def __init__(self) -> None:
        self.status = "success"
        self.size = 0


class Metrics:
    """All counters, gauges and histograms of one server, on a registry of their own."""

    def __init__(self) -> None:
        from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

        self.registry = CollectorRegistry()
        own = {"registry": self.registry}
        self.tool_calls = Counter("tool_calls", "Tool calls.", ["tool", "status"], **own)
        self.tool_errors = Counter("tool_error", "Tool calls that failed.", ["tool"], **own)
        self.tool_latency = Histogram("tool_latency_ms", "Time of a tool call.", ["tool"], buckets=_TOOL_MS, **own)
        self.latency = {
            "search": Histogram("search_latency_ms", "Time of search.", buckets=_SEARCH_MS, **own),
            "semantic_search": Histogram(
                "semantic_search_latency_ms", "Time of semantic_search.", buckets=_SEMANTIC_MS, **own
            ),
            "remember": Histogram("remember_latency_ms", "Time of remember.", buckets=_REMEMBER_MS, **own),
        }
        self.drift = Gauge(
            "derived_index_drift", "Memories that an index lacks or has too many of.", ["index"], **own
        )
        self.repairs = Counter("reindex_repair", "Index entries that reindex mended.", ["index"], **own)
        self.busy = Counter("sqlite_busy_events", "Times that a write had to wait for another process.", **own)
        self.pending = Gauge("outbox_pending", "Changes that the vector index has still to learn of.", **own)
        self.failed = Gauge("outbox_failed", "Changes that were given up after the last try.", **own)
        self.memories = Gauge("memories_total", "Memories by kind and state.", ["type", "state"], **own)

    def exposition(self) -> str:
        """The Prometheus text format."""
        from prometheus_client import generate_latest

        return generate_latest(self.registry).decode("utf-8")


class Observation:
    """Counts, times and traces tool calls; metrics are made at the first need."""

    def __init__(self) -> None:
        self._metrics: Metrics | None = None
        self._busy = 0
        self.tracer = trace.get_tracer("memory_server")

    @property
    def metrics(self) -> Metrics:
        if self._metrics is None:
            self._metrics = Metrics()
        return self._metrics

    @contextmanager
    def call(self, tool: str) -> Iterator[Call]:
        """Around one tool call: a span with tool, status, duration and size, never with content."""
        call = Call()
        started = time.perf_counter()
        with self.tracer.start_as_current_span(f"tool {tool}", attributes={"tool": tool}) as span:
            try:
                yield call
            except BaseException:
                call.status = "error"
                raise
            finally:
                elapsed = (time.perf_counter() - started) * 1000
                span.set_attribute("status", call.status)
                span.set_attribute("duration_ms", elapsed)
                span.set_attribute("result_size", call.size)
                self._count(tool, call.status, elapsed)

    def unknown_tool(self) -> None:
        """Counts a call of a tool that does not exist, all under one label."""
        self._count("unknown", "error", 0.0)

    @contextmanager
    def span(self, name: str, **attributes: AttributeValue) -> Iterator[trace.Span]:
        """A child span for a part of the work: the database, the embedding, the vectors, the graph."""
        with self.tracer.start_as_current_span(name, attributes=attributes) as span:
            yield span

    def _count(self, tool: str, status: str, elapsed_ms: float) -> None:
        metrics = self.metrics
        metrics.tool_calls.labels(tool, status).inc()
        metrics.tool_latency.labels(tool).observe(elapsed_ms)
        if status == "error":
            metrics.tool_errors.labels(tool).inc()
        elif tool in metrics.latency:
            metrics.latency[tool].observe(elapsed_ms)


def start_tracing(environment_says: Callable[[], bool]) -> None:
    """Sends spans where the standard OTEL_* variables say, if they say so and an exporter is installed."""
    if not environment_says():
        return
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor

    try:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    except ImportError:
        return
    provider = TracerProvider(resource=Resource.create({"service.name": "memory-server"}))
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    trace.set_tracer_provider(provider)
