"""`memory-server import transcript`: talks as JSON Lines, each turn an episode in its place."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memory_server.cli.printing import print_json
from memory_server.cli.progress import progress_bars
from memory_server.domain.errors import InvalidArgument

if TYPE_CHECKING:
    from memory_server.app import MemoryApp
    from memory_server.services.conversations import Turn

MOST_CHARACTERS = 200_000
FIELDS = ("id", "text", "session", "speaker", "ts")


def import_transcript(app: MemoryApp, file: Path, source: str, scope: str, as_json: bool) -> None:
    """Imports a file of JSON Lines with id, text, session, speaker and ts, of which text alone has to be there.

    Raises:
        InvalidArgument: a line is no such object; what came in whole batches before it is imported.
        OSError: the file cannot be read.
    """
    from memory_server.services.conversations import import_turns

    with progress_bars() as tell:
        done = import_turns(
            app,
            turns_of(file),
            source=source,
            scope=scope,
            progress=lambda number: tell("turns", number, None),
        )
    counts = asdict(done)
    if as_json:
        print_json(counts)
        return
    more = ", ".join(f"{n} {what}" for what, n in counts.items() if n and what != "new")
    print(f"imported {done.new} turns" + (f" ({more})" if more else ""))


def turns_of(file: Path) -> Iterator[Turn]:
    """The turns of a file of JSON Lines; `-` is stdin. A turn without a session belongs to that of the file's name.

    Raises:
        InvalidArgument, OSError: see `import_transcript`.
    """
    stream = sys.stdin.buffer if str(file) == "-" else file.open("rb")
    with stream:
        for number, line in enumerate(stream, 1):
            if line.strip():
                yield turn_of(line, number, "transcript" if str(file) == "-" else file.stem)


def turn_of(line: bytes, number: int, session: str) -> Turn:
    """One line as a turn.

    Raises:
        InvalidArgument: it is none; the message names the line.
    """
    from memory_server.services.conversations import Turn

    try:
        given = json.loads(line)
    except ValueError as error:
        raise _wrong(number, f"is no JSON ({error})") from error
    if not isinstance(given, dict) or not isinstance(given.get("text"), str):
        raise _wrong(number, "must be an object with a text")
    if len(given["text"]) > MOST_CHARACTERS:
        raise _wrong(number, f"has a text of more than {MOST_CHARACTERS} characters")
    values = {name: _name(given.get(name), number, name) for name in ("id", "session", "speaker", "ts")}
    return Turn(
        text=given["text"],
        session=values["session"] or session,
        speaker=values["speaker"],
        occurred_at=_moment(values["ts"], number),
        external_id=values["id"],
    )


def _name(value: Any, number: int, field: str) -> str | None:
    if value is None or value == "":
        return None
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise _wrong(number, f"has a {field} that is no text")
    if len(str(value)) > 512:
        raise _wrong(number, f"has a {field} of more than 512 characters")
    return str(value)


def _moment(text: str | None, number: int) -> str | None:
    from memory_server.domain.memory import parse_time, rfc3339

    if text is None:
        return None
    try:
        return rfc3339(parse_time(text))
    except (ValueError, OverflowError) as error:
        raise _wrong(number, f"has a ts that is no RFC 3339 time: {text[:60]!r}") from error


def _wrong(number: int, what: str) -> InvalidArgument:
    return InvalidArgument(f"line {number} {what}", argument="file", line=number)
