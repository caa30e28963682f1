"""Makes a command out of a tool that destroys: it shows what would happen, asks, and does just that."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable
from contextlib import redirect_stdout
from typing import Annotated, Any

import typer

from memory_server.cli.calls import answer_of, parameter_of
from memory_server.cli.options import AsJson, Db, Home, opened
from memory_server.cli.printing import print_json
from memory_server.domain.errors import InvalidArgument
from memory_server.tools.answers import Answer
from memory_server.tools.arguments import arguments_of
from memory_server.tools.checking import check_arguments
from memory_server.tools.tool import Tool

DryRun = Annotated[bool, typer.Option("--dry-run", help="Change nothing; show what would happen.")]
Yes = Annotated[bool, typer.Option("--yes", help="Do not ask.")]
Preview = Callable[..., Answer]
Show = Callable[[dict[str, Any]], None]
Verdict = Callable[[dict[str, Any]], bool]


def confirmed_command(
    tool: Tool,
    preview: Preview,
    show: Show,
    question: str,
    help: str,
    failed: Verdict = lambda _answer: False,
) -> Callable[..., None]:
    """The tool as a command: its `id` by position, the others as options, with --dry-run and --yes.

    Args:
        preview: `(app, arguments of the tool) -> answer`, the dry run whatever was asked for.
        show: prints a dry run or what was done, for people.
        question: asked on a terminal before anything is changed; `{total}` is how many are meant.
        help: what the command's help says.
        failed: whether an answer is one that ends the command with exit code 1.
    """
    arguments = arguments_of(tool.run)

    def command(
        home: Home = None,
        db: Db = None,
        as_json: AsJson = False,
        dry_run: DryRun = False,
        yes: Yes = False,
        **given: Any,
    ) -> None:
        asked = {name: value for name, value in given.items() if value not in (None, [])}
        with opened(home, db) as app:
            seen = preview(app, **check_arguments(tool.name, arguments, asked)).model_dump(mode="json")
            answer = seen
            if seen["total"] and not dry_run:
                if not (yes or "confirm" in asked):
                    _ask(seen, show, question.format(total=seen["total"]))
                answer = answer_of(app, tool, {"confirm": seen["confirm"], **asked})
        if as_json:
            print_json(answer)
        else:
            show(answer)
        if failed(answer):
            raise typer.Exit(1)

    own = inspect.signature(command, eval_str=True).parameters
    shared = [
        parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY)
        for name, parameter in own.items()
        if name != "given"
    ]
    command.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
        [*(_by_position(parameter_of(argument)) for argument in arguments), *shared]
    )
    command.__doc__ = help
    return command


def _by_position(parameter: inspect.Parameter) -> inspect.Parameter:
    """What names one thing needs no option."""
    if parameter.name != "id":
        return parameter
    about = parameter.annotation.__metadata__[0].help
    hint = Annotated[str | None, typer.Argument(help=about, show_default=False)]
    return parameter.replace(annotation=hint)


def _ask(seen: dict[str, Any], show: Show, question: str) -> None:
    if not _is_terminal():
        raise InvalidArgument("nothing was changed: look with --dry-run, then give --yes or --confirm")
    # stdout may be a file that is to hold the answer alone
    with redirect_stdout(sys.stderr):
        show(seen)
        typer.confirm(question, abort=True, err=True)


def _is_terminal() -> bool:
    return sys.stdin.isatty()
