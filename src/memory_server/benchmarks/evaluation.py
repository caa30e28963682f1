"""Asks every question of its store and writes down what came, with where it came from and what that is worth."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass, replace
from datetime import date
from typing import Any

from memory_server.benchmarks.datasets import Haystack, Question
from memory_server.benchmarks.lineage import Store, ancestors, check, read_store
from memory_server.benchmarks.scoring import (
    LEVELS,
    TARGETS,
    Asked,
    Item,
    covered,
    finds,
    holders,
    official_scores,
    results,
    scores,
)
from memory_server.benchmarks.stores import Asking
from memory_server.policies.periods import periods_in
from memory_server.policies.tokens import count_tokens
from memory_server.services.conversations import Turn

Row = dict[str, Any]
Progress = Callable[[str, int, int | None], None]

TOKENS_OF = 10  # first results, whose texts are counted


class FromTheFuture(ValueError):
    """Something was returned that was said after the question."""


@dataclass(frozen=True, slots=True)
class Evaluator:
    """How questions are asked and scored.

    Attributes:
        open_store: a filled store for some turns, for as long as the block lasts.
        depth: results that are asked for.
    """

    open_store: Callable[[Sequence[Turn]], AbstractContextManager[Asking]]
    depth: int

    def rows(self, haystacks: Iterable[Haystack], progress: Progress = lambda *_: None) -> Iterator[Row]:
        """One row a question, scored.

        Raises:
            BrokenLineage: see `lineage.check`.
            FromTheFuture: see there.
        """
        asked = 0
        for haystack in haystacks:
            with self.open_store(haystack.turns) as opened:
                store = read_store(opened.database)
                by_anchor = {level: holders(store.items.values(), level) for level in LEVELS}
                for question in haystack.questions:
                    row = self._row(haystack, question, opened, store, by_anchor)
                    row["resident_mb"] = round(opened.resident_megabytes(), 1)
                    yield row
                    asked += 1
                    progress("questions", asked, None)

    def _row(
        self,
        haystack: Haystack,
        question: Question,
        opened: Asking,
        store: Store,
        by_anchor: dict[str, dict[str, list[Item]]],
    ) -> Row:
        got = opened.ask(question.text, question.asked_at, self.depth)
        items = results(
            replace(store.items[name], score=score) for name, score, _ in got.hits if name in store.items
        )
        refuse_later(items, question.asked_at)
        about = asked_about(question)
        evidence = {"turn": question.turns, "session": question.sessions}
        texts = [text for _, score, text in got.hits if score > 0][:TOKENS_OF]
        row: Row = {
            "kind": "question",
            "id": question.id,
            "group": haystack.id,
            "type": question.kind,
            "apart": question.apart,
            "question": question.text,
            "asked_at": question.asked_at,
            "asks_about": [about.first, about.last],
            "evidence": {"turns": question.turns, "sessions": question.sessions},
            "person_turns": question.person_turns,
            "depth": self.depth,
            "covered": {
                level: {
                    target: covered(by_anchor[level], evidence[level], target, about) for target in TARGETS
                }
                for level in LEVELS
            },
            "answerable": got.answerable,
            "ms": round(got.seconds * 1000, 3),
            "cpu_ms": round(got.cpu_seconds * 1000, 3),
            "tokens": sum(map(count_tokens, texts)),
            "store": {"turns": len(haystack.turns), **store.snapshot},
            "items": [asdict(item) for item in items],
            "parents": [asdict(item) for item in ancestors(items, store.items).values()],
        }
        return scored(row)


def scored(row: Row) -> Row:
    """The row with its scores made anew from its items and evidence.

    Raises:
        BrokenLineage: an item does not have the anchors of its parents.
        FromTheFuture: see there.
    """
    items = results(map(item_of, row["items"]))
    check(items, {parent["id"]: item_of(parent) for parent in row["parents"]})
    refuse_later(items, row["asked_at"])
    about = Asked(*row["asks_about"])
    evidence = {"turn": row["evidence"]["turns"], "session": row["evidence"]["sessions"]}
    depth = row["depth"]
    return {
        **row,
        "scores": {
            level: {
                target: scores(
                    finds(items, evidence[level], target, level, about), len(set(evidence[level])), depth
                )
                for target in TARGETS
            }
            if evidence[level]
            else None
            for level in LEVELS
        },
        "official": _official(items, row, depth),
    }


def _official(items: Sequence[Item], row: Row, depth: int) -> dict[str, Any] | None:
    """As the official runs score: nothing where no turn of a person is labelled."""
    if not row["person_turns"]:
        return None
    turns = [turn for item in items for turn in item.turns]
    sessions = [session for item in items for session in item.sessions]
    found = {"turn": official_scores(turns, row["person_turns"], depth)}
    if row["evidence"]["sessions"]:
        found["session"] = official_scores(sessions, row["evidence"]["sessions"], depth)
    return found


def item_of(saved: dict[str, Any]) -> Item:
    """An item as a row holds it."""
    listed = {name: tuple(saved[name]) for name in ("turns", "sessions", "parents")}
    return Item(**{**saved, **listed})


def refuse_later(items: Iterable[Item], asked_at: str | None) -> None:
    """Sees to it that nothing was said after the question.

    Raises:
        FromTheFuture: something was.
    """
    for item in items:
        if asked_at is not None and item.said_at is not None and item.said_at > asked_at:
            raise FromTheFuture(f"{item.kind} {item.id} is of {item.said_at}, the question of {asked_at}")


def asked_about(question: Question) -> Asked:
    """The time that a question is about: the one past period that it names, else when it is asked."""
    at = question.asked_at
    if at is None:
        return Asked()
    day = date.fromisoformat(at[:10])
    named = [period for period in periods_in(question.text, (day.year,), day) if period.last < day]
    if len(named) != 1:
        return Asked(at, at)
    return Asked(f"{named[0].first}T00:00:00.000000Z", f"{named[0].last}T23:59:59.999999Z")
