"""Runs as files: JSON Lines, a header first, then one question a line."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO

from memory_server.domain.errors import InvalidArgument

FORM = 1  # of the file; a reader refuses others


@dataclass(frozen=True)
class Trace:
    """A saved run."""

    header: dict[str, Any]
    rows: list[dict[str, Any]]


def write_trace(
    path: Path, header: dict[str, Any], rows: Iterable[dict[str, Any]]
) -> Iterator[dict[str, Any]]:
    """Hands the rows on and writes each down as it comes, so that a run that breaks off leaves what it had.

    What the file held before stays until the first row is there: a run that cannot begin takes nothing away.

    Raises:
        OSError: the file cannot be written.
    """
    with path.open("a", encoding="utf-8") as stream:
        begun = False
        for row in rows:
            if not begun:
                stream.truncate(0)
                _write(stream, {"kind": "header", "form": FORM, **header})
                begun = True
            _write(stream, row)
            if row["kind"] == "question":
                yield row


def _write(stream: TextIO, line: dict[str, Any]) -> None:
    stream.write(json.dumps(line, ensure_ascii=False) + "\n")
    stream.flush()


def read_trace(path: Path) -> Trace:
    """A saved run.

    Raises:
        InvalidArgument: the file is none.
        OSError: it cannot be read.
    """
    lines = []
    with path.open(encoding="utf-8") as stream:
        for number, text in enumerate(stream, 1):
            try:
                lines.append(json.loads(text))
            except ValueError as error:
                raise InvalidArgument(f"{path.name}: line {number} is no JSON", argument="file") from error
    if not lines or not isinstance(lines[0], dict) or lines[0].get("form") != FORM:
        raise InvalidArgument(f"{path.name} was not written by --output of this version", argument="file")
    return Trace(lines[0], lines[1:])
