"""Which decisions a text reports, why they were taken and what was turned down."""

from __future__ import annotations

import pytest

from memory_server.policies.extraction import DecisionCandidate, extract


def decision(text: str) -> DecisionCandidate:
    (found,) = extract(text).decisions
    return found


@pytest.mark.parametrize(
    ("text", "choice", "reason", "rejected"),
    [
        ("We decided to use Svelte because it ships less code.", "Svelte", "it ships less code", ()),
        ("I decided to learn Danish.", "learn Danish", "", ()),
        ("They chose oak over pine since it lasts longer.", "oak", "it lasts longer", ("pine",)),
        ("We went with MinIO instead of S3 to avoid egress fees.", "MinIO", "to avoid egress fees", ("S3",)),
        ("The team opted for a monorepo due to shared tooling.", "a monorepo", "shared tooling", ()),
        ("We settled on Thursdays for the call.", "Thursdays for the call", "", ()),
        (
            "We agreed to freeze the schema so that clients can upgrade.",
            "freeze the schema",
            "so that clients can upgrade",
            (),
        ),
        ("We switched from Travis to Buildkite.", "Buildkite", "", ("Travis",)),
        ("Switching from cash to cards, because the bank closed.", "cards", "the bank closed", ("cash",)),
        ("Ida picked the red tiles over the grey ones.", "the red tiles", "", ("the grey ones",)),
        ("We replaced Gulp with Vite.", "Vite", "", ("Gulp",)),
        ("We will use Zig rather than C.", "Zig", "", ("C",)),
        ("Decision: keep the old logo.", "keep the old logo", "", ()),
        ("Decision made on the venue: the town hall.", "the town hall", "", ()),
        ("We decided against Kafka because of its weight.", "not Kafka", "its weight", ("Kafka",)),
        ("We rejected Angular and Ember in favour of Svelte.", "Svelte", "", ("Angular", "Ember")),
        ("Decided on walnut, not beech or ash.", "walnut", "", ("beech", "ash")),
        ("We're dropping the newsletter.", "drop the newsletter", "", ("the newsletter",)),
        ("We decided not to renew the lease.", "not to renew the lease", "", ()),
    ],
)
def test_a_decision_is_told_in_many_ways(
    text: str, choice: str, reason: str, rejected: tuple[str, ...]
) -> None:
    found = decision(text)
    assert (found.choice, found.reason, found.rejected_alternatives) == (choice, reason, rejected)
    assert found.confidence >= 0.8


@pytest.mark.parametrize(
    "text",
    [
        "We have not decided to use Svelte.",
        "We haven't decided on a venue yet.",
        "We did not choose Svelte.",
        "We never agreed to that plan.",
        "We need to decide on a venue.",
        "The venue is yet to be decided on Monday.",
        "If we decided to move, we would need a truck.",
        "Should we go with Svelte?",
        "Have we decided on Svelte?",
        "We decided to use Svelte but later changed our minds.",
        "We decided to move, then cancelled it.",
        "Moving from Oslo to Porto takes two days.",
        "I picked up a few apples.",
        "The selected row turns blue.",
        "Svelte is a framework.",
    ],
)
def test_what_was_not_decided_is_no_decision(text: str) -> None:
    assert extract(text).decisions == ()


def test_the_next_sentence_may_give_the_reason_and_the_rejected() -> None:
    found = decision("We chose Svelte. The main reason was bundle size. We also rejected Angular and Ember.")
    assert found.reason == "bundle size"
    assert found.rejected_alternatives == ("Angular", "Ember")


def test_a_decision_goes_on_in_fragments() -> None:
    text = "We agreed: no more plastic cups. Switching to glass. Ida likes tea."
    found = decision(text)
    assert text[found.span.start : found.span.end] == "We agreed: no more plastic cups. Switching to glass."


def test_what_it_is_about_comes_from_the_sentence_or_the_heading() -> None:
    assert decision("We chose Svelte for the admin pages.").context == "the admin pages"
    assert decision("# Front end\nWe chose Svelte.").context == "Front end"
    assert decision("We chose Svelte.").context == "We chose Svelte."


def test_a_hedged_decision_is_less_sure() -> None:
    assert (
        decision("I think we decided to use Svelte.").confidence
        < decision("We decided to use Svelte.").confidence
    )


def test_a_sentence_that_decides_states_no_fact_beside() -> None:
    assert extract("We decided to use Svelte because it ships less code.").facts == ()


@pytest.mark.parametrize(
    "text",
    [
        "From now on we label every jar.",
        "Going forward, we meet on Mondays.",
        "Final call on the paint: matt, not gloss.",
        "Opting for a smaller boat.",
        "Sticking with the old supplier.",
        "Ditched the weekly call.",
        "We'll use lime plaster for the north wall.",
        "Moving the rehearsal to Wednesdays.",
        "Agreed with Ida to split the costs.",
    ],
)
def test_notes_tell_decisions_without_the_word(text: str) -> None:
    assert decision(text).confidence >= 0.8


@pytest.mark.parametrize(
    ("item", "choice", "rejected"),
    [
        ("Keep the ledger on paper.", "Keep the ledger on paper", ()),
        ("Dropped the paper ledger.", "drop the paper ledger", ("the paper ledger",)),
        ("Rejected: a second ledger (too dear)", "not a second ledger", ("a second ledger",)),
        ("Ditched paper in favour of slate.", "slate", ("paper",)),
    ],
)
def test_an_item_under_decisions_was_decided(item: str, choice: str, rejected: tuple[str, ...]) -> None:
    (decision,) = extract(f"# Ledger\n\n## Decisions\n- {item}\n").decisions
    assert (decision.choice, decision.rejected_alternatives) == (choice, rejected)


@pytest.mark.parametrize(
    "text",
    [
        "## Decisions\n- No decision on the ledger yet.",
        "## Decisions\n- Who keeps the ledger?",
        "## Decisions\n- Perhaps keep the ledger on paper.",
        "## Open decisions\n- Keep the ledger on paper.",
        "We dropped by the office.",
        "Ida dropped the keys off at the desk.",
        "The load dropped from 9 to 3.",
    ],
)
def test_what_is_open_or_only_sounds_alike_was_not_decided(text: str) -> None:
    assert extract(text).decisions == ()


@pytest.mark.parametrize("word", ["Settled", "Agreed", "Decided", "Resolved"])
def test_a_word_of_agreement_before_a_colon_tells_a_decision(word: str) -> None:
    assert decision(f"{word}: the choir sings in the chapel.").choice == "the choir sings in the chapel"
