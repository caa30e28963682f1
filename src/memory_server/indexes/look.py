"""One look at the vectors: what is near to a question, as of the moment at which it was asked."""

from __future__ import annotations

import logging
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from memory_server.indexes.matrix import VectorMatrix
from memory_server.indexes.ports import IndexUnavailable, VectorRow
from memory_server.indexes.token_store import TokenStore
from memory_server.indexes.token_vectors import Late, late_scores
from memory_server.policies.scopes import Scopes, is_own

if TYPE_CHECKING:
    from memory_server.indexes.ports import TokenVectors, Vectors

log = logging.getLogger(__name__)


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


@dataclass(frozen=True, slots=True)
class Look:
    """What one reader sees of the vectors; asked several times, it embeds and catches up only once.

    Attributes:
        asked: the question.
        scopes: what the reader sees.
        matrix: what is settled.
        tail: what is not settled yet, embedded for this look.
        behind: how many changes there was no time for.
        tokens: where the vectors of single tokens are.
    """

    asked: Asked
    scopes: Scopes
    matrix: VectorMatrix
    tail: Sequence[VectorRow]
    behind: int
    tokens: TokenStore

    def search(
        self,
        top_k: int,
        *,
        memory_types: Collection[str] | None = None,
        minimum: float = 0.0,
        also: Collection[str] = (),
    ) -> MeaningHits:
        """The nearest memories; what the reader does not see takes no place, of equally near ones its own come first.

        Args:
            top_k: at most so many.
            memory_types: only these kinds; None for all.
            minimum: cosine below which nothing is returned.
            also: memories that may take as many places more.
        """
        vector, tail_ids = self.asked.vector, {row.memory_id for row in self.tail}
        hits = self.matrix.search(
            vector, top_k, memory_types=memory_types, exclude=tail_ids, minimum=minimum, scopes=self.scopes
        )
        best = dict(hits)
        wanted = [memory_id for memory_id in also if memory_id not in best and memory_id not in tail_ids]
        best |= {
            name: cosine for name, cosine in self.matrix.scores(vector, wanted).items() if cosine >= minimum
        }
        for row in self.tail:
            if row.piece < 0 or (memory_types is not None and row.memory_type not in memory_types):
                continue
            score = min(1.0, max(0.0, float(row.vector @ vector)))
            if score >= minimum and score > best.get(row.memory_id, -1.0):
                best[row.memory_id] = score
        own = {row.memory_id for row in self.tail if is_own(self.scopes, row.scope)}
        own |= {memory_id for memory_id in best if is_own(self.scopes, self.matrix.scope(memory_id))}
        ranked = sorted(best.items(), key=lambda hit: (-round(hit[1], 6), hit[0] not in own, hit[0]))
        more = [hit for hit in ranked[top_k:] if hit[0] in also][:top_k]
        return MeaningHits(ranked[:top_k] + more, self.behind)

    @property
    def note(self) -> str | None:
        """What to say when some changes are not indexed yet."""
        return MeaningHits(behind=self.behind).note

    def closeness(self, memory_ids: Sequence[str]) -> dict[str, Closeness]:
        """How near each of these memories is, of those that have vectors."""
        cosines = self.matrix.scores(self.asked.vector, memory_ids)
        wanted = set(memory_ids)
        fresh = [row for row in self.tail if row.memory_id in wanted and row.piece >= 0]
        for row in fresh:
            cosines[row.memory_id] = max(0.0, float(row.vector @ self.asked.vector))
        lates = self._lates(memory_ids, fresh)
        return {memory_id: Closeness(cosine, lates.get(memory_id)) for memory_id, cosine in cosines.items()}

    def _lates(self, memory_ids: Sequence[str], fresh: Sequence[VectorRow]) -> dict[str, Late]:
        if self.asked.tokens is None:
            return {}
        unsettled = {row.memory_id: row.tokens for row in fresh if row.tokens is not None}
        try:
            settled = self.tokens.fetch([one for one in memory_ids if one not in unsettled])
        except IndexUnavailable as error:
            log.warning("ranking without token vectors: %s", error)
            settled = {}
        return late_scores(self.asked.tokens, {**settled, **unsettled})
