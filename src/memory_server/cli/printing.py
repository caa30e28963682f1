"""Prints for whoever reads: tables for people at a terminal, plain lines for pipes, JSON for programs."""

from __future__ import annotations

import json
import sys
import unicodedata
from collections.abc import Sequence
from typing import Any


def for_people() -> bool:
    """Whether stdout is a terminal."""
    return sys.stdout.isatty()


def print_json(value: Any) -> None:
    """One JSON document, indented, characters as they are."""
    print(json.dumps(value, ensure_ascii=False, indent=2, default=str))


def print_table(columns: Sequence[str], rows: Sequence[Sequence[Any]], *, title: str = "") -> None:
    """A table with borders at a terminal; piped, one line a row with tabs between."""
    texts = [[one_line(cell) for cell in row] for row in rows]
    if not for_people():
        for row in texts:
            print("\t".join(row))
        return
    from rich.table import Table
    from rich.text import Text

    table = Table(title=title, title_justify="left", title_style="bold", header_style="bold")
    for column in columns:
        table.add_column(column, overflow="fold")
    for row in texts:
        # as Text: square brackets in stored text are no markup
        table.add_row(*(Text(cell) for cell in row))
    _print_rich(table)


def print_pairs(title: str, pairs: Sequence[tuple[str, Any]]) -> None:
    """Names with their values, under a title."""
    if not for_people():
        for name, value in pairs:
            print(f"{title}.{name}\t{one_line(value)}")
        return
    from rich.table import Table
    from rich.text import Text

    table = Table(
        title=title, title_justify="left", title_style="bold", show_header=False, box=None, padding=(0, 2)
    )
    table.add_column()
    table.add_column(overflow="fold")
    for name, value in pairs:
        table.add_row(Text(name, style="dim"), Text(one_line(value)))
    _print_rich(table)


def print_panel(text: str, title: str) -> None:
    """A few lines in a frame at a terminal, the lines alone when piped."""
    if not for_people():
        print(f"{title}\n{text}")
        return
    from rich.panel import Panel
    from rich.text import Text

    _print_rich(Panel(Text(text), title=title, title_align="left", expand=False))


def one_line(value: Any) -> str:
    """A value as one line that no terminal takes for a command: control characters become spaces."""
    text = "" if value is None else str(value)
    safe = (" " if unicodedata.category(c) in ("Cc", "Cs", "Zl", "Zp") else c for c in text)
    return " ".join("".join(safe).split())


def file_size(count: int) -> str:
    """A number of bytes for people."""
    size = float(count)
    for unit in ("B", "kB", "MB"):
        if size < 1000:
            return f"{size:.0f} {unit}" if unit == "B" else f"{size:.1f} {unit}"
        size /= 1000
    return f"{size:.1f} GB"


def _print_rich(what: Any) -> None:
    from rich.console import Console

    Console().print(what)
