"""Tells what an earlier answer of this server handed out from what is new, so that it is no evidence for itself."""

from __future__ import annotations

from collections.abc import Iterable

from sqlalchemy import Connection

from memory_server.policies.echoes import Echo, Triple, find_echoes, masked
from memory_server.policies.text import digest, normal
from memory_server.storage import fulltext, rows

_WORDS = 12  # of a sentence, by which memories that may be worded like it are looked up
_CANDIDATES = 20


def without_echoes(connection: Connection, text: str) -> tuple[str, int]:
    """The text with blanks where memories of this store were handed out, and how many such passages there were.

    A passage in the shape of an answer that names or repeats no memory of this store is left as it is.
    """
    echoes = find_echoes(text)
    if not echoes:
        return text, 0
    known = _known_ids(connection, {memory_id for echo in echoes for memory_id in echo.ids})
    ours = [echo for echo in echoes if not known.isdisjoint(echo.ids) or _is_worded_alike(connection, echo)]
    return masked(text, ours), len(ours)


def _known_ids(connection: Connection, ids: Iterable[str]) -> set[str]:
    wanted = sorted(ids)
    found: set[str] = set()
    for table in rows.TABLES.values():
        for batch in rows.batches(wanted):
            marks = ", ".join("?" for _ in batch)
            result = connection.exec_driver_sql(f"SELECT id FROM {table} WHERE id IN ({marks})", tuple(batch))
            found.update(str(row[0]) for row in result)
    return found


def _is_worded_alike(connection: Connection, echo: Echo) -> bool:
    if echo.triples:
        return any(_is_stored(connection, triple) for triple in echo.triples)
    return bool(echo.sentence) and _is_rendering(connection, echo.sentence)


def _is_stored(connection: Connection, triple: Triple) -> bool:
    subject, predicate, obj = (normal(part) for part in triple)
    found = connection.exec_driver_sql(
        "SELECT 1 FROM facts WHERE subject_key = ? AND predicate_key = ? AND object_hash = ? LIMIT 1",
        (subject, predicate, digest(obj)),
    )
    return found.first() is not None


def _is_rendering(connection: Connection, sentence: str) -> bool:
    """Whether some memory reads like the sentence; one that ends in an ellipsis is the beginning of what it says."""
    said = sentence.strip()
    cut_short = said.endswith("…")
    beginning = _compared(said.rstrip("…"))
    phrases = fulltext.parse(beginning).phrases
    # the last word of a shortened text may be half of one
    expression = " AND ".join(phrases[: _WORDS if len(phrases) > _WORDS else len(phrases) - cut_short])
    for memory_type, model in rows.MODELS.items():
        hits = fulltext.matches(connection, rows.TABLES[memory_type], expression, _CANDIDATES)
        for memory in rows.by_ids(connection, model, [memory_id for memory_id, _ in hits]).values():
            words = _compared(memory.sentence())  # type: ignore[attr-defined]
            if words == beginning or (cut_short and words.startswith(beginning)):
                return True
    return False


def _compared(sentence: str) -> str:
    return " ".join(normal(sentence).replace("_", " ").split())
