"""Ends of sentences: the first cut of a paragraph, before any word is looked at."""

from __future__ import annotations

import re

from .lexicon import words

_END = re.compile(r"(?:[.!?…]{1,3}['\")\]”’»*_`]{0,3}(?=\s|$))|[。！？]|\n(?=[ \t]{0,80}\n)")
_LAST_WORD = re.compile(r"[^\s(\[\"“'*_]{1,24}\Z")
_NEXT = re.compile(r"\s*[\"“'(\[*_`]{0,2}(\S)")
_SMALL_NAME = re.compile(r"\s{1,3}[a-z]{2,30}[\d_-][\w-]{0,30}\s")
_TITLES = words(
    """
    mr mrs ms dr prof rev hon st gen col lt sgt capt maj gov sen rep pres messrs mt ft jan feb mar apr jun jul aug sep
    sept oct nov dec mon tue tues wed thu thur thurs fri sat sun
    """
)
_CALENDAR = words(
    "jan feb mar apr jun jul aug sep sept oct nov dec mon tue tues wed thu thur thurs fri sat sun"
)
_ABBREVIATIONS = words(
    """
    sr jr vs v e.g i.e eg ie etc al approx dept univ assn bros inc ltd co corp llc plc gmbh ave blvd a.m p.m u.s u.k u.n
    d.c ph.d b.a m.a m.d avg incl excl ed eds op cf т.е т.д т.п г ул им см руб тыс млн z.b d.h u.a bzw usw
    """
)
_BEFORE_NUMBERS = words("no nos nr vol fig figs p pp ch sec art ver eq ca est max min rev tel ext")
# abbreviations that often stand at the end of a sentence too
_EITHER = words("inc ltd co corp llc plc etc jr sr u.s u.k u.n d.c a.m p.m ph.d b.a m.a m.d al")
_OPENING_WORDS = words(
    """
    the a an this that these those it we they he she i you in on at our my your his her its their there but and so
    however when if after before while although what who how please
    """
)


def split_sentences(text: str, start: int = 0, end: int | None = None) -> list[tuple[int, int]]:
    """The sentences of text[start:end] as half-open spans without the space around them. Linear in its length."""
    stop = len(text) if end is None else end
    out: list[tuple[int, int]] = []
    begin = start
    for match in _END.finditer(text, start, stop):
        if match.end() < stop and not _ends(text, begin, match):
            continue
        _append(text, begin, match.end(), out)
        begin = match.end()
    _append(text, begin, stop, out)
    return out


def _append(text: str, start: int, end: int, out: list[tuple[int, int]]) -> None:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    if start < end:
        out.append((start, end))


def _ends(text: str, begin: int, match: re.Match[str]) -> bool:
    mark = match.group()
    if not mark.strip() or mark in "。！？":
        return True
    following = _NEXT.match(text, match.end(), match.end() + 40)
    after = following.group(1) if following else ""
    if "`" in (following.group() if following else ""):
        return True
    if "?" in mark or "!" in mark:
        return not after.islower()
    if after.islower():
        return mark == "." and _goes_without_capitals(text, begin, match)
    if after in ",;:)":
        return False
    if mark[0] != ".":
        return True
    before = _LAST_WORD.search(text, max(begin, match.start() - 25), match.start())
    word = before.group() if before else ""
    if len(mark) == 1 and _abbreviates(word, after, text[begin : match.start() - len(word)]):
        return word.lower() in _EITHER and after.isupper() and _starts_anew(text, match.end())
    return not (word.isdigit() and len(word) <= 2 and match.start() - begin <= 3)


def _goes_without_capitals(text: str, begin: int, match: re.Match[str]) -> bool:
    """Whether a small letter may open the next sentence, after a plain word.

    It may where one opened this sentence, and where a name that is written small stands there ('nginx-ingress').
    """
    first = _NEXT.match(text, begin, match.start())
    small_name = _SMALL_NAME.match(text, match.end())
    before = _LAST_WORD.search(text, max(begin, match.start() - 25), match.start())
    word = before.group() if before else ""
    return (
        first is not None
        and (first.group(1).islower() or small_name is not None)
        and len(word) > 2
        and word.isalpha()
        and word.islower()
        and not (word in _ABBREVIATIONS or word in _TITLES or word in _BEFORE_NUMBERS)
    )


def _abbreviates(word: str, after: str, before: str) -> bool:
    low = word.lower()
    return (
        low in _ABBREVIATIONS
        or (low in _TITLES and word[0].isupper() and (low not in _CALENDAR or not after.isupper()))
        or (low in _BEFORE_NUMBERS and after.isdigit())
        or (_initial(low) and _among_names(before))
    )


def _among_names(before: str) -> bool:
    """Whether an initial can stand here: at the start or after a capitalised word ('Ursula K.', not 'in C.')."""
    last = before[-30:].split()[-1:]
    return not last or last[0][0].isupper()


def _initial(word: str) -> bool:
    return len(word) == 1 and word.isalpha() and word != "i"


def _starts_anew(text: str, position: int) -> bool:
    word = re.match(r"\s*([A-Za-z]{1,12})", text[position : position + 24])
    return bool(word) and word is not None and word.group(1).lower() in _OPENING_WORDS
