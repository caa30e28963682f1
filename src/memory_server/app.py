"""Builds everything in order, closes it in reverse; the one place that knows every concrete class."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from memory_server.domain.errors import MemoryServerError
from memory_server.indexes.meaning import Meaning
from memory_server.indexes.network import Network
from memory_server.indexes.ports import Embedder, VectorStore
from memory_server.indexes.space import VectorSpace
from memory_server.observability import Observation
from memory_server.outbox.worker import Worker
from memory_server.policies.routing import DEFAULT_RULES, Rule
from memory_server.policies.scopes import parse_scope, visible_from
from memory_server.services.parts import Parts
from memory_server.settings import (
    PREFIX,
    Settings,
    SettingsError,
    keep_arithmetic_on_one_thread,
    spans_wanted,
)
from memory_server.storage import outbox
from memory_server.storage.database import Database
from memory_server.storage.fulltext import Frequencies
from memory_server.storage.schema import check_before_use, prepare_database

log = logging.getLogger(__name__)


@dataclass(kw_only=True)
class MemoryApp(Parts):
    """What every tool and command works with."""

    worker: Worker
    # what the knowledge tools do first: take over, once, what another server has kept
    move_in: Callable[[], None] = lambda: None
    _closed: threading.Event = field(default_factory=threading.Event)

    def observe_call(self, tool: str) -> Any:
        """Counts, times and traces one tool call; see `Observation.call`."""
        return self.observation.call(tool)

    def observe_unknown_tool(self) -> None:
        """Counts a call of a tool that does not exist."""
        self.observation.unknown_tool()

    def warm_up(self, after_seconds: float) -> None:
        """Builds the graph in the background, once the client has had its first answers.

        A database that has still to be made is left alone: there is nothing to build from.
        """
        if self.database.prepare is None:
            timer = threading.Timer(after_seconds, self._warm_up)
            timer.daemon = True
            timer.start()

    def close(self, timeout: float = 1.5) -> None:
        """Finishes the write in hand, stops the worker, closes the files; a second call does nothing.

        Args:
            timeout: seconds to wait for a write that is under way.
        """
        if self._closed.is_set():
            return
        self._closed.set()
        self.worker.stop(timeout / 2)
        with self.database.exclusive(timeout / 2) as held:
            if not held:
                log.warning("a write was still under way when the server stopped")
            self.database.close()
        self.meaning.space.let_go()
        self.observation.close(timeout / 4)

    def note_error(self, error: Exception) -> None:
        """Keeps the last few errors of background work for `status`."""
        self.last_errors = [*self.last_errors[-4:], f"{type(error).__name__}: {error}"]

    def _warm_up(self) -> None:
        if self._closed.is_set():
            return
        try:
            self.network.current(visible_from(self.settings.scope))
        except MemoryServerError as error:
            self.note_error(error)
            log.warning("the graph could not be built yet: %s", error)


@contextmanager
def open_app(
    settings: Settings,
    *,
    worker: bool = True,
    make_embedder: Callable[[], Embedder | None] | None = None,
    open_store: Callable[[Embedder], tuple[VectorStore, bool]] | None = None,
) -> Iterator[MemoryApp]:
    """The whole memory, ready for use; heavy parts are loaded at the first need.

    Args:
        settings: where the data is and how to treat it.
        worker: whether this process may feed the vector index in the background.
        make_embedder: in place of the embedder that the settings name.
        open_store: in place of the vector store that the settings name.

    Raises:
        SettingsError: the data directory cannot be used, or the scope is none.
        StorageUnavailable: the database cannot be used; it was left as it was.
    """
    keep_arithmetic_on_one_thread()
    settings = _with_scope(settings)
    settings.prepare_home()
    observation = Observation()
    fresh = check_before_use(settings.database_path)
    notes = [] if fresh else prepare_database(settings.database_path)
    database = Database(settings.database_path, synchronous=settings.synchronous)
    if fresh:
        database.prepare = lambda: notes.extend(prepare_database(settings.database_path))
    database.on_busy = lambda: observation.metrics.busy.inc()
    database.span = observation.span
    if spans_wanted():
        observation.start_tracing()
    set_embedder, set_store, stored_ids = _vector_parts(settings)
    space = VectorSpace(
        database,
        make_embedder or set_embedder,
        open_store or set_store,
        settings.vectors_path,
        stored_ids if open_store is None else None,
    )
    meaning = Meaning(database, space)
    meaning.span = observation.span
    feeder = Worker(
        database, meaning, poll_seconds=settings.worker_poll, single_valued=settings.single_valued
    )
    app = MemoryApp(
        settings=settings,
        observation=observation,
        database=database,
        frequencies=Frequencies(),
        meaning=meaning,
        network=Network(database),
        worker=feeder,
        rules=(*DEFAULT_RULES, *(Rule(**rule.model_dump()) for rule in settings.routing_rules)),
        notes=notes,
    )
    for note in notes:
        log.warning("%s", note)
    if worker:
        database.on_commit = feeder.wake
        meaning.wake_worker = feeder.hurry
        database.on_first_use = feeder.start
        if not fresh:
            _revive_parked(app)
            feeder.start()
    try:
        yield app
    finally:
        app.close()


def _with_scope(settings: Settings) -> Settings:
    if settings.scope is None:
        return settings
    try:
        return settings.model_copy(update={"scope": parse_scope(settings.scope)})
    except ValueError as error:
        raise SettingsError(f"the scope of this server (--scope, {PREFIX}SCOPE): {error}") from error


def _vector_parts(settings: Settings) -> tuple[Any, Any, Any]:
    def make_embedder() -> Embedder | None:
        from memory_server.indexes.embedding import make_embedder as make

        return make(
            settings.embedding, base_url=settings.embedding_base_url, api_key=settings.embedding_api_key
        )

    def open_lancedb(embedder: Embedder) -> tuple[VectorStore, bool]:
        from memory_server.indexes.lancedb import open_vector_store

        return open_vector_store(settings.vectors_path, embedder.fingerprint, embedder.dimension)

    def read_lancedb(fingerprint: str) -> dict[str, str] | None:
        from memory_server.indexes.lancedb import stored_ids

        return stored_ids(settings.vectors_path, fingerprint)

    def open_qdrant(embedder: Embedder) -> tuple[VectorStore, bool]:
        from memory_server.indexes.qdrant import QdrantVectorStore

        location = settings.qdrant_url or str(settings.home / "qdrant")
        return QdrantVectorStore(location, embedder.fingerprint, embedder.dimension), False

    if settings.vector_backend == "none" or settings.embedding == "none":
        return make_embedder, None, None
    if settings.vector_backend == "qdrant":
        return make_embedder, open_qdrant, None
    return make_embedder, open_lancedb, read_lancedb


def _revive_parked(app: MemoryApp) -> None:
    """Gives changes that were given up another chance at each start."""
    with app.database.read() as connection:
        failed = outbox.sizes(connection)["failed"]
    if failed:
        try:
            with app.database.write(quiet=True) as connection:
                outbox.revive(connection)
        except MemoryServerError as error:
            log.warning("parked changes stay parked: %s", error)
