"""Which days a question is about: dates, and words of time that are meant from the day of asking.

Patterns find the phrases and say how wide each is; what day a phrase means, a date parser says (dateparser). English
in full; the commonest words of time in German, French, Russian and Spanish. Seasons are those of the northern half of
the earth.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from datetime import date, datetime, time, timedelta
from functools import lru_cache
from typing import NamedTuple

from memory_server.policies.stopwords import STOP_WORDS

FADING_DAYS = 21  # from a period, after which nothing is near it any more
_FIRST, _LAST = date(1, 1, 1), date(9999, 12, 31)

_MONTHS = "january february march april may june july august september october november december".split()
_MONTH = "|".join(f"{name[:3]}(?:{name[3:]})?" for name in _MONTHS).replace(
    "sep(?:tember)?", "sept?(?:ember)?"
)
_ISO = re.compile(r"\b(?P<year>\d{4})-(?P<number>\d\d)(?:-(?P<day>\d\d))?\b")
_DATED = (
    re.compile(
        rf"\b(?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?: of)? (?P<month>{_MONTH})\b\.?(?:,? (?P<year>\d{{4}})\b)?",
        re.I,
    ),
    re.compile(
        rf"\b(?P<month>{_MONTH})\b\.? (?P<day>\d{{1,2}})(?:st|nd|rd|th)?\b(?:,? (?P<year>\d{{4}})\b)?", re.I
    ),
    re.compile(rf"\b(?P<month>{_MONTH})\b\.?(?: of)?,? (?P<year>\d{{4}})\b", re.I),
    # "may" and "march" are words too, so a bare name counts after such a word only
    re.compile(
        rf"\b(?:(?P<last>last|this|past)|in|during|since|early|mid|late) (?P<month>{_MONTH})\b\.?", re.I
    ),
)
_SEASON = re.compile(
    # "spring" and "fall" are words too, so a bare name counts after such a word or before a year only
    r"\b(?:(?:(?P<last>last|this|past)|in|during|of|the)(?: the)? (?P<season>spring|summer|autumn|fall|winter)\b"
    r"(?:(?: of)? (?P<year>\d{4})\b)?|(?P<other>spring|summer|autumn|fall|winter)(?: of)? (?P<its>\d{4})\b)",
    re.I,
)
_SEASON_STARTS = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}
_YEAR = re.compile(r"\b(?:in|during|of|(?P<since>since)|year) (?P<year>(?:19|20)\d\d)\b", re.I)
_NUMBER = r"(?:\d{1,3}|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)"
_UNIT = r"(?P<unit>day|week|month|year)s?"
_WEEKDAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_VAGUE = ((re.compile(r"\b(?:a )?couple of\b", re.I), "2"), (re.compile(r"\b(?:a few|several)\b", re.I), "3"))

# phrases that the date parser knows, with the unit that each is about
_RELATIVE: tuple[tuple[re.Pattern[str], str | None], ...] = (
    (re.compile(r"\b(?:the )?day before yesterday\b|\byesterday\b|\blast night\b", re.I), "day"),
    (re.compile(rf"\b{_NUMBER} {_UNIT} ago\b", re.I), None),
    (re.compile(r"\b(?:last|past|previous) (?P<unit>week|month|year)\b", re.I), None),
    (re.compile(rf"\b(?:last |on |past )(?P<weekday>{_WEEKDAY})\b", re.I), "day"),
    (
        re.compile(
            r"\b(?:вчера|позавчера)\b|\b(?:gestern|vorgestern)\b|\b(?:hier|avant-hier)\b|\bayer\b", re.I
        ),
        "day",
    ),
    (
        re.compile(
            r"\bна прошлой неделе\b|\bletzte Woche\b|\bla semaine dernière\b|\bla semana pasada\b", re.I
        ),
        "week",
    ),
    (
        re.compile(r"\bв прошлом месяце\b|\bletzten Monat\b|\ble mois dernier\b|\bel mes pasado\b", re.I),
        "month",
    ),
    (re.compile(r"\bв прошлом году\b|\bletztes Jahr\b|\bl'année dernière\b|\bel año pasado\b", re.I), "year"),
    (re.compile(r"\b(?:\d{1,3}|два|две|три) (?:дня|дней) назад\b", re.I), "day"),
    (re.compile(r"\b(?:(?:\d{1,3}|две|три) )?недел[июь] назад\b", re.I), "week"),
)
_WEEKEND = re.compile(r"\b(?:last|past|this past) weekend\b", re.I)
_SPAN = re.compile(rf"\b(?:(?:in|over|during) )?(?:the )?(?:last|past) (?P<number>{_NUMBER}) {_UNIT}\b", re.I)
_WORD = re.compile(r"[^\W_]+")
# what may stand in a question that is about some days and nothing else
_HAPPENED = STOP_WORDS | frozenset(
    """happen happened happening happens do did done doing go going went been new news say said tell told talk talked
    talking discuss discussed discuss speak spoke learn learned learnt know known remember events event things thing
    stuff everything anything something much list show me us summary summarize summarise recap please""".split()
)
_LANGUAGES = ["en", "ru", "de", "fr", "es"]
_EVENT = re.compile(
    r"\b(?P<order>before|after|since|until|during)\s+(?P<event>[^.?!,;]{3,200}?)\s*(?:[.?!,;]|$)", re.I
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


def periods_in(question: str, years: Collection[int] = (), asked: date | None = None) -> list[Period]:
    """The days, months, seasons and years that a question names.

    Args:
        question: any text.
        years: where a day has no year, each of these is meant.
        asked: the day of asking, from which "yesterday" and the like are meant; without it they are not looked at.
    """
    found: list[Period] = []
    rest = question
    for pattern in (_ISO, *_DATED, _SEASON, _YEAR):
        for match in pattern.finditer(rest):
            found.extend(_named(match.groupdict(), years, asked))
        rest = pattern.sub(" ", rest)
    if asked is not None:
        found.extend(_relative(rest, asked))
    return list(dict.fromkeys(found))


def asks_only_when(question: str) -> bool:
    """Whether a question is about some days and nothing else: "what happened yesterday?", "what did we do in May?"."""
    for pattern in (*(pattern for pattern, _ in _VAGUE), _ISO, *_DATED, _SEASON, _YEAR, _SPAN, _WEEKEND):
        question = pattern.sub(" ", question)
    for pattern, _ in _RELATIVE:
        question = pattern.sub(" ", question)
    return _HAPPENED.issuperset(_WORD.findall(question.casefold()))


def nearness(day: date, periods: Iterable[Period]) -> float:
    """1 for a day inside one of the periods, less the further it is away, 0 from `FADING_DAYS` on."""
    nearest = min((period.days_from(day) for period in periods), default=FADING_DAYS)
    return max(0.0, 1.0 - nearest / FADING_DAYS)


def event_in(question: str) -> tuple[str, str] | None:
    """The order and the event of "before we moved" or "since the outage"; None where there is none."""
    match = _EVENT.search(question)
    if match is None or not re.search(r"[^\W\d_]{3}", match["event"]):
        return None
    return match["order"].lower(), match["event"]


def period_of_event(order: str, day: date) -> Period:
    """The days that are meant by an order and the day of the event."""
    if order in ("before", "until"):
        return Period(_FIRST, day - timedelta(days=1) if day > _FIRST else day)
    if order in ("after", "since"):
        return Period(day, _LAST)
    return Period(day, day)


def _named(found: dict[str, str | None], years: Collection[int], asked: date | None) -> Iterator[Period]:
    """The periods that a match by names and figures means."""
    given, season = found.get("year") or found.get("its"), found.get("season") or found.get("other")
    wanted = {int(given)} if given else set(years)
    if season == "winter" and not given:
        wanted |= {year - 1 for year in years}
    said = (found.get("last") or "").lower()
    if said and asked is not None and not given:
        wanted = {asked.year, asked.year - 1, asked.year - 2}
    periods = [period for year in sorted(wanted) for period in _of_year(found, season, year)]
    if said and asked is not None and not given:
        # "last May" is over, "this May" has begun
        over = [p for p in periods if (p.first if said == "this" else p.last) <= asked]
        periods = over[-1:]
    yield from periods


def _of_year(found: dict[str, str | None], season: str | None, year: int) -> Iterator[Period]:
    start = _start(found, season, year)
    if start is None:
        return
    if found.get("day"):
        yield Period(start, start)
    elif season:
        yield Period(start, _months_on(start, 3))
    elif found.get("month") or found.get("number"):
        yield Period(start, _months_on(start, 1))
    else:
        yield Period(start, _LAST if found.get("since") else date(year, 12, 31))


def _start(found: dict[str, str | None], season: str | None, year: int) -> date | None:
    name, number = found.get("month"), found.get("number")
    month = int(number) if number else 1
    if name:
        month = next(place for place, full in enumerate(_MONTHS, 1) if full.startswith(name.lower()[:3]))
    elif season:
        month = _SEASON_STARTS[season.lower()]
    try:
        return date(year, month, int(found.get("day") or 1))
    except ValueError:  # the 31st of June, the year 0
        return None


def _months_on(start: date, months: int) -> date:
    """The last day of so many months that begin with a first of a month."""
    at = start.year * 12 + start.month - 1 + months
    return _LAST if at // 12 > _LAST.year else date(at // 12, at % 12 + 1, 1) - timedelta(days=1)


def _days_on(day: date, days: int) -> date:
    """So many days later, or earlier, as far as the calendar goes."""
    return date.fromordinal(min(max(day.toordinal() + days, _FIRST.toordinal()), _LAST.toordinal()))


def _relative(text: str, asked: date) -> Iterator[Period]:
    for pattern, number in _VAGUE:
        text = pattern.sub(number, text)
    for match in _SPAN.finditer(text):
        start = _parsed(f"{match['number']} {match['unit']} ago", asked)
        if start is not None and start <= asked:
            yield Period(start, asked)
    text = _SPAN.sub(" ", text)
    if _WEEKEND.search(text):
        saturday = _parsed("last saturday", asked)
        if saturday is not None:
            if (asked - saturday).days <= 1:  # the one that is still going on is not the last one
                saturday = _days_on(saturday, -7)
            yield Period(saturday, _days_on(saturday, 1))
    for pattern, unit in _RELATIVE:
        for match in pattern.finditer(text):
            parts = match.groupdict()
            phrase = parts.get("weekday") or match[0]
            day = _parsed(phrase, asked)
            if day is not None:
                yield _widened(
                    day,
                    unit or str(parts["unit"]).lower(),
                    match[0].lower().endswith(("ago", "назад")),
                    asked,
                )
        text = pattern.sub(" ", text)


def _widened(day: date, unit: str, counted: bool, asked: date) -> Period:
    """The whole unit around a day; where it was counted back ("two months ago"), half of one before and behind."""
    if unit == "day":
        return Period(day, day)
    if counted:
        half = {"week": 3, "month": 15, "year": 182}[unit]
        return Period(_days_on(day, -half), min(_days_on(day, half), asked))
    if unit == "week":
        return Period(_days_on(day, -day.weekday()), _days_on(day, 6 - day.weekday()))
    start = day.replace(day=1) if unit == "month" else date(day.year, 1, 1)
    return Period(start, _months_on(start, 1 if unit == "month" else 12))


@lru_cache(maxsize=256)
def _parsed(phrase: str, asked: date) -> date | None:
    """The day that a phrase means on the day of asking, None where the parser knows none."""
    import dateparser  # heavy, and few questions have words of time

    settings = {
        "RELATIVE_BASE": datetime.combine(asked, time(12)),
        "PREFER_DATES_FROM": "past",
        "TIMEZONE": "UTC",
    }
    try:
        found = dateparser.parse(phrase, languages=_LANGUAGES, settings=settings)
    except (OverflowError, ValueError):  # 999 years before the year 12
        return None
    return None if found is None else found.date()
