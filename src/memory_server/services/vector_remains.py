"""What the vector index still holds of memories that were forgotten: waited for, then looked for by id."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from memory_server.indexes.space import SPACE
from memory_server.indexes.token_store import TokenStore
from memory_server.indexes.token_vectors import KIND
from memory_server.services.parts import Parts
from memory_server.storage import meta, traces

_LOOK_AGAIN_SECONDS = 0.02
_FETCHED = 1000  # memories that are asked for at once


def wait_for_vectors(
    parts: Parts, ids: Sequence[str], drain: Callable[[], None] | None, seconds: float
) -> tuple[int, str | None]:
    """Waits until the vector index has learned of these memories; gives how many of their changes it still lacks.

    An error that keeps it from that is not waited for, and given too.

    Args:
        drain: does the worker's work in this thread; without it, a worker that runs somewhere is waited for.
    """
    if not parts.meaning.space.enabled:
        return 0, None
    deadline = time.monotonic() + seconds
    while True:
        if drain is not None:
            drain()
        with parts.database.read() as connection:
            behind, error = traces.unsettled(connection, ids)
        if not behind or error is not None or time.monotonic() > deadline:
            return behind, error
        parts.meaning.wake_worker()
        time.sleep(_LOOK_AGAIN_SECONDS)


def other_spaces(parts: Parts) -> list[str]:
    """The files in which a model that is not used any more has left vectors, by name."""
    space = parts.meaning.space
    if not space.vectors_path.is_dir():
        return []
    own = space.embeddings().embedder.fingerprint if space.loaded else _fingerprint(parts)
    found = sorted(path.name for path in space.vectors_path.iterdir() if path.suffix in (".lance", ".db"))
    return [name for name in found if own not in (name.removesuffix(".lance"), _model_of(name))]


def _model_of(tokens: str) -> str:
    return tokens.removeprefix("tokens-").removesuffix(f"-{KIND}.db")


def _fingerprint(parts: Parts) -> str | None:
    with parts.database.read() as connection:
        return meta.get(connection, SPACE)


def with_vectors(parts: Parts, ids: Sequence[str]) -> set[str]:
    """Those of the memories of which a vector is kept, of the text or of its tokens; loads no model for it.

    Raises:
        indexes.ports.IndexUnavailable: the index cannot be read.
    """
    space = parts.meaning.space
    if space.loaded:
        store = space.store()
        batches = (ids[start : start + _FETCHED] for start in range(0, len(ids), _FETCHED))
        found = {row.memory_id for batch in batches for row in store.fetch(batch)}
        return found | set(space.tokens().fetch(ids))
    found = set(ids) & set(space.held())
    tokens = TokenStore(space.vectors_path, _fingerprint(parts) or "none")
    try:
        return found | set(tokens.fetch(ids))
    finally:
        tokens.close()
