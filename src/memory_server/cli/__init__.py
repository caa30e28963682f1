"""The command line for people and scripts: parse, open the app, call what MCP calls, print."""

from __future__ import annotations

from typing import Annotated

import typer

from memory_server.cli.commands import Commands

app = typer.Typer(
    name="memory-server",
    cls=Commands,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


def _print_version(asked: bool) -> None:
    if asked:
        from memory_server import __version__

        typer.echo(f"memory-server {__version__}")
        raise typer.Exit


@app.callback(epilog="Exit codes: 0 good, 1 failed, 2 wrong usage.")
def memory_server(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version.", callback=_print_version, is_eager=True)
    ] = False,
    verbose: Annotated[
        bool, typer.Option("--verbose", help="With any command: log lines, and where an error came from.")
    ] = False,
) -> None:
    """A local-first memory for AI agents, over MCP and from the shell."""
