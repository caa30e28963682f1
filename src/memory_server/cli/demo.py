"""`memory-server demo`: a newcomer's proof, on a directory that is thrown away after."""

from __future__ import annotations

import asyncio
import sys
import tempfile
import time
from pathlib import Path
from typing import Annotated, Any

import typer

from memory_server.cli.demo_session import FACTS, Session, play
from memory_server.cli.options import AsJson
from memory_server.cli.printing import for_people, print_json, print_panel, print_table


def demo(
    as_json: AsJson = False,
    keep: Annotated[
        Path | None, typer.Option("--keep", help="Use this new directory, and leave it.", show_default=False)
    ] = None,
) -> None:
    """See it work, on a throw-away directory.

    A real MCP client starts the server, stores a dozen facts, finds them by keyword, by paraphrase, by graph path and
    by route, restarts the server and finds them again. Exit code 1 if anything was not found.
    """
    if keep is not None and keep.exists() and any(keep.iterdir()):
        raise typer.BadParameter(f"{keep} is not empty", param_hint="--keep")
    started = time.perf_counter()
    with (
        tempfile.TemporaryDirectory(prefix="memory-server-demo-") as place,
        tempfile.TemporaryFile("w+") as log,
    ):
        try:
            session = asyncio.run(play(keep or Path(place) / "memory", log))
        finally:
            log.seek(0)
            sys.stderr.write(log.read()[-2000:])
    session.seconds["all"] = time.perf_counter() - started
    if as_json:
        print_json(_as_json(session))
    else:
        show(session, keep)
    if session.missed():
        print(f"memory-server: {session.missed()} answers lacked what was expected", file=sys.stderr)
        raise typer.Exit(1)


def show(session: Session, kept: Path | None = None) -> None:
    """Prints what happened, for a person who sees this for the first time."""
    seconds, count = session.seconds, len(session.outcomes)
    examples = "\n".join(f"  {' '.join(fact).replace('_', ' ')}" for fact in FACTS[:5])
    print_panel(
        f"An MCP client started `memory-server serve` on an empty directory and was shown {session.tools} tools "
        f"after {seconds['start']:.1f} s.\n"
        f"It stored {len(FACTS)} facts in {seconds['store'] * 1000:.0f} ms, for example:\n{examples}",
        "1. Store",
    )
    _show_run("2. Find: each answer holds a word that the question lacks", session, "first")
    print_panel(
        f"The server was stopped, and a new one started on the same directory ({seconds['restart']:.1f} s).",
        "3. Restart",
    )
    _show_run("4. Find again, in the new server", session, "after restart")
    directory = f"The directory is {kept}." if kept else "The directory is gone again."
    print_panel(
        f"{count - session.missed()} of {count} answers held what was expected; it took {seconds['all']:.1f} s.\n"
        f"{directory} To use it for real, add `memory-server serve` to your MCP client: see README.md.",
        "Done",
    )


def _show_run(title: str, session: Session, run: str) -> None:
    rows = [
        (
            outcome.question.shows,
            outcome.question.tool,
            outcome.question.asked(),
            outcome.found or f"NOT FOUND: {outcome.question.expects}",
            f"{outcome.milliseconds:.0f}",
        )
        for outcome in session.outcomes
        if outcome.run == run
    ]
    if not for_people():
        print(title)
    print_table(("how", "tool", "question", "found", "ms"), rows, title=title)


def _as_json(session: Session) -> dict[str, Any]:
    return {
        "stored": len(FACTS),
        "tools": session.tools,
        "seconds": {name: round(value, 3) for name, value in session.seconds.items()},
        "answers": [
            {
                "run": outcome.run,
                "how": outcome.question.shows,
                "tool": outcome.question.tool,
                "arguments": outcome.question.arguments,
                "expected": outcome.question.expects,
                "found": outcome.found,
                "milliseconds": round(outcome.milliseconds, 1),
            }
            for outcome in session.outcomes
        ],
    }
