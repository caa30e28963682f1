"""What an agent should know before a task: words, meaning and relations fused into one ranking."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Connection

from memory_server.domain.episode import Episode
from memory_server.domain.errors import InvalidArgument
from memory_server.domain.memory import rfc3339
from memory_server.policies import ranking
from memory_server.policies.answerable import SURE, answerable
from memory_server.policies.passages import passage
from memory_server.policies.ranking import DEFAULT_WEIGHTS, Signals, Weights
from memory_server.policies.scopes import Scopes
from memory_server.policies.stopwords import STOP_WORDS
from memory_server.policies.text import index_words, is_blank
from memory_server.services.candidates import Candidate, Ranked, day_of, holds, matter, say_the_same
from memory_server.services.explanation import Looked, explanation_of
from memory_server.services.handout import NOT_SHOWN, NOTHING, Entry, Page, as_fenced, line, within
from memory_server.services.parts import Parts
from memory_server.services.recall import Question, gather, question_of, ranked
from memory_server.services.scope_notes import scope_note
from memory_server.services.views import FactView, confidences, viewed
from memory_server.storage import fulltext
from memory_server.storage.conflicts import conflicting_with

RELATED_LENGTH = 300
READ_LENGTH = (
    20_000  # characters of a long text that are read for the part to show, and for the question's words
)
RELATED_TYPES = ("decision", "skill", "belief", "knowledge", "episode")


class ContextFact(FactView):
    """A fact with its place in the ranking and the signals that found it."""

    score: float
    why: list[str]


@dataclass(frozen=True, slots=True)
class Wish:
    """What is asked for.

    Attributes:
        task: what is to be done, as the person said it.
        subject: only facts about it.
        max_results: at most so many facts, and as many related memories.
        as_of: what was known to be true at that time; RFC 3339.
        scopes: what the reader sees.
        page: what has been handed out already.
        token_budget: what is handed out may cost a model at most so many tokens.
        as_text: as one text for a model instead of records.
        explain: with what each signal added.
        expected_id: a memory that should have been found, to be told what kept it out.
    """

    task: str
    subject: str | None = None
    max_results: int = 10
    as_of: str | None = None
    scopes: Scopes = None
    page: Page = field(default_factory=Page)
    token_budget: int | None = None
    as_text: bool = False
    explain: bool = False
    expected_id: str | None = None
    weights: Weights = DEFAULT_WEIGHTS


@dataclass(frozen=True, slots=True)
class Context:
    """What was found.

    Attributes:
        total: how many facts are handed out, in the list or in the text.
        text: the same for a model, where that was asked for; the lists are empty then.
        tokens: what the facts and related memories, or the text, cost a model to read, counted rather too high.
        next_page: where to go on; None at the end.
        explanation: what each signal added, where that was asked for.
    """

    facts: list[ContextFact]
    related: list[dict[str, Any]]
    answerable: float
    degraded: str | None
    total: int = 0
    tokens: int = 0
    next_page: Page | None = None
    text: str | None = None
    explanation: dict[str, Any] | None = None
    scope_note: str | None = None


def get_context(parts: Parts, task: str, **wished: Any) -> Context:
    """The facts and related memories that bear on a task, best first; `wished` are the fields of `Wish`.

    Raises:
        InvalidArgument: the task is empty.
        StorageUnavailable: the database cannot be read.
    """
    wish = Wish(task, **wished)
    if is_blank(task):
        raise InvalidArgument("task is empty: say what you are about to do", argument="task")
    now = datetime.now(UTC)
    page = wish.page._replace(asked=wish.page.asked or rfc3339(now))
    with parts.database.read() as connection:
        question = question_of(parts, connection, task, wish.as_of or str(page.asked), wish.scopes)
        looked = _looked(parts, connection, question, wish)
        facts = looked.facts[page.facts :][: wish.max_results]
        related = looked.related[page.related :][: wish.max_results]
        # what was closed since the first page keeps its place, and is not shown as if it held
        still = wish.as_of or rfc3339(now)
        entries = _fact_entries(parts, connection, facts, now, wish.scopes, still)
        others = [_related_entry(parts, question, entry, still) for entry in related]
        out = within(entries, others, wish.token_budget, as_text=wish.as_text)
        shown = replace(
            looked, facts=[facts[at] for at in out.kept[0]], related=[related[at] for at in out.kept[1]]
        )
        explanation = None
        if wish.explain or wish.expected_id:
            explanation = explanation_of(
                parts, connection, question, looked, shown, wish.weights, wish.expected_id
            )
        note = scope_note(connection, wish.scopes)
    following = page._replace(facts=page.facts + out.passed[0], related=page.related + out.passed[1])
    more = len(looked.facts) > following.facts or len(looked.related) > following.related
    text = as_fenced(out.lines, NOT_SHOWN if out.note else NOTHING) if wish.as_text else None
    return Context(
        facts=[] if wish.as_text else [entries[at].record for at in out.kept[0]],
        related=[] if wish.as_text else [others[at].record for at in out.kept[1]],
        answerable=_answerable(parts, question, [*looked.facts[:10], *looked.related[:10]]),
        degraded="; ".join(filter(None, (question.degraded, out.note))) or None,
        total=len(out.kept[0]),
        tokens=out.tokens,
        next_page=following if more else None,
        text=text,
        explanation=explanation,
        scope_note=note,
    )


def _looked(parts: Parts, connection: Connection, question: Question, wish: Wish) -> Looked:
    """Both lists, as long as the page needs and one more, with all that was looked at."""
    candidates = _known_by(wish, gather(parts, connection, question, ("fact",), wish.subject))
    if wish.subject is None:
        candidates = [candidate for candidate in candidates if candidate.signals.bears_on_it()]
    order = ranked(parts, connection, question, candidates, wish.weights)
    wanted = wish.page.facts + wish.max_results + 1
    facts = _with_contradictions(
        parts, connection, ranking.collapse(order, wanted, say_the_same, matter), order, question, wanted
    )
    others = _related_order(parts, connection, question, wish)
    related = ranking.collapse(others, wish.page.related + wish.max_results + 1, say_the_same, matter)
    return Looked(facts, related, [*order, *others], wish.subject)


def _known_by(wish: Wish, candidates: list[Candidate]) -> list[Candidate]:
    """Without what was stored after the first page was asked for."""
    asked = wish.page.asked
    return [one for one in candidates if asked is None or one.memory.created_at <= asked]


def _fact_entries(
    parts: Parts, connection: Connection, facts: Sequence[Ranked], now: datetime, scopes: Scopes, still: str
) -> list[Entry]:
    found = [entry.candidate.fact for entry in facts]
    trusts = confidences(connection, parts.settings, found, now, scopes)
    return [
        Entry(
            viewed(ContextFact, fact, trust, score=entry.score, why=entry.why()),
            line(
                fact.sentence(),
                day=str(day_of(fact)),
                kind="fact",
                source=fact.source,
                trust=trust.value,
                risk_tags=fact.risk_tags,
            ),
            entry.score,
            gone=not holds(fact, still),
        )
        for entry, fact, trust in zip(facts, found, trusts, strict=True)
    ]


def related_to(
    parts: Parts,
    connection: Connection,
    question: Question,
    limit: int,
    weights: Weights = DEFAULT_WEIGHTS,
) -> list[Ranked]:
    """What is no fact and bears on a question: at most `limit` memories, no two of which say the same.

    Raises:
        StorageUnavailable: the database cannot be read.
    """
    order = _related_order(parts, connection, question, Wish("", weights=weights))
    return ranking.collapse(order, limit, say_the_same, matter)


def _related_order(parts: Parts, connection: Connection, question: Question, wish: Wish) -> list[Ranked]:
    candidates = _known_by(wish, gather(parts, connection, question, RELATED_TYPES))
    order = ranked(parts, connection, question, candidates, wish.weights)
    return [entry for entry in order if entry.candidate.signals.bears_on_it()]


def _with_contradictions(
    parts: Parts,
    connection: Connection,
    kept: list[Ranked],
    order: Sequence[Ranked],
    question: Question,
    limit: int,
) -> list[Ranked]:
    """Puts what contradicts a fact right behind it, so that a reader sees both sides."""
    placed: dict[str, Ranked] = {}
    known = {entry.memory.id: entry for entry in order}
    for entry in kept:
        placed.setdefault(entry.memory.id, entry)
        rivals = conflicting_with(
            connection, entry.candidate.fact, parts.settings.single_valued, question.scopes
        )
        for other in rivals:
            if other.id not in placed and holds(other, question.moment):
                own = known.get(other.id) or Ranked(Candidate("fact", other, Signals()), 0.5, {})
                placed[other.id] = _lifted(own, entry)
    return list(placed.values())[:limit]


def _lifted(rival: Ranked, entry: Ranked) -> Ranked:
    """What contradicts an entry, with its score: what it lacks itself is added, under a name of its own."""
    lacking = sum(entry.parts.values()) - sum(rival.parts.values())
    return replace(rival, score=entry.score, parts={**rival.parts, "contradiction": lacking})


def _related_entry(parts: Parts, question: Question, entry: Ranked, still: str) -> Entry:
    memory = entry.memory
    kind = entry.candidate.memory_type
    shown = passage(
        entry.text()[:READ_LENGTH], _content(question), parts.frequencies.stemmer.stem, RELATED_LENGTH
    )
    turn = memory if isinstance(memory, Episode) else None
    record = {
        "id": memory.id,
        "memory_type": kind,
        "text": shown,
        "score": entry.score,
        "why": entry.why(),
        "source": memory.source,
        "confidence": memory.confidence,
        "created_at": memory.created_at,
        "occurred_at": turn.occurred_at if turn else None,
        "session": turn.session if turn else None,
        "risk_tags": list(memory.risk_tags),
    }
    said = line(
        shown,
        day=str(day_of(memory)),
        kind=kind,
        source=memory.source,
        trust=memory.confidence,
        risk_tags=memory.risk_tags,
    )
    return Entry(record, said, entry.score, gone=not holds(memory, still))


def _content(question: Question) -> list[str]:
    """The words of a question that say something."""
    return [word for word in fulltext.parse(question.text).words if word.casefold() not in STOP_WORDS]


def _answerable(parts: Parts, question: Question, found: Sequence[Ranked]) -> float:
    """How likely it is that what was found holds the answer, 0 to 1."""
    content = _content(question)
    if not found:
        return 0.0
    # of what is written without blanks, each pair counts
    content = [pair for word in content for pair in word.split()]
    if question.only_when and any(entry.candidate.signals.near_date == 1.0 for entry in found):
        return SURE
    stem = parts.frequencies.stemmer.stem
    coverage, named = 0.0, False
    for entry in found:
        stems = {stem(word) for word in index_words(entry.text()[:READ_LENGTH])}
        held = sum(stem(word) in stems for word in content)
        coverage = max(coverage, held / max(1, len(content)))
        named = named or (entry.candidate.signals.relation and held == len(content) > 0)
    signals = [entry.candidate.signals for entry in found]
    meanings = [signal.meaning for signal in signals if signal.meaning is not None]
    return answerable(max(meanings, default=None), coverage, named=named)
