"""What may bear on a question: found by word, by meaning or by relation, with all that a ranking asks about it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime

from sqlalchemy import Connection

from memory_server.domain.episode import Episode
from memory_server.domain.fact import Fact
from memory_server.domain.memory import Memory
from memory_server.indexes.look import Closeness, Look
from memory_server.indexes.ports import IndexUnavailable as IndexFault
from memory_server.policies import conversation, ranking
from memory_server.policies.framing import asked_in, topic_of
from memory_server.policies.periods import (
    Period,
    asks_only_when,
    event_in,
    nearness,
    period_of_event,
    periods_in,
)
from memory_server.policies.ranking import DEFAULT_WEIGHTS, Signals, Weights
from memory_server.policies.scopes import Scopes, is_own
from memory_server.policies.stopwords import STOP_WORDS
from memory_server.policies.text import normal
from memory_server.services.candidates import Candidate, Ranked, day_of, holds
from memory_server.services.named_facts import facts_named
from memory_server.services.parts import Parts
from memory_server.services.views import confidences
from memory_server.storage import fulltext, rows, turns
from memory_server.storage.scopes import visible_sql

MOST = 150  # of each kind of search; more cost time and find nothing more
MOST_FACTS = 100  # which are short and say one thing each
MOST_EVENTS = 20  # that "before we moved" may be about
EVENT_FLOOR = 0.4  # cosine from which one is taken to be meant
TELLING_WORDS = 2  # of a question, from which what is pasted beside it is not looked for word by word
NAMING_LENGTH = 4_000  # characters in which names are looked for
UNKNOWN = Closeness(0.0, None)  # how near a memory is that has no vector
_DATED = ("episode", "fact", "decision")


@dataclass(frozen=True, slots=True)
class Question:
    """A text with what it names.

    Attributes:
        text: what it is about, without the words that only say what to do with it, and without what is pasted.
        query: its words; those of what is pasted, too, where it has hardly any of its own.
        moment: RFC 3339; only what was true then is looked for.
        scopes: what the reader sees.
        near: ids of facts next to the entities that the text names.
        speaker: the one known person whom it names.
        periods: the days and months that it names, and those that lie before or after an event that it names.
        only_when: whether it is about these days and nothing else.
        look: the vectors as they are at the time of asking; None where there is no search by meaning.
        degraded: what could not be looked at, if anything.
    """

    text: str
    query: fulltext.Query
    moment: str
    scopes: Scopes
    asks_for_now: bool
    asks_machine: bool
    near: frozenset[str]
    speaker: str | None
    periods: Sequence[Period]
    look: Look | None = None
    degraded: str | None = None
    only_when: bool = False


def question_of(
    parts: Parts, connection: Connection, text: str, moment: str, scopes: Scopes = None
) -> Question:
    """Reads a question in the light of what is stored; `moment` is the time of asking, RFC 3339."""
    years = turns.years(connection) or [int(moment[:4])]
    asked = asked_in(text)
    periods = periods_in(asked, years, date.fromisoformat(moment[:10]))
    only_when = bool(periods) and asks_only_when(asked)
    question = _plain(parts, text, moment, scopes)
    if not periods:
        periods = _around_event(parts, connection, asked, question)
    naming = text if len(text) <= NAMING_LENGTH else f"{asked}\n{text[:NAMING_LENGTH]}"
    return replace(
        question,
        near=frozenset(facts_named(parts, naming, scopes)),
        speaker=conversation.named_speaker(asked, turns.speakers(connection)),
        periods=periods,
        only_when=only_when,
    )


def _plain(parts: Parts, text: str, moment: str, scopes: Scopes) -> Question:
    """A question by its words alone."""
    asked = asked_in(text)
    topic = topic_of(asked)
    query = fulltext.parse(topic.text)
    if asked != text and sum(word.casefold() not in STOP_WORDS for word in query.words) < TELLING_WORDS:
        query = fulltext.parse(f"{topic.text}\n{text}")
    try:
        with parts.observation.span("vectors"):
            look, degraded = parts.meaning.look(topic.text, scopes), None
            degraded = look.note
    except IndexFault as error:
        look, degraded = None, f"without search by meaning: {error}"
    return Question(
        text=topic.text,
        query=query,
        moment=moment,
        scopes=scopes,
        asks_for_now=ranking.asks_for_now(asked),
        # a summary is made of what both sides said
        asks_machine=topic.kind == "summary" or conversation.asks_machine(asked),
        near=frozenset(),
        speaker=None,
        periods=(),
        look=look,
        degraded=degraded,
    )


def _around_event(parts: Parts, connection: Connection, text: str, question: Question) -> list[Period]:
    """The days before or after an event that a text names, if one is known that fits."""
    named = event_in(text)
    if named is None:
        return []
    order, event = named
    about = _plain(parts, event, question.moment, question.scopes)
    candidates = gather(parts, connection, about, _DATED, most=MOST_EVENTS)
    best = next(iter(ranked(parts, connection, about, candidates)), None)
    if best is None or (best.candidate.signals.meaning or 0.0) < EVENT_FLOOR:
        return []
    return [period_of_event(order, day_of(best.memory))]


def gather(
    parts: Parts,
    connection: Connection,
    question: Question,
    memory_types: Collection[str],
    subject: str | None = None,
    most: int | None = None,
) -> list[Candidate]:
    """The candidates of these kinds that hold at the question's moment; for facts only those about `subject`.

    Args:
        most: of each kind of search.

    Raises:
        StorageUnavailable: the database cannot be read.
    """
    most = most or (MOST_FACTS if tuple(memory_types) == ("fact",) else MOST)
    words = {
        memory_id: (memory_type, score)
        for memory_type in memory_types
        for memory_id, score in _by_words(parts, connection, memory_type, question, most)
    }
    cosines = _by_meaning(question, memory_types, most)
    found: dict[str, tuple[str, Memory]] = {}
    near = question.near if "fact" in memory_types else frozenset()
    wanted = dict.fromkeys([*words, *near, *(cosines or ())])
    for memory_type in memory_types:
        if not parts.frequencies.rows(connection, rows.TABLES[memory_type]):
            continue
        ids = [i for i in wanted if i not in found and words.get(i, (memory_type,))[0] == memory_type]
        for memory_id, memory in rows.by_ids(connection, rows.MODELS[memory_type], ids).items():
            found[memory_id] = (memory_type, memory)
    if subject is not None:
        found = {fact.id: ("fact", fact) for fact in _about(connection, subject, question.scopes)}
    held = {i: entry for i, entry in found.items() if holds(entry[1], question.moment)}
    # unknown is not far away: how near is asked of what words and relations found, too
    close = question.look.closeness(list(held)) if question.look is not None else {}
    order = _order(memory for _, memory in held.values())
    return [
        Candidate(
            memory_type,
            memory,
            _signals(
                memory,
                question,
                words=words[memory.id][1] if memory.id in words else 0.0,
                close=close.get(memory.id, UNKNOWN) if question.look is not None else None,
                relation=memory.id in near,
                recency=order[memory.id],
            ),
        )
        for memory_type, memory in held.values()
    ]


def ranked(
    parts: Parts,
    connection: Connection,
    question: Question,
    candidates: Iterable[Candidate],
    weights: Weights = DEFAULT_WEIGHTS,
) -> list[Ranked]:
    """Candidates with their fused score, best first."""
    by_id = {candidate.memory.id: candidate for candidate in candidates}

    def trust_of(ids: Sequence[str]) -> dict[str, float]:
        """Facts as their sources, age and conflicts go, others as they were claimed."""
        found = {memory_id: by_id[memory_id].memory.confidence for memory_id in ids}
        facts = [by_id[memory_id].fact for memory_id in ids if by_id[memory_id].memory_type == "fact"]
        trusts = confidences(connection, parts.settings, facts, datetime.now(UTC), question.scopes)
        return found | {fact.id: trust.value for fact, trust in zip(facts, trusts, strict=True)}

    fused = ranking.fuse(
        {memory_id: candidate.signals for memory_id, candidate in by_id.items()},
        asks_for_now=question.asks_for_now,
        asks_machine=question.asks_machine,
        trust_of=trust_of,
        weights=weights,
    )
    return [Ranked(by_id[scored.memory_id], scored.score, scored.parts) for scored in fused]


def _by_words(
    parts: Parts, connection: Connection, memory_type: str, question: Question, most: int
) -> list[tuple[str, float]]:
    table = rows.TABLES[memory_type]
    if not parts.frequencies.rows(connection, table):
        return []
    expression = fulltext.any_of(connection, table, question.query, parts.frequencies)
    return fulltext.matches(connection, table, expression, most, scopes=question.scopes)


def _by_meaning(question: Question, memory_types: Collection[str], most: int) -> dict[str, float] | None:
    """Cosines of the nearest memories, None where there is no search by meaning."""
    return None if question.look is None else dict(question.look.search(most, memory_types=memory_types).hits)


def _about(connection: Connection, subject: str, scopes: Scopes) -> list[Fact]:
    visible = visible_sql(scopes)
    found = connection.exec_driver_sql(
        f"SELECT {rows.selection(Fact, 't')} FROM facts t WHERE t.subject_key = ? "
        f"AND t.lifecycle_state NOT IN ('archived','forgotten'){visible and f' AND {visible}'} "
        "ORDER BY t.row DESC LIMIT ?",
        (normal(subject), *(scopes or ()), 2 * MOST),
    )
    return [rows.from_row(Fact, row) for row in found]


def _signals(
    memory: Memory,
    question: Question,
    *,
    words: float,
    close: Closeness | None,
    relation: bool,
    recency: float,
) -> Signals:
    """What was found of a memory, with where it stands, who said it and when."""
    turn = memory if isinstance(memory, Episode) else None
    if turn is not None:
        group = turn.session
    else:
        group = normal(memory.subject) if isinstance(memory, Fact) else memory.episode_id
    # what is no raw text was drawn from what people said
    by_person = turn is None or conversation.is_person(turn.speaker)
    late = close.late if close is not None else None
    return Signals(
        words,
        close.cosine if close is not None else None,
        relation,
        recency,
        group,
        place=turn.position if turn else None,
        length=len(turn.text) if turn else None,
        by_person=by_person,
        by_named=turn is not None and question.speaker is not None and turn.speaker == question.speaker,
        standing=turn is not None and by_person and conversation.is_standing(turn.text),
        near_date=nearness(day_of(memory), question.periods) if question.periods else 0.0,
        own_scope=is_own(question.scopes, memory.scope),
        late=None if late is None else late.score,
        n_tokens=0 if late is None else late.n_tokens,
    )


def _order(memories: Iterable[Memory]) -> dict[str, float]:
    """The place in time of each, 0 for the oldest and 1 for the newest."""
    by_time = sorted(memories, key=lambda memory: getattr(memory, "occurred_at", None) or memory.created_at)
    return {memory.id: place / max(1, len(by_time) - 1) for place, memory in enumerate(by_time)}
