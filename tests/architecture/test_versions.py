"""One version of the program, one newest schema, wherever they are said."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

import pytest

from memory_server import __version__
from memory_server.storage.schema import HEAD, migrations_folder

ROOT = Path(__file__).parents[2]
DECLARED = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]


def test_the_package_has_the_declared_version() -> None:
    assert __version__ == DECLARED


def test_the_registry_is_told_the_declared_version() -> None:
    server = json.loads((ROOT / "server.json").read_text(encoding="utf-8"))
    assert {server["version"], *(package["version"] for package in server["packages"])} == {DECLARED}


def test_the_registry_finds_its_name_in_the_readme() -> None:
    server = json.loads((ROOT / "server.json").read_text(encoding="utf-8"))
    assert f"mcp-name: {server['name']}" in (ROOT / "README.md").read_text(encoding="utf-8")
    assert len(server["description"]) <= 100


def test_the_changelog_begins_with_the_declared_version() -> None:
    headings = re.findall(
        r"^## (\S+?),? ", (ROOT / "docs/changelog.md").read_text(encoding="utf-8"), re.MULTILINE
    )
    assert headings[0] == DECLARED


def test_the_newest_schema_is_the_head_of_the_migrations() -> None:
    alembic_script = pytest.importorskip("alembic.script")
    assert alembic_script.ScriptDirectory(str(migrations_folder())).get_heads() == [HEAD]
