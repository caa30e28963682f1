"""Where vectors are kept on disk: a LanceDB table a space, fed by one process at a time, read by many."""

from __future__ import annotations

import logging
import os
import shutil
import threading
from collections.abc import Callable, Iterator, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any, TypeVar

from memory_server.indexes.freed_memory import release_freed_memory
from memory_server.indexes.lancedb_faults import (
    border,
    find_room_to_sort,
    is_missing_file,
    opening,
    refuse_damaged,
    set_aside,
)
from memory_server.indexes.lancedb_rows import (
    conditions,
    from_arrow,
    lacks_scopes,
    schema,
    to_arrow,
    to_rows,
)
from memory_server.indexes.ports import IndexDamaged, IndexUnavailable, VectorColumns, VectorRow

T = TypeVar("T")

_COMPACT_EVERY = 12
_SCAN_ROWS = 4096
_CACHE_BYTES = 16 << 20
# read by the libraries when they are loaded; without them a pool and a thread a core take 140 MB more
_ENVIRONMENT = {
    "ARROW_DEFAULT_MEMORY_POOL": "system",
    "LANCE_CPU_THREADS": "2",
    "LANCE_IO_THREADS": "2",
    "TOKIO_WORKER_THREADS": "2",
}
_log = logging.getLogger(__name__)


def open_vector_store(
    directory: Path, fingerprint: str, dimension: int, *, cache_bytes: int = _CACHE_BYTES
) -> tuple[LanceVectorStore, bool]:
    """The store of a space, checked by reading it, and whether damaged files had to be set aside for it.

    Set aside means renamed, with every space in the directory; all vectors are then to be made again, as they
    are where the store's `created` says that its table is new. Raises IndexUnavailable.
    """
    with border(directory), opening(directory):
        try:
            refuse_damaged(directory)
            store = LanceVectorStore(directory, fingerprint, dimension, cache_bytes=cache_bytes)
            store.verify()
            return store, False
        except IndexDamaged as error:
            kept = set_aside(directory)
            _log.warning("Vectors were damaged and are rebuilt; the old files are in %s: %s", kept, error)
            return LanceVectorStore(directory, fingerprint, dimension, cache_bytes=cache_bytes), True


def stored_ids(directory: Path, fingerprint: str) -> dict[str, str] | None:
    """Memory id to content hash of what a space holds, read without its model.

    None where there is no such space, or one that the next use makes anew. Raises IndexUnavailable, or IndexDamaged.
    """
    if not (directory / f"{fingerprint}.lance").exists():
        return None
    with border(directory), opening(directory):
        try:
            store = LanceVectorStore(directory, fingerprint, 0)
        except _Outdated:
            return None
        try:
            return store.ids()
        finally:
            store.close()


class _Outdated(IndexDamaged):
    """The table lacks a column that this version needs, and there is no model to make it anew."""


class LanceVectorStore:
    """The vectors of one space in `directory`; threads may share it, and writes take turns.

    `created` says that this opening made the table; one that an earlier version made without scopes is made anew.
    """

    def __init__(
        self, directory: Path, fingerprint: str, dimension: int, *, cache_bytes: int = _CACHE_BYTES
    ) -> None:
        """`cache_bytes` bounds each of LanceDB's two caches; a `dimension` of 0 takes that of the table.

        Raises IndexUnavailable, or IndexDamaged.
        """
        self.fingerprint = fingerprint
        self.dimension = dimension
        self.created = False
        self._directory = directory
        self._path = directory / f"{fingerprint}.lance"
        self._cache_bytes = cache_bytes
        self._writing = threading.RLock()
        self._writes = 0
        self._connection: Any = None
        self._table: Any = None
        with border(directory):
            self._connect()
            self._open(make=True)

    def upsert(self, rows: Sequence[VectorRow], *, stale_pieces_of: Sequence[str]) -> None:
        """Merge on key, never over a higher seq; delete pieces of the named memories that `rows` has not."""
        newest: dict[str, VectorRow] = {}
        for row in rows:
            if row.key not in newest or row.seq > newest[row.key].seq:
                newest[row.key] = row
        data = to_arrow(list(newest.values()), self.dimension) if newest else None
        with self._writing:
            if data is not None:
                self._use(lambda table: _merge(table, data))
            self._delete_where("key", list(self._stale(newest, stale_pieces_of)))
            self._count_write()

    def delete(self, memory_ids: Sequence[str]) -> None:
        """Remove every piece of these memories; unknown ids are no error."""
        with self._writing:
            self._delete_where("key", [key for _, key, _ in self._heads(memory_ids)])
            self._count_write()

    def fetch(self, memory_ids: Sequence[str]) -> list[VectorRow]:
        """The rows of these memories, by memory and piece."""
        rows: list[VectorRow] = []
        for condition in conditions("memory_id", memory_ids):
            for batch in self._read(condition):
                with border(self._directory):
                    rows += to_rows(from_arrow(batch, self.dimension))
        return sorted(rows, key=lambda row: (row.memory_id, row.piece))

    def scan(self) -> Iterator[VectorColumns]:
        """Everything, in blocks. Raises IndexUnavailable where a clean-up comes between: read again then."""
        version, batches = self._use(
            lambda table: (table.version, iter(table.search().to_batches(_SCAN_ROWS)))
        )
        while True:
            with border(self._directory):
                try:
                    batch = next(batches, None)
                except (RuntimeError, ValueError, OSError) as error:
                    if is_missing_file(error) and self._use(lambda table: table.version) != version:
                        raise IndexUnavailable("The vectors changed while they were read.") from error
                    raise
                columns = None if batch is None else from_arrow(batch, self.dimension)
            if columns is None:
                break
            yield columns
        release_freed_memory()

    def ids(self) -> dict[str, str]:
        """Memory id to content hash, without reading vectors."""

        def collect(table: Any) -> dict[str, str]:
            # batch by batch: of a large table all batches at once are as much again
            found: dict[str, str] = {}
            for batch in table.search().select(["memory_id", "content_hash"]).to_batches(_SCAN_ROWS):
                found.update(_tuples(batch, "memory_id", "content_hash"))
            return found

        return self._use(collect)

    def count(self) -> int:
        """Rows, that is pieces."""
        return int(self._use(lambda table: table.count_rows()))

    def compact(self) -> None:
        """Merge fragments, bring the key indexes up to date, remove older versions."""
        with self._writing:
            # LanceDB warns of a plain zero: readers of an older version have to reopen, which ours do
            self._use(lambda table: table.optimize(cleanup_older_than=timedelta(milliseconds=1)))
            self._writes = 0
        release_freed_memory()

    def drop(self) -> None:
        """Delete the space's vectors; an empty table takes their place."""
        with self._writing, border(self._directory):
            self._connect()
            self._table = None
            self._connection.drop_table(self.fingerprint, ignore_missing=True)
            self._open(make=True)

    def close(self) -> None:
        """Let go of the table; a later call opens it again."""
        with self._writing:
            self._table = None
            self._connection = None

    def verify(self) -> None:
        """Read all but the vectors, and ask the index. Raises IndexDamaged where that does not read back."""
        for batch in self._read(None, ["key", "memory_type", "piece", "seq", "content_hash", "scope"]):
            batch.validate(full=True)
        self.fetch(["-"])
        self.count()

    def _connect(self) -> None:
        if self._connection is not None:
            return
        for name, value in _ENVIRONMENT.items():
            os.environ.setdefault(name, value)
        find_room_to_sort(self._directory)
        import lancedb

        if self._directory.exists() and not self._directory.is_dir():
            raise IndexDamaged(f"{self._directory} is a file, not a directory.")
        self._directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not os.access(self._directory, os.W_OK):
            raise PermissionError(13, "Permission denied", str(self._directory))
        session = lancedb.Session(
            index_cache_size_bytes=self._cache_bytes, metadata_cache_size_bytes=self._cache_bytes
        )
        self._connection = lancedb.connect(
            self._directory, read_consistency_interval=timedelta(0), session=session
        )

    def _open(self, *, make: bool) -> None:
        table = self._connection.open_table(self.fingerprint) if self._path.exists() else None
        if table is not None and lacks_scopes(table.schema.names):
            if not self.dimension:
                raise _Outdated(f"{self._path} was made before scopes were kept beside vectors.")
            if make:
                self._connection.drop_table(self.fingerprint)
                table = None
        if table is None and make:
            from lancedb.index import BTree

            try:
                table = self._connection.create_table(self.fingerprint, schema=schema(self.dimension))
                table.create_index("key", config=BTree())
                table.create_index("memory_id", config=BTree())
            except BaseException:
                # half a table, on a full disk, would be found damaged next time and set aside again and again
                shutil.rmtree(self._path, ignore_errors=True)
                raise
            self.created = True
        if table is None:
            raise IndexDamaged(f"{self._path} is gone.")
        if not self.dimension and "vector" in table.schema.names:
            self.dimension = getattr(table.schema.field("vector").type, "list_size", 0)
        if table.schema != schema(self.dimension):
            raise IndexDamaged(f"{self._path} has other columns than this version writes.")
        self._table = table

    def _use(self, action: Callable[[Any], T]) -> T:
        """Do something with the table; once more on a freshly opened one where files of it are gone.

        That happens to everyone who holds a version which another process has cleaned away.
        """
        with border(self._directory):
            try:
                return action(self._opened())
            except (RuntimeError, ValueError, OSError) as error:
                if not is_missing_file(error):
                    raise
            self._table = None
            return action(self._opened())

    def _opened(self) -> Any:
        table = self._table
        if table is None:
            self._connect()
            self._open(make=False)
            table = self._table
        return table

    def _read(self, condition: str | None, columns: list[str] | None = None) -> list[Any]:
        def read(table: Any) -> list[Any]:
            query = table.search()
            if condition is not None:
                query = query.where(condition)
            if columns is not None:
                query = query.select(columns)
            return list(query.to_batches(_SCAN_ROWS))

        return self._use(read)

    def _heads(self, memory_ids: Sequence[str]) -> Iterator[tuple[str, str, int]]:
        """Memory, key and sequence of what is stored of these memories."""
        for condition in conditions("memory_id", memory_ids):
            for batch in self._read(condition, ["memory_id", "key", "seq"]):
                yield from _tuples(batch, "memory_id", "key", "seq")

    def _stale(self, kept: dict[str, VectorRow], memory_ids: Sequence[str]) -> Iterator[str]:
        """Keys that the new rows leave over, except those that were written for a newer text still."""
        reached: dict[str, int] = {}
        for row in kept.values():
            reached[row.memory_id] = max(row.seq, reached.get(row.memory_id, row.seq))
        for memory_id, key, seq in self._heads(memory_ids):
            if key not in kept and seq <= reached.get(memory_id, seq):
                yield key

    def _delete_where(self, column: str, values: Sequence[str]) -> None:
        for condition in conditions(column, values):
            self._use(lambda table, where=condition: table.delete(where))  # type: ignore[misc]

    def _count_write(self) -> None:
        self._writes += 1
        if self._writes >= _COMPACT_EVERY:
            self.compact()


def _merge(table: Any, data: Any) -> None:
    merge = table.merge_insert("key").when_matched_update_all(where="source.seq > target.seq")
    merge.when_not_matched_insert_all().execute(data)


def _tuples(batch: Any, *columns: str) -> Iterator[tuple[Any, ...]]:
    yield from zip(*(batch.column(name).to_pylist() for name in columns), strict=True)
