"""Where the data may be: in a folder of any name that the system allows."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from memory_server.app import open_app
from memory_server.indexes.memory import HashEmbedder
from memory_server.services.remember import Statement, remember
from memory_server.services.semantic_search import nearest
from memory_server.settings import load_settings

NAMES = [
    "two  words",
    "what?",
    "what?mode=ro",
    "100%20 sure",
    "50%",
    "#1",
    "a&b=c;d",
    'it\'s "q"',
    "ünï 東京",
    "[x]{y}*",
    "-dash",
    "c:d@e",
    "back\\slash",
    "$HOME",
    "emoji 👩\u200d🚀",
    "wide\u3000space",
]


@pytest.mark.skipif(sys.platform == "win32", reason="fewer names are allowed there")
@pytest.mark.parametrize("name", NAMES)
def test_facts_are_kept_and_found_whatever_the_folder_is_called(name: str, tmp_path: Path) -> None:
    settings = load_settings(home=tmp_path / name / "memory")
    for is_first in (True, False):
        with open_app(settings, worker=False, make_embedder=lambda: HashEmbedder(dimension=32)) as app:
            if is_first:
                remember(app, Statement("Mill", "stands_by", "the river"))
                app.worker.drain()
            (hit,) = nearest(app, "Mill stands by the river", 3, 0.5)[0]
            assert hit["payload"]["object"] == "the river"
    assert {path.name for path in tmp_path.iterdir()} == {name}
    assert (settings.home / "memory.db").stat().st_size > 0
    assert (settings.home / "vectors").is_dir()


@pytest.mark.parametrize("name", ["what?mode=ro", "100%20 sure"])
def test_migrations_by_hand_reach_the_same_file(name: str, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "alembic", "upgrade", "head"],
        cwd=Path(__file__).parents[2],
        env={"MEMORY_SERVER_HOME": str(tmp_path / name), "PATH": ""},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    assert (tmp_path / name / "memory.db").stat().st_size > 0
    assert [path.name for path in tmp_path.iterdir()] == [name]
