"""Search by meaning: the vectors of everything, in step with the outbox, in this process and with all others."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING

from sqlalchemy import Connection

from memory_server.domain.memory import Memory
from memory_server.indexes.look import Asked, Look, MeaningHits
from memory_server.indexes.matrix import VectorMatrix
from memory_server.indexes.ports import IndexDamaged, IndexUnavailable, VectorRow, VectorStore
from memory_server.indexes.projection import embedded, indexed_text
from memory_server.indexes.space import VectorSpace
from memory_server.indexes.token_store import TokensBusy
from memory_server.policies.scopes import Scopes, sees
from memory_server.storage import outbox, rows
from memory_server.storage.database import Database
from memory_server.storage.outbox import Change

if TYPE_CHECKING:
    pass

log = logging.getLogger(__name__)

TAIL_LIMIT = 256  # newest unsettled changes that a reader embeds itself, as far as its time goes
TAIL_SECONDS = 0.6  # after which a reader of a long tail stops embedding and says so
TAIL_STEP = 16
TAIL_PIECES = 2  # of a long text that is not indexed yet
PATIENCE_ABOVE = 64  # unsettled changes from which a reader gives the worker a moment first
PATIENCE_BELOW = 400  # and from which a moment would not help
PATIENCE_SECONDS = 0.8
FOLLOW_LIMIT = 2_000  # changes from which loading everything again is cheaper than following


class Meaning:
    """The vector index of one process.

    The store (LanceDB) is shared and fed by the one worker that holds the lease; the matrix is this process's own
    copy, brought up to date inside each search: what is settled is read from the store, what is not is embedded here.
    """

    def __init__(self, database: Database, space: VectorSpace) -> None:
        self._database = database
        self.space = space
        self._sync = threading.RLock()
        self._matrix: VectorMatrix | None = None
        self._seen = 0
        self._open: set[Change] = set()
        self._last_query: tuple[tuple[str, str], Asked] | None = None
        self.wake_worker: Callable[[], None] = lambda: None
        self.span: Callable[..., AbstractContextManager[None]] = lambda _name: nullcontext()

    def recover(self) -> None:
        """Lets go of a store whose files turned out to be damaged; the next use sets it aside and feeds it anew."""
        with self._sync:
            self._matrix = None
            self._seen, self._open = 0, set()
            self.space.let_go()

    # --- the worker's side

    def project(self, changes: Sequence[tuple[Change, Memory | None]]) -> None:
        """Makes the store agree with memories as they are now; idempotent.

        Raises:
            IndexUnavailable: nothing or only a part was written; the same call again mends it.
        """
        keep: list[tuple[int, str, Memory, str]] = []
        gone: dict[str, int] = {}
        for change, memory in changes:
            text = indexed_text(memory)
            if memory is None or text is None:
                gone[change.memory_id] = change.seq
            else:
                keep.append((change.seq, change.memory_type, memory, text))
        store = self.space.store()
        made = self.space.embeddings().rows(keep)
        if gone:
            store.delete(list(gone))
        self._keep_tokens(made, gone)
        if made:
            store.upsert(made, stale_pieces_of=[memory.id for _, _, memory, _ in keep])
        with self._sync:
            if self._matrix is not None:
                self._matrix.drop(gone)
                self._matrix.put(made)

    def _keep_tokens(self, made: Sequence[VectorRow], gone: Mapping[str, int]) -> None:
        """What is gone must go, what is new can do without: searches fall back on the cosine."""
        tokens = self.space.tokens()
        if gone:
            tokens.put([], gone.items())
        try:
            tokens.put(made, [])
        except TokensBusy:
            raise
        except IndexUnavailable as error:
            log.warning("%s memories are indexed without token vectors: %s", len(made), error)

    def load(self) -> None:
        """Loads the model, opens the store, fills the matrix; for those who do not want to wait at their first search.

        Raises:
            IndexUnavailable: one of them cannot be had.
        """
        self._up_to_date_matrix()

    # --- the reader's side

    def look(self, text: str, scopes: Scopes = None) -> Look:
        """A look at all vectors as they are now, for one question: what was stored before this call is in it.

        Args:
            text: the question.
            scopes: what the reader sees.

        Raises:
            IndexUnavailable: there is no model or no store.
        """
        asked = self._asked(text)
        matrix, tail, behind = self._up_to_date_matrix(scopes)
        return Look(asked, scopes, matrix, tail, behind, self.space.tokens())

    def search(
        self,
        text: str,
        top_k: int,
        *,
        memory_types: Collection[str] | None = None,
        minimum: float = 0.0,
        scopes: Scopes = None,
        also: Collection[str] = (),
    ) -> MeaningHits:
        """The nearest memories to a text, as `Look.search` has them.

        Raises:
            IndexUnavailable: there is no model or no store.
        """
        look = self.look(text, scopes)
        return look.search(top_k, memory_types=memory_types, minimum=minimum, also=also)

    def _asked(self, text: str) -> Asked:
        """The vectors of a query; of the last one they are kept, as one call may ask several times."""
        embedder = self.space.embeddings().embedder
        key = (embedder.fingerprint, text)
        if self._last_query is not None and self._last_query[0] == key:
            return self._last_query[1]
        with self.span("embedding"):
            vectors, tokens = embedded(embedder, [text[:8000]])
        asked = Asked(vectors[0], tokens[0] if tokens else None)
        self._last_query = (key, asked)
        return asked

    def _up_to_date_matrix(self, scopes: Scopes = None) -> tuple[VectorMatrix, list[VectorRow], int]:
        try:
            return self._follow(scopes)
        except IndexDamaged:
            self.recover()
            return self._follow(scopes)

    def _follow(self, scopes: Scopes) -> tuple[VectorMatrix, list[VectorRow], int]:
        store = self.space.store()
        deadline = time.monotonic() + PATIENCE_SECONDS
        while True:
            # unsettled rows first, the store after that: in the other order a row that settles in between is lost
            with self._database.read() as connection:
                unsettled, total = outbox.unsettled(connection, FOLLOW_LIMIT)
                oldest, newest = outbox.bounds(connection)
                recent = outbox.after(connection, self._seen, FOLLOW_LIMIT + 1)
                if not PATIENCE_ABOVE < total < PATIENCE_BELOW or time.monotonic() > deadline:
                    tail_changes = _latest(unsettled[:TAIL_LIMIT])
                    memories = load_memories(connection, tail_changes)
                    break
            self.wake_worker()
            time.sleep(0.05)
        matrix = self._synchronise(store, unsettled, total, recent, oldest, newest)
        tail, skipped = self._tail_rows(tail_changes, memories, scopes)
        return matrix, tail, max(0, total - len(unsettled[:TAIL_LIMIT])) + skipped

    def _synchronise(
        self,
        store: VectorStore,
        unsettled: list[Change],
        total: int,
        recent: list[Change],
        oldest: int,
        newest: int,
    ) -> VectorMatrix:
        with self._sync:
            waiting = set(unsettled)
            lost_track = self._seen + 1 < oldest or len(recent) > FOLLOW_LIMIT or total > len(unsettled)
            if self._matrix is None or (lost_track and newest > self._seen):
                self._matrix = VectorMatrix(self.space.embeddings().embedder.dimension)
                self._matrix.load(store)
            else:
                waiting_seqs = {change.seq for change in waiting}
                settled = [c for c in (*self._open, *recent) if c.seq not in waiting_seqs]
                self._refresh(store, self._matrix, settled)
            self._seen = newest
            self._open = {Change(c.seq, c.memory_type, c.memory_id) for c in waiting}
            return self._matrix

    def _refresh(self, store: VectorStore, matrix: VectorMatrix, settled: Sequence[Change]) -> None:
        latest: dict[str, int] = {}
        for change in settled:
            latest[change.memory_id] = max(change.seq, latest.get(change.memory_id, 0))
        # what this process's own worker wrote is in the matrix already
        ids = [memory_id for memory_id, seq in latest.items() if (matrix.seq(memory_id) or -1) < seq]
        if ids:
            fetched = store.fetch(ids)
            matrix.put(fetched)
            matrix.drop(set(ids) - {row.memory_id for row in fetched})

    def _tail_rows(
        self, changes: Sequence[Change], memories: dict[str, Memory], scopes: Scopes
    ) -> tuple[list[VectorRow], int]:
        """Vectors of what is not settled yet, newest first, and how many there was no time for.

        What the reader does not see is marked as gone: it takes none of the time.
        """
        rows: list[VectorRow] = []
        keep: list[tuple[int, str, Memory, str]] = []
        for change in changes:
            memory = memories.get(change.memory_id)
            text = indexed_text(memory)
            if memory is None or text is None or not sees(scopes, memory.scope):
                rows.append(_tombstone(change))
            else:
                keep.append((change.seq, change.memory_type, memory, text))
        embeddings = self.space.embeddings()
        deadline = time.monotonic() + TAIL_SECONDS
        done = 0
        # a short tail is looked at whole, however long it takes; of a long one what the time allows
        while done < len(keep) and (len(keep) <= PATIENCE_ABOVE or time.monotonic() < deadline):
            rows.extend(embeddings.rows(keep[done : done + TAIL_STEP], TAIL_PIECES))
            done += TAIL_STEP
        return rows, max(0, len(keep) - done)


def _tombstone(change: Change) -> VectorRow:
    return VectorRow("", change.memory_id, change.memory_type, -1, change.seq, "", None)  # type: ignore[arg-type]


def _latest(changes: Sequence[Change]) -> list[Change]:
    latest: dict[str, Change] = {}
    for change in changes:
        if change.memory_id not in latest or latest[change.memory_id].seq < change.seq:
            latest[change.memory_id] = change
    return list(latest.values())


def load_memories(connection: Connection, changes: Sequence[Change]) -> dict[str, Memory]:
    """The memories that changes speak of, as they are now, by id; what is gone is left out."""
    by_type: dict[str, list[str]] = {}
    for change in changes:
        by_type.setdefault(change.memory_type, []).append(change.memory_id)
    found: dict[str, Memory] = {}
    for memory_type, ids in by_type.items():
        if memory_type in rows.MODELS:
            found.update(rows.by_ids(connection, rows.MODELS[memory_type], ids))
    return found
