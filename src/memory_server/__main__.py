"""The command `memory-server`; `serve` starts without loading the command line of people."""

from __future__ import annotations

import sys


def main() -> int:
    """Runs the command line; returns the exit code."""
    arguments = sys.argv[1:]
    if arguments[:1] == ["serve"]:
        from memory_server.serving import serve_command

        return serve_command(arguments[1:])
    from memory_server.cli import app

    app()
    return 0


if __name__ == "__main__":
    sys.exit(main())
