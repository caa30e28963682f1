"""Which beliefs a text voices, of what kind, and how sure they are; and what the writer promises."""

from __future__ import annotations

import pytest

from memory_server.policies.extraction import BeliefCandidate, extract


def belief(text: str) -> BeliefCandidate:
    (found,) = extract(text, beliefs=True).beliefs
    return found


@pytest.mark.parametrize(
    ("text", "kind", "proposition"),
    [
        ("I think the old parser is too slow.", "opinion", "The old parser is too slow."),
        ("In my view the budget is tight.", "opinion", "The budget is tight."),
        ("Honestly, the new logo hurts.", "opinion", "The new logo hurts."),
        ("My take: rewrites rarely pay off.", "opinion", "Rewrites rarely pay off."),
        ("Oak is better than pine.", "opinion", "Oak is better than pine."),
        ("I'm skeptical of the second survey.", "opinion", "I'm skeptical of the second survey."),
        ("Ida prefers trains to planes.", "preference", "Ida prefers trains to planes."),
        ("Tom would rather walk than drive.", "preference", "Tom would rather walk than drive."),
        ("I love long walks.", "preference", "I love long walks."),
        ("My favourite colour is green.", "preference", "My favourite colour is green."),
        (
            "The user wants short answers with examples.",
            "preference",
            "The user wants short answers with examples.",
        ),
        ("Ida doesn't want calls before ten.", "preference", "Ida doesn't want calls before ten."),
        ("Tom asked me to keep it short.", "preference", "Tom asked me to keep it short."),
        ("Ida finds maps easier than tables.", "preference", "Ida finds maps easier than tables."),
        ("The last scene feels rushed to me.", "opinion", "The last scene feels rushed to me."),
        ("Not convinced by the second proof.", "opinion", "Not convinced by the second proof."),
        ("Always lock the shed at night.", "rule", "Always lock the shed at night."),
        ("Passwords must be rotated every year.", "rule", "Passwords must be rotated every year."),
        ("We never deploy on Fridays.", "rule", "We never deploy on Fridays."),
        ("Cats usually sleep at noon.", "generalisation", "Cats usually sleep at noon."),
        ("Most rivers freeze in January.", "generalisation", "Most rivers freeze in January."),
        ("Tom says the shop is closing.", "hearsay", "Tom says the shop is closing."),
        ("Apparently the shop is closing.", "hearsay", "Apparently the shop is closing."),
    ],
)
def test_a_belief_has_a_kind_and_a_proposition(text: str, kind: str, proposition: str) -> None:
    found = belief(text)
    assert (found.kind, found.proposition) == (kind, proposition)


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("Passwords must be rotated every year.", 0.9, 1.0),
        ("Ida prefers trains to planes.", 0.9, 1.0),
        ("I strongly believe the budget holds.", 0.9, 1.0),
        ("I think the old parser is too slow.", 0.6, 0.8),
        ("Cats usually sleep at noon.", 0.6, 0.8),
        ("Tom says the shop is closing.", 0.3, 0.5),
    ],
)
def test_confidence_follows_how_outright_it_is_said(text: str, low: float, high: float) -> None:
    assert low <= belief(text).confidence <= high


@pytest.mark.parametrize(
    "text",
    [
        "Do you think it is slow?",
        "Magpie uses Redis.",
        "That's just my read.",
        "Take care and enjoy the rest of your day!",
        "It looks like rain.\n",
        "She enjoyed the Grand Canyon a lot.",
        "It reminds me of home.",
    ],
)
def test_what_nobody_holds_is_no_belief(text: str) -> None:
    assert [item for item in extract(text, beliefs=True).beliefs if item.kind != "opinion"] == []


def test_beliefs_come_only_when_they_are_asked_for() -> None:
    assert extract("Ida prefers trains to planes.").beliefs == ()


def test_the_facts_of_the_same_sentence_are_its_evidence() -> None:
    found = extract("Magpie is small. Ida prefers trains to planes.", beliefs=True)
    (index,) = found.beliefs[0].fact_indexes
    assert found.facts[index].predicate == "prefers"


def test_an_opinion_spans_the_sentences_that_argue_for_it() -> None:
    text = "I think the second survey is flawed. It asked only our friends. The sample has nine people."
    found = belief(text)
    assert (found.span.start, found.span.end) == (0, len(text))


@pytest.mark.parametrize(
    ("text", "promise"),
    [
        ("I'll send the invoice by Monday.", "send the invoice by Monday"),
        ("I will also call the plumber.", "call the plumber"),
        ("Promised Ida I'd water the plants.", "water the plants"),
        ("I promised to water the plants.", "water the plants"),
        ("I told Tom that I'd fix the fence.", "fix the fence"),
        ("I'm committing to shipping the guide in May.", "shipping the guide in May"),
        ("I'm going to repaint the hall.", "repaint the hall"),
        ("Will write the minutes tonight.", "write the minutes tonight"),
        ("I'll have the draft ready by noon.", "have the draft ready by noon"),
        ("I said I'd feed the hens.", "feed the hens"),
        ("I need to send the forms before Thursday.", "send the forms before Thursday"),
    ],
)
def test_a_promise_is_a_fact_about_the_writer(text: str, promise: str) -> None:
    (fact,) = extract(text, speaker="Ida").facts
    assert (fact.subject, fact.predicate, fact.object) == ("Ida", "committed_to", promise)


@pytest.mark.parametrize(
    "text",
    ["I'll be happy to see it.", "I'll admit it works.", "Will you call the plumber?", "I'll need a day."],
)
def test_a_feeling_or_a_question_is_no_promise(text: str) -> None:
    assert [fact for fact in extract(text).facts if fact.predicate == "committed_to"] == []


@pytest.mark.parametrize(
    "text",
    [
        "No decision yet.",
        "No idea what it costs.",
        "No news from the printer so far.",
        "The bell rings every night.",
    ],
)
def test_what_is_missing_or_recurs_is_no_rule_or_view(text: str) -> None:
    assert extract(text, beliefs=True).beliefs == ()


@pytest.mark.parametrize("opening", ["To my mind", "In my book", "For my money,"])
def test_a_view_is_told_by_whose_it_is(opening: str) -> None:
    assert belief(f"{opening} the sequel drags.").kind == "opinion"


def test_an_allergy_is_no_matter_of_taste() -> None:
    found = extract("Ida is allergic to nuts.", beliefs=True)
    assert found.beliefs == ()
    assert [(fact.subject, fact.object) for fact in found.facts] == [("Ida", "allergic to nuts")]


@pytest.mark.parametrize(
    "text",
    [
        "Told Ida that the drawings will be with her by Monday.",
        "I promised Bob the drawings will reach him before June.",
    ],
)
def test_a_date_for_somebody_is_promised_whatever_the_subject(text: str) -> None:
    assert [fact.predicate for fact in extract(text).facts] == ["committed_to"]


@pytest.mark.parametrize("text", ["Honestly the new cook is a clown.", "The best soup in town is at Gino's."])
def test_a_judgement_is_no_sure_fact(text: str) -> None:
    assert all(fact.confidence <= 0.6 for fact in extract(text).facts)
