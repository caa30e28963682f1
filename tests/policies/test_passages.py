"""Which part of a long text is shown."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from memory_server.policies.passages import passage

FILLER = "Rain fell on the harbour all day. " * 12


def test_a_short_text_is_shown_whole() -> None:
    assert passage("The ferry leaves at nine.", ["ferry"], str, 300) == "The ferry leaves at nine."


def test_the_sentences_that_hold_the_words_are_shown_with_their_surroundings() -> None:
    text = f"{FILLER}The ferry leaves pier nine at dawn. {FILLER}"
    shown = passage(text, ["ferry", "pier"], str.casefold, 120)
    assert "The ferry leaves pier nine at dawn." in shown
    assert shown.startswith("…")
    assert shown.endswith("…")


def test_without_any_of_the_words_the_beginning_is_shown() -> None:
    shown = passage(FILLER, ["glacier"], str, 100)
    assert shown.startswith("Rain fell")
    assert shown.endswith("…")


@given(st.text(max_size=400), st.lists(st.text(min_size=1, max_size=5)), st.integers(10, 200))
def test_it_is_never_longer_than_allowed_and_never_invented(text: str, words: list[str], length: int) -> None:
    shown = passage(text, words, str, length)
    assert len(shown) <= length
    assert shown.strip("…") in text
