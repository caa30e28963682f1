"""What can be seen of a running server: Prometheus metrics on their own registry, spans, log files."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from opentelemetry import trace

if TYPE_CHECKING:
    from opentelemetry.sdk.trace.export import SpanExporter
    from opentelemetry.util.types import AttributeValue

log = logging.getLogger(__name__)

SERVICE = "memory-server"

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
        from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, disable_created_metrics

        # a second series beside each counter, which says when the process began, is noise
        disable_created_metrics()  # type: ignore[no-untyped-call]
        self.registry = CollectorRegistry()
        own: dict[str, Any] = {"registry": self.registry}
        self.tool_calls = Counter("tool_calls", "Tool calls.", ["tool", "status"], **own)
        self.tool_errors = Counter("tool_error", "Tool calls that failed.", ["tool"], **own)
        self.tool_latency = Histogram(
            "tool_latency_ms", "Time of a tool call.", ["tool"], buckets=_TOOL_MS, **own
        )
        self.latency = {
            "search": Histogram("search_latency_ms", "Time of search.", buckets=_SEARCH_MS, **own),
            "semantic_search": Histogram(
                "semantic_search_latency_ms", "Time of semantic_search.", buckets=_SEMANTIC_MS, **own
            ),
            "remember": Histogram("remember_latency_ms", "Time of remember.", buckets=_REMEMBER_MS, **own),
        }
        self.drift = Gauge(
            "derived_index_drift", "Index entries that the last full audit found wrong.", **own
        )
        self.repairs = Counter("reindex_repair", "Index entries that reindex mended, in any process.", **own)
        self.repairs_seen = 0
        self.busy = Counter(
            "sqlite_busy_events", "Times that a write had to wait for another process.", **own
        )
        self.pending = Gauge("outbox_pending", "Changes that the vector index has still to learn of.", **own)
        self.failed = Gauge("outbox_failed", "Changes that were given up after the last try.", **own)
        self.memories = Gauge("memories_total", "Memories by kind and state.", ["type", "state"], **own)

    def exposition(self) -> str:
        """The Prometheus text format."""
        from prometheus_client import generate_latest

        return generate_latest(self.registry).decode("utf-8")


class Observation:
    """Counts, times and traces tool calls; metrics are made at the first need, spans where somebody collects them."""

    def __init__(self) -> None:
        self._metrics: Metrics | None = None
        self._provider: Any = None
        self.tracer: trace.Tracer = trace.NoOpTracer()

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
        with self._started(f"tool {tool}", {"tool": tool}) as span:
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
                if call.status == "error":
                    span.set_status(trace.StatusCode.ERROR)
                self._count(tool, call.status, elapsed)

    def unknown_tool(self) -> None:
        """Counts a call of a tool that does not exist, all under one label."""
        self._count("unknown", "error", 0.0)

    @contextmanager
    def span(self, name: str, **attributes: AttributeValue) -> Iterator[None]:
        """A child for a part of a tool call: the database, the embedding, the vectors, the graph.

        Work outside of a call, such as the outbox worker's, makes none.
        """
        if not trace.get_current_span().is_recording():
            yield
            return
        with self._started(name, attributes):
            yield

    def start_tracing(self, exporter: SpanExporter | None = None) -> None:
        """Collects spans from now on and sends them in batches.

        Args:
            exporter: where they go; by default over OTLP/HTTP, to where the standard OTEL_* variables say.
        """
        if exporter is None:
            try:
                from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
            except ImportError:
                log.warning(
                    "OTEL_* variables ask for spans, but no exporter is installed: "
                    "pip install 'composite-memory-mcp-server[otlp]'"
                )
                return
            exporter = OTLPSpanExporter()
        from opentelemetry.sdk.resources import SERVICE_NAME, Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor

        resource = Resource.create()
        if str(resource.attributes.get(SERVICE_NAME, "")).startswith("unknown_service"):
            resource = resource.merge(Resource({SERVICE_NAME: SERVICE}))
        # a provider of its own: the library's global one belongs to whoever embeds the memory
        self._provider = TracerProvider(resource=resource, shutdown_on_exit=False)
        self._provider.add_span_processor(BatchSpanProcessor(exporter))
        self.tracer = self._provider.get_tracer(SERVICE)

    def close(self, timeout: float = 1.0) -> None:
        """Sends what has been collected, for at most `timeout` seconds."""
        provider, self._provider = self._provider, None
        if provider is None:
            return
        self.tracer = trace.NoOpTracer()
        # an endpoint that does not answer must not hold up the end of the process
        flush = threading.Thread(target=provider.shutdown, name="spans", daemon=True)
        flush.start()
        flush.join(timeout)

    @contextmanager
    def _started(self, name: str, attributes: dict[str, AttributeValue]) -> Iterator[trace.Span]:
        # messages and traces of errors may quote what is stored
        with self.tracer.start_as_current_span(
            name, attributes=attributes, record_exception=False, set_status_on_exception=False
        ) as span:
            yield span

    def _count(self, tool: str, status: str, elapsed_ms: float) -> None:
        metrics = self.metrics
        metrics.tool_calls.labels(tool, status).inc()
        metrics.tool_latency.labels(tool).observe(elapsed_ms)
        if status == "error":
            metrics.tool_errors.labels(tool).inc()
        elif tool in metrics.latency:
            metrics.latency[tool].observe(elapsed_ms)
