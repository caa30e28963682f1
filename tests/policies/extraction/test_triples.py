"""The open layer: who does what to whom, in the words of the sentence."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_server.policies.extraction.evaluation import triples


def surface(text: str) -> list[tuple[str, str, str]]:
    return [triple[:3] for triple in triples(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The gardener planted roses.", [("The gardener", "planted", "roses")]),
        ("Ida lives in Porto.", [("Ida", "lives in", "Porto")]),
        ("The bridge was built by monks in 1320.", [("The bridge", "was built by", "monks in 1320")]),
        ("Ida carves and sells boats.", [("Ida", "carves", ""), ("Ida", "sells", "boats")]),
        ("In 1999, the firm moved to Riga.", [("the firm", "moved to", "Riga In 1999")]),
        (
            "The man who painted the barn sold his house.",
            [("The man", "painted", "the barn"), ("The man", "sold", "his house")],
        ),
        (
            "The survey shows that bees prefer clover.",
            [("The survey", "shows", "that bees prefer clover"), ("bees", "prefer", "clover")],
        ),
        (
            "Ida Berg, a sculptor, opened a school.",
            [
                ("Ida Berg", "opened", "a school"),
                ("Ida Berg", "is", "a sculptor"),
            ],
        ),
        ("The band began to tour Europe.", [("The band", "began to tour", "Europe")]),
        (
            "The rain stopped, leaving deep puddles.",
            [("The rain", "stopped", ""), ("The rain", "leaving", "deep puddles")],
        ),
    ],
)
def test_each_predication_becomes_a_triple(text: str, expected: list[tuple[str, str, str]]) -> None:
    found = surface(text)
    for triple in expected:
        assert triple in found


def test_a_plain_clause_is_trusted_more_than_one_with_an_odd_subject() -> None:
    plain = triples("The council sold the old mill in March.")[0]
    odd = triples("Near the river, the mill, the barn and the very old stone house of the miller stood")[0]
    assert plain[3] > odd[3]


@given(st.text(max_size=300))
def test_triples_lie_in_the_text_and_confidences_between_nought_and_one(text: str) -> None:
    for subject, _, _, confidence in triples(text):
        assert subject in text
        assert 0.0 < confidence < 1.0


SENTENCE = st.lists(
    st.sampled_from(
        "the a Ida Heron it they who which that and or but , ; : . ( ) is was has not never uses runs said to of in by "
        "painted painting quickly because if 8080 's n't will must '' \" - who where what".split()
    ),
    max_size=40,
).map(" ".join)


@given(SENTENCE)
def test_no_order_of_words_breaks_the_reader(text: str) -> None:
    triples(text)
