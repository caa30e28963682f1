"""The audit: what a person breaks in the files is found, named, and comes with the command that mends it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest

from memory_server.app import MemoryApp, open_app
from memory_server.domain.errors import InvalidArgument
from memory_server.domain.fact import Fact
from memory_server.indexes.memory import HashEmbedder
from memory_server.indexes.ports import IndexUnavailable
from memory_server.services.audit import STATS, Audit, audit
from memory_server.services.beliefs import Assertion, hold
from memory_server.services.remember import Statement, record
from memory_server.settings import Settings
from memory_server.storage import rows

NOW = datetime(2030, 1, 2, tzinfo=UTC)
KINDS = ("full", "consistency", "orphans", "confidence")


def say(app: MemoryApp, subject: str, obj: str = "wood", claim: float = 0.8, now: datetime = NOW) -> Fact:
    with app.database.write() as connection:
        return record(
            connection, Statement(subject, "is_made_from", obj, claim), created_by="test", now=now
        ).fact


def codes(seen: Audit, level: str | None = None) -> list[str]:
    return [finding.code for finding in seen.found if level in (None, finding.level)]


def run(app: MemoryApp, *statements: str) -> None:
    with app.database.write() as connection:
        for statement in statements:
            connection.exec_driver_sql(statement)


@pytest.mark.parametrize("kind", KINDS)
def test_an_empty_store_has_no_findings_and_zero_counts(app: MemoryApp, kind: str) -> None:
    seen = audit(app, kind, NOW)
    assert seen.found == []
    assert set(seen.stats) == set(STATS)
    assert set(seen.stats["totals"].values()) == {0}
    if kind == "full":
        assert seen.stats["sql_vector_drift"]["drift_pct"] == seen.stats["sql_graph_drift"]["drift_pct"] == 0
        assert None not in seen.stats.values()


def test_an_audit_of_another_kind_is_refused(app: MemoryApp) -> None:
    with pytest.raises(InvalidArgument, match="full, consistency, orphans, confidence"):
        audit(app, "everything", NOW)


def test_a_sound_store_has_no_warnings_and_counts_each_fact_in_each_index(app: MemoryApp) -> None:
    for name in ("door", "roof", "gate"):
        say(app, name)
    app.worker.drain()
    seen = audit(app, "full", NOW)
    assert codes(seen) == ["graph_roots"]
    vectors, graph = seen.stats["sql_vector_drift"], seen.stats["sql_graph_drift"]
    assert (vectors["sql_count"], vectors["vector_count"], vectors["state"]) == (3, 3, "ok")
    assert (graph["sql_count"], graph["graph_count"]) == (3, 3)
    assert seen.stats["totals"]["fact"] == 3
    assert seen.stats["outbox"] == {"pending": 0, "failed": 0}


def test_what_waits_in_the_outbox_is_lag_and_no_drift(app: MemoryApp) -> None:
    say(app, "door")
    app.worker.drain()
    say(app, "roof")
    seen = audit(app, "full", NOW)
    assert codes(seen, "warning") == []
    drift = seen.stats["sql_vector_drift"]
    assert (drift["sql_count"], drift["vector_count"], drift["waiting"], drift["drift_pct"]) == (2, 1, 1, 0)


def test_drift_of_vectors_is_seen_by_identity_though_counts_agree(app: MemoryApp) -> None:
    door, roof = say(app, "door"), say(app, "roof")
    app.worker.drain()
    store = app.meaning.space.store()
    (row,) = store.fetch([door.id])
    store.delete([door.id])
    stranger = "00000000-0000-4000-8000-000000000000"
    store.upsert([_of(row, stranger)], stale_pieces_of=[])
    # a text that changed behind the indexes' back
    run(app, f"UPDATE facts SET object = 'slate' WHERE id = '{roof.id}'")
    seen = audit(app, "full", NOW)
    drift = seen.stats["sql_vector_drift"]
    assert (drift["missing"], drift["extra"], drift["outdated"]) == (1, 1, 1)
    assert drift["sql_count"] == drift["vector_count"] == 2
    assert drift["drift_pct"] == 100
    found = {finding.code: finding for finding in seen.found}
    assert found["vectors_missing"].ids == (door.id,)
    assert found["vectors_extra"].ids == (stranger,)
    assert found["vectors_outdated"].ids == (roof.id,)
    assert {found[code].command for code in found if code.startswith("vectors_")} == {"memory-server reindex"}
    assert app.observation.metrics.drift._value.get() == 3


def _of(row: object, memory_id: str) -> object:
    from dataclasses import replace

    return replace(row, memory_id=memory_id, key=f"{memory_id}#0")  # type: ignore[type-var]


def test_drift_of_other_kinds_is_told_apart_from_that_of_facts(app: MemoryApp) -> None:
    with app.database.write() as connection:
        held = hold(connection, Assertion("Doors creak", 0.8), created_by="test", now=NOW).belief
    app.worker.drain()
    app.meaning.space.store().delete([held.id])
    seen = audit(app, "full", NOW)
    assert seen.stats["sql_vector_drift"]["missing"] == 0
    assert seen.stats["vector_drift_by_type"] == {"belief": {"missing": 1, "extra": 0, "outdated": 0}}
    assert "vectors_missing" in codes(seen, "warning")


def test_an_edge_that_is_gone_and_one_too_many_are_drift_of_the_graph(app: MemoryApp) -> None:
    door = say(app, "door")
    say(app, "roof")
    graph = app.network.current()
    graph.drop(door.id)
    graph.put("11111111-1111-4111-8111-111111111111", "ghost", "haunts", "attic")
    seen = audit(app, "full", NOW)
    drift = seen.stats["sql_graph_drift"]
    assert (drift["missing"], drift["extra"], drift["graph_count"]) == (1, 1, 2)
    assert {"graph_missing", "graph_extra"} <= set(codes(seen, "warning"))


def test_vectors_that_are_switched_off_are_no_drift(
    open_memory: Callable[..., object], settings: object
) -> None:
    with open_memory(given=settings.model_copy(update={"embedding": "none"})) as app:  # type: ignore[attr-defined]
        app.meaning.space._disabled = True
        say(app, "door")
        seen = audit(app, "full", NOW)
        assert codes(seen, "warning") == []
        drift = seen.stats["sql_vector_drift"]
        assert (drift["state"], drift["vector_count"], drift["drift_pct"], drift["sql_count"]) == (
            "off",
            None,
            0,
            1,
        )


def test_vectors_that_cannot_be_opened_are_a_warning(app: MemoryApp, monkeypatch: pytest.MonkeyPatch) -> None:
    say(app, "door")

    def fail() -> None:
        raise IndexUnavailable("the directory is read-only")

    monkeypatch.setattr(app.meaning.space, "store", fail)
    seen = audit(app, "full", NOW)
    assert codes(seen, "warning") == ["vectors_unavailable"]
    assert "read-only" in str(seen.at("warning")[0]["message"])
    assert seen.stats["sql_vector_drift"]["state"] == "unavailable"


@pytest.mark.parametrize(
    ("kind", "statement", "level", "code"),
    [
        ("consistency", "UPDATE facts SET confidence = 0", "warning", "zero_confidence"),
        (
            "consistency",
            "UPDATE facts SET lifecycle_state = 'stale', confidence = 1.0, source = 'verified scan'",
            "warning",
            "stale_full_confidence",
        ),
        (
            "consistency",
            "UPDATE facts SET valid_to = '2001-01-01T00:00:00.000000Z'",
            "warning",
            "closed_before_begun",
        ),
        ("confidence", "UPDATE facts SET confidence = 0.1", "warning", "low_confidence"),
        ("confidence", "UPDATE facts SET confidence = 1.5", "error", "confidence_out_of_range"),
        ("full", "UPDATE facts SET confidence = 'high'", "error", "confidence_out_of_range"),
        ("full", "UPDATE facts SET lifecycle_state = 'active'", "error", "state_without_event"),
        ("full", "DELETE FROM facts", "warning", "orphan_receipts"),
        ("full", "DELETE FROM facts", "warning", "orphan_lifecycle_events"),
        ("full", "UPDATE facts SET episode_id = 'nowhere'", "warning", "missing_episode"),
        (
            "full",
            "INSERT INTO lifecycle_events (memory_id, memory_type, from_state, to_state, reason, actor, at) "
            "SELECT id, 'fact', 'candidate', 'active', '', 'test', created_at FROM facts",
            "error",
            "forbidden_move",
        ),
        (
            "full",
            "INSERT INTO lifecycle_events (memory_id, memory_type, from_state, to_state, reason, actor, at) "
            "SELECT id, 'fact', 'validated', 'active', '', 'test', created_at FROM facts",
            "warning",
            "broken_chain",
        ),
        ("full", "INSERT INTO belief_topics VALUES ('birds', 'nowhere')", "warning", "orphan_belief_topics"),
        ("full", "UPDATE facts SET lifecycle_state = 'forgotten'", "error", "forgotten_with_content"),
        ("full", "UPDATE outbox SET state = 'failed', error = 'no room'", "warning", "outbox_failed"),
    ],
)
def test_what_breaks_a_rule_is_found_and_names_what_mends_it(
    app: MemoryApp, kind: str, statement: str, level: str, code: str
) -> None:
    say(app, "door")
    run(app, statement)
    seen = audit(app, kind, NOW)
    found = [finding for finding in seen.found if finding.code == code]
    assert [(finding.level, finding.count) for finding in found] == [(level, 1)]
    assert found[0].command and found[0].command in str(found[0].shown()["message"])


def test_a_memory_without_a_receipt_is_an_error(app: MemoryApp) -> None:
    door = say(app, "door")
    with app.database.write() as connection:
        rows.insert(
            connection, door.model_copy(update={"id": "unproven", "valid_to": door.created_at}), _derived()
        )
    found = {finding.code: finding for finding in audit(app, "full", NOW).found}
    assert found["missing_receipt"].ids == ("unproven",)
    assert found["missing_receipt"].level == "error"


def _derived() -> dict[str, str]:
    return {"subject_key": "x", "predicate_key": "x", "object_hash": "x", "triple_hash": "x"}


def test_a_stale_fact_that_was_written_as_active_is_found_and_an_honestly_aged_one_is_not(
    app: MemoryApp,
) -> None:
    door = say(app, "door", claim=0.9)
    with app.database.write() as connection:
        record(
            connection, Statement("door", "is_made_from", "wood", 0.9, "joiner"), created_by="test", now=NOW
        )
    app.worker.drain()
    say(app, "door", claim=0.9, now=NOW + timedelta(days=1))
    run(app, f"UPDATE facts SET lifecycle_state = 'stale' WHERE id = '{door.id}'")
    assert "stale_with_active_receipt" in codes(audit(app, "consistency", NOW))
    run(app, f"UPDATE facts SET lifecycle_state = 'active' WHERE id = '{door.id}'")
    aged = audit(app, "full", NOW + timedelta(days=70))
    assert aged.stats["lifecycle_moves"]["stale"] == 1
    assert "stale_with_active_receipt" not in codes(aged)


def test_a_full_text_index_that_disagrees_with_its_rows_is_found(app: MemoryApp) -> None:
    say(app, "door")
    run(app, "DELETE FROM facts_fts_docsize")
    seen = audit(app, "full", NOW)
    assert seen.stats["fulltext_drift"] == {"fact": 1}
    assert "fulltext_drift" in codes(seen, "warning")


def test_words_in_the_full_text_index_that_no_row_has_are_found(app: MemoryApp) -> None:
    say(app, "door")
    run(
        app,
        "INSERT INTO facts_fts (facts_fts, rowid, subject, predicate, object, tags, grams) "
        "VALUES ('delete', 1, 'door', 'is made from', 'wood', '[]', '')",
        "INSERT INTO facts_fts (rowid, subject, predicate, object, tags, grams) "
        "VALUES (1, 'window', 'is made from', 'wood', '[]', '')",
    )
    assert audit(app, "full", NOW).stats["fulltext_drift"] == {"fact": -1}


def test_buckets_count_the_stored_confidence_and_their_bounds_belong_to_the_upper_one(app: MemoryApp) -> None:
    for place, claim in enumerate((0.0, 0.29, 0.3, 0.5, 0.69, 0.7, 0.85, 1.0)):
        say(app, f"part {place}", claim=claim)
    stats = audit(app, "confidence", NOW).stats["confidence"]
    assert stats["buckets"] == {"0.0-0.3": 2, "0.3-0.5": 1, "0.5-0.7": 2, "0.7-0.85": 1, "0.85-1.0": 2}
    assert stats["total"] == 8
    assert len(stats["low_confidence"]) == stats["low_confidence_count"] == 2


def test_the_full_audit_ages_what_is_due_but_never_forgets_and_the_parts_change_nothing(
    app: MemoryApp,
) -> None:
    door = say(app, "door")
    late = NOW + timedelta(days=1000)
    for kind in KINDS[1:]:
        assert audit(app, kind, late).stats["lifecycle_moves"] is None
    with app.database.read() as connection:
        assert rows.get(connection, Fact, door.id) == door
    moves = audit(app, "full", late).stats["lifecycle_moves"]
    assert (moves["count"], moves["stale"], moves["archived"]) == (1, 1, 1)
    assert (moves["moves"][0]["id"], moves["moves"][0]["to_state"]) == (door.id, "archived")
    assert audit(app, "full", late).stats["lifecycle_moves"]["count"] == 0
    with app.database.read() as connection:
        left = rows.get(connection, Fact, door.id)
    assert left is not None and left.subject == "door"


def test_lists_stay_short_and_say_how_many_there_are(app: MemoryApp) -> None:
    with app.database.write() as connection:
        for place in range(120):
            statement = Statement(f"part {place}", "is_made_from", "wood", 0.1)
            record(connection, statement, created_by="test", now=NOW)
    seen = audit(app, "full", NOW + timedelta(days=65))
    (low,) = [finding for finding in seen.found if finding.code == "low_confidence"]
    assert (low.count, len(low.ids)) == (120, 50)
    assert len(seen.stats["confidence"]["low_confidence"]) == 50
    assert (seen.stats["lifecycle_moves"]["count"], len(seen.stats["lifecycle_moves"]["moves"])) == (120, 50)
    assert seen.stats["orphans"]["count"] == 120
    assert len(seen.stats["orphans"]["nodes"]) == 50


def test_an_audit_reads_the_vectors_of_a_cold_start_without_loading_the_model(settings: Settings) -> None:
    def refuse() -> None:
        raise AssertionError("the model was loaded")

    with open_app(settings, worker=False, make_embedder=HashEmbedder) as app:
        door = say(app, "door")
        say(app, "roof")
        app.worker.drain()
        app.meaning.space.store().delete([door.id])
    with open_app(settings, worker=False, make_embedder=refuse) as app:
        seen = audit(app, "full", NOW)
    assert seen.stats["sql_vector_drift"]["missing"] == 1
    assert seen.stats["sql_vector_drift"]["vector_count"] == 1
