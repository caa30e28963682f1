"""Numbers with units as they stand in text, read into intervals that can be compared."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf, isfinite
from types import MappingProxyType
from typing import Literal

from memory_server.policies.units import BYTE_POWERS, UNITS

_Read = tuple[float, float, str, int]

Overlap = Literal["equal", "inside", "around", "disjoint", "partial", "incomparable"]


@dataclass(frozen=True, slots=True)
class Quantity:
    """An interval of values in the base unit of a dimension ("" for a bare count).

    Units of information are read twice, by powers of 1000 (`low`, `high`) and of 1024 (`low2`, `high2`),
    since people mean either; two quantities agree when they agree in one of the readings.
    """

    low: float
    high: float
    low2: float
    high2: float
    dimension: str


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


_ONES = _words("one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen")
_TEENS = _words("sixteen seventeen eighteen nineteen")
_TENS = _words("twenty thirty forty fifty sixty seventy eighty ninety")
_NUMBER_WORDS: Mapping[str, float] = MappingProxyType(
    {word: float(value) for value, word in enumerate(("zero", *_ONES, *_TEENS))}
    | {word: 10.0 * tens for tens, word in enumerate(_TENS, 2)}
    | {"dozen": 12.0, "hundred": 100.0, "thousand": 1e3, "million": 1e6, "billion": 1e9}
)
_MULTIPLIERS = MappingProxyType({"hundred": 100.0, "thousand": 1e3, "million": 1e6, "billion": 1e9})

_NUMBER = re.compile(r"[-+]?(?:\d{1,3}(?:,\d{3})+|\d{1,18})(?:\.\d{1,12})?")
_GLUED = re.compile(rf"([$€£]?)({_NUMBER.pattern})([a-zµμ°%]{{0,12}})")
_CLOCK = re.compile(r"(\d{1,2}):(\d\d)(?::\d\d)?(am|pm)?")

# bound phrases, longest first: which side of the number stays open
_BOUNDS: tuple[tuple[tuple[str, ...], str], ...] = tuple(
    (tuple(phrase.split()), kind)
    for phrase, kind in (
        ("no more than", "most"), ("not more than", "most"), ("no fewer than", "least"),
        ("no less than", "least"), ("not less than", "least"), ("a maximum of", "most"),
        ("a minimum of", "least"), ("at least", "least"), ("at most", "most"), ("up to", "most"),
        ("more than", "over"), ("less than", "under"), ("fewer than", "under"), ("greater than", "over"),
        ("a total of", "exact"), ("minimum", "least"), ("maximum", "most"), ("over", "over"),
        ("above", "over"), ("under", "under"), ("below", "under"), ("about", "about"), ("around", "about"),
        ("roughly", "about"), ("approximately", "about"), ("nearly", "about"), ("almost", "about"),
        ("some", "about"), ("exactly", "exact"), ("precisely", "exact"), ("only", "exact"), ("just", "exact"),
    )
)  # fmt: skip
_BOUND_STARTS = frozenset(phrase[0] for phrase, _ in _BOUNDS)


def read_number(word: str) -> float | None:
    """The value of one word: "16", "1,024", "3.5", "ten", "twenty-one"; None for anything else."""
    if _NUMBER.fullmatch(word):
        return float(word.replace(",", ""))
    if word in _NUMBER_WORDS:
        return _NUMBER_WORDS[word]
    tens, dash, ones = word.partition("-")
    if dash and 20 <= _NUMBER_WORDS.get(tens, 0) <= 90 and 1 <= _NUMBER_WORDS.get(ones, 0) <= 9:
        return _NUMBER_WORDS[tens] + _NUMBER_WORDS[ones]
    return None


def read_quantity(words: Sequence[str], start: int = 0) -> tuple[Quantity, int] | None:
    """The quantity that begins at `start` in case-folded words, and the index after it; else None.

    It takes what bounds it ("at least", "about", "between … and …") and its unit along.
    """
    word = words[start]
    if word == "between":
        return _read_between(words, start)
    kind, at = "exact", start
    if word in _BOUND_STARTS:
        for phrase, found in _BOUNDS:
            if tuple(words[start : start + len(phrase)]) == phrase:
                kind, at = found, start + len(phrase)
                break
        else:
            return None
    read = _read_plain(words, at)
    if read is None:
        return None
    low, low2, dimension, after = read
    return _bounded(kind, low, low2, dimension), after


def parse_quantity(text: str) -> Quantity | None:
    """The quantity that a whole case-folded text is, such as "16 gb" or "at least 3"; else None."""
    words = text.split()
    if not words or len(words) > 8:
        return None
    read = read_quantity(words)
    return read[0] if read is not None and read[1] == len(words) else None


def overlap(a: Quantity, b: Quantity) -> Overlap:
    """How the interval `a` lies to `b`: equal, inside it, around it, disjoint, partial; or other units."""
    if a.dimension != b.dimension:
        return "incomparable"
    ways = {_overlap(a.low, a.high, b.low, b.high), _overlap(a.low2, a.high2, b.low2, b.high2)}
    preferred: tuple[Overlap, ...] = ("equal", "inside", "around", "partial")
    return next((way for way in preferred if way in ways), "disjoint")


def _overlap(low_a: float, high_a: float, low_b: float, high_b: float) -> Overlap:
    if _near(low_a, low_b) and _near(high_a, high_b):
        return "equal"
    if (high_a < low_b and not _near(high_a, low_b)) or (high_b < low_a and not _near(high_b, low_a)):
        return "disjoint"
    if low_a >= low_b and high_a <= high_b:
        return "inside"
    return "around" if low_a <= low_b and high_a >= high_b else "partial"


def _near(a: float, b: float) -> bool:
    """Equal but for rounding in the conversion of units."""
    return a == b or (isfinite(b) and abs(a - b) <= 1e-10 * abs(b))


def _beside(value: float, direction: float) -> float:
    """An open bound: so little off that no unit shows it, and more than rounding makes."""
    return value + direction * max(abs(value) * 1e-8, 1e-15)


def _read_between(words: Sequence[str], start: int) -> tuple[Quantity, int] | None:
    first = _read_plain(words, start + 1)
    if first is None or first[3] >= len(words) or words[first[3]] not in ("and", "to"):
        return None
    second = _read_plain(words, first[3] + 1)
    if second is None:
        return None
    if not first[2] and second[2]:
        # "between 3 and 5 GB": the unit stands once, after the second number
        shared = _read_plain((words[start + 1], *words[first[3] + 2 : second[3]]), 0)
        first = shared or first
    low, low2 = min(first[0], second[0]), min(first[1], second[1])
    return Quantity(low, max(first[0], second[0]), low2, max(first[1], second[1]), second[2]), second[3]


def _read_plain(words: Sequence[str], at: int) -> _Read | None:
    """(value, value by powers of 1024, dimension, index after) of a number and its unit."""
    if at >= len(words):
        return None
    word = words[at]
    clock = _CLOCK.fullmatch(word)
    if clock:
        return _clock(int(clock[1]), int(clock[2]), clock[3] or _word(words, at + 1), at + 1, bool(clock[3]))
    value, sign, suffix = read_number(word), "", ""
    if value is None:
        glued = _GLUED.fullmatch(word)
        if glued is None:
            return None
        value, sign, suffix = float(glued[2].replace(",", "")), glued[1], glued[3]
    after = at + 1
    if not suffix:
        while _word(words, after) in _MULTIPLIERS and word != "dozen":
            value *= _MULTIPLIERS[words[after]]
            after += 1
    if suffix in ("am", "pm") or (not suffix and _word(words, after) in ("am", "pm", "a.m", "p.m")):
        return _clock(int(value), 0, suffix or words[after], after, bool(suffix))
    return _with_unit(value, sign, suffix, words, after)


def _with_unit(value: float, sign: str, suffix: str, words: Sequence[str], after: int) -> _Read | None:
    unit = sign or suffix or _word(words, after)
    taken = after if sign or suffix else after + 1
    if unit in ("k",) and suffix:
        return value * 1000, value * 1000, "", after
    if unit in ("x",) and suffix:
        return value, value, "times", after
    if unit in BYTE_POWERS:
        power = BYTE_POWERS[unit]
        return value * 1000.0**power, value * 1024.0**power, "bytes", taken
    if unit in UNITS:
        dimension, factor = UNITS[unit]
        return value * factor, value * factor, dimension, taken
    if unit in ("degrees", "degree") and not suffix:
        scale = {"c": "celsius", "f": "fahrenheit"}.get(_word(words, after + 1)[:1], "degree")
        return value, value, scale, after + (1 if scale == "degree" else 2)
    return None if suffix else (value, value, "", after)


def _clock(hour: int, minute: int, half: str, after: int, glued: bool) -> _Read | None:
    half = half.replace(".", "")
    if half in ("am", "pm"):
        hour = hour % 12 + (12 if half == "pm" else 0)
        after += 0 if glued else 1
    minutes = hour * 60.0 + minute
    return (minutes, minutes, "clock", after) if hour < 25 and minute < 60 else None


def _bounded(kind: str, value: float, value2: float, dimension: str) -> Quantity:
    if kind == "least":
        return Quantity(value, inf, value2, inf, dimension)
    if kind == "most":
        return Quantity(-inf, value, -inf, value2, dimension)
    if kind == "over":
        return Quantity(_beside(value, 1), inf, _beside(value2, 1), inf, dimension)
    if kind == "under":
        return Quantity(-inf, _beside(value, -1), -inf, _beside(value2, -1), dimension)
    if kind == "about":
        margin, margin2 = abs(value) * 0.1, abs(value2) * 0.1
        return Quantity(value - margin, value + margin, value2 - margin2, value2 + margin2, dimension)
    return Quantity(value, value, value2, value2, dimension)


def _word(words: Sequence[str], at: int) -> str:
    return words[at] if at < len(words) else ""
