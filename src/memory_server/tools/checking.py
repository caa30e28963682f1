"""Turns what a caller sent into what a tool takes, or says in one line what is wrong and what is allowed."""

from __future__ import annotations

import difflib
import json
import math
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeVar

from memory_server.domain.errors import InvalidArgument, PayloadTooLarge
from memory_server.tools.arguments import Argument, Empty, TooLong

MOST_LEVELS = 32
"""How deep lists and objects may be nested in the arguments of a call."""

OVERSIZED = "\0oversized"
"""The argument that a transport puts in place of a request that it could not take; its value is a length."""

# Gemini CLI adds it to every call, whatever the tool
_CLIENT_EXTRAS = frozenset({"wait_for_previous"})
_WHOLE = re.compile(r"[+-]?\d+(\.0*)?")
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")
_PLAIN_NAME = re.compile(r"[\w.\[\]]+")
_INVISIBLE = frozenset({"Zs", "Cc", "Cf"})
_MISSING = object()

N = TypeVar("N", int, float)


def check_arguments(tool: str, arguments: Sequence[Argument], given: Mapping[str, Any]) -> dict[str, Any]:
    """The keyword arguments for a tool's function, defaults filled in.

    Raises:
        InvalidArgument: an argument is unknown, missing, of the wrong type or out of bounds.
        PayloadTooLarge: a text is longer than one call may bring.
    """
    given = {name: value for name, value in given.items() if name not in _CLIENT_EXTRAS}
    refuse_untextual(given)
    _refuse_unknown(tool, [argument.name for argument in arguments], given)
    return {argument.name: _member(argument, given, argument.name) for argument in arguments}


def refuse_untextual(given: Mapping[str, Any]) -> None:
    """Refuses what is no text or has no end, at any depth: NUL, half surrogate pairs, bottomless nesting.

    Raises:
        InvalidArgument: names the argument that holds it.
        PayloadTooLarge: the request as a whole was too long.
    """
    if OVERSIZED in given:
        raise PayloadTooLarge(f"the request is too long with {given[OVERSIZED]} bytes; send it in parts")
    for name, value in given.items():
        label = name if _PLAIN_NAME.fullmatch(name) else shown(name)
        stack: list[tuple[Any, int]] = [(name, 0), (value, 0)]
        while stack:
            part, level = stack.pop()
            if level > MOST_LEVELS:
                allowed = f"at most {MOST_LEVELS} levels of lists and objects"
                raise InvalidArgument(
                    f"{label} is nested too deeply: {allowed}", argument=name, allowed=allowed
                )
            if isinstance(part, str):
                if why := _untextual(part):
                    raise InvalidArgument(
                        f"{label} holds {why}, which is no text: {shown(part)}",
                        argument=_printable(name),
                        allowed="text without NUL and without half surrogate pairs",
                    )
            elif isinstance(part, Mapping):
                stack.extend((key, level + 1) for key in part)
                stack.extend((entry, level + 1) for entry in part.values())
            elif isinstance(part, list | tuple):
                stack.extend((entry, level + 1) for entry in part)


def _untextual(text: str) -> str | None:
    if "\0" in text:
        return "a NUL character or something undecodable"
    if not text.isascii() and any("\ud800" <= letter <= "\udfff" for letter in text):
        return "half a surrogate pair"
    return None


def shown(value: Any, most: int = 60) -> str:
    """A value as messages quote it: JSON on one line, at most `most` characters of it, always encodable."""
    try:
        text = json.dumps(value, ensure_ascii=False, default=str)
    except (ValueError, RecursionError):
        text = f"a {type(value).__name__}"
    text = _printable(text)
    return text if len(text) <= most else text[: most - 1] + "…"


def _printable(text: str) -> str:
    return text.encode("utf-8", "replace").decode("utf-8")


def nearest(name: str, known: Iterable[str]) -> str | None:
    """The known name that was probably meant, if any is near enough."""
    by_folded = {entry.casefold().replace("-", "_"): entry for entry in known}
    found = difflib.get_close_matches(name.casefold().replace("-", "_"), by_folded, n=1, cutoff=0.5)
    return by_folded[found[0]] if found else None


def is_blank(text: str) -> bool:
    """Whether a text holds nothing but white space and invisible format characters."""
    return all(unicodedata.category(letter) in _INVISIBLE or letter.isspace() for letter in text)


def _refuse_unknown(where: str, known: Sequence[str], given: Mapping[str, Any], prefix: str = "") -> None:
    for name in given:
        if name in known:
            continue
        guess = nearest(name, known)
        hint = f"; did you mean {guess}?" if guess else ""
        takes = f"it takes {', '.join(known)}" if known else "it takes no arguments"
        raise InvalidArgument(
            f"unknown argument {shown(name)} of {where}{hint} ({takes})",
            argument=prefix + _printable(name),
            allowed=list(known),
            **({"nearest": guess} if guess else {}),
        )


def _member(argument: Argument, given: Mapping[str, Any], path: str) -> Any:
    value = given.get(argument.name, _MISSING)
    if argument.required:
        if value is _MISSING or value is None:
            raise _refusal(argument, path, "is required", value)
        return _value(argument, value, path)
    if value is _MISSING or value is None:
        return argument.default
    empty_counts = argument.empty is Empty.COUNTS or "" in argument.choices
    if isinstance(value, str) and not empty_counts and is_blank(value):
        return argument.default
    return _value(argument, value, path)


def _value(argument: Argument, value: Any, path: str) -> Any:
    match argument.kind:
        case "string":
            return _text(argument, value, path)
        case "integer":
            return _integer(argument, value, path)
        case "number":
            return _number(argument, value, path)
        case "boolean":
            return _boolean(argument, value, path)
        case "array":
            return _array(argument, value, path)
        case "object":
            return _object(argument, value, path)


def _refusal(argument: Argument, path: str, problem: str, value: Any = _MISSING) -> InvalidArgument:
    got = "" if value is _MISSING or value is None else f", not {shown(value)}"
    allowed = argument.allowed()
    return InvalidArgument(f"{path} {problem}: {allowed}{got}", argument=path, allowed=allowed)


def _text(argument: Argument, value: Any, path: str) -> str:
    if not isinstance(value, str):
        raise _refusal(argument, path, "must be text", value)
    text = value.strip()
    if argument.choices:
        by_folded = {choice.casefold(): choice for choice in argument.choices}
        if text.casefold() not in by_folded:
            raise _refusal(argument, path, "is unknown", value)
        return by_folded[text.casefold()]
    if is_blank(text):
        if argument.min_length > 0:
            raise _refusal(argument, path, "must not be blank", value)
        return ""
    if len(text) < argument.min_length:
        raise _refusal(argument, path, f"is too short with {len(text)} characters", value)
    if argument.max_length is None or len(text) <= argument.max_length:
        return text
    return _beyond(argument, text, path)


def _beyond(argument: Argument, text: str, path: str) -> str:
    most = argument.max_length or 0
    match argument.too_long:
        case TooLong.CUT:
            # a pasted prompt says what it wants at its beginning or at its end
            return text[: most // 2] + text[most // 2 - most :]
        case TooLong.PAYLOAD:
            raise PayloadTooLarge(
                f"{path} is too long with {len(text)} characters: {argument.allowed()}; send it in parts",
                argument=path,
                allowed=argument.allowed(),
                length=len(text),
            )
        case TooLong.REFUSE:
            raise _refusal(argument, path, f"is too long with {len(text)} characters", text)


def _integer(argument: Argument, value: Any, path: str) -> int:
    whole: int | None = None
    if isinstance(value, int) and not isinstance(value, bool):
        whole = value
    elif isinstance(value, float) and value.is_integer():
        whole = int(value)
    elif isinstance(value, str) and len(value) < 100 and _WHOLE.fullmatch(value.strip()):
        whole = int(value.strip().split(".")[0])
    if whole is None:
        raise _refusal(argument, path, "must be a whole number", value)
    return _within(argument, whole, value, path)


def _number(argument: Argument, value: Any, path: str) -> float:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    says_number = isinstance(value, str) and len(value) < 100 and _NUMBER.fullmatch(value.strip())
    try:
        number = float(value) if is_number or says_number else math.nan
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        raise _refusal(argument, path, "must be a finite number", value)
    return _within(argument, number, value, path)


def _within(argument: Argument, number: N, value: Any, path: str) -> N:
    too_small = argument.ge is not None and number < argument.ge
    too_large = argument.le is not None and number > argument.le
    if too_small or too_large:
        raise _refusal(argument, path, "is out of bounds", value)
    return number


def _boolean(argument: Argument, value: Any, path: str) -> bool:
    if isinstance(value, bool):
        return value
    if isinstance(value, str) and value.strip().casefold() in ("true", "false"):
        return value.strip().casefold() == "true"
    raise _refusal(argument, path, "must be true or false", value)


def _parsed(argument: Argument, value: Any, path: str) -> Any:
    """The value, or what a JSON text says in its place, as older clients send lists and objects."""
    if not isinstance(value, str):
        return value
    try:
        parsed = json.loads(value)
    except (ValueError, RecursionError):
        return value
    refuse_untextual({path: parsed})
    return parsed


def _array(argument: Argument, value: Any, path: str) -> list[Any] | tuple[Any, ...]:
    entries = _parsed(argument, value, path)
    if not isinstance(entries, list | tuple):
        raise _refusal(argument, path, "must be a list", value)
    if argument.max_length is not None and len(entries) > argument.max_length:
        raise _refusal(argument, path, f"has too many items with {len(entries)}", entries)
    if (item := argument.item) is None:
        return argument.collect(entries)
    return argument.collect(_value(item, entry, f"{path}[{place}]") for place, entry in enumerate(entries))


def _object(argument: Argument, value: Any, path: str) -> Any:
    entries = _parsed(argument, value, path)
    if not isinstance(entries, Mapping):
        raise _refusal(argument, path, "must be an object", value)
    _refuse_unknown(path, [field.name for field in argument.fields], entries, f"{path}.")
    members = {field.name: _member(field, entries, f"{path}.{field.name}") for field in argument.fields}
    return argument.model.model_validate(members) if argument.model else members
