"""Settling two beliefs: every resolution, all or nothing, whoever else is settling them."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from threading import Barrier

import pytest

from memory_server.app import MemoryApp
from memory_server.domain.belief import Belief, Evidence
from memory_server.domain.errors import Conflict, InvalidArgument, MemoryServerError, NotFound
from memory_server.domain.lifecycle import LifecycleState as S
from memory_server.services.belief_conflicts import Resolved, resolve_conflict
from memory_server.services.beliefs import Assertion, hold, move
from memory_server.storage import beliefs, evidence, lifecycle, outbox, receipts, sources
from memory_server.storage.database import Database

NOW = datetime(2030, 1, 2, tzinfo=UTC)


def say(app: MemoryApp, assertion: Assertion) -> Belief:
    with app.database.write() as connection:
        return hold(connection, assertion, created_by="test", now=NOW).belief


def two(
    app: MemoryApp, a: S = S.ACTIVE, b: S = S.ACTIVE, claims: tuple[float, float] = (0.9, 0.5)
) -> tuple[str, str]:
    loud = say(app, Assertion("Pump A is loud", claims[0]))
    silent = say(app, Assertion("Pump A is silent", claims[1]))
    with app.database.write() as connection:
        for belief, state in ((loud, a), (silent, b)):
            if state is not S.ACTIVE:
                move(connection, belief, state, reason="for the test", created_by="test", now=NOW)
    return loud.id, silent.id


def states(app: MemoryApp, *ids: str) -> tuple[str, ...]:
    with app.database.read() as connection:
        found = beliefs.by_ids(connection, ids)
    return tuple(str(found[belief_id].lifecycle_state) for belief_id in ids)


def everything(database: Database) -> list[tuple[object, ...]]:
    with database.read() as connection:
        return [
            tuple(row)
            for table in (
                "beliefs",
                "receipts",
                "lifecycle_events",
                "belief_evidence",
                "belief_topics",
                "outbox",
            )
            for row in connection.exec_driver_sql(f"SELECT * FROM {table}")
        ]


@dataclass(frozen=True)
class Row:
    """A row of the table of resolutions: from which states, asked how, to which states."""

    a: S
    b: S
    resolution: str
    then_a: str
    then_b: str


TABLE = [
    Row(S.ACTIVE, S.ACTIVE, "keep_a", "active", "discarded"),
    Row(S.CONTRADICTED, S.ACTIVE, "keep_a", "active", "discarded"),
    Row(S.ACTIVE, S.CONTRADICTED, "keep_a", "active", "discarded"),
    Row(S.CONTRADICTED, S.CONTRADICTED, "keep_a", "active", "discarded"),
    Row(S.ACTIVE, S.ACTIVE, "keep_b", "discarded", "active"),
    Row(S.CONTRADICTED, S.ACTIVE, "keep_b", "discarded", "active"),
    Row(S.ACTIVE, S.CONTRADICTED, "keep_b", "discarded", "active"),
    Row(S.CONTRADICTED, S.CONTRADICTED, "keep_b", "discarded", "active"),
    Row(S.ACTIVE, S.ACTIVE, "merge", "superseded", "superseded"),
    Row(S.CONTRADICTED, S.ACTIVE, "merge", "superseded", "superseded"),
    Row(S.CONTRADICTED, S.CONTRADICTED, "merge", "superseded", "superseded"),
    Row(S.ACTIVE, S.ACTIVE, "discard_both", "discarded", "discarded"),
    Row(S.CONTRADICTED, S.ACTIVE, "discard_both", "discarded", "discarded"),
    Row(S.CONTRADICTED, S.CONTRADICTED, "discard_both", "discarded", "discarded"),
]


@pytest.mark.parametrize("row", TABLE, ids=lambda row: f"{row.resolution}: {row.a} and {row.b}")
def test_each_resolution_does_what_its_name_says(app: MemoryApp, row: Row) -> None:
    a, b = two(app, row.a, row.b)
    done = resolve_conflict(app, a, b, row.resolution, new_proposition="Pump A is loud at night")
    assert states(app, a, b) == (row.then_a, row.then_b)
    assert (str(done.belief_a.lifecycle_state), str(done.belief_b.lifecycle_state)) == (
        row.then_a,
        row.then_b,
    )
    assert (done.resolution, done.auto_resolved) == (row.resolution, False)
    assert (done.created is not None) == (row.resolution == "merge")
    for before, after, belief_id in ((row.a, row.then_a, a), (row.b, row.then_b, b)):
        told = [event for event in done.events if event["belief_id"] == belief_id]
        if str(before) == after:
            assert told == []
        else:
            assert (told[0]["from_state"], told[-1]["to_state"]) == (str(before), after)
        assert all(event["reason"] for event in told)


AUTO = [
    # claims, states before, resolution, states after
    ((0.95, 0.2), (S.ACTIVE, S.ACTIVE), "keep_a", ("active", "superseded")),
    ((0.2, 0.95), (S.ACTIVE, S.ACTIVE), "keep_b", ("superseded", "active")),
    ((0.95, 0.2), (S.CONTRADICTED, S.CONTRADICTED), "keep_a", ("active", "superseded")),
    ((0.2, 0.95), (S.ACTIVE, S.CONTRADICTED), "keep_b", ("superseded", "active")),
    ((0.9, 0.4), (S.ACTIVE, S.ACTIVE), "contradicted", ("contradicted", "contradicted")),
    ((0.7, 0.2), (S.ACTIVE, S.ACTIVE), "contradicted", ("contradicted", "contradicted")),
    ((0.901, 0.4), (S.ACTIVE, S.ACTIVE), "keep_a", ("active", "superseded")),
    ((0.5, 0.5), (S.ACTIVE, S.CONTRADICTED), "contradicted", ("contradicted", "contradicted")),
    ((0.5, 0.5), (S.CONTRADICTED, S.CONTRADICTED), "contradicted", ("contradicted", "contradicted")),
]


@pytest.mark.parametrize(("claims", "before", "resolution", "after"), AUTO)
def test_auto_resolve_prefers_the_clearly_surer_and_never_discards(
    app: MemoryApp, claims: tuple[float, float], before: tuple[S, S], resolution: str, after: tuple[str, str]
) -> None:
    a, b = two(app, *before, claims)
    done = resolve_conflict(app, a, b, "a resolution that is not looked at", auto_resolve=True)
    assert (done.resolution, states(app, a, b), done.auto_resolved) == (resolution, after, True)
    if "superseded" in after:
        loser, winner = (b, a) if resolution == "keep_a" else (a, b)
        with app.database.read() as connection:
            assert beliefs.by_ids(connection, [loser])[loser].superseded_by == winner


def test_a_merge_unites_confidence_tags_evidence_and_sources(app: MemoryApp) -> None:
    shared = Evidence(source_type="observation", source_id="o-1", weight=0.3, contributor="anna")
    own = Evidence(source_type="fact", source_id="f-1", contributor="ben")
    a = say(app, Assertion("Pump A is loud", 0.9, (shared,), ("pump", "noise"), "anna"))
    b = say(
        app,
        Assertion(
            "Pump A is silent", 0.4, (shared.model_copy(update={"weight": 0.8}), own), ("pump",), "ben"
        ),
    )
    done = resolve_conflict(app, a.id, b.id, "merge", new_proposition="Pump A is loud by day only")
    created = done.created
    assert created is not None
    assert created.confidence == pytest.approx(0.65)
    assert (created.tags, created.version, created.lifecycle_state) == (("pump", "noise"), 2, S.ACTIVE)
    assert {done.belief_a.superseded_by, done.belief_b.superseded_by} == {created.id}
    assert done.receipt.memory_id == created.id
    with app.database.read() as connection:
        assert created == beliefs.by_ids(connection, [created.id])[created.id]
        united = evidence.of(connection, [created.id])[created.id]
        assert {(piece.source_id, piece.weight, piece.contributor) for piece in united} == {
            ("o-1", 0.8, "anna"),
            ("f-1", 0.5, "ben"),
        }
        assert sources.names(connection, [created.id])[created.id] == ["anna", "ben"]
    assert created.source_count == 2


def test_a_merge_may_keep_the_words_of_one_of_the_two(app: MemoryApp) -> None:
    a, b = two(app)
    done = resolve_conflict(app, a, b, "merge", new_proposition="pump A is loud.")
    assert done.created is not None
    assert done.created.id not in (a, b)
    assert states(app, a, b, done.created.id) == ("superseded", "superseded", "active")


def test_a_merge_into_the_words_of_a_third_belief_reinforces_that_one(app: MemoryApp) -> None:
    a, b = two(app, claims=(0.9, 0.5))
    third = say(app, Assertion("Pump A hums", 0.3))
    done = resolve_conflict(app, a, b, "merge", new_proposition="Pump A hums")
    assert done.created is not None
    assert (done.created.id, done.created.assertions) == (third.id, 2)
    assert done.created.confidence == pytest.approx(0.5)
    assert done.belief_a.superseded_by == done.belief_b.superseded_by == third.id


def test_every_belief_concerned_has_one_receipt_more_and_changed_ones_an_outbox_row(app: MemoryApp) -> None:
    a, b = two(app)
    with app.database.write() as connection:
        before = outbox.sizes(connection)["pending"]
    done = resolve_conflict(app, a, b, "keep_a")
    with app.database.read() as connection:
        assert [len(receipts.of(connection, belief_id)) for belief_id in (a, b)] == [2, 2]
        assert receipts.of(connection, a)[-1] == done.receipt
        assert outbox.sizes(connection)["pending"] == before + 1


@pytest.mark.parametrize(
    ("resolution", "proposition", "error", "says"),
    [
        ("merge", None, InvalidArgument, "new_proposition"),
        ("merge", " \u200b ", InvalidArgument, "new_proposition"),
        ("coin_toss", None, InvalidArgument, "coin_toss"),
        ("", None, InvalidArgument, "keep_a"),
        (None, None, InvalidArgument, "resolution"),
        ("contradicted", None, InvalidArgument, "allowed"),
    ],
)
def test_what_cannot_be_done_is_refused_with_nothing_changed(
    app: MemoryApp, resolution: str | None, proposition: str | None, error: type[MemoryServerError], says: str
) -> None:
    a, b = two(app)
    before = everything(app.database)
    with pytest.raises(error, match=says):
        resolve_conflict(app, a, b, resolution, new_proposition=proposition)
    assert everything(app.database) == before


@pytest.mark.parametrize("auto", [False, True])
@pytest.mark.parametrize(
    ("state", "error"),
    [(S.SUPERSEDED, Conflict), (S.STALE, Conflict), (S.DISCARDED, Conflict), (S.ARCHIVED, Conflict)],
)
def test_only_active_and_contradicted_beliefs_can_be_settled(
    app: MemoryApp, state: S, error: type[MemoryServerError], auto: bool
) -> None:
    a, b = two(app, S.ACTIVE, state)
    before = everything(app.database)
    with pytest.raises(error, match=b):
        resolve_conflict(app, a, b, "keep_a", auto_resolve=auto)
    assert everything(app.database) == before


def test_equal_ids_and_unknown_ids_are_told_apart(app: MemoryApp) -> None:
    a, _ = two(app)
    with pytest.raises(InvalidArgument, match="two beliefs"):
        resolve_conflict(app, a, a, "keep_a")
    for ids in (("nobody", a), (a, "nobody")):
        with pytest.raises(NotFound, match="nobody"):
            resolve_conflict(app, *ids, "keep_a")


def test_a_belief_whose_words_another_holds_by_now_cannot_come_back(app: MemoryApp) -> None:
    a, b = two(app, S.CONTRADICTED, S.ACTIVE)
    twin = say(app, Assertion("Pump A is loud"))
    before = everything(app.database)
    with pytest.raises(Conflict, match=twin.id):
        resolve_conflict(app, a, b, "keep_a")
    assert everything(app.database) == before
    # where the twin is what loses, there is room
    resolve_conflict(app, a, twin.id, "keep_a")
    assert states(app, a, twin.id) == ("active", "discarded")


def on_own_connections(
    path: Path, n: int, a: str, b: str, resolutions: list[str]
) -> list[Resolved | Exception]:
    """The same conflict settled at once by `n` writers, each with connections of its own, as processes have."""
    start = Barrier(n)

    def settle(number: int) -> Resolved | Exception:
        database = Database(path, synchronous="OFF")

        class Parts:
            pass

        parts = Parts()
        parts.database = database  # type: ignore[attr-defined]
        try:
            start.wait(10)
            return resolve_conflict(parts, a, b, resolutions[number], new_proposition="Pump A hums")  # type: ignore[arg-type]
        except MemoryServerError as error:
            return error
        finally:
            database.close()

    with ThreadPoolExecutor(n) as pool:
        return list(pool.map(settle, range(n)))


@pytest.mark.parametrize("attempt", range(4))
def test_of_four_writers_that_settle_one_conflict_one_succeeds(
    app: MemoryApp, home: Path, attempt: int
) -> None:
    a, b = two(app)
    asked = ["keep_a", "keep_b", "merge", "discard_both"]
    results = on_own_connections(home / "memory.db", 4, a, b, asked)
    done = [result for result in results if isinstance(result, Resolved)]
    assert len(done) == 1
    assert all(isinstance(result, Resolved | Conflict) for result in results)
    (won,) = done
    assert states(app, a, b) == (str(won.belief_a.lifecycle_state), str(won.belief_b.lifecycle_state))
    with app.database.read() as connection:
        for belief_id in (a, b):
            events = lifecycle.events(connection, belief_id)
            assert len(events) <= 2, "nobody else left a trace"
        count = connection.exec_driver_sql("SELECT count(*) FROM beliefs").scalar_one()
    assert count == (3 if won.resolution == "merge" else 2)


def test_four_writers_that_say_one_proposition_make_one_belief(app: MemoryApp, home: Path) -> None:
    start = Barrier(4)

    def say_it(number: int) -> None:
        database = Database(home / "memory.db", synchronous="OFF")
        start.wait(10)
        for _ in range(5):
            with database.write() as connection:
                hold(connection, Assertion("Tides follow the moon", number / 4), created_by="test", now=NOW)
        database.close()

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(say_it, range(4)))
    with app.database.read() as connection:
        (belief,) = belief_rows(connection)
    assert belief.assertions == 20
    assert belief.confidence == pytest.approx(0.375)


def belief_rows(connection: object) -> list[Belief]:
    ids = [row[0] for row in connection.exec_driver_sql("SELECT id FROM beliefs")]  # type: ignore[attr-defined]
    return list(beliefs.by_ids(connection, ids).values())  # type: ignore[arg-type]
