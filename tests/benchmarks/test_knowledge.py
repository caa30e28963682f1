"""The benchmark of the knowledge tools runs, on few notes."""

from __future__ import annotations

import json
from itertools import islice
from pathlib import Path

import pytest

from memory_server.benchmarks.knowledge import measure, notes
from memory_server.policies.knowledge import check_note


def test_made_up_notes_are_notes_and_differ() -> None:
    made = [check_note(note) for note in islice(notes(seed=1), 300)]
    assert len({note.title for note in made}) == len({note.content for note in made}) == 300


def test_both_tools_are_measured(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("MEMORY_SERVER_EMBEDDING", "none")
    monkeypatch.setenv("HOME", str(tmp_path))
    figures = measure(samples=5, count=40)
    assert [figure.unit for figure in figures] == ["×"] * len(figures)
    assert figures[0].name.endswith("storeKnowledge")
    assert "searchKnowledge" in json.dumps([figure.name for figure in figures[1:]])
