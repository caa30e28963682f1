"""The pipes of a stdio server: who writes to stdout, and what of stdin the library gets to see."""

from __future__ import annotations

import logging
import os
import re
import select
import sys
import threading
from collections.abc import Callable

STDIN, STDOUT, STDERR = 0, 1, 2

MOST_LINE_BYTES = 16 * 1024 * 1024
MOST_LEVELS = 100

log = logging.getLogger(__name__)


def divert_stdout() -> int:
    """Points descriptor 1 at stderr, so that a stray print is no protocol frame; returns the real stdout.

    Descriptors that the process was started without are opened first, so that nothing else lands there.
    """
    while (spare := os.open(os.devnull, os.O_RDWR)) <= STDERR:
        pass
    os.close(spare)
    real = os.dup(STDOUT)
    os.dup2(STDERR, STDOUT)
    return real


def restore_stdout(real: int) -> None:
    """Gives descriptor 1 back to stdout; what was printed meanwhile goes to stderr first."""
    if sys.stdout is not None:
        sys.stdout.flush()
    os.dup2(real, STDOUT)


class CallsInFlight:
    """Tool calls that were passed to the library and have no answer yet."""

    def __init__(self) -> None:
        self._open = 0
        self._changed = threading.Condition()

    def sent(self) -> None:
        """One more call is on its way."""
        with self._changed:
            self._open += 1

    def answered(self) -> None:
        """One of them has its answer."""
        with self._changed:
            self._open -= 1
            self._changed.notify_all()

    def settle(self, timeout: float) -> None:
        """Waits until all have their answers, and these are written, but at most `timeout` seconds."""
        with self._changed:
            if self._open <= 0:
                return
            self._changed.wait_for(lambda: self._open <= 0, timeout)
        # an answer is counted just before it is written
        threading.Event().wait(_WRITE_SECONDS)


def filter_stdin(
    ended: Callable[[Callable[[float], None]], None], calls: CallsInFlight, stdout: int, oversized: str
) -> None:
    """Puts a thread between the real stdin and descriptor 0, which cleans each line; see `clean`.

    Args:
        ended: called on that thread when the input is over, with what gives the calls in flight some seconds and
            then ends the input of the library.
        calls: is told of each tool call that is let through.
        stdout: the real stdout; when nobody reads it any more, the input counts as over.
        oversized: the name of the argument that stands for all of a request that is too long.
    """
    source = os.dup(STDIN)
    reader, sink = os.pipe()
    os.dup2(reader, STDIN)
    os.close(reader)
    # started without stdin, Python has no sys.stdin
    sys.stdin = os.fdopen(STDIN, "r", encoding="utf-8", closefd=False)

    def run() -> None:
        try:
            feed(source, sink, oversized, calls=calls, reader=stdout)
        except OSError as error:
            log.info("reading stdin ended: %s", error)
        finally:
            ended(finish)

    def finish(seconds: float) -> None:
        calls.settle(seconds)
        os.close(sink)

    threading.Thread(target=run, name="stdin", daemon=True).start()


def feed(
    source: int,
    sink: int,
    oversized: str,
    *,
    calls: CallsInFlight | None = None,
    reader: int | None = None,
    most: int = MOST_LINE_BYTES,
) -> None:
    """Copies lines from one descriptor to the other, cleaned, until the source ends.

    Never holds more than about `most` bytes: of a longer line only head and tail are kept, from which a
    request is made that is answered by an error.
    """
    line = bytearray()
    length = 0
    while _readable(source, reader) and (chunk := os.read(source, 65536)):
        *ended, rest = chunk.split(b"\n")
        for part in ended:
            line += part
            length += len(part)
            passed = clean(bytes(line)) if length <= most else stand_in(bytes(line), length, oversized)
            if calls is not None and b'"tools/call"' in passed:
                calls.sent()
            _write(sink, passed)
            line.clear()
            length = 0
        line += rest
        length += len(rest)
        if length > most:
            del line[_KEPT:-_KEPT]
    if line and length <= most:
        _write(sink, clean(bytes(line)))


_KEPT = 4096
_WRITE_SECONDS = 0.05


def _readable(source: int, reader: int | None) -> bool:
    """Waits for input; false when whoever reads descriptor `reader` has gone."""
    poll = select.poll()
    poll.register(source, select.POLLIN)
    if reader is not None:
        poll.register(reader, 0)
    gone = select.POLLERR | select.POLLHUP
    return not any(fd == reader and event & gone for fd, event in poll.poll())


def _write(sink: int, line: bytes) -> None:
    data = line + b"\n"
    while data:
        data = data[os.write(sink, data) :]


_ESCAPE = re.compile(
    rb"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(\\u[dD][89a-fA-F][0-9a-fA-F]{2})|\\.",
    re.DOTALL,
)
_UNDECODABLE = re.compile("[\udc80-\udcff]+")
_NOT_TEXT = rb"\u0000"


def clean(line: bytes) -> bytes:
    r"""A line that the library can take and our own checks can judge; harmless lines come back unchanged.

    The library gives no answer at all to half a surrogate pair, to bottomless nesting or to a number of some
    thousand digits, and mangles bytes that are not UTF-8. A number becomes one that is not finite, the others
    `\u0000`, both of which the check of arguments refuses by name.
    """
    line = line.removeprefix(b"\xef\xbb\xbf").replace(b"\r", b" ")
    try:
        line.decode("utf-8")
    except UnicodeDecodeError:
        text = line.decode("utf-8", "surrogateescape")
        line = _UNDECODABLE.sub(r"\\u0000", text).encode("utf-8")
    if b"\\ud" in line or b"\\uD" in line:
        line = _ESCAPE.sub(lambda found: _NOT_TEXT if found[1] else found[0], line)
    if _ENDLESS_NUMBER.search(line):
        line = _NUMBER.sub(lambda found: b"1e999" if found[1] else found[0], line)
    if line.count(b"[") + line.count(b"{") > MOST_LEVELS:
        line = _cut_depth(line)
    return line


_ENDLESS_NUMBER = re.compile(rb"\d{1000}")
_NUMBER = re.compile(rb'"(?:[^"\\]++|\\.)*+"|(-?\d{1000}[-+.\deE]*)', re.DOTALL)
_BRACKET = re.compile(rb'"(?:[^"\\]++|\\.)*+"|([\[{])|([\]}])', re.DOTALL)


def _cut_depth(line: bytes) -> bytes:
    kept: list[bytes] = []
    level = start = 0
    for token in _BRACKET.finditer(line):
        if token[1]:
            level += 1
            if level == MOST_LEVELS + 1:
                kept.append(line[start : token.start()] + b'"' + _NOT_TEXT + b'"')
        elif token[2]:
            if level == MOST_LEVELS + 1:
                start = token.end()
            level -= 1
    if level > MOST_LEVELS:
        return b"".join(kept)
    return b"".join(kept) + line[start:]


_SIMPLE = rb'"(\w+)"\s*:\s*("(?:[^"\\]|\\.)*"|-?\d+)'
_MEMBER = re.compile(_SIMPLE)
_HEAD = re.compile(rb"\s*\{(?:\s*" + _SIMPLE + rb"\s*,)*")
_TAIL = re.compile(rb"(?:,\s*" + _SIMPLE + rb"\s*)+\}\s*$")
_TOOL_NAME = re.compile(rb'"params"\s*:\s*\{\s*"name"\s*:\s*("(?:[^"\\]|\\.)*")')


def stand_in(ends: bytes, length: int, oversized: str) -> bytes:
    """A small request in place of one that is too long, with its id, to be answered by an error.

    Args:
        ends: head and tail of the line, as much as was kept.
        length: bytes of the whole line.
        oversized: the name of the argument that says so.
    """
    import json

    members: dict[bytes, bytes] = {}
    for found in (_HEAD.match(ends), _TAIL.search(ends)):
        members |= dict(_MEMBER.findall(found[0])) if found else {}
    if b"id" not in members:
        log.warning("a line of %d bytes without a readable id was dropped", length)
        return b""
    name = _TOOL_NAME.search(ends)
    arguments = json.dumps({oversized: length}).encode()
    return b'{"jsonrpc":"2.0","id":%b,"method":"tools/call","params":{"name":%b,"arguments":%b}}' % (
        members[b"id"],
        name[1] if name else b'"ping"',
        arguments,
    )
