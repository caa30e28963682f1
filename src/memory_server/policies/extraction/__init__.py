"""Reads facts, decisions, skills and beliefs out of plain text by rule, for `learn` to judge and store."""

from __future__ import annotations

from dataclasses import replace

from .beliefs import PREFERRED, belief_of
from .blocks import SELF_ROLES, Block
from .candidates import (
    BeliefCandidate,
    DecisionCandidate,
    Extraction,
    FactCandidate,
    SkillCandidate,
    Span,
)
from .commitments import commitment_of
from .decisions import decision_of, following_reason, following_rejections, listed_decision
from .facts import facts_of
from .lexicon import words
from .notes import pair_fact
from .readings import Reading, read
from .skills import skills_of
from .subjects import Subjects
from .tag_sets import FINITE

__all__ = [
    "BeliefCandidate",
    "DecisionCandidate",
    "Extraction",
    "FactCandidate",
    "SkillCandidate",
    "Span",
    "extract",
]

JUDGED = 0.6  # of what is an opinion, nothing more is claimed
ARGUMENT_DISCOUNT = 0.15  # what argues for a decision or a view is said in passing
_NAMING = words("project name service app application product component host hostname server repo repository")
_LISTENERS = words("assistant ai system bot agent model")


def extract(text: str, *, speaker: str | None = None, beliefs: bool = False) -> Extraction:
    """Everything that `text` states, in order. "I" means `speaker`, the one named before a turn, or `user`.

    Deterministic and linear in the length of the text; never raises on any text.
    """
    blocks, readings = read(text)
    skills = skills_of(text, blocks)
    covered = _Cover(skills)
    gathered = _Gathering(speaker)
    pairs = [block for block in blocks if block.kind == "pair"]
    found: list[Reading | Block] = [*readings, *pairs]
    for item in sorted(found, key=lambda item: item.start):
        if item.start in covered:
            continue
        if isinstance(item, Block):
            gathered.take_pair(text, item)
        else:
            gathered.take(item)
    held = tuple(gathered.beliefs) if beliefs else ()
    return Extraction(tuple(gathered.facts), tuple(gathered.decisions), tuple(skills), held)


class _Cover:
    """The stretches that skills were read from; asked in rising order only, so that one pass does."""

    def __init__(self, skills: list[SkillCandidate]) -> None:
        self.spans = [skill.span for skill in reversed(skills)]

    def __contains__(self, position: int) -> bool:
        while self.spans and self.spans[-1].end <= position:
            self.spans.pop()
        return bool(self.spans) and self.spans[-1].start <= position


class _Gathering:
    """The candidates so far, and what the sentences before mean for the next one."""

    def __init__(self, speaker: str | None) -> None:
        self.speaker = speaker
        self.facts: list[FactCandidate] = []
        self.decisions: list[DecisionCandidate] = []
        self.beliefs: list[BeliefCandidate] = []
        self.subjects = Subjects(speaker or "user")
        self.paragraph = -1
        self.setting = "", ""  # whose turn it is, and under which heading
        self.topic = ""  # what the key-value lines speak of, where one of them has named it
        self.lead = ""  # what kind of memory this paragraph has opened with
        self.last = ""  # and what kind the sentence just before was

    def take_pair(self, text: str, block: Block) -> None:
        """Files the fact of a key-value line."""
        topic = block.heading or self.topic
        fact = pair_fact(text, block.key, topic, Span(block.start, block.end), self.subjects.speaker)
        if fact is not None:
            self.facts.append(fact)
            if not topic and block.key.lower() in _NAMING:
                self.topic = fact.object

    def take(self, reading: Reading) -> None:
        """Files what one sentence says, in the light of the one before it."""
        self._turn_to(reading.block)
        self.topic = ""
        previous, self.last = self.last, ""
        if previous == "decision" and self._continue_decision(reading):
            self.last = "decision"
            return
        decision = decision_of(reading) or listed_decision(reading)
        if decision is not None:
            self._decide(decision)
        promise = commitment_of(reading, self.subjects.speaker, answering=previous == "preference")
        facts = [] if promise or decision else facts_of(reading, self.subjects)
        if promise is not None and decision is None:
            self.facts.append(promise)
            self.last = "commitment"
        first = len(self.facts)
        argued = self.lead in ("decision", "opinion", "preference", "commitment")
        for fact in facts:
            self.facts.append(
                replace(fact, confidence=round(fact.confidence - ARGUMENT_DISCOUNT, 2)) if argued else fact
            )
        if decision is None and promise is None:
            held = len(self.beliefs)
            self._believe(reading, tuple(range(first, len(self.facts))), previous)
            if len(self.beliefs) > held and self.beliefs[-1].kind == "opinion":
                self._doubt(first)
        self.lead = self.lead or self.last

    def _doubt(self, first: int) -> None:
        """What a sentence judges is its writer's view, however outright it is put."""
        for place in range(first, len(self.facts)):
            fact = self.facts[place]
            self.facts[place] = replace(fact, confidence=min(fact.confidence, JUDGED))

    def _turn_to(self, block: Block) -> None:
        if block.paragraph == self.paragraph:
            return
        self.paragraph = block.paragraph
        if (block.speaker, block.heading) != self.setting:
            self.setting = block.speaker, block.heading
            self.subjects.forget()
        self.lead = self.last = ""
        who = block.speaker.lower()
        if who in SELF_ROLES or not who:
            self.subjects.speaker = self.speaker or "user"
        else:
            self.subjects.speaker = "assistant" if who in _LISTENERS else block.speaker

    def _decide(self, decision: DecisionCandidate) -> None:
        self.last = "decision"
        self.decisions.append(decision)

    def _continue_decision(self, reading: Reading) -> bool:
        """A sentence that gives the reason, the rejected, or goes on without a subject belongs to the decision."""
        last = self.decisions[-1]
        reason, rejected = following_reason(reading), following_rejections(reading)
        gerund = reading.tags[0] == "VG" and not any(clause.subject[0] == 0 for clause in reading.clauses)
        fragment = gerund or reading.tags[0] == "MD" or FINITE.isdisjoint(reading.tags)
        if not (reason or rejected or fragment) or reading.question:
            return False
        self.decisions[-1] = replace(
            last,
            reason=last.reason or reason,
            rejected_alternatives=tuple(dict.fromkeys((*last.rejected_alternatives, *rejected))),
            span=Span(last.span.start, reading.end),
        )
        return True

    def _believe(self, reading: Reading, indexes: tuple[int, ...], previous: str) -> None:
        arguing = previous in ("decision", "opinion", "argument", "commitment")
        belief = belief_of(reading, indexes, arguing=arguing)
        if belief is None:
            if (
                previous in ("opinion", "argument")
                and not reading.question
                and reading.clauses
                and self.beliefs
            ):
                self.last = "argument"
                last = self.beliefs[-1]
                self.beliefs[-1] = replace(last, span=Span(last.span.start, reading.end))
            return
        explains = previous == "preference" and reading.tags[0] == "PR"
        if belief.kind == "preference" and explains and belief.confidence < PREFERRED:
            self.last = "preference"
            return
        self.last = self.last or belief.kind
        self.beliefs.append(belief)
