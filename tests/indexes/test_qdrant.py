from __future__ import annotations

import sys
from pathlib import Path

import pytest

from memory_server.indexes.memory import HashEmbedder
from memory_server.indexes.ports import IndexUnavailable, VectorRow, row_key
from memory_server.indexes.qdrant import QdrantVectorStore


def test_the_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "qdrant_client", None)

    with pytest.raises(IndexUnavailable, match=r"composite-memory-mcp-server\[qdrant\]"):
        QdrantVectorStore("http://127.0.0.1:6333", "space-4", 4)


def test_a_server_that_is_not_there_is_unavailable() -> None:
    pytest.importorskip("qdrant_client", reason="the qdrant extra is not installed")

    with pytest.raises(IndexUnavailable, match="does not answer"):
        QdrantVectorStore("http://127.0.0.1:9", "space-4", 4)


def test_vectors_that_were_kept_without_scopes_are_made_anew(tmp_path: Path) -> None:
    models = pytest.importorskip("qdrant_client.models", reason="the qdrant extra is not installed")
    vector = HashEmbedder(dimension=4).embed(["a"])[0]
    store = QdrantVectorStore(str(tmp_path / "q"), "space-4", 4)
    store.upsert([VectorRow(row_key("a", 0), "a", "fact", 0, 1, "h", vector)], stale_pieces_of=[])
    store.close()
    kept = QdrantVectorStore(str(tmp_path / "q"), "space-4", 4)
    assert (kept.created, kept.count()) == (False, 1)
    earlier = {"memory_id": "b", "memory_type": "fact", "piece": 0, "seq": 1, "content_hash": "h"}
    kept._client.upsert("space-4", [models.PointStruct(id=1, vector=vector.tolist(), payload=earlier)])
    kept.close()

    anew = QdrantVectorStore(str(tmp_path / "q"), "space-4", 4)
    assert (anew.created, anew.count()) == (True, 0)
    anew.close()
