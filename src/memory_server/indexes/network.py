"""Search by relation: the graph of current facts, built from storage and in step with the outbox."""

from __future__ import annotations

import threading

from sqlalchemy import Connection

from memory_server.domain.lifecycle import SEARCHABLE_STATES
from memory_server.indexes.graph import Graph
from memory_server.storage import facts, outbox
from memory_server.storage.database import Database

_FOLLOW_LIMIT = 20_000
IN_GRAPH = "valid_to IS NULL AND lifecycle_state IN ({})".format(
    ",".join(f"'{state}'" for state in sorted(SEARCHABLE_STATES))
)


class Network:
    """The graph of one process; every look first applies what any process has written since the last."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._lock = threading.Lock()
        self._graph: Graph | None = None
        self._seen = 0

    def current(self) -> Graph:
        """The graph as the database stands now.

        Raises:
            StorageUnavailable: the database cannot be read.
        """
        with self._lock, self._database.read() as connection:
            oldest, newest = outbox.bounds(connection)
            if self._graph is None or self._seen + 1 < oldest or newest - self._seen > _FOLLOW_LIMIT:
                self._graph = self._build(connection)
            elif newest > self._seen:
                self._apply(connection, self._graph)
            self._seen = newest
            return self._graph

    def rebuild(self) -> None:
        """Lets the next look build the graph anew from storage."""
        with self._lock:
            self._graph = None

    @property
    def behind(self) -> int:
        """Changes that the graph has not applied yet."""
        with self._lock, self._database.read() as connection:
            return outbox.bounds(connection)[1] - self._seen

    def _build(self, connection: Connection) -> Graph:
        graph = Graph()
        for row in connection.exec_driver_sql(
            f"SELECT id, subject, predicate, object FROM facts WHERE {IN_GRAPH} ORDER BY row"
        ):
            graph.put(*row)
        return graph

    def _apply(self, connection: Connection, graph: Graph) -> None:
        changed = [c for c in outbox.after(connection, self._seen, _FOLLOW_LIMIT) if c.memory_type == "fact"]
        ids = list(dict.fromkeys(change.memory_id for change in changed))
        now = facts.by_ids(connection, ids)
        for fact_id in ids:
            fact = now.get(fact_id)
            if fact is None or fact.valid_to is not None or fact.lifecycle_state not in SEARCHABLE_STATES:
                graph.drop(fact_id)
            else:
                graph.put(fact.id, fact.subject, fact.predicate, fact.object)
