"""A MEMORY.md goes through admission entry by entry, and the same file again adds nothing."""

from __future__ import annotations

from typing import Any

import pytest

from memory_server.app import MemoryApp
from memory_server.domain.errors import InvalidArgument
from memory_server.services.search import search
from memory_server.services.transfer_notes import ImportedNotes, Section, import_notes, sections
from memory_server.settings import load_settings
from memory_server.storage.fact_search import Filters

NOTES = """---
title: notes
---
# Memory
<!-- kept by hand -->

## Servers
- Skua runs on host alder.
- ok
- Petrel uses Redis,
  and nothing else.

For now the scratch bucket is open.

## How to restart Skua
1. Drain the queue.

2. Stop the process.
3. Start it again.

```sh
# not a heading
- not an entry
```
"""


def counts(app: MemoryApp) -> dict[str, int]:
    with app.database.read() as connection:
        return {
            table: connection.exec_driver_sql(f"SELECT count(*) FROM {table}").scalar_one()
            for table in ("facts", "skills", "episodes")
        }


def test_a_file_is_read_in_sections_of_entries() -> None:
    found = [section for section in sections(NOTES) if section.entries]
    assert [section.heading for section in found] == ["## Servers", "## How to restart Skua"]
    assert found[0].entries == (
        "- Skua runs on host alder.",
        "- ok",
        "- Petrel uses Redis,\n  and nothing else.",
        "For now the scratch bucket is open.",
    )
    (steps,) = found[1].entries
    assert steps.startswith("1. Drain the queue.\n2. Stop")
    assert "# not a heading" in steps


@pytest.mark.parametrize("text", ["", "\n\n", "# Title only", "<!-- nothing -->"])
def test_a_file_without_entries_is_refused(app: MemoryApp, text: str) -> None:
    assert all(section == Section(section.heading, ()) for section in sections(text))
    with pytest.raises(InvalidArgument, match="no entries"):
        import_notes(app, text)


def taken(app: MemoryApp, text: str = NOTES, **given: Any) -> ImportedNotes:
    return import_notes(app, text, **given)


def test_what_is_worth_keeping_is_learned_and_the_rest_is_named(app: MemoryApp) -> None:
    done = taken(app)
    assert [refused.text for refused in done.refused] == ["- ok", "For now the scratch bucket is open."]
    assert done.kept == 3
    assert counts(app)["skills"] == 1
    assert counts(app)["episodes"] == 2
    (fact,) = search(app, "Skua alder", Filters(source="import"), 5).results
    assert fact.object == "host alder"


def test_the_same_file_again_adds_nothing(app: MemoryApp) -> None:
    taken(app)
    before = counts(app)
    taken(app)
    assert counts(app) == before


def test_a_rehearsal_leaves_nothing(app: MemoryApp) -> None:
    assert taken(app, rehearse=True).kept == 3
    assert counts(app) == {"facts": 0, "skills": 0, "episodes": 0}


def test_force_takes_every_entry(app: MemoryApp) -> None:
    assert taken(app, forced=True).refused == []


def test_secrets_to_be_refused_stop_the_import_before_it_begins(app: MemoryApp) -> None:
    app.settings = load_settings(home=app.settings.home, secrets="refuse")
    secret = "ghp_" + "Q1w2E3r4T5y6U7i8O9p0A1s2D3f4G5h6J7k8"
    with pytest.raises(InvalidArgument, match="secrets"):
        taken(app, f"{NOTES}\n## Later\n- The token is {secret}.\n")
    assert counts(app)["episodes"] == 0


def test_progress_is_told(app: MemoryApp) -> None:
    told: list[tuple[int, int]] = []
    taken(app, progress=lambda done, of: told.append((done, of)))
    assert told == [(1, 2), (2, 2)]


@pytest.mark.parametrize("heading", ["Scratch", "Temporary notes", "TODAY", "wip:"])
def test_what_stands_under_a_passing_heading_is_not_kept(app: MemoryApp, heading: str) -> None:
    done = import_notes(app, f"## {heading}\n- the kiln is on\n- never open the kiln\n")
    assert [entry.text for entry in done.refused] == ["- the kiln is on"]
    assert done.kept == 1


def test_today_i_learned_is_no_passing_heading(app: MemoryApp) -> None:
    assert import_notes(app, "## Today I learned\n- the kiln takes 40 bricks\n").kept == 1


def test_bullets_of_one_list_stay_one_list(app: MemoryApp) -> None:
    (learned,) = import_notes(app, "## Kiln\n- Fuel: beech\n- Bricks: 40\n").learned
    assert learned.episode is not None
    assert learned.episode.memory.text.endswith("- Fuel: beech\n- Bricks: 40")
