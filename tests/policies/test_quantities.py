from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_server.policies.quantities import overlap, parse_quantity, read_number, read_quantity


@pytest.mark.parametrize(
    ("word", "value"),
    [
        ("16", 16),
        ("1,024", 1024),
        ("3.5", 3.5),
        ("-4", -4),
        ("ten", 10),
        ("twenty-one", 21),
        ("ninety", 90),
        ("million", 1e6),
    ],
)
def test_numbers_are_read_in_figures_and_words(word: str, value: float) -> None:
    assert read_number(word) == value


@pytest.mark.parametrize(
    "word", ["", "x", "1.2.3", "v2", "ten-four", "twenty-twenty", "1,02", "٣x", "10.0.0.1"]
)
def test_what_is_no_number_is_none(word: str) -> None:
    assert read_number(word) is None


@pytest.mark.parametrize(
    ("a", "b", "way"),
    [
        ("16 gb", "16gb", "equal"),
        ("1024 mb", "1 gb", "equal"),
        ("1000 mb", "1 gb", "equal"),
        ("16 gb", "32 gb", "disjoint"),
        ("2 thousand", "2000", "equal"),
        ("2k", "2000", "equal"),
        ("90 min", "1.5 hours", "equal"),
        ("two weeks", "14 days", "equal"),
        ("500 ms", "0.5 s", "equal"),
        ("$5", "5 dollars", "equal"),
        ("5 euros", "5 dollars", "incomparable"),
        ("5 kg", "5", "incomparable"),
        ("6 pm", "18:00", "equal"),
        ("6pm", "6 am", "disjoint"),
        ("3", "at least 3", "inside"),
        ("at least 3", "2", "disjoint"),
        ("at least 3", "5", "around"),
        ("at least 3", "at least 5", "around"),
        ("at least 3", "at most 2", "disjoint"),
        ("at least 3", "at most 3", "partial"),
        ("more than 3", "3", "disjoint"),
        ("more than 3", "at least 3", "inside"),
        ("less than 3", "at least 3", "disjoint"),
        ("no more than 3", "3", "around"),
        ("up to 10 users", "3", None),
        ("about 100", "95", "around"),
        ("about 100", "150", "disjoint"),
        ("between 3 and 5 gb", "4 gb", "around"),
        ("between 3 and 5", "6", "disjoint"),
        ("exactly 3", "3", "equal"),
        ("20 degrees celsius", "20 °c", "equal"),
    ],
)
def test_intervals_are_compared(a: str, b: str, way: str | None) -> None:
    left, right = parse_quantity(a), parse_quantity(b)
    if way is None:
        assert left is None
        return
    assert left is not None
    assert right is not None
    assert overlap(left, right) == way
    mirrored = {"inside": "around", "around": "inside"}.get(way, way)
    assert overlap(right, left) == mirrored


def test_a_quantity_ends_where_its_unit_does() -> None:
    read = read_quantity(["has", "at", "least", "16", "gb", "of", "ram"], 1)
    assert read is not None
    assert read[1] == 5


@given(
    st.lists(
        st.sampled_from(
            [
                "at",
                "least",
                "between",
                "and",
                "3",
                "5",
                "gb",
                "10:70",
                "99:99",
                "am",
                "$",
                "%",
                "ten",
                "k",
                "5x",
                "7pm",
                "degrees",
                "c",
            ]
        ),
        min_size=1,
    )
)
def test_any_words_can_be_read(words: list[str]) -> None:
    for start in range(len(words)):
        read = read_quantity(words, start)
        assert read is None or start < read[1] <= len(words)


@given(st.text())
def test_any_text_can_be_read(text: str) -> None:
    parse_quantity(text.casefold())
