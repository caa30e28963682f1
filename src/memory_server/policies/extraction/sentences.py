"""Ends of sentences: the first cut of a paragraph, before any word is looked at."""

from __future__ import annotations

import re

from .lexicon import words

_END = re.compile(r"(?:[.!?…]{1,3}['\")\]”’»*_`]{0,3}(?=\s|$))|[。！？]|\n(?=[ \t]{0,80}\n)")
_LAST_WORD = re.compile(r"[^\s(\[\"“'*_]{1,24}\Z")
_NEXT = re.compile(r"\s*[\"“'(\[*_`]{0,2}(\S)")
ABBREVIATIONS = words(
    """
    mr mrs ms dr prof rev hon st sr jr gen col lt sgt capt maj gov sen rep pres messrs mt ft no nos vol
    fig figs ed eds pp op cf vs v e.g i.e eg ie etc al approx ca est dept univ assn bros inc ltd co corp
    llc plc gmbh ave blvd rd jan feb mar apr jun jul aug sep sept oct nov dec mon tue tues wed thu thur
    thurs fri sat sun a.m p.m am pm u.s u.k u.n d.c ph.d b.a m.a m.d min max avg incl excl resp tel ext
    ver rev т.е т.д т.п г ул им см руб тыс млн z.b d.h u.a bzw usw ca nr str
    """
)
# abbreviations that often stand at the end of a sentence too
_EITHER = words(
    """
    inc ltd co corp llc plc etc jr sr u.s u.k u.n d.c a.m p.m am pm ph.d b.a m.a m.d al
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
    if "?" in mark or "!" in mark:
        return not after.islower()
    if after.islower() or after in ",;:)":
        return False
    if mark[0] != ".":
        return True
    before = _LAST_WORD.search(text, max(begin, match.start() - 25), match.start())
    word = before.group().lower() if before else ""
    if len(mark) == 1 and (word in ABBREVIATIONS or _initial(word)):
        return word in _EITHER and after.isupper() and _starts_anew(text, match.end())
    return not (word.isdigit() and len(word) <= 2 and match.start() - begin <= 3)


def _initial(word: str) -> bool:
    return len(word) == 1 and word.isalpha() and word != "i"


_OPENING_WORDS = words(
    """
    the a an this that these those it we they he she i you in on at our my your his her its their there
    but and so however when if after before while although what who how please
    """
)


def _starts_anew(text: str, position: int) -> bool:
    word = re.match(r"\s*([A-Za-z']{1,12})", text[position : position + 24])
    return bool(word) and word is not None and word.group(1).lower() in _OPENING_WORDS
