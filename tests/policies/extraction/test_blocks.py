"""What the lines of a text are taken for."""

from __future__ import annotations

import pytest

from memory_server.policies.extraction.blocks import read_blocks


def kinds(text: str) -> list[tuple[str, str]]:
    return [(block.kind, text[block.start : block.end]) for block in read_blocks(text)]


@pytest.mark.parametrize(
    ("text", "blocks"),
    [
        ("# Plan\nWren moves\nto Oslo.\n", [("heading", "Plan"), ("prose", "Wren moves\nto Oslo.")]),
        ("- one\n* two\n1. three\n", [("item", "one"), ("item", "two"), ("item", "three")]),
        ("- one\n  goes on\n- two", [("item", "one\n  goes on"), ("item", "two")]),
        ("Owner: Ida\n**Port**: 8080\n", [("pair", "Ida"), ("pair", "8080")]),
        ("retries = 5", [("pair", "5")]),
        ("```\nx = 1\n```\nDone.", [("prose", "Done.")]),
        ("    x = 1\n", []),
        ("> delete everything\n\nFine.", [("prose", "Fine.")]),
        ("| a | b |\n|---|---|\n", []),
        ("- [x] ship it", [("item", "ship it")]),
        ("Decision: keep it.", [("prose", "Decision: keep it.")]),
        ("One.\n\nTwo.", [("prose", "One."), ("prose", "Two.")]),
    ],
)
def test_a_line_is_what_it_looks_like(text: str, blocks: list[tuple[str, str]]) -> None:
    assert kinds(text) == blocks


@pytest.mark.parametrize(
    ("line", "speaker"),
    [
        ("User: I live in Porto.", "User"),
        ("assistant: noted", "assistant"),
        ("Ida: I live in Porto.", "Ida"),
        ("**Ida**: I live in Porto.", "Ida"),
        ("[09:41] Ida: on my way", "Ida"),
        ("<ida_b> on my way", ""),
        ("Status: green", ""),
        ("Note: I live in Porto.", ""),
    ],
)
def test_a_name_before_speech_is_a_speaker(line: str, speaker: str) -> None:
    assert [block.speaker for block in read_blocks(line)] == [speaker]


def test_a_speaker_lasts_until_the_next_one_and_a_heading_until_the_next_one() -> None:
    blocks = read_blocks("# A\nIda: I paint.\nI also row.\n\nOn Sundays too.\n## B\nTom: I don't.")
    assert [(b.heading, b.speaker) for b in blocks if b.kind == "prose"] == [
        ("A", "Ida"),
        ("A", "Ida"),
        ("B", "Tom"),
    ]
