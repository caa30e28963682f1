"""Status, configuration, migration: what a person looks at when something is odd."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest

from memory_server.app import MemoryApp
from memory_server.storage import leases, outbox
from memory_server.storage.schema import HEAD


def test_status_creates_nothing_where_nothing_is(command: Any, tmp_path: Path) -> None:
    absent = tmp_path / "absent"
    assert "nothing is stored yet" in command("status", "--home", str(absent)).stdout
    assert json.loads(command("status", "--home", str(absent), "--json").stdout)["schema_version"] is None
    assert not absent.exists()


def test_status_tells_sizes_lag_model_schema_and_leases(command: Any, home: Path, app: MemoryApp) -> None:
    command("remember", "a", "is", "b")
    with app.database.write(quiet=True) as connection:
        leases.acquire(connection, "vector-index", "another process", time.time(), 15.0)
    status = json.loads(command("status", "--json").stdout)
    assert status["home"] == str(home)
    assert status["memories"]["fact"] == {"candidate": 1}
    assert status["outbox"] == {"pending": 1, "failed": 0}
    assert status["vectors"]["behind"] == 1
    assert status["graph"] == {"facts": 1, "behind": 0}
    assert status["model"]["available"] is True
    assert status["model"]["loaded"] is False
    assert status["schema_version"] == status["newest_schema"] == HEAD
    assert status["leases"][0]["owner"] == "another process"
    assert status["sizes"]["database"] > 0
    assert status["last_errors"] == []


def test_status_shows_what_was_given_up_and_why(command: Any, app: MemoryApp) -> None:
    command("remember", "a", "is", "b")
    with app.database.write(quiet=True) as connection:
        (change,) = outbox.due(connection, time.time(), 10)
        outbox.park(connection, change.seq, "the model has left")
    status = json.loads(command("status", "--json").stdout)
    assert status["outbox"] == {"pending": 0, "failed": 1}
    assert status["last_errors"] == ["the model has left"]
    assert "health.error\tthe model has left" in command("status").stdout


def test_looking_changes_nothing(command: Any, app: MemoryApp) -> None:
    command("remember", "a", "is", "b")
    first = json.loads(command("status", "--json").stdout)
    assert json.loads(command("status", "--json").stdout)["memories"] == first["memories"]
    assert json.loads(command("status", "--json").stdout)["outbox"] == first["outbox"]


def test_a_database_elsewhere_is_looked_at(command: Any, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere.db"
    command("remember", "a", "is", "b", "--db", str(elsewhere))
    assert json.loads(command("status", "--json", "--db", str(elsewhere)).stdout)["database"] == str(
        elsewhere
    )
    assert command("search", "a").stdout == ""


def test_config_says_where_each_setting_comes_from(
    command: Any, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (home / "config.toml").write_text('synchronous = "NORMAL"\n')
    monkeypatch.setenv("MEMORY_SERVER_LOG_LEVEL", "info")
    answer = json.loads(command("config", "--json").stdout)
    found = {one["name"]: one for one in answer["settings"]}
    assert found["synchronous"]["origin"] == "config.toml"
    assert (found["log_level"]["value"], found["log_level"]["origin"]) == ("INFO", "MEMORY_SERVER_LOG_LEVEL")
    assert found["vector_backend"]["origin"] == "default"
    assert found["home"]["origin"] == "MEMORY_SERVER_HOME"
    assert answer["file"] == str(home / "config.toml")


def test_config_shows_no_secret(command: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMORY_SERVER_HTTP_TOKEN", "hush-hush")
    for words in (["config"], ["config", "--json"]):
        shown = command(*words).stdout
        assert "hush-hush" not in shown
        assert "(set)" in shown


def test_a_wrong_setting_is_told_with_its_origin(command: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMORY_SERVER_SYNCHRONOUS", "SOMETIMES")
    result = command("status")
    assert result.exit_code == 1
    assert "MEMORY_SERVER_SYNCHRONOUS" in result.stderr


def test_migrate_makes_a_database_and_then_has_nothing_to_do(command: Any, tmp_path: Path) -> None:
    fresh = str(tmp_path / "fresh")
    first = json.loads(command("migrate", "--home", fresh, "--json").stdout)
    assert (first["schema"], first["done"]) == (HEAD, ["created the database"])
    assert json.loads(command("migrate", "--home", fresh, "--json").stdout)["done"] == []
    assert "nothing to do" in command("migrate", "--home", fresh).stdout
