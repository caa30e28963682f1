"""Search by meaning: the vectors of everything, in step with the outbox, in this process and with all others."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Collection, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from sqlalchemy import Connection

from memory_server.domain.memory import Memory
from memory_server.indexes.matrix import VectorMatrix
from memory_server.indexes.ports import IndexDamaged, IndexUnavailable, VectorRow, VectorStore
from memory_server.indexes.projection import embedded, indexed_text
from memory_server.indexes.space import VectorSpace
from memory_server.indexes.token_vectors import Late, late_scores
from memory_server.policies.scopes import Scopes, is_own, sees
from memory_server.storage import outbox, rows
from memory_server.storage.database import Database
from memory_server.storage.outbox import Change

if TYPE_CHECKING:
    from memory_server.indexes.ports import TokenVectors, Vectors

log = logging.getLogger(__name__)

TAIL_LIMIT = 256  # newest unsettled changes that a reader embeds itself, as far as its time goes
TAIL_SECONDS = 0.6  # after which a reader of a long tail stops embedding and says so
TAIL_STEP = 16
TAIL_PIECES = 2  # of a long text that is not indexed yet
PATIENCE_ABOVE = 64  # unsettled changes from which a reader gives the worker a moment first
PATIENCE_BELOW = 400  # and from which a moment would not help
PATIENCE_SECONDS = 0.8
FOLLOW_LIMIT = 2_000  # changes from which loading everything again is cheaper than following


@dataclass(frozen=True, slots=True)
class MeaningHits:
    """Memories by cosine, best first; `behind` changes were too many to be looked at."""

    hits: list[tuple[str, float]] = field(default_factory=list)
    behind: int = 0

    @property
    def note(self) -> str | None:
        """What to say when some changes are not indexed yet."""
        if not self.behind:
            return None
        return f"{self.behind} recent changes are not indexed by meaning yet; ask again in a moment"


class Asked(NamedTuple):
    """A query as a vector, and the vectors of its tokens where the embedder shows them."""

    vector: Vectors
    tokens: TokenVectors | None


class Closeness(NamedTuple):
    """How near a memory is to a query: the cosine, 0 to 1, and what its tokens say, where they are known."""

    cosine: float
    late: Late | None


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
        self.space.tokens().put(made, gone.items())
        if made:
            store.upsert(made, stale_pieces_of=[memory.id for _, _, memory, _ in keep])
        with self._sync:
            if self._matrix is not None:
                self._matrix.drop(gone)
                self._matrix.put(made)

    def load(self) -> None:
        """Loads the model, opens the store, fills the matrix; for those who do not want to wait at their first search.

        Raises:
            IndexUnavailable: one of them cannot be had.
        """
        self._up_to_date_matrix()

    # --- the reader's side

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
        """The nearest memories to a text; what any process stored before this call is among them.

        Args:
            text: the query.
            top_k: at most so many.
            memory_types: only these kinds; None for all.
            minimum: cosine below which nothing is returned.
            scopes: what the reader sees; nothing else takes a place, and of equally near ones its own come first.
            also: memories that may take as many places more.

        Raises:
            IndexUnavailable: there is no model or no store.
        """
        vector = self._asked(text).vector
        matrix, tail, behind = self._up_to_date_matrix(scopes)
        tail_ids = {row.memory_id for row in tail}
        hits = matrix.search(
            vector, top_k, memory_types=memory_types, exclude=tail_ids, minimum=minimum, scopes=scopes
        )
        best = dict(hits)
        wanted = [memory_id for memory_id in also if memory_id not in best and memory_id not in tail_ids]
        best |= {name: cosine for name, cosine in matrix.scores(vector, wanted).items() if cosine >= minimum}
        for row in tail:
            if row.piece < 0 or (memory_types is not None and row.memory_type not in memory_types):
                continue
            score = min(1.0, max(0.0, float(row.vector @ vector)))
            if score >= minimum and score > best.get(row.memory_id, -1.0):
                best[row.memory_id] = score
        own = {row.memory_id for row in tail if is_own(scopes, row.scope)}
        own |= {memory_id for memory_id in best if is_own(scopes, matrix.scope(memory_id))}
        ranked = sorted(best.items(), key=lambda hit: (-round(hit[1], 6), hit[0] not in own, hit[0]))
        more = [hit for hit in ranked[top_k:] if hit[0] in also][:top_k]
        return MeaningHits(ranked[:top_k] + more, behind)

    def closeness(self, text: str, memory_ids: Sequence[str]) -> dict[str, Closeness]:
        """How near each of these memories is to a text, of those that have vectors.

        Raises:
            IndexUnavailable: there is no model or no store.
        """
        asked = self._asked(text)
        matrix, tail, _ = self._up_to_date_matrix()
        cosines = matrix.scores(asked.vector, memory_ids)
        wanted = set(memory_ids)
        fresh = [row for row in tail if row.memory_id in wanted and row.piece >= 0]
        for row in fresh:
            cosines[row.memory_id] = max(0.0, float(row.vector @ asked.vector))
        lates = self._lates(asked, memory_ids, fresh)
        return {memory_id: Closeness(cosine, lates.get(memory_id)) for memory_id, cosine in cosines.items()}

    def _lates(self, asked: Asked, memory_ids: Sequence[str], fresh: Sequence[VectorRow]) -> dict[str, Late]:
        if asked.tokens is None:
            return {}
        unsettled = {row.memory_id: row.tokens for row in fresh if row.tokens is not None}
        try:
            settled = self.space.tokens().fetch([one for one in memory_ids if one not in unsettled])
        except IndexUnavailable as error:
            log.warning("ranking without token vectors: %s", error)
            settled = {}
        return late_scores(asked.tokens, {**settled, **unsettled})

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
