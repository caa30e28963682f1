"""The extraction as a whole: real-looking pages, any text whatever, and hostile text."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_server.policies.extraction import Extraction, Span, extract
from memory_server.policies.extraction.evaluation import memories
from memory_server.policies.extraction.readings import MAX_TOKENS, read

MINUTES = """\
# Minutes, 12 May

Attendees: Ida, Tom, Wanda

## Storage
We chose Garage over MinIO because its licence is simpler. Ceph was too heavy.
The nodes run on 172.16.4.9 and 172.16.4.10. Each node has 8 TB.

- Decision: keep the nightly backup, since restores are rare.
- Tom will order the disks by Friday.
- I'll write the runbook by Monday.

Should we also mirror to Oslo? If the link holds, we could.

## How to replace a disk
1. Drain the node
2. Swap the disk
3. Check that the ring is healthy

Never pull two disks at once.
"""


def test_a_page_of_minutes_yields_what_a_careful_reader_would_write_down() -> None:
    found = extract(MINUTES, speaker="Wanda")
    facts = {(fact.subject, fact.predicate, fact.object) for fact in found.facts}
    assert ("nodes", "runs_on", "172.16.4.9") in facts or (
        "nodes",
        "runs_on",
        "172.16.4.9 and 172.16.4.10",
    ) in facts
    assert ("Wanda", "committed_to", "write the runbook by Monday") in facts
    assert ("Tom", "will_order", "the disks by Friday") in facts
    assert not any("Oslo" in fact[2] for fact in facts)
    assert [decision.choice for decision in found.decisions] == ["Garage", "keep the nightly backup"]
    assert found.decisions[0].rejected_alternatives == ("MinIO",)
    (skill,) = found.skills
    assert skill.steps == ("Drain the node", "Swap the disk", "Check that the ring is healthy")
    assert skill.constraints == ("Never pull two disks at once",)


def test_the_same_text_gives_the_same_answer() -> None:
    assert extract(MINUTES, beliefs=True) == extract(MINUTES, beliefs=True)


@pytest.mark.parametrize(
    ("text", "types"),
    [
        ("We settled on Garage. It is easier to run.", ["decision"]),
        ("Ida prefers written reports. She reads them on the train.", ["preference"]),
        ("I'll send the keys by Friday.", ["commitment"]),
        ("I think the plan is weak. It ignores the weather.", ["opinion"]),
        ("The shop opens at nine. The rent is 900 euros.", ["fact", "fact"]),
        ("Are you there?", []),
    ],
)
def test_a_note_is_sorted_into_the_kinds_that_scorers_know(text: str, types: list[str]) -> None:
    assert [item["type"] for item in memories(text)] == types


def spans(found: Extraction) -> list[Span]:
    kinds = (found.facts, found.decisions, found.skills, found.beliefs)
    return [item.span for kind in kinds for item in kind]


WORDS = st.lists(
    st.sampled_from(
        [
            *"we i Ida Magpie it uses is is_not decided to chose over because prefers think must never not n't's".split(),
            *[
                "\n",
                "\n\n",
                "- ",
                "1. ",
                "# ",
                ": ",
                ". ",
                "? ",
                "```\n",
                "> ",
                "**",
                '"',
                "`",
                ", ",
                " and ",
                "To ",
            ],
            *[
                "I'll ",
                "promised ",
                "How to ",
                "Decision: ",
                "User: ",
                "8080",
                "https://x.example/a?b",
                "…",
                "。",
                "ё",
            ],
        ]
    ),
    max_size=60,
).map(lambda parts: " ".join(parts).replace("\n ", "\n"))


@given(st.one_of(st.text(max_size=400), WORDS), st.booleans())
def test_any_text_is_read_without_error_and_every_span_lies_within_it(text: str, beliefs: bool) -> None:
    found = extract(text, beliefs=beliefs)
    assert all(0 <= span.start < span.end <= len(text) for span in spans(found))
    for fact in found.facts:
        assert fact.subject.strip() and fact.object.strip()
        assert re.fullmatch(r"\w+", fact.predicate)
        assert 0.0 < fact.confidence <= 1.0
    for belief in found.beliefs:
        assert all(0 <= index < len(found.facts) for index in belief.fact_indexes)


HOSTILE = {
    "cue words": "is is uses is because ",
    "opening brackets": "(",
    "square brackets": "[",
    "commas": ",",
    "one endless word": "a",
    "hyphens": "a-",
    "backticks": "`",
    "quotes": '"',
    "full stops": "a.b.",
    "question marks": "? ",
    "line ends": "\n",
    "list items": "- a\n",
    "numbers": "1. ",
    "headings": "# ",
    "pairs": "a: b\n",
    "decisions": "we decided to switch from ",
    "rejections": "We rejected it. ",
    "promises": "I promised to ",
    "procedures": "To a: go on.\n\n",
    "owners": "His cat is old. ",
    "possessives": "'s ",
    "addresses": "https://",
    "emphasis": "**",
    "spaces": " ",
    "then": "To a: b, then ",
}


@pytest.mark.parametrize("unit", HOSTILE.values(), ids=HOSTILE.keys())
def test_a_hundred_kilobytes_of_repetition_are_read_to_the_end(unit: str) -> None:
    text = unit * (100_000 // len(unit))
    found = extract(text, beliefs=True)
    assert all(span.end <= len(text) for span in spans(found))


def test_the_work_on_a_sentence_is_bounded() -> None:
    _, readings = read("Magpie uses Redis and " * 5_000)
    assert readings == []
    _, readings = read("Magpie uses Redis. " * 50)
    assert len(readings) == 50
    assert all(len(reading.tokens) <= MAX_TOKENS for reading in readings)
