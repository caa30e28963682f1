"""What files still hold of memories that were forgotten, and how it is taken out of them."""

from __future__ import annotations

import time

from memory_server.services.parts import Parts
from memory_server.storage import erasure, rows

REWRITTEN_AT_ONCE = 16_000_000  # bytes of database up to which one forgotten memory rewrites it (150 ms)
_AGAIN_SECONDS = 0.05


def insist(parts: Parts, seconds: float) -> bool:
    """Purges, and tries again for so long where somebody else is at the database. Tells whether nothing is left.

    Raises:
        StorageUnavailable: the database cannot be written.
    """
    deadline = time.monotonic() + seconds
    while not (purge(parts) and parts.database.shorten_log()):
        if time.monotonic() > deadline:
            return False
        time.sleep(_AGAIN_SECONDS)
    return True


def purge(parts: Parts) -> bool:
    """Takes the words of what was forgotten out of the full-text indexes and out of unused parts of the file.

    Whoever was to do so and died is made up for. Tells whether nothing is left.

    Raises:
        StorageUnavailable: the database cannot be written.
    """
    with parts.database.read() as connection:
        mark = erasure.remains(connection)
    if mark is None:
        return True
    for memory_type in rows.TABLES:
        with parts.database.write(quiet=True) as connection:
            erasure.purge_full_text(connection, memory_type)
    done = parts.database.rewrite()
    if done:
        with parts.database.write(quiet=True) as connection:
            erasure.remains_gone(connection, mark)
    parts.database.shorten_log()
    return done
