"""How the arguments of a tool are read off its signature and how calls are held against them."""

from __future__ import annotations

import json
import math
from typing import Annotated, Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, Field

from memory_server.domain.errors import InvalidArgument, MemoryServerError, PayloadTooLarge
from memory_server.tools.arguments import Empty, TooLong, arguments_of, object_schema
from memory_server.tools.checking import check_arguments, is_blank, nearest, shown

Name = Annotated[str, Field(description="What it is called", min_length=1, max_length=20)]


class Leaf(BaseModel):
    kind: Literal["oak", "elm"] = Field(description="Which tree")
    weight: Annotated[float, Field(ge=0, le=1, description="How much")] = 0.5
    note: Annotated[str, Field(max_length=5)] | None = None


def plant(
    app: Any,
    *,
    name: Name,
    query: Annotated[str, Field(description="May be empty", max_length=10)],
    only: Annotated[Name, Field(description="Only this one")] | None = None,
    mode: Annotated[Literal["full", "quick"], Field(description="How")] = "full",
    state: Annotated[Literal["active", "gone", ""], Field(description="State")] = "active",
    limit: Annotated[int, Field(description="How many", ge=1, le=100)] = 10,
    share: Annotated[float, Field(description="Share", ge=0.0, le=1.0)] = 0.5,
    deep: Annotated[bool, Field(description="Dig deep")] = False,
    tags: Annotated[
        tuple[Annotated[str, Field(min_length=1, max_length=8)], ...],
        Field(description="Labels", max_length=3),
    ] = (),
    leaves: Annotated[list[Leaf], Field(description="Leaves", max_length=4)] | None = None,
    text: Annotated[str, Field(description="Long text", max_length=30), TooLong.PAYLOAD] | None = None,
    task: Annotated[str, Field(description="A task", max_length=10), TooLong.CUT] = "none",
    motto: Annotated[str, Field(description="A motto"), Empty.COUNTS] = "grow",
) -> None:
    """A tool that has one argument of each sort."""


ARGUMENTS = arguments_of(plant)
FULL = {"name": "Fir", "query": ""}


def checked(**given: Any) -> dict[str, Any]:
    return check_arguments("plant", ARGUMENTS, FULL | given)


def refused(**given: Any) -> MemoryServerError:
    with pytest.raises(MemoryServerError) as caught:
        checked(**given)
    assert "\n" not in caught.value.message
    json.dumps(caught.value.details)
    return caught.value


def test_defaults_fill_what_is_not_given() -> None:
    assert checked() == {
        "name": "Fir",
        "query": "",
        "only": None,
        "mode": "full",
        "state": "active",
        "limit": 10,
        "share": 0.5,
        "deep": False,
        "tags": (),
        "leaves": None,
        "text": None,
        "task": "none",
        "motto": "grow",
    }


@pytest.mark.parametrize("nothing", [None, "", "  ", "\u200b\ufeff"])
@pytest.mark.parametrize(
    "argument", ["only", "mode", "limit", "share", "deep", "tags", "leaves", "text", "task"]
)
def test_null_and_blank_mean_not_given_for_an_optional_argument(argument: str, nothing: Any) -> None:
    assert checked(**{argument: nothing})[argument] == checked()[argument]


@pytest.mark.parametrize(
    ("argument", "given", "taken"),
    [
        ("name", "  Fir \n", "Fir"),
        ("name", "a\u200bb", "a\u200bb"),
        ("name", "界" * 20, "界" * 20),
        ("query", "   ", ""),
        ("limit", "3", 3),
        ("limit", 3.0, 3),
        ("limit", " 100 ", 100),
        ("share", "0.25", 0.25),
        ("share", 0, 0.0),
        ("share", 1, 1.0),
        ("share", 1e-300, 1e-300),
        ("deep", "True", True),
        ("mode", "QUICK ", "quick"),
        ("state", "", ""),
        ("tags", ["a ", "b"], ("a", "b")),
        ("tags", '["a", "b"]', ("a", "b")),
        ("leaves", '[{"kind": "elm"}]', [Leaf(kind="elm")]),
        ("leaves", ['{"kind": "elm", "weight": "1"}'], [Leaf(kind="elm", weight=1.0)]),
        ("leaves", [{"kind": "oak", "weight": None, "note": ""}], [Leaf(kind="oak")]),
        ("task", "abcdefghijklmnopqrstuvwxyz", "abcdevwxyz"),
        ("motto", "", ""),
    ],
)
def test_what_is_understood_is_taken(argument: str, given: Any, taken: Any) -> None:
    value = checked(**{argument: given})[argument]
    assert value == taken
    assert type(value) is type(taken)


@pytest.mark.parametrize(
    ("argument", "given", "said"),
    [
        ("name", None, "name is required: text of 1 to 20 characters"),
        ("name", "", 'name must not be blank: text of 1 to 20 characters, not ""'),
        ("name", " \u200b\ufeff\u00a0", "name must not be blank"),
        ("name", 42, "name must be text: text of 1 to 20 characters, not 42"),
        ("name", True, "name must be text"),
        ("name", ["a"], 'name must be text: text of 1 to 20 characters, not ["a"]'),
        ("name", {"k": 1}, "name must be text"),
        ("name", "x" * 21, "name is too long with 21 characters: text of 1 to 20 characters"),
        ("name", "a\0b", "holds a NUL character"),
        ("name", "a\ud83d", "holds half a surrogate pair"),
        ("query", None, "query is required"),
        ("mode", "bogus", 'mode is unknown: one of full, quick, not "bogus"'),
        ("limit", 0, "limit is out of bounds: a whole number from 1 to 100, not 0"),
        ("limit", 101, "limit is out of bounds"),
        ("limit", -1, "limit is out of bounds"),
        ("limit", 1.5, "limit must be a whole number"),
        ("limit", True, "limit must be a whole number"),
        ("limit", "ten", 'limit must be a whole number: a whole number from 1 to 100, not "ten"'),
        ("limit", "1_0", "limit must be a whole number"),
        ("limit", 10**400, "limit is out of bounds"),
        ("share", 1.5, "share is out of bounds: a number from 0.0 to 1.0, not 1.5"),
        ("share", math.nan, "share must be a finite number"),
        ("share", math.inf, "share must be a finite number"),
        ("share", "nan", "share must be a finite number"),
        ("share", "1e999", "share must be a finite number"),
        ("share", 10**400, "share must be a finite number"),
        ("share", False, "share must be a finite number"),
        ("deep", 1, "deep must be true or false"),
        ("tags", "a, b", "tags must be a list: a list of at most 3 items, each text of 1 to 8 characters"),
        ("tags", {"a": 1}, "tags must be a list"),
        ("tags", ["a", "b", "c", "d"], "tags has too many items with 4"),
        ("tags", ["a", 1], "tags[1] must be text"),
        ("tags", ["a", " "], "tags[1] must not be blank"),
        ("tags", ["a", "b" * 9], "tags[1] is too long"),
        ("tags", '["a\\u0000"]', "tags holds a NUL"),
        ("leaves", [{}], "leaves[0].kind is required: one of oak, elm"),
        ("leaves", [{"kind": "elm", "weight": 2}], "leaves[0].weight is out of bounds"),
        (
            "leaves",
            [{"kind": "elm", "wight": 1}],
            'unknown argument "wight" of leaves[0]; did you mean weight?',
        ),
        ("leaves", ["elm"], "leaves[0] must be an object: an object with kind, weight, note"),
        ("leaves", "[" * 5000, "leaves must be a list"),
    ],
)
def test_what_is_wrong_is_refused_with_argument_value_and_what_is_allowed(
    argument: str, given: Any, said: str
) -> None:
    error = refused(**{argument: given})
    assert isinstance(error, InvalidArgument)
    assert said in error.message
    assert error.details["argument"].startswith(argument)
    assert error.details["allowed"]
    assert len(error.message) < 250


def test_a_missing_required_argument_is_named() -> None:
    with pytest.raises(InvalidArgument, match="name is required"):
        check_arguments("plant", ARGUMENTS, {"query": "x"})


@pytest.mark.parametrize(
    ("wrong", "right"), [("limits", "limit"), ("Limit", "limit"), ("querry", "query"), ("leafs", "leaves")]
)
def test_an_unknown_argument_is_refused_with_the_nearest_known_one(wrong: str, right: str) -> None:
    error = refused(**{wrong: 1})
    assert f'unknown argument "{wrong}" of plant; did you mean {right}?' in error.message
    assert error.details["nearest"] == right
    assert error.details["allowed"] == [argument.name for argument in ARGUMENTS]


def test_an_unknown_argument_like_no_other_lists_the_known_ones() -> None:
    error = refused(zzzz=1)
    assert "did you mean" not in error.message
    assert "it takes name, query" in error.message


def test_what_a_client_adds_to_every_call_is_dropped() -> None:
    assert checked(wait_for_previous=True) == checked()


def test_a_text_beyond_what_one_call_may_bring_is_too_large() -> None:
    error = refused(text="x" * 31)
    assert isinstance(error, PayloadTooLarge)
    assert error.details == {"argument": "text", "allowed": "text of at most 30 characters", "length": 31}


def test_bottomless_nesting_is_refused() -> None:
    nested: Any = "x"
    for _ in range(5000):
        nested = [nested]
    assert "nested too deeply" in refused(leaves=nested).message


def test_an_object_key_is_text_too() -> None:
    assert "NUL" in refused(leaves=[{"kind\0": "elm"}]).message


def test_the_schema_is_flat_and_says_limits_and_defaults_in_words() -> None:
    schema = object_schema(ARGUMENTS)
    assert schema["type"] == "object"
    assert schema["required"] == ["name", "query"]
    assert schema["additionalProperties"] is False
    properties = schema["properties"]
    assert properties["name"] == {
        "type": "string",
        "description": "What it is called (1 to 20 characters)",
        "maxLength": 20,
        "minLength": 1,
    }
    assert properties["only"] == {
        "type": "string",
        "description": "Only this one (1 to 20 characters)",
        "maxLength": 20,
    }
    assert properties["mode"] == {
        "type": "string",
        "description": "How (default full)",
        "enum": ["full", "quick"],
        "default": "full",
    }
    assert "enum" not in properties["state"], "an empty enum value is refused by some clients"
    assert properties["limit"] == {
        "type": "integer",
        "description": "How many (from 1 to 100; default 10)",
        "minimum": 1,
        "maximum": 100,
        "default": 10,
    }
    assert properties["deep"] == {
        "type": "boolean",
        "description": "Dig deep (default false)",
        "default": False,
    }
    assert properties["tags"] == {
        "type": "array",
        "description": "Labels (at most 3; each text of 1 to 8 characters)",
        "maxItems": 3,
        "items": {"type": "string", "maxLength": 8, "minLength": 1},
        "default": [],
    }
    assert properties["leaves"]["items"]["properties"]["weight"]["default"] == 0.5
    assert properties["text"]["maxLength"] == 30
    assert "maxLength" not in properties["task"], "a longer task is not an error"
    for word in ("$ref", "$defs", "anyOf", "oneOf", "null", "title", "pattern", "format", "const"):
        assert f'"{word}"' not in json.dumps(schema)


def test_a_type_that_no_portable_schema_can_say_is_a_programming_error() -> None:
    def tool(app: Any, *, table: dict[str, Any]) -> None: ...

    with pytest.raises(TypeError, match="table"):
        arguments_of(tool)


@given(
    st.dictionaries(
        st.sampled_from([a.name for a in ARGUMENTS]),
        st.recursive(
            st.none()
            | st.booleans()
            | st.integers()
            | st.floats()
            | st.text(st.characters(exclude_categories=())),
            lambda inner: (
                st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
            ),
            max_leaves=6,
        ),
    )
)
def test_whatever_is_sent_is_taken_or_refused_in_one_encodable_line(arguments: dict[str, Any]) -> None:
    try:
        taken = check_arguments("plant", ARGUMENTS, arguments)
    except MemoryServerError as error:
        json.dumps({"m": error.message, "d": error.details}, ensure_ascii=False, allow_nan=False).encode()
        assert "\n" not in error.message
    else:
        assert set(taken) == {argument.name for argument in ARGUMENTS}
        assert 1 <= len(taken["name"]) <= 20
        assert 1 <= taken["limit"] <= 100
        assert 0 <= taken["share"] <= 1


@pytest.mark.parametrize(
    ("text", "blank"),
    [
        ("", True),
        (" \t\n", True),
        ("\u200b\u2060\ufeff", True),
        ("\u00a0\u3000", True),
        ("\u2028", True),
        (".", False),
        ("\u0301", False),
    ],
)
def test_white_space_and_format_characters_alone_are_blank(text: str, blank: bool) -> None:
    assert is_blank(text) is blank


def test_quoted_values_are_short_and_on_one_line() -> None:
    assert shown("a\nb") == '"a\\nb"'
    assert len(shown("x" * 1000)) == 60
    assert shown("\ud83d") == '"?"'


def test_the_nearest_name_ignores_case_and_hyphens() -> None:
    assert nearest("Min-Confidence", ["min_confidence", "limit"]) == "min_confidence"
    assert nearest("qqq", ["min_confidence", "limit"]) is None
