"""`memory-server import`: what other tools have written down."""

from __future__ import annotations

import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from memory_server.cli.learn import Beliefs, DryRun, Force, Source, as_plain, read_text, rows_of
from memory_server.cli.options import AsJson, Db, Home, Scope, opened
from memory_server.cli.printing import one_line, print_json, print_table
from memory_server.cli.progress import progress_bars

if TYPE_CHECKING:
    from memory_server.app import MemoryApp
    from memory_server.services.transfer_notes import ImportedNotes


class Format(StrEnum):
    """What can be imported."""

    MEMORY_MD = "memory-md"
    TRANSCRIPT = "transcript"
    AI_DEVKIT = "ai-devkit"


def import_(
    format: Annotated[
        Format,
        typer.Argument(
            help="memory-md: a MEMORY.md, through admission. transcript: JSON Lines of id, text, session, speaker, "
            "ts. ai-devkit: the notes of that server, with ids and times."
        ),
    ],
    file: Annotated[
        Path | None,
        typer.Argument(
            help="The file to read; - is stdin. ai-devkit: its memory.db, where it is not in ~/.ai-devkit.",
            show_default=False,
        ),
    ] = None,
    source: Source = "import",
    extract_beliefs: Beliefs = False,
    scope: Scope = None,
    force: Force = False,
    dry_run: DryRun = False,
    home: Home = None,
    db: Db = None,
    as_json: AsJson = False,
) -> None:
    """Import what another tool has written down.

    The same file again adds nothing twice.
    """
    from memory_server.tools.scoping import write_scope

    if format is not Format.MEMORY_MD and (extract_beliefs or force or dry_run):
        raise typer.BadParameter("--extract-beliefs, --force and --dry-run are for memory-md")
    if format is Format.AI_DEVKIT:
        if scope is not None:
            raise typer.BadParameter("--scope is not for ai-devkit: its notes have scopes of their own")
        _import_ai_devkit(file, home, db, as_json)
        return
    if file is None:
        raise typer.BadParameter(f"import {format} needs a file")
    if format is Format.TRANSCRIPT:
        from memory_server.cli.transcript import import_transcript

        with opened(home, db) as app:
            import_transcript(app, file, source, write_scope(app.settings, scope), as_json)
        return
    from memory_server.services.transfer_notes import import_notes

    text = read_text(file)
    with opened(home, db) as app, progress_bars() as tell:
        done = import_notes(
            app,
            text,
            source=source,
            extract_beliefs=extract_beliefs,
            forced=force,
            scope=write_scope(app.settings, scope),
            rehearse=dry_run,
            progress=lambda number, of: tell("sections", number, of),
        )
        items = _items(app, done) if dry_run else []
    counts = _counts(done)
    if as_json:
        refused = [
            {"text": entry.text, "reason_codes": list(entry.admission.reason_codes)} for entry in done.refused
        ]
        shown = [dict(zip(("kind", "says", "claim"), row, strict=False)) for row in items]
        print_json(
            {"dry_run": dry_run, **counts, "refused": refused, **({"items": shown} if dry_run else {})}
        )
        return
    for entry in done.refused:
        print(
            f"not kept ({', '.join(entry.admission.reason_codes)}): {one_line(entry.text)}", file=sys.stderr
        )
    for note in counts.pop("warnings"):
        print(f"note: {note}", file=sys.stderr)
    print(
        ("would import " if dry_run else "imported ") + ", ".join(f"{n} {what}" for what, n in counts.items())
    )
    if items:
        print_table(("kind", "what it says", "claim"), [row[:3] for row in items])


def _import_ai_devkit(file: Path | None, home: Path | None, db: Path | None, as_json: bool) -> None:
    from dataclasses import asdict

    from memory_server.services.transfer_ai_devkit import import_ai_devkit
    from memory_server.settings import ai_devkit_memory

    path = file or ai_devkit_memory()
    if path is None:
        raise typer.BadParameter("no home directory is known for this user: name the file")
    with opened(home, db) as app, progress_bars() as tell:
        done = import_ai_devkit(app, path, progress=lambda number, of: tell("notes", number, of))
    if as_json:
        print_json({"file": str(path), **asdict(done)})
        return
    for note in done.refused:
        print(f"not taken over: {note.id} ({one_line(note.title)}): {note.reason}", file=sys.stderr)
    print(done.told(path))


def _items(app: MemoryApp, done: ImportedNotes) -> list[list[Any]]:
    """What would be stored, a row for each item."""
    from datetime import UTC, datetime

    from memory_server.services.learned_views import answer_of

    now = datetime.now(UTC)
    with app.database.read() as connection:
        return [
            row
            for learned in done.learned
            for row in rows_of(as_plain(answer_of(connection, app.settings, learned, now)))
        ]


def _counts(done: Any) -> dict[str, Any]:
    from memory_server.services.learned_views import warnings_of

    counts: dict[str, Any] = {"entries": done.kept}
    for kind in ("facts", "decisions", "skills", "beliefs"):
        counts[kind] = sum(len(getattr(learned, kind)) for learned in done.learned)
    counts["texts"] = sum(learned.episode is not None and learned.episode.is_new for learned in done.learned)
    notes = [
        note for learned in done.learned for note in (*warnings_of(learned.understood), *learned.degraded)
    ]
    counts["warnings"] = list(dict.fromkeys(notes))
    return counts
