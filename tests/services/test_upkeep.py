"""Ageing as a use case: every step an event, many at a time, never over what somebody touched meanwhile."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from sqlalchemy import Connection

from memory_server.app import MemoryApp
from memory_server.domain.decision import Decision
from memory_server.domain.episode import Episode
from memory_server.domain.fact import Fact
from memory_server.domain.knowledge import Knowledge
from memory_server.domain.lifecycle import LifecycleState as S
from memory_server.domain.lifecycle import may_move, steps_between
from memory_server.domain.memory import Memory, rfc3339
from memory_server.domain.receipt import receipt_for
from memory_server.domain.skill import Skill
from memory_server.services import upkeep
from memory_server.services.audit import audit
from memory_server.services.beliefs import Assertion, hold
from memory_server.services.remember import Statement, record
from memory_server.services.upkeep import decay, prune
from memory_server.storage import ageing, lifecycle, receipts, rows
from memory_server.storage.database import Database

NOW = datetime(2022, 5, 1, tzinfo=UTC)


def say(app: MemoryApp, subject: str, **more: object) -> Fact:
    statement = Statement(subject, "is_made_from", "wood", **{"confidence": 0.8, **more})  # type: ignore[arg-type]
    with app.database.write() as connection:
        return record(connection, statement, created_by="test", now=NOW).fact


def state(app: MemoryApp, memory: Memory) -> S:
    with app.database.read() as connection:
        found = rows.get(connection, type(memory), memory.id)
    assert found is not None
    return found.lifecycle_state


def steps(app: MemoryApp, memory_id: str) -> list[tuple[str | None, str | None]]:
    with app.database.read() as connection:
        return [(event["from_state"], event["to_state"]) for event in lifecycle.events(connection, memory_id)]


def common(memory_id: str) -> dict[str, object]:
    moment = rfc3339(NOW)
    return {
        "id": memory_id,
        "confidence": 0.8,
        "source": "manual",
        "tags": ("quoted",),
        "created_at": moment,
        "updated_at": moment,
        "reinforced_at": moment,
    }


ONE_OF_EACH: list[tuple[Memory, dict[str, str], float]] = [
    (Decision(**common("d"), context="roof", choice="slate", reason="rain"), {"content_hash": "h"}, 180),  # type: ignore[arg-type]
    (
        Skill(**common("s"), name="Thatch", slug="thatch", purpose="keep dry", steps=("cut",)),
        {"content_hash": "h"},
        365,
    ),  # type: ignore[arg-type]
]
AGELESS: list[tuple[Memory, dict[str, str]]] = [
    (
        Episode(**common("e"), text="We thatched.", speaker="Ann", session="one", position=1),
        {"content_hash": "h"},
    ),  # type: ignore[arg-type]
    (
        Knowledge(**common("k"), title="Thatching", content="Cut reed."),
        {"title_key": "t", "content_hash": "h"},
    ),  # type: ignore[arg-type]
]


def put(connection: Connection, memory: Memory, derived: dict[str, str]) -> None:
    rows.insert(connection, memory, derived)
    kind = memory.memory_type  # type: ignore[attr-defined]
    lifecycle.born(connection, memory, kind, reason="ingested", actor="test", now=memory.created_at)
    receipts.add(connection, receipt_for(memory, memory_type=kind, created_by="test", now=memory.created_at))


@pytest.mark.parametrize(("memory", "derived", "ttl"), ONE_OF_EACH, ids=lambda value: type(value).__name__)
def test_each_kind_ages_by_its_own_time_to_live_one_event_a_step(
    app: MemoryApp, memory: Memory, derived: dict[str, str], ttl: float
) -> None:
    with app.database.write() as connection:
        put(connection, memory, derived)
    for share, expected in (
        (0.69, S.CANDIDATE),
        (0.7, S.STALE),
        (1.0, S.ARCHIVED),
        (1.99, S.ARCHIVED),
        (2.0, S.FORGOTTEN),
    ):
        decay(app, NOW + timedelta(days=ttl * share))
        assert state(app, memory) is expected
    assert [step for _, step in steps(app, memory.id)] == ["candidate", "stale", "archived", "forgotten"]
    with app.database.read() as connection:
        gone = rows.get(connection, type(memory), memory.id)
    assert gone is not None
    assert not {word for word in words(gone) if word} & set(words(memory))


def words(memory: Memory) -> Iterator[str]:
    for name, value in memory.model_dump().items():
        if name not in Memory.model_fields or name == "tags":
            yield from (
                part for part in (value if isinstance(value, tuple) else (value,)) if isinstance(part, str)
            )


@pytest.mark.parametrize(("memory", "derived"), AGELESS, ids=lambda value: type(value).__name__)
def test_what_has_no_time_to_live_never_ages(app: MemoryApp, memory: Memory, derived: dict[str, str]) -> None:
    with app.database.write() as connection:
        put(connection, memory, derived)
    decay(app, NOW + timedelta(days=36_500))
    assert state(app, memory) is S.CANDIDATE


def test_a_long_neglected_fact_goes_all_the_way_at_once_but_step_by_step(app: MemoryApp) -> None:
    fact = say(app, "door")
    done = decay(app, NOW + timedelta(days=400))
    assert (done.moved, dict(done.steps)) == (1, {"stale": 1, "archived": 1, "forgotten": 1})
    assert steps(app, fact.id) == [
        (None, "candidate"), ("candidate", "stale"), ("stale", "archived"), ("archived", "forgotten"),
    ]  # fmt: skip


def test_a_dry_run_says_what_would_be_and_changes_nothing(app: MemoryApp) -> None:
    fact = say(app, "door")
    late = NOW + timedelta(days=400)
    planned = decay(app, late, dry_run=True)
    assert state(app, fact) is S.CANDIDATE
    done = decay(app, late)
    assert (planned.moved, planned.steps, planned.listed()) == (done.moved, done.steps, done.listed())


def test_a_claim_that_is_worth_little_goes_stale_at_any_age(app: MemoryApp) -> None:
    fact = say(app, "door", confidence=0.1, source="hearsay")
    done = decay(app, NOW + timedelta(hours=1))
    assert state(app, fact) is S.STALE
    assert "effective confidence 0.20" in done.moves[0].reason


def test_a_promotion_that_was_missed_is_made_up_for(app: MemoryApp) -> None:
    fact = say(app, "door", confidence=0.9)
    with app.database.write() as connection:
        record(
            connection, Statement("door", "is_made_from", "wood", 0.9, "joiner"), created_by="test", now=NOW
        )
    done = decay(app, NOW + timedelta(days=1))
    assert state(app, fact) is S.ACTIVE
    assert dict(done.steps) == {"validated": 1, "active": 1}


def test_conflicting_facts_are_worth_less_and_are_counted_in_bulk_as_they_are_one_by_one(
    app: MemoryApp,
) -> None:
    for source, value in (("a", "10.0.0.1"), ("b", "10.0.0.2"), ("c", "10.0.0.3"), ("d", "10.0.0.4")):
        with app.database.write() as connection:
            record(connection, Statement("nas", "has_ip", value, 0.8, source), created_by="test", now=NOW)
    say(app, "door")
    with app.database.read() as connection:
        counts = ageing.conflict_counts(connection, ())
    assert sorted(counts.values()) == [2, 2, 2, 2]


def test_indexes_stay_in_step_with_beliefs_that_age_after_they_were_replaced(app: MemoryApp) -> None:
    with app.database.write() as connection:
        old = hold(connection, Assertion("Pears keep", confidence=0.1), created_by="test", now=NOW).belief
        new = Assertion("Pears rot", confidence=0.9, replace_belief_id=old.id)
        hold(connection, new, created_by="test", now=NOW)
    app.worker.drain()
    decay(app, NOW + timedelta(days=130))
    assert state(app, old) is S.STALE
    app.worker.drain()
    found = audit(app, "full", NOW + timedelta(days=130)).at("warning")
    assert "vectors_missing" not in {finding["code"] for finding in found}


def test_what_is_touched_while_it_is_looked_at_stays(app: MemoryApp) -> None:
    fact = say(app, "door")
    move = ageing.Move("fact", fact.id, S.CANDIDATE, (S.STALE,), "age", fact.reinforced_at)
    with app.database.write() as connection:
        later = NOW + timedelta(days=80)
        record(connection, Statement("door", "is_made_from", "wood", 0.8), created_by="test", now=later)
        assert ageing.apply(connection, [move], actor="test", now=rfc3339(later)) == []
    assert state(app, fact) is S.CANDIDATE


def test_many_moves_are_made_in_small_transactions(app: MemoryApp, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(upkeep, "BATCH", 3)
    monkeypatch.setattr(ageing, "PAGE", 5)
    facts = [say(app, f"plank {place}") for place in range(12)]
    commits: list[int] = []
    app.database.on_commit = lambda: commits.append(1)
    seen: list[tuple[str, int]] = []
    done = decay(app, NOW + timedelta(days=70), progress=lambda what, count: seen.append((what, count)))
    assert done.moved == len(facts) == 12
    assert [count for what, count in seen if what == "fact"] == [5, 10, 12]
    assert len(commits) == 5  # 5 = 3 + 2, twice, and 2
    assert {state(app, fact) for fact in facts} == {S.STALE}


def test_prune_archives_what_has_outlived_the_time_that_admission_gave_it(app: MemoryApp) -> None:
    passing, lasting = say(app, "note", ttl_days=1.0), say(app, "door")
    assert prune(app, NOW + timedelta(hours=23)).moved == 0
    later = NOW + timedelta(days=1)
    assert prune(app, later, dry_run=True).moved == 1
    assert state(app, passing) is S.CANDIDATE
    done = prune(app, later)
    assert (done.looked_at, done.moved) == (1, 1)
    assert (state(app, passing), state(app, lasting)) == (S.ARCHIVED, S.CANDIDATE)
    assert [step for _, step in steps(app, passing.id)] == ["candidate", "stale", "archived"]
    assert prune(app, later).moved == 0


@hypothesis_settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.lists(st.integers(1, 120), min_size=1, max_size=6))
def test_however_time_passes_every_step_is_in_the_table_and_the_end_is_the_same(
    database_template: object, tmp_path_factory: pytest.TempPathFactory, gaps: list[int]
) -> None:
    import shutil
    from pathlib import Path

    from memory_server.app import open_app
    from memory_server.settings import load_settings

    folder = tmp_path_factory.mktemp("decay")
    shutil.copy(Path(str(database_template)), folder / "memory.db")
    with open_app(load_settings(home=folder, embedding="none"), worker=False) as app:
        fact = say(app, "door", confidence=0.6)
        day = 0
        for gap in gaps:
            day += gap
            decay(app, NOW + timedelta(days=day))
        taken = steps(app, fact.id)
        assert all(before is None or may_move("fact", S(before), S(str(after))) for before, after in taken)
        share = day / 90
        expected = (
            S.FORGOTTEN if share >= 2 else S.ARCHIVED if share >= 1 else S.STALE if share >= 0.7 else None
        )
        if expected is not None:
            assert state(app, fact) is expected
            assert len(taken) == 1 + len(steps_between("fact", S.CANDIDATE, expected))


def test_forgetting_an_episode_takes_its_words_out_of_its_neighbours(
    app: MemoryApp, database: Database
) -> None:
    from memory_server.services.forgetting import forget

    said, derived = AGELESS[0]
    beside = said.model_copy(
        update={"id": "f", "position": 2, "text": "It held.", "neighbours": "We thatched."}
    )
    with app.database.write() as connection:
        put(connection, said, derived)
        put(connection, beside, {"content_hash": "other"})
    forget(app, "e", NOW)
    with app.database.read() as connection:
        left = rows.get(connection, Episode, "f")
        found = connection.exec_driver_sql(
            "SELECT rowid FROM episodes_fts WHERE episodes_fts MATCH 'thatched'"
        ).all()
    assert left is not None
    assert (left.text, left.neighbours, found) == ("It held.", "", [])
