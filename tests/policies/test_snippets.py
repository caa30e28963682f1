"""Snippets: where the words that were looked for stand, and what is around them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_server.policies.snippets import LENGTH, MARK, snippets_for


def stem(word: str) -> str:
    """A stand-in for the index's tokenizer: folds case, drops accents of e and the ending s."""
    return word.casefold().replace("é", "e").removesuffix("s")


@pytest.mark.parametrize(
    ("words", "text", "shown"),
    [
        pytest.param(("kettle",), "a copper kettle", "a copper **kettle**", id="a word"),
        pytest.param(
            ("KETTLES",), "Kettle and kettles", "**Kettle** and **kettles**", id="case and inflection"
        ),
        pytest.param(("port",), "report on port 80", "report on **port** 80", id="whole words only"),
        pytest.param(("api",), "billing-api-eu", "billing-**api**-eu", id="a part of an identifier"),
        pytest.param(("api",), "billing_api_eu", "billing_**api**_eu", id="underscores are borders"),
        pytest.param(("cafe",), "the Café", "the **Café**", id="accents"),
        pytest.param(("备份",), "每周备份存储", "每周**备份**存储", id="inside a run without blanks"),
        pytest.param(("a", "b"), "b a", "**b** **a**", id="in the order of the text"),
        pytest.param(
            ("none",), "a copper kettle", "a copper kettle", id="nothing marked where nothing is found"
        ),
    ],
)
def test_hits_are_marked(words: tuple[str, ...], text: str, shown: str) -> None:
    assert snippets_for(words, stem)(text) == shown


def test_the_last_word_may_be_the_beginning_of_a_longer_one() -> None:
    assert snippets_for(("thermo",), stem, open_end="thermo")("a thermostat") == "a **thermostat**"
    assert snippets_for(("thermo",), stem)("a thermostat") == "a thermostat"


def test_a_long_text_is_cut_around_its_first_hit() -> None:
    text = "filling " * 100 + "kettle " + "filling " * 100
    shown = snippets_for(("kettle",), stem)(text)
    assert shown.startswith("…")
    assert shown.endswith("…")
    assert f"{MARK}kettle{MARK}" in shown
    assert len(shown) <= LENGTH + 10


@given(st.text(max_size=300), st.lists(st.text(min_size=1, max_size=8), max_size=4))
def test_nothing_but_marks_is_added(text: str, words: list[str]) -> None:
    shown = snippets_for(words, stem)(text)
    assert shown.replace(MARK, "").strip("…") in text.replace(MARK, "") or shown.endswith("…")
