"""What all embedders share: rows of unit length, and names of models that are safe as file names."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from memory_server.indexes.ports import Vectors


def unit_length(vectors: Any) -> Vectors:
    """Rows scaled to length 1 as float32; a row of zeros stays as it is."""
    import numpy as np

    rows = np.asarray(vectors, dtype=np.float32)
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    lengths[lengths == 0] = 1.0
    scaled: Vectors = (rows / lengths).astype(np.float32, copy=False)
    return scaled


def as_file_name(name: str) -> str:
    """A model's name with everything replaced that a file or table name cannot hold."""
    return re.sub(r"[^A-Za-z0-9._-]+", "-", name).strip(".-")[:60] or "model"
