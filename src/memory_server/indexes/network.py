"""Search by relation: the graph of current facts, built from storage and in step with the outbox."""

from __future__ import annotations

import threading
from collections import OrderedDict

from sqlalchemy import Connection

from memory_server.domain.fact import Fact
from memory_server.domain.lifecycle import SEARCHABLE_STATES
from memory_server.indexes.graph import Graph
from memory_server.policies.scopes import Scopes, sees
from memory_server.storage import facts, outbox
from memory_server.storage.database import Database
from memory_server.storage.scopes import visible_sql

_FOLLOW_LIMIT = 20_000
_FACTS_KEPT = 1_000_000  # in the graphs of all readers but the last one together; some 55 MB
IN_GRAPH = "valid_to IS NULL AND lifecycle_state IN ({})".format(
    ",".join(f"'{state}'" for state in sorted(SEARCHABLE_STATES))
)


class Network:
    """The graphs of one process; every look first applies what any process has written since the last.

    Each set of scopes that somebody reads from has a graph of its own, so that neither a neighbour, a path, a count
    nor the spelling of a name can come from elsewhere. Those that were not asked for lately are let go.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._lock = threading.Lock()
        self._sights: OrderedDict[Scopes, _Sight] = OrderedDict()

    def current(self, scopes: Scopes = None) -> Graph:
        """The graph of what a reader sees, as the database stands now.

        Raises:
            StorageUnavailable: the database cannot be read.
        """
        with self._lock:
            sight = self._sights.setdefault(scopes, _Sight(scopes))
            self._sights.move_to_end(scopes)
        graph = sight.current(self._database)
        with self._lock:
            self._let_go()
        return graph

    def rebuild(self) -> None:
        """Lets the next look build the graph anew from storage."""
        with self._lock:
            self._sights.clear()

    def _let_go(self) -> None:
        kept = 0
        for scopes in list(reversed(self._sights))[1:]:
            kept += self._sights[scopes].size
            if kept > _FACTS_KEPT:
                del self._sights[scopes]


class _Sight:
    """The graph of what one kind of reader sees, and how far in the sequence of changes it is."""

    def __init__(self, scopes: Scopes) -> None:
        self._scopes = scopes
        self._lock = threading.Lock()
        self._graph: Graph | None = None
        self._seen = 0

    @property
    def size(self) -> int:
        return self._graph.edge_count if self._graph is not None else 0

    def current(self, database: Database) -> Graph:
        with self._lock, database.read() as connection:
            oldest, newest = outbox.bounds(connection)
            if self._graph is None or self._seen + 1 < oldest or newest - self._seen > _FOLLOW_LIMIT:
                self._graph = self._build(connection)
            elif newest > self._seen:
                self._apply(connection, self._graph)
            self._seen = newest
            return self._graph

    def _build(self, connection: Connection) -> Graph:
        graph = Graph()
        visible = visible_sql(self._scopes)
        condition = f" AND {visible}" if visible else ""
        for row in connection.exec_driver_sql(
            f"SELECT id, subject, predicate, object FROM facts t WHERE {IN_GRAPH}{condition} ORDER BY row",
            self._scopes or (),
        ):
            graph.put(*row)
        return graph

    def _apply(self, connection: Connection, graph: Graph) -> None:
        changed = [c for c in outbox.after(connection, self._seen, _FOLLOW_LIMIT) if c.memory_type == "fact"]
        ids = list(dict.fromkeys(change.memory_id for change in changed))
        now = facts.by_ids(connection, ids)
        for fact_id in ids:
            fact = now.get(fact_id)
            if fact is not None and self._shows(fact):
                graph.put(fact.id, fact.subject, fact.predicate, fact.object)
            else:
                graph.drop(fact_id)

    def _shows(self, fact: Fact) -> bool:
        held = fact.valid_to is None and fact.lifecycle_state in SEARCHABLE_STATES
        return held and sees(self._scopes, fact.scope)
