"""Says what a tool takes and answers as flat, portable schemas, read off its function's signature."""

from __future__ import annotations

import types
from collections.abc import Callable
from enum import Enum
from functools import cache
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from pydantic import BaseModel

from memory_server.tools.answers import TextAnswer
from memory_server.tools.arguments import arguments_of, object_schema, unwrapped
from memory_server.tools.tool import Tool

TRUNCATED = "truncated"
TRUNCATED_SCHEMA = {
    "type": "string",
    "description": "Only in an answer that was cut: what is missing and how to get it",
}
_SCALARS: dict[Any, str] = {str: "string", int: "integer", float: "number", bool: "boolean"}


def input_schema_of(tool: Tool) -> dict[str, Any]:
    """The schema of the arguments of a tool, as it is listed."""
    return dict(tool.raw_schema) if tool.raw_schema is not None else object_schema(arguments_of(tool.run))


def answers_of(run: Callable[..., Any]) -> tuple[type[BaseModel], ...]:
    """The models that a tool may answer with: one, or one for each of its modes."""
    hint = get_type_hints(run)["return"]
    models = get_args(hint) if get_origin(hint) in (Union, types.UnionType) else (hint,)
    return tuple(models)


@cache
def output_schema_of(run: Callable[..., Any]) -> dict[str, Any] | None:
    """The output schema of a tool, one level deep; None for an answer that is text alone.

    A field that may be null has no type, lists and objects are left loose: several clients check every answer
    against this, and every session pays for its length.
    """
    models = answers_of(run)
    if all(issubclass(model, TextAnswer) for model in models):
        return None
    by_model = [_members(model) for model in models]
    properties: dict[str, Any] = {}
    for members in by_model:
        for name, schema in members.items():
            if properties.setdefault(name, schema) != schema:
                properties[name] = {key: schema[key] for key in ("description",) if key in schema}
    required = [name for name in properties if all(name in members for members in by_model)]
    properties.setdefault(TRUNCATED, TRUNCATED_SCHEMA)
    return {"type": "object", "properties": properties, "required": required}


def _members(model: type[BaseModel]) -> dict[str, Any]:
    hints = get_type_hints(model, include_extras=True)
    members = {}
    for name, field in model.model_fields.items():
        schema = _loose(hints[name])
        if field.description:
            schema["description"] = field.description
        members[field.serialization_alias or field.alias or name] = schema
    return members


def _loose(hint: Any) -> dict[str, Any]:
    bare, _ = unwrapped(hint)
    nullable = type(None) in get_args(unwrapped(hint, keep_null=True)[0])
    if nullable:
        return {}
    if bare in _SCALARS:
        return {"type": _SCALARS[bare]}
    origin = get_origin(bare)
    if origin is Literal:
        return {"type": "string"} if all(isinstance(value, str) for value in get_args(bare)) else {}
    if origin in (list, tuple, set, frozenset):
        return {"type": "array"}
    if origin is dict:
        return {"type": "object"}
    if isinstance(bare, type) and issubclass(bare, BaseModel):
        return {"type": "object"}
    if isinstance(bare, type) and issubclass(bare, Enum) and issubclass(bare, str):
        return {"type": "string"}
    return {}
