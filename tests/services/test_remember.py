"""Remembering: once on disk, once only, with who said so."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from itertools import permutations

import pytest

from memory_server.app import MemoryApp
from memory_server.domain.fact import Fact
from memory_server.domain.memory import rfc3339
from memory_server.services.remember import Remembered, Statement, record, remember
from memory_server.storage import ageing, facts, lifecycle, outbox, receipts, sources
from memory_server.storage.conflicts import count_conflicts

NOW = datetime(2030, 1, 2, 3, 4, 5, tzinfo=UTC)


def say(app: MemoryApp, statement: Statement, now: datetime = NOW) -> Remembered:
    with app.database.write() as connection:
        return record(connection, statement, created_by="test", now=now)


def stored(app: MemoryApp, fact_id: str) -> Fact:
    with app.database.read() as connection:
        return facts.by_ids(connection, [fact_id])[fact_id]


def test_a_new_fact_is_a_candidate_with_a_receipt_an_event_and_an_outbox_row(app: MemoryApp) -> None:
    result = say(app, Statement("Mill", "stands_by", "the river", 0.8, "survey", ("old",)))
    assert result.is_new
    assert result.fact == stored(app, result.fact.id)
    assert result.fact.created_at == "2030-01-02T03:04:05.000000Z"
    assert result.receipt.verification_status == "candidate"
    with app.database.read() as connection:
        assert receipts.of(connection, result.fact.id) == [result.receipt]
        events = lifecycle.events(connection, result.fact.id)
        assert [(event["from_state"], event["to_state"]) for event in events] == [(None, "candidate")]
        assert outbox.sizes(connection) == {"pending": 1, "failed": 0}


@pytest.mark.parametrize(
    "again",
    [
        pytest.param(("Mill", "stands_by", "the river"), id="same words"),
        pytest.param(("MILL", "Stands_By", "The River"), id="other case"),
        pytest.param(("Mill", "stands_by", "the   river"), id="other blanks"),
        pytest.param(("Ｍill", "stands_by", "the river"), id="compatibility forms"),
    ],
)
def test_the_same_triple_again_is_the_same_fact_with_a_new_receipt(
    app: MemoryApp, again: tuple[str, str, str]
) -> None:
    first = say(app, Statement("Mill", "stands_by", "the river", 0.8, "survey", ("old",)))
    later = NOW + timedelta(days=3)
    second = say(app, Statement(*again, 0.4, "Survey", ("wet", "old")), later)
    assert not second.is_new
    assert second.fact.id == first.fact.id
    assert second.receipt.id != first.receipt.id
    assert second.fact.object == "the river"
    assert second.fact.tags == ("old", "wet")
    assert second.fact.confidence == 0.8
    assert second.fact.source_count == 1
    assert second.fact.reinforced_at > first.fact.reinforced_at
    assert second.fact == stored(app, first.fact.id)


def test_a_second_source_corroborates_and_the_highest_claim_is_kept(app: MemoryApp) -> None:
    first = say(app, Statement("Mill", "stands_by", "the river", 0.5, "survey"))
    second = say(app, Statement("mill", "stands_by", "the river", 0.9, "miller"))
    assert (second.fact.source, second.fact.source_count, second.fact.confidence) == ("survey", 2, 0.9)
    assert second.receipt.source == "miller"
    assert any("corroborated" in line for line in second.receipt.history)
    with app.database.read() as connection:
        assert sources.count(connection, first.fact.id) == 2


def test_the_same_triple_in_another_scope_is_another_fact(app: MemoryApp) -> None:
    first = say(app, Statement("Mill", "stands_by", "the river"))
    second = say(app, Statement("Mill", "stands_by", "the river", scope="project:dam"))
    assert second.is_new
    assert second.fact.id != first.fact.id


def test_a_newer_value_of_the_same_source_closes_the_older(app: MemoryApp) -> None:
    old = say(app, Statement("Pump", "has_ip", "10.1.0.1", source="ops"))
    new = say(app, Statement("Pump", "has_ip", "10.1.0.2", source="Ops"), NOW + timedelta(hours=1))
    closed = stored(app, old.fact.id)
    assert closed.valid_to == new.fact.valid_from
    assert closed.superseded_by == new.fact.id
    assert closed.superseded_at == new.fact.created_at
    assert f"closes {old.fact.id}" in new.receipt.history
    with app.database.read() as connection:
        assert len(receipts.of(connection, old.fact.id)) == 2


DAYS = [f"2029-0{month}-01T00:00:00.000000Z" for month in range(1, 10)]


def timeline(app: MemoryApp, ids: list[str]) -> list[tuple[str, str | None, str | None]]:
    found = [stored(app, fact_id) for fact_id in ids]
    return sorted((fact.object, fact.valid_from, fact.valid_to) for fact in found)


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_in_whatever_order_texts_are_learned_their_times_decide_what_holds_when(
    app: MemoryApp, order: tuple[int, ...]
) -> None:
    said = [
        Statement("Pump", "has_ip", f"10.1.0.{place}", source="ops", valid_from=DAYS[place])
        for place in range(3)
    ]
    ids = [say(app, said[place], NOW + timedelta(hours=hour)).fact.id for hour, place in enumerate(order)]
    assert timeline(app, ids) == [
        ("10.1.0.0", DAYS[0], DAYS[1]),
        ("10.1.0.1", DAYS[1], DAYS[2]),
        ("10.1.0.2", DAYS[2], None),
    ]


def test_a_statement_older_than_what_its_source_says_now_is_closed_as_it_comes(app: MemoryApp) -> None:
    new = say(app, Statement("Pump", "has_ip", "10.1.0.2", source="ops", valid_from=DAYS[5]))
    old = say(app, Statement("Pump", "has_ip", "10.1.0.1", source="ops", valid_from=DAYS[2]))
    assert stored(app, new.fact.id).valid_to is None
    late = stored(app, old.fact.id)
    assert (late.valid_to, late.superseded_by) == (DAYS[5], new.fact.id)
    assert f"older than {new.fact.id}, which it does not end" in old.receipt.history
    assert not [line for line in old.receipt.history if line.startswith(("closes", "conflicts"))]


def test_an_older_statement_of_another_source_is_a_conflict_like_any_other(app: MemoryApp) -> None:
    new = say(app, Statement("Pump", "has_ip", "10.1.0.2", source="ops", valid_from=DAYS[5]))
    old = say(app, Statement("Pump", "has_ip", "10.1.0.1", source="plan", valid_from=DAYS[2]))
    assert stored(app, new.fact.id).valid_to is None
    assert stored(app, old.fact.id).valid_to is None
    assert f"conflicts with {new.fact.id}" in old.receipt.history


def test_a_conflicting_value_of_another_source_closes_nothing(app: MemoryApp) -> None:
    old = say(app, Statement("Pump", "has_ip", "10.1.0.1", source="ops"))
    new = say(app, Statement("Pump", "has_ip", "10.1.0.2", source="plan"))
    assert stored(app, old.fact.id).valid_to is None
    assert f"conflicts with {old.fact.id}" in new.receipt.history


SPELLINGS = [
    ("lives_in", "lives in"),
    ("has_ip", "IP address"),
    ("hasIp", "has_ip"),
    ("works at", "works for"),
]


@pytest.mark.parametrize(("first", "second"), [*SPELLINGS, *(pair[::-1] for pair in SPELLINGS)])
def test_one_predicate_in_two_spellings_has_one_value_at_a_time(
    app: MemoryApp, first: str, second: str
) -> None:
    old = say(app, Statement("Pump", first, "one", source="ops"))
    new = say(app, Statement("pump", second, "two", source="ops"), NOW + timedelta(hours=1))
    assert stored(app, old.fact.id).superseded_by == new.fact.id
    other = say(app, Statement("Pump", first, "three", source="plan"), NOW + timedelta(hours=2))
    assert f"conflicts with {new.fact.id}" in other.receipt.history
    with app.database.read() as connection:
        in_bulk = ageing.conflict_counts(connection, ())
        one_by_one = count_conflicts(connection, [new.fact, other.fact], ())
    assert in_bulk == one_by_one == {new.fact.id: 1, other.fact.id: 1}


def test_who_comes_to_say_what_another_says_gives_up_what_he_said_before(app: MemoryApp) -> None:
    old = say(app, Statement("Pump", "has_ip", "10.1.0.1", source="ops"))
    known = say(app, Statement("Pump", "has_ip", "10.1.0.2", source="plan"), NOW + timedelta(hours=1))
    later = NOW + timedelta(hours=2)
    again = say(app, Statement("Pump", "has_ip", "10.1.0.2", source="Ops"), later)
    assert again.fact.id == known.fact.id
    assert f"closes {old.fact.id}" in again.receipt.history
    closed = stored(app, old.fact.id)
    assert (closed.valid_to, closed.superseded_by) == (rfc3339(later), known.fact.id)


@pytest.mark.parametrize(
    ("said", "closed"),
    [
        # the last line says the right value again; what is asked is whether that ends the wrong one
        (["ops wrong", "hr wrong", "plan right", "ops right"], False),
        (["ops wrong", "hr wrong", "plan right", "ops right", "hr right"], True),
        (["plan right", "ops right", "ops wrong", "plan right"], False),
        (["plan right", "ops right", "ops wrong", "ops right"], True),
        (["hr wrong", "plan right", "ops right"], False),
    ],
)
def test_a_value_is_given_up_when_all_who_said_it_say_another(
    app: MemoryApp, said: list[str], closed: bool
) -> None:
    ids = {}
    for hour, line in enumerate(said):
        source, value = line.split()
        stated = say(app, Statement("Pump", "has_ip", value, source=source), NOW + timedelta(hours=hour))
        ids[value] = stated.fact.id
    assert (stored(app, ids["wrong"]).valid_to is not None) is closed
    assert stored(app, ids["right"]).valid_to is None


def test_what_was_said_of_an_earlier_time_gives_nothing_up(app: MemoryApp) -> None:
    say(app, Statement("Pump", "has_ip", "10.1.0.2", source="plan"))
    old = say(app, Statement("Pump", "has_ip", "10.1.0.1", source="ops"), NOW + timedelta(hours=1))
    learned = Statement("Pump", "has_ip", "10.1.0.2", source="ops", valid_from=rfc3339(NOW))
    say(app, learned, NOW + timedelta(hours=2))
    assert stored(app, old.fact.id).valid_to is None


@pytest.mark.parametrize("predicate", ["uses", "likes", "is", "runs_on"])
def test_predicates_with_many_values_close_nothing(app: MemoryApp, predicate: str) -> None:
    old = say(app, Statement("Pump", predicate, "one"))
    say(app, Statement("Pump", predicate, "two"))
    assert stored(app, old.fact.id).valid_to is None


def test_a_closed_triple_stated_again_is_a_new_fact_linked_to_it(app: MemoryApp) -> None:
    old = say(app, Statement("Pump", "has_ip", "10.1.0.1"))
    say(app, Statement("Pump", "has_ip", "10.1.0.2"), NOW + timedelta(hours=1))
    again = say(app, Statement("Pump", "has_ip", "10.1.0.1"), NOW + timedelta(hours=2))
    assert again.is_new
    assert again.fact.replaces_id == old.fact.id
    assert stored(app, old.fact.id).valid_to is not None


def test_text_comes_back_exactly_as_given(app: MemoryApp) -> None:
    odd = "status 🚀🧭👩‍🚀 ok 🏳️‍🌈 \n\n naïve\tＦＵＬＬ \u202eabc\u202c"
    assert stored(app, say(app, Statement("Odd", "holds", odd)).fact.id).object == odd


def test_many_writers_at_once_store_one_fact_each_and_lose_none(app: MemoryApp) -> None:
    def write(number: int) -> str:
        return remember(app, Statement(f"Buoy {number % 10}", "marks", "the channel")).fact.id

    with ThreadPoolExecutor(8) as pool:
        ids = list(pool.map(write, range(80)))
    assert len(set(ids)) == 10
    with app.database.read() as connection:
        assert connection.exec_driver_sql("SELECT count(*) FROM facts").scalar_one() == 10
        assert connection.exec_driver_sql("SELECT count(*) FROM receipts").scalar_one() == 80


def test_a_write_that_fails_leaves_nothing(app: MemoryApp) -> None:
    with pytest.raises(RuntimeError), app.database.write() as connection:
        record(connection, Statement("Ghost", "is", "gone"), created_by="test", now=NOW)
        raise RuntimeError("the caller gives up")
    with app.database.read() as connection:
        for table in (
            "facts",
            "receipts",
            "lifecycle_events",
            "outbox",
            "memory_sources",
            "facts_fts_docsize",
        ):
            assert connection.exec_driver_sql(f"SELECT count(*) FROM {table}").scalar_one() == 0


@pytest.mark.parametrize("statement", ["UPDATE receipts SET source = 'x'", "DELETE FROM receipts"])
def test_receipts_cannot_be_changed_or_deleted(app: MemoryApp, statement: str) -> None:
    say(app, Statement("Mill", "stands_by", "the river"))
    with pytest.raises(Exception, match="receipts are never"), app.database.write() as connection:
        connection.exec_driver_sql(statement)


def test_two_processes_see_each_others_facts_at_once(open_memory: Callable[[], MemoryApp]) -> None:
    with open_memory() as one, open_memory() as two:  # type: ignore[attr-defined]
        first = say(one, Statement("Mill", "stands_by", "the river"))
        assert stored(two, first.fact.id) == first.fact
        assert not say(two, Statement("mill", "stands_by", "the river")).is_new
