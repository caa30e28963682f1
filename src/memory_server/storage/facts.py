"""Rows of facts: written once, found by their triple, their slot (subject and predicate) or their id."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import Connection

from memory_server.domain.fact import Fact
from memory_server.policies.conflict import canonical_predicate
from memory_server.policies.scopes import Scopes
from memory_server.policies.text import digest, grams, normal
from memory_server.storage import rows
from memory_server.storage.database import fetch_rows
from memory_server.storage.scopes import visible_sql

_TRIPLES = 150  # in one statement; three parameters each, well below SQLite's limit
CURRENT = "lifecycle_state IN ('candidate','validated','active') AND valid_to IS NULL"


def derived(fact: Fact) -> dict[str, str]:
    """The columns computed from a fact: what it is compared and indexed by."""
    return {
        **keys(fact.subject, fact.predicate, fact.object, fact.scope),
        "grams": grams(" \n ".join((fact.subject, fact.predicate, fact.object, *fact.tags))),
    }


def keys(subject: str, predicate: str, obj: str, scope: str) -> dict[str, str]:
    """The columns that a triple is compared by."""
    subject, predicate, obj = normal(subject), normal(predicate), normal(obj)
    return {
        "subject_key": subject,
        "predicate_key": predicate,
        "object_hash": digest(obj),
        "triple_hash": digest(scope, subject, predicate, obj),
    }


def insert(connection: Connection, fact: Fact, computed: dict[str, str]) -> None:
    """Writes a new fact with its computed columns."""
    rows.insert(connection, fact, computed)


def insert_all(connection: Connection, facts: Sequence[tuple[Fact, dict[str, str]]]) -> None:
    """Writes new facts, each with its computed columns."""
    rows.insert_all(connection, facts)


def known_triples(connection: Connection, triples: Iterable[dict[str, str]]) -> set[str]:
    """Those of the triples (see `keys`), by their hash, that some fact says, whatever became of it."""
    found: set[str] = set()
    wanted = [(keys["subject_key"], keys["predicate_key"], keys["object_hash"]) for keys in triples]
    for start in range(0, len(wanted), _TRIPLES):
        batch = wanted[start : start + _TRIPLES]
        marks = ", ".join("(?, ?, ?)" for _ in batch)
        result = connection.exec_driver_sql(
            f"WITH wanted (s, p, o) AS (VALUES {marks}) SELECT t.triple_hash FROM wanted CROSS JOIN facts t "
            "ON t.subject_key = s AND t.predicate_key = p AND t.object_hash = o",
            tuple(part for triple in batch for part in triple),
        )
        found.update(str(row[0]) for row in result)
    return found


def said_before(connection: Connection, computed: dict[str, str]) -> tuple[Fact | None, str | None]:
    """The current fact that says the same in the same scope, and the id of the newest that ever did."""
    found = fetch_rows(
        connection,
        f"SELECT {CURRENT}, t.id, {rows.selection(Fact, 't')} FROM facts t WHERE subject_key = ? "
        f"AND predicate_key = ? AND object_hash = ? AND triple_hash = ? ORDER BY 1 DESC, t.row DESC LIMIT 1",
        (
            computed["subject_key"],
            computed["predicate_key"],
            computed["object_hash"],
            computed["triple_hash"],
        ),
    )
    if not found:
        return None, None
    is_current, newest, *_ = found[0]
    return rows.from_row(Fact, found[0], 2) if is_current else None, str(newest)


def in_slot(connection: Connection, subject_key: str, predicate_key: str, scopes: Scopes) -> list[Fact]:
    """The current facts with that subject and predicate, however it is spelled, that a reader sees, oldest first."""
    return _said(connection, subject_key, predicate_key, scopes, CURRENT)


def ever_in_slot(connection: Connection, subject_key: str, predicate_key: str, scope: str) -> list[Fact]:
    """As `in_slot` in one scope, but closed facts too, and only forgotten ones not."""
    return _said(connection, subject_key, predicate_key, (scope,), "lifecycle_state <> 'forgotten'")


def _said(
    connection: Connection, subject_key: str, predicate_key: str, scopes: Scopes, condition: str
) -> list[Fact]:
    keys = spellings(connection, subject_key, predicate_key)
    marks = ", ".join("?" for _ in keys)
    visible = visible_sql(scopes)
    found = connection.exec_driver_sql(
        f"SELECT {rows.selection(Fact, 't')} FROM facts t WHERE t.subject_key = ? AND t.predicate_key IN ({marks}) "
        f"AND {condition}{f' AND {visible}' if visible else ''} ORDER BY t.row",
        (subject_key, *keys, *(scopes or ())),
    )
    return [rows.from_row(Fact, row) for row in found]


def spellings(connection: Connection, subject_key: str, predicate_key: str) -> list[str]:
    """A predicate and those that a subject has under which the same is said: "lives in" beside lives_in."""
    # from one key to the next, so that a subject of many facts costs no more than one of many predicates
    known = connection.exec_driver_sql(
        "WITH RECURSIVE known (name) AS (SELECT min(predicate_key) FROM facts WHERE subject_key = ? UNION ALL "
        "SELECT (SELECT min(predicate_key) FROM facts WHERE subject_key = ? AND predicate_key > name) FROM known "
        "WHERE name IS NOT NULL) SELECT name FROM known WHERE name IS NOT NULL",
        (subject_key, subject_key),
    ).scalars()
    canonical = canonical_predicate(predicate_key)
    others = [name for name in known if name != predicate_key and canonical_predicate(name) == canonical]
    return [predicate_key, *others]


def by_ids(connection: Connection, ids: Sequence[str]) -> dict[str, Fact]:
    """The facts of those ids as they are now."""
    return rows.by_ids(connection, Fact, ids)


def update(connection: Connection, fact: Fact, changes: dict[str, Any]) -> Fact:
    """Sets columns of a fact, recomputes what is derived from them, and gives the fact as it is then."""
    changed = fact.model_copy(update=changes)
    columns = dict(changes)
    if {"subject", "predicate", "object", "tags", "scope"} & set(changes):
        columns |= derived(changed)
    rows.update(connection, "fact", fact.id, columns)
    return changed
