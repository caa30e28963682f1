"""Keys, tokens and passwords in text that is about to be stored: where they stand, and the text without them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from math import log2
from typing import NamedTuple

from memory_server.policies.secret_patterns import (
    ASSIGNMENT_HINTS,
    ASSIGNMENTS,
    FORMATS,
    PLACEHOLDERS,
    SPELLED,
)


class Secret(NamedTuple):
    """A secret's kind and its place in the text, in characters, the end not included."""

    kind: str
    start: int
    end: int


# patterns as text: they are compiled at the first search, not while a server starts
_UUID = r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"
_URL_LOGIN = re.compile(
    r"\b[A-Za-z][A-Za-z0-9+.-]{1,20}://[^\s:/@\"'<>]{0,128}:([^\s@/\"'<>]{1,256})@(?=[\w\[])"
)
_KEY_BEGIN = r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----"
_KEY_END = r"-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----"
_KEY_BODY = r"(?:[\s\\nr]*[A-Za-z0-9+/=:,. -]{1,80}){0,400}"
_CODE_NAME = r"[A-Za-z_][A-Za-z_0-9]{0,40}(?:\.[A-Za-z_][A-Za-z_0-9]{0,40}){1,5}"
_FILLER = r"(?i)x{6}|example|placeholder|your[_-]|0{12}|123456789012"
_MAX_KEY_CHARS = 16_384

MIN_BITS_PER_CHAR = 3.0
"""Entropy that a token behind "token=" must have to be taken for one."""


def find_secrets(text: str) -> tuple[Secret, ...]:
    """The secrets of a text in order, none overlapping another; the longer one wins where they would."""
    found = [*_known_formats(text), *_key_blocks(text), *_url_logins(text), *_assigned(text), *_spelled(text)]
    found.sort(key=lambda secret: (secret.start, -secret.end))
    kept: list[Secret] = []
    for secret in found:
        if kept and secret.start < kept[-1].end:
            if secret.end > kept[-1].end:
                kept[-1] = kept[-1]._replace(end=secret.end)
            continue
        kept.append(secret)
    return tuple(kept)


def redact(text: str) -> tuple[str, tuple[Secret, ...]]:
    """The text with `[redacted:kind]` in place of each secret, and what was found; places are those of the original."""
    found = find_secrets(text)
    parts: list[str] = []
    last = 0
    for secret in found:
        parts += [text[last : secret.start], f"[redacted:{secret.kind}]"]
        last = secret.end
    return "".join((*parts, text[last:])), found


@cache
def _formats() -> tuple[tuple[str, tuple[str, ...], re.Pattern[str]], ...]:
    return tuple((kind, hints, re.compile(pattern)) for kind, hints, pattern in FORMATS)


@cache
def _assignments() -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple((kind, re.compile(pattern, re.IGNORECASE)) for kind, pattern in ASSIGNMENTS)


@cache
def _spellings() -> tuple[tuple[str, tuple[str, ...], re.Pattern[str]], ...]:
    return tuple((kind, hints, re.compile(pattern)) for kind, hints, pattern in SPELLED)


@cache
def _placeholders() -> re.Pattern[str]:
    return re.compile(PLACEHOLDERS, re.IGNORECASE)


def _known_formats(text: str) -> Iterator[Secret]:
    """Tokens that their makers gave a prefix to be known by."""
    for kind, hints, pattern in _formats():
        # a plain loop: this runs for every fact that is stored, and any() with a generator takes three times as long
        for hint in hints:
            if hint in text:
                break
        else:
            continue
        for match in pattern.finditer(text):
            start, end = match.span(1 if pattern.groups else 0)
            if not _is_filler(text[start:end]):
                yield Secret(kind, start, end)


def _key_blocks(text: str) -> Iterator[Secret]:
    """Private keys from their first line to their last; one that was cut off, as far as it looks like a key."""
    for match in re.finditer(_KEY_BEGIN, text):
        end = re.compile(_KEY_END).search(text, match.end(), match.end() + _MAX_KEY_CHARS)
        if end is not None:
            yield Secret("private_key", match.start(), end.end())
            continue
        body = re.compile(_KEY_BODY).match(text, match.end(), match.end() + _MAX_KEY_CHARS)
        yield Secret("private_key", match.start(), body.end() if body else match.end())


def _url_logins(text: str) -> Iterator[Secret]:
    if "://" not in text:
        return
    for match in re.finditer(_URL_LOGIN, text):
        if not _is_placeholder(match[1]):
            yield Secret("url_password", *match.span(1))


def _assigned(text: str) -> Iterator[Secret]:
    """Values behind "password:", "token=", "--api-key" and the like, where they look like one."""
    lowered = text.lower()
    for hint in ASSIGNMENT_HINTS:
        if hint in lowered:
            break
    else:
        return
    for kind, pattern in _assignments():
        for match in pattern.finditer(text):
            value = match["value"].rstrip(".,;:?")
            start = match.start("value")
            called = text[match.end("value") : match.end("value") + 1] == "("
            if called or re.fullmatch(_CODE_NAME, value) or _is_placeholder(value):
                continue
            if _is_password(value) if kind == "password" else _is_token(value):
                yield Secret(kind, start, start + len(value))


def _spelled(text: str) -> Iterator[Secret]:
    """PINs and passphrases: plain figures and words behind the name of such a thing."""
    for kind, hints, pattern in _spellings():
        if any(hint in text for hint in hints):
            for match in pattern.finditer(text):
                if not _is_placeholder(match["value"]):
                    yield Secret(kind, *match.span("value"))


def _is_filler(token: str) -> bool:
    """Whether a token of a known form is one from documentation: all x, or with "example" in it."""
    return re.search(_FILLER, token) is not None or _bits_per_char(token) < MIN_BITS_PER_CHAR


def _is_placeholder(value: str) -> bool:
    """Whether a value stands for a secret instead of being one: <token>, ${TOKEN}, changeme, xxxx, os.environ[…]."""
    return len(set(value)) <= 2 or _placeholders().search(value) is not None


def _is_password(value: str) -> bool:
    """A password has at least six characters and a digit or a sign among letters; plain words are prose."""
    if not 6 <= len(value) <= 256 or re.fullmatch(_UUID, value):
        return False
    letter = any(char.isalpha() for char in value)
    digit = any(char.isdigit() for char in value)
    sign = any(char in "!@#$%^&*+=?~|" for char in value)
    return (letter or sign) and (digit or (sign and letter))


def _is_token(value: str) -> bool:
    """A token is long, mixes letters and figures, and is no id: UUIDs are let through."""
    return len(value) >= 16 and not re.fullmatch(_UUID, value) and _looks_random(value)


def _looks_random(value: str) -> bool:
    letter = any(char.isalpha() for char in value)
    digit = any(char.isdigit() for char in value)
    return letter and digit and _bits_per_char(value) >= MIN_BITS_PER_CHAR and not _is_placeholder(value)


def _bits_per_char(value: str) -> float:
    """Shannon's entropy of the characters of a value, in bits a character."""
    counts, total = Counter(value), len(value)
    return -sum(count / total * log2(count / total) for count in counts.values())
