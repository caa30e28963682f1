"""Which part of speech each word of a sentence is taken for."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_server.policies.extraction.tagging import tag
from memory_server.policies.extraction.tokens import tokenize
from memory_server.policies.extraction.verbs import lemma


def tagged(text: str) -> str:
    tokens = tokenize(text)
    return " ".join(f"{token.text}/{mark}" for token, mark in zip(tokens, tag(tokens), strict=True))


@pytest.mark.parametrize(
    ("text", "word", "mark"),
    [
        # verbs that are nouns too
        ("The report arrived.", "report", "NN"),
        ("They report every fault.", "report", "VB"),
        ("Ida plans the route.", "plans", "VZ"),
        ("The plans are ready.", "plans", "NN"),
        ("This releases the lock.", "releases", "VZ"),
        ("The manual says little.", "says", "VZ"),
        ("Backups run daily at 3 am.", "run", "VB"),
        ("Ida drinks coffee.", "drinks", "VZ"),
        # past or participle
        ("The dog chased the cat.", "chased", "VD"),
        ("The cat was chased.", "chased", "VN"),
        ("The cat chased by the dog hid.", "chased", "VN"),
        ("The painted door is red.", "painted", "JJ"),
        ("The man who built it sold houses.", "sold", "VD"),
        # infinitives
        ("They want to move.", "move", "VB"),
        ("She helps me find it.", "find", "VI"),
        # words of two classes
        ("I know that it works.", "that", "TH"),
        ("That works.", "That", "DT"),
        ("I like tea.", "like", "VB"),
        ("It looks like tea.", "like", "IN"),
        ("Ida's boat is red.", "'s", "PO"),
        ("She's in the boat.", "'s", "AX"),
        ("After lunch we left.", "After", "IN"),
        ("After we ate we left.", "After", "SU"),
        ("It opens in May 2031.", "May", "NP"),
        ("It may open.", "may", "MD"),
        ("At 3 am it rang.", "am", "NN"),
        ("Wow, it works.", "Wow", "RB"),
    ],
)
def test_a_word_is_judged_by_its_neighbours(text: str, word: str, mark: str) -> None:
    assert f"{word}/{mark}" in tagged(text).split()


@pytest.mark.parametrize(
    ("form", "base"),
    [
        ("went", "go"),
        ("running", "run"),
        ("carries", "carry"),
        ("carried", "carry"),
        ("stopped", "stop"),
        ("using", "use"),
        ("was", "be"),
        ("juggling", "juggle"),
        ("containerized", "containerize"),
        ("born", "bear"),
    ],
)
def test_a_verb_form_has_its_base(form: str, base: str) -> None:
    assert lemma(form) == base


@given(st.text(max_size=200))
def test_every_token_has_one_tag_and_none_stays_open(text: str) -> None:
    tokens = tokenize(text)
    tags = tag(tokens)
    assert len(tags) == len(tokens)
    assert "V?" not in tags
