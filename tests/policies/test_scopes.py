"""Scopes are three kinds of names, matched whole."""

from __future__ import annotations

import pytest

from memory_server.policies.scopes import parse_scope, visible_from


@pytest.mark.parametrize(
    ("given", "stored"),
    [
        ("global", "global"),
        (" Global ", "global"),
        ("project:app", "project:app"),
        ("Project:My-App_2", "project:my-app_2"),
        ("repo:org/name", "repo:org/name"),
        ("repo:acme/web-ui.v2", "repo:acme/web-ui.v2"),
    ],
)
def test_a_scope_is_kept_trimmed_and_in_lower_case(given: str, stored: str) -> None:
    assert parse_scope(given) == stored


@pytest.mark.parametrize(
    "given",
    [
        "",
        "project:",
        "team:red",
        "project",
        "repo:a/b/c",
        "repo:/a",
        "repo:a/",
        "project:a b",
        "project:../up",
        "all",
        "project:" + "x" * 200,
        "project:\u212a",
        "repo:\u017fide",
        "project:caf\u00e9",
        "project:app\u200b",
        "project:app\x00",
    ],
)
def test_what_is_no_scope_is_refused_with_what_is_allowed(given: str) -> None:
    with pytest.raises(ValueError, match="project:<name>"):
        parse_scope(given)


@pytest.mark.parametrize(
    ("scope", "seen"),
    [(None, None), ("global", ("global",)), ("project:app", ("project:app", "global"))],
)
def test_a_reader_sees_its_own_scope_and_the_global_one(
    scope: str | None, seen: tuple[str, ...] | None
) -> None:
    assert visible_from(scope) == seen
