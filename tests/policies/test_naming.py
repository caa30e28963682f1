"""Which names a text holds."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_server.policies.naming import named_in


@pytest.mark.parametrize(
    ("text", "names", "named"),
    [
        ("Who owns harbour-api?", ["harbour-api", "ferry-api"], {"harbour-api"}),
        ("who owns the Harbour API", ["harbour-api"], {"harbour-api"}),  # signs and case do not matter
        ("the harbour_api of Ines", ["harbour-api", "Ines", "Ines Roth"], {"harbour-api", "Ines"}),
        ("Who owns harbour-api-eu?", ["harbour-api", "harbour-api-eu"], {"harbour-api-eu"}),  # the longest
        (
            "harbour-api or harbour-api-eu?",
            ["harbour-api", "harbour-api-eu"],
            {"harbour-api", "harbour-api-eu"},
        ),
        ("the api of the harbour", ["harbour-api"], set()),  # not in this order
        ("harbours", ["harbour"], set()),  # whole words only
        ("what is it on?", ["it", "on"], set()),  # stop words name nothing
        ("東京の天気は？", ["東京", "大阪"], {"東京"}),
        ("anything", ["", " - "], set()),
        ("", ["harbour"], set()),
        ("port 8443", ["a text that is far longer than what was asked"], set()),
    ],
)
def test_names_are_found_in_texts(text: str, names: list[str], named: set[str]) -> None:
    assert named_in(text, names) == named


@given(st.text(max_size=60), st.lists(st.text(max_size=20), max_size=8))
def test_any_text_may_be_asked_and_only_given_names_come(text: str, names: list[str]) -> None:
    assert named_in(text, names) <= set(names)
