"""Takes changes from the outbox in order and brings the vector index up to date, one process at a time."""

from __future__ import annotations

import logging
import os
import threading
import time
from collections.abc import Callable, Collection
from datetime import UTC, datetime
from uuid import uuid4

from memory_server.domain.errors import MemoryServerError
from memory_server.domain.memory import Memory, rfc3339
from memory_server.indexes.meaning import Meaning, load_memories
from memory_server.indexes.ports import IndexDamaged, IndexUnavailable
from memory_server.indexes.space import SPACE
from memory_server.outbox.promotion import promote
from memory_server.policies.retry import next_attempt
from memory_server.storage import leases, meta, outbox
from memory_server.storage.database import Database
from memory_server.storage.outbox import Change

log = logging.getLogger(__name__)

LEASE = "vector-index"
LEASE_SECONDS = 15.0
BATCH = 128
QUIET_SECONDS = 0.15  # without a commit before a batch is begun, so that changes are written together
LINGER_SECONDS = 1.0  # at most, while commits keep coming: a burst of writes has the processor to itself
BACKLOG = 512  # changes from which waiting only makes it worse
IDLE_COMPACTION_SECONDS = 2.0
RECOVERY_SECONDS = 2.0  # after a failure that concerns more than one change


class Worker:
    """A thread that is woken by commits of its own process and sees those of others by a cheap poll.

    Whoever holds the lease feeds the index. A change is settled only after the index has committed it, so that a
    crash at any point repeats work and loses none.
    """

    def __init__(
        self,
        database: Database,
        meaning: Meaning,
        *,
        poll_seconds: float,
        single_valued: Collection[str] = (),
        on_error: Callable[[Exception], None] = lambda _error: None,
    ) -> None:
        self._database = database
        self._meaning = meaning
        self._poll = poll_seconds
        self._single_valued = single_valued
        self._on_error = on_error
        self._owner = f"{os.getpid()}-{uuid4().hex[:8]}"
        self._token: int | None = None
        self._renew_at = 0.0
        self._wake = threading.Event()
        self._hurry = threading.Event()
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self._compact_at: float | None = None
        self._next_try = 0.0

    def start(self) -> None:
        """Starts the thread; a second call does nothing."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="outbox-worker", daemon=True)
            self._thread.start()

    @property
    def running(self) -> bool:
        """Whether the thread works; without it `drain` does what is due."""
        return self._thread is not None and self._thread.is_alive()

    def wake(self) -> None:
        """Says that there may be something to do."""
        self._wake.set()

    def hurry(self) -> None:
        """Says that a reader waits for what is pending: a pause in the writes need not be waited for."""
        self._hurry.set()
        self._wake.set()

    def stop(self, seconds: float = 1.0) -> bool:
        """Asks the thread to end and waits; gives the lease back. Tells whether it ended in time."""
        self._stop.set()
        self._wake.set()
        if self._thread is not None:
            self._thread.join(seconds)
            if self._thread.is_alive():
                log.warning("the outbox worker did not stop within %.1f s", seconds)
                return False
        if self._token is not None:
            try:
                with self._database.write(quiet=True) as connection:
                    leases.release(connection, LEASE, self._owner)
            except MemoryServerError as error:
                log.warning("the lease could not be given back: %s", error)
        return True

    def drain(self) -> None:
        """Works off everything that is due, in the caller's thread; for commands and tests.

        Raises:
            StorageUnavailable: the database cannot be read or written.
        """
        while self._work_off_batch():
            pass

    def finish(self) -> None:
        """Works off what is due and leaves no old files behind; for commands, whose process ends after it.

        Raises:
            StorageUnavailable: as `drain`.
        """
        self.drain()
        if self._compact_at is not None:
            self._compact_at = 0.0
            self._compact_when_idle()

    def _run(self) -> None:
        while not self._stop.is_set():
            seen = -1  # after a failure as at the start: whatever waits is looked at
            try:
                with self._database.watch() as watched:
                    while not self._stop.is_set():
                        version = self._database.data_version(watched)
                        if version != seen or self._wake.is_set() or time.monotonic() >= self._next_try > 0:
                            seen = version
                            self._wake.clear()
                            self._linger()
                            self.drain()
                        self._compact_when_idle()
                        self._wake.wait(self._poll)
            except MemoryServerError as error:
                # a full disk or a lock held for long: the thread lives on and tries again
                log.warning("the outbox worker waits: %s", error)
                self._on_error(error)
                self._stop.wait(RECOVERY_SECONDS)
            except Exception as error:  # the thread's border: without it nothing would be indexed any more
                log.exception("the outbox worker stumbled")
                self._on_error(error)
                self._stop.wait(RECOVERY_SECONDS)

    def _linger(self) -> None:
        with self._database.read() as connection:
            if not 0 < len(outbox.due(connection, time.time(), BACKLOG)) < BACKLOG:
                self._hurry.clear()
                return
        deadline = time.monotonic() + LINGER_SECONDS
        while time.monotonic() < deadline:
            self._wake.clear()
            # not woken by each write of a burst, whose answer would have to wait for this thread
            if self._stop.wait(QUIET_SECONDS) or self._hurry.is_set() or not self._wake.is_set():
                break
        self._hurry.clear()

    def _work_off_batch(self) -> bool:
        """One batch; tells whether there may be more."""
        if self._stop.is_set():
            return False
        now = time.time()
        with self._database.read() as connection:
            changes = outbox.due(connection, now, BATCH)
            sizes = outbox.sizes(connection)
            memories = load_memories(connection, changes)
        # what measures a while goes by the clock that nobody sets
        self._next_try = time.monotonic() + 1.0 if sizes["pending"] > len(changes) else 0.0
        if not changes or not self._lead(now):
            # somebody else leads: look again when its lease may have run out
            self._next_try = time.monotonic() + LEASE_SECONDS / 3 if changes else self._next_try
            return False
        return self._project(changes, memories) and len(changes) == BATCH

    def _lead(self, now: float) -> bool:
        if self._token is not None and time.monotonic() < self._renew_at:
            return True
        with self._database.write(quiet=True) as connection:
            self._token = leases.acquire(connection, LEASE, self._owner, now, LEASE_SECONDS)
        self._renew_at = time.monotonic() + LEASE_SECONDS / 2
        return self._token is not None

    def _project(self, changes: list[Change], memories: dict[str, Memory]) -> bool:
        latest: dict[str, Change] = {change.memory_id: change for change in changes}
        try:
            if self._meaning.space.enabled:
                self._meaning.project([(c, memories.get(c.memory_id)) for c in latest.values()])
                self._compact_at = time.monotonic() + IDLE_COMPACTION_SECONDS
        except IndexDamaged as error:
            log.warning("the vector index is damaged and is built anew: %s", error)
            self._meaning.recover()
            self._fail(changes, error)
            return False
        except IndexUnavailable as error:
            self._on_error(error)
            self._fail(changes, error)
            return False
        except Exception as error:  # one odd memory must not stop all others
            log.exception("a batch of the outbox failed")
            return self._one_by_one(changes, memories, error)
        self._settle(changes, memories)
        return True

    def _one_by_one(self, changes: list[Change], memories: dict[str, Memory], error: Exception) -> bool:
        if len(changes) == 1:
            self._fail(changes, error)
            return True
        for change in changes:
            self._project([change], memories)
        return True

    def _settle(self, changes: list[Change], memories: dict[str, Memory]) -> None:
        now = datetime.now(UTC)
        facts = sorted({change.memory_id for change in changes if change.memory_type == "fact"})
        with self._database.write(quiet=True) as connection:
            if self._token is None or not leases.holds(connection, LEASE, self._owner, self._token):
                # who leads now may have removed what this batch, read before, has just put back
                again = {(change.memory_type, change.memory_id) for change in changes}
                outbox.enqueue(connection, sorted(again), now.timestamp())
                self._token = None
                return
            outbox.settle(connection, [change.seq for change in changes])
            promote(connection, facts, self._single_valued, rfc3339(now))
            if not self._meaning.space.enabled and meta.get(connection, SPACE) != "none":
                # vectors were not made: whoever switches them on again has to make them all
                meta.put(connection, SPACE, "none")
            if changes[-1].seq % 1000 < len(changes):
                outbox.trim(connection)

    def _fail(self, changes: list[Change], error: Exception) -> None:
        now = time.time()
        text = f"{type(error).__name__}: {error}"[:500]
        with self._database.write(quiet=True) as connection:
            for change in changes:
                retry_at = next_attempt(change.attempts + 1, now)
                if retry_at is None:
                    outbox.park(connection, change.seq, text)
                else:
                    outbox.postpone(connection, change.seq, retry_at, text)

    def _compact_when_idle(self) -> None:
        if self._compact_at is None or time.monotonic() < self._compact_at or self._stop.is_set():
            return
        self._compact_at = None
        try:
            self._meaning.space.compact()
        except IndexDamaged as error:
            log.warning("the vector index is damaged and is built anew: %s", error)
            self._meaning.recover()
            self.wake()
        except IndexUnavailable as error:
            log.info("the vector index was not compacted: %s", error)
