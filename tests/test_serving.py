"""How `memory-server serve` starts: what it loads, what it refuses, and with which words and codes."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

PATIENCE = 60
HEAVY = (
    "numpy",
    "onnxruntime",
    "tokenizers",
    "lancedb",
    "pyarrow",
    "alembic",
    "git",
    "rich",
    "typer",
    "opentelemetry.sdk",
)
SESSION = b"\n".join(
    json.dumps(message).encode()
    for message in (
        {
            "jsonrpc": "2.0",
            "id": 1,
            "method": "initialize",
            "params": {
                "protocolVersion": "2025-06-18",
                "capabilities": {},
                "clientInfo": {"name": "t", "version": "1"},
            },
        },
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/list"},
    )
)


def serve(*options: str, before: tuple[str, ...] = (), **environment: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, *before, "-m", "memory_server", "serve", *options],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=os.environ | environment,
    )


def test_a_session_is_listed_its_tools_without_any_heavy_library() -> None:
    # the import times are more than a pipe holds: a thread takes them off
    with serve(before=("-X", "importtime")) as process, ThreadPoolExecutor(1) as reader:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        reading = reader.submit(process.stderr.read)
        process.stdin.write(SESSION + b"\n")
        process.stdin.flush()
        answers = [json.loads(process.stdout.readline()) for _ in range(2)]
        process.stdin.close()
        errors = reading.result(PATIENCE).decode()
    assert [answer["id"] for answer in answers] == [1, 2]
    assert answers[1]["result"]["tools"][0]["name"] == "ping"
    assert process.returncode == 0
    loaded = {
        line.rsplit("|", 1)[1].strip() for line in errors.splitlines() if line.startswith("import time:")
    }
    assert "memory_server.app" in loaded
    assert sorted(loaded.intersection(HEAVY)) == []


@pytest.mark.parametrize(
    ("options", "environment", "code", "said"),
    [
        (["--bogus"], {}, 2, "unrecognized arguments: --bogus"),
        (["--toolsets", "cores"], {}, 2, "memory-server: unknown toolset 'cores'; known: core"),
        (["--transport", "carrier-pigeon"], {}, 2, "carrier-pigeon"),
        (["--transport", "streamable-http", "--host", "0.0.0.0"], {}, 2, "MEMORY_SERVER_HTTP_TOKEN"),
        ([], {"MEMORY_SERVER_LOG_LEVEL": "LOUD"}, 1, "memory-server: MEMORY_SERVER_LOG_LEVEL"),
        (
            ["--scope", "team:red"],
            {},
            1,
            "MEMORY_SERVER_SCOPE): a scope is global, project:<name> or repo:<name>",
        ),
        (["--home", "{file}"], {}, 1, "is a file"),
        (["--db", "{file}"], {}, 1, "not a database"),
    ],
)
def test_a_start_that_cannot_be_is_refused_in_one_line(
    tmp_path: Path, options: list[str], environment: dict[str, str], code: int, said: str
) -> None:
    file = tmp_path / "a-file"
    file.write_bytes(b"keep me " * 100)
    process = serve(*(option.format(file=file) for option in options), **environment)
    out, errors = process.communicate(timeout=PATIENCE)
    text = errors.decode()
    assert process.returncode == code, text
    assert said in text
    assert "Traceback" not in text
    assert out == b""
    assert file.read_bytes() == b"keep me " * 100


def test_the_options_are_explained() -> None:
    out, _ = serve("--help").communicate(timeout=PATIENCE)
    for option in (b"--toolsets", b"--transport", b"--host", b"--port", b"--home", b"--db", b"--allow-host"):
        assert option in out


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def answer_of(url: str, token: str) -> int:
    """The status of a request, asked again until the server listens."""
    until = time.monotonic() + PATIENCE
    pause = threading.Event()
    request = urllib.request.Request(url, headers={"Authorization": f"Bearer {token}"})
    while True:
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
                status: int = answer.status
                return status
        except urllib.error.HTTPError as error:
            with error:
                return error.code
        except urllib.error.URLError:
            assert time.monotonic() < until
            pause.wait(0.05)


def test_a_server_over_http_listens_and_ends_on_a_signal_even_with_a_stream_open() -> None:
    port = free_port()
    token = {"MEMORY_SERVER_HTTP_TOKEN": "sesame"}
    with serve("--transport", "streamable-http", "--port", str(port), **token) as process:
        try:
            assert answer_of(f"http://127.0.0.1:{port}/metrics", "wrong") == 401
            assert answer_of(f"http://127.0.0.1:{port}/metrics", "sesame") == 200
            with socket.create_connection(("127.0.0.1", port)) as idle:
                idle.sendall(b"GET /metrics HTTP/1.1\r\nHost: 127.0.0.1\r\n")
                started = time.monotonic()
                process.send_signal(signal.SIGTERM)
                assert process.wait(PATIENCE) == 0
                assert time.monotonic() - started < 2
        finally:
            process.kill()
            errors = process.communicate()[1]
    assert b"Traceback" not in errors
