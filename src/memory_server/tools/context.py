"""The tools that fuse all searches: what bears on a task, and the router over it."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from memory_server.app import MemoryApp
from memory_server.services.context import ContextFact, get_context
from memory_server.services.handout import parse_cursor
from memory_server.services.route import route
from memory_server.tools.answers import Answer
from memory_server.tools.arguments import TooLong
from memory_server.tools.recall import (
    AsOf,
    ExpectedId,
    Explain,
    Query,
    Threshold,
    TopK,
    finder,
    moment,
    rule_json,
)
from memory_server.tools.scoping import ReadScope, ScopeNote, read_scopes


class ContextAnswer(Answer):
    total: int = Field(description="How many facts are returned")
    facts: list[ContextFact] = Field(description="Best first; why names the signals that found each")
    task: str
    related: list[dict[str, Any]] = Field(
        description="Decisions, skills, beliefs, knowledge, episodes: {id, memory_type, text, score, why, created_at}"
    )
    answerable: float = Field(description="How likely the answer is among these, 0 to 1")
    tokens: int = Field(description="About what this costs a model to read")
    next_cursor: str | None = Field(description="Give it as cursor for what comes next; null at the end")
    text: str | None = Field(description="The same for a model, with format text; the lists are empty then")
    explanation: dict[str, Any] | None = Field(
        description="{weights, signals by id, expected: {id, reason, detail}}"
    )
    scope_note: ScopeNote
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
        int | None, Field(ge=50, le=200000, description="Trims the lowest ranked to at most so many tokens")
    ] = None,
    as_of: AsOf = None,
    scope: ReadScope = None,
    format: Annotated[
        Literal["json", "text"], Field(description="text: one line each, with date, source and trust")
    ] = "json",
    cursor: Annotated[str | None, Field(max_length=32, description="next_cursor of the page before")] = None,
    explain: Explain = False,
    expected_id: ExpectedId = None,
) -> ContextAnswer:
    """What to know before a task."""
    found = get_context(
        app,
        task,
        subject=subject,
        max_results=max_results,
        as_of=moment(as_of),
        scopes=read_scopes(app.settings, scope),
        page=parse_cursor(cursor),
        token_budget=token_budget,
        as_text=format == "text",
        explain=explain,
        expected_id=expected_id,
    )
    return ContextAnswer(
        total=found.total,
        facts=found.facts,
        task=task,
        related=found.related,
        answerable=found.answerable,
        tokens=found.tokens,
        next_cursor=found.next_page.cursor() if found.next_page else None,
        text=found.text,
        explanation=found.explanation,
        scope_note=found.scope_note,
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
    answerable: float = Field(description="How likely the answer is among these, 0 to 1")
    nothing_known: str | None = Field(
        description="Says so where the answer is not among these; the nearest are listed"
    )
    scope_note: ScopeNote
    degraded: str | None = Field(description="What could not be looked at, if anything")


def run_route(
    app: MemoryApp,
    *,
    query: Query,
    top_k: TopK = 10,
    score_threshold: Threshold = 0.0,
    scope: ReadScope = None,
) -> RouteAnswer:
    """The first of four stages with a meaningful answer."""
    found = route(app, query, top_k, score_threshold, read_scopes(app.settings, scope))
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
        answerable=found.answerable,
        nothing_known=found.nothing_known,
        scope_note=found.scope_note,
        degraded=found.degraded,
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
