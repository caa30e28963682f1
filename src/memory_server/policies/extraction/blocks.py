"""Lines of a text sorted into prose, list items, headings, key-value pairs and turns of a talk; code is left out."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from .lexicon import words

BlockKind = Literal["prose", "item", "heading", "pair"]


@dataclass(slots=True)
class Block:
    """A run of text of one kind; offsets are into the whole text."""

    kind: BlockKind
    start: int
    end: int
    heading: str = ""
    speaker: str = ""
    key: str = ""
    numbered: bool = False
    paragraph: int = 0


_FENCE = re.compile(r"[ \t]{0,3}(?:```|~~~)")
_HEADING = re.compile(r"[ \t]{0,3}#{1,6}[ \t]+(?P<body>[^\n]{1,200}?)[ \t#]{0,20}$")
_ITEM = re.compile(
    r"[ \t]{0,12}(?:[-*+•–]|(?P<number>\(?\d{1,3}[.)]|[a-h][.)]))[ \t]+(?:\[[ xX]\][ \t]+)?(?=\S)"
)
_TURN = re.compile(
    r"[ \t]{0,3}(?:\[[\d:., /\-]{3,24}\]\s{0,2}|\(?\d{1,2}:\d{2}(?::\d{2})?\)?\s{1,2})?"
    r"(?:\*\*|<|__)?(?P<name>[A-Za-zÀ-ÿА-я][\w.'’-]{0,24}(?: [A-ZÀ-ÿА-Я][\w.'’-]{0,24}){0,2})(?P<close>\*\*|>|__)?"
    r"(?P<colon>[ \t]{0,2}:(?:\*\*)?|(?<=>))[ \t]{1,4}(?=\S)"
)
_PAIR = re.compile(
    r"(?:\*\*|__|`)?(?P<key>[^\W_][\w ./()#&'’-]{0,48}?)(?:\*\*|__|`)?[ \t]{0,3}(?::(?:\*\*|__)?[ \t]{1,8}|[ \t]=[ \t])(?=\S)"
)
ROLES = words("user assistant human ai system me bot agent customer client developer model")
SELF_ROLES = frozenset(("user", "human", "me", "customer", "client"))
_SPOKEN = re.compile(
    r"(?:(?:I|I'm|I’m|I've|I'll|We|You|My|Our|Yes|Yeah|No|Hi|Hey|Hello|Thanks|Thank|Sure|Ok|Okay|Oh|Wow|Well|Great|It|That|"
    r"That's|This|He|She|They|What|How|Why|When|Where|Who|Do|Did|Can|Could|Let's|Please)\b)|.{0,300}[.!?][\"')]{0,2}\s*$"
)
_NOT_SPEAKERS = words(
    """
    note notes todo decision decisions reason summary status title date time version port host name url
    path email address owner deadline goal context example warning important tip result results action
    actions update steps step question answer problem solution background agenda attendees topic tags
    type price cost location database language framework license environment server constraint
    constraints requirement requirements purpose next fyi reminder preference preferences rule rules
    conclusion outcome rationale alternatives rejected risk risks fact facts fix bug cause today
    yesterday tomorrow confirmed decided agreed promised commitment opinion
    """
)


def read_blocks(text: str) -> list[Block]:
    """The blocks of a text in order. Fenced and indented code, quotations, tables and rules give none."""
    out: list[Block] = []
    heading, speaker = "", ""
    fenced = False
    paragraph = 0
    open_prose = False
    after_item = False
    position = 0
    for line in text.splitlines(keepends=True):
        start, end = position, position + len(line.rstrip())
        position += len(line)
        if _FENCE.match(line):
            fenced = not fenced
            open_prose = False
            continue
        if fenced or not line.strip():
            open_prose = False
            if not fenced:
                paragraph += 1
            continue
        if _is_left_alone(line, open_prose or after_item):
            open_prose = after_item = False
            continue
        found = _HEADING.match(line.rstrip())
        if found:
            heading = found.group("body").strip().strip("*_`")
            out.append(Block("heading", start + found.start("body"), start + found.end("body"), "", speaker))
            paragraph += 1
            open_prose = after_item = False
            continue
        item = _ITEM.match(line)
        begin = start + (item.end() if item else len(line) - len(line.lstrip()))
        if item:
            paragraph += 1
        turn = None if item else _turn(text, start, end)
        if turn:
            speaker, begin = turn
            paragraph += 1
        if begin >= end:
            continue
        pair = None if turn else _PAIR.match(text, begin, end)
        if (
            pair
            and not open_prose
            and _is_value(text, pair.end(), end)
            and len(pair.group("key").split()) <= 5
        ):
            out.append(
                Block(
                    "pair", pair.end(), end, heading, speaker, pair.group("key").strip(), paragraph=paragraph
                )
            )
            open_prose = False
        elif item:
            out.append(
                Block(
                    "item",
                    begin,
                    end,
                    heading,
                    speaker,
                    numbered=bool(item.group("number")),
                    paragraph=paragraph,
                )
            )
            open_prose = False
        elif (
            (open_prose or (after_item and line[0] in " \t"))
            and not turn
            and out
            and out[-1].kind in ("prose", "item")
        ):
            out[-1].end = end
        else:
            out.append(Block("prose", begin, end, heading, speaker, paragraph=paragraph))
            open_prose = True
        after_item = bool(item) or (after_item and line[0] in " \t")
        if not item and not pair:
            open_prose = True
    return out


def _is_left_alone(line: str, inside: bool) -> bool:
    stripped = line.strip()
    if stripped[0] == ">" or stripped[0] == "|" or not any(character.isalnum() for character in stripped):
        return True
    indented = line.startswith(("    ", "\t"))
    return indented and not inside and not _ITEM.match(line)


def _turn(text: str, start: int, end: int) -> tuple[str, int] | None:
    found = _TURN.match(text, start, end)
    if not found:
        return None
    name = found.group("name")
    low = name.lower()
    if low in ROLES:
        return name, found.end()
    if low in _NOT_SPEAKERS or low.split()[0] in _NOT_SPEAKERS or not name[0].isupper():
        return None
    marked = found.group(0).lstrip()[0] in "[(<" or found.group(0).lstrip()[0].isdigit()
    if marked or _SPOKEN.match(text, found.end(), end):
        return name, found.end()
    return None


def _is_value(text: str, start: int, end: int) -> bool:
    value = text[start:end]
    return len(value) <= 160 and not value.endswith(("?", ":")) and len(value.split()) <= 12
