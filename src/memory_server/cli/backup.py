"""`memory-server backup` and `restore`: a consistent copy of a live store, and the way back."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from memory_server.cli.options import AsJson, Db, Home, opened
from memory_server.cli.printing import print_json


def backup(
    file: Annotated[
        Path | None, typer.Argument(help="The file to write (default: in backups/).", show_default=False)
    ] = None,
    home: Home = None,
    db: Db = None,
    as_json: AsJson = False,
) -> None:
    """Copy the database while it is in use, and verify it.

    Vectors, graph and skill files are made from the database, so they need no copy.
    """
    from memory_server.services.backup import back_up

    with opened(home, db) as app:
        made = back_up(app, file and file.expanduser().absolute())
    if as_json:
        print_json({"file": str(made.path), "bytes": made.size, "memories": made.memories})
    else:
        print(f"{sum(made.memories.values())} memories in {made.path} ({made.size / 1e6:.1f} MB)")


def restore(
    file: Annotated[Path, typer.Argument(help="A file that backup wrote.")],
    home: Home = None,
    db: Db = None,
    as_json: AsJson = False,
) -> None:
    """Put a backup in place of what is stored now.

    What was stored is kept as another backup. Running servers see the restored memories; vectors are made anew by them,
    or by `memory-server reindex`.
    """
    from memory_server.services.backup import restore as put_back

    with opened(home, db) as app:
        restored, before = put_back(app, file.expanduser().absolute())
    if as_json:
        print_json(
            {"file": str(restored.path), "memories": restored.memories, "stored before": str(before.path)}
        )
    else:
        print(f"restored {sum(restored.memories.values())} memories from {restored.path}")
        print(f"what was stored before is in {before.path}")
