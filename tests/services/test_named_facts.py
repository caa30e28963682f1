"""Facts about what a text names, however its words are joined there."""

from __future__ import annotations

import pytest

from memory_server.app import MemoryApp
from memory_server.services.named_facts import MOST, facts_named, joined_names
from memory_server.services.remember import Statement, remember
from memory_server.services.semantic_search import semantic_search


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("who owns ferry-api?", {"ferry-api"}),
        ("who owns the Ferry API?", {"ferry-api"}),
        ("who owns ferry_api", {"ferry-api"}),
        ("what belongs to Ines?", {"ferry-api"}),  # objects are named, too
        ("quay desk and ferry api", {"quay_desk", "ferry-api"}),
        ("who owns nothing?", set()),
        ("", set()),
    ],
)
def test_facts_next_to_named_things_are_found(text: str, named: set[str], app: MemoryApp) -> None:
    remember(app, Statement("ferry-api", "owned_by", "Ines"))
    remember(app, Statement("quay_desk", "owned_by", "Tomas"))
    with app.database.read() as connection:
        subjects = dict(connection.exec_driver_sql("SELECT id, subject FROM facts").all())
    assert {subjects[fact_id] for fact_id in facts_named(app, text)} == named


def test_a_name_that_many_facts_share_gives_a_hundred(app: MemoryApp) -> None:
    for number in range(MOST + 20):
        remember(app, Statement("ferry", f"carries_{number}", f"crate {number}"))
    assert len(facts_named(app, "the ferry")) == MOST


def test_names_are_joined_longest_first_and_never_around_stop_words() -> None:
    assert joined_names("the ferry api eu")[:3] == ["ferry-api-eu", "ferry_api_eu", "ferryapieu"]
    assert not any(name.startswith("the") for name in joined_names("the ferry api eu"))


def test_of_many_names_that_mean_nothing_the_one_that_is_asked_for_is_found(app: MemoryApp) -> None:
    for number in range(120):
        remember(app, Statement(f"unit-{number:03d}", "kept_by", f"keeper {number % 7}"))
    hits = semantic_search(app, "who looks after unit 077?", 3, 0.0).hits
    assert hits[0]["payload"]["subject"] == "unit-077"
