"""`memory-server migrate`: brings the database to the newest schema, as every start of the server does."""

from __future__ import annotations

from memory_server.cli.options import AsJson, Db, Home, settings_of
from memory_server.cli.printing import print_json


def migrate(home: Home = None, db: Db = None, as_json: AsJson = False) -> None:
    """Apply pending schema migrations.

    A backup is made first. The server does the same by itself at its start.
    """
    from memory_server.storage.schema import HEAD, prepare_database

    settings = settings_of(home, db)
    settings.prepare_home()
    done = prepare_database(settings.database_path)
    if as_json:
        print_json({"database": str(settings.database_path), "schema": HEAD, "done": done})
        return
    for line in done or ["nothing to do"]:
        print(line)
    print(f"{settings.database_path} has schema {HEAD}")
