"""What a note has to look like and what makes two the same, in the terms of ECMAScript."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory_server.domain.errors import InvalidArgument
from memory_server.domain.knowledge import Note, NoteChanges
from memory_server.policies.knowledge import (
    check_changes,
    check_note,
    content_hash,
    kept_scope,
    kept_tags,
    length,
    title_key,
    trimmed,
)
from memory_server.policies.scopes import parse_scope

TITLE = "Close the file handles"
CONTENT = "A handle that is opened in a loop is closed in that loop, never at the end of the run."
FACE = "\U0001f642"
NBSP, BOM, NEXT_LINE = "\u00a0", "\ufeff", "\u0085"


def problems(arguments: dict[str, Any]) -> list[str]:
    with pytest.raises(InvalidArgument) as caught:
        check_note(arguments)
    assert caught.value.message == "; ".join(caught.value.details["errors"])
    return list(caught.value.details["errors"])


@pytest.mark.parametrize(
    ("title", "said"),
    [
        ("t" * 9, "at least 10"),
        ("t" * 101, "at most 100"),
        (FACE * 4, "at least 10"),
        (FACE * 51, "at most 100"),
        ("  t  ", "at least 10"),
        (f"{NBSP}{BOM}\u2028", "required"),
        ("", "required"),
        (None, "required"),
        (17, "string"),
        (["a title in a list"], "string"),
    ],
)
def test_a_title_that_does_not_do_is_told_why(title: Any, said: str) -> None:
    (problem,) = problems({"title": title, "content": CONTENT})
    assert problem.startswith("Title")
    assert said in problem


@pytest.mark.parametrize("title", ["t" * 10, "t" * 100, FACE * 5, FACE * 50, f"{BOM} {'t' * 10}\n"])
def test_lengths_count_utf_16_units_of_the_trimmed_text(title: str) -> None:
    assert check_note({"title": title, "content": CONTENT}).title == trimmed(title)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("c" * 49, ["at least 50"]),
        ("c" * 5_001, ["at most 5000"]),
        (None, ["required"]),
        ("\t\n", ["required"]),
        (False, ["string"]),
        ("todo", ["at least 50", "too generic"]),
        ("  Note To Self   " + "c" * 60, ["too generic"]),
        ("NEVER DO " + "c" * 60, ["too generic"]),
        ("always do", ["at least 50", "too generic"]),
    ],
)
def test_a_content_that_does_not_do_is_told_why(content: Any, said: list[str]) -> None:
    found = problems({"title": TITLE, "content": content})
    assert len(found) == len(said)
    assert all(part in problem for part, problem in zip(said, found, strict=True))


@pytest.mark.parametrize("opening", ["todo: ", "fix this\n", "Remember this\u00a0", "todos are kept in "])
def test_an_opening_is_generic_only_with_a_plain_blank_behind_it(opening: str) -> None:
    assert check_note({"title": TITLE, "content": opening + "c" * 60}).content.startswith(opening)


@pytest.mark.parametrize(
    "tag", ["", "two words", "under_score", "-x", "dot.ted", " x", "x\n", "ü", "\u212a", 5, None, ["x"]]
)
def test_a_tag_is_ascii_letters_digits_and_hyphens(tag: Any) -> None:
    (problem,) = problems({"title": TITLE, "content": CONTENT, "tags": ["good", tag]})
    assert problem.startswith("Invalid tag")


def test_tags_are_counted_before_repeats_are_dropped() -> None:
    assert problems({"title": TITLE, "content": CONTENT, "tags": ["x"] * 11}) == ["Maximum 10 tags allowed"]
    assert check_note({"title": TITLE, "content": CONTENT, "tags": ["x"] * 10}).tags == ("x",)


def test_a_tag_may_be_long() -> None:
    assert check_note({"title": TITLE, "content": CONTENT, "tags": ["x" * 500]}).tags == ("x" * 500,)


@pytest.mark.parametrize("tags", ["x", {"x": 1}, 4, True])
def test_tags_of_another_type_are_told_so(tags: Any) -> None:
    assert problems({"title": TITLE, "content": CONTENT, "tags": tags}) == [
        "Tags must be an array of strings"
    ]


@pytest.mark.parametrize(
    "scope",
    [
        *("team:a", "project:", "repo:a/b/c", " global ", " ", "project:a\n", "repo:a b", 3, ["global"]),
        # white space elsewhere, and a letter that becomes one of ASCII in lower case
        *(
            "global\x1c",
            f"project:a{NEXT_LINE}",
            "\x1fglobal",
            f"repo:a{NBSP}",
            f"{BOM}global",
            "project:\u212a",
        ),
    ],
)
def test_a_scope_is_one_of_three_kinds_as_it_stands(scope: Any) -> None:
    (problem,) = problems({"title": TITLE, "content": CONTENT, "scope": scope})
    assert problem.startswith("Invalid scope")


@pytest.mark.parametrize(
    ("given_scope", "kept"),
    [
        (None, "global"),
        ("", "global"),
        ("GLOBAL", "global"),
        ("Project:Web-App_2", "project:web-app_2"),
        ("project:_internal", "project:_internal"),
        # names of repositories have dots and an owner
        ("repo:Owner/web.app", "repo:owner/web.app"),
    ],
)
def test_a_scope_is_kept_in_lower_case(given_scope: str | None, kept: str) -> None:
    assert check_note({"title": TITLE, "content": CONTENT, "scope": given_scope}).scope == kept


@given(
    st.builds(
        "".join,
        st.tuples(
            st.text(f" \n\x1c\x85{NBSP}{BOM}", max_size=1),
            st.sampled_from(["global", "GLOBAL", "project:", "Repo:"]),
            st.text("aZ\u212a\u017f\u0130./_-\x1c\x85", max_size=4),
        ),
    )
)
def test_a_scope_that_is_kept_is_one_that_every_reader_can_name(scope: str) -> None:
    try:
        kept = check_note({"title": TITLE, "content": CONTENT, "scope": scope}).scope
    except InvalidArgument:
        return
    assert kept == parse_scope(kept) == scope.lower()


def test_all_complaints_come_together_and_in_order() -> None:
    found = problems({"title": "x", "content": "y", "tags": ["a b", *["t"] * 10], "scope": "here"})
    assert [problem.split()[0] for problem in found] == ["Title", "Content", "Maximum", "Invalid", "Invalid"]
    assert "tag" in found[3]
    assert "scope" in found[4]


def test_what_is_unknown_is_ignored_and_what_is_null_or_missing_has_its_default() -> None:
    given_note = {"title": TITLE, "content": CONTENT, "tags": None, "scope": None, "priority": {"a": 1}}
    assert check_note(given_note) == Note(TITLE, CONTENT, (), "global")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({}, ["ID is required", "At least one field"]),
        ({"id": " ", "tags": []}, ["ID is required"]),
        ({"id": 4, "tags": []}, ["ID must be a string"]),
        ({"id": "a"}, ["At least one field"]),
        ({"id": "a", "title": None}, ["Title is required"]),
        ({"id": "a", "content": None}, ["Content is required"]),
        ({"id": "a", "tags": None}, ["Tags must be an array"]),
        ({"id": "", "title": "x", "scope": "y"}, ["ID is required", "Title must be", "Invalid scope"]),
    ],
)
def test_changes_that_do_not_do_are_told_why(arguments: dict[str, Any], said: list[str]) -> None:
    with pytest.raises(InvalidArgument) as caught:
        check_changes(arguments)
    found = caught.value.details["errors"]
    assert len(found) == len(said)
    assert all(problem.startswith(part) for problem, part in zip(found, said, strict=True))


@pytest.mark.parametrize(
    ("arguments", "changes"),
    [
        ({"title": f" {TITLE} "}, NoteChanges(title=TITLE)),
        ({"tags": ["B", "b", "a"]}, NoteChanges(tags=("b", "a"))),
        ({"tags": []}, NoteChanges(tags=())),
        ({"scope": None}, NoteChanges(scope="global")),
        ({"scope": ""}, NoteChanges(scope="global")),
        ({"scope": "Repo:A"}, NoteChanges(scope="repo:a")),
    ],
)
def test_only_what_is_given_changes(arguments: dict[str, Any], changes: NoteChanges) -> None:
    assert check_changes({"id": "an id", **arguments}) == ("an id", changes)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("Close  The\tFile", " close the file ", True),
        (f"close{NBSP}the file", "close the file", True),
        ("close\u2003the file", "close the file", True),
        (f"{BOM}close the file", "close the file", True),
        # to Python white space, to ECMAScript not
        (f"close{NEXT_LINE}the file", "close the file", False),
        ("close\u200bthe file", "closethe file", False),
        ("ÉTÉ", "été", True),
        ("e\u0301te", "\u00e9te", False),
        ("straße", "strasse", False),
    ],
)
def test_titles_are_compared_by_lower_case_and_single_blanks(one: str, other: str, same: bool) -> None:
    assert (title_key(one) == title_key(other)) is same


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("a\r\nb", "a\nb", True),
        ("a\rb", "a\nb", True),
        ("a\n\n\n\nb", "a\n\nb", True),
        ("a\r\n\r\n\r\nb", "a\n\nb", True),
        (f"{BOM}  a ", "a", True),
        ("a\n \n\nb", "a\n\nb", False),
        ("a", "A", False),
        ("a  b", "a b", False),
        ("e\u0301", "\u00e9", False),
    ],
)
def test_contents_are_compared_by_trimmed_text_and_line_ends(one: str, other: str, same: bool) -> None:
    assert (content_hash(one) == content_hash(other)) is same


def test_tags_and_scopes_are_folded() -> None:
    assert kept_tags(["Z", " z ", "", "  ", "a"]) == ("z", "a")
    assert [kept_scope(scope) for scope in (None, "", "  ", " Repo:X ")] == [
        "global",
        "global",
        "global",
        "repo:x",
    ]


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=40))
def test_folding_twice_is_folding_once(text: str) -> None:
    assert trimmed(trimmed(text)) == trimmed(text)
    assert title_key(title_key(text)) == title_key(text)
    assert length(text) == sum(2 if letter > "\uffff" else 1 for letter in text)
