"""One vector space: the model that makes its points and the store that keeps them, both loaded at the first need."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path

from sqlalchemy import Connection

from memory_server.indexes.ports import Embedder, EmbeddingUnavailable, VectorStore
from memory_server.indexes.projection import Embeddings
from memory_server.indexes.token_store import TokenStore
from memory_server.storage import meta, rows
from memory_server.storage.database import Database

log = logging.getLogger(__name__)

RETRY_SECONDS = 20.0  # how long a model that could not be loaded is left alone
SPACE = "vector_space"  # name in `meta` of the space that the stored vectors belong to


class VectorSpace:
    """The embedding model and the shared vector store of one process, loaded off the event loop.

    A store that was damaged, or whose files are gone, or that belongs to another model, is fed anew.
    """

    def __init__(
        self,
        database: Database,
        make_embedder: Callable[[], Embedder | None],
        open_store: Callable[[Embedder], tuple[VectorStore, bool]] | None,
        vectors_path: Path,
        stored_ids: Callable[[str], dict[str, str] | None] | None = None,
    ) -> None:
        """`stored_ids` reads what a space holds by its fingerprint alone, for those who need no model for it."""
        self._database = database
        self._make_embedder = make_embedder
        self._open_store = open_store
        self.vectors_path = vectors_path
        self._stored_ids = stored_ids
        self._lock = threading.RLock()
        self._embeddings: Embeddings | None = None
        self._disabled = open_store is None
        self._failure: tuple[float, EmbeddingUnavailable] | None = None
        self._store: VectorStore | None = None
        self._tokens: TokenStore | None = None

    @property
    def enabled(self) -> bool:
        """Whether this server keeps vectors at all."""
        return not self._disabled

    @property
    def loaded(self) -> bool:
        """Whether the model is in memory."""
        return self._embeddings is not None

    def embeddings(self) -> Embeddings:
        """The model, loaded at the first call.

        Raises:
            EmbeddingUnavailable: there is none, or it cannot be loaded; tried again after a pause.
        """
        with self._lock:
            if self._embeddings is None:
                self._embeddings = Embeddings(self._load_embedder())
            return self._embeddings

    def _load_embedder(self) -> Embedder:
        if self._disabled:
            raise EmbeddingUnavailable("search by meaning is switched off (MEMORY_SERVER_EMBEDDING=none)")
        if self._failure and time.monotonic() - self._failure[0] < RETRY_SECONDS:
            raise self._failure[1]
        try:
            embedder = self._make_embedder()
        except EmbeddingUnavailable as error:
            self._failure = (time.monotonic(), error)
            log.warning("the embedding model cannot be loaded: %s", error)
            raise
        self._failure = None
        if embedder is None:
            self._disabled = True
            return self._load_embedder()
        return embedder

    def store(self) -> VectorStore:
        """The shared vector store, opened at the first call; a damaged one is set aside and fed anew.

        Raises:
            IndexUnavailable: it cannot be opened or written, or there is no model.
        """
        embeddings = self.embeddings()
        with self._lock:
            if self._store is None:
                assert self._open_store is not None
                self._store, recovered = self._open_store(embeddings.embedder)
                created = getattr(self._store, "created", False)
                self._remember_space(embeddings.embedder.fingerprint, recovered, lost=recovered or created)
            return self._store

    def tokens(self) -> TokenStore:
        """Where the vectors of single tokens are kept.

        Raises:
            EmbeddingUnavailable: there is no model.
        """
        fingerprint = self.embeddings().embedder.fingerprint
        with self._lock:
            if self._tokens is None:
                self._tokens = TokenStore(self.vectors_path, fingerprint)
            return self._tokens

    def held(self) -> dict[str, str]:
        """Memory id to content hash of all that is stored; the model is not loaded for it.

        Raises:
            IndexUnavailable: the store cannot be read, or there is no model for one that was never fed.
        """
        with self._lock:
            found = None
            if self._store is None and self._embeddings is None and self._stored_ids is not None:
                with self._database.read() as connection:
                    known = meta.get(connection, SPACE)
                found = self._stored_ids(known) if known not in (None, "none") else None
            return self.store().ids() if found is None else found

    def with_tokens(self, memory_ids: Sequence[str]) -> set[str]:
        """Those of the memories whose token vectors are kept; the model is not loaded for it.

        Raises:
            IndexUnavailable: they cannot be read.
        """
        if self.loaded:
            return set(self.tokens().fetch(memory_ids))
        with self._database.read() as connection:
            known = meta.get(connection, SPACE)
        if known in (None, "none"):
            return set()
        with closing(TokenStore(self.vectors_path, str(known))) as store:
            return set(store.fetch(memory_ids))

    def _remember_space(self, fingerprint: str, recovered: bool, lost: bool) -> None:
        with self._database.read() as connection:
            known = meta.get(connection, SPACE)
        if recovered:
            log.warning(
                "the vector directory was damaged; it was moved aside and is rebuilt from the database"
            )
        if known == fingerprint and not lost:
            return
        if known not in (None, "none", fingerprint):
            log.warning(
                "the embedding model changed from %s to %s; all vectors are made anew", known, fingerprint
            )
        with self._database.write() as connection:
            meta.put(connection, SPACE, fingerprint)
            if known is not None or recovered:
                enqueue_everything(connection, time.time())

    def let_go(self) -> None:
        """Closes the store; the next use opens it again, and sets it aside if its files are damaged."""
        with self._lock:
            store, self._store = self._store, None
            tokens, self._tokens = self._tokens, None
        for opened in (store, tokens):
            if opened is not None:
                opened.close()

    def compact(self) -> None:
        """Merges small files; only the process that feeds the store may do so."""
        with self._lock:
            store = self._store
        if store is not None:
            store.compact()


def enqueue_everything(connection: Connection, now: float) -> int:
    """Makes every memory pending for the indexes, so that they are built anew; tells how many."""
    count = 0
    for memory_type, table in rows.TABLES.items():
        count += connection.exec_driver_sql(
            f"INSERT INTO outbox (memory_type, memory_id, created_at) SELECT '{memory_type}', id, ? FROM {table} "
            f"WHERE lifecycle_state NOT IN ('archived','forgotten') ORDER BY row",
            (now,),
        ).rowcount
    return count
