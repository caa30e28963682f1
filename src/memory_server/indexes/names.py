"""From a name as someone wrote it to the id of its node, and from a text to where names may stand in it."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

DISPLAY_LENGTH = 200
_ID_LENGTH = 120
_ASCII_TOKENS = re.compile(r"\w+|[^\w\s]", re.ASCII)
_MARKS_OF_LETTERS = re.compile("[\u0300-\u036f]")
_SUFFIX = "+#"
# scripts that are written without blanks between words, and Korean, whose particles cling to names
_UNBROKEN = (
    (0x0E00, 0x0EFF),  # Thai, Lao
    (0x1000, 0x109F),  # Burmese
    (0x1100, 0x11FF),  # Korean letters
    (0x1780, 0x17FF),  # Khmer
    (0x3040, 0x30FF),  # Hiragana, Katakana
    (0x3400, 0x9FFF),  # Chinese characters
    (0xAC00, 0xD7AF),  # Korean syllables
    (0xF900, 0xFAFF),
    (0x20000, 0x3FFFF),
)
_SPACE, _WORD, _SINGLE, _SIGN = range(4)


def fold(text: str) -> str:
    """How names are compared: NFKC, case folded, white space folded to single blanks."""
    if text.isascii():
        return " ".join(text.lower().split())
    return " ".join(unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold()).split())


def node_id(name: str) -> str:
    """The readable id of a name: what `fold` makes of it; of a long one, its beginning and a hash.

    Letters of any script and punctuation stay, so that "C", "C++" and "C#" are three.
    """
    folded = fold(name)
    if len(folded) <= _ID_LENGTH:
        return folded
    digest = hashlib.blake2b(folded.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
    return f"{folded[:80].rstrip()}~{digest}"


def display_name(name: str) -> str:
    """The name as it was written, without white space around it and cut where it is very long."""
    shown = name.strip()
    return shown if len(shown) <= DISPLAY_LENGTH else shown[: DISPLAY_LENGTH - 1] + "…"


def without_accents(folded: str) -> str:
    """Latin, Greek and Cyrillic letters without their marks; other scripts' marks are letters and stay."""
    if folded.isascii():
        return folded
    return unicodedata.normalize("NFC", _MARKS_OF_LETTERS.sub("", unicodedata.normalize("NFD", folded)))


@dataclass(frozen=True, slots=True)
class Token:
    """A word, one character of an unbroken script, or one sign, at [start, end) of a folded text."""

    start: int
    end: int
    kind: int


def tokens(folded: str) -> list[Token]:
    """What a folded text is made of, blanks left out."""
    if folded.isascii():
        spans = (found.span() for found in _ASCII_TOKENS.finditer(folded))
        return [Token(start, end, _ascii_kind(folded[start])) for start, end in spans]
    found: list[Token] = []
    for at, character in enumerate(folded):
        kind = _kind(character)
        if kind == _SPACE:
            continue
        if kind == _WORD and found and found[-1].kind == _WORD and found[-1].end == at:
            found[-1] = Token(found[-1].start, at + 1, _WORD)
        else:
            found.append(Token(at, at + 1, kind))
    return found


def count_tokens(folded: str) -> int:
    """How many tokens a folded text has; for names of a whole graph, without making them."""
    return len(_ASCII_TOKENS.findall(folded)) if folded.isascii() else len(tokens(folded))


def may_begin(folded: str, token: Token) -> bool:
    """Whether a name can begin at this token: not inside a word, a number or a dotted name."""
    before = _kind(folded[token.start - 1]) if token.start else _SPACE
    if before == _WORD:
        return token.kind == _SINGLE
    dotted = (
        before == _SIGN
        and folded[token.start - 1] == "."
        and folded[token.start - 2 : token.start - 1] != "."
    )
    return not (dotted and token.kind == _WORD)


def may_end(folded: str, token: Token) -> bool:
    """Whether a name can end with this token: "C" does not end inside "C++", nor "node" inside "node.js"."""
    if token.kind == _SINGLE or token.end == len(folded):
        return True
    if folded[token.end] == ".":
        return not (token.kind == _WORD and _kind(folded[token.end + 1 : token.end + 2] or " ") == _WORD)
    if folded[token.end] not in _SUFFIX:
        return True
    signs = len(folded) - token.end - len(folded[token.end :].lstrip(_SUFFIX))
    after = folded[token.end + signs : token.end + signs + 1] or " "
    return signs == 1 and _kind(after) == _WORD  # "a+b" names a; "c#" and "c++11" don't name c


def _ascii_kind(character: str) -> int:
    return _WORD if character.isalnum() or character == "_" else _SIGN


@lru_cache(maxsize=4096)
def _kind(character: str) -> int:
    if character.isspace():
        return _SPACE
    code = ord(character)
    if code > 0x0DFF and any(first <= code <= last for first, last in _UNBROKEN):
        return _SINGLE
    if character.isalnum() or character == "_" or unicodedata.category(character).startswith("M"):
        return _WORD
    return _SIGN
