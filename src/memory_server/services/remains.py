"""What files still hold of memories that were forgotten, and how it is taken out of them."""

from __future__ import annotations

import time

from memory_server.services.parts import Parts
from memory_server.storage import erasure, rows

REWRITTEN_AT_ONCE = 16_000_000  # bytes of database up to which one forgotten memory rewrites it (150 ms)
_AGAIN_SECONDS = 0.05

_OTHER_GRAPHS = "graphs of other processes follow with their next call"
_EXPORTS = "exports and backups kept elsewhere"


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


def not_covered(parts: Parts) -> list[str]:
    """What may hold it and nobody can look at from here."""
    folder = parts.settings.home / "backups"
    kept = len([path for path in folder.iterdir() if path.is_file()]) if folder.is_dir() else 0
    backups = [f"{kept} files in {folder} were made before and may hold it"] if kept else []
    vectors = parts.meaning.space.vectors_path
    damaged = [f"{path} was set aside" for path in sorted(vectors.parent.glob(f"{vectors.name}.damaged-*"))]
    return [*backups, *damaged, _EXPORTS, _OTHER_GRAPHS]
