"""The tools that find: by word, by meaning, by relation, and all of them together."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from memory_server.app import MemoryApp
from memory_server.domain.errors import InvalidArgument
from memory_server.domain.memory import parse_time, rfc3339
from memory_server.services.context import Context, ContextFact, get_context
from memory_server.services.relations import graph_search
from memory_server.services.route import route
from memory_server.services.search import FoundFact, search
from memory_server.services.semantic_search import semantic_search
from memory_server.storage.fact_search import Filters
from memory_server.tools.answers import Answer
from memory_server.tools.arguments import Empty, TooLong
from memory_server.tools.tool import Tool

Query = Annotated[str, Field(max_length=4096, description="What to look for, in any words")]
TopK = Annotated[int, Field(ge=1, le=100, description="At most so many")]
Threshold = Annotated[float, Field(ge=0, le=1, description="Least cosine similarity")]
Name = Annotated[str | None, Field(max_length=512)]
AsOf = Annotated[
    str | None, Field(max_length=40, description="RFC 3339: what was known to be true at that time")
]


class SearchAnswer(Answer):
    total: int = Field(description="How many are returned")
    results: list[FoundFact] = Field(description="Best first; closed facts after current ones")
    query: str
    has_more: bool = Field(description="Whether there was more than the limit")


def run_search(
    app: MemoryApp,
    *,
    query: Annotated[
        str, Field(max_length=4096, description='Words to find; "" where a filter is given'), Empty.COUNTS
    ],
    subject: Annotated[str | None, Field(max_length=512, description="Exact subject, any case")] = None,
    predicate: Annotated[str | None, Field(max_length=512, description="Exact predicate, any case")] = None,
    object: Annotated[str | None, Field(max_length=8192, description="Exact object, any case")] = None,
    source: Annotated[str | None, Field(max_length=256, description="Exact source, any case")] = None,
    limit: TopK = 10,
    as_of: AsOf = None,
) -> SearchAnswer:
    """Facts by keyword."""
    filters = Filters(subject=subject, predicate=predicate, object=object, source=source, as_of=moment(as_of))
    found = search(app, query, filters, limit)
    return SearchAnswer(total=len(found.results), results=found.results, query=query, has_more=found.has_more)


class SemanticAnswer(Answer):
    total: int
    semantic_results: list[dict[str, Any]] | None = Field(
        description="{id, score, payload}, best first; null when a rule matched"
    )
    rule_match: dict[str, str] | None = Field(
        description="{route, rule_name, matched_keyword} when a rule matched"
    )
    results: list[FoundFact] | None = Field(description="What the rule's route found")
    degraded: str | None = Field(description="What could not be looked at, if anything")


def run_semantic_search(
    app: MemoryApp, *, query: Query, top_k: TopK = 10, score_threshold: Threshold = 0.0
) -> SemanticAnswer:
    """Memories by meaning."""
    found = semantic_search(app, query, top_k, score_threshold)
    if found.rule is not None:
        return SemanticAnswer(
            total=len(found.results),
            semantic_results=None,
            rule_match=rule_json(found.rule),
            results=found.results,
            degraded=None,
        )
    return SemanticAnswer(
        total=len(found.hits),
        semantic_results=found.hits,
        rule_match=None,
        results=None,
        degraded=found.degraded,
    )


class ContextAnswer(Answer):
    total: int = Field(description="How many facts are returned")
    facts: list[ContextFact] = Field(description="Best first; why names the signals that found each")
    task: str
    related: list[dict[str, Any]] = Field(
        description="Decisions, skills, beliefs, knowledge, episodes: {id, memory_type, text, score, created_at}"
    )
    answerable: float = Field(description="How likely the answer is among these, 0 to 1")
    degraded: str | None = Field(description="What could not be looked at, if anything")


def run_get_context(
    app: MemoryApp,
    *,
    task: Annotated[
        str, Field(max_length=20000, description="What you are about to do or answer"), TooLong.CUT
    ],
    subject: Annotated[str | None, Field(max_length=512, description="Only facts about this subject")] = None,
    max_results: Annotated[int, Field(ge=1, le=100, description="At most so many facts")] = 10,
    token_budget: Annotated[
        int | None, Field(ge=50, le=200000, description="Trims the lowest ranked to about so many tokens")
    ] = None,
    as_of: AsOf = None,
) -> ContextAnswer:
    """What to know before a task."""
    found = get_context(app, task, subject=subject, max_results=max_results, as_of=moment(as_of))
    facts, related = within_budget(found, token_budget)
    return ContextAnswer(
        total=len(facts),
        facts=facts,
        task=task,
        related=related,
        answerable=found.answerable,
        degraded=found.degraded,
    )


class GraphAnswer(Answer):
    nodes: list[dict[str, Any]] = Field(description="{id, name, type, attributes}")
    edges: list[dict[str, Any]] = Field(description="{source_id, target_id, relation, attributes}")
    paths: list[list[dict[str, Any]]] = Field(description="Each a list of {id, name, type}, shortest first")
    truncated: str | None = Field(description="What was left out, if anything")


def run_graph_search(
    app: MemoryApp,
    *,
    query: Annotated[str | None, Field(max_length=4096, description="Text that names entities")] = None,
    entity_id: Annotated[str | None, Field(max_length=8192, description="Id or name of one entity")] = None,
    source_id: Annotated[str | None, Field(max_length=8192, description="Start of a path")] = None,
    target_id: Annotated[str | None, Field(max_length=8192, description="End of a path")] = None,
) -> GraphAnswer:
    """Entities and how they are related."""
    found = graph_search(app, query=query, entity_id=entity_id, source_id=source_id, target_id=target_id)
    return GraphAnswer(**found)


class RouteAnswer(Answer):
    stage: int = Field(description="1 rules, 2 semantic, 3 graph, 4 language model")
    route: str
    ranked_results: list[dict[str, Any]] = Field(
        description="Fused over all sources: {content, score, source, confidence, metadata}"
    )
    total: int = Field(description="How many the winning stage found")
    rule_match: dict[str, str] | None = Field(description="Stage 1: {route, rule_name, matched_keyword}")
    semantic_results: list[dict[str, Any]] | None = Field(description="Stage 2: {id, score, payload}")
    graph_result: dict[str, Any] | None = Field(description="Stage 3: {entities, relations, paths}")
    message: str | None = Field(description="Stage 4: what the language model said, or why there is none")
    degraded: str | None = Field(description="What could not be looked at, if anything")


def run_route(
    app: MemoryApp, *, query: Query, top_k: TopK = 10, score_threshold: Threshold = 0.0
) -> RouteAnswer:
    """The first of four stages with a meaningful answer."""
    found = route(app, query, top_k, score_threshold)
    if found.semantic_results is not None:
        total = len(found.semantic_results)
    else:
        total = len(found.graph_result["entities"] if found.graph_result else found.ranked_results)
    return RouteAnswer(
        stage=found.stage,
        route=found.route,
        ranked_results=found.ranked_results,
        total=total,
        rule_match=rule_json(found.rule) if found.rule else None,
        semantic_results=found.semantic_results,
        graph_result=found.graph_result,
        message=found.message,
        degraded=found.degraded,
    )


def rule_json(rule: Any) -> dict[str, str]:
    """A rule match as callers see it."""
    return {"route": rule.route, "rule_name": rule.rule_name, "matched_keyword": rule.matched_keyword}


def moment(text: str | None) -> str | None:
    """A time that a caller gave, as it is stored.

    Raises:
        InvalidArgument: it is no time.
    """
    if text is None:
        return None
    try:
        return rfc3339(parse_time(text))
    except ValueError as error:
        raise InvalidArgument(
            f"as_of must be a time like 2026-03-31T12:00:00Z, not {text[:60]!r}", argument="as_of"
        ) from error


def within_budget(found: Context, tokens: int | None) -> tuple[list[ContextFact], list[dict[str, Any]]]:
    """Drops the lowest ranked until the rest fits; a token is taken for four characters of JSON."""
    facts, related = list(found.facts), list(found.related)
    if tokens is None:
        return facts, related
    ranked = sorted(
        [(fact.score, len(fact.model_dump_json()), 0, place) for place, fact in enumerate(facts)]
        + [(item["score"], len(str(item)), 1, place) for place, item in enumerate(related)],
        key=lambda entry: -entry[0],
    )
    spent, kept = 0, set()
    for _, size, kind, place in ranked:
        spent += size
        if spent > tokens * 4:
            break
        kept.add((kind, place))
    return (
        [fact for place, fact in enumerate(facts) if (0, place) in kept],
        [item for place, item in enumerate(related) if (1, place) in kept],
    )


def _tool(name: str, title: str, description: str, run: Any) -> Tool:
    return Tool(
        name=name,
        title=title,
        description=description,
        run=run,
        toolset="core",
        read_only=True,
        destructive=False,
        idempotent=True,
    )


SEARCH = _tool(
    "search",
    "Search facts by keyword",
    "Finds stored facts by their words and by exact filters. Use it for names, identifiers and known words; use "
    "get_context for a task or a question in plain words, semantic_search when the words may differ.",
    run_search,
)
GET_CONTEXT = _tool(
    "get_context",
    "Get context for a task",
    "What is known that bears on a task or question: words, meaning and relations fused into one ranking, with "
    "related decisions, skills, beliefs and notes. Call it first, before you start work or answer about the past.",
    run_get_context,
)
SEMANTIC_SEARCH = _tool(
    "semantic_search",
    "Search by meaning",
    "Finds memories of every kind whose meaning is near to the query, whatever their words. Use search for exact "
    "words or identifiers, get_context for everything that bears on a task.",
    run_semantic_search,
)
GRAPH_SEARCH = _tool(
    "graph_search",
    "Search the graph",
    "Shows how things are related: give query for the entities that a text names with their neighbours, entity_id "
    "for one entity, or source_id with target_id for the paths between two. Exactly one of these three.",
    run_graph_search,
)
ROUTE = _tool(
    "route",
    "Route a question",
    "Answers a question by the first of four stages that has a meaningful answer (rules, meaning, graph, language "
    "model), with the fused ranking beside it. Use it when you do not know which search fits.",
    run_route,
)
