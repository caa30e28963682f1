"""The table of commands, each loaded when it is asked for, and the one place where their errors are shown."""

from __future__ import annotations

import importlib
import logging
import sys
import traceback
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import typer
from typer.core import TyperGroup

from memory_server.domain.errors import InvalidArgument, MemoryServerError, PayloadTooLarge
from memory_server.settings import SettingsError

FAILED, WRONG_USAGE, INTERRUPTED = 1, 2, 130
VERBOSE = "--verbose"


@dataclass(frozen=True, slots=True)
class Entry:
    """A command: its name and the function behind it, as `module:function` in this package.

    Args:
        passes_through: the function reads its arguments itself, from `context.args`.
    """

    name: str
    function: str
    passes_through: bool = False


COMMANDS: tuple[Entry, ...] = (
    Entry("serve", "serve:serve", passes_through=True),
    Entry("demo", "demo:demo"),
    Entry("remember", "remember:remember"),
    Entry("search", "recall:search"),
    Entry("context", "recall:context"),
    Entry("learn", "learn:learn"),
    Entry("skills", "skills:skills"),
    Entry("knowledge", "knowledge:knowledge", passes_through=True),
    Entry("import", "import_:import_"),
    Entry("list", "owner:list_"),
    Entry("history", "owner:history"),
    Entry("undo", "owner:undo"),
    Entry("forget", "owner:forget"),
    Entry("status", "status:status"),
    Entry("audit", "upkeep:audit"),
    Entry("reflect", "reflect:reflect"),
    Entry("decay", "upkeep:decay"),
    Entry("prune", "upkeep:prune"),
    Entry("reindex", "upkeep:reindex"),
    Entry("backup", "backup:backup"),
    Entry("restore", "backup:restore"),
    Entry("config", "config:config"),
    Entry("migrate", "migrate:migrate"),
    Entry("benchmark", "benchmark:benchmark"),
    Entry("benchmark-longmemeval", "benchmark:benchmark_longmemeval"),
)
"""Every command, in the order in which they are listed. A new one is a line here."""


class Commands(TyperGroup):
    """The group of all commands; imports only the one that is asked for."""

    def list_commands(self, ctx: Any) -> list[str]:
        return [entry.name for entry in COMMANDS]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        entry = next((entry for entry in COMMANDS if entry.name == cmd_name), None)
        return None if entry is None else loaded(entry)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        known = self.list_commands(ctx)
        if args[0] not in known:
            from memory_server.tools.checking import nearest

            guess = nearest(args[0], known)
            hint = f"did you mean {guess}?" if guess else f"there are {', '.join(known)}"
            ctx.fail(f"unknown command {args[0]!r}: {hint}")
        return super().resolve_command(ctx, args)

    def main(self, args: Sequence[str] | None = None, *_: Any, **more: Any) -> Any:
        """Runs the command line; ends the process with 0, 1 or 2, and at most one line on stderr."""
        words = list(sys.argv[1:] if args is None else args)
        given = words[: words.index("--")] if "--" in words else words
        verbose = VERBOSE in given
        words = [word for word in given if word != VERBOSE] + words[len(given) :]
        if words[:1] and words[0].startswith("-") and "--help" in words and not _commands_in(words):
            # options in front of no command, but help is asked for: that is what shows where they belong
            words = ["--help"]
        _set_up_logging(verbose)
        # help and usage name the command as people type it, however it was started
        more |= {"prog_name": "memory-server", "standalone_mode": False}
        try:
            code = super().main(words or ["--help"], **more)
        except KeyboardInterrupt:
            sys.exit(INTERRUPTED)
        except Exception as error:  # noqa: BLE001 - the border of the process
            sys.exit(shown(error, verbose))
        sys.exit(code if isinstance(code, int) else 0)


def _commands_in(words: Sequence[str]) -> set[str]:
    return {entry.name for entry in COMMANDS}.intersection(words)


def loaded(entry: Entry) -> Any:
    """The command behind an entry, as the command-line library takes it."""
    module, _, function = entry.function.partition(":")
    settings = {"ignore_unknown_options": True, "allow_extra_args": True, "help_option_names": []}
    single = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)
    single.command(name=entry.name, context_settings=settings if entry.passes_through else None)(
        getattr(importlib.import_module(f"memory_server.cli.{module}"), function)
    )
    command: Any = typer.main.get_command(single)
    command.name = entry.name
    return command


def shown(error: Exception, verbose: bool) -> int:
    """Tells of an error in one line on stderr, with the traceback when verbose; gives the exit code."""
    if verbose and not isinstance(error, typer.TyperException):
        traceback.print_exception(error, file=sys.stderr)
    while isinstance(error, ExceptionGroup) and len(error.exceptions) == 1:
        error = error.exceptions[0]
    match error:
        case typer.TyperException():
            message, code = _usage(error), error.exit_code
        case InvalidArgument() | PayloadTooLarge():
            message, code = error.message, WRONG_USAGE
        case MemoryServerError():
            message, code = error.message, FAILED
        case SettingsError() | typer.Abort():
            message, code = str(error) or "given up", FAILED
        case OSError():
            message, code = f"{error.filename or ''}: {error.strerror or error}".lstrip(": "), FAILED
        case _:
            message = f"internal error: {type(error).__name__}: {error} ({VERBOSE} says where)"
            code = FAILED
    print(f"memory-server: {' '.join(message.split())}", file=sys.stderr)
    return code


def _usage(error: typer.TyperException) -> str:
    message = error.format_message()
    context = getattr(error, "ctx", None)
    if context is None:
        return message
    return f"{message.rstrip('.')} (see {context.command_path} --help)"


def _set_up_logging(verbose: bool) -> None:
    # what a person has to know is in the answer or in the error; the rest is for those who ask for it
    level = logging.DEBUG if verbose else logging.CRITICAL
    logging.basicConfig(level=level, format="%(asctime)s %(levelname)s %(name)s: %(message)s", force=True)
