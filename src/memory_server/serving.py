"""`memory-server serve`: from the command line to a served app, and from any failure to one clear line."""

from __future__ import annotations

import argparse
import gc
import sys
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from memory_server.departure import Departure
from memory_server.domain.errors import InvalidArgument, MemoryServerError
from memory_server.stdio import CallsInFlight, divert_stdout, filter_stdin, restore_stdout

if TYPE_CHECKING:
    from memory_server.app import MemoryApp
    from memory_server.server import MemoryServer
    from memory_server.settings import Settings

FAILED, WRONG_USAGE = 1, 2
WARM_UP_SECONDS = 1.5  # after the start; a client has its list of tools by then


def serve_command(arguments: Sequence[str]) -> int:
    """Serves until the client goes or a signal comes; the process then ends in here.

    Returns:
        An exit code, only where serving could not begin.
    """
    options = serve_options().parse_args(arguments)
    stdout = divert_stdout()
    departure = Departure()
    departure.install()
    # collecting while modules are made finds nothing and costs a tenth of the start
    gc.disable()
    # a call waits no longer than that for the interpreter while the worker is busy
    sys.setswitchinterval(0.0005)
    try:
        return _serve(options, stdout, departure)
    except _start_errors() as error:
        print(f"memory-server: {error}", file=sys.stderr)  # noqa: T201 - logging may not have begun
        return WRONG_USAGE if isinstance(error, InvalidArgument) else FAILED


def serve_options() -> argparse.ArgumentParser:
    """The options of `serve`."""
    parser = argparse.ArgumentParser(
        prog="memory-server serve",
        description="Serves the memory over MCP: to one client over stdio, or to several over HTTP.",
    )
    parser.add_argument(
        "--toolsets", default="core", help="comma-separated: core, knowledge, curate (default: core)"
    )
    parser.add_argument("--home", help="data directory (default: $MEMORY_SERVER_HOME, else the user's)")
    parser.add_argument("--db", help="database file, when it is not in the data directory")
    parser.add_argument(
        "--scope",
        help="global, project:<name> or repo:<name>: where writes go and reads look where a call names none",
    )
    parser.add_argument("--transport", choices=("stdio", "streamable-http"), default="stdio")
    parser.add_argument("--host", default="127.0.0.1", help="HTTP: address to bind (default: loopback)")
    parser.add_argument("--port", type=int, default=8765, help="HTTP: port (default: 8765)")
    parser.add_argument(
        "--allow-host",
        action="append",
        default=[],
        metavar="NAME",
        help="HTTP: a further name under which clients reach this server; may be repeated",
    )
    return parser


def _serve(options: argparse.Namespace, stdout: int, departure: Departure) -> int:
    from memory_server.app import open_app
    from memory_server.logs import start_logging
    from memory_server.server import server_of
    from memory_server.tools.table import tools_of

    tools = tools_of([name.strip() for name in options.toolsets.split(",") if name.strip()])
    settings = _settings(options)
    settings.prepare_home()
    start_logging(settings.log_level, settings.logs_path)
    with open_app(settings) as app:
        departure.close = app.close
        calls = CallsInFlight()
        server = server_of(app, tools, calls.answered)
        gc.freeze()
        gc.enable()
        app.warm_up(after_seconds=WARM_UP_SECONDS)
        if any(tool.toolset == "knowledge" for tool in tools):
            _move_in(app)
        if options.transport == "stdio":
            serve_stdio(server, calls, stdout, departure)
        else:
            from memory_server.streamable import serve_http
            from memory_server.tools.table import exposition

            metrics = partial(exposition, app)
            serve_http(server, metrics, options.host, options.port, options.allow_host, settings.http_token)
        departure.served()
    return 0


def serve_stdio(server: MemoryServer, calls: CallsInFlight, stdout: int, departure: Departure) -> None:
    """Serves one client over stdin and stdout until it goes.

    Args:
        calls: is told of each call when it comes, and by the server when it has its answer.
        stdout: the real stdout, as `divert_stdout` gave it.
        departure: is told of the end of input.
    """
    from memory_server.tools.checking import OVERSIZED

    filter_stdin(departure.input_ended, calls, stdout, OVERSIZED)
    restore_stdout(stdout)
    try:
        server.run("stdio")
    except* (BrokenPipeError, ConnectionResetError):
        # the client went without closing our stdin first
        pass


def _move_in(app: MemoryApp) -> None:
    """Has the notes of another knowledge server taken over: soon, or with the first call of a knowledge tool."""
    import threading

    from memory_server.settings import ai_devkit_memory_there

    path = ai_devkit_memory_there()
    if path is None:
        return
    from memory_server.services.transfer_ai_devkit import move_in_once

    app.move_in = move_in_once(app, path)
    timer = threading.Timer(WARM_UP_SECONDS, app.move_in)
    timer.daemon = True
    timer.start()


def _settings(options: argparse.Namespace) -> Settings:
    from memory_server.settings import load_settings

    db_url = f"sqlite:///{options.db}" if options.db else None
    return load_settings(home=options.home, db_url=db_url, scope=options.scope)


def _start_errors() -> tuple[type[Exception], ...]:
    from memory_server.settings import SettingsError

    return MemoryServerError, SettingsError
