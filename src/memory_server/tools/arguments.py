"""Reads the arguments of a tool off its function's signature, and says them as a flat, portable schema."""

from __future__ import annotations

import inspect
import re
import types
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cache
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import annotated_types
from pydantic import BaseModel
from pydantic.fields import FieldInfo

Kind = Literal["string", "integer", "number", "boolean", "array", "object"]
_ITEM = "item"
_UNLIMITED = ("text", "a number", "a whole number")
_LEAD_IN = re.compile(r"^(text of|a number|a whole number) ")
_KINDS: dict[Any, Kind] = {str: "string", int: "integer", float: "number", bool: "boolean"}


class TooLong(Enum):
    """What becomes of a text beyond its limit; stands in the annotation, `Annotated[str, …, TooLong.CUT]`."""

    REFUSE = "invalid_argument"
    PAYLOAD = "payload_too_large"
    CUT = "its beginning and its end are kept"


class Empty(Enum):
    """What an empty text means for an optional argument; the default is "not given"."""

    NOT_GIVEN = "not given"
    COUNTS = "a value of its own"


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument of a tool, or one field or item inside of it.

    Lengths count characters of a text and items of an array.
    """

    name: str
    kind: Kind
    description: str = ""
    required: bool = True
    default: Any = None
    ge: float | None = None
    le: float | None = None
    min_length: int = 0
    max_length: int | None = None
    choices: tuple[str, ...] = ()
    item: Argument | None = None
    fields: tuple[Argument, ...] = ()
    model: type[BaseModel] | None = None
    too_long: TooLong = TooLong.REFUSE
    empty: Empty = Empty.NOT_GIVEN
    collect: type[list[Any]] | type[tuple[Any, ...]] = list

    def allowed(self) -> str:
        """What may be given, in words."""
        if self.choices:
            return "one of " + ", ".join(choice or '""' for choice in self.choices)
        match self.kind:
            case "string":
                return _span("text", self.min_length or None, self.max_length, "characters")
            case "integer":
                return _span("a whole number", self.ge, self.le)
            case "number":
                return _span("a number", self.ge, self.le)
            case "boolean":
                return "true or false"
            case "array":
                item = self.item.allowed() if self.item else "anything"
                most = f"at most {self.max_length} items" if self.max_length else "items"
                return f"a list of {most}, each {item}"
            case "object":
                return "an object with " + ", ".join(field.name for field in self.fields)

    def schema(self) -> dict[str, Any]:
        """The argument as JSON Schema: no references, no unions, limits and default repeated in the text."""
        out: dict[str, Any] = {"type": self.kind}
        if text := self._explained():
            out["description"] = text
        if self.choices and "" not in self.choices:
            out["enum"] = list(self.choices)
        for key, value in (("minimum", self.ge), ("maximum", self.le)):
            if value is not None:
                out[key] = value
        if self.max_length is not None and self.too_long is not TooLong.CUT:
            out["maxItems" if self.kind == "array" else "maxLength"] = self.max_length
        if self.kind == "string" and self.min_length and self.required:
            out["minLength"] = self.min_length
        if self.item is not None:
            out["items"] = self.item.schema()
        if self.kind == "object":
            out |= object_schema(self.fields)
        if not self.required and self.default is not None:
            out["default"] = _plain(self.default)
        return out

    def _explained(self) -> str:
        if self.name == _ITEM and not self.description:
            # its list says it all
            return ""
        notes = []
        if self.kind == "array":
            if self.max_length is not None:
                notes.append(f"at most {self.max_length}")
            if self.item is not None and self.item.kind == "string" and not self.item.choices:
                notes.append(f"each {self.item.allowed()}")
        elif "" in self.choices or (self.kind != "object" and not self.choices and self.kind != "boolean"):
            limits = self.allowed()
            if limits not in _UNLIMITED:
                notes.append(_LEAD_IN.sub("", limits))
        if self.too_long is TooLong.CUT:
            notes.append("of a longer text the beginning and the end are used")
        if not self.required and self.default not in (None, (), []):
            notes.append(f"default {_shown_default(self.default)}")
        if not notes:
            return self.description
        return f"{self.description} ({'; '.join(notes)})".strip()


def _span(what: str, low: float | None, high: float | None, unit: str = "") -> str:
    of = "of " if unit else ""
    unit = f" {unit}" if unit else ""
    if low is not None and high is not None:
        return f"{what} {of}{low} to {high}{unit}" if unit else f"{what} from {low} to {high}"
    if high is not None:
        return f"{what} {of}at most {high}{unit}"
    if low is not None:
        return f"{what} {of}at least {low}{unit}"
    return what


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def _shown_default(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value) or '""'


def object_schema(arguments: Iterable[Argument]) -> dict[str, Any]:
    """The schema of an object with just these members."""
    arguments = tuple(arguments)
    out: dict[str, Any] = {
        "type": "object",
        "properties": {argument.name: argument.schema() for argument in arguments},
    }
    if required := [argument.name for argument in arguments if argument.required]:
        out["required"] = required
    out["additionalProperties"] = False
    return out


@cache
def arguments_of(run: Callable[..., Any]) -> tuple[Argument, ...]:
    """The keyword-only parameters of a tool's function, as arguments.

    Raises:
        TypeError: a parameter has a type that no portable schema can say.
    """
    hints = get_type_hints(run, include_extras=True)
    return tuple(
        _read(name, hints[name], parameter.default, parameter.default is inspect.Parameter.empty)
        for name, parameter in inspect.signature(run).parameters.items()
        if parameter.kind is inspect.Parameter.KEYWORD_ONLY
    )


def _fields_of(model: type[BaseModel]) -> tuple[Argument, ...]:
    hints = get_type_hints(model, include_extras=True)
    fields = []
    for name, field in model.model_fields.items():
        # the field itself goes last: a description given by assignment is not in the annotation
        default = field.get_default(call_default_factory=True)
        fields.append(_read(name, hints[name], default, field.is_required(), [field]))
    return tuple(fields)


def _read(name: str, hint: Any, default: Any, required: bool, more: Sequence[Any] = ()) -> Argument:
    hint, metadata = unwrapped(hint)
    given: dict[str, Any] = {"name": name, "required": required, "default": None if required else default}
    given |= _facts_of([*metadata, *more])
    origin = get_origin(hint)
    if hint in _KINDS:
        return Argument(kind=_KINDS[hint], **given)
    if origin is Literal:
        return Argument(kind="string", choices=tuple(get_args(hint)), **given)
    if isinstance(hint, type) and issubclass(hint, Enum):
        return Argument(kind="string", choices=tuple(str(member.value) for member in hint), **given)
    if origin in (list, tuple):
        item = _read(_ITEM, get_args(hint)[0], None, True)
        return Argument(kind="array", item=item, collect=origin, **given)
    if isinstance(hint, type) and issubclass(hint, BaseModel):
        return Argument(kind="object", fields=_fields_of(hint), model=hint, **given)
    raise TypeError(f"argument {name}: {hint!r} cannot be said in a portable schema")


def unwrapped(hint: Any, keep_null: bool = False) -> tuple[Any, list[Any]]:
    """The bare type of a hint, and the metadata around it from the inside out.

    `T | None` is taken for `T`, as None only says "optional", unless `keep_null` is set.
    """
    if get_origin(hint) is Annotated:
        bare, *metadata = get_args(hint)
        inner, deeper = unwrapped(bare, keep_null)
        return inner, deeper + metadata
    if get_origin(hint) in (Union, types.UnionType) and not keep_null:
        rest = [part for part in get_args(hint) if part is not type(None)]
        if len(rest) == 1:
            return unwrapped(rest[0])
    return hint, []


def _facts_of(metadata: list[Any]) -> dict[str, Any]:
    out: dict[str, Any] = {}
    for entry in metadata:
        if isinstance(entry, FieldInfo):
            if entry.description:
                out["description"] = entry.description
            out |= _facts_of(entry.metadata)
        elif isinstance(entry, annotated_types.Ge):
            out["ge"] = entry.ge
        elif isinstance(entry, annotated_types.Le):
            out["le"] = entry.le
        elif isinstance(entry, annotated_types.MinLen):
            out["min_length"] = entry.min_length
        elif isinstance(entry, annotated_types.MaxLen):
            out["max_length"] = entry.max_length
        elif isinstance(entry, TooLong):
            out["too_long"] = entry
        elif isinstance(entry, Empty):
            out["empty"] = entry
    return out
