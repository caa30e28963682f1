"""`memory-server learn`: knowledge out of files and pipes, or a look at what would be taken."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from memory_server.cli.options import AsJson, Db, Home, Scope, opened
from memory_server.cli.printing import one_line, print_json, print_table
from memory_server.cli.progress import progress_bars

if TYPE_CHECKING:
    from memory_server.app import MemoryApp
    from memory_server.services.lesson import Lesson

STDIN = Path("-")

DryRun = Annotated[bool, typer.Option("--dry-run", help="Store nothing; show what would be stored and why.")]
Source = Annotated[str, typer.Option("--source", help="Who or what says so.")]
Beliefs = Annotated[bool, typer.Option("--extract-beliefs", help="Take opinions, preferences and rules too.")]
Force = Annotated[bool, typer.Option("--force", help="Store even what admission finds not worth keeping.")]


def learn(
    files: Annotated[
        list[Path] | None,
        typer.Argument(help="Text or markdown files; - or none is stdin.", show_default=False),
    ] = None,
    source: Source = "user",
    extract_beliefs: Beliefs = False,
    min_belief_confidence: Annotated[
        float, typer.Option("--min-belief-confidence", min=0, max=1, help="Beliefs less sure are left out.")
    ] = 0.6,
    session: Annotated[
        str | None, typer.Option("--session", help="The conversation it belongs to.", show_default=False)
    ] = None,
    speaker: Annotated[
        str | None, typer.Option("--speaker", help='Who says it, whom "I" means.', show_default=False)
    ] = None,
    occurred_at: Annotated[
        str | None, typer.Option("--occurred-at", help="When it was said, RFC 3339.", show_default=False)
    ] = None,
    scope: Scope = None,
    force: Force = False,
    dry_run: DryRun = False,
    home: Home = None,
    db: Db = None,
    as_json: AsJson = False,
) -> None:
    """Take knowledge out of text, and keep the text.

    Facts, decisions and skills are taken; beliefs too when asked for.

    A long file is learned in parts. Exit code 1 where a file cannot be read; the others are learned all the same.
    """
    from memory_server.services.lesson import Lesson
    from memory_server.tools.scoping import write_scope

    def lesson(text: str) -> Lesson:
        return Lesson(
            text=text,
            source=source,
            extract_beliefs=extract_beliefs,
            min_belief_confidence=min_belief_confidence,
            session=session,
            speaker=speaker,
            occurred_at=occurred_at,
            scope=write_scope(app.settings, scope),
            forced=force,
        )

    failed = False
    answers: list[dict[str, Any]] = []
    with opened(home, db) as app, progress_bars() as tell:
        paths = files or [STDIN]
        for number, path in enumerate(paths, 1):
            try:
                answers += _learned(app, path, lesson, dry_run)
            except OSError as error:
                print(f"memory-server: {path}: {error.strerror or error}", file=sys.stderr)
                failed = True
            if len(paths) > 1:
                tell("files", number, len(paths))
    if as_json:
        print_json(answers[0] if len(answers) == 1 else answers)
    else:
        for answer in answers:
            show(answer, dry_run)
    if failed:
        raise typer.Exit(1)


def _learned(
    app: MemoryApp, path: Path, lesson: Callable[[str], Lesson], dry_run: bool
) -> list[dict[str, Any]]:
    from datetime import UTC, datetime

    from memory_server.policies.pieces import pieces
    from memory_server.policies.text import is_blank
    from memory_server.services.learn import learn as store
    from memory_server.services.learned_views import answer_of
    from memory_server.services.lesson import MOST_CHARACTERS

    answers = []
    text = read_text(path)
    for _, part in [(0, text)] if is_blank(text) else pieces(text, MOST_CHARACTERS):
        learned = store(app, lesson(part), rehearse=dry_run)
        with app.database.read() as connection:
            answer = answer_of(connection, app.settings, learned, datetime.now(UTC))
        plain = {name: as_plain(value) for name, value in answer.items()}
        answers.append({"file": None if path == STDIN else str(path), "dry_run": dry_run, **plain})
    return answers


def as_plain(value: Any) -> Any:
    """Values as JSON takes them: models become objects."""
    if hasattr(value, "model_dump"):
        return value.model_dump(mode="json")
    if isinstance(value, dict):
        return {name: as_plain(entry) for name, entry in value.items()}
    if isinstance(value, list | tuple):
        return [as_plain(entry) for entry in value]
    return value


def read_text(path: Path) -> str:
    """A file's or stdin's text.

    Raises:
        OSError: it cannot be read, or is no text.
    """
    if path == STDIN:
        if sys.stdin.isatty():
            print("reading from the terminal; end with Ctrl-D", file=sys.stderr)
        data = sys.stdin.buffer.read()
    else:
        data = path.read_bytes()
    if b"\0" in data[:8192]:
        raise OSError(None, "this is no text", str(path))
    return data.decode("utf-8-sig", "replace").replace("\r\n", "\n").replace("\0", " ")


def show(answer: dict[str, Any], dry_run: bool) -> None:
    """Prints what became of one text, for people."""
    name = answer["file"] or "text"
    for warning in answer["warnings"]:
        print(f"note: {name}: {warning}", file=sys.stderr)
    if answer["degraded"]:
        print(f"note: {name}: {answer['degraded']}", file=sys.stderr)
    verdict = answer["admission"]
    reasons = ", ".join(verdict["reason_codes"])
    if answer["episode"] is None:
        print(f"{name}: not kept: {reasons}; --force stores it all the same", file=sys.stderr)
        return
    rows = [*rows_of(answer)]
    would = "would be stored" if dry_run else "known already" if answer["episode"]["known"] else "stored"
    print(
        f"{name}: {would} as {verdict['tag']} ({reasons}; score {verdict['score']}), items: {len(rows)}",
        file=sys.stderr,
    )
    if rows:
        print_table(("kind", "what it says", "claim", "receipt", "place"), rows)


def rows_of(answer: dict[str, Any]) -> list[list[Any]]:
    """Kind, words, claim, proof and place of each item of an answer that `as_plain` has made plain."""
    rows = []
    for kind in ("facts", "decisions", "skills"):
        for entry in answer[kind]:
            item = entry["item"]
            rows.append([kind[:-1], _words(kind, item), item["confidence"], *_proof(entry["receipt"], item)])
    for entry in answer["beliefs"]:
        belief = entry["belief"]
        claim = entry["extracted"]["confidence"]
        rows.append(["belief", belief["proposition"], claim, *_proof(entry["receipt"], entry["extracted"])])
    return rows


def _words(kind: str, item: dict[str, Any]) -> str:
    if kind == "facts":
        return f"{item['subject']} {item['predicate']} {item['object']}"
    if kind == "skills":
        return f"{item['name']} (version {item['version']}): {'; '.join(item['steps'])}"
    because = f" because {item['reason']}" if item["reason"] else ""
    instead = (
        f" instead of {', '.join(item['rejected_alternatives'])}" if item["rejected_alternatives"] else ""
    )
    return f"{item['choice']}{because}{instead}"


def _proof(receipt: dict[str, Any], item: dict[str, Any]) -> tuple[str, str]:
    return one_line(receipt["history"][0]), f"{item['span_start']}-{item['span_end']}"
