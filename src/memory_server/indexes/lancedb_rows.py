"""How a vector row looks in a LanceDB table: its columns, and the way there and back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

from memory_server.indexes.ports import VectorColumns, VectorRow, row_key

if TYPE_CHECKING:
    from memory_server.indexes.ports import Vectors

_FILTER_VALUES = 400
# a vector that went through float32 is this near to unit length; bytes that are none are not
_UNIT = 0.01


def schema(dimension: int) -> Any:
    """The columns of a table of vectors with so many numbers."""
    import pyarrow as pa

    return pa.schema(
        [
            pa.field("key", pa.string()),
            pa.field("memory_id", pa.string()),
            pa.field("memory_type", pa.string()),
            pa.field("piece", pa.int32()),
            pa.field("seq", pa.int64()),
            pa.field("content_hash", pa.string()),
            pa.field("scope", pa.string()),
            pa.field("vector", pa.list_(pa.float32(), dimension)),
        ]
    )


def lacks_scopes(columns: Iterable[str]) -> bool:
    """Whether these are the columns of a table that was made before scopes were kept beside vectors."""
    return set(columns) == set(schema(1).names) - {"scope"}


def to_arrow(rows: Sequence[VectorRow], dimension: int) -> Any:
    """Rows as an Arrow table. Raises ValueError for a vector of another dimension or length than 1."""
    import numpy as np
    import pyarrow as pa

    vectors = np.stack([row.vector for row in rows]).astype(np.float32, copy=False)
    if vectors.shape[1] != dimension or not _all_unit(vectors):
        raise ValueError(f"vectors must have {dimension} dimensions and unit length")
    columns = schema(dimension)
    values = [pa.array([getattr(row, field.name) for row in rows], type=field.type) for field in columns][:-1]
    values.append(pa.FixedSizeListArray.from_arrays(pa.array(vectors.reshape(-1)), dimension))
    return pa.table(values, schema=columns)


def from_arrow(batch: Any, dimension: int) -> VectorColumns:
    """A batch as columns. Raises ValueError where the vectors cannot be what was written."""
    import numpy as np

    flat = batch.column("vector").flatten().to_numpy(zero_copy_only=False)
    vectors: Vectors = np.asarray(flat, dtype=np.float32).reshape(-1, dimension)
    if len(vectors) != batch.num_rows or not _all_unit(vectors):
        raise ValueError("vectors have not the length they were written with")
    return VectorColumns(
        memory_ids=batch.column("memory_id").to_pylist(),
        memory_types=batch.column("memory_type").to_pylist(),
        pieces=batch.column("piece").to_pylist(),
        seqs=batch.column("seq").to_pylist(),
        content_hashes=batch.column("content_hash").to_pylist(),
        scopes=batch.column("scope").to_pylist(),
        vectors=vectors,
    )


def to_rows(columns: VectorColumns) -> Iterator[VectorRow]:
    """Columns as single rows, each with a vector of its own."""
    for at, memory_id in enumerate(columns.memory_ids):
        piece = columns.pieces[at]
        yield VectorRow(
            key=row_key(memory_id, piece),
            memory_id=memory_id,
            memory_type=columns.memory_types[at],
            piece=piece,
            seq=columns.seqs[at],
            content_hash=columns.content_hashes[at],
            vector=columns.vectors[at].copy(),
            scope=columns.scopes[at],
        )


def conditions(column: str, values: Iterable[str]) -> Iterator[str]:
    """SQL conditions that together select these values, a few hundred at a time."""
    left = iter(values)
    while some := list(islice(left, _FILTER_VALUES)):
        quoted = ", ".join("'" + value.replace("'", "''") + "'" for value in some)
        yield f"{column} IN ({quoted})"


def _all_unit(vectors: Vectors) -> bool:
    import numpy as np

    lengths = np.einsum("ij,ij->i", vectors, vectors, dtype=np.float64)
    return bool(np.all(np.abs(lengths - 1.0) < _UNIT))
