"""Talks with questions and labelled evidence, read from the published files as they are."""

from __future__ import annotations

import gzip
import hashlib
import json
import re
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import IO, Any

from memory_server.domain.errors import InvalidArgument
from memory_server.domain.memory import parse_time, rfc3339
from memory_server.services.conversations import Turn

_NOT_PACKED = (gzip.BadGzipFile, zlib.error)
_STEP = 1 << 20  # characters
_MOST = 1 << 28  # characters of one element; the largest published one has some six million
_BETWEEN = re.compile(r"[\s,]*")

_LOCOMO_KINDS = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop", 5: "adversarial"}
_LOCOMO_DATE = re.compile(r"(\d+:\d\d\s*[ap]m)\s+on\s+(\d+\s+\w+),?\s+(\d{4})", re.IGNORECASE)
_LOCOMO_TURN = re.compile(r"D:?(\d+):(\d+)")
_BEAM_DATE = re.compile(r"([A-Z][a-z]+)[- ](\d{1,2}),?[- ](\d{4})")
_LONGMEMEVAL_DATE = re.compile(r"(\d{4})/(\d\d)/(\d\d)\D*(\d\d):(\d\d)")


@dataclass(frozen=True, slots=True)
class Question:
    """A question with the places of its evidence.

    Attributes:
        kind: its category, as the data set names it.
        asked_at: RFC 3339; None where the data set does not say.
        turns: ids of the turns that hold the answer; empty where only sessions are labelled.
        sessions: the same of sessions; empty where the data set has none worth telling apart.
        person_turns: those of `turns` that a person said, not an assistant.
        apart: why it is in no mean: it cannot be answered, or it was asked to mislead.
    """

    id: str
    text: str
    kind: str
    asked_at: str | None
    turns: tuple[str, ...]
    sessions: tuple[str, ...]
    person_turns: tuple[str, ...]
    apart: str | None = None


@dataclass(frozen=True, slots=True)
class Haystack:
    """What is stored together, and what is asked of it; turns stand session by session, in order."""

    id: str
    turns: tuple[Turn, ...]
    questions: tuple[Question, ...]


def locomo(path: Path) -> Iterator[Haystack]:
    """LoCoMo: long talks between two people; a question without evidence that exists is left out.

    Raises:
        InvalidArgument: the file is no such data set.
        OSError: it cannot be read.
    """
    return _read(path, "LoCoMo", _locomo_talk)


def beam(path: Path) -> Iterator[Haystack]:
    """BEAM: one person's talk with an assistant; questions without evidence are abstention questions.

    Raises:
        InvalidArgument, OSError: see `locomo`.
    """
    return _read(path, "BEAM", _beam_talk)


def longmemeval(path: Path, *, user_turns_only: bool = False) -> Iterator[Haystack]:
    """LongMemEval, each question with a haystack of its own; one at a time, however long the file is.

    Args:
        path: longmemeval_oracle.json, _s.json or _m.json, cleaned or not, or any of them gzipped.
        user_turns_only: leave out what the assistant said, as the official retrieval runs do.

    Raises:
        InvalidArgument, OSError: see `locomo`.
    """
    return _read(path, "LongMemEval", lambda entry: _longmemeval_haystack(entry, user_turns_only))


def fingerprint(path: Path) -> dict[str, Any]:
    """Name, size and SHA-256 of a file as it lies there."""
    with path.open("rb") as stream:
        digest = hashlib.file_digest(stream, "sha256").hexdigest()
    return {"file": path.name, "bytes": path.stat().st_size, "sha256": digest}


def elements(stream: IO[str], step: int = _STEP) -> Iterator[Any]:
    """The elements of a JSON array of objects, of which no more than one is held at a time.

    An element is needed whole, so that an event parser would only put together again what the standard library's
    decoder gives at once.

    Raises:
        ValueError: the text is no array of objects, or ends before the array does.
    """
    decoder = json.JSONDecoder()
    text, at, size = stream.read(step).lstrip("\ufeff \t\r\n"), 1, step
    if not text.startswith("["):
        raise ValueError("it is no JSON array")
    while True:
        between = _BETWEEN.match(text, at)
        at = between.end() if between else at
        if text.startswith("]", at):
            return
        if at < len(text) and text[at] != "{":
            raise ValueError("an element of it is no JSON object")
        try:
            found, at = decoder.raw_decode(text, at)
        except ValueError as error:
            # more is read each time, so that a long element is looked at a few times only
            more = stream.read(size)
            if not more or len(text) - at > _MOST:
                raise ValueError(f"an element of it does not end: {error}") from error
            text, at, size = text[at:] + more, 0, size * 2
        else:
            yield found
            text, at, size = text[at:], 0, step


def _read(path: Path, name: str, haystack_of: Callable[[Any], Haystack]) -> Iterator[Haystack]:
    opened: Any = gzip.open if path.suffix == ".gz" else open
    n_read = 0
    with opened(path, "rt", encoding="utf-8") as stream:
        try:
            for entry in elements(stream):
                yield haystack_of(entry)
                n_read += 1
            if not n_read:
                raise ValueError("it is empty")
        except (KeyError, TypeError, ValueError, AttributeError, EOFError, *_NOT_PACKED) as error:
            told = f"field {error} is missing" if isinstance(error, KeyError) else str(error)
            raise InvalidArgument(f"{path.name} is no {name} file: {told}", argument="dataset") from error


def _locomo_talk(entry: dict[str, Any]) -> Haystack:
    talk = entry["conversation"]
    numbers = sorted(int(key[8:]) for key in talk if re.fullmatch(r"session_\d+", key))
    turns: dict[str, Turn] = {}
    for number in numbers:
        at = _moment(_LOCOMO_DATE, str(talk.get(f"session_{number}_date_time", "")), "%I:%M%p %d %B %Y")
        for said in talk[f"session_{number}"]:
            shown = said.get("blip_caption")
            text = said.get("text", "") + (f" [shares an image: {shown}]" if shown else "")
            turns[said["dia_id"]] = Turn(text, f"S{number}", said["speaker"], at, said["dia_id"])
    questions = []
    for number, asked in enumerate(entry["qa"]):
        # evidence is written in several ways, now and then two in one
        named = [
            f"D{int(a)}:{int(b)}" for a, b in _LOCOMO_TURN.findall(" ".join(asked.get("evidence") or []))
        ]
        held = tuple(dict.fromkeys(name for name in named if name in turns))
        kind = _LOCOMO_KINDS[asked["category"]]
        if held:
            sessions = tuple(sorted({turns[name].session for name in held}))
            name = f"{entry['sample_id']}/q{number}"
            apart = kind if kind == "adversarial" else None
            questions.append(Question(name, asked["question"], kind, None, held, sessions, held, apart))
    return Haystack(entry["sample_id"], tuple(turns.values()), tuple(questions))


def _beam_talk(entry: dict[str, Any]) -> Haystack:
    turns = {}
    for said in entry["messages"]:
        at = _moment(_BEAM_DATE, said.get("time_anchor") or "", "%B %d %Y")
        name = f"m{said['id']}"
        turns[name] = Turn(said["content"], f"b{said['session']}", said["role"], at, name)
    questions = []
    for number, asked in enumerate(entry["questions"]):
        held = tuple(dict.fromkeys(f"m{name}" for name in asked["gold"]))
        by_person = tuple(name for name in held if name in turns and turns[name].speaker == "user")
        name, kind = f"{entry['id']}/q{number}", asked["ability"]
        apart = None if held else "abstention" if kind == "abstention" else "unlabelled"
        # a session of this data set is a third of the whole talk
        questions.append(Question(name, asked["question"], kind, None, held, (), by_person, apart))
    return Haystack(entry["id"], tuple(turns.values()), tuple(questions))


def _longmemeval_haystack(entry: dict[str, Any], user_turns_only: bool) -> Haystack:
    turns: dict[str, Turn] = {}
    evidence: list[str] = []
    by_person: list[str] = []
    listed = zip(
        entry["haystack_session_ids"], entry["haystack_dates"], entry["haystack_sessions"], strict=True
    )
    for session, date, said in listed:
        at = _moment(_LONGMEMEVAL_DATE, date, "%Y %m %d %H %M")
        for number, turn in enumerate(said, 1):
            name = f"{session}_{number}"
            if name in turns or (user_turns_only and turn["role"] != "user"):
                continue  # a few haystacks hold the same session twice
            turns[name] = Turn(turn["content"], session, turn["role"], at, name)
            if turn.get("has_answer"):
                evidence.append(name)
                by_person += [name] if turn["role"] == "user" else []
    question = Question(
        id=entry["question_id"],
        text=entry["question"],
        kind=entry["question_type"],
        asked_at=_moment(_LONGMEMEVAL_DATE, entry.get("question_date") or "", "%Y %m %d %H %M"),
        turns=tuple(evidence),
        sessions=tuple(dict.fromkeys(entry["answer_session_ids"])),
        person_turns=tuple(by_person),
        apart="abstention" if "_abs" in entry["question_id"] else None,
    )
    return Haystack(question.id, tuple(turns.values()), (question,))


def _moment(pattern: re.Pattern[str], text: str, form: str) -> str | None:
    """The time that a data set writes in its own way, as RFC 3339; None where there is none."""
    found = pattern.search(text)
    if found is None:
        return None
    parts: Sequence[str] = ["".join(found[1].split()), *found.groups()[1:]]
    try:
        return rfc3339(parse_time(datetime.strptime(" ".join(parts), form).isoformat()))
    except ValueError:  # no month of that name
        return None
