"""After forgetting: looks for what should be gone wherever it was, and says what was found and what not looked at."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from memory_server.domain.errors import MemoryServerError, StorageUnavailable
from memory_server.domain.memory import rfc3339
from memory_server.indexes.ports import IndexUnavailable
from memory_server.indexes.skill_files import FilesUnavailable
from memory_server.indexes.skill_objects import ids_in_repository
from memory_server.policies.grounds import SHARES
from memory_server.services.parts import Parts
from memory_server.services.remains import not_covered
from memory_server.services.truth import grounds_of
from memory_server.services.vector_remains import other_spaces, wait_for_vectors, with_vectors
from memory_server.storage import audit, browse, erasure, rows, traces
from memory_server.storage.traces import Trace

LISTED = 20  # ids that each list of a certificate shows
SECONDS = 8.0  # to wait for whoever feeds the vectors; mostly it is done in a fraction of one
SECONDS_FOR_EACH = 0.002
CHECKED_WHOLE = 200_000  # rows up to which a full-text index is compared with its rows word by word
_LOOK_AGAIN_SECONDS = 0.02
_LOG_SECONDS = 0.5


class Check(BaseModel):
    """One place that was looked at."""

    model_config = ConfigDict(frozen=True)

    where: str = Field(description="rows, full_text, vectors, graph, skills_repository, beliefs or files")
    result: str = Field(description="clean, found or not_checked")
    looked_for: int = Field(description="How many memories")
    found: int = Field(description="How many of them something was found of")
    note: str


class Certificate(BaseModel):
    """What was purged, and what a look for it found afterwards."""

    model_config = ConfigDict(frozen=True)

    at: str
    purged: dict[str, int] = Field(description="How many memories of each kind")
    clean: bool = Field(description="Every place was looked at, and nothing was found")
    checks: list[Check]
    dependent_beliefs: dict[str, Any] = Field(
        description="Beliefs whose evidence pointed there: count, and the first {id, evidence}"
    )
    derived: dict[str, Any] = Field(
        description="What was learned from forgotten episodes and stays: count, and the first {memory_type, id}"
    )
    still_told_by: list[str] = Field(
        description="Episodes that stay and from whose text forgotten memories were learned"
    )
    not_covered: list[str] = Field(description="What nobody can look at from here")


def certify(
    parts: Parts, gone: Sequence[Trace], *, drain: Callable[[], None] | None = None, seconds: float = SECONDS
) -> Certificate:
    """Looks for memories that were forgotten, in every place where they can have been.

    Args:
        gone: what was forgotten.
        drain: does the vector worker's work in this thread; without it, a worker that runs is waited for.
        seconds: how long it is waited for, apart from what many memories take.

    Raises:
        StorageUnavailable: the database cannot be read.
    """
    ids = [trace.id for trace in gone]
    behind, error = wait_for_vectors(parts, ids, drain, seconds + SECONDS_FOR_EACH * len(ids))
    checks = [
        _rows(parts, gone),
        _full_text(parts, gone),
        _vectors(parts, ids, behind, error),
        _graph(parts, gone),
        _skills(parts, gone),
        _beliefs(parts, gone),
        _files(parts, len(gone)),
    ]
    with parts.database.read() as connection:
        naming = traces.beliefs_naming(connection, ids)
        episodes = [trace.id for trace in gone if trace.memory_type == "episode"]
        learned = [
            {"memory_type": match.memory_type, "id": match.id}
            for kind in rows.TABLES
            for match in browse.learned_from(connection, kind, episodes)
        ]
        behind_them = [
            episode_id
            for kind, of_kind in _by_kind(gone).items()
            for episode_id in traces.episodes_behind(connection, kind, [trace.id for trace in of_kind])
        ]
    return Certificate(
        at=rfc3339(datetime.now(UTC)),
        purged=dict(Counter(trace.memory_type for trace in gone)),
        clean=all(check.result == "clean" for check in checks),
        checks=checks,
        dependent_beliefs={
            "count": len(naming),
            "first": [
                {"id": belief_id, "evidence": named[:LISTED]}
                for belief_id, named in list(naming.items())[:LISTED]
            ],
        },
        derived={"count": len(learned), "first": learned[:LISTED]},
        still_told_by=list(dict.fromkeys(behind_them))[:LISTED],
        not_covered=not_covered(parts),
    )


def _rows(parts: Parts, gone: Sequence[Trace]) -> Check:
    with parts.database.read() as connection:
        left = sum(
            traces.still_saying(connection, kind, [trace.id for trace in of_kind])
            for kind, of_kind in _by_kind(gone).items()
        )
        left += traces.side_rows(connection, [trace.id for trace in gone])
    return _seen("rows", len(gone), left, "content, sources, topics and evidence of each")


def _full_text(parts: Parts, gone: Sequence[Trace]) -> Check:
    """Looks for entries by row, for words by matching them, and compares small indexes with their rows."""
    left, probed, whole, damaged = 0, 0, True, ""
    for kind, of_kind in _by_kind(gone).items():
        with parts.database.read() as connection:
            left += traces.entries_of(connection, kind, [trace.row for trace in of_kind])
            probes = [(trace.row, trace.words) for trace in of_kind if trace.words]
            left += len(traces.words_of(connection, kind, probes))
            probed += len(probes)
            small = parts.frequencies.rows(connection, rows.TABLES[kind]) <= CHECKED_WHOLE
        whole = whole and small
        if small:
            try:
                with parts.database.write(quiet=True) as connection:
                    audit.check_text(connection, rows.TABLES[kind])
            except StorageUnavailable as error:
                damaged = f"; {kind}: {error.message}"
    agrees = "; the index agrees with its rows" if whole and not damaged else ""
    note = f"entries of all, words of {probed} matched{agrees}{damaged}"
    return _seen("full_text", len(gone), max(left, int(bool(damaged))), note)


def _vectors(parts: Parts, ids: Sequence[str], behind: int, error: str | None) -> Check:
    if not parts.meaning.space.enabled:
        kept = parts.meaning.space.vectors_path
        if not kept.exists() or not any(kept.iterdir()):
            return _seen("vectors", len(ids), 0, "there are none: search by meaning is off")
        return _unseen("vectors", len(ids), "search by meaning is off; vectors made before are still on disk")
    if behind:
        why = f"fail ({error})" if error else "wait for the process that feeds the index"
        return _unseen("vectors", len(ids), f"{behind} removals {why}; searches leave them out already")
    try:
        found, old = with_vectors(parts, ids), other_spaces(parts)
    except IndexUnavailable as fault:
        return _unseen("vectors", len(ids), f"the vector index cannot be read: {fault}")
    if old and not found:
        where = parts.meaning.space.vectors_path
        note = f"vectors of models used before are still in {where} and may be deleted: {', '.join(old)}"
        return _unseen("vectors", len(ids), note)
    note = "table in use, by id; its old files are removed when it is idle"
    return _seen("vectors", len(ids), len(found), note)


def _graph(parts: Parts, gone: Sequence[Trace]) -> Check:
    facts = {trace.id for trace in gone if trace.memory_type == "fact"}
    if not facts:
        return _seen("graph", 0, 0, "only facts are in it")
    try:
        left = parts.network.current().fact_ids() & facts
    except MemoryServerError as error:
        return _unseen("graph", len(facts), f"the graph could not be built: {error.message}")
    return _seen("graph", len(facts), len(left), "the graph of this process")


def _skills(parts: Parts, gone: Sequence[Trace]) -> Check:
    ids = [trace.id for trace in gone if trace.memory_type == "skill"]
    if not ids:
        return _seen("skills_repository", 0, 0, "only skills are in it")
    try:
        left = ids_in_repository(parts.settings.skills_path, ids)
    except FilesUnavailable as error:
        return _unseen("skills_repository", len(ids), f"the repository cannot be read: {error}")
    return _seen("skills_repository", len(ids), len(left), "files and every object of the history")


def _beliefs(parts: Parts, gone: Sequence[Trace]) -> Check:
    """What a belief keeps of its evidence is an id; that of a fact or decision has to count as fallen."""
    ids = {trace.id for trace in gone if trace.memory_type in ("fact", "decision")}
    with parts.database.read() as connection:
        naming = traces.beliefs_naming(connection, sorted(ids))
        grounds = grounds_of(
            connection, list(naming), parts.settings.single_valued, rfc3339(datetime.now(UTC))
        )
    holding = {
        piece.source_id
        for pieces in grounds.values()
        for piece, how in pieces
        if piece.source_id in ids and piece.source_type in ("fact", "decision") and SHARES[how] > 0
    }
    note = f"{len(naming)} name one of them as evidence, by its id alone; it supports them no longer"
    return _seen("beliefs", len(ids), len(holding), note if naming else "none names one of them as evidence")


def _files(parts: Parts, count: int) -> Check:
    with parts.database.read() as connection:
        marked = erasure.remains(connection) is not None
    if marked:
        note = "unused parts of the database file may hold words yet; `memory-server reindex` removes them"
        return _seen("files", count, count, note)
    deadline = time.monotonic() + _LOG_SECONDS
    while not parts.database.shorten_log():
        if time.monotonic() > deadline:
            note = (
                "somebody reads or writes, so the log of the database was not emptied; it soon is by itself"
            )
            return _unseen("files", count, note)
        time.sleep(_LOOK_AGAIN_SECONDS)
    return _seen("files", count, 0, "the database file was rewritten and its log emptied")


def _by_kind(gone: Sequence[Trace]) -> dict[str, list[Trace]]:
    found: dict[str, list[Trace]] = {}
    for trace in gone:
        found.setdefault(trace.memory_type, []).append(trace)
    return found


def _seen(where: str, looked_for: int, found: int, note: str) -> Check:
    return Check(
        where=where, result="found" if found else "clean", looked_for=looked_for, found=found, note=note
    )


def _unseen(where: str, looked_for: int, note: str) -> Check:
    return Check(where=where, result="not_checked", looked_for=looked_for, found=0, note=note)
