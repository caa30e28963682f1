"""What text is for comparing and for indexing; what is stored and shown stays exactly as given."""

from __future__ import annotations

import re
import sys
import unicodedata
from functools import lru_cache
from hashlib import sha256

_SPACE = re.compile(r"\s+")
# character class: scripts that put no blanks between words: Han, kana, hangul, Thai, Lao, Khmer, Burmese
NO_BREAKS = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
    "\uac00-\ud7af\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003134f"
)
_RUN = re.compile(f"[{NO_BREAKS}]+")
_GLUED = re.compile(f"(?:[{NO_BREAKS}](?=[0-9A-Za-z])|[0-9A-Za-z](?=[{NO_BREAKS}]))")
_BORDER = re.compile(f"(?<=[{NO_BREAKS}])(?=[^{NO_BREAKS}\\s])|(?<=[^{NO_BREAKS}\\s])(?=[{NO_BREAKS}])")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_CAMEL_WORD = re.compile(r"\b[A-Za-z0-9]*[a-z0-9][A-Z][A-Za-z0-9]*\b|\b[A-Z]{2,}[a-z][A-Za-z0-9]*\b")
SIGN_WORD = re.compile(r"(?<![\w+#])(\w{1,24}?)(\+{1,2}|#)(?![\w+#])|(?<![\w.])\.([A-Za-z]{2,12})\b")
_SIGN_NAME = re.compile(r"(?P<name>\w{1,24}?)x(?P<signs>(?:plus){1,2}|sharp)|xdot(?P<dot>[a-z]{2,12})")
_CODE_NAME = re.compile(r"u([0-9a-f]{2,6})")
_WORD = re.compile(r"[^\W_]+")
_PLAIN = re.compile(r"[\x00-\x7f]*")


def normal(text: str) -> str:
    """The copy that is compared: NFKC, case folded, white space folded to single blanks, trimmed."""
    return _SPACE.sub(" ", unicodedata.normalize("NFKC", text).casefold()).strip()


def digest(*parts: str) -> str:
    """A 32-character hash of parts; no two lists of parts run together."""
    return sha256("\x1f".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:32]


def is_blank(text: str) -> bool:
    """Whether nothing but white space and format characters is there (Zs, Cc, Cf)."""
    return all(unicodedata.category(char) in ("Zs", "Cc", "Cf", "Zl", "Zp") for char in text)


def grams(text: str) -> str:
    """Extra words for the full-text index, which its tokenizer would not find by itself.

    Single characters and pairs of scripts without word breaks; Latin words glued to them; the parts of camelCase
    names; names that differ in signs alone (C++, C#, .NET) and emoji, spelled as words; the NFKC form where it
    differs. Empty for most plain text.
    """
    found: list[str] = []
    if not _PLAIN.fullmatch(text):
        found.extend(_script_grams(text))
    for match in _CAMEL_WORD.finditer(text):
        found.append(" ".join(_CAMEL.split(match.group())))
    for match in SIGN_WORD.finditer(text):
        found.append(sign_word(match))
    return " ".join(found)


def sign_word(match: re.Match[str]) -> str:
    """A name with signs as one indexable word: `c++` → `cxplusplus`, `c#` → `cxsharp`, `.net` → `xdotnet`."""
    if match.group(3):
        return "xdot" + match.group(3).casefold()
    signs = {"+": "plus", "#": "sharp"}
    return match.group(1).casefold() + "x" + "".join(signs[sign] for sign in match.group(2))


def index_words(text: str) -> set[str]:
    """The words of a text as the full-text index holds them, before stemming; see `grams` for those it adds."""
    return {*_WORD.findall(normal(text)), *(word.casefold() for word in grams(text).split())}


def as_written(word: str) -> str:
    """A word of the full-text index as a person would write it: pairs joined again, signs instead of their names."""
    first, *rest = word.split() or [word]
    joined = first + "".join(pair[-1] for pair in rest)
    sign = _SIGN_NAME.fullmatch(joined)
    if sign is not None and sign["dot"]:
        return f".{sign['dot']}"
    if sign is not None:
        return sign["name"] + sign["signs"].replace("plus", "+").replace("sharp", "#")
    code = _CODE_NAME.fullmatch(joined)
    shown = chr(int(code[1], 16)) if code is not None and int(code[1], 16) <= sys.maxunicode else ""
    return shown if shown and is_pictograph(shown) else joined


def _script_grams(text: str) -> list[str]:
    composed = unicodedata.normalize("NFKC", text)
    found: list[str] = []
    for run in _RUN.findall(composed):
        found.extend(run)
        found.extend(run[i : i + 2] for i in range(len(run) - 1))
    if _GLUED.search(composed):
        found.extend(part for part in _BORDER.split(composed) if part and not _RUN.fullmatch(part))
    elif composed != text and unicodedata.normalize("NFC", text) != composed:
        found.append(composed)
    found.extend(f"u{ord(char):x}" for char in composed if is_pictograph(char))
    return found


@lru_cache(maxsize=4096)
def is_pictograph(char: str) -> bool:
    """Whether the character is a sign that the tokenizer drops and a person may search for: emoji, arrows, signs."""
    return char > "\u00a0" and unicodedata.category(char) in ("So", "Sm", "Sc")


def fold_accents(text: str) -> str:
    """The normal form without combining marks of Latin, Greek and Cyrillic letters: how names are matched."""
    decomposed = unicodedata.normalize("NFD", normal(text))
    return unicodedata.normalize("NFC", "".join(c for c in decomposed if not "\u0300" <= c <= "\u036f"))


def cut(text: str, length: int) -> str:
    """At most `length` characters, with an ellipsis where something was left out."""
    return text if len(text) <= length else text[: length - 1].rstrip() + "…"
