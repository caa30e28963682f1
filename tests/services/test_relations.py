"""Search by relation: which mode the arguments ask for, what is shown, and what is said of what is not."""

from __future__ import annotations

from typing import Any

import pytest

from memory_server.app import MemoryApp
from memory_server.domain.errors import InvalidArgument, NotFound
from memory_server.services.relations import MAX_NEIGHBOURS, graph_search
from memory_server.services.remember import Statement, remember


def names(found: dict[str, Any]) -> set[str]:
    return {node["name"] for node in found["nodes"]}


@pytest.fixture
def harbour(app: MemoryApp) -> MemoryApp:
    for subject, relation, target in (
        ("Ferry", "sails_from", "North Pier"),
        ("North Pier", "lies_in", "Skagen"),
        ("Ferry", "is_run_by", "Ada"),
    ):
        remember(app, Statement(subject, relation, target))
    return app


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ({"query": "when does the ferry leave?"}, {"Ferry", "North Pier", "Ada"}),
        ({"query": "nothing that is known"}, set()),
        ({"entity_id": "north pier"}, {"North Pier", "Ferry", "Skagen"}),
        ({"source_id": "Ada", "target_id": "SKAGEN"}, {"Ada", "Ferry", "North Pier", "Skagen"}),
        ({"source_id": "Ada", "target_id": "Ada"}, {"Ada"}),
    ],
)
def test_the_mode_follows_from_what_is_given(
    given: dict[str, str], shown: set[str], harbour: MemoryApp
) -> None:
    found = graph_search(harbour, **given)
    assert names(found) == shown
    assert found["truncated"] is None


@pytest.mark.parametrize(
    ("given", "argument"),
    [
        ({}, "query"),
        ({"query": "ferry", "entity_id": "ferry"}, "query"),
        ({"entity_id": "ferry", "source_id": "ferry", "target_id": "ada"}, "query"),
        ({"source_id": "ferry"}, "target_id"),
        ({"target_id": "ferry"}, "source_id"),
    ],
)
def test_more_than_one_mode_or_half_of_a_pair_is_refused(
    given: dict[str, str], argument: str, harbour: MemoryApp
) -> None:
    with pytest.raises(InvalidArgument) as caught:
        graph_search(harbour, **given)
    assert caught.value.details["argument"] == argument


@pytest.mark.parametrize("argument", ["entity_id", "source_id", "target_id"])
def test_an_unknown_name_is_not_found(argument: str, harbour: MemoryApp) -> None:
    pair = {"source_id": "Ferry", "target_id": "Ada"} if argument != "entity_id" else {}
    with pytest.raises(NotFound, match=argument):
        graph_search(harbour, **{**pair, argument: "nobody"})


def test_of_a_hub_some_neighbours_are_shown_and_it_is_said_how_to_find_the_others(app: MemoryApp) -> None:
    for number in range(MAX_NEIGHBOURS + 20):
        remember(app, Statement("Depot", "holds", f"crate {number}"))
    for given in ({"entity_id": "Depot"}, {"query": "what is in the depot?"}):
        found = graph_search(app, **given)
        assert len(found["nodes"]) == MAX_NEIGHBOURS + 1
        assert f"Depot ({MAX_NEIGHBOURS + 20} relations)" in found["truncated"]
        assert "search" in found["truncated"]
