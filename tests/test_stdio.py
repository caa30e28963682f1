"""What goes in and out of a stdio server, and how it ends, seen from outside."""

from __future__ import annotations

import json
import os
import queue
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_server.departure import Departure
from memory_server.stdio import MOST_LEVELS, CallsInFlight, clean, feed, stand_in

TOY = Path(__file__).with_name("toy_server.py")
PATIENCE = 30.0


@pytest.mark.parametrize(
    ("line", "cleaned"),
    [
        (rb'{"a":"plain \u00e9 \n \" \\"}', rb'{"a":"plain \u00e9 \n \" \\"}'),
        (rb'"\ud83d\ude80"', rb'"\ud83d\ude80"'),
        (rb'"\uD83D\uDE80"', rb'"\uD83D\uDE80"'),
        (rb'"a\ud83db"', rb'"a\u0000b"'),
        (rb'"a\udc00b"', rb'"a\u0000b"'),
        (rb'"\ude80\ud83d"', rb'"\u0000\u0000"'),
        (rb'"\ud83d\ud83d\ude80"', rb'"\u0000\ud83d\ude80"'),
        (rb'"\\ud83d"', rb'"\\ud83d"'),
        (rb'"\\\ud83d"', rb'"\\\u0000"'),
        (rb'"\ud83d\\ude80"', rb'"\u0000\\ude80"'),
        (b'"caf\xc3\xa9"', b'"caf\xc3\xa9"'),
        (b'"caf\xe9 ol\xe9"', rb'"caf\u0000 ol\u0000"'),
        (b'"\xed\xa0\xbd"', rb'"\u0000"'),
        (b'\xef\xbb\xbf{"a":1}\r', b'{"a":1} '),
        (b'{"a":' + b"7" * 5000 + b',"b":"' + b"7" * 1000 + b'"}', b'{"a":1e999,"b":"' + b"7" * 1000 + b'"}'),
        (b"{not json", b"{not json"),
        (b"", b""),
    ],
)
def test_what_is_no_text_becomes_nul_and_all_else_stays(line: bytes, cleaned: bytes) -> None:
    assert clean(line) == cleaned


def nested(levels: int, inner: str = '"x"') -> bytes:
    return ('{"a":' * levels + inner + "}" * levels).encode()


def depth(value: Any) -> int:
    level = 0
    while isinstance(value, dict | list):
        level += 1
        value = next(iter(value.values())) if isinstance(value, dict) else value[0]
    return level


def test_nesting_within_bounds_stays() -> None:
    assert clean(nested(MOST_LEVELS)) == nested(MOST_LEVELS)


@pytest.mark.parametrize("levels", [MOST_LEVELS + 1, 3000, 100_000])
def test_deeper_nesting_is_cut_to_valid_json(levels: int) -> None:
    cut = json.loads(
        clean(b'{"id":7,"params":[' + nested(levels) + b"," + nested(levels) + b'],"z":"[[[{{{"}')
    )
    assert cut["id"] == 7
    assert len(cut["params"]) == 2
    assert depth(cut["params"]) == MOST_LEVELS - 1
    assert cut["z"] == "[[[{{{"


def test_brackets_inside_texts_are_no_nesting() -> None:
    line = json.dumps({"id": 1, "text": '{"[' * 500}).encode()
    assert clean(line) == line


@given(st.text(st.characters(exclude_categories=())), st.booleans())
def test_cleaning_keeps_whole_texts_and_leaves_no_half_pairs(text: str, escaped: bool) -> None:
    try:
        text.encode()
        whole = True
    except UnicodeEncodeError:
        whole, escaped = False, True
    line = json.dumps({"text": text}, ensure_ascii=escaped).encode()
    taken = json.loads(clean(line))["text"]
    taken.encode()
    assert taken == json.loads(json.dumps(text)) if whole else "\0" in taken


def fed(data: bytes, most: int = 1000) -> list[bytes]:
    in_reader, in_writer = os.pipe()
    out_reader, out_writer = os.pipe()

    def write() -> None:
        with os.fdopen(in_writer, "wb") as file:
            file.write(data)

    def run() -> None:
        feed(in_reader, out_writer, "\0big", most=most)
        os.close(out_writer)

    threads = [threading.Thread(target=write), threading.Thread(target=run)]
    for thread in threads:
        thread.start()
    with os.fdopen(out_reader, "rb") as file:
        out = file.read()
    for thread in threads:
        thread.join(PATIENCE)
    os.close(in_reader)
    return out.split(b"\n")[:-1]


def test_lines_are_passed_on_one_by_one_with_or_without_a_last_newline() -> None:
    assert fed(b'{"a":1}\n\n{"b":2}') == [b'{"a":1}', b"", b'{"b":2}']


@pytest.mark.parametrize(
    "request_text",
    [
        '{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"learn","arguments":{"text":"%s"}}}',
        '{ "method": "tools/call", "params": {"name": "learn", "arguments": {"text": "%s"}}, "jsonrpc": "2.0", "id": 5 }',
    ],
)
@pytest.mark.parametrize("size", [2000, 300_000])
def test_of_a_line_that_is_too_long_a_small_request_with_its_id_remains(request_text: str, size: int) -> None:
    before, between, after = fed(b'{"a":1}\n' + (request_text % ("é" * size)).encode() + b'\n{"b":2}\n')
    assert (before, after) == (b'{"a":1}', b'{"b":2}')
    request = json.loads(between)
    assert request["id"] == 5
    assert request["method"] == "tools/call"
    assert request["params"]["name"] == "learn"
    assert request["params"]["arguments"]["\0big"] > size


def test_a_line_that_is_too_long_and_has_no_readable_id_is_dropped() -> None:
    assert stand_in(b'{"jsonrpc":"2.0","method":"notifications/x","params":{"id":3}}', 10**9, "x") == b""
    assert stand_in(b"x" * 8000, 10**9, "x") == b""


class Client:
    """The other end of a toy server's pipes; every wait has a limit."""

    def __init__(self, mark: Path, *options: str, **environment: str) -> None:
        self.mark = mark
        self.process = subprocess.Popen(
            [sys.executable, str(TOY), str(mark), *options],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=os.environ | environment,
        )
        self.lines: queue.Queue[bytes] = queue.Queue()
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.lines.put(line)
        self.lines.put(b"")

    def send(self, data: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(data + b"\n")
        self.process.stdin.flush()

    def answer(self, wanted: Any) -> dict[str, Any]:
        until = time.monotonic() + PATIENCE
        while line := self.lines.get(timeout=max(0.1, until - time.monotonic())):
            message: dict[str, Any] = json.loads(line.decode("utf-8"))
            assert message["jsonrpc"] == "2.0"
            if message.get("id") == wanted:
                return message
        raise AssertionError(f"stdout was closed: {self.errors()}")

    def ask(self, number: int, method: str, **params: Any) -> dict[str, Any]:
        self.send(json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params}).encode())
        return self.answer(number)

    def call(self, number: int, name: str, **arguments: Any) -> dict[str, Any]:
        return self.ask(number, "tools/call", name=name, arguments=arguments)["result"]

    def initialize(self, version: str = "2025-06-18") -> dict[str, Any]:
        info = {"name": "test", "version": "1"}
        answer = self.ask(0, "initialize", protocolVersion=version, capabilities={}, clientInfo=info)
        self.send(b'{"jsonrpc":"2.0","method":"notifications/initialized"}')
        return answer["result"]

    def wait_for(self, suffix: str) -> None:
        until = time.monotonic() + PATIENCE
        pause = threading.Event()
        while not self.mark.with_suffix(suffix).exists():
            assert time.monotonic() < until, f"no {suffix}: {self.errors()}"
            pause.wait(0.01)

    def close_stdin(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()

    def ends(self, within: float = 2.0) -> tuple[int, float]:
        """The exit code, and the seconds that it took."""
        started = time.monotonic()
        code = self.process.wait(within + 5)
        return code, time.monotonic() - started

    def errors(self) -> str:
        assert self.process.stderr is not None
        return self.process.stderr.read().decode() if self.process.poll() is not None else "still running"

    def marks(self) -> list[str]:
        return self.mark.read_text().split() if self.mark.exists() else []


@contextmanager
def toy(tmp_path: Path, *options: str, **environment: str) -> Iterator[Client]:
    client = Client(tmp_path / "marks", *options, **environment)
    try:
        yield client
    finally:
        client.process.kill()
        client.process.wait(PATIENCE)
        client.reader.join(PATIENCE)
        for pipe in (client.process.stdin, client.process.stdout, client.process.stderr):
            if pipe is not None:
                with suppress(BrokenPipeError):
                    pipe.close()


def test_stdout_carries_protocol_frames_alone(tmp_path: Path) -> None:
    with toy(tmp_path) as client:
        client.initialize()
        text = 'stray naïve \u2028 数据 🧭 \u0085 "quoted" \\ back\tslash'
        for number in range(1, 6):
            answer = client.call(number, "say", text=text)
            assert answer["structuredContent"] == {"text": text}
        client.close_stdin()
        assert client.ends()[0] == 0
        errors = client.errors()
        assert "a stray print" in errors
        assert "a stray write" in errors


def test_the_end_of_input_closes_the_app_and_ends_with_code_0(tmp_path: Path) -> None:
    with toy(tmp_path) as client:
        client.initialize()
        client.call(1, "say", text="x")
        client.close_stdin()
        code, seconds = client.ends()
        assert code == 0
        assert seconds < 2
        assert client.marks() == ["said", "closed"]


def test_what_was_asked_before_the_end_of_input_is_answered(tmp_path: Path) -> None:
    with toy(tmp_path) as client:
        client.initialize()
        for number in range(1, 31):
            client.send(
                b'{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"say","arguments":{"text":"x"}}}'
                % number
            )
        client.close_stdin()
        assert client.ends()[0] == 0
        client.reader.join(PATIENCE)
        answers = [json.loads(line) for line in iter(client.lines.get_nowait, b"")]
        assert {answer["id"] for answer in answers} == set(range(1, 31))
        assert client.marks() == ["said"] * 30 + ["closed"]


def test_the_end_of_input_does_not_wait_for_a_call_that_hangs(tmp_path: Path) -> None:
    with toy(tmp_path) as client:
        client.initialize()
        client.send(b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"hang","arguments":{}}}')
        client.wait_for(".hanging")
        client.close_stdin()
        code, seconds = client.ends()
        assert code == 0
        assert seconds < 2


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_signal_closes_the_app_and_ends_with_code_0(tmp_path: Path, number: signal.Signals) -> None:
    with toy(tmp_path) as client:
        client.initialize()
        client.process.send_signal(number)
        code, seconds = client.ends()
        assert code == 0
        assert seconds < 2
        assert client.marks() == ["closed"]
        assert "Traceback" not in client.errors()


def test_a_signal_while_a_call_hangs_still_ends_within_two_seconds(tmp_path: Path) -> None:
    with toy(tmp_path) as client:
        client.initialize()
        client.send(b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"hang","arguments":{}}}')
        client.wait_for(".hanging")
        client.process.send_signal(signal.SIGTERM)
        code, seconds = client.ends()
        assert code == 0
        assert seconds < 2


def test_a_signal_during_the_start_ends_it(tmp_path: Path) -> None:
    with toy(tmp_path, "--slow-start") as client:
        client.wait_for(".starting")
        client.process.send_signal(signal.SIGTERM)
        code, seconds = client.ends()
        assert code == 0
        assert seconds < 2
        assert "Traceback" not in client.errors()


def test_a_client_that_goes_without_closing_stdin_ends_the_server(tmp_path: Path) -> None:
    reader, writer = os.pipe()
    command = [sys.executable, str(TOY), str(tmp_path / "marks")]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=writer, stderr=subprocess.PIPE)
    os.close(writer)
    os.close(reader)
    assert process.stdin is not None
    try:
        assert process.wait(PATIENCE) == 0
    finally:
        process.kill()
        errors = process.communicate()[1]
    assert b"Traceback" not in errors


JUNK = [
    b"\xff\xfe\x00\x01",
    b"{not json",
    b"",
    b"   ",
    b"[]",
    b'"text"',
    b"null",
    b"{}",
    b'{"jsonrpc":"2.0","method":5}',
    b'{"jsonrpc":"1.0","id":1}',
    b'{"jsonrpc":"2.0","id":{"a":1},"method":"ping"}',
    b'{"jsonrpc":"2.0","id":77777,"result":{}}',
]


def test_junk_on_stdin_does_not_end_the_session(tmp_path: Path) -> None:
    with toy(tmp_path) as client:
        client.initialize()
        for number, junk in enumerate(JUNK, 1):
            client.send(junk)
            assert client.call(number, "say", text="here")["structuredContent"] == {"text": "here"}, junk


UNANSWERABLE = [
    (rb'{"text":"a\ud83db"}', "NUL"),
    (rb'{"text":"\udc4d\ud83d"}', "NUL"),
    (rb'{"text":"left\u0000right"}', "NUL"),
    (b'{"text":"caf\xe9"}', "NUL"),
    (b'{"text":' + nested(3000) + b"}", "nested too deeply"),
    (b'{"text":' + b"[" * 3000 + b"]" * 3000 + b"}", "nested too deeply"),
    (b'{"text":' + b"7" * 5000 + b"}", "text must be text"),
    (b'{"text":NaN}', "text must be text"),
    (b'{"text":"' + b"x" * 17_000_000 + b'"}', "too long"),
]


def test_a_request_that_the_library_could_not_answer_is_refused_with_its_id(tmp_path: Path) -> None:
    with toy(tmp_path) as client:
        client.initialize()
        for number, (arguments, said) in enumerate(UNANSWERABLE):
            client.send(
                b'{"jsonrpc":"2.0","id":"odd%d","method":"tools/call","params":{"name":"say","arguments":%b}}'
                % (number, arguments)
            )
            answer = client.answer(f"odd{number}")["result"]
            assert answer["isError"]
            assert said in answer["content"][0]["text"], arguments[:100]


def test_text_goes_through_unharmed_under_an_ascii_locale(tmp_path: Path) -> None:
    ascii_only = {
        "LANG": "C",
        "LC_ALL": "C",
        "PYTHONUTF8": "0",
        "PYTHONIOENCODING": "ascii",
        "PYTHONCOERCECLOCALE": "0",
    }
    with toy(tmp_path, **ascii_only) as client:
        client.initialize()
        text = "Café 数据 🚀 👩‍🚀"
        assert client.call(1, "say", text=text)["structuredContent"] == {"text": text}
        client.send(
            '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"say","arguments":{"text":"é🚀"}}}'.encode()
        )
        assert client.answer(2)["result"]["structuredContent"] == {"text": "é🚀"}


def test_a_client_that_never_reads_stderr_is_served_all_the_same(tmp_path: Path) -> None:
    with toy(tmp_path) as client:
        client.initialize()
        for number in range(1, 700):
            assert client.call(number, "say", text="x")["structuredContent"] == {"text": "x"}


def test_a_server_whose_stdin_was_closed_from_the_start_ends_with_code_0(tmp_path: Path) -> None:
    command = [sys.executable, str(TOY), str(tmp_path / "marks")]
    done = subprocess.run(["sh", "-c", 'exec "$0" "$@" <&-', *command], capture_output=True, timeout=PATIENCE)
    assert done.returncode == 0
    assert done.stdout == b""


def test_calls_in_flight_are_waited_for_only_while_there_are_any() -> None:
    calls = CallsInFlight()
    calls.settle(0.0)
    calls.sent()
    threading.Timer(0.01, calls.answered).start()
    started = time.monotonic()
    calls.settle(PATIENCE)
    assert time.monotonic() - started < PATIENCE / 2
    calls.sent()
    calls.settle(0.01)


def test_a_departure_closes_with_what_is_left_of_its_time() -> None:
    codes: list[int] = []
    times: list[float] = []
    departure = Departure(close=times.append, exit=codes.append)
    departure.leave()
    assert codes[0] == 0
    assert 1 < times[0] <= 1.5


def test_a_failing_close_still_ends_with_code_0() -> None:
    def close(timeout: float) -> None:
        raise OSError("disk gone")

    codes: list[int] = []
    Departure(close=close, exit=codes.append).leave()
    assert codes[0] == 0


@pytest.mark.parametrize("version", ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"])
def test_each_handshake_version_is_spoken(tmp_path: Path, version: str) -> None:
    with toy(tmp_path) as client:
        answer = client.initialize(version)
        assert answer["protocolVersion"] == version
        assert answer["serverInfo"]["name"] == "memory-server"
        assert "remember" in answer["instructions"]
        names = [tool["name"] for tool in client.ask(1, "tools/list")["result"]["tools"]]
        assert names == ["ping", "say", "hang", "deep"]
        answer = client.call(2, "say", text="x")
        assert json.loads(answer["content"][0]["text"]) == {"text": "x"}
        assert client.call(3, "nope")["isError"]


def test_an_unknown_version_is_answered_with_one_that_is_spoken(tmp_path: Path) -> None:
    with toy(tmp_path) as client:
        assert client.initialize("2031-01-01")["protocolVersion"] == "2025-11-25"


def test_the_version_without_a_handshake_is_spoken(tmp_path: Path) -> None:
    meta = {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    }
    with toy(tmp_path) as client:
        found = client.ask(1, "server/discover", _meta=meta)["result"]
        assert "2026-07-28" in found["supportedVersions"]
        assert "remember" in found["instructions"]
        assert len(client.ask(2, "tools/list", _meta=meta)["result"]["tools"]) == 4
        said = client.ask(3, "tools/call", name="say", arguments={"text": "x"}, _meta=meta)["result"]
        assert said["structuredContent"] == {"text": "x"}
        refused = client.ask(4, "tools/call", name="nope", arguments={}, _meta=meta)["result"]
        assert refused["isError"]
        assert "unknown tool" in refused["content"][0]["text"]
