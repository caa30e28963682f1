"""Whom a fact speaks of: names, -ing names, quoted names, descriptions with a name, and what pronouns mean."""

from __future__ import annotations

import pytest

from memory_server.policies.extraction import extract

Plain = tuple[str, str, str]


def facts(text: str) -> list[Plain]:
    return [(fact.subject, fact.predicate, fact.object) for fact in extract(text).facts]


@pytest.mark.parametrize(
    ("text", "subject"),
    [
        ("Shipping runs on Magpie.", "Shipping"),
        ("Booking is handled by Wren.", "Booking"),
        ("Hosting moved to Oslo.", "Hosting"),
        ("Training takes two weeks.", "Training"),
        ("Polling service uses Redis.", "Polling service"),
        ("Testing cluster has 3 nodes.", "Testing cluster"),
        ('Project "Magpie" uses Go.', "Project Magpie"),
        ('"Magpie" runs on Go.', "Magpie"),
        ("The “slow lane” is closed.", "slow lane"),
        ("The new cook, Ida, speaks Latvian.", "Ida"),
        ("My cousin, Ida, lives in Riga.", "Ida"),
    ],
)
def test_a_name_is_a_subject_whatever_it_looks_like(text: str, subject: str) -> None:
    assert facts(text)[0][0] == subject


@pytest.mark.parametrize(
    "text",
    [
        "Writing tests for the parser.",
        "Adding pages to the guide.",
        "Using revised figures.",
        "Switching to Go.",
    ],
)
def test_an_ing_form_that_does_something_is_no_name(text: str) -> None:
    assert facts(text) == []


def test_a_description_with_a_name_says_who_it_is() -> None:
    assert ("Ida", "is", "user's cousin") in facts("My cousin, Ida, lives in Riga.")


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        # somebody else speaks
        ("User: My cat is called Olm.\nAssistant: Try the Lark café; it is fully vegan.", "vegan"),
        # a figure is nobody
        ("We said 40 % is the most. Their contact is Bob.", "Bob"),
        # another section
        ("# Magpie\nMagpie is a broker.\n# Wren\nIt needs 4 GB of memory.", "4 GB"),
        # what one person is, several are not
        ("The shop's owner is Ida. They are both ill.", "ill"),
        # a person is no 'it'
        ("Ida says hello to Bob. It is written in Zig.", "Zig"),
    ],
)
def test_a_pronoun_does_not_reach_for_what_it_cannot_mean(text: str, wrong: str) -> None:
    assert not [fact for fact in facts(text) if wrong in fact[2]]


def test_it_means_what_the_clause_before_spoke_of() -> None:
    text = "Wren is a tool. The sensor was bent because it is made of tin."
    assert not [fact for fact in facts(text) if fact[0] == "Wren" and "tin" in fact[2]]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("My dog is very hungry.", ("user's dog", "is", "very hungry")),
        ("My favourite colour is green.", ("user", "favourite_colour", "green")),
        ("Magpie's status is active.", ("Magpie", "status", "active")),
        ("Magpie's port is 5672.", ("Magpie", "port", "5672")),
        ("My daughter Ida is 6.", ("user's daughter Ida", "is", "6")),
    ],
)
def test_a_quality_is_of_the_thing_and_a_value_of_its_owner(text: str, expected: Plain) -> None:
    assert facts(text) == [expected]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("- Likes: sailing, rye bread", [("user", "likes", "sailing, rye bread")]),
        ("- Prefers short answers", [("user", "prefers", "short answers")]),
        ("- Lives in Riga", [("user", "lives_in", "Riga")]),
        ("- Doesn't eat fish.", [("user", "does_not_eat", "fish")]),
        ("## About me\n- Name: Ida Berg", [("user", "name", "Ida Berg")]),
        ("## User\n- Likes: sailing", [("user", "likes", "sailing")]),
        (
            "## Ida Berg\n- Likes: sailing\n- Prefers tea",
            [("Ida Berg", "likes", "sailing"), ("Ida Berg", "prefers", "tea")],
        ),
        ("## Magpie\n- Stack: Go 1.24, htmx", [("Magpie", "stack", "Go 1.24, htmx")]),
        ("## Magpie\n- Tests: `make test` (needs Bash)", [("Magpie", "tests", "`make test` (needs Bash)")]),
    ],
)
def test_a_note_without_a_subject_is_about_its_writer(text: str, expected: list[Plain]) -> None:
    assert facts(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "# Site call\nAttendees: Ida, Bob\nFacilitator: Bob",
        "Subject: Re: new stairs\nFrom: Ida <ida@example.org>\nTo: bob@example.org",
    ],
)
def test_who_was_there_and_how_a_letter_went_are_no_facts(text: str) -> None:
    assert facts(text) == []


def test_both_is_no_part_of_a_name() -> None:
    assert [fact[0] for fact in facts("Both Ida and Bob speak Greek.")] == ["Ida", "Bob"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Date: 2026-01-14\nStatus: accepted", []),
        ("Magpie: no replay", [("Magpie", "has_no", "replay")]),
        ("Short notes from Ida's call with Teal:", []),
        ("btw my boat is a yawl", [("user's boat", "is_a", "yawl")]),
        ("Assistant: and remember that staging is on 14", [("staging", "is_on", "14")]),
        ("also pls never feed the cat", []),
    ],
)
def test_lines_that_state_nothing_give_nothing(text: str, expected: list[Plain]) -> None:
    assert facts(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ms. Berg runs the shop. Her cook is Olaf. He speaks Latvian.", ("Olaf", "speaks", "Latvian")),
        ("Ida's train leaves at 9:20. She stays in Riga.", ("Ida", "stays_in", "Riga")),
        ("My mom's party is on 2 June. She can't eat nuts.", ("user's mom", "cannot_eat", "nuts")),
        ("Ida's brother left early. He stays in Riga.", ("Ida's brother", "stays_in", "Riga")),
        ("Floods were rare. They were seen in May.", ("Floods", "was_seen_in", "May")),
        ("It turns out our pump runs at night.", ("user's pump", "runs_at", "night")),
        ("TIL that Magpie has a strict mode.", ("Magpie", "has", "a strict mode")),
        ("PS the spare key is under the mat.", ("spare key", "is_under", "the mat")),
        ("The permit covers repairs.", ("permit", "covers", "repairs")),
        ("The bill amounts to 90 €.", ("bill", "amounts_to", "90 €")),
        ("The pump is off.", ("pump", "is", "off")),
    ],
)
def test_what_a_reader_would_note_is_noted_of_the_right_one(text: str, expected: Plain) -> None:
    assert expected in facts(text)


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("Ms. Berg runs the shop. He speaks Latvian.", "Latvian"),
        ("Dear Mr. Olsen, thank you for the wood.", "thank"),
        ("The oven is new. This month it should be less.", "less"),
        ("Ida feeds him twice a day.", "him"),
        ("The job takes long (was 22).", "22"),
        ("Bob's (Ida's brother) favourite dish is pho.", "brother_favourite"),
    ],
)
def test_what_no_reader_would_note_is_left_out(text: str, wrong: str) -> None:
    assert not [fact for fact in facts(text) if wrong in " ".join(fact)]
