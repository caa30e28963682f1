"""`memory-server import`: what other tools have written down."""

from __future__ import annotations

import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from memory_server.cli.learn import Beliefs, DryRun, Force, Source, as_plain, read_text, rows_of
from memory_server.cli.options import AsJson, Db, Home, opened
from memory_server.cli.printing import one_line, print_json, print_table
from memory_server.cli.progress import progress_bars

if TYPE_CHECKING:
    from memory_server.app import MemoryApp
    from memory_server.services.transfer_notes import ImportedNotes


class Format(StrEnum):
    """What can be imported."""

    MEMORY_MD = "memory-md"
    TRANSCRIPT = "transcript"


def import_(
    format: Annotated[
        Format,
        typer.Argument(
            help="memory-md: a MEMORY.md, through admission. transcript: JSON Lines of id, text, session, speaker, ts."
        ),
    ],
    file: Annotated[Path, typer.Argument(help="The file to read; - is stdin.", show_default=False)],
    source: Source = "import",
    extract_beliefs: Beliefs = False,
    force: Force = False,
    dry_run: DryRun = False,
    home: Home = None,
    db: Db = None,
    as_json: AsJson = False,
) -> None:
    """Import what another tool has written down.

    The same file again adds nothing twice.
    """
    if format is Format.TRANSCRIPT:
        if extract_beliefs or force or dry_run:
            raise typer.BadParameter("--extract-beliefs, --force and --dry-run are for memory-md")
        from memory_server.cli.transcript import import_transcript

        with opened(home, db) as app:
            import_transcript(app, file, source, as_json)
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
