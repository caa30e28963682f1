"""What a talk tells about its turns, and a question about a talk."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_server.policies.conversation import (
    INDEXED_LENGTH,
    asks_machine,
    heading,
    is_person,
    is_standing,
    named_speaker,
    surroundings,
)


@pytest.mark.parametrize(
    ("speaker", "moment", "shown"),
    [
        ("Ines", "2026-03-09T08:00:00.000000Z", "[2026-03-09, 9 March 2026] Ines: "),
        (None, "2026-03-09T08:00:00.000000Z", "[2026-03-09, 9 March 2026] "),
        ("Ines", None, "Ines: "),
        (None, None, ""),
    ],
)
def test_a_heading_names_day_and_speaker(speaker: str | None, moment: str | None, shown: str) -> None:
    assert heading(speaker, moment) == shown


def test_surroundings_are_nearest_first_and_two_either_way() -> None:
    assert surroundings(["a", "b", "c", "d", "e", "f", "g"], 3) == "c\ne\nb\nf"
    assert surroundings(["a", "b"], 0) == "b"
    assert surroundings(["a"], 0) == ""


def test_a_long_turn_leaves_its_neighbours_no_room() -> None:
    assert surroundings(["near", "x" * INDEXED_LENGTH, "near"], 1) == ""
    assert len(surroundings(["n" * 500, "x" * 400, "m" * 500], 1)) == 200


@given(st.lists(st.text(max_size=400), min_size=1, max_size=6), st.data())
def test_turn_and_surroundings_keep_to_the_indexed_length(turns: list[str], data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(turns) - 1))
    around = surroundings(turns, at)
    assert len(around.replace("\n", "")) <= max(0, INDEXED_LENGTH - len(turns[at]))


@pytest.mark.parametrize(
    ("speaker", "person"),
    [
        ("Ines", True),
        ("user", True),
        ("assistant", False),
        ("Assistant ", False),
        ("AI", False),
        (None, False),
    ],
)
def test_machines_are_known_by_their_names(speaker: str | None, person: bool) -> None:
    assert is_person(speaker) is person


@pytest.mark.parametrize(
    ("text", "standing"),
    [
        ("Always answer in metric units.", True),
        ("From now on keep the replies short", True),
        ("I prefer tea to coffee", True),
        ("i'd prefer an aisle seat", True),
        ("please never call before nine", True),
        ("We took the ferry on Tuesday.", False),
        ("How long is the crossing?", False),
    ],
)
def test_standing_wishes_are_known_by_their_words(text: str, standing: bool) -> None:
    assert is_standing(text) is standing


@pytest.mark.parametrize(
    ("question", "machine"),
    [
        ("What did you recommend for the roof?", True),
        ("Which of the three had you suggested?", True),
        ("What was your advice on the lease?", True),
        ("You told me about a museum: which?", True),
        ("What would you suggest for the roof?", False),
        ("What did Ines recommend?", False),
    ],
)
def test_questions_about_the_assistants_own_words_are_told_apart(question: str, machine: bool) -> None:
    assert asks_machine(question) is machine


@pytest.mark.parametrize(
    ("question", "speaker"),
    [
        ("What did Ines plant?", "Ines"),
        ("what did INES plant", "Ines"),
        ("What is Tomas's boat called?", "Tomas Vale"),
        ("What did Ines tell Tomas?", None),
        ("What grows in the garden?", None),
        ("Does the assistant know Inessa?", None),
    ],
)
def test_a_speaker_is_named_when_exactly_one_known_person_is(question: str, speaker: str | None) -> None:
    assert named_speaker(question, ["Ines", "Tomas Vale", "assistant"]) == speaker


@given(st.text())
def test_any_text_may_be_asked(text: str) -> None:
    named_speaker(text, [text, "Ines"])
    asks_machine(text)
    is_standing(text)
