"""What a question is about, without the words around it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_server.policies.framing import END, LONG, MOST_ASKED, MOST_OF_A_LINE, asked_in, topic_of


@pytest.mark.parametrize(
    ("question", "topic", "kind"),
    [
        (
            "In which order did we discuss the quay, the crane and the tug?",
            "the quay, the crane and the tug",
            "order",
        ),
        (
            "Could you list the order in which I brought up different aspects of the boathouse across our chats, in "
            "order? Mention only four items.",
            "the boathouse",
            "order",
        ),
        ("Walk me through the timeline of the harbour works.", "the harbour works", "order"),
        ("Please give me a short summary of the harbour works so far", "the harbour works", "summary"),
        ("Summarize what we know about the old ferry", "we know about the old ferry", "summary"),
        ("can you provide a complete overview of my pension plans?", "my pension plans", "summary"),
        ("Sum up everything about Ines in our conversations.", "Ines", "summary"),
        ("recap the release meeting", "the release meeting", "summary"),
    ],
)
def test_the_frame_is_taken_off(question: str, topic: str, kind: str) -> None:
    assert topic_of(question) == (topic, kind)


@pytest.mark.parametrize(
    "question",
    [
        "where does the ferry land?",
        "who placed the order for the new printer?",
        "what did we decide about the summary page?",
        "is the list of members in order?",
        "can you tell me where the key hangs, please?",
    ],
)
def test_other_questions_are_left_as_they_are(question: str) -> None:
    assert topic_of(question) == (question, None)


@pytest.mark.parametrize("question", ["in what order?", "summarize", "Please sum up."])
def test_what_is_nothing_but_frame_is_looked_for_as_it_stands(question: str) -> None:
    assert topic_of(question)[0] == question


@given(st.text())
def test_any_text_has_a_topic(text: str) -> None:
    topic, _ = topic_of(text)
    assert topic or not text


PASTED = "\n".join(
    f"2026-03-0{at % 9 + 1} 10:0{at % 10}:00 INFO pump {at} started on berth {at}" for at in range(80)
)


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("who greases the crane?", "who greases the crane?"),
        (f"Who greases the crane?\n{PASTED}", "Who greases the crane?"),
        (f"{PASTED}\n\nWho greases the crane? Thanks", "Who greases the crane?"),
        (f"Is this right? \n{PASTED}\n\nWhy did pump 7 stop?", "Is this right?\nWhy did pump 7 stop?"),
        (f"{PASTED}\n谁给起重机上油？", "谁给起重机上油？"),
        (f"crane greasing\n{PASTED}\n", f"crane greasing\n{PASTED.splitlines()[-1]}"),
        (
            f"{PASTED}\nsee https://quay.example/x?y=1",
            f"{PASTED.splitlines()[0]}\nsee https://quay.example/x?y=1",
        ),
    ],
)
def test_what_is_asked_stands_before_or_after_what_is_pasted(text: str, asked: str) -> None:
    assert asked_in(text) == asked


@given(st.text(max_size=3_000) | st.text("a ?\n。？", min_size=LONG, max_size=4_000))
def test_what_is_asked_is_short_and_never_nothing(text: str) -> None:
    asked = asked_in(text)
    assert len(asked) <= max(LONG, 2 * END + 1, MOST_ASKED * (MOST_OF_A_LINE + 2))
    assert bool(asked.strip()) == bool(text.strip())
