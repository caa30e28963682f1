"""An embedder for those who bring a model of their own: sentence-transformers, an extra that needs torch."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from memory_server.indexes.arrays import as_file_name, unit_length
from memory_server.indexes.ports import EmbeddingUnavailable

if TYPE_CHECKING:
    from memory_server.indexes.ports import Vectors

_OVERLAP_WORDS = 30
# English wordpieces a word; pieces that come out too long are cut by the model itself
_TOKENS_A_WORD = 1.5


class TorchEmbedder:
    """A sentence-transformers model that is already on this machine; nothing is downloaded."""

    def __init__(self, name: str) -> None:
        """`name` is a directory or the name of a cached model. Raises EmbeddingUnavailable."""
        try:
            from sentence_transformers import SentenceTransformer
        except ImportError as error:
            raise EmbeddingUnavailable(
                "sentence-transformers is not installed: run "
                "`pip install 'composite-memory-mcp-server[sentence-transformers]'`."
            ) from error
        try:
            self._model: Any = SentenceTransformer(name, device="cpu", local_files_only=True)
        except Exception as error:  # whatever torch or the hub raise, the answer is the same
            raise EmbeddingUnavailable(
                f"{name} is not on this machine or does not load ({error}): fetch it first, "
                f"for instance with `hf download {name}`."
            ) from error
        self.dimension = int(self._model.encode(["a"], show_progress_bar=False).shape[1])
        self.fingerprint = f"{as_file_name(name)}-{_revision(self._model)}-st-{self.dimension}"

    def embed(self, texts: Sequence[str]) -> Vectors:
        """One float32 row of unit length a text. Raises EmbeddingUnavailable."""
        import numpy as np

        if not texts:
            return np.zeros((0, self.dimension), dtype=np.float32)
        try:
            return unit_length(self._model.encode(list(texts), batch_size=16, show_progress_bar=False))
        except Exception as error:  # torch raises anything
            raise EmbeddingUnavailable(f"The embedding model failed: {error}") from error

    def pieces(self, text: str) -> list[str]:
        """Overlapping runs of words that about fit the model's window."""
        window = int(int(self._model.max_seq_length or 256) / _TOKENS_A_WORD)
        words = text.split()
        if len(words) <= window:
            return [text]
        step = max(window - _OVERLAP_WORDS, 1)
        return [" ".join(words[at : at + window]) for at in range(0, len(words) - window + step, step)]


def _revision(model: Any) -> str:
    config = getattr(getattr(model[0], "auto_model", None), "config", None)
    return str(getattr(config, "_commit_hash", None) or "local")[:12]
