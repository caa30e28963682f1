"""The extraction in the shape that public scorers ask for; it maps names and holds no rules of its own."""

from __future__ import annotations

from . import extract
from .readings import fold
from .triples import Triple, extract_triples

SURE = 0.7
_TYPES = {"opinion": "opinion", "preference": "preference", "generalisation": "opinion"}


def triples(text: str) -> list[Triple]:
    """(subject, relation, object, confidence) in the words of the sentence."""
    return extract_triples(text)


def memories(text: str) -> list[dict[str, str]]:
    """One {"type", "content"} for each stretch of text that a memory was read from; content is that stretch."""
    found = extract(text, beliefs=True)
    typed = [("decision", item.span) for item in found.decisions]
    typed += [("commitment", fact.span) for fact in found.facts if fact.predicate == "committed_to"]
    typed += [(_TYPES[item.kind], item.span) for item in found.beliefs if item.kind in _TYPES]
    typed += [("fact", fact.span) for fact in found.facts if fact.confidence >= SURE and not fact.hedged]
    out: list[dict[str, str]] = []
    taken: list[tuple[int, int]] = []
    for kind, span in typed:
        if any(span.start < end and start < span.end for start, end in taken):
            continue
        taken.append((span.start, span.end))
        out.append({"type": kind, "content": fold(text[span.start : span.end])})
    return out
