"""What can be seen from outside: metrics in the documented shape, spans without content."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import pytest
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from memory_server.app import MemoryApp, open_app
from memory_server.observability import Observation
from memory_server.settings import Settings, spans_wanted
from memory_server.tools.calls import call_tool, call_unknown
from memory_server.tools.table import TOOLS

SAMPLE = re.compile(r'^[a-z_]+(_bucket|_count|_sum|_total)?(\{([a-z]+="[^"\n]*",?)+\})? [0-9.e+-]+$')


def call(app: MemoryApp, name: str, **arguments: Any) -> str:
    (tool,) = (tool for tool in TOOLS if tool.name == name)
    return call_tool(app, tool, arguments).text


def exposition(app: MemoryApp) -> dict[str, float]:
    lines = [line for line in call(app, "metrics").splitlines() if not line.startswith("#")]
    assert all(SAMPLE.match(line) for line in lines)
    return {line.rpartition(" ")[0]: float(line.rpartition(" ")[2]) for line in lines}


@contextmanager
def collected(app: MemoryApp) -> Iterator[list[ReadableSpan]]:
    exporter = InMemorySpanExporter()
    provider = TracerProvider(shutdown_on_exit=False)
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    app.observation.tracer = provider.get_tracer("test")
    spans: list[ReadableSpan] = []
    yield spans
    spans += exporter.get_finished_spans()


def test_every_documented_family_is_there_from_the_start(app: MemoryApp) -> None:
    text = call(app, "metrics")
    families = dict(re.findall(r"^# TYPE (\S+) (\S+)$", text, re.MULTILINE))
    assert families == {
        "tool_calls_total": "counter",
        "tool_error_total": "counter",
        "tool_latency_ms": "histogram",
        "search_latency_ms": "histogram",
        "semantic_search_latency_ms": "histogram",
        "remember_latency_ms": "histogram",
        "derived_index_drift": "gauge",
        "reindex_repair_total": "counter",
        "sqlite_busy_events_total": "counter",
        "outbox_pending": "gauge",
        "outbox_failed": "gauge",
        "memories_total": "gauge",
    }
    assert "_created" not in text


def test_calls_are_counted_by_tool_and_outcome(app: MemoryApp) -> None:
    call(app, "remember", subject="gull", predicate="eats", object="chips")
    call(app, "search", query="gull")
    call(app, "search", query="gull", limit=0)
    call_unknown(app, TOOLS, 'evil"} 1\nfake 2')
    call_unknown(app, TOOLS, "other")
    seen = exposition(app)
    assert seen['tool_calls_total{status="success",tool="search"}'] == 1
    assert seen['tool_calls_total{status="error",tool="search"}'] == 1
    assert seen['tool_error_total{tool="search"}'] == 1
    assert seen['tool_calls_total{status="error",tool="unknown"}'] == 2
    assert seen["search_latency_ms_count"] == 1
    assert seen["remember_latency_ms_count"] == 1
    assert seen["outbox_pending"] == 1
    assert seen['memories_total{state="candidate",type="fact"}'] == 1


@pytest.mark.parametrize(
    ("family", "lowest", "highest"),
    [("search", 1, 500), ("semantic_search", 10, 1000), ("remember", 5, 500)],
)
def test_buckets_span_what_is_documented_and_end_in_infinity(
    app: MemoryApp, family: str, lowest: int, highest: int
) -> None:
    bounds = re.findall(rf'^{family}_latency_ms_bucket{{le="([^"]+)"}}', call(app, "metrics"), re.MULTILINE)
    assert (float(bounds[0]), float(bounds[-2]), bounds[-1]) == (lowest, highest, "+Inf")


def test_writers_that_waited_are_counted(app: MemoryApp) -> None:
    app.database.on_busy()
    assert exposition(app)["sqlite_busy_events_total"] == 1


def test_a_call_is_a_span_with_its_parts_below_it_and_no_content(app: MemoryApp) -> None:
    call(app, "remember", subject="secret gull", predicate="eats", object="chips")
    with collected(app) as spans:
        answer = call(app, "get_context", task="what does the secret gull eat")
    (root,) = (span for span in spans if span.name == "tool get_context")
    assert root.attributes is not None
    assert root.attributes["tool"] == "get_context"
    assert root.attributes["status"] == "success"
    assert root.attributes["result_size"] == len(answer.encode())
    assert float(str(root.attributes["duration_ms"])) > 0
    assert {span.name for span in spans} == {"tool get_context", "database", "embedding", "vectors", "graph"}
    assert all(span.context.trace_id == root.context.trace_id for span in spans)
    assert "gull" not in "".join(span.to_json() for span in spans)


def test_a_call_that_fails_is_a_span_that_says_so_without_the_message(app: MemoryApp) -> None:
    with collected(app) as spans:
        call(app, "search", query="", limit=5)
    (root,) = spans
    assert root.attributes is not None
    assert root.attributes["status"] == "error"
    assert root.status.status_code.name == "ERROR"
    assert not root.events


def test_work_in_the_background_makes_no_spans(app: MemoryApp) -> None:
    call(app, "remember", subject="gull", predicate="eats", object="chips")
    with collected(app) as spans:
        app.worker.drain()
    assert spans == []


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        ({}, False),
        ({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:4318"}, True),
        ({"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "http://127.0.0.1:4318/v1/traces"}, True),
        ({"OTEL_EXPORTER_OTLP_ENDPOINT": " "}, False),
        ({"OTEL_TRACES_EXPORTER": "otlp"}, True),
        ({"OTEL_TRACES_EXPORTER": "none", "OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:4318"}, False),
        ({"OTEL_TRACES_EXPORTER": "console"}, False),
        ({"OTEL_SDK_DISABLED": "true", "OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:4318"}, False),
    ],
)
def test_the_standard_variables_say_whether_spans_are_sent(
    monkeypatch: pytest.MonkeyPatch, environment: dict[str, str], expected: bool
) -> None:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert spans_wanted() is expected


@contextmanager
def collector() -> Iterator[tuple[str, list[tuple[str, bytes]]]]:
    """A place that takes what is posted to it."""
    received: list[tuple[str, bytes]] = []

    class Taker(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            received.append((self.path, self.rfile.read(int(self.headers["Content-Length"]))))
            self.send_response(200)
            self.send_header("Content-Type", "application/x-protobuf")
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: Any) -> None: ...

    with HTTPServer(("127.0.0.1", 0), Taker) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}", received
        server.shutdown()
        thread.join()


def test_spans_reach_an_otlp_endpoint_before_the_app_is_closed(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("opentelemetry.exporter.otlp.proto.http.trace_exporter")
    from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

    with collector() as (endpoint, received):
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", endpoint)
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_COMPRESSION", "none")
        monkeypatch.setenv("OTEL_RESOURCE_ATTRIBUTES", "deployment.environment=test")
        with open_app(settings.model_copy(update={"embedding": "none"}), worker=False) as app:
            call(app, "search", query="gull")
    assert [path for path, _ in received] == ["/v1/traces"]
    request = ExportTraceServiceRequest.FromString(received[0][1])
    resource = {
        entry.key: entry.value.string_value for entry in request.resource_spans[0].resource.attributes
    }
    assert resource["service.name"] == "memory-server"
    assert resource["deployment.environment"] == "test"
    names = {span.name for scope in request.resource_spans[0].scope_spans for span in scope.spans}
    assert {"tool search", "database"} <= names


def test_an_endpoint_that_does_not_answer_does_not_hold_up_the_end() -> None:
    pytest.importorskip("opentelemetry.exporter.otlp.proto.http.trace_exporter")
    stuck = threading.Event()

    class Stuck:
        def export(self, _spans: Any) -> None:
            stuck.wait(20)

        def force_flush(self, timeout_millis: int = 0) -> bool:
            return True

        def shutdown(self) -> None: ...

    observation = Observation()
    observation.start_tracing(Stuck())  # type: ignore[arg-type]
    with observation.call("ping"):
        pass
    observation.close(timeout=0.05)
    stuck.set()
