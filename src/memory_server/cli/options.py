"""The options that many commands share, and the app that they open."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from memory_server.app import MemoryApp
    from memory_server.settings import Settings

Home = Annotated[
    Path | None,
    typer.Option(
        "--home", help="Data directory (default: $MEMORY_SERVER_HOME, else the user's).", show_default=False
    ),
]
Db = Annotated[
    Path | None,
    typer.Option("--db", help="Database file, when it is not in the data directory.", show_default=False),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON, for programs.", show_default=False)]

Scope = Annotated[
    str | None,
    typer.Option("--scope", help="global, project:<name> or repo:<name>.", show_default=False),
]


def given_settings(home: Path | None, db: Path | None) -> dict[str, Any]:
    """The settings that a command line names, as `load_settings` takes them."""
    return {"home": home and str(home), "db_url": db and f"sqlite:///{db}"}


def settings_of(home: Path | None, db: Path | None) -> Settings:
    """The settings that hold for a command.

    Raises:
        SettingsError: one of them cannot be used.
    """
    from memory_server.settings import load_settings

    return load_settings(**given_settings(home, db))


@contextmanager
def opened(home: Path | None, db: Path | None) -> Iterator[MemoryApp]:
    """The app for one command, without a background worker; tells on stderr what opening it had to do.

    Raises:
        SettingsError: the data directory cannot be used.
        StorageUnavailable: the database cannot be used.
    """
    from memory_server.app import open_app

    with open_app(settings_of(home, db), worker=False) as app:
        yield app
        for note in app.notes:
            print(f"note: {note}", file=sys.stderr)
