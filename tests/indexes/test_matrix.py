from __future__ import annotations

import dataclasses
import threading
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory_server.indexes.matrix import VectorMatrix
from memory_server.indexes.memory import MemoryVectorStore
from memory_server.indexes.ports import VectorRow, row_key

AXES = np.eye(4, dtype=np.float32)


def row(
    memory_id: str,
    vector: Sequence[float],
    *,
    piece: int = 0,
    seq: int = 1,
    kind: str = "fact",
    text: str = "t",
) -> VectorRow:
    array = np.array(vector, dtype=np.float32)
    return VectorRow(
        row_key(memory_id, piece),
        memory_id,
        kind,
        piece,
        seq,
        text,
        array / max(float(np.linalg.norm(array)), 1e-9),
    )


def found(matrix: VectorMatrix, vector: Sequence[float], top_k: int = 10, **options: object) -> list[str]:
    question = np.array(vector, dtype=np.float32)
    hits = matrix.search(question / np.linalg.norm(question), top_k, **options)  # type: ignore[arg-type]
    return [memory_id for memory_id, _ in hits]


@pytest.fixture
def matrix() -> VectorMatrix:
    made = VectorMatrix(4)
    made.put(
        [
            row("north", [1, 0, 0, 0]),
            row("north-east", [1, 1, 0, 0], kind="belief"),
            row("east", [0, 1, 0, 0]),
            row("south", [-1, 0, 0, 0]),
        ]
    )
    return made


def test_the_nearest_come_first_and_scores_are_clipped(matrix: VectorMatrix) -> None:
    hits = matrix.search(AXES[0], 10, minimum=0.0)

    assert [memory_id for memory_id, _ in hits] == ["north", "north-east", "east", "south"]
    assert [score for _, score in hits] == pytest.approx([1.0, 0.70710677, 0.0, 0.0])


def test_filters_limit_what_is_looked_at(matrix: VectorMatrix) -> None:
    assert found(matrix, [1, 0, 0, 0], memory_types={"belief"}) == ["north-east"]
    assert found(matrix, [1, 0, 0, 0], memory_types={"skill"}) == []
    assert found(matrix, [1, 0, 0, 0], exclude={"north", "nowhere"}, minimum=0.5) == ["north-east"]
    assert found(matrix, [1, 0, 0, 0], 1) == ["north"]
    assert found(matrix, [1, 0, 0, 0], 0) == []


def test_an_empty_matrix_finds_nothing() -> None:
    assert VectorMatrix(4).search(AXES[0], 5) == []
    assert len(VectorMatrix(4)) == 0


def test_a_memory_scores_as_its_best_piece_and_counts_once(matrix: VectorMatrix) -> None:
    pieces = [[0, 0, 1, 0.1 * at] for at in range(8)] + [[1, 0, 0, 0.01]]
    matrix.put([row("long", vector, piece=at) for at, vector in enumerate(pieces)])

    assert len(matrix) == 5
    assert found(matrix, [1, 0, 0, 0], 3) == ["north", "long", "north-east"]
    assert found(matrix, [0, 0, 1, 0], 2, minimum=0.5) == ["long"]
    # eight pieces of one memory do not take the places of the others
    assert found(matrix, [0, 2, 3, 0], 3) == ["long", "east", "north-east"]


def test_equal_scores_are_in_the_order_of_ids() -> None:
    matrix = VectorMatrix(4)
    matrix.put([row(f"m{at:03}", [1, 2, 3, 4]) for at in range(200, 0, -1)])

    assert found(matrix, [1, 2, 3, 4], 3) == ["m001", "m002", "m003"]


def test_a_newer_write_replaces_all_pieces_and_an_older_one_is_ignored(matrix: VectorMatrix) -> None:
    matrix.put([row("north", [0, 0, 1, 0], piece=at, seq=5, text="new") for at in range(3)])
    matrix.put([row("north", [0, 0, 0, 1], seq=9, text="newest"), row("north", [1, 0, 0, 0], piece=1, seq=4)])
    matrix.put([row("north", [1, 0, 0, 0], seq=8)])

    assert matrix.content_hash("north") == "newest"
    assert matrix.search(AXES[3], 1) == [("north", pytest.approx(1.0))]
    assert found(matrix, [0, 0, 1, 0], minimum=0.5) == []
    assert found(matrix, [1, 0, 0, 0], minimum=0.9) == []


def test_what_is_dropped_is_gone_and_its_place_is_used_again(matrix: VectorMatrix) -> None:
    matrix.drop(["north", "unknown"])

    assert "north" not in matrix
    assert matrix.content_hash("north") is None
    assert found(matrix, [1, 0, 0, 0], 1) == ["north-east"]
    matrix.put([row("up", [0, 0, 0, 1])])
    assert found(matrix, [1, 0, 0, 0], minimum=0.1) == ["north-east"]
    assert found(matrix, [0, 0, 0, 1], 1) == ["up"]


def test_scores_of_given_memories_leave_out_the_unknown(matrix: VectorMatrix) -> None:
    assert matrix.scores(AXES[1], ["east", "south", "nobody"]) == {"east": 1.0, "south": 0.0}


def test_a_store_is_loaded_whole_and_replaces_what_was_there(matrix: VectorMatrix) -> None:
    store = MemoryVectorStore()
    rows = [row(f"m{at}", [at, 1, 0, 0], piece=piece) for at in range(3000) for piece in range(2)]
    store.upsert(rows, stale_pieces_of=[])

    matrix.load(store)

    assert len(matrix) == 3000
    assert matrix.content_hashes().keys() == {f"m{at}" for at in range(3000)}
    assert found(matrix, [0, 1, 0, 0], 2) == ["m0", "m1"]
    matrix.put([row("later", [0, 0, 1, 0])])
    assert found(matrix, [0, 0, 1, 0], 1) == ["later"]


def test_searches_during_writes_see_every_memory_once_and_no_torn_row() -> None:
    matrix = VectorMatrix(64)
    generator = np.random.default_rng(7)
    steady = generator.normal(size=64).astype(np.float32)
    names = [f"s{at}" for at in range(50)]
    matrix.put([row(name, steady.tolist()) for name in names])
    faults: list[object] = []
    done = threading.Event()

    def write() -> None:
        for seq in range(2, 60):
            matrix.put([row(name, steady.tolist(), seq=seq) for name in names])
            matrix.put([row(f"n{seq}-{at}", (-steady).tolist()) for at in range(40)])
            matrix.drop([f"n{seq}-{at}" for at in range(20)])
        done.set()

    def read() -> None:
        while not done.is_set():
            hits = matrix.search(steady / np.linalg.norm(steady), 60, minimum=0.5)
            if sorted(name for name, _ in hits) != sorted(names) or any(score < 0.999 for _, score in hits):
                faults.append(hits)

    threads = [threading.Thread(target=work) for work in (write, read, read)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert faults == []


operations = st.lists(
    st.tuples(st.sampled_from("abcdefg"), st.integers(0, 3), st.integers(1, 6), st.booleans()), max_size=30
)


@settings(max_examples=60, deadline=None)
@given(operations, st.integers(1, 5))
def test_any_sequence_of_writes_ranks_like_a_plain_sort(
    writes: list[tuple[str, int, int, bool]], top_k: int
) -> None:
    matrix = VectorMatrix(4)
    held: dict[str, tuple[int, list[VectorRow]]] = {}
    for name, pieces, seq, gone in writes:
        if gone or pieces == 0:
            matrix.drop([name])
            held.pop(name, None)
            continue
        rows = [
            row(name, [piece + 1, seq, ord(name) % 5, 1], piece=piece, seq=seq) for piece in range(pieces)
        ]
        matrix.put(rows)
        if seq >= held.get(name, (0, []))[0]:
            held[name] = (seq, rows)
    question = np.array([0.5, 0.5, -0.5, 0.5], dtype=np.float32)
    plain = sorted(
        ((name, max(float(one.vector @ question) for one in rows)) for name, (_, rows) in held.items()),
        key=lambda hit: (-round(max(hit[1], 0.0), 6), hit[0]),
    )[:top_k]

    hits = matrix.search(question, top_k)

    assert [score for _, score in hits] == pytest.approx([max(score, 0.0) for _, score in plain], abs=1e-5)


def scoped(memory_id: str, scope: str, vector: Sequence[float] = (1, 0, 0, 0), **more: int) -> VectorRow:
    return dataclasses.replace(row(memory_id, vector, **more), scope=scope)


@pytest.mark.parametrize(
    ("scopes", "nearest"),
    [
        (None, ["a0", "a1"]),
        (("project:b", "global"), ["far", "everybody"]),
        (("project:a", "global"), ["a0", "a1"]),
        (("global",), ["everybody"]),
        (("project:nobody", "global"), ["everybody"]),
        (("project:a2",), []),
    ],
)
def test_what_a_reader_does_not_see_takes_no_place(
    scopes: tuple[str, ...] | None, nearest: list[str]
) -> None:
    matrix = VectorMatrix(4)
    matrix.put([scoped(f"a{at}", "project:a") for at in range(2000)])
    matrix.put([scoped("far", "project:b", (1, 1, 0, 0)), scoped("everybody", "global", (1, 1, 1, 0))])
    assert found(matrix, [1, 0, 0, 0], 2, scopes=scopes) == nearest


def test_of_equally_near_ones_the_reader_s_own_come_first() -> None:
    matrix = VectorMatrix(4)
    matrix.put([scoped("a", "global"), scoped("b", "project:x"), scoped("c", "project:y")])
    assert found(matrix, [1, 0, 0, 0], scopes=("project:x", "global")) == ["b", "a"]
    assert found(matrix, [1, 0, 0, 0], 1, scopes=("project:x", "global")) == ["b"]
    assert found(matrix, [1, 0, 0, 0]) == ["a", "b", "c"]


def test_a_memory_that_moves_to_another_scope_is_seen_from_there_alone() -> None:
    matrix = VectorMatrix(4)
    matrix.put([scoped("a", "project:x")])
    matrix.put([scoped("a", "project:y", seq=2)])
    assert matrix.scope("a") == "project:y"
    assert found(matrix, [1, 0, 0, 0], scopes=("project:x", "global")) == []
    assert found(matrix, [1, 0, 0, 0], scopes=("project:y", "global")) == ["a"]


def test_the_same_question_again_sees_what_was_written_dropped_and_loaded_meanwhile(
    matrix: VectorMatrix,
) -> None:
    asked = [1.0, 0.0, 0.0, 0.0]
    assert found(matrix, asked, memory_types=("belief",)) == ["north-east"]
    assert found(matrix, asked, 2) == ["north", "north-east"]
    matrix.put([row("near", [0.9, 0.1, 0, 0]), row("north-east", [0, 1, 0, 0], seq=5, kind="belief")])
    assert found(matrix, asked, 2) == ["north", "near"]
    matrix.drop(["north"])
    assert found(matrix, asked, 1) == ["near"]
    matrix.load(MemoryVectorStore())
    assert found(matrix, asked) == []
