"""A backup and the way back, and reflection, from the shell."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

Command = Callable[..., Result]


@pytest.fixture(autouse=True)
def no_vectors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMORY_SERVER_EMBEDDING", "none")


def test_a_store_is_backed_up_and_restored(command: Command, tmp_path: Path) -> None:
    command("remember", "kiln", "burns", "oak")
    target = tmp_path / "copy.db"
    made = json.loads(command("backup", str(target), "--json").stdout)
    assert made["memories"]["fact"] == 1
    command("remember", "kiln", "burns", "beech")
    restored = command("restore", str(target))
    assert restored.exit_code == 0, restored.output
    assert "restored 1 memories" in restored.stdout
    assert "beech" not in command("search", "kiln").stdout
    assert "oak" in command("search", "kiln").stdout


def test_a_backup_that_is_not_there_is_one_line(command: Command, tmp_path: Path) -> None:
    result = command("restore", str(tmp_path / "nowhere.db"))
    assert result.exit_code == 1
    assert "there is no file" in result.stderr


def test_reflect_shows_figures_and_lists(command: Command) -> None:
    assert "total_beliefs" in command("reflect").stdout
    answer = json.loads(command("reflect", "--mode", "contradictions", "--json").stdout)
    assert answer["total"] == 0
    assert command("reflect", "--mode", "nonsense").exit_code == 2
