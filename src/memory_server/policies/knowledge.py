"""What a note has to look like, and what makes two of them the same.

The rules are those of the server whose clients this toolset takes over, in the terms of its language: lengths count
UTF-16 units, white space is ECMAScript's.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from hashlib import sha256
from typing import Any

from memory_server.domain.errors import InvalidArgument
from memory_server.domain.knowledge import Note, NoteChanges
from memory_server.policies.scopes import GLOBAL, parse_scope
from memory_server.policies.text import cut

TITLE_LENGTHS = (10, 100)
CONTENT_LENGTHS = (50, 5_000)
MOST_TAGS = 10
GENERIC_OPENINGS = (
    "this is important",
    "remember this",
    "note to self",
    "todo",
    "fix this",
    "do this",
    "always do",
    "never do",
)
# U+001C to U+001F and U+0085 are white space to Python and not to ECMAScript; U+FEFF is the other way round
WHITE_SPACE = "\t\n\v\f\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
_EDGES = re.compile(f"^[{WHITE_SPACE}]+|[{WHITE_SPACE}]+\\Z")
_BLANKS = re.compile(f"[{WHITE_SPACE}]+")
_LINE_END = re.compile(r"\r\n?")
_EMPTY_LINES = re.compile(r"\n{3,}")
_TAG = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]*")
_MOST_TOLD, _MOST_SHOWN = 50, 200  # wrong tags, and characters of each, that a complaint names
_CHANGEABLE = ("title", "content", "tags", "scope")
_WRONG_SCOPE = 'Invalid scope. Must be "global", "project:<name>", or "repo:<name>"'


def check_note(given: Mapping[str, Any]) -> Note:
    """The note that somebody wants stored, trimmed and folded as it is kept.

    Raises:
        InvalidArgument: with all that is wrong, in the order title, content, tags, scope.
    """
    _refuse(
        _title_problems(given.get("title")),
        _content_problems(given.get("content")),
        _tag_problems(given.get("tags")),
        _scope_problems(given.get("scope")),
    )
    return Note(
        trimmed(given["title"]),
        trimmed(given["content"]),
        kept_tags(given.get("tags") or ()),
        kept_scope(given.get("scope")),
    )


def check_changes(given: Mapping[str, Any]) -> tuple[str, NoteChanges]:
    """The id of a note and what is to be different about it; null counts as given.

    Raises:
        InvalidArgument: with all that is wrong, first the id, then as for `check_note`.
    """
    memory_id = given.get("id")
    problems = []
    if memory_id is not None and not isinstance(memory_id, str):
        problems.append("ID must be a string")
    elif not memory_id or not trimmed(memory_id):
        problems.append("ID is required")
    if not any(name in given for name in _CHANGEABLE):
        problems.append("At least one field to update is required (title, content, tags, or scope)")
    _refuse(
        problems,
        _title_problems(given["title"]) if "title" in given else (),
        _content_problems(given["content"]) if "content" in given else (),
        # a null in place of a list would take all tags away without saying so
        _tag_problems(given["tags"], may_be_null=False) if "tags" in given else (),
        _scope_problems(given["scope"]) if "scope" in given else (),
    )
    return str(memory_id), NoteChanges(
        trimmed(given["title"]) if "title" in given else None,
        trimmed(given["content"]) if "content" in given else None,
        kept_tags(given["tags"]) if "tags" in given else None,
        kept_scope(given["scope"]) if "scope" in given else None,
    )


def title_key(title: str) -> str:
    """What titles are compared by: lower case, trimmed, runs of white space folded to one blank."""
    return _BLANKS.sub(" ", trimmed(title.lower()))


def content_hash(content: str) -> str:
    """What contents are compared by: SHA-256 of the trimmed text, line ends as LF, at most one empty line in a row."""
    text = _EMPTY_LINES.sub("\n\n", _LINE_END.sub("\n", trimmed(content)))
    return sha256(text.encode()).hexdigest()


def kept_tags(tags: Iterable[str]) -> tuple[str, ...]:
    """Tags as they are kept: lower case, trimmed, the first of repeats."""
    folded = (trimmed(tag.lower()) for tag in tags)
    return tuple(dict.fromkeys(tag for tag in folded if tag))


def kept_scope(scope: str | None) -> str:
    """A scope as it is kept: trimmed, lower case; global where none is given."""
    return trimmed(scope or "").lower() or GLOBAL


def trimmed(text: str) -> str:
    """The text without ECMAScript's white space at its ends."""
    return _EDGES.sub("", text)


def length(text: str) -> int:
    """How long a text is in UTF-16 units: most emoji count twice."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


def refuse(problems: Iterable[str]) -> None:
    """Raises InvalidArgument with all of the problems, if there are any."""
    errors = list(problems)
    if errors:
        raise InvalidArgument("; ".join(errors), errors=errors)


def _refuse(*groups: Iterable[str]) -> None:
    refuse(problem for group in groups for problem in group)


def _title_problems(value: Any) -> list[str]:
    return _text_problems("Title", value, TITLE_LENGTHS)


def _content_problems(value: Any) -> list[str]:
    problems = _text_problems("Content", value, CONTENT_LENGTHS)
    if isinstance(value, str) and _is_generic(trimmed(value).lower()):
        problems.append("Content appears too generic. Please provide specific, actionable knowledge.")
    return problems


def _text_problems(name: str, value: Any, lengths: tuple[int, int]) -> list[str]:
    if value is not None and not isinstance(value, str):
        return [f"{name} must be a string"]
    if not (text := trimmed(value or "")):
        return [f"{name} is required"]
    least, most = lengths
    if length(text) < least:
        return [f"{name} must be at least {least} characters"]
    return [f"{name} must be at most {most} characters"] if length(text) > most else []


def _is_generic(text: str) -> bool:
    return any(text == opening or text.startswith(f"{opening} ") for opening in GENERIC_OPENINGS)


def _tag_problems(value: Any, *, may_be_null: bool = True) -> list[str]:
    if value is None and may_be_null:
        return []
    if not isinstance(value, list | tuple):
        return ["Tags must be an array of strings"]
    problems = [f"Maximum {MOST_TAGS} tags allowed"] if len(value) > MOST_TAGS else []
    wrong = [tag for tag in value if not (isinstance(tag, str) and _TAG.fullmatch(tag))]
    problems += [
        f'Invalid tag "{_shown(tag)}". Tags must be alphanumeric with hyphens.' for tag in wrong[:_MOST_TOLD]
    ]
    more = len(wrong) - _MOST_TOLD
    return [*problems, f"{more} more invalid tags"] if more > 0 else problems


def _shown(tag: Any) -> str:
    shown = tag if isinstance(tag, str) else json.dumps(tag, ensure_ascii=False, default=str)
    return cut(shown, _MOST_SHOWN)


def _scope_problems(value: Any) -> list[str]:
    if value is None or value == "":
        return []
    try:
        # nothing may be cut off, not even what is white space elsewhere
        known = isinstance(value, str) and parse_scope(value) == value.lower()
    except ValueError:
        known = False
    return [] if known else [_WRONG_SCOPE]
