"""Where vectors are kept by those who outgrow one machine: a Qdrant server, one collection a space."""

from __future__ import annotations

import threading
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from memory_server.indexes.ports import IndexUnavailable, VectorColumns, VectorRow, row_key

if TYPE_CHECKING:
    from memory_server.indexes.ports import Vectors

_BLOCK = 1000
_TIMEOUT_SECONDS = 30
# Qdrant takes UUIDs and numbers as ids; a key always makes the same one
_KEYS = uuid.UUID("6f1d6a52-6f43-4d55-9e55-3b0f7a3c3f11")


class QdrantVectorStore:
    """The vectors of one space in a collection named after its fingerprint; made where there is none.

    `created` says that this opening made the collection; one that holds vectors without scopes is made anew.
    """

    def __init__(
        self, location: str, fingerprint: str, dimension: int, *, api_key: str | None = None
    ) -> None:
        """`location` is a server's URL, or a directory for the client's own local mode (one process only).

        Raises IndexUnavailable.
        """
        self.fingerprint = fingerprint
        self.dimension = dimension
        self.created = False
        self._location = location
        self._remote = location.startswith(("http://", "https://"))
        self._writing = threading.RLock()
        with self._border():
            self._client: Any = self._connected(api_key)
            self._ensure()

    def upsert(self, rows: Sequence[VectorRow], *, stale_pieces_of: Sequence[str]) -> None:
        """Merge on key, highest seq first; delete pieces of the named memories that `rows` has not."""
        newest: dict[str, VectorRow] = {}
        for row in rows:
            if row.key not in newest or row.seq > newest[row.key].seq:
                newest[row.key] = row
        with self._writing, self._border():
            held = self._sequences(list(newest))
            self._write([row for key, row in newest.items() if row.seq > held.get(key, -1)])
            reached: dict[str, int] = {}
            for row in newest.values():
                reached[row.memory_id] = max(row.seq, reached.get(row.memory_id, row.seq))
            stale = [
                record.id
                for record in self._records(stale_pieces_of, with_vectors=False)
                if row_key(record.payload["memory_id"], record.payload["piece"]) not in newest
                and record.payload["seq"] <= reached.get(record.payload["memory_id"], record.payload["seq"])
            ]
            for start in range(0, len(stale), _BLOCK):
                self._client.delete(self.fingerprint, points_selector=stale[start : start + _BLOCK])

    def delete(self, memory_ids: Sequence[str]) -> None:
        """Remove every piece of these memories; unknown ids are no error."""
        with self._writing, self._border():
            for start in range(0, len(memory_ids), _BLOCK):
                self._client.delete(
                    self.fingerprint, points_selector=self._filter(memory_ids[start : start + _BLOCK])
                )

    def fetch(self, memory_ids: Sequence[str]) -> list[VectorRow]:
        """The rows of these memories, by memory and piece."""
        with self._border():
            rows = [_row(record) for record in self._records(memory_ids, with_vectors=True)]
        return sorted(rows, key=lambda row: (row.memory_id, row.piece))

    def scan(self) -> Iterator[VectorColumns]:
        """Everything, in blocks."""
        for records in self._blocks(None, with_vectors=True):
            if records:
                yield _columns(records)

    def ids(self) -> dict[str, str]:
        """Memory id to content hash, without reading vectors."""
        return {
            record.payload["memory_id"]: record.payload["content_hash"]
            for records in self._blocks(None, with_vectors=False)
            for record in records
        }

    def count(self) -> int:
        """Rows, that is pieces."""
        with self._border():
            return int(self._client.count(self.fingerprint, exact=True).count)

    def compact(self) -> None:
        """Nothing to do: the server looks after its own files."""

    def drop(self) -> None:
        """Delete the space's vectors; an empty collection takes their place."""
        with self._writing, self._border():
            self._client.delete_collection(self.fingerprint)
            self._ensure()

    def close(self) -> None:
        """Let go of the connection."""
        with self._writing:
            self._client.close()

    def _connected(self, api_key: str | None) -> Any:
        from qdrant_client import QdrantClient

        if self._remote:
            return QdrantClient(
                url=self._location, api_key=api_key, timeout=_TIMEOUT_SECONDS, check_compatibility=False
            )
        return QdrantClient(path=self._location, force_disable_check_same_thread=True)

    def _ensure(self) -> None:
        from qdrant_client import models

        if self._client.collection_exists(self.fingerprint):
            # made by an earlier version: nothing tells to whom its vectors may be shown
            without = models.IsEmptyCondition(is_empty=models.PayloadField(key="scope"))
            if not self._client.count(self.fingerprint, models.Filter(must=[without]), exact=True).count:
                return
            self._client.delete_collection(self.fingerprint)
        self._client.create_collection(
            self.fingerprint,
            # vectors have unit length already: the dot product is the cosine, and they come back unchanged
            vectors_config=models.VectorParams(size=self.dimension, distance=models.Distance.DOT),
        )
        if self._remote:
            for name in ("memory_id", "memory_type", "scope"):
                self._client.create_payload_index(self.fingerprint, name, models.PayloadSchemaType.KEYWORD)
        self.created = True

    def _sequences(self, keys: Sequence[str]) -> dict[str, int]:
        points = {_point_id(key): key for key in keys}
        found = self._client.retrieve(self.fingerprint, list(points), with_payload=["seq"]) if points else []
        return {points[record.id]: record.payload["seq"] for record in found}

    def _write(self, rows: Sequence[VectorRow]) -> None:
        from qdrant_client import models

        for start in range(0, len(rows), _BLOCK):
            points = [
                models.PointStruct(
                    id=_point_id(row.key),
                    vector=row.vector.tolist(),
                    payload={
                        "memory_id": row.memory_id,
                        "memory_type": row.memory_type,
                        "piece": row.piece,
                        "seq": row.seq,
                        "content_hash": row.content_hash,
                        "scope": row.scope,
                    },
                )
                for row in rows[start : start + _BLOCK]
            ]
            self._client.upsert(self.fingerprint, points=points, wait=True)

    def _filter(self, memory_ids: Sequence[str]) -> Any:
        from qdrant_client import models

        condition = models.FieldCondition(key="memory_id", match=models.MatchAny(any=list(memory_ids)))
        return models.Filter(must=[condition])

    def _records(self, memory_ids: Sequence[str], *, with_vectors: bool) -> Iterator[Any]:
        for start in range(0, len(memory_ids), _BLOCK):
            wanted = self._filter(memory_ids[start : start + _BLOCK])
            for records in self._blocks(wanted, with_vectors=with_vectors):
                yield from records

    def _blocks(self, wanted: Any, *, with_vectors: bool) -> Iterator[list[Any]]:
        offset = None
        while True:
            with self._border():
                records, offset = self._client.scroll(
                    self.fingerprint,
                    scroll_filter=wanted,
                    limit=_BLOCK,
                    offset=offset,
                    with_payload=True,
                    with_vectors=with_vectors,
                )
            yield records
            if offset is None:
                return

    @contextmanager
    def _border(self) -> Iterator[None]:
        """Where errors of the client and the network become IndexUnavailable."""
        try:
            yield
        except (IndexUnavailable, MemoryError):
            raise
        except ImportError as error:
            raise IndexUnavailable(
                "qdrant-client is not installed: run `pip install 'composite-memory-mcp-server[qdrant]'`."
            ) from error
        except Exception as error:  # the client raises httpx's, pydantic's and its own
            raise IndexUnavailable(f"Qdrant at {self._location} does not answer: {error}") from error


def _point_id(key: str) -> str:
    return str(uuid.uuid5(_KEYS, key))


def _row(record: Any) -> VectorRow:
    import numpy as np

    payload = record.payload
    return VectorRow(
        key=row_key(payload["memory_id"], payload["piece"]),
        memory_id=payload["memory_id"],
        memory_type=payload["memory_type"],
        piece=payload["piece"],
        seq=payload["seq"],
        content_hash=payload["content_hash"],
        vector=np.asarray(record.vector, dtype=np.float32),
        scope=payload["scope"],
    )


def _columns(records: Sequence[Any]) -> VectorColumns:
    import numpy as np

    vectors: Vectors = np.asarray([record.vector for record in records], dtype=np.float32)
    return VectorColumns(
        memory_ids=[record.payload["memory_id"] for record in records],
        memory_types=[record.payload["memory_type"] for record in records],
        pieces=[record.payload["piece"] for record in records],
        seqs=[record.payload["seq"] for record in records],
        content_hashes=[record.payload["content_hash"] for record in records],
        scopes=[record.payload["scope"] for record in records],
        vectors=vectors,
    )
