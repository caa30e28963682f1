"""The one history of the schema: up and down, on empty and on filled databases, from the command line."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from alembic.config import Config
from alembic.script import ScriptDirectory

from memory_server.app import open_app
from memory_server.services.remember import Statement, remember
from memory_server.settings import load_settings
from memory_server.storage.schema import HEAD, migrations_folder

ROOT = Path(__file__).parents[2]


def alembic(home: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "alembic", *arguments],
        cwd=ROOT,
        env={**os.environ, "MEMORY_SERVER_HOME": str(home)},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


def names(home: Path) -> set[str]:
    with closing(sqlite3.connect(home / "memory.db")) as connection:
        return {row[0] for row in connection.execute("SELECT name FROM sqlite_master")}


def test_head_is_the_newest_migration() -> None:
    config = Config()
    config.set_main_option("script_location", str(migrations_folder()))
    assert ScriptDirectory.from_config(config).get_heads() == [HEAD]


@pytest.mark.parametrize("filled", [False, True], ids=["empty", "filled"])
def test_upgrade_and_downgrade_from_the_command_line(tmp_path: Path, filled: bool) -> None:
    home = tmp_path / "data"
    up = alembic(home, "upgrade", "head")
    assert up.returncode == 0, up.stderr
    if filled:
        with open_app(load_settings(home=home, embedding="none"), worker=False) as app:
            for number in range(3):
                remember(app, Statement(f"Crate {number}", "stands_in", "the hall"))
    down = alembic(home, "downgrade", "-1")
    assert down.returncode == 0, down.stderr
    assert names(home) <= {"alembic_version", "sqlite_sequence", "sqlite_autoindex_alembic_version_1"}
    again = alembic(home, "upgrade", "head")
    assert again.returncode == 0, again.stderr
    with open_app(load_settings(home=home, embedding="none"), worker=False) as app:
        assert remember(app, Statement("Mill", "stands_by", "the river")).is_new


def test_the_same_schema_comes_of_the_command_line_and_of_the_server(
    tmp_path: Path, database_template: Path
) -> None:
    assert alembic(tmp_path / "data", "upgrade", "head").returncode == 0

    def statements(path: Path) -> set[str]:
        with closing(sqlite3.connect(path)) as connection:
            return {
                row[0] for row in connection.execute("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL")
            }

    assert statements(tmp_path / "data" / "memory.db") == statements(database_template)
