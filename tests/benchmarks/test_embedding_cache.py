"""Texts that were embedded in an earlier run are not embedded again."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from memory_server.benchmarks.embedding_cache import cached
from memory_server.indexes.memory import HashEmbedder

TEXTS = ["the mill", "the ferry", "the mill"]


class Counting:
    """Knows what it was asked to embed."""

    dimension = 16

    def __init__(self, fingerprint: str = "one") -> None:
        self.fingerprint = fingerprint
        self.asked: list[str] = []

    def embed(self, texts: Sequence[str]) -> Any:
        self.asked.extend(texts)
        return HashEmbedder(16).embed(texts)

    def pieces(self, text: str) -> list[str]:
        return [text]


class Talking(Counting):
    """Shows tokens, too: as many as the text has words."""

    def embed_tokens(self, texts: Sequence[str]) -> Any:
        made = [np.full((len(text.split()), 4), len(text), dtype=np.int8) for text in texts]
        return self.embed(texts), made


def test_each_text_is_embedded_once_and_comes_back_the_same(tmp_path: Path) -> None:
    plain = HashEmbedder(16).embed(TEXTS)
    first = Counting()
    assert np.array_equal(cached(first, tmp_path / "vectors").embed(TEXTS), plain)
    assert sorted(first.asked) == ["the ferry", "the mill"]
    again = Counting()
    assert np.array_equal(cached(again, tmp_path / "vectors").embed(TEXTS), plain)
    assert again.asked == []


def test_another_model_has_vectors_of_its_own(tmp_path: Path) -> None:
    cached(Counting(), tmp_path / "vectors").embed(TEXTS)
    other = Counting("two")
    cached(other, tmp_path / "vectors").embed(TEXTS)
    assert sorted(other.asked) == ["the ferry", "the mill"]


def test_a_question_is_embedded_each_time(tmp_path: Path) -> None:
    counting = Counting()
    embedder = cached(counting, tmp_path / "vectors")
    embedder.embed(["what?"])
    embedder.embed(["what?"])
    assert counting.asked == ["what?", "what?"]


def test_vectors_of_tokens_are_kept_too(tmp_path: Path) -> None:
    texts = [*TEXTS, ""]
    vectors, tokens = Talking().embed_tokens(texts)
    for _ in range(2):
        embedder: Any = cached(Talking(), tmp_path / "vectors")
        kept_vectors, kept_tokens = embedder.embed_tokens(texts)
        assert np.array_equal(kept_vectors, vectors)
        assert [len(one) for one in kept_tokens] == [2, 2, 2, 0]
        assert all(np.array_equal(a, b) for a, b in zip(kept_tokens[:3], tokens[:3], strict=True))


def test_an_embedder_without_tokens_stays_one_without(tmp_path: Path) -> None:
    assert not hasattr(cached(Counting(), tmp_path / "vectors"), "embed_tokens")
