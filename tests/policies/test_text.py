"""Words as the full-text index holds them, and as people write them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_server.policies.text import as_written, index_words


@pytest.mark.parametrize(
    ("word", "written"),
    [
        ("ferry", "ferry"),
        ("渡船", "渡船"),
        ("港口 口起 起重 重机", "港口起重机"),
        ("cxplusplus", "c++"),
        ("cxsharp", "c#"),
        ("xdotnet", ".net"),
        ("u26f4", "⛴"),
        ("u1f6a2", "🚢"),
        ("u41", "u41"),
        ("uffffff", "uffffff"),
    ],
)
def test_a_word_of_the_index_is_shown_as_it_is_written(word: str, written: str) -> None:
    assert as_written(word) == written


@given(st.text())
def test_any_text_has_words_and_any_word_is_shown(text: str) -> None:
    for word in (text, *index_words(text)):
        assert isinstance(as_written(word), str)
