"""How a search for notes is read, and how notes are scored."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory_server.domain.errors import InvalidArgument
from memory_server.policies.knowledge_search import (
    KnowledgeQuery,
    check_search,
    fuse,
    holds_identifier,
    identifiers,
    rounded,
    score,
    tokens,
)


def asked(scope: str | None = None, *context_tags: str) -> KnowledgeQuery:
    return KnowledgeQuery("q", ("q",), frozenset(context_tags), scope, 5)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Deploy the Services to staging", ("deploy", "services", "staging")),
        ("deploy DEPLOY Deploy", ("deploy",)),
        ("how should I do it?", ()),
        ("x y z", ()),
        ('"quoted" (group) key:value -minus', ("quoted", "group", "key", "value", "minus")),
        ("vue.js, asp.net and c#", ("vue", "js", "asp", "net")),
        ("build_all_targets", ("build", "all", "targets")),
        ("NOT this OR that AND near(it)", ("not", "near")),
        # compatibility forms are folded first
        ("ﬂow Ｔｅｓｔ", ("flow", "test")),
        ("東京 タワー", ("東京", "タワー")),
        ("don't", ("don",)),
        ("🙂 !!! …", ()),
        ("", ()),
    ],
)
def test_a_query_becomes_words(text: str, found: tuple[str, ...]) -> None:
    assert tokens(text) == found


@pytest.mark.parametrize("word", ["नमस्ते", "தமிழ்", "สวัสดี", "עִבְרִית", "tiếng"])
def test_marks_do_not_break_words(word: str) -> None:
    # a word that falls apart at its vowel signs would be single letters, which are left out: nothing would be found
    assert len(tokens(word)) == 1


def test_marks_alone_are_no_word() -> None:
    assert tokens("\u0301\u0302 word") == ("word",)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({}, ["Query is required"]),
        ({"query": None}, ["Query is required"]),
        ({"query": ""}, ["Query is required"]),
        ({"query": 12}, ["Query is required"]),
        ({"query": "    "}, ["Query must be at least 3 characters"]),
        ({"query": "  ab "}, ["Query must be at least 3 characters"]),
        ({"query": "a" * 501}, ["Query must be at most 500 characters"]),
        ({"query": "\U0001f642" * 251}, ["Query must be at most 500 characters"]),
        ({"query": "fine", "limit": 0}, ["Limit must be a positive number"]),
        ({"query": "fine", "limit": 0.9}, ["Limit must be a positive number"]),
        ({"query": "fine", "limit": -3}, ["Limit must be a positive number"]),
        ({"query": "fine", "limit": "5"}, ["Limit must be a positive number"]),
        ({"query": "fine", "limit": None}, ["Limit must be a positive number"]),
        ({"query": "fine", "limit": True}, ["Limit must be a positive number"]),
        ({"query": "fine", "limit": float("nan")}, ["Limit must be a positive number"]),
        ({"query": "fine", "limit": float("-inf")}, ["Limit must be a positive number"]),
        ({"query": "fine", "limit": -(10**400)}, ["Limit must be a positive number"]),
        ({"query": "fine", "contextTags": "tag"}, ["contextTags must be an array of strings"]),
        ({"query": "fine", "contextTags": ["tag", 1]}, ["contextTags must be an array of strings"]),
        ({"query": "fine", "scope": 1}, ["Scope must be a string"]),
        ({"query": "x", "limit": 0}, ["Query must be at least 3", "Limit must be"]),
    ],
)
def test_a_search_that_does_not_do_is_told_why(arguments: dict[str, Any], said: list[str]) -> None:
    with pytest.raises(InvalidArgument) as caught:
        check_search(arguments)
    found = caught.value.details["errors"]
    assert len(found) == len(said)
    assert all(problem.startswith(part) for problem, part in zip(found, said, strict=True))


@pytest.mark.parametrize(
    ("given_limit", "limit"), [(1, 1), (1.9, 1), (20, 20), (21, 20), (1e9, 20), (1e400, 20), (10**400, 20)]
)
def test_limits_are_cut_down_to_whole_numbers_and_to_twenty(given_limit: float, limit: int) -> None:
    assert check_search({"query": "fine", "limit": given_limit}).limit == limit


@pytest.mark.parametrize(
    ("given_scope", "default", "scope"),
    [
        (None, None, None),
        ("", None, None),
        ("  ", None, None),
        (" Project:App ", None, "project:app"),
        # what is no scope holds nothing: global notes are found
        ("nonsense!", None, "nonsense!"),
        (None, "repo:a", "repo:a"),
        ("repo:b", "repo:a", "repo:b"),
        ("all", "repo:a", None),
    ],
)
def test_a_scope_is_looked_for_as_it_is_stored(
    given_scope: str | None, default: str | None, scope: str | None
) -> None:
    assert check_search({"query": "fine", "scope": given_scope}, default).scope == scope


def test_the_query_comes_back_as_it_was_asked() -> None:
    assert check_search({"query": "  Fine  ", "explain": True}).text == "  Fine  "


@pytest.mark.parametrize(
    ("relevance", "coverage", "tags", "scope", "query", "value"),
    [
        (2.0, 1, (), "global", asked(), 2.2),
        (2.0, 1, (), "repo:a", asked(), 2.0),
        (2.0, 1, (), "repo:a", asked("repo:a"), 2.5),
        (2.0, 1, (), "global", asked("repo:a"), 2.2),
        (2.0, 1, (), "global", asked("global"), 2.5),
        (2.0, 0.5, (), "repo:a", asked(), 1.0),
        (2.0, 1, ("x", "y"), "repo:a", asked(None, "x", "y", "z"), 2.4),
        (2.0, 1, ("X",), "repo:a", asked(None, "x"), 2.2),
        (0.0, 1, ("x",), "global", asked(None, "x"), 0.2),
        (-0.25, 1, (), "repo:a", asked(), -0.25),
    ],
)
def test_a_score_is_relevance_by_coverage_and_tags_plus_scope(
    relevance: float, coverage: float, tags: tuple[str, ...], scope: str, query: KnowledgeQuery, value: float
) -> None:
    assert score(relevance, coverage, tags, scope, query) == value


@pytest.mark.parametrize(
    ("value", "shown"),
    [(1.0005, 1.001), (1.0004, 1.0), (0.0005, 0.001), (-0.0005, 0.0), (-0.0015, -0.001), (-0.2345, -0.234)],
)
def test_scores_are_rounded_half_up(value: float, shown: float) -> None:
    assert str(rounded(value, 1000)) == str(shown)


def test_context_tags_count_once() -> None:
    query = check_search({"query": "fine", "contextTags": ["Api", "api", "API"]})
    assert score(1.0, 1, ("api",), "repo:a", query) == 1.1


@pytest.mark.parametrize(
    ("by_word", "by_meaning", "exact", "order"),
    [
        (["a", "b"], ["b", "a"], (), ["a", "b"]),
        (["a"], ["x"], (), ["a", "x"]),
        (["a", "b"], ["x"], (), ["a", "x", "b"]),
        (["a", "b"], ["x"], ("b",), ["b", "a", "x"]),
        (["a", "b"], ["a", "x"], ("b",), ["b", "a", "x"]),
        ([], ["x", "y"], (), ["x", "y"]),
        ([], [], (), []),
    ],
)
def test_two_rankings_are_fused_and_nothing_comes_ahead_of_an_exact_name(
    by_word: list[str], by_meaning: list[str], exact: tuple[str, ...], order: list[str]
) -> None:
    assert [memory_id for memory_id, _ in fuse(by_word, by_meaning, exact)] == order


def test_a_fused_score_is_the_sum_of_reciprocal_ranks() -> None:
    assert dict(fuse(["a", "b"], ["b"])) == {"a": 0.090909, "b": 0.174242}


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("why does E1234 happen", ("e1234",)),
        ("parseHeader fails", ("parseheader",)),
        ("the billing-api, again", ("billing-api",)),
        ("set MAX_RETRIES to 5", ("max_retries",)),
        ("edit src/app.py!", ("src/app.py",)),
        ("Plain words only here", ()),
        ("it's the user's note", ()),
    ],
)
def test_names_are_told_from_words(text: str, names: tuple[str, ...]) -> None:
    assert identifiers(text) == names


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("Call billing-api first", True),
        ("call BILLING-API.", True),
        ("billing-api-v2", False),
        ("billing api", False),
    ],
)
def test_a_name_is_held_whole(text: str, holds: bool) -> None:
    assert holds_identifier(text, ["billing-api"]) is holds


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=60))
def test_any_text_can_be_read(text: str) -> None:
    assert all(len(token) > 0 and '"' not in token for token in tokens(text))
    identifiers(text)
