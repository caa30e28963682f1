"""Long texts are cut where a reader would pause, and nothing is lost."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from memory_server.policies.pieces import pieces


@given(st.text(alphabet="ab .\n", max_size=300), st.integers(min_value=2, max_value=60))
def test_the_parts_are_the_text_and_none_is_too_long(text: str, length: int) -> None:
    found = list(pieces(text, length))
    assert "".join(part for _, part in found) == text
    assert all(0 < len(part) <= length for _, part in found)
    assert all(text.startswith(part, start) for start, part in found)


def test_a_part_ends_at_a_paragraph_where_there_is_one() -> None:
    text = "First paragraph. It goes on.\n\nSecond paragraph, which is longer than the rest."
    assert next(part for _, part in pieces(text, 50)) == "First paragraph. It goes on.\n\n"


def test_a_text_without_a_pause_is_cut_at_the_length() -> None:
    assert [part for _, part in pieces("x" * 25, 10)] == ["x" * 10, "x" * 10, "x" * 5]
