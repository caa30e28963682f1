"""What stands before a proposition proper: "I think that", "it is not true that", "probably"."""

from __future__ import annotations

from memory_server.policies.propositions.lexicon import FILLERS, HEDGES

_LEADS: tuple[tuple[tuple[str, ...], bool, bool], ...] = tuple(
    (tuple(phrase.split()), hedged, denied)
    for phrase, hedged, denied in (
        ("it is not true that", False, True),
        ("it is not the case that", False, True),
        ("it is false that", False, True),
        ("it is true that", False, False),
        ("it is a fact that", False, False),
        ("it is clear that", False, False),
        ("it is likely that", True, False),
        ("it is possible that", True, False),
        ("it is probable that", True, False),
        ("it seems that", True, False),
        ("it seems", True, False),
        ("i think that", True, False),
        ("i think", True, False),
        ("we think that", True, False),
        ("we think", True, False),
        ("i believe that", True, False),
        ("i believe", True, False),
        ("we believe that", True, False),
        ("i guess", True, False),
        ("in my opinion", True, False),
        ("in general", False, False),
    )
)


def without_lead(listed: list[str]) -> tuple[list[str], bool, int]:
    """The words after the lead, whether it hedges, and how many times it denies."""
    hedged, denials = False, 0
    for phrase, weak, denied in _LEADS:
        if tuple(listed[: len(phrase)]) == phrase:
            listed, hedged, denials = listed[len(phrase) :], weak, int(denied)
            break
    while listed and (listed[0] in FILLERS or listed[0] in HEDGES or listed[0] == ",") and len(listed) > 1:
        hedged = hedged or listed[0] in HEDGES
        listed = listed[1:]
    return listed, hedged, denials
