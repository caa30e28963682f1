"""Where the memories of a store come from, down to the turns: read off the rows and receipts that the store keeps."""

from __future__ import annotations

import hashlib
import re
import sqlite3
from collections import Counter
from collections.abc import Iterable, Mapping
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from memory_server.benchmarks.scoring import RAW, Item
from memory_server.domain.lifecycle import SEARCHABLE_STATES
from memory_server.storage.rows import TABLES

_LEARNED = re.compile(r"learned from episode ([0-9a-f-]{36})")
_SERVING = frozenset(str(state) for state in SEARCHABLE_STATES)
_ALL = (
    "SELECT id, episode_id, lifecycle_state, valid_from, valid_to, {said}, {name}, {session} "
    "FROM {table} ORDER BY row"
)


class BrokenLineage(ValueError):
    """An item's anchors are not those of its parents."""


@dataclass(frozen=True)
class Store:
    """Everything that a store holds, as items with anchors, by id.

    Attributes:
        snapshot: how many memories of each kind, and a digest of which they are.
    """

    items: Mapping[str, Item]
    snapshot: Mapping[str, Any]


def read_store(database: Path) -> Store:
    """Reads a memory's file; the lineage is checked.

    Raises:
        BrokenLineage: a derived memory has no parent, one that is not there, or is its own.
        sqlite3.Error: the file cannot be read.
    """
    with closing(sqlite3.connect(f"{database.absolute().as_uri()}?mode=ro", uri=True)) as connection:
        bare = [item for kind, table in TABLES.items() for item in _items(connection, kind, table)]
        parents = _parents(connection)
        texts = connection.execute("SELECT external_id, session, speaker, text FROM episodes").fetchall()
    known = {item.id: item for item in bare}
    whole: dict[str, Item] = {}
    for item in bare:
        _with_anchors(item, known, parents, whole, ())
    digest = hashlib.sha256()
    for line in sorted(map(repr, texts)):
        digest.update(line.encode("utf-8", "surrogatepass"))
    numbers = Counter(item.kind for item in bare)
    return Store(whole, {"memories": dict(sorted(numbers.items())), "episodes_sha256": digest.hexdigest()})


def check(items: Iterable[Item], known: Mapping[str, Item]) -> None:
    """Sees to it that the anchors of every derived item are the union of its parents'.

    Args:
        known: the parents, and theirs, by id.

    Raises:
        BrokenLineage: they are not.
    """
    for item in items:
        if not item.is_derived:
            continue
        lost = [parent for parent in item.parents if parent not in known]
        if lost or not item.parents:
            raise BrokenLineage(
                f"{item.kind} {item.id} has no known parent{''.join(f' ({p})' for p in lost[:1])}"
            )
        for level in ("turn", "session"):
            union = {anchor for parent in item.parents for anchor in known[parent].anchors(level)}
            if union != set(item.anchors(level)):
                raise BrokenLineage(
                    f"{item.kind} {item.id}: its {level}s are {sorted(item.anchors(level))}, those of its parents "
                    f"{sorted(union)}"
                )


def ancestors(items: Iterable[Item], known: Mapping[str, Item]) -> dict[str, Item]:
    """The parents of items, and theirs, by id."""
    found: dict[str, Item] = {}
    waiting = [parent for item in items for parent in item.parents]
    while waiting:
        name = waiting.pop()
        if name not in found and name in known:
            found[name] = known[name]
            waiting.extend(known[name].parents)
    return found


def _items(connection: sqlite3.Connection, kind: str, table: str) -> Iterable[Item]:
    raw = kind == RAW
    columns = ("occurred_at", "external_id", "session") if raw else ("NULL", "NULL", "NULL")
    query = _ALL.format(table=table, **dict(zip(("said", "name", "session"), columns, strict=True)))
    for memory_id, episode, state, begun, over, said, name, session in connection.execute(query):
        yield Item(
            id=memory_id,
            kind=kind,
            turns=(name,) if name else (),
            sessions=(session,) if session else (),
            parents=(episode,) if episode and not raw else (),
            said_at=said,
            valid_from=begun,
            valid_to=over,
            serves=state in _SERVING,
        )


def _parents(connection: sqlite3.Connection) -> dict[str, list[str]]:
    """What receipts and evidence name beside the row itself: a memory may be drawn from several texts."""
    found: dict[str, list[str]] = {}
    for memory_id, history in connection.execute(
        "SELECT memory_id, history FROM receipts WHERE memory_type <> ? ORDER BY rowid", (RAW,)
    ):
        found.setdefault(memory_id, []).extend(_LEARNED.findall(history))
    for belief, source in connection.execute(
        "SELECT belief_id, source_id FROM belief_evidence ORDER BY belief_id, source_id"
    ):
        found.setdefault(belief, []).append(source)
    return found


def _with_anchors(
    item: Item,
    known: Mapping[str, Item],
    parents: Mapping[str, list[str]],
    whole: dict[str, Item],
    path: tuple[str, ...],
) -> Item:
    """The item with the anchors of all that it was drawn from."""
    if item.id in whole:
        return whole[item.id]
    if item.id in path:
        raise BrokenLineage(f"{item.kind} {item.id} is drawn from itself")
    if item.is_derived:
        named = tuple(dict.fromkeys([*item.parents, *parents.get(item.id, ())]))
        drawn = [
            _with_anchors(known[name], known, parents, whole, (*path, item.id))
            for name in named
            if name in known
        ]
        said = sorted(parent.said_at for parent in drawn if parent.said_at)
        item = replace(
            item,
            parents=named,
            turns=tuple(dict.fromkeys(turn for parent in drawn for turn in parent.turns)),
            sessions=tuple(dict.fromkeys(session for parent in drawn for session in parent.sessions)),
            said_at=said[0] if said else None,
        )
        check([item], {parent.id: parent for parent in drawn})
    whole[item.id] = item
    return item
