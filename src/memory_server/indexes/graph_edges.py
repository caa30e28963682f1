"""The edges of the graph as columns of integers: a million facts take some 55 MB, where objects take 300."""

from __future__ import annotations

import hashlib
import re
from array import array
from collections.abc import Iterator

_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
_NONE = -1
_EMPTY = 0
_GONE = -1
_ID_BYTES = 16


class Links:
    """Edges of each node as doubly linked lists through the columns, newest first."""

    __slots__ = ("after", "before", "degree", "first")

    def __init__(self) -> None:
        self.first = array("i")  # by node
        self.degree = array("i")  # by node
        self.after = array("i")  # by edge
        self.before = array("i")  # by edge

    def add_node(self) -> None:
        """Room for one node more."""
        self.first.append(_NONE)
        self.degree.append(0)

    def add_edge(self) -> None:
        """Room for one edge more."""
        self.after.append(_NONE)
        self.before.append(_NONE)

    def link(self, node: int, edge: int) -> None:
        """Put an edge first in a node's list."""
        head = self.first[node]
        self.after[edge] = head
        self.before[edge] = _NONE
        if head != _NONE:
            self.before[head] = edge
        self.first[node] = edge
        self.degree[node] += 1

    def unlink(self, node: int, edge: int) -> None:
        """Take an edge out of a node's list."""
        after, before = self.after[edge], self.before[edge]
        if before == _NONE:
            self.first[node] = after
        else:
            self.after[before] = after
        if after != _NONE:
            self.before[after] = before
        self.degree[node] -= 1

    def edges(self, node: int) -> Iterator[int]:
        """A node's edges, newest first."""
        edge = self.first[node]
        after = self.after
        while edge != _NONE:
            yield edge
            edge = after[edge]


class Edges:
    """One edge a fact: subject, relation and object by number, found by the fact's id or from either end."""

    __slots__ = (
        "_foreign",
        "_free",
        "_ids",
        "_index",
        "_used",
        "incoming",
        "objects",
        "outgoing",
        "relations",
        "subjects",
    )

    def __init__(self) -> None:
        self.subjects = array("i")
        self.relations = array("i")
        self.objects = array("i")
        self.outgoing = Links()
        self.incoming = Links()
        self._ids = bytearray()
        self._foreign: dict[bytes, str] = {}  # ids that are no UUID, by their digest
        self._free: list[int] = []
        self._index = array("i", bytes(4 * 64))  # open addressing: edge + 1
        self._used = 0

    def __len__(self) -> int:
        return len(self.subjects) - len(self._free)

    def find(self, fact_id: str) -> int | None:
        """The edge of a fact, None where it has none."""
        place = self._place(_code(fact_id))
        return None if place is None else self._index[place] - 1

    def add(self, fact_id: str, subject: int, relation: int, object_: int) -> int:
        """Adds the edge of a fact that has none; returns its number."""
        code = _code(fact_id)
        if not _UUID.fullmatch(fact_id):
            self._foreign[code] = fact_id
        edge = self._room()
        self._ids[edge * _ID_BYTES : (edge + 1) * _ID_BYTES] = code
        self.subjects[edge], self.relations[edge], self.objects[edge] = subject, relation, object_
        self.outgoing.link(subject, edge)
        self.incoming.link(object_, edge)
        self._enter(code, edge)
        return edge

    def remove(self, edge: int) -> None:
        """Takes an edge away; its number will be used again."""
        code = self._code_of(edge)
        place = self._place(code)
        if place is not None:
            self._index[place] = _GONE
        self._foreign.pop(code, None)
        self.outgoing.unlink(self.subjects[edge], edge)
        self.incoming.unlink(self.objects[edge], edge)
        self.subjects[edge] = _NONE
        self._free.append(edge)

    def fact_id(self, edge: int) -> str:
        """The id of the fact that an edge stands for."""
        code = self._code_of(edge)
        foreign = self._foreign.get(code) if self._foreign else None
        if foreign is not None:
            return foreign
        digits = code.hex()
        return f"{digits[:8]}-{digits[8:12]}-{digits[12:16]}-{digits[16:20]}-{digits[20:]}"

    def fact_ids(self) -> Iterator[str]:
        """The facts that have an edge."""
        return (self.fact_id(edge) for edge, subject in enumerate(self.subjects) if subject != _NONE)

    def _code_of(self, edge: int) -> bytes:
        return bytes(self._ids[edge * _ID_BYTES : (edge + 1) * _ID_BYTES])

    def _room(self) -> int:
        if self._free:
            return self._free.pop()
        for column in (self.subjects, self.relations, self.objects):
            column.append(_NONE)
        self.outgoing.add_edge()
        self.incoming.add_edge()
        self._ids.extend(bytes(_ID_BYTES))
        return len(self.subjects) - 1

    def _place(self, code: bytes) -> int | None:
        index, ids = self._index, self._ids
        mask = len(index) - 1
        place = hash(code) & mask
        while (entry := index[place]) != _EMPTY:
            if entry > 0 and ids.startswith(code, (entry - 1) * _ID_BYTES):
                return place
            place = (place + 1) & mask
        return None

    def _enter(self, code: bytes, edge: int) -> None:
        if 3 * (self._used + 1) > 2 * len(self._index):
            self._rehash()
            return  # the new edge is among those entered again
        mask = len(self._index) - 1
        place = hash(code) & mask
        while self._index[place] != _EMPTY:
            place = (place + 1) & mask
        self._index[place] = edge + 1
        self._used += 1

    def _rehash(self) -> None:
        size = len(self._index)
        while 2 * len(self) > size:
            size *= 2
        self._index = index = array("i", bytes(4 * size))
        mask = size - 1
        self._used = 0
        for edge, subject in enumerate(self.subjects):
            if subject == _NONE:
                continue
            place = hash(self._code_of(edge)) & mask
            while index[place] != _EMPTY:
                place = (place + 1) & mask
            index[place] = edge + 1
            self._used += 1


def _code(fact_id: str) -> bytes:
    if _UUID.fullmatch(fact_id):
        return bytes.fromhex(fact_id.replace("-", ""))
    return hashlib.blake2b(fact_id.encode("utf-8", "surrogatepass"), digest_size=_ID_BYTES).digest()
