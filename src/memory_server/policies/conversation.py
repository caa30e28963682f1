"""Turns of a talk: what stands around each, who speaks, and which person a question is about."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import date

from memory_server.policies.text import normal

INDEXED_LENGTH = 600  # characters of a turn and its neighbours together, from which no further one is added
REACH = 2  # turns before and behind

_MACHINES = frozenset("assistant ai bot chatbot model system tool agent llm function".split())
_MONTHS = "january february march april may june july august september october november december".split()
_STANDING = re.compile(
    r"\b(?:always|never|from now on|whenever i|every time i|any time i|going forward|in (?:the )?future|"
    r"i(?:'d| would)? (?:really |strongly |generally |usually |much )?prefer|my preference|please (?:keep|make sure|"
    r"remember|use|avoid)|remember (?:that|to)|make sure (?:to|you|that)|don't (?:ever|use))\b",
    re.IGNORECASE,
)

# one of these is in whatever the pattern finds; looking for them first costs a tenth of it
_STANDING_HINTS = (
    "always", "never", "now on", "whenever", "every time", "any time", "going forward", "future", "prefer", "please",
    "remember", "make sure", "don't",
)  # fmt: skip

_TELLING = (
    "recommend suggest advise say tell mention explain propose describe show outline give provide".split()
)
_TOLD = """recommended suggested advised said told mentioned explained proposed described showed shown outlined gave
given provided""".split()
_ASKS_MACHINE = re.compile(
    rf"\b(?:did|have|had) you\b[^.?!]{{0,40}}\b(?:{'|'.join((*_TELLING, *_TOLD))})\b"
    rf"|\byou(?:'ve| have| had)? (?:{'|'.join(_TOLD)})\b"
    r"|\byour (?:recommendation|suggestion|advice|explanation|answer|guidance)s?\b",
    re.IGNORECASE,
)


def heading(speaker: str | None, occurred_at: str | None) -> str:
    """What is indexed before a turn's text, `[date] speaker: `; the date is that of the RFC 3339 time."""
    day = f"[{written_day(occurred_at)}] " if occurred_at else ""
    return f"{day}{speaker}: " if speaker else day


def written_day(moment: str) -> str:
    """A day in figures and in words, so that it is found by either: `2024-05-08, 8 May 2024`."""
    day = date.fromisoformat(moment[:10])
    return f"{day.isoformat()}, {day.day} {_MONTHS[day.month - 1].capitalize()} {day.year}"


def surroundings(turns: Sequence[str], at: int) -> str:
    """What was said around a turn, nearest first, until this and the turn's own text have the indexed length.

    Args:
        turns: the texts of one session in order.
        at: the place of the turn.
    """
    room = INDEXED_LENGTH - len(turns[at])
    found: list[str] = []
    for distance in range(1, REACH + 1):
        for place in (at - distance, at + distance):
            if 0 <= place < len(turns) and room > 0:
                found.append(turns[place][:room])
                room -= len(found[-1])
    return "\n".join(found)


def is_person(speaker: str | None) -> bool:
    """Whether a person said it, as far as the name tells; False where nobody is named."""
    return speaker is not None and normal(speaker) not in _MACHINES


def is_standing(text: str) -> bool:
    """Whether a text asks for something once and for all: "always", "never", "from now on", "I prefer …"."""
    lowered = text.lower()
    return any(hint in lowered for hint in _STANDING_HINTS) and _STANDING.search(text) is not None


def asks_machine(question: str) -> bool:
    """Whether a question is about what the assistant itself has said: "what did you recommend", "your advice"."""
    return _ASKS_MACHINE.search(question) is not None


def named_speaker(question: str, speakers: Iterable[str]) -> str | None:
    """The one known person whom a question names, by full name or first name; None for nobody or several."""
    words = re.findall(r"[^\W_]+", normal(question))
    text = f" {' '.join(words)} "
    found = set()
    for speaker in speakers:
        name = " ".join(re.findall(r"[^\W_]+", normal(speaker)))
        if name and is_person(speaker) and (f" {name} " in text or f" {name.split()[0]} " in text):
            found.add(speaker)
    return found.pop() if len(found) == 1 else None
