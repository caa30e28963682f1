"""LongMemEval as it is stored: a haystack for each question, or all sessions of all questions in one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import groupby

from memory_server.benchmarks.datasets import Haystack, Question
from memory_server.policies.text import digest
from memory_server.services.conversations import Turn

POOL = "pool"


def pooled(haystacks: Iterable[Haystack]) -> Iterator[Haystack]:
    """One haystack of all: each session once, at the earliest date that any question gives it.

    Sessions that fill up haystacks come again under the same name with other dates; a name that stands for other words
    gets a number behind it.
    """
    pool: dict[str, list[Turn]] = {}
    contents: dict[str, str] = {}
    questions: list[Question] = []
    for haystack in haystacks:
        names: dict[str, str] = {}
        renamed: dict[str, str] = {}
        for session, said in groupby(haystack.turns, key=lambda turn: turn.session):
            turns = list(said)
            name = _name(session, digest(*(f"{turn.speaker}: {turn.text}" for turn in turns)), contents)
            names[session] = name
            own = [_renamed(turn, name) for turn in turns]
            renamed |= {
                str(old.external_id): str(new.external_id) for old, new in zip(turns, own, strict=True)
            }
            pool[name] = _earlier(own, pool.get(name))
        questions += [_placed(question, names, renamed) for question in haystack.questions]
    yield Haystack(POOL, tuple(turn for turns in pool.values() for turn in turns), tuple(questions))


def _name(session: str, content: str, contents: dict[str, str]) -> str:
    number = 1
    name = session
    while contents.setdefault(name, content) != content:
        number += 1
        name = f"{session}#{number}"
    return name


def _renamed(turn: Turn, session: str) -> Turn:
    number = str(turn.external_id).rpartition("_")[2]
    return replace(turn, session=session, external_id=f"{session}_{number}")


def _earlier(turns: list[Turn], known: list[Turn] | None) -> list[Turn]:
    if known is None or (turns[0].occurred_at or "") < (known[0].occurred_at or ""):
        return turns
    return known


def _placed(question: Question, sessions: dict[str, str], turns: dict[str, str]) -> Question:
    return replace(
        question,
        turns=tuple(turns[name] for name in question.turns),
        sessions=tuple(sessions.get(name, name) for name in question.sessions),
        person_turns=tuple(turns[name] for name in question.person_turns),
    )
