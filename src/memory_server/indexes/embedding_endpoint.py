"""An embedder for those who run one elsewhere: an OpenAI-compatible endpoint over HTTP."""

from __future__ import annotations

import hashlib
import json
import urllib.error
import urllib.request
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from memory_server.indexes.arrays import as_file_name, unit_length
from memory_server.indexes.ports import EmbeddingUnavailable

if TYPE_CHECKING:
    from memory_server.indexes.ports import Vectors

_BATCH = 64
# such models take some 8,000 tokens; a token is seldom less than three characters, in CJK about one
_PIECE_CHARACTERS = 6000
_OVERLAP_CHARACTERS = 400


class EndpointEmbedder:
    """`POST <base_url>/embeddings`, as OpenAI, Ollama, vLLM and llama.cpp serve it."""

    def __init__(
        self, model: str, *, base_url: str | None, api_key: str | None = None, timeout: float = 30.0
    ) -> None:
        """Asks once, for the dimension. `timeout` is in seconds a request. Raises EmbeddingUnavailable."""
        if not base_url or not base_url.startswith(("http://", "https://")):
            raise EmbeddingUnavailable(
                f"openai:{model} needs the endpoint's base URL, such as http://localhost:11434/v1."
            )
        self._model = model
        self._url = base_url.rstrip("/") + "/embeddings"
        self._headers = {"Content-Type": "application/json"}
        if api_key:
            self._headers["Authorization"] = f"Bearer {api_key}"
        self._timeout = timeout
        self.dimension = len(self._ask(["a"])[0])
        place = hashlib.sha256(self._url.encode()).hexdigest()[:12]
        self.fingerprint = f"{as_file_name(model)}-{place}-endpoint-{self.dimension}"

    def embed(self, texts: Sequence[str]) -> Vectors:
        """One float32 row of unit length a text. Raises EmbeddingUnavailable."""
        import numpy as np

        rows: list[list[float]] = []
        for start in range(0, len(texts), _BATCH):
            rows += self._ask(texts[start : start + _BATCH])
        if any(len(row) != self.dimension for row in rows):
            raise EmbeddingUnavailable(f"{self._url} answered with vectors of another dimension than before.")
        return unit_length(rows) if rows else np.zeros((0, self.dimension), dtype=np.float32)

    def pieces(self, text: str) -> list[str]:
        """Overlapping runs of characters that fit the window of common models."""
        if len(text) <= _PIECE_CHARACTERS:
            return [text]
        step = _PIECE_CHARACTERS - _OVERLAP_CHARACTERS
        return [text[at : at + _PIECE_CHARACTERS] for at in range(0, len(text) - _OVERLAP_CHARACTERS, step)]

    def _ask(self, texts: Sequence[str]) -> list[list[float]]:
        # an empty input is refused by most servers
        body = json.dumps({"model": self._model, "input": [text or " " for text in texts]}).encode()
        request = urllib.request.Request(self._url, data=body, headers=self._headers, method="POST")
        try:
            with urllib.request.urlopen(request, timeout=self._timeout) as answer:
                data: list[dict[str, Any]] = json.load(answer)["data"]
            ordered = sorted(data, key=lambda item: item["index"])
            rows = [[float(number) for number in item["embedding"]] for item in ordered]
        except urllib.error.HTTPError as error:
            error.close()
            raise EmbeddingUnavailable(f"{self._url} answered {error.code} {error.reason}.") from error
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise EmbeddingUnavailable(f"{self._url} gave no embeddings: {error}") from error
        if len(rows) != len(texts) or not all(rows):
            raise EmbeddingUnavailable(f"{self._url} gave {len(rows)} embeddings for {len(texts)} texts.")
        return rows
