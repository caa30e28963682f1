"""Which procedures a text tells, with their steps in order."""

from __future__ import annotations

import pytest

from memory_server.policies.extraction import SkillCandidate, extract


def skill(text: str) -> SkillCandidate:
    (found,) = extract(text).skills
    return found


@pytest.mark.parametrize(
    ("text", "name", "steps"),
    [
        ("To brew tea: boil the water, then pour it.", "brew tea", ("boil the water", "pour it")),
        ("To release: 1) tag the commit 2) push the tag", "release", ("tag the commit", "push the tag")),
        (
            "To reset the router, hold the button, then wait a minute.",
            "reset the router",
            ("hold the button", "wait a minute"),
        ),
        ("How to brew tea\n1. Boil the water\n2. Pour it\n", "brew tea", ("Boil the water", "Pour it")),
        ("## How to brew tea\n- Boil the water\n- Pour it\n", "brew tea", ("Boil the water", "Pour it")),
        (
            "Steps to rotate keys:\n- make a key\n- replace the old one\n",
            "rotate keys",
            ("make a key", "replace the old one"),
        ),
        (
            "To brew tea, do the following:\n1. Boil the water\n2. Pour it\n",
            "brew tea",
            ("Boil the water", "Pour it"),
        ),
        ("Deployment steps:\n1. Build\n2. Upload\n", "Deployment", ("Build", "Upload")),
    ],
)
def test_a_procedure_is_told_in_many_ways(text: str, name: str, steps: tuple[str, ...]) -> None:
    found = skill(text)
    assert (found.name, found.steps) == (name, steps)


def test_constraints_and_checks_are_told_apart_from_steps() -> None:
    found = skill(
        "How to deploy\n1. Pull the image\n2. Run the container\n3. Verify that /health answers\n\n"
        "Never deploy on Fridays. Make sure the backup is done.\n"
    )
    assert found.steps == ("Pull the image", "Run the container", "Verify that /health answers")
    assert found.constraints == ("Never deploy on Fridays", "Make sure the backup is done")
    assert found.validation == ("Verify that /health answers",)
    assert found.purpose == "Deploy"


@pytest.mark.parametrize(
    "text",
    [
        "To be honest, I like it.",
        "To Ida, the house was home.",
        "How to brew tea?",
        "Next steps:\n- call Ida\n- write the report\n",
        "I went to Porto, then to Lisbon.",
        "# Shopping\n- milk\n- bread\n",
    ],
)
def test_what_tells_no_procedure_is_no_skill(text: str) -> None:
    assert extract(text).skills == ()


def test_the_steps_of_a_skill_are_no_facts() -> None:
    text = "How to brew tea\n1. The kettle holds two litres\n2. Pour it\n\nIda drinks coffee."
    assert [fact.subject for fact in extract(text).facts] == ["Ida"]


def test_a_skill_spans_from_its_title_to_its_last_line() -> None:
    text = "Notes.\n\nHow to brew tea\n1. Boil the water\n2. Pour it\n\nBye."
    found = skill(text)
    assert text[found.span.start : found.span.end] == "How to brew tea\n1. Boil the water\n2. Pour it"
