"""Reads a MEMORY.md: every entry is judged, and what is worth keeping is learned, section by section."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from memory_server.domain.errors import InvalidArgument
from memory_server.policies.admission import Admission, admit
from memory_server.policies.confidence import DEFAULT_SOURCE_KINDS
from memory_server.policies.pieces import pieces
from memory_server.policies.scopes import GLOBAL
from memory_server.policies.text import is_blank
from memory_server.services.learn import Learned, learn
from memory_server.services.lesson import MOST_CHARACTERS, Lesson, without_secrets
from memory_server.services.parts import Parts

ACTOR = "import"

_HEADING = re.compile(r"#{1,6}\s+\S")
# what stands under them is of the moment, however it is worded
_PASSING_HEADING = re.compile(
    r"#{1,6}\s+(?:scratch(?:pad)?|temp(?:orary)?|tmp|today|wip|for now|throwaway|черновик|временное|сегодня)"
    r"(?:\W+(?:notes?|items?|stuff|things|tasks?|only))?\W*",
    re.IGNORECASE,
)
_BULLET = re.compile(r"[-*+]\s+\S")
_NUMBER = re.compile(r"\d{1,3}[.)]\s+\S")
_FENCE = re.compile(r"\s{0,3}(```|~~~)")
_FRONT_MATTER = re.compile(r"\A---\n.*?\n---\n", re.DOTALL)
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Section:
    """A heading, if there is one, with the entries below it; each entry is one bullet, list of steps or paragraph."""

    heading: str
    entries: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Refused:
    """An entry that was not kept, and why."""

    text: str
    admission: Admission


@dataclass(slots=True)
class ImportedNotes:
    """What came of a file of notes: entries that were kept and refused, and what was learned from the kept ones."""

    kept: int = 0
    refused: list[Refused] = field(default_factory=list)
    learned: list[Learned] = field(default_factory=list)


def import_notes(
    parts: Parts,
    text: str,
    *,
    source: str = "import",
    scope: str = GLOBAL,
    extract_beliefs: bool = False,
    forced: bool = False,
    rehearse: bool = False,
    progress: Callable[[int, int], None] = lambda _done, _of: None,
) -> ImportedNotes:
    """Learns the entries that admission lets through; each section is a text of its own, stored or not as a whole.

    Args:
        forced: takes every entry.
        rehearse: goes through all of it, and leaves nothing behind.
        progress: is told how many sections are done, and of how many.

    Raises:
        InvalidArgument: there is no entry, or there are secrets and the setting is to refuse them.
        StorageUnavailable: the section in hand was not stored; those before it were.
    """
    # before anything is stored: half an import helps nobody
    without_secrets(parts, text)
    kinds = {**DEFAULT_SOURCE_KINDS, **parts.settings.source_kinds}
    found = [section for section in sections(text) if section.entries]
    if not found:
        raise InvalidArgument("the file has no entries: nothing to import", argument="file")
    done = ImportedNotes()
    now = datetime.now(UTC)
    for number, section in enumerate(found, 1):
        kept = []
        passing = _PASSING_HEADING.fullmatch(section.heading) is not None
        for entry in section.entries:
            verdict = admit(entry, source=source, now=now, forced=forced, source_kinds=kinds)
            if passing and not forced and verdict.reason_codes == ("content",):
                verdict = replace(verdict, admitted=False, tag="ephemeral", reason_codes=("passing",))
            if verdict.admitted:
                kept.append(entry)
            else:
                done.refused.append(Refused(entry, verdict))
        done.kept += len(kept)
        for _, part in pieces(_joined(section.heading, kept), MOST_CHARACTERS) if kept else ():
            lesson = Lesson(part, source=source, scope=scope, extract_beliefs=extract_beliefs, forced=True)
            done.learned.append(learn(parts, lesson, created_by=ACTOR, rehearse=rehearse))
        progress(number, len(found))
    return done


def sections(text: str) -> Iterator[Section]:
    """The sections of a markdown text; front matter and comments are left out, code stays with what it follows."""
    text = _COMMENT.sub("", _FRONT_MATTER.sub("", text.replace("\r\n", "\n")))
    heading = ""
    lines: list[str] = []
    fenced = False
    for line in text.split("\n"):
        fenced ^= _FENCE.match(line) is not None
        if not fenced and _HEADING.match(line):
            yield Section(heading, tuple(_entries(lines)))
            heading, lines = line, []
        else:
            lines.append(line)
    yield Section(heading, tuple(_entries(lines)))


def _entries(lines: list[str]) -> Iterator[str]:
    entry: list[str] = []
    fenced = False
    for line in lines:
        opens = _BULLET.match(line) is not None or (
            # steps belong together
            _NUMBER.match(line) is not None and not (entry and _NUMBER.match(entry[0]))
        )
        ends = not line.strip() and not (entry and _NUMBER.match(entry[0]))
        fence = _FENCE.match(line) is not None
        if not fenced and not fence and (opens or ends) and entry:
            yield from _worded(entry)
            entry = []
        fenced ^= fence
        if line.strip() or fenced:
            entry.append(line)
    yield from _worded(entry)


def _worded(entry: list[str]) -> Iterator[str]:
    text = "\n".join(entry).rstrip()
    if not is_blank(text):
        yield text


def _joined(heading: str, entries: list[str]) -> str:
    parts = [heading] if heading else []
    for entry in entries:
        # bullets of one list stay one list
        tight = parts and _BULLET.match(entry) and _BULLET.match(parts[-1].lstrip("\n"))
        parts.append(entry if tight or not parts else f"\n{entry}")
    return "\n".join(parts)
