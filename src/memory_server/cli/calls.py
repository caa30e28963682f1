"""Makes a command out of a tool, so that its arguments, limits and defaults are written once, in the tool."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable
from typing import Annotated, Any

import typer

from memory_server.cli.options import AsJson, Db, Home, opened
from memory_server.cli.printing import print_json
from memory_server.domain import errors
from memory_server.tools.arguments import Argument, Empty, arguments_of
from memory_server.tools.calls import call_tool
from memory_server.tools.tool import Tool

_TYPES: dict[str, Any] = {"string": str, "integer": int, "number": float, "boolean": bool, "array": list[str]}
_ERRORS = {
    kind.code: kind
    for kind in vars(errors).values()
    if isinstance(kind, type) and issubclass(kind, errors.MemoryServerError)
}


def command_of(tool: Tool, show: Callable[[dict[str, Any]], None], help: str) -> Callable[..., None]:
    """The tool as a command: required arguments by position, the others as options.

    Args:
        show: prints an answer for people.
        help: what the command's help says.
    """
    arguments = arguments_of(tool.run)

    def command(
        home: Home = None,
        db: Db = None,
        as_json: AsJson = False,
        **given: Any,
    ) -> None:
        asked = {name: value for name, value in given.items() if value not in (None, [])}
        with opened(home, db) as app:
            answer = answer_of(app, tool, asked)
        if as_json:
            print_json(answer)
        else:
            show(answer)

    own = inspect.signature(command, eval_str=True).parameters
    shared = [own[name].replace(kind=inspect.Parameter.KEYWORD_ONLY) for name in ("home", "db", "as_json")]
    command.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
        [*map(parameter_of, arguments), *shared]
    )
    command.__doc__ = help
    return command


def answer_of(app: Any, tool: Tool, given: dict[str, Any]) -> dict[str, Any]:
    """What the tool answers to these arguments, as a caller over MCP sees it.

    Raises:
        MemoryServerError: of the kind that the tool's error envelope names.
    """
    reply = call_tool(app, tool, given)
    if reply.is_error:
        error = json.loads(reply.text)["error"]
        raise _ERRORS[error["code"]](error["message"], **error["details"])
    return reply.structured or {"text": reply.text}


def parameter_of(argument: Argument) -> inspect.Parameter:
    """An argument of a tool as the command-line library takes it."""
    kind = _TYPES[argument.kind]
    help = str(argument.schema().get("description", ""))
    by_position = argument.required
    if by_position:
        default = "" if argument.empty is Empty.COUNTS else inspect.Parameter.empty
        hint: Any = Annotated[kind, typer.Argument(help=help, show_default=False)]
    else:
        default = None
        hint = Annotated[kind | None, typer.Option(*_flags(argument), help=help, show_default=False)]
    return inspect.Parameter(argument.name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=hint)


def _flags(argument: Argument) -> list[str]:
    flag = "--" + argument.name.replace("_", "-")
    if argument.kind == "array":
        # given once for each item
        return [flag.removesuffix("s"), flag]
    return [flag]
