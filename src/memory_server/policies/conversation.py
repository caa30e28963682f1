"""Turns of a talk: what stands around each, who speaks, and which person or day a question is about."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from datetime import date, timedelta
from typing import NamedTuple

from memory_server.policies.text import normal

INDEXED_LENGTH = 600  # characters of a turn and its neighbours together, from which no further one is added
REACH = 2  # turns before and behind

_MACHINES = frozenset("assistant ai bot chatbot model system tool agent llm function".split())
_MONTHS = "january february march april may june july august september october november december".split()
_MONTH = "|".join(f"{name[:3]}(?:{name[3:]})?" for name in _MONTHS).replace(
    "sep(?:tember)?", "sept?(?:ember)?"
)
_ISO = re.compile(r"\b(\d{4})-(\d\d)(?:-(\d\d))?\b")
_DAY_MONTH = re.compile(
    rf"\b(\d{{1,2}})(?:st|nd|rd|th)?(?: of)? ({_MONTH})\b\.?(?:,? (\d{{4}})\b)?", re.IGNORECASE
)
_MONTH_DAY = re.compile(rf"\b({_MONTH})\b\.? (\d{{1,2}})(?:st|nd|rd|th)?\b(?:,? (\d{{4}})\b)?", re.IGNORECASE)
_MONTH_YEAR = re.compile(rf"\b({_MONTH})\b\.?(?: of)?,? (\d{{4}})\b", re.IGNORECASE)
_STANDING = re.compile(
    r"\b(?:always|never|from now on|whenever i|every time i|any time i|going forward|in (?:the )?future|"
    r"i(?:'d| would)? (?:really |strongly |generally |usually |much )?prefer|my preference|please (?:keep|make sure|"
    r"remember|use|avoid)|remember (?:that|to)|make sure (?:to|you|that)|don't (?:ever|use))\b",
    re.IGNORECASE,
)

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


class Period(NamedTuple):
    """Days from `first` to `last`, both included."""

    first: date
    last: date

    def days_from(self, day: date) -> int:
        """How many days lie between a day and the period; 0 inside."""
        if day < self.first:
            return (self.first - day).days
        return max(0, (day - self.last).days)


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
    return _STANDING.search(text) is not None


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


def periods_in(question: str, years: Collection[int] = ()) -> list[Period]:
    """The days and months that a question names.

    Args:
        question: any text.
        years: where a day has no year, each of these is meant.
    """
    found: list[Period] = []
    rest = question
    for pattern, reader in (
        (_ISO, _iso),
        (_DAY_MONTH, _day_month),
        (_MONTH_DAY, _month_day),
        (_MONTH_YEAR, _month),
    ):
        for match in pattern.finditer(rest):
            found.extend(reader(match, years))
        rest = pattern.sub(" ", rest)
    return found


def nearness(day: date, periods: Iterable[Period], fading_days: int = 21) -> float:
    """1 for a day inside one of the periods, less the further it is away, 0 from `fading_days` on."""
    nearest = min((period.days_from(day) for period in periods), default=fading_days)
    return max(0.0, 1.0 - nearest / fading_days)


def _iso(match: re.Match[str], _years: Collection[int]) -> list[Period]:
    year, month, day = match.groups()
    return _period(int(year), int(month), int(day) if day else None)


def _day_month(match: re.Match[str], years: Collection[int]) -> list[Period]:
    day, month, year = match.groups()
    return [p for y in _years(year, years) for p in _period(y, _month_number(month), int(day))]


def _month_day(match: re.Match[str], years: Collection[int]) -> list[Period]:
    month, day, year = match.groups()
    return [p for y in _years(year, years) for p in _period(y, _month_number(month), int(day))]


def _month(match: re.Match[str], _years: Collection[int]) -> list[Period]:
    month, year = match.groups()
    return _period(int(year), _month_number(month), None)


def _years(year: str | None, years: Collection[int]) -> Collection[int]:
    return [int(year)] if year else years


def _month_number(name: str) -> int:
    return next(number for number, full in enumerate(_MONTHS, 1) if full.startswith(name.casefold()[:3]))


def _period(year: int, month: int, day: int | None) -> list[Period]:
    try:
        first = date(year, month, day or 1)
    except ValueError:  # the 31st of June
        return []
    if day:
        return [Period(first, first)]
    following = date(year + month // 12, month % 12 + 1, 1)
    return [Period(first, following - timedelta(days=1))]
