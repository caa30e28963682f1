from __future__ import annotations

import os
import random
import shutil
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from memory_server.app import MemoryApp, open_app
from memory_server.indexes.lancedb import LanceVectorStore, open_vector_store, stored_ids
from memory_server.indexes.matrix import VectorMatrix
from memory_server.indexes.memory import HashEmbedder
from memory_server.indexes.ports import IndexDamaged, IndexUnavailable, VectorRow, row_key
from memory_server.services.remember import Statement, remember
from memory_server.services.semantic_search import nearest
from memory_server.settings import Settings

EMBEDDER = HashEmbedder(dimension=32)
SPACE = EMBEDDER.fingerprint


def rows(names: list[str], seq: int = 1) -> list[VectorRow]:
    vectors = EMBEDDER.embed(names)
    return [
        VectorRow(row_key(name, 0), name, "fact", 0, seq, f"h-{name}", vector)
        for name, vector in zip(names, vectors, strict=True)
    ]


def opened(directory: Path) -> LanceVectorStore:
    return open_vector_store(directory, SPACE, EMBEDDER.dimension)[0]


def files(directory: Path) -> list[Path]:
    return [path for path in directory.rglob("*") if path.is_file()]


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    """A directory with sixty vectors, written and compacted as a worker does."""
    made = tmp_path / "vectors"
    store = opened(made)
    for start in range(0, 60, 5):
        store.upsert(rows([f"m{at}" for at in range(start, start + 5)]), stale_pieces_of=[])
    store.close()
    return made


def test_a_first_opening_makes_the_table_and_a_second_finds_it(tmp_path: Path) -> None:
    store, recovered = open_vector_store(tmp_path / "a" / "vectors", SPACE, 32)
    assert (store.created, recovered) == (True, False)
    store.upsert(rows(["a"]), stale_pieces_of=[])
    store.close()

    again, recovered = open_vector_store(tmp_path / "a" / "vectors", SPACE, 32)
    assert (again.created, recovered, again.ids()) == (False, False, {"a": "h-a"})


def test_two_spaces_live_beside_each_other(directory: Path) -> None:
    other, recovered = open_vector_store(directory, "another-space-8", 8)

    assert (other.created, recovered, other.count()) == (True, False, 0)
    other.drop()
    assert opened(directory).count() == 60


def test_two_stores_see_each_other_through_compaction(tmp_path: Path) -> None:
    first, second = opened(tmp_path / "v"), opened(tmp_path / "v")
    for at in range(30):
        first.upsert(rows([f"m{at}"]), stale_pieces_of=[])
        assert second.ids().keys() == {f"m{done}" for done in range(at + 1)}
    second.delete(["m0"])
    assert "m0" not in first.ids()
    first.compact()
    assert len(second.fetch(["m1", "m2"])) == 2
    second.upsert(rows(["m1"], seq=5), stale_pieces_of=["m1"])
    assert first.fetch(["m1"])[0].seq == 5


def test_a_reader_goes_on_while_another_writes_and_cleans_up(tmp_path: Path) -> None:
    writer, reader = opened(tmp_path / "v"), opened(tmp_path / "v")
    writer.upsert(rows(["steady"]), stale_pieces_of=[])
    faults: list[object] = []
    done = threading.Event()

    def read() -> None:
        while not done.is_set():
            try:
                if len(reader.fetch(["steady"])) != 1 or "steady" not in reader.ids():
                    faults.append("missing")
            except IndexUnavailable as error:
                faults.append(error)

    thread = threading.Thread(target=read)
    thread.start()
    try:
        for at in range(25):
            writer.upsert(rows([f"n{at}"]), stale_pieces_of=[])
            writer.compact()
    finally:
        done.set()
        thread.join()
    assert faults == []


def test_many_small_writes_leave_few_files(tmp_path: Path) -> None:
    store = opened(tmp_path / "v")
    for start in range(0, 2000, 20):
        store.upsert(rows([f"m{at}" for at in range(start, start + 20)]), stale_pieces_of=[])
    store.compact()

    left = files(tmp_path / "v")
    assert store.count() == 2000
    assert len(left) <= 50
    assert sum(path.stat().st_size for path in left) <= 15_000_000


def test_a_matrix_is_filled_from_the_table(directory: Path) -> None:
    matrix = VectorMatrix(32)
    matrix.load(opened(directory))

    assert len(matrix) == 60
    assert matrix.search(EMBEDDER.embed(["m7"])[0], 1)[0] == ("m7", pytest.approx(1.0))


def test_vectors_of_another_dimension_or_length_are_refused(tmp_path: Path) -> None:
    store = opened(tmp_path / "v")
    for vector in (np.ones(32, dtype=np.float32), np.ones(1, dtype=np.float32), np.full(32, np.nan)):
        with pytest.raises(ValueError, match="unit length"):
            store.upsert([VectorRow("a#0", "a", "fact", 0, 1, "h", vector)], stale_pieces_of=[])
    assert store.count() == 0


def _garbage(path: Path) -> None:
    path.write_bytes(random.Random(5).randbytes(max(path.stat().st_size, 64)))


def _zeros(path: Path) -> None:
    path.write_bytes(bytes(path.stat().st_size))


def _cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def _text(path: Path) -> None:
    path.write_bytes(b"this is no vector file\n" * 3)


@pytest.mark.parametrize("harm", [_garbage, _zeros, _cut, _text, Path.unlink])
def test_damage_to_every_file_is_set_aside_and_a_new_store_begins(
    directory: Path, harm: Callable[[Path], None]
) -> None:
    for path in files(directory):
        harm(path)
    before = sorted(path.relative_to(directory) for path in files(directory))

    store, recovered = open_vector_store(directory, SPACE, 32)

    assert recovered
    assert store.count() == 0
    store.upsert(rows(["new"]), stale_pieces_of=["new"])
    assert store.ids().keys() == {"new"}
    (kept,) = directory.parent.glob("vectors.damaged-*")
    left = {path.relative_to(kept) for path in files(kept)} - {Path("DAMAGED.txt")}
    assert sorted(left) == before
    assert not open_vector_store(directory, SPACE, 32)[1]


@pytest.mark.parametrize("harm", [_garbage, _zeros, _cut, Path.unlink])
@pytest.mark.parametrize("part", ["_versions", "data", "_indices"])
def test_damage_to_one_part_is_noticed_when_opening_or_loading(
    directory: Path, part: str, harm: Callable[[Path], None]
) -> None:
    for path in files(directory / f"{SPACE}.lance" / part):
        harm(path)

    store, recovered = open_vector_store(directory, SPACE, 32)
    matrix = VectorMatrix(32)
    if not recovered:
        try:
            matrix.load(store)
        except IndexDamaged:
            # a look when opening had found nothing; the next one is told
            assert open_vector_store(directory, SPACE, 32)[1]
            return
        # an index that is only a help may be lost without loss
        assert part == "_indices"
        assert len(matrix) == 60


def test_vectors_that_are_other_bytes_are_damage_and_set_aside_next_time(directory: Path) -> None:
    store = opened(directory)
    vector = store.fetch(["m3"])[0].vector.tobytes()
    (path,) = (path for path in files(directory) if vector in path.read_bytes())
    path.write_bytes(path.read_bytes().replace(vector, bytes(len(vector))))
    store.close()

    store, recovered = open_vector_store(directory, SPACE, 32)
    assert not recovered
    with pytest.raises(IndexDamaged):
        VectorMatrix(32).load(store)
    store.close()

    assert open_vector_store(directory, SPACE, 32)[1]
    (kept,) = directory.parent.glob("vectors.damaged-*")
    assert "do not read back" in (kept / "DAMAGED.txt").read_text()


def test_damage_while_open_is_an_error_and_the_next_opening_recovers(directory: Path) -> None:
    store = opened(directory)
    for path in files(directory):
        _garbage(path)

    with pytest.raises(IndexUnavailable):
        store.fetch(["m1"])
        list(store.scan())
    with pytest.raises(IndexUnavailable):
        store.upsert(rows(["x"]), stale_pieces_of=["x"])
    store.close()

    assert open_vector_store(directory, SPACE, 32)[1]


def test_a_directory_that_vanishes_while_open_is_an_error(directory: Path) -> None:
    store = opened(directory)
    shutil.rmtree(directory)

    with pytest.raises(IndexDamaged):
        list(store.scan())
    with pytest.raises(IndexDamaged):
        store.upsert(rows(["x"]), stale_pieces_of=["x"])


def test_a_store_left_open_by_others_follows_a_recovery(directory: Path) -> None:
    other = opened(directory)
    for path in files(directory / f"{SPACE}.lance" / "_versions"):
        _garbage(path)
    recovered, _ = open_vector_store(directory, SPACE, 32)
    recovered.upsert(rows(["fresh"]), stale_pieces_of=[])

    assert other.ids().keys() == {"fresh"}


def test_a_file_in_the_place_of_the_directory_is_set_aside(tmp_path: Path) -> None:
    (tmp_path / "vectors").write_text("hello")

    store, recovered = open_vector_store(tmp_path / "vectors", SPACE, 32)

    assert (recovered, store.count()) == (True, 0)
    assert [path.read_text() for path in tmp_path.glob("vectors.damaged-*")] == ["hello"]


def test_two_recoveries_in_one_second_keep_both_copies(tmp_path: Path) -> None:
    for _ in range(2):
        shutil.rmtree(tmp_path / "vectors", ignore_errors=True)
        (tmp_path / "vectors").write_text("hello")
        opened(tmp_path / "vectors").close()

    assert len(list(tmp_path.glob("vectors.damaged-*"))) == 2


def test_many_openings_at_once_make_one_table(tmp_path: Path) -> None:
    found: list[bool] = []
    threads = [
        threading.Thread(target=lambda: found.append(open_vector_store(tmp_path / "v", SPACE, 32)[1]))
        for _ in range(6)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert found == [False] * 6
    assert not list(tmp_path.glob("v.damaged-*"))


def test_a_directory_that_cannot_be_made_says_so(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(IndexUnavailable, match=r"file.vectors cannot be used: (File exists|Not a directory)"):
        open_vector_store(tmp_path / "file" / "vectors", SPACE, 32)


@pytest.mark.skipif(sys.platform != "linux", reason="needs a file system that nobody can write to")
def test_a_read_only_place_is_unavailable_not_damaged() -> None:
    with pytest.raises(IndexUnavailable, match="cannot be used") as caught:
        open_vector_store(Path("/proc/self/vectors"), SPACE, 32)
    assert not isinstance(caught.value, IndexDamaged)


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may write anywhere")
def test_a_directory_without_write_permission_is_unavailable_not_damaged(directory: Path) -> None:
    directory.chmod(0o500)
    try:
        with pytest.raises(IndexUnavailable, match="cannot be used: Permission denied") as caught:
            open_vector_store(directory, SPACE, 32)
        assert not isinstance(caught.value, IndexDamaged)
    finally:
        directory.chmod(0o700)


def test_a_table_that_cannot_be_made_to_the_end_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from lancedb.table import LanceTable

    def full(*_given: object, **_more: object) -> None:
        raise OSError("LanceError(IO): No space left on device (os error 28), /src/lance/io.rs:16:50")

    with monkeypatch.context() as broken:
        broken.setattr(LanceTable, "create_index", full)
        for _ in range(3):
            with pytest.raises(IndexUnavailable, match=r"free space .*error 28\)\)\.$") as caught:
                open_vector_store(tmp_path / "vectors", SPACE, 32)
            assert not isinstance(caught.value, IndexDamaged)
    store, recovered = open_vector_store(tmp_path / "vectors", SPACE, 32)

    assert (recovered, store.created, store.count()) == (False, True, 0)
    assert not list(tmp_path.glob("vectors.damaged-*"))


@pytest.mark.skipif(sys.platform == "win32", reason="temporary files have other rules there")
@pytest.mark.parametrize("place", ["is missing", "is a file"])
def test_without_a_place_for_temporary_files_vectors_are_kept_all_the_same(
    place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if place == "is a file":
        (tmp_path / "temporary").write_text("no directory")
    monkeypatch.setenv("TMPDIR", str(tmp_path / "temporary"))
    store, recovered = open_vector_store(tmp_path / "vectors", SPACE, 32)
    for name in "abc":
        store.upsert(rows([name]), stale_pieces_of=[])
    store.compact()

    assert (recovered, sorted(store.ids())) == (False, ["a", "b", "c"])
    assert not list(tmp_path.glob("vectors.damaged-*"))
    assert not (tmp_path / "vectors" / "DAMAGED.txt").exists()


def take_scopes_away(directory: Path, space: str) -> None:
    """Leaves the table as it was before scopes were kept beside vectors."""
    import lancedb

    table = lancedb.connect(directory).open_table(space)
    table.drop_columns(["scope"])


def test_a_table_without_scopes_is_made_anew_and_nothing_is_set_aside(directory: Path) -> None:
    take_scopes_away(directory, SPACE)

    assert stored_ids(directory, SPACE) is None
    store, recovered = open_vector_store(directory, SPACE, EMBEDDER.dimension)
    assert (store.created, recovered, store.count()) == (True, False, 0)
    store.upsert(rows(["a"]), stale_pieces_of=[])
    again, recovered = open_vector_store(directory, SPACE, EMBEDDER.dimension)
    assert (again.created, recovered, again.ids()) == (False, False, {"a": "h-a"})
    assert [path.name for path in directory.parent.glob("vectors*")] == ["vectors"]


def test_a_memory_whose_vectors_had_no_scopes_has_them_after_the_next_start(settings: Settings) -> None:
    def meant(app: MemoryApp) -> list[str]:
        hits, _ = nearest(app, "the mill stands by the river", 5, 0.0, scopes=("project:app", "global"))
        return [hit["payload"]["object"] for hit in hits]

    with open_app(settings, worker=False, make_embedder=HashEmbedder) as app:
        for place, scope in (
            ("the river", "project:app"),
            ("the sea", "project:app2"),
            ("the lake", "global"),
        ):
            remember(app, Statement("mill", "stands_by", place, scope=scope))
        app.worker.drain()
        assert meant(app) == ["the river", "the lake"]
    take_scopes_away(settings.vectors_path, HashEmbedder().fingerprint)

    with open_app(settings, worker=False, make_embedder=HashEmbedder) as app:
        assert meant(app) == ["the river", "the lake"]
        app.worker.drain()
        assert app.meaning.space.store().count() == 3
        assert meant(app) == ["the river", "the lake"]
