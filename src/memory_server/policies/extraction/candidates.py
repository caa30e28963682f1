"""What extraction hands to `learn`: candidates read out of a text, none of them stored yet."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

BeliefKind = Literal["opinion", "preference", "generalisation", "rule", "hearsay"]


@dataclass(frozen=True, slots=True)
class Span:
    """A half-open range of character offsets into the text that was given."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class FactCandidate:
    """A triple that a sentence states; `predicate` is snake_case and carries the negation (`does_not_use`)."""

    subject: str
    predicate: str
    object: str
    confidence: float
    span: Span
    sentence: str
    negated: bool = False
    hedged: bool = False


@dataclass(frozen=True, slots=True)
class DecisionCandidate:
    """A choice that was made, with what it was made for and what was turned down."""

    choice: str
    context: str
    reason: str
    rejected_alternatives: tuple[str, ...]
    confidence: float
    span: Span


@dataclass(frozen=True, slots=True)
class SkillCandidate:
    """A procedure: its steps in order, what must hold while doing it and how to see that it worked."""

    name: str
    purpose: str
    steps: tuple[str, ...]
    constraints: tuple[str, ...]
    validation: tuple[str, ...]
    confidence: float
    span: Span


@dataclass(frozen=True, slots=True)
class BeliefCandidate:
    """A proposition that somebody holds; `fact_indexes` point at the facts of the same sentence."""

    proposition: str
    confidence: float
    span: Span
    kind: BeliefKind
    fact_indexes: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Extraction:
    """Everything that was found in one text, each kind in the order of the text."""

    facts: tuple[FactCandidate, ...] = ()
    decisions: tuple[DecisionCandidate, ...] = ()
    skills: tuple[SkillCandidate, ...] = ()
    beliefs: tuple[BeliefCandidate, ...] = ()
