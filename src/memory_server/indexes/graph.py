"""Where a search by relation is answered: current facts as a graph in memory, names as its nodes."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import chain, islice, pairwise, zip_longest

from memory_server.indexes.graph_edges import Edges
from memory_server.indexes.graph_nodes import Nodes
from memory_server.indexes.graph_paths import find_paths
from memory_server.indexes.names import display_name, fold, node_id

HUB_NEIGHBOURS = 2_000


@dataclass(frozen=True, slots=True)
class Node:
    """A thing that facts speak of; its degree counts the ends of edges at it."""

    id: str
    name: str
    type: str
    attributes: dict[str, int]


@dataclass(frozen=True, slots=True)
class Edge:
    """A relation between two nodes; its attributes name every fact that states it."""

    source_id: str
    target_id: str
    relation: str
    attributes: dict[str, list[str]]

    @property
    def fact_ids(self) -> list[str]:
        """The facts that state this relation, newest first."""
        return self.attributes["fact_ids"]


@dataclass(frozen=True, slots=True)
class Subgraph:
    """A part of the graph; `paths` are node ids in order; `truncated` tells of a limit that left some out."""

    nodes: list[Node] = field(default_factory=list)
    edges: list[Edge] = field(default_factory=list)
    paths: list[list[str]] = field(default_factory=list)
    truncated: bool = False


class Graph:
    """Nodes by readable id, edges by fact. Threads may share it; every call is short.

    Of a node with very many edges a walk looks at the newest 2,000, and the answer says so (`truncated`).
    """

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._nodes = Nodes()
        self._edges = Edges()
        self._relations: dict[str, int] = {}
        self._relation_names: list[str] = []

    def put(self, fact_id: str, subject: str, predicate: str, object: str) -> None:
        """Lets this be the fact's edge; the one it had before is taken away."""
        with self._lock:
            relation = self._relation(predicate)
            edge = self._edges.find(fact_id)
            if edge is not None:
                held = (*self._ends(edge), self._edges.relations[edge])
                if held == (self._nodes.find(node_id(subject)), self._nodes.find(node_id(object)), relation):
                    return
                self._remove(edge)
            self._edges.add(fact_id, self._node(subject), relation, self._node(object))

    def drop(self, fact_id: str) -> None:
        """Takes the fact's edge away, and nodes that no edge is left at; an unknown fact is no error."""
        with self._lock:
            edge = self._edges.find(fact_id)
            if edge is not None:
                self._remove(edge)

    def fact_ids(self) -> set[str]:
        """The facts that have an edge."""
        with self._lock:
            return set(self._edges.fact_ids())

    @property
    def node_count(self) -> int:
        """Nodes in the graph."""
        return len(self._nodes)

    @property
    def edge_count(self) -> int:
        """Facts in the graph; several may state one relation."""
        return len(self._edges)

    def node(self, id: str) -> Node | None:
        """The node with this id, None where there is none."""
        with self._lock:
            number = self._nodes.find(id)
            return None if number is None else self._shown(number)

    def resolve(self, name_or_id: str) -> str | None:
        """The id of the node that a name or an id means; accents may be missing. None where there is none."""
        with self._lock:
            number = self._nodes.resolve(name_or_id)
            return None if number is None else self._nodes.ids[number]

    def entities_in(self, text: str) -> list[str]:
        """The ids of the nodes that a text names, in its order; of names that overlap, the longest."""
        with self._lock:
            return [self._nodes.ids[number] for number in self._nodes.named_in(text)]

    def orphans(self) -> list[Node]:
        """Nodes that no relation leads to."""
        with self._lock:
            return [self._shown(number) for number in self._nodes if not self._edges.incoming.degree[number]]

    def neighbourhood(self, id: str, limit: int = 50) -> Subgraph:
        """A node first, then at most `limit` neighbours, newest first, and the relations to them."""
        with self._lock:
            centre = self._nodes.find(id)
            if centre is None:
                return Subgraph()
            truncated = self._degree(centre) > HUB_NEIGHBOURS
            nodes: dict[int, None] = {centre: None}
            edges: list[int] = []
            for edge in self._incident(centre):
                other = self._other(edge, centre)
                if other not in nodes and len(nodes) > limit:
                    truncated = True
                    continue
                nodes[other] = None
                edges.append(edge)
            return Subgraph([self._shown(number) for number in nodes], self._merged(edges), [], truncated)

    def paths(self, source: str, target: str, max_edges: int = 4, max_paths: int = 20) -> Subgraph:
        """Paths between two node ids along edges in either direction, shortest first, no node twice."""
        with self._lock:
            start, end = self._nodes.find(source), self._nodes.find(target)
            if start is None or end is None:
                return Subgraph()
            walk = _Walk(self)
            found, cut = find_paths(
                walk.neighbours, walk.degree, start, end, max_edges=max_edges, max_paths=max_paths
            )
            nodes = dict.fromkeys(chain.from_iterable(found))
            pairs = dict.fromkeys(chain.from_iterable(pairwise(path) for path in found))
            return Subgraph(
                [self._shown(number) for number in nodes],
                self._merged(edge for pair in pairs for edge in self._between(*pair)),
                [[self._nodes.ids[number] for number in path] for path in found],
                cut or walk.met_hub,
            )

    def _relation(self, predicate: str) -> int:
        number = self._relations.setdefault(fold(predicate), len(self._relation_names))
        if number == len(self._relation_names):
            self._relation_names.append(display_name(predicate))
        return number

    def _node(self, name: str) -> int:
        number, new = self._nodes.add(name)
        if new:
            self._edges.outgoing.add_node()
            self._edges.incoming.add_node()
        return number

    def _remove(self, edge: int) -> None:
        ends = self._ends(edge)
        self._edges.remove(edge)
        for number in set(ends):
            if not self._degree(number):
                self._nodes.remove(number)

    def _ends(self, edge: int) -> tuple[int, int]:
        return self._edges.subjects[edge], self._edges.objects[edge]

    def _degree(self, node: int) -> int:
        return self._edges.outgoing.degree[node] + self._edges.incoming.degree[node]

    def _incident(self, node: int) -> Iterator[int]:
        """A node's edges out and in by turns, newest first; a hub's newest only."""
        edges = self._edges
        incoming = edges.incoming.degree[node]
        room = max(HUB_NEIGHBOURS // 2, HUB_NEIGHBOURS - incoming)
        out = islice(edges.outgoing.edges(node), room)
        room = max(HUB_NEIGHBOURS // 2, HUB_NEIGHBOURS - edges.outgoing.degree[node])
        into = (edge for edge in islice(edges.incoming.edges(node), room) if edges.subjects[edge] != node)
        return (edge for pair in zip_longest(out, into) for edge in pair if edge is not None)

    def _other(self, edge: int, node: int) -> int:
        subject, object_ = self._ends(edge)
        return object_ if subject == node else subject

    def _between(self, one: int, other: int) -> list[int]:
        """Edges between two nodes, looked for from the one with fewer."""
        for node, far in sorted(((one, other), (other, one)), key=lambda pair: self._degree(pair[0])):
            found = [edge for edge in self._incident(node) if self._other(edge, node) == far]
            if found:
                return found
        return []

    def _shown(self, number: int) -> Node:
        nodes = self._nodes
        return Node(nodes.ids[number], nodes.names[number], "entity", {"degree": self._degree(number)})

    def _merged(self, edges: Iterable[int]) -> list[Edge]:
        """Edges as answers tell them: one for each relation between two nodes, with all its facts."""
        facts: dict[tuple[int, int, int], list[str]] = {}
        for edge in edges:
            stated = (*self._ends(edge), self._edges.relations[edge])
            facts.setdefault(stated, []).append(self._edges.fact_id(edge))
        ids, relations = self._nodes.ids, self._relation_names
        return [
            Edge(ids[source], ids[target], relations[relation], {"fact_ids": fact_ids})
            for (source, target, relation), fact_ids in facts.items()
        ]


class _Walk:
    """What one search for paths has seen of the graph."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._known: dict[int, list[int]] = {}
        self.met_hub = False

    def neighbours(self, node: int) -> list[int]:
        graph = self._graph
        if node not in self._known:
            self.met_hub = self.met_hub or graph._degree(node) > HUB_NEIGHBOURS
            others = (graph._other(edge, node) for edge in graph._incident(node))
            self._known[node] = list(dict.fromkeys(others))
        return self._known[node]

    def degree(self, node: int) -> int:
        return min(self._graph._degree(node), HUB_NEIGHBOURS)
