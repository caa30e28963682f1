"""What can be taken back: the changes that a write made, each with what it brought about."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from sqlalchemy import Connection

from memory_server.domain.errors import Conflict, InvalidArgument, NotFound
from memory_server.policies.scopes import Scopes
from memory_server.policies.writes import Did, successor
from memory_server.services.lineage import learned_from
from memory_server.storage import rows, writes
from memory_server.storage.scopes import hidden
from memory_server.storage.writes import UNDO, Written

_PAGE = 100  # receipts looked at in one step on the way back to the last change
_BY_TIME = ("decay", "audit", "prune")  # who moves memories because time has passed
_WHY_NOT = {
    Did.FORGOTTEN: "what is forgotten is gone for good",
    Did.CHANGED: "what it said before is not kept",
    Did.UNKNOWN: "undo does not know this kind of write",
}


@dataclass(frozen=True, slots=True)
class Asked:
    """Which changes are meant: the last one where nothing is given.

    Args:
        id: of a memory (its last change), of an episode (all that was learned with it), or of a receipt.
        source: everything that it has claimed.
        session: everything that was learned or imported in it.
        since: only from this time on; RFC 3339 as stored.
        scopes: of memories in these, unless an id is given; None for all.
    """

    id: str | None = None
    source: str | None = None
    session: str | None = None
    since: str | None = None
    scopes: Scopes = None


@dataclass(frozen=True, slots=True)
class Change:
    """The smallest thing that is taken back at once.

    Attributes:
        assertion: the claim that was made; None where beliefs were only moved against each other.
        consequences: what was closed, superseded or moved by it.
    """

    assertion: Written | None
    consequences: tuple[Written, ...] = ()

    @property
    def receipts(self) -> tuple[Written, ...]:
        """All receipts that it left."""
        return (*(() if self.assertion is None else (self.assertion,)), *self.consequences)

    @property
    def last_row(self) -> int:
        """Where its newest receipt stands in the order of all."""
        return max(written.row for written in self.receipts)

    @property
    def write(self) -> tuple[str, str]:
        """Time and maker of the transaction that it is part of."""
        return self.receipts[0].timestamp, self.receipts[0].created_by


@dataclass(slots=True)
class Selected:
    """The changes that are meant, newest first, and what cannot be taken back of them, with why."""

    changes: list[Change] = field(default_factory=list)
    left: list[tuple[Written, str]] = field(default_factory=list)

    def order(self) -> Selected:
        """Itself, newest first."""
        self.changes.sort(key=lambda change: change.last_row, reverse=True)
        return self


def select(connection: Connection, asked: Asked) -> Selected:
    """The changes that are meant.

    Raises:
        NotFound: the id names neither a memory nor a receipt, or no change is left to be taken back.
        Conflict: the change that is meant cannot be taken back; the message says why.
        InvalidArgument: more than one of id, source and session is given, or a time without source or session.
    """
    if sum(value is not None for value in (asked.id, asked.source, asked.session)) > 1:
        raise InvalidArgument(
            "give one of id, source and session, or nothing for the last change", argument="id"
        )
    if asked.since is not None and asked.source is None and asked.session is None:
        raise InvalidArgument("since goes with source or session", argument="since")
    since = asked.since or ""
    if asked.id is not None:
        return _of_id(connection, asked.id)
    if asked.source is not None:
        return _grouped(connection, writes.by_source(connection, asked.source, since), asked)
    if asked.session is not None:
        return _grouped(connection, writes.of_session(connection, asked.session, since), asked)
    return _last(connection, asked.scopes)


def _last(connection: Connection, scopes: Scopes) -> Selected:
    row = 1 << 62
    while page := writes.newest(connection, row, _PAGE):
        standing = standing_of(connection, _visible(connection, page, scopes))
        for written in page:
            if written.id in standing and written.created_by not in _BY_TIME:
                _refuse(written)
                return _of_write(_still_together(connection, written), None)
        row = page[-1].row
    raise NotFound("there is no change that could be undone")


def _of_id(connection: Connection, wanted: str) -> Selected:
    memory = rows.find(connection, wanted)
    receipt = writes.by_id(connection, wanted) if memory is None else None
    if memory is None and receipt is None:
        raise NotFound(f"there is no memory and no receipt with the id {wanted[:64]!r}", argument="id")
    if receipt is None:
        own = writes.of_memories(connection, [wanted]).get(wanted, [])
        standing = standing_of(connection, own)
        receipt = next((one for one in reversed(own) if one.id in standing), None)
    if receipt is None or receipt.id not in standing_of(connection, [receipt]):
        raise NotFound(f"of {wanted[:64]} there is no change left that could be undone", argument="id")
    _refuse(receipt)
    whole = _still_together(connection, receipt)
    if receipt.memory_type == "episode":
        return _of_write(whole, _learned_with(whole, [receipt.memory_id]))
    selected = _of_write(whole, None)
    selected.changes = [change for change in selected.changes if receipt in change.receipts]
    return selected


def _still_together(connection: Connection, written: Written) -> list[Written]:
    whole = writes.together_with(connection, written)
    standing = standing_of(connection, whole)
    return [one for one in whole if one.id in standing]


def _refuse(written: Written) -> None:
    if written.did in _WHY_NOT:
        raise Conflict(
            f"the change of {written.memory_type} {written.memory_id} at {written.timestamp} "
            f"({written.did}) cannot be undone: {_WHY_NOT[written.did]}; name another by its id, receipt or source",
            id=written.memory_id,
            receipt=written.id,
        )


def _visible(connection: Connection, found: Sequence[Written], scopes: Scopes) -> list[Written]:
    unseen = hidden(connection, [written.memory_id for written in found], scopes)
    return [written for written in found if written.memory_id not in unseen]


def _grouped(connection: Connection, found: Sequence[Written], asked: Asked) -> Selected:
    """The changes in which these receipts are claims; with a session, also what was learned with its episodes."""
    by_write: dict[tuple[str, str], list[Written]] = {}
    for written in _visible(connection, found, asked.scopes):
        by_write.setdefault((written.timestamp, written.created_by), []).append(written)
    wholes = {write: writes.together_with(connection, part[0]) for write, part in by_write.items()}
    standing = standing_of(connection, [written for whole in wholes.values() for written in whole])
    selected = Selected()
    for write, of_write in by_write.items():
        chosen = {written.id for written in of_write}
        if asked.session is not None:
            chosen = _learned_with(wholes[write], [written.memory_id for written in of_write])
        part = _of_write([one for one in wholes[write] if one.id in standing], chosen)
        selected.changes += part.changes
        selected.left += part.left
    return selected.order()


def _learned_with(whole: Iterable[Written], episode_ids: Sequence[str]) -> set[str]:
    """The receipts of these episodes, and of what was read out of them in the same write."""
    lines = tuple(line for episode_id in episode_ids for line in learned_from(episode_id, None))
    return {
        written.id
        for written in whole
        if written.memory_id in episode_ids or any(line.startswith(lines) for line in written.history)
    }


def _of_write(whole: Sequence[Written], chosen: set[str] | None) -> Selected:
    """The changes of one write, of its receipts that are standing; those of the chosen ones, or with None all."""
    picked = [written for written in whole if chosen is None or written.id in chosen]
    claims = [written for written in picked if written.asserts]
    # a decision of a person between two beliefs is nobody's claim
    ended = [written for written in whole if written.did in (Did.CLOSED, Did.MOVED)]
    selected = Selected(left=[(one, _WHY_NOT[one.did]) for one in picked if one.did in _WHY_NOT])
    for claim in claims:
        by_it = tuple(one for one in ended if successor(one.history) == claim.memory_id)
        selected.changes.append(Change(claim, by_it))
    tied = {one.id for change in selected.changes for one in change.consequences}
    rest = tuple(one for one in ended if one.id not in tied)
    if chosen is None and rest:
        selected.changes.append(Change(None, rest))
    return selected.order()


def standing_of(connection: Connection, found: Sequence[Written]) -> set[str]:
    """Those of the receipts whose writes did something that was not taken back yet."""
    did_something = [one for one in found if one.created_by != UNDO and one.did is not Did.NOTED]
    of_memories = writes.of_memories(connection, dict.fromkeys(one.memory_id for one in did_something))
    gone = {receipt_id for receipts in of_memories.values() for receipt_id in writes.taken_back(receipts)}
    return {one.id for one in did_something} - gone
