"""Search by meaning: what is named comes forward, and what a rule fires on is not all that counts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from memory_server.app import MemoryApp, open_app
from memory_server.domain.errors import IndexUnavailable
from memory_server.services.learn import learn
from memory_server.services.lesson import Lesson
from memory_server.services.remember import Statement, remember
from memory_server.services.semantic_search import semantic_search
from memory_server.settings import load_settings


@pytest.fixture
def told(app: MemoryApp) -> dict[str, str]:
    """Facts about two services whose names are parts of one another."""
    said = [
        ("ferry-api", "owned_by", "Ines"),
        ("ferry-api-eu", "owned_by", "Tomas"),
        ("ferry-api-eu", "written_in", "Rust"),
        ("token-desk", "owned_by", "Greta"),
        ("token-desk", "painted", "token token token"),
    ]
    return {f"{s} {p}": remember(app, Statement(s, p, o)).fact.id for s, p, o in said}


def places(found: Any) -> list[str]:
    return [hit["id"] for hit in found.hits] or [fact.id for fact in found.results]


def test_what_is_about_the_named_comes_before_what_is_hardly_nearer(
    app: MemoryApp, told: dict[str, str]
) -> None:
    found = semantic_search(app, "who has ferry api eu", 2, 0.0)
    assert set(places(found)) == {told["ferry-api-eu owned_by"], told["ferry-api-eu written_in"]}


def test_scores_go_down_and_the_cosine_is_told_beside(app: MemoryApp, told: dict[str, str]) -> None:
    hits = semantic_search(app, "ferry-api-eu owned by", 5, 0.0).hits
    scores = [hit["score"] for hit in hits]
    assert scores == sorted(scores, reverse=True)
    near = dict(app.meaning.search("ferry-api-eu owned by", 5).hits)
    assert {hit["id"]: hit["payload"]["cosine"] for hit in hits} == {i: round(c, 6) for i, c in near.items()}
    named = [hit for hit in hits if hit["payload"]["subject"] == "ferry-api-eu"]
    assert all(
        hit["score"] == pytest.approx(min(1.0, hit["payload"]["cosine"] + 0.2), abs=1e-5) for hit in named
    )


def test_a_text_that_speaks_of_the_named_comes_forward_too(app: MemoryApp, told: dict[str, str]) -> None:
    learn(app, Lesson("The ferry-api-eu was slow on Monday, said the harbour master at noon.", forced=True))
    hits = semantic_search(app, "ferry-api-eu on monday", 10, 0.0).hits
    order = [hit["payload"]["memory_type"] for hit in hits if hit["id"] != told["ferry-api owned_by"]]
    elsewhere = [hit["id"] for hit in hits].index(told["ferry-api owned_by"])
    assert order.index("episode") < elsewhere


def test_a_rule_that_fires_on_a_part_of_a_name_still_finds_by_meaning(
    app: MemoryApp, told: dict[str, str]
) -> None:
    found = semantic_search(app, "token-desk is owned by whom", 1, 0.0)
    assert found.rule is not None
    assert places(found) == [told["token-desk owned_by"]]


def test_without_a_model_a_rule_still_finds_by_words(home: Path) -> None:
    with open_app(load_settings(home=home, embedding="none"), worker=False) as app:
        wanted = remember(app, Statement("ferry-api", "listens_on", "port 7200")).fact.id
        remember(app, Statement("ferry-desk", "painted", "blue"))
        assert places(semantic_search(app, "which port does ferry-api use?", 1, 0.0)) == [wanted]
        with pytest.raises(IndexUnavailable):
            semantic_search(app, "who painted it?", 1, 0.0)
