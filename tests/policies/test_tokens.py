"""What a text costs a model, counted rather too high than too low."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_server.policies.tokens import count_tokens


@pytest.mark.parametrize(
    ("text", "known"),
    # what a byte-pair encoding with 200,000 entries makes of them
    [
        ("", 0),
        ("Hello world, this is a test.", 8),
        ("日本語のテキスト", 6),
        ("The quince hedge was cut back in March, long before anything was in leaf.", 17),
        ('{"id":"7d9f6a4e-0d55-4a3b-9d5f-0a6c2b1e8f00","confidence":0.5}', 44),
    ],
)
def test_the_count_is_near_what_a_tokenizer_says(text: str, known: int) -> None:
    assert 0.9 * known <= count_tokens(text) <= 1.6 * known + 2


@given(st.text(), st.text())
def test_more_text_never_costs_less(text: str, more: str) -> None:
    assert count_tokens(f"{text} {more}") >= max(count_tokens(text), count_tokens(more))
