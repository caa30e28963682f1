"""The tools that fuse all searches: what bears on a task, and the router over it."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from memory_server.app import MemoryApp
from memory_server.services.context import Context, ContextFact, get_context
from memory_server.services.route import route
from memory_server.tools.answers import Answer
from memory_server.tools.arguments import TooLong
from memory_server.tools.recall import AsOf, Query, Threshold, TopK, finder, moment, rule_json


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


GET_CONTEXT = finder(
    "get_context",
    "Get context for a task",
    "What is known that bears on a task or question: words, meaning and relations fused into one ranking, with "
    "related decisions, skills, beliefs and notes. Call it first, before you start work or answer about the past.",
    run_get_context,
)
ROUTE = finder(
    "route",
    "Route a question",
    "Answers a question by the first of four stages that has a meaningful answer (rules, meaning, graph, language "
    "model), with the fused ranking beside it. Use it when you do not know which search fits.",
    run_route,
)
