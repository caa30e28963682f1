"""`memory-server audit`, `decay`, `prune` and `reindex`: the memory is looked after."""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, Any

import typer

from memory_server.cli.options import AsJson, Db, Home, given_settings, opened
from memory_server.cli.printing import print_json, print_pairs, print_table
from memory_server.cli.progress import progress_bars

if TYPE_CHECKING:
    from memory_server.app import MemoryApp
    from memory_server.services.reindex import Repairs
    from memory_server.services.upkeep import Upkeep

At = Annotated[
    str | None,
    typer.Option(
        "--at", help="Take this for the present time, e.g. 2026-12-31T12:00:00Z.", show_default=False
    ),
]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Change nothing; say what would be changed.")]


def audit(
    audit_type: Annotated[str, typer.Argument(help="full, consistency, orphans or confidence.")] = "full",
    home: Home = None,
    db: Db = None,
    as_json: AsJson = False,
) -> None:
    """Examine the store; exit code 1 where an error is found.

    Rows, receipts, lifecycles and indexes are looked at. The full audit also makes the moves that are due.
    """
    from memory_server.services.audit import audit as examine

    with opened(home, db) as app:
        seen = examine(app, audit_type, datetime.now(UTC))
    if as_json:
        levels = {f"{level}s": seen.at(level) for level in ("warning", "error")}
        print_json({"audit_type": seen.audit_type, **levels, "info": seen.at("info"), "stats": seen.stats})
    else:
        print_table(
            ("level", "finding", "mended by"),
            [(finding.level, finding.message, finding.command) for finding in seen.found],
        )
        print_pairs(
            "audit", [(name, _short(value)) for name, value in seen.stats.items() if value is not None]
        )
    if seen.at("error"):
        raise typer.Exit(1)


def decay(
    at: At = None, dry_run: DryRun = False, home: Home = None, db: Db = None, as_json: AsJson = False
) -> None:
    """Age what is due, and promote what has earned it.

    What is due becomes stale, archived, or forgotten, the content of which is overwritten.
    """
    from memory_server.services.upkeep import decay as age

    now = _moment(at)
    with opened(home, db) as app:
        with progress_bars() as tell:
            done = age(app, now, dry_run=dry_run, progress=lambda what, count: tell(f"{what}s", count, None))
        _settle(app, done, dry_run)
    _show_moves(done, now, dry_run, as_json)


def prune(
    at: At = None, dry_run: DryRun = False, home: Home = None, db: Db = None, as_json: AsJson = False
) -> None:
    """Archive what has outlived the time that admission gave it."""
    from memory_server.services.upkeep import prune as expire

    now = _moment(at)
    with opened(home, db) as app:
        done = expire(app, now, dry_run=dry_run)
        _settle(app, done, dry_run)
    _show_moves(done, now, dry_run, as_json)


def reindex(
    everything: Annotated[
        bool, typer.Option("--all", help="Make every entry anew, not only what is wrong.")
    ] = False,
    embedding: Annotated[
        str | None,
        typer.Option(
            "--embedding", help="Make vectors with another model, beside the old ones.", show_default=False
        ),
    ] = None,
    home: Home = None,
    db: Db = None,
    as_json: AsJson = False,
) -> None:
    """Mend what the indexes lack or have too much of.

    The indexes are full text, topics of beliefs, vectors and graph.

    With --embedding the vectors of the new model are kept in a table of their own, and become the ones in use; the
    old ones stay on disk. Stop the servers first, and set MEMORY_SERVER_EMBEDDING for them before they start again.
    """
    from memory_server.app import open_app
    from memory_server.services.reindex import reindex as mend
    from memory_server.settings import load_settings

    settings = load_settings(**given_settings(home, db), embedding=embedding)
    with open_app(settings, worker=False) as app:
        if embedding is not None:
            _refuse_beside_servers(app)
        with progress_bars() as tell:
            done = mend(app, app.worker.drain, datetime.now(UTC), everything=everything, progress=tell)
    if as_json:
        print_json(_repairs(done))
    else:
        print_pairs("mended", list(_repairs(done).items()))
    if done.vectors_unavailable is not None or not done.settled:
        problem = (
            done.vectors_unavailable or f"{done.pending} changes still wait ({'; '.join(done.errors[:1])})"
        )
        print(f"memory-server: not all could be mended: {problem}", file=sys.stderr)
        raise typer.Exit(1)


def _refuse_beside_servers(app: MemoryApp) -> None:
    import time

    from memory_server.domain.errors import Conflict
    from memory_server.storage import leases

    with app.database.read() as connection:
        feeding = leases.held(connection, time.time())
    if feeding:
        raise Conflict(
            f"a server ({feeding[0]['owner']}) is feeding the vectors of the present model: stop it first"
        )


def _settle(app: MemoryApp, done: Upkeep, dry_run: bool) -> None:
    """What has left search leaves the vectors at once, unless a server does that."""
    if not dry_run and (done.steps["archived"] or done.steps["forgotten"]):
        app.worker.finish()


def _moment(text: str | None) -> datetime:
    from memory_server.domain.errors import InvalidArgument
    from memory_server.domain.memory import parse_time

    try:
        return datetime.now(UTC) if text is None else parse_time(text)
    except ValueError:
        raise InvalidArgument(f"--at must be a time like 2026-12-31T12:00:00Z, not {text!r}") from None


def _show_moves(done: Upkeep, now: datetime, dry_run: bool, as_json: bool) -> None:
    from memory_server.domain.memory import rfc3339

    if as_json:
        print_json(
            {
                "at": rfc3339(now),
                "dry_run": dry_run,
                "looked_at": done.looked_at,
                "moved": done.moved,
                "steps": dict(done.steps),
                "moves": done.listed(),
            }
        )
        return
    print_table(
        ("memory", "id", "from", "to", "because"),
        [tuple(move.values()) for move in done.listed()],
    )
    steps = ", ".join(f"{count} {state}" for state, count in done.steps.items())
    more = f" ({done.moved - len(done.moves)} not listed)" if done.moved > len(done.moves) else ""
    print(
        f"{'would move' if dry_run else 'moved'} {done.moved} of {done.looked_at}{steps and ': '}{steps}{more}"
    )


def _repairs(done: Repairs) -> dict[str, Any]:
    return {
        "parked": done.parked,
        "topics": done.topics,
        "fulltext": done.fulltext,
        "vectors": done.vectors,
        "graph": done.graph,
        "skill_files": done.skill_files or "in step",
        "enqueued": done.enqueued,
        "repairs": done.total,
        "pending": done.pending,
    }


def _short(value: Any) -> Any:
    if isinstance(value, dict):
        shown = {name: entry for name, entry in value.items() if not isinstance(entry, list)}
        return ", ".join(f"{name} {entry}" for name, entry in shown.items()) or "-"
    return value
