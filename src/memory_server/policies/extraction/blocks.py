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
    line: int = 0  # where the content of the line begins, the key of a pair included


_SHORT_LINE = 45  # characters; prose is wrapped wider
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
    r"(?:\*\*|__|`)?(?P<key>[^\W_][\w ./()#&'’-]{0,48}?)(?:\*\*|__|`)?[ \t]{0,3}(?::(?:\*\*|__)?[ \t]{1,8}|"
    r"[ \t]=[ \t])(?=\S)"
)
ROLES = words("user assistant human ai system me bot agent customer client developer model")
SELF_ROLES = frozenset(("user", "human", "me", "customer", "client"))
_SPOKEN = re.compile(
    r"(?:(?:I|I'm|I’m|I've|I'll|We|You|My|Our|Yes|Yeah|No|Hi|Hey|Hello|Thanks|Thank|Sure|Ok|Okay|Oh|Wow|Well|"
    r"Great|It|That|"
    r"That's|This|He|She|They|What|How|Why|When|Where|Who|Do|Did|Can|Could|Let's|Please)\b)|"
    r".{0,300}[.!?][\"')]{0,2}\s*$"
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


# what stands before a colon to say what kind of thing is being said
CUES = words(
    """
    decision decisions decided agreed settled resolved note notes fact fyi reminder confirmed opinion preference update
    rule important
    til todo nb ps tldr verdict choice ruling promise commitment conclusion reason rationale rejected alternatives why
    """
)


def read_blocks(text: str) -> list[Block]:
    """The blocks of a text in order. Fenced and indented code, quotations, tables and rules give none."""
    sorter = _Sorter(text)
    position = 0
    for line in text.splitlines(keepends=True):
        sorter.take(line, position)
        position += len(line)
    return sorter.blocks


class _Sorter:
    """What the lines so far have opened: a fence, a paragraph, a list, a heading, somebody's turn."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.blocks: list[Block] = []
        self.heading = self.speaker = ""
        self.fenced = False
        self.flowing = False  # the next line may go on with the paragraph
        self.listing = False  # the next indented line may go on with the item
        self.paragraph = 0

    def take(self, line: str, start: int) -> None:
        """Files one line, which begins at offset `start`."""
        if _FENCE.match(line):
            self.fenced = not self.fenced
            self.flowing = False
        elif self.fenced:
            return
        elif not line.strip():
            self.flowing = False
            self.paragraph += 1
        elif _is_left_alone(line, self.flowing or self.listing):
            self.flowing = self.listing = False
        else:
            self._take_content(line, start, start + len(line.rstrip()))

    def _take_content(self, line: str, start: int, end: int) -> None:
        found = _HEADING.match(line.rstrip())
        if found:
            self.heading = found.group("body").strip().strip("*_`")
            self.blocks.append(
                Block("heading", start + found.start("body"), start + found.end("body"), "", self.speaker)
            )
            self.paragraph += 1
            self.flowing = self.listing = False
            return
        item = _ITEM.match(line)
        begin = start + (item.end() if item else len(line) - len(line.lstrip()))
        turn = None if item else _turn(self.text, start, end)
        if turn:
            self.speaker, begin = turn
        if item or turn:
            self.paragraph += 1
            self.flowing = False
        if begin < end:
            self._add(line, begin, end, item, bool(turn))

    def _add(self, line: str, begin: int, end: int, item: re.Match[str] | None, spoken: bool) -> None:
        pair = None if spoken or self.flowing else _PAIR.match(self.text, begin, end)
        goes_on = (self.flowing and not self._stands_alone(begin)) or (self.listing and line[0] in " \t")
        if pair and _is_pair(self.text, pair, end):
            self._append("pair", pair.end(), end, key=pair.group("key").strip(), line=begin)
            self.flowing = False
        elif item:
            self._append("item", begin, end, numbered=bool(item.group("number")))
            self.flowing = False
        elif goes_on and not spoken and self.blocks and self.blocks[-1].kind in ("prose", "item"):
            self.blocks[-1].end = end
        else:
            self._append("prose", begin, end)
            self.flowing = True
        self.listing = bool(item) or (self.listing and line[0] in " \t")

    def _stands_alone(self, begin: int) -> bool:
        """A short line without an end mark before a capital is a note of its own, no wrapped prose."""
        last = (
            self.text[self.text.rfind("\n", 0, self.blocks[-1].end) + 1 : self.blocks[-1].end]
            if self.blocks
            else ""
        )
        return 0 < len(last) < _SHORT_LINE and last[-1].isalnum() and self.text[begin].isupper()

    def _append(
        self, kind: BlockKind, start: int, end: int, key: str = "", line: int = 0, numbered: bool = False
    ) -> None:
        self.blocks.append(
            Block(kind, start, end, self.heading, self.speaker, key, numbered, self.paragraph, line)
        )


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
    if low in CUES:
        return None
    if low in ROLES:
        return name, found.end()
    if low in _NOT_SPEAKERS or low.split()[0] in _NOT_SPEAKERS or not name[0].isupper():
        return None
    marked = found.group(0).lstrip()[0] in "[(<" or found.group(0).lstrip()[0].isdigit()
    if marked or _SPOKEN.match(text, found.end(), end):
        return name, found.end()
    return None


def _is_pair(text: str, pair: re.Match[str], end: int) -> bool:
    value = text[pair.end() : end]
    key = pair.group("key").lower().split()
    if (
        key[0] in ("my", "in", "to", "final")
        or not CUES.isdisjoint(key)
        or (value.endswith(".") and len(value.split()) > 4)
    ):
        return False
    if len(value) > 160 or len(value.split()) > 12 or value.endswith(("?", ":")):
        return False
    return len(key) <= 5 and pair.group("key").count("(") == pair.group("key").count(")")
