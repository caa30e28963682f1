"""The tools that find by one way alone: by word, by meaning, by relation."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from memory_server.app import MemoryApp
from memory_server.domain.errors import InvalidArgument
from memory_server.domain.memory import parse_time, rfc3339
from memory_server.services.relations import graph_search
from memory_server.services.search import FoundFact, search
from memory_server.services.semantic_search import semantic_search
from memory_server.storage.fact_search import Filters
from memory_server.tools.answers import Answer
from memory_server.tools.arguments import Empty
from memory_server.tools.scoping import ReadScope, ScopeNote, read_scopes
from memory_server.tools.tool import Tool

Query = Annotated[str, Field(max_length=4096, description="What to look for, in any words")]
TopK = Annotated[int, Field(ge=1, le=100, description="At most so many")]
Threshold = Annotated[float, Field(ge=0, le=1, description="Least cosine similarity")]
Name = Annotated[str | None, Field(max_length=512)]
AsOf = Annotated[
    str | None, Field(max_length=40, description="RFC 3339: what was known to be true at that time")
]


Explain = Annotated[bool, Field(description="With what each signal added")]
ExpectedId = Annotated[
    str | None, Field(max_length=64, description="Id that should be found: says what kept it out")
]


class SearchAnswer(Answer):
    total: int = Field(description="How many are returned")
    results: list[FoundFact] = Field(description="Best first; closed facts after current ones")
    query: str
    has_more: bool = Field(description="Whether there was more than the limit")
    explanation: dict[str, Any] | None = Field(
        description="{weights, signals by id, expected: {id, reason, detail}}"
    )
    scope_note: ScopeNote


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
    scope: ReadScope = None,
    explain: Explain = False,
    expected_id: ExpectedId = None,
) -> SearchAnswer:
    """Facts by keyword."""
    filters = Filters(
        subject=subject,
        predicate=predicate,
        object=object,
        source=source,
        as_of=moment(as_of),
        scopes=read_scopes(app.settings, scope),
    )
    found = search(app, query, filters, limit, explain=explain, expected_id=expected_id)
    return SearchAnswer(
        total=len(found.results),
        results=found.results,
        query=query,
        has_more=found.has_more,
        explanation=found.explanation,
        scope_note=found.scope_note,
    )


class SemanticAnswer(Answer):
    total: int
    semantic_results: list[dict[str, Any]] | None = Field(
        description="{id, score, payload}, best first; score: the cosine, more where the query names it"
    )
    rule_match: dict[str, str] | None = Field(
        description="{route, rule_name, matched_keyword} when a rule matched"
    )
    results: list[FoundFact] | None = Field(description="What the rule's route found")
    degraded: str | None = Field(description="What could not be looked at, if anything")
    scope_note: ScopeNote


def run_semantic_search(
    app: MemoryApp,
    *,
    query: Query,
    top_k: TopK = 10,
    score_threshold: Threshold = 0.0,
    scope: ReadScope = None,
) -> SemanticAnswer:
    """Memories by meaning."""
    found = semantic_search(app, query, top_k, score_threshold, read_scopes(app.settings, scope))
    if found.rule is not None:
        return SemanticAnswer(
            total=len(found.results),
            semantic_results=None,
            rule_match=rule_json(found.rule),
            results=found.results,
            degraded=None,
            scope_note=found.scope_note,
        )
    return SemanticAnswer(
        total=len(found.hits),
        semantic_results=found.hits,
        rule_match=None,
        results=None,
        degraded=found.degraded,
        scope_note=found.scope_note,
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
    scope: ReadScope = None,
) -> GraphAnswer:
    """Entities and how they are related."""
    scopes = read_scopes(app.settings, scope)
    found = graph_search(
        app, query=query, entity_id=entity_id, source_id=source_id, target_id=target_id, scopes=scopes
    )
    return GraphAnswer(**found)


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


def finder(name: str, title: str, description: str, run: Any) -> Tool:
    """A tool of the core that finds and changes nothing."""
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


SEARCH = finder(
    "search",
    "Search facts by keyword",
    "Finds stored facts by their words and by exact filters. Use it for names, identifiers and known words; use "
    "get_context for a task or a question in plain words, semantic_search when the words may differ.",
    run_search,
)
SEMANTIC_SEARCH = finder(
    "semantic_search",
    "Search by meaning",
    "Finds memories of every kind whose meaning is near to the query, whatever their words. Use search for exact "
    "words or identifiers, get_context for everything that bears on a task.",
    run_semantic_search,
)
GRAPH_SEARCH = finder(
    "graph_search",
    "Search the graph",
    "Shows how things are related: give query for the entities that a text names with their neighbours, entity_id "
    "for one entity, or source_id with target_id for the paths between two. Exactly one of these three.",
    run_graph_search,
)
