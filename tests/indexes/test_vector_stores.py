"""One contract for every vector store."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from memory_server.indexes.lancedb import LanceVectorStore
from memory_server.indexes.memory import HashEmbedder, MemoryVectorStore
from memory_server.indexes.ports import VectorRow, VectorStore, row_key

EMBEDDER = HashEmbedder(dimension=32)


def row(
    memory_id: str,
    text: str = "some text",
    *,
    piece: int = 0,
    seq: int = 1,
    kind: str = "fact",
    scope: str = "global",
) -> VectorRow:
    vector = EMBEDDER.embed([text])[0]
    return VectorRow(row_key(memory_id, piece), memory_id, kind, piece, seq, f"hash of {text}", vector, scope)


def content(store: VectorStore) -> dict[str, tuple[int, str]]:
    return {
        row_key(block.memory_ids[at], block.pieces[at]): (block.seqs[at], block.content_hashes[at])
        for block in store.scan()
        for at in range(len(block))
    }


@pytest.fixture(params=["memory", "lancedb", "qdrant"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[VectorStore]:
    made: VectorStore
    if request.param == "memory":
        made = MemoryVectorStore()
    elif request.param == "qdrant":
        pytest.importorskip("qdrant_client", reason="the qdrant extra is not installed")
        from memory_server.indexes.qdrant import QdrantVectorStore

        made = QdrantVectorStore(str(tmp_path / "qdrant"), EMBEDDER.fingerprint, EMBEDDER.dimension)
    else:
        made = LanceVectorStore(tmp_path / "vectors", EMBEDDER.fingerprint, EMBEDDER.dimension)
    yield made
    made.close()


def test_a_new_store_is_empty(store: VectorStore) -> None:
    assert (store.count(), store.ids(), content(store), store.fetch(["a"])) == (0, {}, {}, [])


def test_rows_come_back_as_they_were_written(store: VectorStore) -> None:
    written = [
        row("b", "two", piece=1, seq=7, kind="belief"),
        row("b", "one", seq=7, kind="belief"),
        row("a"),
    ]
    store.upsert(written, stale_pieces_of=[])

    first, second = store.fetch(["b", "unknown"])

    assert (first.key, first.memory_id, first.memory_type, first.piece, first.seq) == (
        "b#0",
        "b",
        "belief",
        0,
        7,
    )
    assert first.content_hash == "hash of one"
    assert np.array_equal(first.vector, written[1].vector)
    assert second.key == "b#1"
    assert np.array_equal(second.vector, written[0].vector)


def test_a_scan_gives_every_row_once_with_its_vector(store: VectorStore) -> None:
    store.upsert([row(f"m{at}", f"text {at}") for at in range(50)], stale_pieces_of=[])

    blocks = list(store.scan())

    assert sorted(name for block in blocks for name in block.memory_ids) == sorted(
        f"m{at}" for at in range(50)
    )
    for block in blocks:
        assert block.vectors.dtype == np.float32
        assert block.memory_types == ["fact"] * len(block)
        for at, memory_id in enumerate(block.memory_ids):
            assert np.array_equal(block.vectors[at], EMBEDDER.embed([f"text {memory_id[1:]}"])[0])


def test_the_highest_sequence_wins_in_a_batch_and_against_what_is_stored(store: VectorStore) -> None:
    store.upsert(
        [row("a", "old", seq=3), row("a", "new", seq=5), row("a", "older", seq=1)], stale_pieces_of=[]
    )
    assert content(store) == {"a#0": (5, "hash of new")}

    store.upsert([row("a", "late", seq=4), row("b", "first", seq=4)], stale_pieces_of=["a", "b"])
    assert content(store) == {"a#0": (5, "hash of new"), "b#0": (4, "hash of first")}

    store.upsert([row("a", "newest", seq=6)], stale_pieces_of=[])
    assert content(store)["a#0"] == (6, "hash of newest")


def test_pieces_that_a_shorter_text_leaves_over_are_deleted(store: VectorStore) -> None:
    store.upsert(
        [row("long", piece=at) for at in range(4)] + [row("other", piece=at) for at in range(2)],
        stale_pieces_of=[],
    )

    store.upsert([row("long", "short", seq=2), row("other", "x", seq=2)], stale_pieces_of=["long"])

    assert content(store).keys() == {"long#0", "other#0", "other#1"}


def test_a_late_writer_deletes_no_pieces_of_a_newer_text(store: VectorStore) -> None:
    store.upsert([row("long", piece=at, seq=9) for at in range(3)], stale_pieces_of=[])

    store.upsert([row("long", "late", seq=4)], stale_pieces_of=["long"])

    assert content(store).keys() == {"long#0", "long#1", "long#2"}


def test_a_memory_whose_rows_are_all_stale_goes_altogether(store: VectorStore) -> None:
    store.upsert([row("a"), row("b")], stale_pieces_of=[])

    store.upsert([], stale_pieces_of=["a"])

    assert content(store).keys() == {"b#0"}


def test_deleting_removes_every_piece_and_the_unknown_is_no_error(store: VectorStore) -> None:
    store.upsert([row("a"), row("a", piece=1), row("b")], stale_pieces_of=[])

    store.delete(["a", "unknown"])
    store.delete([])

    assert store.ids() == {"b": "hash of some text"}
    assert store.count() == 1


@pytest.mark.parametrize("memory_id", ["it's", 'say "hi"', "a;DROP", "名前", "x%_", "\\"])
def test_any_id_is_only_an_id(store: VectorStore, memory_id: str) -> None:
    store.upsert([row(memory_id), row("other")], stale_pieces_of=[memory_id])

    assert [found.memory_id for found in store.fetch([memory_id])] == [memory_id]
    store.delete([memory_id])
    assert store.ids().keys() == {"other"}


def test_more_ids_than_fit_one_question_are_all_found(store: VectorStore) -> None:
    names = [f"m{at:04}" for at in range(900)]
    store.upsert([row(name) for name in names], stale_pieces_of=names)

    assert [found.memory_id for found in store.fetch(names)] == names
    store.delete(names[:850])
    assert store.ids().keys() == set(names[850:])


def test_a_dropped_store_is_empty_and_goes_on(store: VectorStore) -> None:
    store.upsert([row("a")], stale_pieces_of=[])

    store.drop()
    assert store.count() == 0

    store.upsert([row("b")], stale_pieces_of=[])
    store.compact()
    assert store.ids().keys() == {"b"}


def test_closing_twice_is_no_error(store: VectorStore) -> None:
    store.close()
    store.close()


def test_the_scope_stands_beside_the_vector_and_follows_its_memory(store: VectorStore) -> None:
    store.upsert(
        [row("a"), row("b", scope="repo:acme/web.ui"), row("c", scope="project:c")], stale_pieces_of=[]
    )
    store.upsert([row("c", seq=2)], stale_pieces_of=["c"])

    assert [held.scope for held in store.fetch(["a", "b", "c"])] == ["global", "repo:acme/web.ui", "global"]
    scanned = {block.memory_ids[at]: block.scopes[at] for block in store.scan() for at in range(len(block))}
    assert scanned == {"a": "global", "b": "repo:acme/web.ui", "c": "global"}
