"""How the beliefs in force stand to each other; rivals meet through the topics that they share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from sqlalchemy import Connection

from memory_server.policies.pairing import candidate_pairs
from memory_server.policies.propositions.reading import parse
from memory_server.policies.relations import Relation, relate
from memory_server.policies.scopes import meet
from memory_server.policies.text import normal
from memory_server.services.beliefs import IN_FORCE
from memory_server.storage import beliefs
from memory_server.storage.beliefs import Outline


@dataclass(frozen=True, slots=True)
class Pair:
    """Two beliefs and what stands between them; `a` is the older one."""

    a: Outline
    b: Outline
    relation: Relation

    @property
    def difference(self) -> float:
        """How far apart their claims lie."""
        return abs(round(self.a.confidence - self.b.confidence, 9))

    @property
    def since(self) -> str:
        """When both were held for the first time."""
        return max(self.a.created_at, self.b.created_at)


@dataclass(frozen=True, slots=True)
class Related:
    """All pairs that were looked at; `left_out` says that very common topics hold more."""

    pairs: list[Pair]
    left_out: bool

    def contradictions(self) -> list[Pair]:
        """Pairs that rule each other out under the same circumstances, the surest first."""
        found = [
            pair
            for pair in self.pairs
            if pair.relation.kind == "contradiction" and pair.relation.same_context
        ]
        return sorted(
            found, key=lambda pair: (-pair.relation.confidence, -pair.a.confidence - pair.b.confidence)
        )


def related(
    connection: Connection,
    outlines: Sequence[Outline],
    *,
    context: str | None = None,
    strict_same_context: bool = False,
) -> Related:
    """The relations between beliefs that are active or contradicted and share a topic.

    Beliefs of two different projects are not compared, those of a project and global ones are.

    Args:
        outlines: the beliefs to look at.
        context: only beliefs that hold in this circumstance, or name none.
        strict_same_context: what holds in different circumstances is neutral.
    """
    looked_at = [one for one in outlines if one.state in IN_FORCE and _holds_in(one, context)]
    places = {one.id: place for place, one in enumerate(looked_at)}
    groups: list[list[int]] = []
    for _, rows in groupby(beliefs.topics_shared(connection), key=lambda row: row[0]):
        group = [places[belief_id] for _, belief_id in rows if belief_id in places]
        if len(group) > 1:
            groups.append(group)
    candidates, left_out = candidate_pairs(groups)
    # read once each, however many pairs a belief stands in
    read = {
        place: parse(looked_at[place].proposition)
        for place in dict.fromkeys(place for pair in candidates for place in pair)
    }
    pairs = [
        Pair(
            looked_at[one],
            looked_at[other],
            relate(read[one], read[other], strict_same_context=strict_same_context),
        )
        for one, other in candidates
        if meet(looked_at[one].scope, looked_at[other].scope)
    ]
    return Related(pairs, left_out)


def _holds_in(belief: Outline, context: str | None) -> bool:
    return context is None or belief.context is None or normal(context) in normal(belief.context)
