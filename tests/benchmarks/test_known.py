"""Facts that a team might know: the same each time, different from one another, asked for in fair words."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from memory_server.benchmarks import fact_quality
from memory_server.benchmarks.fact_quality import measure
from memory_server.benchmarks.known import known
from memory_server.policies.stopwords import STOP_WORDS
from memory_server.storage.fulltext import Tokenizer


@pytest.fixture(scope="module")
def stemmer() -> Iterator[Tokenizer]:
    made = Tokenizer("porter unicode61")
    yield made
    made.close()


def content(text: str, stemmer: Tokenizer) -> set[str]:
    words = re.findall(r"[^\W_]+", text.casefold())
    return {stemmer.stem(word) for word in words if word not in STOP_WORDS}


def test_the_same_seed_tells_the_same() -> None:
    assert known(3, 300) == known(3, 300)
    assert known(3, 300) != known(4, 300)


def test_no_two_facts_say_the_same_of_the_same() -> None:
    told = known(1, 2_000)
    assert len({(entry.fact.subject, entry.fact.predicate) for entry in told}) == 2_000


def test_there_are_near_misses_everywhere() -> None:
    told = known(1, 2_000)
    subjects = [entry.fact.subject for entry in told]
    assert 4 <= len(subjects) / len(set(subjects)) <= 10  # several facts about each
    assert len({entry.fact.object for entry in told}) < 1_200  # and values that many share


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_paraphrase_shares_no_content_word_with_what_is_said_of_the_subject(
    seed: int, stemmer: Tokenizer
) -> None:
    for entry in known(seed, 2_000):
        said = content(f"{entry.fact.predicate} {entry.fact.object}", stemmer)
        asked = content(entry.paraphrase, stemmer) - content(entry.fact.subject, stemmer)
        assert not asked & said, entry


def test_asking_for_more_than_there_are_words_for_is_refused() -> None:
    with pytest.raises(ValueError, match="there are words for"):
        known(1, 100_000)


def test_figures_are_told_beside_what_is_promised() -> None:
    told: list[str] = []
    found = measure(60, 1, lambda what, _done, _of: told.append(what))
    assert {(row["search"], row["asked"], row["promised"]) for row in found["figures"]} == {
        ("search", "question", 0.98),
        ("semantic_search", "question", 0.98),
        ("semantic_search", "paraphrase", 0.95),
        ("search", "paraphrase", None),
    }
    assert all(0 <= row["hit@1"] <= row["hit@5"] <= 1 for row in found["figures"])
    assert found["met"] is all(
        row["promised"] is None or row["hit@5"] >= row["promised"] for row in found["figures"]
    )
    assert len(told) == 240


def test_what_is_missed_is_told_as_a_share_that_may_be_so_large(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [
        {"search": "search", "asked": "question", "hit@5": 0.985, "n": 200, "promised": 0.98},
        {"search": "search", "asked": "paraphrase", "hit@5": 0.7, "n": 200, "promised": None},
    ]
    monkeypatch.setattr(fact_quality, "measure", lambda _count, _seed: {"figures": rows})
    found = fact_quality.missed()
    assert [(round(one.value, 6), one.target, one.met) for one in found] == [
        (1.5, 2.0, True),
        (30.0, None, None),
    ]
