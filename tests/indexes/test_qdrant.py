from __future__ import annotations

import sys

import pytest

from memory_server.indexes.ports import IndexUnavailable
from memory_server.indexes.qdrant import QdrantVectorStore


def test_the_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "qdrant_client", None)

    with pytest.raises(IndexUnavailable, match=r"composite-memory-mcp-server\[qdrant\]"):
        QdrantVectorStore("http://127.0.0.1:6333", "space-4", 4)


def test_a_server_that_is_not_there_is_unavailable() -> None:
    pytest.importorskip("qdrant_client", reason="the qdrant extra is not installed")

    with pytest.raises(IndexUnavailable, match="does not answer"):
        QdrantVectorStore("http://127.0.0.1:9", "space-4", 4)
