"""Procedures told in a text: what for, the steps in order, what must hold and how to check it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from .blocks import Block
from .candidates import SkillCandidate, Span
from .readings import fold
from .sentences import split_sentences
from .skill_wordings import (
    CONSTRAINT,
    IN_PROSE,
    NO_GOALS,
    NUMBERED,
    ORDER_WORD,
    THEN,
    TITLE,
    TITLE_AFTER,
    VALIDATION,
)
from .verbs import BASE, FORMS

LISTED, TOLD = 0.85, 0.75

_EDGE = " \t\n,;.:*_"


@dataclass(slots=True)
class _Draft:
    goal: str
    start: int
    end: int
    confidence: float
    steps: list[str] = field(default_factory=list)
    constraints: list[str] = field(default_factory=list)
    validation: list[str] = field(default_factory=list)
    numbered: bool = False

    def add(self, step: str, *, as_step: bool = True) -> None:
        """Files a sentence under constraint, validation or step; a check that stands in the list stays a step too."""
        clean = fold(step.replace("**", "")).strip(_EDGE)
        clean = ORDER_WORD.sub("", clean, count=1) if ORDER_WORD.match(clean) else clean
        if not any(character.isalnum() for character in clean):
            return
        checks, binds = bool(VALIDATION.search(clean)), bool(CONSTRAINT.search(clean))
        if checks:
            self.validation.append(clean)
        elif binds:
            self.constraints.append(clean)
        if as_step and not (binds and not checks):
            self.steps.append(clean)


def skills_of(text: str, blocks: list[Block]) -> list[SkillCandidate]:
    """The procedures of a text in order."""
    out: list[SkillCandidate] = []
    index = 0
    while index < len(blocks):
        draft, index = _listed(text, blocks, index)
        if draft is None:
            draft = _told(text, blocks[index])
            index += 1
        if draft is not None and draft.steps:
            out.append(_finish(draft))
    return out


def _finish(draft: _Draft) -> SkillCandidate:
    goal = fold(draft.goal).strip(_EDGE + "#")
    return SkillCandidate(
        goal, goal[:1].upper() + goal[1:], tuple(draft.steps), tuple(draft.constraints), tuple(draft.validation),
        draft.confidence, Span(draft.start, draft.end),
    )  # fmt: skip


def _goal(text: str, block: Block) -> str:
    if block.kind == "pair":
        line = f"{block.key}:"
    else:
        line = text[block.start : block.end]
        if len(line) > 400:
            return ""
        sentences = split_sentences(line)
        line = line[sentences[-1][0] :] if sentences else ""
    found = TITLE.match(line)
    if (
        found
        and (block.kind == "heading" or found.group("colon") or not found.group("to"))
        and line.rstrip()[-1:] not in "?!"
    ):
        return re.sub(
            r",?\s(?:do|follow|run|use)(?: (?:this|these|the following)(?: steps)?)?$|,?\sdo$",
            "",
            found.group("goal"),
        )
    after = TITLE_AFTER.match(line)
    return after.group("goal") if after and after.group("goal").lower() not in NO_GOALS else ""


def _listed(text: str, blocks: list[Block], index: int) -> tuple[_Draft | None, int]:
    """A title followed by list items; gives the index after them."""
    head = blocks[index]
    follow = index + 1
    if follow >= len(blocks) or blocks[follow].kind not in ("item", "prose") or head.kind == "item":
        return None, index
    goal = _goal(text, head)
    if not goal:
        return None, index
    while (
        follow < len(blocks)
        and blocks[follow].kind == "prose"
        and head.kind == "heading"
        and follow == index + 1
    ):
        if follow + 1 < len(blocks) and blocks[follow + 1].kind == "item":
            follow += 1
        else:
            return None, index
    draft = _Draft(goal, head.start, head.end, LISTED)
    first = follow
    while follow < len(blocks) and (
        blocks[follow].kind == "item" or (blocks[follow].kind == "pair" and follow > first)
    ):
        block = blocks[follow]
        draft.add(text[block.line or block.start : block.end])
        draft.end = block.end
        follow += 1
    if len(draft.steps) < 1:
        return None, index
    while (
        follow < len(blocks)
        and blocks[follow].kind == "prose"
        and blocks[follow].heading == blocks[follow - 1].heading
    ):
        if not _closing(text, blocks[follow], draft):
            break
        follow += 1
    return draft, follow


def _closing(text: str, block: Block, draft: _Draft) -> bool:
    """Constraints and checks that stand after the list."""
    taken = False
    for start, end in split_sentences(text, block.start, block.end):
        sentence = text[start:end]
        if not (CONSTRAINT.search(sentence) or VALIDATION.search(sentence)) or sentence.endswith("?"):
            break
        draft.add(sentence, as_step=False)
        draft.end = end
        taken = True
    return taken


def _told(text: str, block: Block) -> _Draft | None:
    """'To X: do this, then do that.' within prose."""
    if block.kind == "pair":
        return _told_pair(text, block)
    if block.kind == "heading":
        return None
    draft: _Draft | None = None
    for start, end in split_sentences(text, block.start, block.end):
        if end - start > 1_800:
            continue
        if draft is None:
            draft = _told_sentence(text, start, end)
        elif not _extends(text, start, end, draft):
            break
    return draft


def _told_pair(text: str, block: Block) -> _Draft | None:
    goal = re.match(
        r"(?:in order )?to\s(?P<goal>.{2,80})$|how to\s(?P<how>.{2,80})$", block.key, re.IGNORECASE
    )
    if not goal:
        return None
    draft = _Draft(goal.group("goal") or goal.group("how"), block.start, block.end, TOLD)
    spans = split_sentences(text, block.start, block.end)
    _fill(draft, text[spans[0][0] : spans[0][1]])
    for start, end in spans[1:]:
        if not _extends(text, start, end, draft):
            break
    return draft if _imperative(draft) else None


def _told_sentence(text: str, start: int, end: int) -> _Draft | None:
    sentence = text[start:end]
    found = IN_PROSE.match(sentence)
    if not found or sentence.endswith("?"):
        return None
    draft = _Draft(found.group("goal"), start, end, TOLD)
    _fill(draft, found.group("steps"))
    has_colon = ":" in sentence[: found.start("steps")]
    if not _imperative(draft) or (not has_colon and len(draft.steps) < 2):
        return None
    return draft


def _fill(draft: _Draft, steps: str) -> None:
    numbered = [part for part in NUMBERED.split(" " + steps) if part.strip(_EDGE)]
    draft.numbered = len(numbered) > 1
    parts = numbered if len(numbered) > 1 and NUMBERED.search(" " + steps) else THEN.split(steps)
    for part in parts:
        draft.add(part)


def _imperative(draft: _Draft) -> bool:
    """Whether the steps are told as commands: numbered ones are, else the first one opens with a bare verb."""
    if not draft.steps or draft.numbered:
        return bool(draft.steps)
    word = draft.steps[0].split()[0].lower().strip("`*")
    return (
        bool(FORMS.get(word, 0) & BASE)
        or word in ("please", "never", "always", "carefully")
        or draft.steps[0].startswith("`")
    )


def _extends(text: str, start: int, end: int, draft: _Draft) -> bool:
    sentence = text[start:end]
    if sentence.endswith("?"):
        return False
    first = sentence.split()[0].lower().strip(",:")
    binds = CONSTRAINT.search(sentence) or VALIDATION.search(sentence)
    ordered = first in ("then", "next", "finally", "afterwards", "lastly")
    if not binds and not ordered:
        return False
    draft.add(sentence, as_step=ordered)
    draft.end = end
    return True
