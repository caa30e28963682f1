"""Where a search by meaning is answered: all vectors of a space as one float32 matrix in memory."""

from __future__ import annotations

import threading
from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from memory_server.indexes.ports import IndexDamaged, IndexUnavailable, VectorRow, VectorStore
from memory_server.policies.scopes import Scopes

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from memory_server.indexes.ports import Vectors

_FIRST_CAPACITY = 1024
# float32 sums differ in the last bits by a row's place in the matrix; equal texts must tie all the same
_TIE = 1e-6


class VectorMatrix:
    """Exact cosine search over vectors of unit length; a memory scores as its best piece.

    A search multiplies without a lock and settles under it: every slot carries the epoch in which it was
    written, and what was written since the search began is multiplied again. Readers so never wait for a load
    and never see half a row.
    """

    def __init__(self, dimension: int) -> None:
        self.dimension = dimension
        self._writing = threading.Lock()
        self._lock = threading.Lock()
        self._state = _State(dimension, 0)
        self._last: _Products | None = None

    def __len__(self) -> int:
        return len(self._state.slots)

    def __contains__(self, memory_id: object) -> bool:
        return memory_id in self._state.slots

    def load(self, store: VectorStore) -> None:
        """Replace everything by what the store holds; searches go on over the old content meanwhile.

        Raises IndexUnavailable, or IndexDamaged.
        """
        with self._writing:
            try:
                state = _State.read(self.dimension, store)
            except IndexDamaged:
                raise
            except IndexUnavailable:  # another process has cleaned up under the scan
                state = _State.read(self.dimension, store)
            with self._lock:
                state.epoch = self._state.epoch + 1
                self._state = state

    def put(self, rows: Sequence[VectorRow]) -> None:
        """Let these rows be all the pieces of their memories, unless newer ones are held."""
        by_memory: dict[str, dict[int, VectorRow]] = {}
        for row in sorted(rows, key=lambda row: row.seq):
            by_memory.setdefault(row.memory_id, {})[row.piece] = row
        with self._writing:
            for memory_id, pieces in by_memory.items():
                seq = max(row.seq for row in pieces.values())
                with self._lock:
                    self._state.replace(memory_id, [row for row in pieces.values() if row.seq == seq], seq)

    def drop(self, memory_ids: Iterable[str]) -> None:
        """Forget these memories; unknown ids are no error."""
        with self._writing:
            for memory_id in memory_ids:
                with self._lock:
                    self._state.remove(memory_id)

    def content_hash(self, memory_id: str) -> str | None:
        """The hash of the text that this memory's vectors were made of, None where it has none."""
        with self._lock:
            return self._state.hashes.get(memory_id)

    def seq(self, memory_id: str) -> int | None:
        """The sequence that this memory's vectors were made for, None where it has none."""
        with self._lock:
            return self._state.seqs.get(memory_id)

    def scope(self, memory_id: str) -> str | None:
        """The scope that this memory belongs to, None where it is not held."""
        with self._lock:
            return self._state.scope_of(memory_id)

    def content_hashes(self) -> dict[str, str]:
        """Every memory that is held, with its content hash."""
        with self._lock:
            return dict(self._state.hashes)

    def search(
        self,
        vector: Vectors,
        top_k: int,
        *,
        memory_types: Collection[str] | None = None,
        exclude: Collection[str] = (),
        minimum: float = 0.0,
        scopes: Scopes = None,
    ) -> list[tuple[str, float]]:
        """The nearest memories with their cosine clipped to 0–1, best first.

        Of those that tie the reader's own come first, then by id; what `scopes` do not show is never looked at.
        """
        import numpy as np

        if top_k <= 0:
            return []
        vector = np.asarray(vector, dtype=np.float32)
        asked = vector.tobytes()
        with self._lock:
            state, last = self._state, self._last
            if last is not None and last.asked == asked and last.state is state:
                epoch, scores = last.epoch, last.scores
            else:
                last = None
                matrix, used, epoch = state.matrix, state.used, state.epoch
                state.epoch += 1
        if last is None:
            scores = matrix[:used] @ vector
        with self._lock:
            if state is not self._state:  # a load came in between
                state, scores, epoch = self._state, np.zeros(0, dtype=np.float32), -1
            scores = state.settle(scores, vector, epoch)
            # one question is looked up among several kinds, one after the other
            self._last = _Products(asked, state, state.epoch, scores)
            state.epoch += 1
            scores = np.clip(scores, 0.0, 1.0)
            scores[~state.eligible(memory_types, exclude, scopes)] = -1.0
            return state.best(scores, top_k, minimum, scopes)

    def scores(self, vector: Vectors, memory_ids: Iterable[str]) -> dict[str, float]:
        """The cosine, clipped to 0–1, of those of the given memories that are held."""
        import numpy as np

        with self._lock:
            state = self._state
            held = [(memory_id, slots) for memory_id in memory_ids if (slots := state.slots.get(memory_id))]
            every = [slot for _, slots in held for slot in slots]
            cosines = np.clip(state.matrix[every] @ vector, 0.0, 1.0)
        if not held:
            return {}
        starts = np.cumsum([0, *(len(slots) for _, slots in held[:-1])])
        best = np.maximum.reduceat(cosines, starts).tolist()
        return {memory_id: cosine for (memory_id, _), cosine in zip(held, best, strict=True)}


class _Products(NamedTuple):
    """What the last search multiplied, as of an epoch of the state."""

    asked: bytes
    state: _State
    epoch: int
    scores: Vectors


class _State:
    """The matrix and what each of its slots holds; every access is the matrix's to lock."""

    def __init__(self, dimension: int, capacity: int) -> None:
        import numpy as np

        capacity = max(capacity, 1)
        self.matrix: Vectors = np.zeros((capacity, dimension), dtype=np.float32)
        self.types: NDArray[np.int16] = np.full(capacity, -1, dtype=np.int16)  # -1: nothing lives here
        self.born: NDArray[np.int64] = np.zeros(capacity, dtype=np.int64)
        self.owners: list[str | None] = []
        self.slots: dict[str, list[int]] = {}
        self.seqs: dict[str, int] = {}
        self.hashes: dict[str, str] = {}
        self.type_codes: dict[str, int] = {}
        self.scopes: NDArray[np.int32] = np.zeros(capacity, dtype=np.int32)
        self.scope_codes: dict[str, int] = {}
        self.free: list[int] = []
        self.epoch = 0

    @classmethod
    def read(cls, dimension: int, store: VectorStore) -> _State:
        state = cls(dimension, store.count())
        for block in store.scan():
            for at, memory_id in enumerate(block.memory_ids):
                kind, seq, content_hash = block.memory_types[at], block.seqs[at], block.content_hashes[at]
                state.add(memory_id, kind, seq, content_hash, block.vectors[at], block.scopes[at])
        return state

    @property
    def used(self) -> int:
        return len(self.owners)

    def add(
        self, memory_id: str, memory_type: str, seq: int, content_hash: str, vector: Vectors, scope: str
    ) -> None:
        slot = self._slot()
        self.matrix[slot] = vector
        self.types[slot] = self.type_codes.setdefault(memory_type, len(self.type_codes))
        self.scopes[slot] = self.scope_codes.setdefault(scope, len(self.scope_codes))
        self.born[slot] = self.epoch
        self.owners[slot] = memory_id
        self.slots.setdefault(memory_id, []).append(slot)
        if seq >= self.seqs.get(memory_id, seq):
            self.seqs[memory_id] = seq
            self.hashes[memory_id] = content_hash

    def replace(self, memory_id: str, rows: list[VectorRow], seq: int) -> None:
        if seq < self.seqs.get(memory_id, seq):
            return
        self.remove(memory_id)
        for row in rows:
            self.add(memory_id, row.memory_type, row.seq, row.content_hash, row.vector, row.scope)

    def remove(self, memory_id: str) -> None:
        for slot in self.slots.pop(memory_id, ()):
            self.types[slot] = -1
            self.owners[slot] = None
            self.free.append(slot)
        self.seqs.pop(memory_id, None)
        self.hashes.pop(memory_id, None)

    def scope_of(self, memory_id: str) -> str | None:
        slots = self.slots.get(memory_id)
        return list(self.scope_codes)[self.scopes[slots[0]]] if slots else None

    def settle(self, scores: Vectors, vector: Vectors, epoch: int) -> Vectors:
        """The scores of all slots in use, with those multiplied again that were written after `epoch`."""
        import numpy as np

        settled = np.zeros(self.used, dtype=np.float32)
        settled[: len(scores)] = scores[: self.used]
        fresh = np.flatnonzero(self.born[: self.used] > epoch)
        if fresh.size:
            settled[fresh] = self.matrix[fresh] @ vector
        return settled

    def eligible(
        self, memory_types: Collection[str] | None, exclude: Collection[str], scopes: Scopes
    ) -> NDArray[np.bool_]:
        import numpy as np

        types = self.types[: self.used]
        if memory_types is None:
            mask = types >= 0
        else:
            mask = np.isin(types, [self.type_codes[name] for name in memory_types if name in self.type_codes])
        if scopes is not None:
            codes = [self.scope_codes[name] for name in scopes if name in self.scope_codes]
            mask &= np.isin(self.scopes[: self.used], codes)
        for memory_id in exclude:
            mask[self.slots.get(memory_id, [])] = False
        return mask

    def best(self, scores: Vectors, top_k: int, minimum: float, scopes: Scopes) -> list[tuple[str, float]]:
        """The best `top_k` memories of slots whose score is not negative."""
        import numpy as np

        wanted = top_k
        while True:
            floor = max(minimum, 0.0)
            if wanted < len(scores):
                floor = max(floor, float(np.partition(scores, -wanted)[-wanted]) - _TIE)
            found: dict[str, float] = {}
            for slot in np.flatnonzero(scores >= floor).tolist():
                owner = self.owners[slot]
                score = float(scores[slot])
                if owner is not None and score > found.get(owner, -1.0):
                    found[owner] = score
            # several pieces of one memory may have taken the places of others
            if len(found) >= top_k or wanted >= len(scores) or floor <= max(minimum, 0.0):
                break
            wanted *= 4
        own = self.scope_codes.get(scopes[0]) if scopes is not None else None

        def place(hit: tuple[str, float]) -> tuple[float, bool, str]:
            return -round(hit[1], 6), own is not None and self.scopes[self.slots[hit[0]][0]] != own, hit[0]

        return sorted(found.items(), key=place)[:top_k]

    def _slot(self) -> int:
        import numpy as np

        if self.free:
            return self.free.pop()
        if self.used == len(self.matrix):
            capacity = max(_FIRST_CAPACITY, 2 * len(self.matrix))
            matrix = np.zeros((capacity, self.matrix.shape[1]), dtype=np.float32)
            matrix[: self.used] = self.matrix
            self.matrix = matrix
            more = capacity - len(self.types)
            self.types = np.concatenate([self.types, np.full(more, -1, dtype=np.int16)])
            self.born = np.concatenate([self.born, np.zeros(more, dtype=np.int64)])
            self.scopes = np.concatenate([self.scopes, np.zeros(more, dtype=np.int32)])
        self.owners.append(None)
        return self.used - 1
