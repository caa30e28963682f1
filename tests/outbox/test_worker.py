"""Whatever happens between a commit and the index, they agree in the end, and nothing is lost on the way."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from memory_server.app import MemoryApp, open_app
from memory_server.domain.lifecycle import LifecycleState
from memory_server.domain.memory import rfc3339
from memory_server.indexes.memory import HashEmbedder, MemoryVectorStore
from memory_server.indexes.ports import IndexUnavailable
from memory_server.indexes.token_vectors import KIND
from memory_server.outbox import worker as worker_module
from memory_server.services.remember import Statement, remember
from memory_server.settings import load_settings
from memory_server.storage import facts, leases, lifecycle, outbox

OpenApp = Callable[..., AbstractContextManager[MemoryApp]]


def meant(app: MemoryApp, text: str) -> list[str]:
    return [memory_id for memory_id, _ in app.meaning.search(text, 50, minimum=0.1).hits]


def pending(app: MemoryApp) -> int:
    with app.database.read() as connection:
        return outbox.sizes(connection)["pending"]


def archive(app: MemoryApp, fact_id: str) -> None:
    now = datetime.now(UTC)
    with app.database.write() as connection:
        state = facts.by_ids(connection, [fact_id])[fact_id].lifecycle_state
        for step in (LifecycleState.STALE, LifecycleState.ARCHIVED):
            lifecycle.move(
                connection, "fact", fact_id, state, step, reason="test", actor="test", now=rfc3339(now)
            )
            state = step
        outbox.enqueue(connection, [("fact", fact_id)], now.timestamp())


def test_what_was_stored_is_found_by_meaning_before_and_after_the_worker_ran(app: MemoryApp) -> None:
    fact = remember(app, Statement("Lighthouse", "warns", "ships of rocks")).fact
    assert meant(app, "lighthouse ships") == [fact.id]
    app.worker.drain()
    assert pending(app) == 0
    assert meant(app, "lighthouse ships") == [fact.id]


def test_another_process_finds_it_before_and_after_the_worker_ran(open_memory: OpenApp) -> None:
    with open_memory() as one, open_memory() as two:
        assert meant(two, "lighthouse") == []
        fact = remember(one, Statement("Lighthouse", "warns", "ships of rocks")).fact
        assert meant(two, "lighthouse ships") == [fact.id]
        one.worker.drain()
        assert meant(two, "lighthouse ships") == [fact.id]
        other = remember(one, Statement("Lighthouse", "stands_on", "the cape")).fact
        one.worker.drain()
        assert set(meant(two, "lighthouse")) == {fact.id, other.id}


def test_what_is_archived_leaves_every_process(open_memory: OpenApp) -> None:
    with open_memory() as one, open_memory() as two:
        fact = remember(one, Statement("Lighthouse", "warns", "ships of rocks")).fact
        one.worker.drain()
        assert meant(one, "lighthouse") == meant(two, "lighthouse") == [fact.id]
        archive(one, fact.id)
        assert meant(one, "lighthouse") == meant(two, "lighthouse") == []
        one.worker.drain()
        assert meant(one, "lighthouse") == meant(two, "lighthouse") == []
        assert one.meaning.space.store().ids() == {}


def test_only_the_holder_of_the_lease_feeds_the_index(open_memory: OpenApp) -> None:
    with open_memory() as one, open_memory() as two:
        remember(one, Statement("A", "is", "first"))
        one.worker.drain()
        remember(two, Statement("B", "is", "second"))
        two.worker.drain()
        assert pending(two) == 1
        one.worker.drain()
        assert pending(two) == 0


def test_another_process_takes_over_when_the_lease_runs_out(open_memory: OpenApp) -> None:
    with open_memory() as one, open_memory() as two:
        remember(one, Statement("A", "is", "first"))
        one.worker.drain()
        with one.database.write(quiet=True) as connection:
            connection.exec_driver_sql("UPDATE leases SET expires_at = 1")
        remember(two, Statement("B", "is", "second"))
        two.worker.drain()
        assert pending(two) == 0


def test_the_thread_outlives_what_nobody_thought_of(
    open_memory: OpenApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker_module, "RECOVERY_SECONDS", 0.01)
    read, stumbled, worked = outbox.due, threading.Event(), threading.Event()

    def due(*given: Any) -> Any:
        if not stumbled.is_set():
            stumbled.set()
            raise ValueError("a row that nobody can read")
        return read(*given)

    monkeypatch.setattr(outbox, "due", due)
    with open_memory() as one:
        remember(one, Statement("A", "is", "first"))
        monkeypatch.setattr(outbox, "settle", lambda *_given: worked.set())
        one.worker.start()
        assert worked.wait(10)
        assert stumbled.is_set()


def test_a_clock_that_is_set_back_holds_nothing_up(open_memory: OpenApp) -> None:
    with open_memory() as one, open_memory() as two:
        remember(one, Statement("A", "is", "first"))
        one.worker.drain()
        remember(two, Statement("B", "is", "second"))
        with one.database.write(quiet=True) as connection:
            tomorrow = time.time() + 86_400
            connection.exec_driver_sql("UPDATE leases SET expires_at = ?", (tomorrow,))
            connection.exec_driver_sql("UPDATE outbox SET retry_at = ? WHERE state = 'pending'", (tomorrow,))
        two.worker.drain()
        assert pending(two) == 0


def test_a_former_holder_settles_nothing(open_memory: OpenApp) -> None:
    with open_memory() as one:
        remember(one, Statement("A", "is", "first"))
        one.worker.drain()
        remember(one, Statement("B", "is", "second"))
        with one.database.write(quiet=True) as connection:
            later = time.time() + 3600
            assert leases.acquire(connection, worker_module.LEASE, "somebody else", later, 60) is not None
        one.worker.drain()
        # what it wrote without the lease is gone over once more by whoever has it
        assert pending(one) == 2


def test_a_stopped_worker_gives_its_lease_back(open_memory: OpenApp) -> None:
    with open_memory() as one, open_memory() as two:
        remember(one, Statement("A", "is", "first"))
        one.worker.drain()
        one.worker.stop()
        remember(two, Statement("B", "is", "second"))
        two.worker.drain()
        assert pending(two) == 0


class BrokenStore(MemoryVectorStore):
    broken = True

    def upsert(self, *given: object, **more: object) -> None:
        if self.broken:
            raise IndexUnavailable("the disk is full")
        super().upsert(*given, **more)  # type: ignore[arg-type]


@contextmanager
def with_store(home: object, store: MemoryVectorStore) -> Iterator[MemoryApp]:
    with open_app(
        load_settings(home=home),
        worker=False,
        make_embedder=HashEmbedder,
        open_store=lambda _: (store, False),
    ) as app:
        yield app


def test_a_failing_index_fails_no_write_and_is_tried_again(
    home: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = BrokenStore()
    with with_store(home, store) as app:
        fact = remember(app, Statement("A", "is", "kept")).fact
        app.worker.drain()
        with app.database.read() as connection:
            (change,), total = outbox.unsettled(connection, 10)
            assert (change.attempts, total) == (1, 1)
            assert outbox.errors(connection) == ["IndexUnavailable: the disk is full"]
        assert meant(app, "kept") == [fact.id]
        store.broken = False
        monkeypatch.setattr(worker_module.time, "time", lambda start=time.time: start() + 5)
        app.worker.drain()
        assert pending(app) == 0


def test_after_the_last_try_a_change_is_parked_and_revived_at_the_next_start(home: object) -> None:
    store = BrokenStore()
    with with_store(home, store) as app:
        remember(app, Statement("A", "is", "kept"))
        with app.database.write(quiet=True) as connection:
            connection.exec_driver_sql("UPDATE outbox SET attempts = 7")
        app.worker.drain()
        with app.database.read() as connection:
            assert outbox.sizes(connection) == {"pending": 0, "failed": 1}
    store.broken = False
    with open_app(
        load_settings(home=home), worker=True, make_embedder=HashEmbedder, open_store=lambda _: (store, False)
    ) as app:
        deadline = time.monotonic() + 20
        while store.count() == 0 and time.monotonic() < deadline:
            app.worker.wake()
        with app.database.read() as connection:
            assert outbox.sizes(connection)["failed"] == 0


@pytest.mark.parametrize(
    ("claims", "state"),
    [
        pytest.param([("manual", 0.5)], "candidate", id="a default claim stays a candidate"),
        pytest.param([("manual", 0.9)], "validated", id="a strong claim is validated"),
        pytest.param([("a", 0.9), ("b", 0.9)], "active", id="two strong claims make it active"),
        pytest.param([("a", 0.66), ("b", 0.6)], "validated", id="corroboration lifts over the threshold"),
        pytest.param([("a", 0.5), ("b", 0.5), ("c", 0.5)], "candidate", id="three weak claims do not"),
    ],
)
def test_the_worker_promotes_what_has_earned_it(
    app: MemoryApp, claims: list[tuple[str, float]], state: str
) -> None:
    for source, confidence in claims:
        fact = remember(app, Statement("Gate", "is", "shut", confidence, source)).fact
    app.worker.drain()
    with app.database.read() as connection:
        assert facts.by_ids(connection, [fact.id])[fact.id].lifecycle_state == state
        assert lifecycle.events(connection, fact.id)[-1]["to_state"] == state


def test_a_lost_vector_directory_is_fed_anew(home: object) -> None:
    with with_store(home, MemoryVectorStore()) as app:
        fact = remember(app, Statement("Lamp", "lights", "the pier")).fact
        app.worker.drain()
    empty = MemoryVectorStore()
    empty.created = True  # type: ignore[attr-defined]
    with with_store(home, empty) as app:
        app.meaning.load()
        app.worker.drain()
        assert set(empty.ids()) == {fact.id}


def test_a_reader_that_waits_ends_the_wait_for_a_pause_in_the_writes(
    open_memory: OpenApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker_module, "LINGER_SECONDS", 600.0)
    monkeypatch.setattr(worker_module, "QUIET_SECONDS", 0.05)
    over = threading.Event()
    with open_memory(worker=True) as app:

        def keep_writing() -> None:
            while not over.wait(0.005):
                app.worker.wake()

        writer = threading.Thread(target=keep_writing)
        writer.start()
        try:
            remember(app, Statement("A", "is", "waited for"))
            deadline = time.monotonic() + 30
            while pending(app) and time.monotonic() < deadline:
                app.worker.hurry()
            assert pending(app) == 0
        finally:
            over.set()
            writer.join()


class Interleaving(RuleBasedStateMachine):
    """Writes, archivings, crashes and drains in any order, by two processes on one store."""

    open_two: Callable[[], AbstractContextManager[tuple[MemoryApp, MemoryApp]]]

    def __init__(self) -> None:
        super().__init__()
        self._context = type(self).open_two()
        self.apps = self._context.__enter__()
        self.expected: dict[str, str] = {}

    def teardown(self) -> None:
        for app in self.apps:
            with app.database.write(quiet=True) as connection:
                connection.exec_driver_sql("UPDATE leases SET expires_at = 0")
        self.apps[0].worker.drain()
        stored = self.apps[0].meaning.space.store().ids()
        assert set(stored) == set(self.expected)
        assert set(self.apps[1].network.current().fact_ids()) == set(self.expected)
        self._context.__exit__(None, None, None)

    @rule(who=st.integers(0, 1), number=st.integers(0, 5))
    def store(self, who: int, number: int) -> None:
        fact = remember(self.apps[who], Statement(f"Thing{number}", "is", f"kind{number}")).fact
        self.expected[fact.id] = fact.sentence()

    @rule(who=st.integers(0, 1), place=st.integers(0, 9))
    def take_away(self, who: int, place: int) -> None:
        if self.expected:
            fact_id = sorted(self.expected)[place % len(self.expected)]
            archive(self.apps[who], fact_id)
            del self.expected[fact_id]

    @rule(who=st.integers(0, 1))
    def drain(self, who: int) -> None:
        self.apps[who].worker.drain()

    @rule(who=st.integers(0, 1))
    def project_but_crash_before_settling(self, who: int) -> None:
        app = self.apps[who]
        with app.database.read() as connection:
            changes = outbox.due(connection, time.time(), 10)
            found = facts.by_ids(connection, [change.memory_id for change in changes])
        app.meaning.project([(change, found.get(change.memory_id)) for change in changes])

    @invariant()
    def both_find_exactly_what_is_there(self) -> None:
        for app in self.apps:
            hits = {memory_id for memory_id, _ in app.meaning.search("thing kind is", 50).hits}
            assert hits == set(self.expected)
            assert set(app.network.current().fact_ids()) == set(self.expected)


def test_vectors_are_fed_where_token_vectors_cannot_be_kept(open_memory: OpenApp) -> None:
    with open_memory() as app:
        tokens = app.settings.home / "vectors" / f"tokens-{HashEmbedder().fingerprint}-{KIND}.db"
        tokens.mkdir(parents=True)
        fact = remember(app, Statement("crane", "lifts", "brass crates")).fact
        app.worker.drain()
        assert pending(app) == 0
        assert meant(app, "what lifts brass crates") == [fact.id]


def test_what_is_gone_waits_until_its_token_vectors_are_gone(open_memory: OpenApp) -> None:
    with open_memory() as app:
        fact = remember(app, Statement("crane", "lifts", "brass crates")).fact
        app.worker.drain()
        (tokens,) = (app.settings.home / "vectors").glob("tokens-*.db")
        app.meaning.space.tokens().close()
        kept = tokens.rename(tokens.with_suffix(".kept"))
        tokens.mkdir()
        archive(app, fact.id)
        app.worker.drain()
        assert pending(app) == 1
        tokens.rmdir()
        kept.rename(tokens)
        with app.database.read() as connection:
            changes = outbox.unsettled(connection, 10)[0]
        app.meaning.project([(change, None) for change in changes])
        assert app.meaning.space.tokens().fetch([fact.id]) == {}


def test_any_interleaving_of_writes_crashes_and_drains_ends_in_agreement(
    tmp_path_factory: pytest.TempPathFactory, database_template: object
) -> None:
    import shutil

    @contextmanager
    def open_two() -> Iterator[tuple[MemoryApp, MemoryApp]]:
        home = tmp_path_factory.mktemp("interleaving")
        shutil.copy(str(database_template), home / "memory.db")
        store = MemoryVectorStore()
        with with_store(home, store) as one, with_store(home, store) as two:
            yield one, two

    Interleaving.open_two = staticmethod(open_two)
    from hypothesis.stateful import run_state_machine_as_test

    run_state_machine_as_test(
        Interleaving, settings=hypothesis_settings(max_examples=25, stateful_step_count=12, deadline=None)
    )
