"""Search by meaning; routing rules are looked at first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from memory_server.domain.errors import IndexUnavailable, InvalidArgument
from memory_server.domain.fact import Fact
from memory_server.domain.lifecycle import SEARCHABLE_STATES, LifecycleState
from memory_server.domain.memory import Memory, rfc3339
from memory_server.indexes.look import MeaningHits
from memory_server.indexes.ports import IndexUnavailable as IndexFault
from memory_server.policies.naming import NAMED_WORTH, named_in
from memory_server.policies.routing import RuleMatch, match_rule
from memory_server.policies.scopes import Scopes, sees
from memory_server.policies.text import is_blank
from memory_server.services import views
from memory_server.services.named_facts import facts_named
from memory_server.services.parts import Parts
from memory_server.services.scope_notes import scope_note_of
from memory_server.services.search import FoundFact, search
from memory_server.storage import rows
from memory_server.storage.fact_search import Filters

_SPARE = 20  # hits asked for beyond top_k, since some may have left meanwhile
_WORDS_WORTH = 0.2  # of the best score by words, as cosine, where a rule leads to words


@dataclass(frozen=True, slots=True)
class Meant:
    """What a search by meaning found: a rule's results, or hits by cosine."""

    rule: RuleMatch | None = None
    results: list[FoundFact] = field(default_factory=list)
    hits: list[dict[str, Any]] = field(default_factory=list)
    degraded: str | None = None
    scope_note: str | None = None


def semantic_search(
    parts: Parts, query: str, top_k: int, score_threshold: float, scopes: Scopes = None
) -> Meant:
    """What a rule's route finds where one matches, else the nearest memories.

    Raises:
        InvalidArgument: the query is empty.
        IndexUnavailable: there is no search by meaning; the message says why.
    """
    if is_blank(query):
        raise InvalidArgument("query is empty: say what to look for", argument="query")
    rule = match_rule(query, parts.rules)
    if rule is not None:
        found = search(parts, query, Filters(scopes=scopes), top_k + _SPARE)
        results = _nearest_first(parts, query, found.results, scopes)[:top_k]
        return Meant(rule=rule, results=results, scope_note=found.scope_note)
    hits, degraded = nearest(parts, query, top_k, score_threshold, scopes=scopes)
    return Meant(hits=hits, degraded=degraded, scope_note=scope_note_of(parts, scopes))


def _nearest_first(parts: Parts, query: str, found: list[FoundFact], scopes: Scopes) -> list[FoundFact]:
    """What words found, in the order of words and meaning together, as far as there is a search by meaning.

    A rule fires on one word, which may be part of a name: who asks about "token-service" does not ask for a token.
    """
    try:
        near = parts.meaning.look(query, scopes).closeness([fact.id for fact in found])
    except IndexFault:
        return found
    names = named_in(query, {name for fact in found for name in (fact.subject, fact.object)})
    best = max((fact.score for fact in found), default=1.0)

    def worth(fact: FoundFact) -> float:
        named = fact.subject in names or fact.object in names
        cosine = near[fact.id].cosine if fact.id in near else 0.0
        return cosine + NAMED_WORTH * named + _WORDS_WORTH * fact.score / best

    return sorted(found, key=lambda fact: -worth(fact))


def nearest(
    parts: Parts,
    query: str,
    top_k: int,
    minimum: float,
    memory_types: frozenset[str] | None = None,
    scopes: Scopes = None,
) -> tuple[list[dict[str, Any]], str | None]:
    """Hits as `{id, score, payload}`, and a note where some changes could not be looked at.

    The score is the cosine, and up to 0.2 more where the query names what a memory is about: so it comes before what
    is hardly nearer, and scores go down from hit to hit. `payload.cosine` is the cosine alone. What is closed comes
    after what is current; nothing else than what `scopes` show takes a place.

    Raises:
        IndexUnavailable: there is no search by meaning.
    """
    try:
        with parts.observation.span("vectors"):
            # of many names that mean nothing, all are equally near to a query that holds one of them
            named = (
                facts_named(parts, query, scopes) if memory_types is None or "fact" in memory_types else ()
            )
            found = parts.meaning.search(
                query,
                top_k + _SPARE,
                memory_types=memory_types,
                minimum=minimum,
                scopes=scopes,
                also=frozenset(named),
            )
    except IndexFault as error:
        raise IndexUnavailable(f"search by meaning is unavailable: {error}") from error
    return hydrated(parts, query, found, top_k, scopes), found.note


def hydrated(
    parts: Parts, query: str, found: MeaningHits, top_k: int, scopes: Scopes = None
) -> list[dict[str, Any]]:
    """Hits with what is stored now, so that a late index can lose a hit but never show what is gone or elsewhere."""
    memories: dict[str, tuple[str, Memory]] = {}
    with parts.database.read() as connection:
        wanted = [memory_id for memory_id, _ in found.hits]
        for memory_type, model in rows.MODELS.items():
            if not wanted:
                break
            for memory_id, memory in rows.by_ids(connection, model, wanted).items():
                memories[memory_id] = (memory_type, memory)
            wanted = [memory_id for memory_id in wanted if memory_id not in memories]
    known = [(memory_id, score) for memory_id, score in found.hits if memory_id in memories]
    meant = _meant(query, [memories[memory_id][1] for memory_id, _ in known])
    now = rfc3339(datetime.now(UTC))
    shown: list[tuple[str, float]] = []
    for memory_id, score in known:
        memory = memories[memory_id][1]
        # a fact that was replaced is shown as closed; of other kinds a replaced one ages, but does not come back
        replaced = memory.is_replaced(now) and not isinstance(memory, Fact)
        searchable = LifecycleState(memory.lifecycle_state) in SEARCHABLE_STATES
        if searchable and not replaced and sees(scopes, memory.scope):
            shown.append((memory_id, score))

    def worth(hit: tuple[str, float]) -> float:
        return hit[1] + NAMED_WORTH * (hit[0] in meant)

    def place(hit: tuple[str, float]) -> tuple[bool, float]:
        over = memories[hit[0]][1].valid_to
        return over is not None and over <= now, -worth(hit)

    return [
        {
            "id": hit[0],
            "score": round(min(1.0, worth(hit)), 6),
            "payload": {**views.payload(*memories[hit[0]]), "cosine": round(hit[1], 6)},
        }
        for hit in sorted(shown, key=place)[:top_k]
    ]


def _meant(query: str, memories: Sequence[Memory]) -> set[str]:
    """Ids of the memories that are about something that the query names."""
    facts = [memory for memory in memories if isinstance(memory, Fact)]
    names = named_in(query, {name for fact in facts for name in (fact.subject, fact.object)})
    if not names:
        return set()
    meant = {fact.id for fact in facts if fact.subject in names or fact.object in names}
    others = [memory for memory in memories if not isinstance(memory, Fact)]
    return meant | {memory.id for memory in others if named_in(memory.sentence(), names)}  # type: ignore[attr-defined]
