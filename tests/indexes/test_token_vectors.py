"""The vectors of single tokens: how they are kept, and what they say."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from memory_server.indexes.memory import HashEmbedder
from memory_server.indexes.ports import IndexUnavailable, VectorRow
from memory_server.indexes.token_store import TokenStore
from memory_server.indexes.token_vectors import MOST_TOKENS, WIDTH, compressed, late_scores


def row(memory_id: str, text: str, seq: int = 1) -> VectorRow:
    vectors, tokens = HashEmbedder().embed_tokens([text])
    return VectorRow(f"{memory_id}#0", memory_id, "fact", 0, seq, "h", vectors[0], tokens=tokens[0])


@pytest.fixture
def store(tmp_path: Path) -> TokenStore:
    return TokenStore(tmp_path / "vectors", "space")


def test_small_vectors_keep_the_angles() -> None:
    states = np.random.default_rng(1).normal(size=(40, 384)).astype(np.float32)
    states[1] = states[0] + 0.1 * states[1]
    small = compressed(states).astype(np.float32)
    small /= np.linalg.norm(small, axis=1, keepdims=True)
    exact = states / np.linalg.norm(states, axis=1, keepdims=True)
    assert small.shape == (40, WIDTH)
    assert small[0] @ small[1] == pytest.approx(exact[0] @ exact[1], abs=0.05)
    assert np.abs(small @ small.T - exact @ exact.T).max() < 0.5  # of unrelated ones, at most by chance


def test_nothing_is_kept_of_a_text_without_words() -> None:
    assert compressed(()).shape == (0, WIDTH)
    _, tokens = HashEmbedder().embed_tokens(["?!"])
    assert late_scores(tokens[0], {"a": tokens[0]}) == {}


def test_each_word_of_a_question_finds_its_own_match() -> None:
    _, tokens = HashEmbedder().embed_tokens(["brass key", "the brass bell and the iron key", "an iron gate"])
    found = late_scores(tokens[0], {"both": tokens[1], "none": tokens[2]})
    assert found["both"].score == pytest.approx(1.0, abs=0.02)
    assert found["both"].n_tokens == 7
    assert found["none"].score < 0.5


def test_of_a_long_text_the_first_tokens_are_kept() -> None:
    _, tokens = HashEmbedder().embed_tokens([" ".join(f"w{n}" for n in range(200))])
    assert len(tokens[0]) == MOST_TOKENS


def test_what_is_put_is_found_and_what_is_gone_stays_gone(store: TokenStore) -> None:
    assert store.fetch(["a"]) == {}
    store.put([row("a", "brass key", 1), row("b", "iron gate", 2)], [])
    assert set(store.fetch(["a", "b", "c"])) == {"a", "b"}
    assert np.array_equal(store.fetch(["a"])["a"], row("a", "brass key").tokens)  # type: ignore[arg-type]
    store.put([], [("a", 5)])
    store.put([row("a", "brass key", 3)], [])  # by one who read it before it was gone
    assert set(store.fetch(["a", "b"])) == {"b"}


def test_the_newest_wins(store: TokenStore) -> None:
    store.put([row("a", "new", 7)], [])
    store.put([row("a", "old and longer", 4)], [])
    assert len(store.fetch(["a"])["a"]) == 1


def test_many_ids_are_no_problem(store: TokenStore) -> None:
    store.put([row(f"m{number}", "brass key") for number in range(900)], [])
    assert len(store.fetch([f"m{number}" for number in range(1000)])) == 900


def test_another_process_reads_what_one_writes(store: TokenStore, tmp_path: Path) -> None:
    store.put([row("a", "brass key")], [])
    assert set(TokenStore(tmp_path / "vectors", "space").fetch(["a"])) == {"a"}
    assert TokenStore(tmp_path / "vectors", "another").fetch(["a"]) == {}


def test_it_is_for_its_owner_alone(store: TokenStore, tmp_path: Path) -> None:
    store.put([row("a", "brass key")], [])
    assert {path.stat().st_mode & 0o077 for path in (tmp_path / "vectors").iterdir()} == {0}


@pytest.mark.parametrize(
    "content", [b"no database at all, but text", b"SQLite format 3\x00" + b"\xff" * 5000]
)
def test_a_damaged_file_is_told_of_and_made_anew(store: TokenStore, tmp_path: Path, content: bytes) -> None:
    store.put([row("a", "brass key")], [])
    store.close()
    (path,) = (tmp_path / "vectors").glob("tokens-*.db")
    path.write_bytes(content)
    with pytest.raises(IndexUnavailable):
        store.fetch(["a"])
    store.put([row("b", "iron gate")], [])
    assert set(store.fetch(["a", "b"])) == {"b"}


def test_entries_that_do_not_read_back_are_left_out(store: TokenStore, tmp_path: Path) -> None:
    store.put([row("a", "brass key"), row("b", "iron gate"), row("c", "tin roof")], [])
    (path,) = (tmp_path / "vectors").glob("tokens-*.db")
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("UPDATE tokens SET vectors = x'010203' WHERE memory_id = 'a'")
        database.execute("UPDATE tokens SET vectors = 'text' WHERE memory_id = 'b'")
    assert set(store.fetch(["a", "b", "c"])) == {"c"}


def test_a_file_that_is_deleted_in_use_is_made_anew(store: TokenStore, tmp_path: Path) -> None:
    store.put([row("a", "brass key")], [])
    for path in (tmp_path / "vectors").iterdir():
        path.unlink()
    store.put([row("b", "iron gate")], [])
    assert set(TokenStore(tmp_path / "vectors", "space").fetch(["a", "b"])) == {"b"}


def test_another_table_in_the_file_is_told_of(store: TokenStore, tmp_path: Path) -> None:
    store.put([], [("a", 1)])
    (path,) = (tmp_path / "vectors").glob("tokens-*.db")
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("ALTER TABLE tokens RENAME COLUMN vectors TO others")
    for ask in (lambda: store.fetch(["a"]), lambda: store.put([row("a", "brass key")], [])):
        with pytest.raises(IndexUnavailable):
            ask()
