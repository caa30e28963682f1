"""Any text is a legal query, and finds what a person would expect it to find."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memory_server.app import MemoryApp
from memory_server.domain.lifecycle import LifecycleState
from memory_server.services.remember import Statement, record, remember
from memory_server.services.search import search
from memory_server.storage import lifecycle
from memory_server.storage.fact_search import Filters
from memory_server.storage.fulltext import COMMON_FROM, any_of, parse

NOW = datetime(2030, 5, 1, tzinfo=UTC)


def found(app: MemoryApp, query: str, **filters: str) -> list[str]:
    return [fact.object for fact in search(app, query, Filters(**filters), 20).results]


@pytest.mark.parametrize(
    ("stored", "query"),
    [
        pytest.param("cellar/boxes/2044/list", "cellar/boxes/2044", id="path"),
        pytest.param("the miller's wheel", "miller's wheel", id="apostrophe"),
        pytest.param("engine 18.02.7", "engine 18.02.7", id="dotted version"),
        pytest.param("a take-home-test sheet", "take-home-test", id="hyphens"),
        pytest.param("NOTE: call back", "NOTE: call", id="colon"),
        pytest.param("turn AND run NOT walk", "AND run NOT", id="operator words"),
        pytest.param("near OR far", "NEAR(near far, 3)", id="operator syntax"),
        pytest.param(
            "http://wiki.example.net/x-y/z?q=1&r=%2F#top",
            "http://wiki.example.net/x-y/z?q=1&r=%2F#top",
            id="url",
        ),
        pytest.param("billing-api-eu", "billing-api-eu", id="identifier whole"),
        pytest.param("billing-api-eu", "api", id="identifier part"),
        pytest.param("parseHttpResponse", "response", id="camel case part"),
        pytest.param("src/a/b.py:12", "b.py:12", id="file and line"),
        pytest.param("written in C++ since 2011", "C++", id="name with signs"),
        pytest.param("naïve façade", "naive facade", id="accents left out"),
        pytest.param("naive facade", "naïve façade", id="accents put in"),
        pytest.param("每天清晨巡逻码头区域", "巡逻", id="two Han characters"),
        pytest.param("每天清晨巡逻码头区域", "港", id="one absent Han character"),
        pytest.param("每天清晨巡逻码头区域", "码", id="one Han character"),
        pytest.param("検査valve-top完了", "valve-top", id="Latin glued to Han"),
        pytest.param("ห้องเย็นชั้นสอง", "เย็น", id="Thai inside a run"),
        pytest.param("لوحة المفاتيح", "المفاتيح", id="Arabic"),
        pytest.param("status 🛶 ready", "🛶", id="emoji"),
        pytest.param("running the mills", "run mill", id="inflections"),
        pytest.param("thermostat", "thermo", id="beginning of the last word"),
        pytest.param("ﬁne print", "fine", id="compatibility forms"),
    ],
)
def test_a_query_finds_the_fact_that_it_names(app: MemoryApp, stored: str, query: str) -> None:
    remember(app, Statement("Thing", "holds", stored))
    remember(app, Statement("Other", "shows", "unrelated words"))
    expected = [] if query == "港" else [stored]
    assert found(app, query) == expected


@pytest.mark.parametrize(
    "query", ["***", '"()*"', "^", "--", "()", ";", ":", "'", '"', "\u200b", "AND", "NOT"]
)
def test_a_query_without_a_stored_word_finds_nothing_and_is_no_error(app: MemoryApp, query: str) -> None:
    remember(app, Statement("Ferry", "crosses", "the strait"))
    assert found(app, query, subject="Ferry" if query == "\u200b" else "Nobody") in ([], ["the strait"])


def test_names_that_differ_in_signs_are_told_apart(app: MemoryApp) -> None:
    for language in ("C", "C++", "C#"):
        remember(app, Statement("Tool", "speaks", language))
    assert found(app, "C#") == ["C#"]
    assert found(app, "C++") == ["C++"]


def test_the_exact_word_comes_before_words_that_begin_with_it(app: MemoryApp) -> None:
    for number in range(30):
        remember(app, Statement(f"RFC-21{number}", "decides", "a topic"))
    results = search(app, "RFC-212", Filters(), 10).results
    assert results[0].subject == "RFC-212"


def test_facts_with_all_words_come_before_facts_with_some(app: MemoryApp) -> None:
    remember(app, Statement("First", "mentions", "copper wire"))
    remember(app, Statement("Second", "mentions", "the copper kettle"))
    remember(app, Statement("Third", "mentions", "an old kettle"))
    results = search(app, "copper kettle", Filters(), 10).results
    assert results[0].subject == "Second"
    assert {fact.subject for fact in results} == {"First", "Second", "Third"}
    assert [fact.score for fact in results] == sorted((fact.score for fact in results), reverse=True)


def test_one_unknown_word_does_not_empty_the_result(app: MemoryApp) -> None:
    remember(app, Statement("Baker", "prefers", "rye flour"))
    assert found(app, "baker horoscope flour") == ["rye flour"]


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        ({"subject": "ASH"}, 2),
        ({"subject": "%"}, 0),
        ({"subject": "A__"}, 0),
        ({"subject": "Ash' --"}, 0),
        ({"predicate": "grows in"}, 0),
        ({"predicate": "GROWS_IN"}, 2),
        ({"object": "South  Field"}, 2),
        ({"source": "x' OR '1'='1"}, 0),
        ({"source": "Rumour"}, 2),
        ({"source": "survey", "subject": "ash"}, 1),
    ],
)
def test_filters_are_exact_literal_and_blind_to_case(
    app: MemoryApp, filters: dict[str, str], expected: int
) -> None:
    remember(app, Statement("Ash", "grows_in", "north field", source="survey"))
    remember(app, Statement("Birch", "grows_in", "south field", source="rumour"))
    remember(app, Statement("Ash", "shades", "south field", source="rumour"))
    assert len(found(app, "", **filters)) == expected
    assert len(found(app, "field", **filters)) == expected


def test_the_source_filter_finds_every_source_of_a_fact(app: MemoryApp) -> None:
    remember(app, Statement("Gate", "is", "shut", source="first"))
    remember(app, Statement("gate", "is", "Shut", source="second"))
    assert found(app, "gate", source="second") == ["shut"]


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(max_size=60))
def test_no_text_raises(app: MemoryApp, query: str) -> None:
    if not query.isprintable():
        query = query.encode("utf-8", "replace").decode()
    with app.database.read() as connection:
        parsed = parse(query)
        for expression in (parsed.all_of(), any_of(connection, "facts", parsed, app.frequencies)):
            if expression:
                connection.exec_driver_sql(
                    "SELECT count(*) FROM facts_fts WHERE facts_fts MATCH ?", (expression,)
                ).all()


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(alphabet=st.characters(exclude_categories=("Cs", "Cc")), min_size=1, max_size=30))
def test_a_stored_text_with_words_is_found_by_itself(app: MemoryApp, text: str) -> None:
    text = text.strip() or "x"
    remember(app, Statement("Any", "holds", text))
    if parse(text).phrases:
        hits = search(app, text, Filters(object=text), 5).results
        assert [hit.object for hit in hits] == [hits[0].object] if hits else not parse(text).words


def test_words_in_most_rows_are_left_out_of_an_or(app: MemoryApp) -> None:
    with app.database.write() as connection:
        for number in range(COMMON_FROM + 10):
            record(
                connection,
                Statement(f"Crate {number}", "stands_in", "the common hall"),
                created_by="t",
                now=NOW,
            )
        record(connection, Statement("Lantern", "stands_in", "the common hall"), created_by="t", now=NOW)
    with app.database.read() as connection:
        chosen = any_of(connection, "facts", parse("common lantern hall"), app.frequencies)
    assert chosen == '"lantern"'


def test_has_more_says_whether_the_limit_cut_something_off(app: MemoryApp) -> None:
    for number in range(5):
        remember(app, Statement(f"Item {number}", "is", "a plain thing"))
    assert search(app, "thing", Filters(), 4).has_more
    assert not search(app, "thing", Filters(), 5).has_more


@pytest.mark.parametrize(
    ("extra", "more"),
    [
        pytest.param([], False, id="nothing else holds a word of it"),
        pytest.param(["a copper lamp"], True, id="another holds one word"),
        pytest.param(["a copper kettle too"], True, id="another holds all words"),
    ],
)
def test_a_full_answer_tells_whether_more_would_match(app: MemoryApp, extra: list[str], more: bool) -> None:
    for number in range(4):
        remember(app, Statement(f"Shelf {number}", "holds", "one copper kettle"))
    for text in extra:
        remember(app, Statement("Cupboard", "holds", text))
    found = search(app, "copper kettle", Filters(), 4)
    assert (len(found.results), found.has_more) == (4, more)


def test_of_equal_hits_the_fresh_one_comes_before_the_stale_one(app: MemoryApp) -> None:
    old = remember(app, Statement("Mill", "grinds", "rye")).fact
    with app.database.write() as connection:
        lifecycle.move(
            connection,
            "fact",
            old.id,
            LifecycleState.CANDIDATE,
            LifecycleState.STALE,
            reason="test",
            actor="test",
            now=old.created_at,
        )
    new = remember(app, Statement("Mill", "grinds", "rye")).fact
    assert [hit.id for hit in search(app, "mill rye", Filters(), 5).results] == [new.id, old.id]
