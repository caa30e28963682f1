"""What is said beside an object is told apart from it, and nothing of the sense is lost."""

from __future__ import annotations

import pytest

from memory_server.policies.extraction import extract

Plain = tuple[str, str, str]


def facts(text: str) -> list[Plain]:
    return [(fact.subject, fact.predicate, fact.object) for fact in extract(text).facts]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # an address and a port
        (
            "Magpie runs on SQLite 3 at 172.16.4.9, port 5672.",
            [
                ("Magpie", "runs_on", "SQLite 3"),
                ("Magpie", "runs_at", "172.16.4.9"),
                ("Magpie", "port", "5672"),
            ],
        ),
        # when
        (
            "Magpie was forked by Ida in 2019.",
            [("Magpie", "was_forked_by", "Ida"), ("Magpie", "was_forked_in", "2019")],
        ),
        (
            "Ida was born in Riga on 4 June 1988.",
            [("Ida", "born_in", "Riga"), ("Ida", "born_on", "4 June 1988")],
        ),
        ("Ida founded the choir in 2011.", [("Ida", "founded", "the choir in 2011")]),
        ("The shop moved to Turin last month.", [("shop", "moved_to", "Turin")]),
        ("The team met on Tuesday.", [("team", "met_on", "Tuesday")]),
        # what comes after a comma is no thing of the verb before it
        ("Ida finished the wall, starts on the roof.", [("Ida", "finished", "wall")]),
        ("Bob: blocked, waits for the key.", []),
        # from where to where
        ("Ida moved from Riga to Turin.", [("Ida", "moved_from", "Riga"), ("Ida", "moved_to", "Turin")]),
        (
            "The limit was raised from 3 MB to 7 MB.",
            [("limit", "was_raised_from", "3 MB"), ("limit", "was_raised_to", "7 MB")],
        ),
        ("Magpie copies files from disk to tape.", [("Magpie", "copies", "files from disk to tape")]),
        # as what
        ("Ida works at Teal as a welder.", [("Ida", "works_at", "Teal"), ("Ida", "works_as", "a welder")]),
        # fillers, and what it is instead of
        ("Magpie doesn't use Redis any more.", [("Magpie", "does_not_use", "Redis")]),
        ("Magpie uses Redis, by the way.", [("Magpie", "uses", "Redis")]),
        ("Ida likes tea too.", [("Ida", "likes", "tea")]),
        ("The limit is now 7 MB instead of 3 MB.", [("limit", "is", "7 MB")]),
        # particles and numbers
        ("The old pump will be switched off on Friday.", [("old pump", "will_be_switched_off_on", "Friday")]),
        ("Each lane takes up to 40 cars.", [("Each lane", "takes", "up to 40 cars")]),
        ("The lamp doesn't last longer than 2 hours.", [("lamp", "does_not_last", "longer than 2 hours")]),
        ("The pump is too loud in my opinion.", [("pump", "is", "too loud")]),
        ("The pump costs us 90 € a year.", [("pump", "costs", "90 € a year")]),
        ("The wood was not sold to Bob but to Ida.", [("wood", "was_not_sold_to", "Bob")]),
        ("The load went from 9 kg to 3 kg.", [("load", "went_from", "9 kg"), ("load", "went_to", "3 kg")]),
        # what holds only then is kept with what holds
        (
            "The alarm calls the guard when the door is open.",
            [("alarm", "calls", "the guard when the door is open")],
        ),
    ],
)
def test_each_thing_said_is_a_fact_of_its_own(text: str, expected: list[Plain]) -> None:
    assert facts(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "Magpie keeps mail in one file and supports quotas.",
            [("keeps", "mail in one file"), ("supports", "quotas")],
        ),
        ("Magpie runs on Go and uses Redis.", [("runs_on", "Go"), ("uses", "Redis")]),
        ("Magpie handles logins and routes requests.", [("handles", "logins"), ("routes", "requests")]),
        ("Magpie is on rack 4 and runs Debian 12.", [("is_on", "rack 4"), ("runs", "Debian 12")]),
        ("Magpie forwards requests to Wren.", [("forwards", "requests to Wren")]),
        (
            "Magpie lives in ~/mp, uses Go and runs Bash.",
            [("lives_in", "~/mp"), ("uses", "Go"), ("runs", "Bash")],
        ),
        ("Ida, who lives in Riga, plays chess.", [("lives_in", "Riga"), ("plays", "chess")]),
        ("Magpie 2.31 drops mail.", [("drops", "mail")]),
        ("Magpie 2.31 dropped support for FTP.", [("dropped", "support for FTP")]),
        ("Magpie sells maps and prints.", [("sells", "maps"), ("sells", "prints")]),
    ],
)
def test_a_second_verb_does_not_end_up_in_the_first_ones_object(
    text: str, expected: list[tuple[str, str]]
) -> None:
    assert [(predicate, thing) for _, predicate, thing in facts(text)] == expected


@pytest.mark.parametrize(
    "text",
    [
        "Ida disabled it for now.",
        "Ida fixed that.",
        "Ida moved them to the loft.",
        "The valve works only.",
        "When the lamp is red, it counts to 9.",
        "Whenever Ida sings, the dog leaves the room.",
    ],
)
def test_what_only_the_sentences_around_it_could_tell_is_no_fact(text: str) -> None:
    assert facts(text) == []


def test_a_thing_goes_by_one_name_as_an_object_and_as_a_subject() -> None:
    first, second = facts("Wren depends on the Magpie service. The Magpie service listens on port 5672.")
    assert first[2] == second[0] == "Magpie service"
