"""The memory is looked after from the shell."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from typer.testing import Result

Command = Callable[..., Result]


@pytest.fixture(autouse=True)
def no_vectors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMORY_SERVER_EMBEDDING", "none")


def shown(result: Result, code: int = 0) -> Any:
    assert result.exit_code == code, result.output
    return json.loads(result.stdout)


def test_audit_shows_findings_with_what_mends_them(command: Command) -> None:
    command("remember", "kiln", "burns", "oak", "--confidence", "0.1")
    plain = command("audit")
    assert plain.exit_code == 0
    assert "facts that claim less than 0.3" in plain.stdout
    assert "the tool remember" in plain.stdout
    answer = shown(command("audit", "confidence", "--json"))
    assert [finding["code"] for finding in answer["warnings"]] == ["low_confidence"]
    assert answer["stats"]["confidence"]["total"] == 1


def test_audit_of_an_unknown_kind_is_wrong_usage(command: Command) -> None:
    assert command("audit", "everything").exit_code == 2


def test_audit_ends_with_one_where_the_store_breaks_a_rule(command: Command, home: Any) -> None:
    import sqlite3
    from contextlib import closing

    command("remember", "kiln", "burns", "oak")
    with closing(sqlite3.connect(home / "memory.db")) as connection, connection:
        connection.execute("UPDATE facts SET confidence = 7")
    assert command("audit").exit_code == 1


def test_decay_at_a_time_first_dry_then_for_real(command: Command) -> None:
    command("remember", "kiln", "burns", "oak")
    dry = shown(command("decay", "--at", "2100-01-01", "--dry-run", "--json"))
    assert (dry["moved"], dry["dry_run"], dry["at"]) == (1, True, "2100-01-01T00:00:00.000000Z")
    real = shown(command("decay", "--at", "2100-01-01", "--json"))
    assert real["moves"] == dry["moves"]
    assert real["steps"] == {"stale": 1, "archived": 1, "forgotten": 1}
    assert "moved 0 of 0" in command("decay", "--at", "2100-01-01").stdout
    assert "oak" not in command("search", "oak").stdout


def test_a_time_that_is_none_is_wrong_usage(command: Command) -> None:
    result = command("decay", "--at", "tomorrow")
    assert result.exit_code == 2
    assert "2026-12-31T12:00:00Z" in result.stderr


def test_prune_leaves_what_has_no_time_of_its_own(command: Command) -> None:
    command("remember", "kiln", "burns", "oak")
    assert shown(command("prune", "--at", "2100-01-01", "--json"))["moved"] == 0


def test_reindex_says_what_it_mended(command: Command, home: Any) -> None:
    import sqlite3
    from contextlib import closing

    command("remember", "kiln", "burns", "oak")
    with closing(sqlite3.connect(home / "memory.db")) as connection, connection:
        # a word that the index knows and the row has not: counts agree, so that opening does not see it
        connection.execute("DROP TRIGGER facts_fts_update")
        connection.execute("UPDATE facts SET object = 'beech'")
    answer = shown(command("reindex", "--json"))
    assert answer["fulltext"] == {"fact": -1}
    assert (answer["repairs"], answer["pending"]) == (1, 0)
    assert "beech" in command("search", "beech").stdout
