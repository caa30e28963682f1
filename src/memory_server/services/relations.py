"""Search by relation: neighbours of what a text names, and the paths between two entities."""

from __future__ import annotations

from typing import Any

from memory_server.domain.errors import InvalidArgument, NotFound
from memory_server.indexes.graph import Edge, Graph, Node
from memory_server.policies.scopes import Scopes
from memory_server.policies.text import cut
from memory_server.services.parts import Parts

MAX_EDGES = 4
MAX_PATHS = 20
MAX_NEIGHBOURS = 100


def graph_search(
    parts: Parts,
    *,
    query: str | None = None,
    entity_id: str | None = None,
    source_id: str | None = None,
    target_id: str | None = None,
    scopes: Scopes = None,
) -> dict[str, Any]:
    """Nodes, edges and paths of what a reader sees; the mode follows from what is given.

    Raises:
        InvalidArgument: nothing is given, more than one mode, or half of a pair.
    """
    modes = [query is not None, entity_id is not None, source_id is not None or target_id is not None]
    if sum(modes) != 1:
        raise InvalidArgument(
            "give exactly one of: query; entity_id; source_id together with target_id", argument="query"
        )
    if (source_id is None) != (target_id is None):
        missing = "target_id" if target_id is None else "source_id"
        raise InvalidArgument(
            f"{missing} is missing: a path needs both source_id and target_id", argument=missing
        )
    with parts.observation.span("graph"):
        graph = parts.network.current(scopes)
        if query is not None:
            return _around(graph, graph.entities_in(query))
        if entity_id is not None:
            return _around(graph, [_known(graph, "entity_id", entity_id)])
        assert source_id is not None and target_id is not None
        return _between(graph, source_id, target_id)


def _around(graph: Graph, node_ids: list[str]) -> dict[str, Any]:
    nodes: dict[str, Node] = {}
    edges: dict[tuple[str, str, str], Edge] = {}
    hubs: list[Node] = []
    for node_id in node_ids:
        found = graph.neighbourhood(node_id, MAX_NEIGHBOURS)
        nodes.update({node.id: node for node in found.nodes})
        edges.update({(edge.source_id, edge.relation, edge.target_id): edge for edge in found.edges})
        if found.truncated:
            hubs.append(nodes[node_id])
    return {
        "nodes": [node_json(node) for node in nodes.values()],
        "edges": [edge_json(edge) for edge in edges.values()],
        "paths": [],
        "truncated": _left_out(hubs),
    }


def _left_out(hubs: list[Node]) -> str | None:
    if not hubs:
        return None
    names = ", ".join(f"{cut(hub.name, 60)} ({hub.attributes['degree']} relations)" for hub in hubs[:5])
    return (
        f"of each entity {MAX_NEIGHBOURS} neighbours are shown; more have {names}: search with the name as subject or "
        f"object, and with words, finds the others"
    )


def _between(graph: Graph, source: str, target: str) -> dict[str, Any]:
    start, end = _known(graph, "source_id", source), _known(graph, "target_id", target)
    found = graph.paths(start, end, max_edges=MAX_EDGES, max_paths=MAX_PATHS)
    by_id = {node.id: node for node in found.nodes}
    return {
        "nodes": [node_json(node) for node in found.nodes],
        "edges": [edge_json(edge) for edge in found.edges],
        "paths": [
            [{"id": i, "name": by_id[i].name, "type": by_id[i].type} for i in path] for path in found.paths
        ],
        "truncated": "some nodes have more neighbours than were looked at" if found.truncated else None,
    }


def _known(graph: Graph, argument: str, name: str) -> str:
    node_id = graph.resolve(name)
    if node_id is None:
        raise NotFound(
            f"{argument} {cut(name, 80)!r} names no entity; graph_search with a query shows the ids", id=name
        )
    return node_id


def node_json(node: Node) -> dict[str, Any]:
    """A node as callers see it."""
    return {"id": node.id, "name": node.name, "type": node.type, "attributes": dict(node.attributes)}


def edge_json(edge: Edge) -> dict[str, Any]:
    """An edge as callers see it."""
    return {
        "source_id": edge.source_id,
        "target_id": edge.target_id,
        "relation": edge.relation,
        "attributes": {"fact_ids": list(edge.fact_ids)[:10]},
    }
