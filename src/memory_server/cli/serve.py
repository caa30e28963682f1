"""`memory-server serve`: hands its arguments to the server's own light command line."""

from __future__ import annotations

import typer

from memory_server.serving import serve_command


def serve(context: typer.Context) -> None:
    """Serve the memory over MCP, by stdio or HTTP.

    Its options are shown by serve --help.
    """
    raise typer.Exit(serve_command(context.args))
