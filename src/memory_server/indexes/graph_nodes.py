"""The nodes of the graph: their names, and which of them a text names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from memory_server.indexes.names import (
    Token,
    count_tokens,
    display_name,
    fold,
    may_begin,
    may_end,
    node_id,
    tokens,
    without_accents,
)

_NAME_TOKENS = 32
_TEXT_LENGTH = 20_000
# no text names a node by one of these, unless it says nothing else
_LITTLE_WORDS = """
a an and any are as at be been but by can did do does for from had has have he her his how i if in is it
its me my no not of on or our she so that the their them there they this to us was we were what when
where which who why will with you your
"""
_FUNCTION_WORDS = frozenset(_LITTLE_WORDS.split())


class Nodes:
    """Nodes by number and by id; the first spelling of a name is the one that is shown."""

    __slots__ = ("_free", "_lengths", "_numbers", "_plain", "ids", "names")

    def __init__(self) -> None:
        self.ids: list[str] = []  # by number, "" where there is none now
        self.names: list[str] = []  # by number
        self._numbers: dict[str, int] = {}
        self._free: list[int] = []
        self._plain: dict[str, list[int]] = {}  # ids without their accents, where that makes a difference
        self._lengths: Counter[int] = Counter()  # how many names have so many tokens

    def __len__(self) -> int:
        return len(self._numbers)

    def __iter__(self) -> Iterator[int]:
        return iter(self._numbers.values())

    def find(self, id: str) -> int | None:
        """The number of the node with this id."""
        return self._numbers.get(id)

    def add(self, name: str) -> tuple[int, bool]:
        """The number of a name's node, and whether it needs room for a number that was never used."""
        id_ = node_id(name)
        number = self._numbers.get(id_)
        if number is not None:
            return number, False
        shown = display_name(name)
        shown = id_ if shown == id_ else shown
        new = not self._free
        if new:
            number = len(self.ids)
            self.ids.append(id_)
            self.names.append(shown)
        else:
            number = self._free.pop()
            self.ids[number], self.names[number] = id_, shown
        self._numbers[id_] = number
        self._lengths[count_tokens(id_)] += 1
        plain = without_accents(id_)
        if plain != id_:
            self._plain.setdefault(plain, []).append(number)
        return number, new

    def remove(self, number: int) -> None:
        """Forget a node; its number will be used again."""
        id_ = self.ids[number]
        del self._numbers[id_]
        self._lengths[count_tokens(id_)] -= 1
        plain = without_accents(id_)
        if plain != id_:
            self._plain[plain].remove(number)
            if not self._plain[plain]:
                del self._plain[plain]
        self.ids[number] = self.names[number] = ""
        self._free.append(number)

    def resolve(self, name_or_id: str) -> int | None:
        """The node that an id or a name means; accents may be missing."""
        wanted = node_id(name_or_id)
        for candidate in (name_or_id, wanted):
            if candidate in self._numbers:
                return self._numbers[candidate]
        return next(self._alike(without_accents(wanted)), None)

    def named_in(self, text: str) -> list[int]:
        """The nodes that a text names, in its order; of names that overlap, the longest."""
        folded = fold(text[:_TEXT_LENGTH])
        parts = tokens(folded)
        plain = _Plain(folded, parts)
        ends = [may_end(folded, part) for part in parts]
        lengths = sorted(
            (n for n, names in self._lengths.items() if names and n <= _NAME_TOKENS), reverse=True
        )
        whole = self.resolve(text)
        found: dict[int, None] = {} if whole is None else {whole: None}
        at = 0 if whole is None else len(parts)
        while at < len(parts):
            step = 1
            for length in lengths if may_begin(folded, parts[at]) else ():
                last = at + length - 1
                if last >= len(parts) or not ends[last]:
                    continue
                numbers = self._numbers_of(folded[parts[at].start : parts[last].end], plain.between(at, last))
                if numbers:
                    found.update(dict.fromkeys(numbers))
                    step = length
                    break
            at += step
        return list(found)

    def _numbers_of(self, exact: str, plain: str) -> list[int]:
        if exact in _FUNCTION_WORDS:
            return []
        number = self._numbers.get(exact)
        return list(self._alike(plain)) if number is None else [number]

    def _alike(self, plain: str) -> Iterator[int]:
        if plain in self._numbers:
            yield self._numbers[plain]
        yield from self._plain.get(plain, ())


class _Plain:
    """A folded text without accents, cut at the same tokens."""

    def __init__(self, folded: str, parts: list[Token]) -> None:
        self.text = folded
        self.spans = [(part.start, part.end) for part in parts]
        if folded.isascii():
            return
        text, spans, end = "", [], 0
        for part in parts:
            text += folded[end : part.start]
            start, end = len(text), part.end
            text += without_accents(folded[part.start : part.end])
            spans.append((start, len(text)))
        self.text, self.spans = text, spans

    def between(self, first: int, last: int) -> str:
        return self.text[self.spans[first][0] : self.spans[last][1]]
