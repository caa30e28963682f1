"""Makes sure, before the first use, that the file is a database of ours in the version that this code speaks."""

from __future__ import annotations

import os
import random
import re
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from memory_server.domain.errors import StorageUnavailable

HEAD = "0001"  # the newest migration; a test holds it against the migrations themselves
ESSENTIAL = frozenset({"facts", "receipts"})  # without these a file is not completed but refused
_MAGIC = b"SQLite format 3\x00"
_FTS_SHADOW = re.compile(r"_fts_(data|idx|content|docsize|config)$")
KINDS = ("facts", "decisions", "skills", "beliefs", "episodes", "knowledge")


def check_before_use(path: Path) -> bool:
    """Whether the database has still to be made; for that case makes sure that it can be.

    Making it costs half a second of CPU, so the server puts it off until after it has introduced itself to its client.

    Raises:
        StorageUnavailable: the file cannot be created, or is no database.
    """
    if path.exists() and path.stat().st_size > 0:
        _check_header(path)
        return False
    _create(path)
    return True


def prepare_database(path: Path) -> list[str]:
    """Creates, checks, completes or migrates the database file; tells in words what was done.

    Raises:
        StorageUnavailable: it is no database, is damaged, is newer than this program, is not ours, or cannot be
            written. The file is left as it was.
    """
    fresh = not path.exists() or path.stat().st_size == 0
    if not fresh:
        _check_header(path)
    try:
        if fresh:
            _create(path)
        with closing(_connect(path)) as connection:
            _log_ahead(connection)
            version, names = _look(connection)
        done = []
        if version != HEAD or fresh:
            done += _bring_to_head(path, version, names)
        with closing(_connect(path)) as connection:
            version, names = _look(connection)
            missing = set(manifest()) - names if _incomplete(names) else set()
            if missing:
                done += _complete(connection, missing)
            done += _rebuild_full_text(connection)
        return done
    except sqlite3.Error as error:
        raise _refusal(path, error) from error


def _check_header(path: Path) -> None:
    try:
        with path.open("rb") as file:
            start = file.read(16)
    except OSError as error:
        raise StorageUnavailable(f"the database {path} cannot be read: {error.strerror}") from error
    if start != _MAGIC:
        raise StorageUnavailable(
            f"{path} is damaged or not a database (its header is not SQLite's). The file was left as it is: "
            f"move it aside or restore a backup, then start again"
        )


def _create(path: Path) -> None:
    try:
        # owner-only from the start; SQLite gives its side files the same mode
        os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o600))
    except OSError as error:
        raise StorageUnavailable(f"the database {path} cannot be created: {error.strerror}") from error


def _connect(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(path, isolation_level=None, timeout=30)


def _log_ahead(connection: sqlite3.Connection, patience: float = 30.0) -> None:
    """Switches to the write-ahead log; SQLite does not wait there when another first start does the same."""
    deadline = time.monotonic() + patience
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() > deadline:
                raise
            time.sleep(random.uniform(0.002, 0.02))


def _look(connection: sqlite3.Connection) -> tuple[str | None, set[str]]:
    names = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE name IS NOT NULL")}
    if "alembic_version" not in names:
        return None, names
    row = connection.execute("SELECT version_num FROM alembic_version").fetchone()
    return (row[0] if row else None), names


def _incomplete(names: set[str]) -> bool:
    return not expected_names() <= names


def is_ours(connection: sqlite3.Connection) -> bool:
    """Whether an open database has this version's schema, whole."""
    version, names = _look(connection)
    return version == HEAD and expected_names() <= names


def expected_names() -> frozenset[str]:
    """Names that every database of this version has; checked at each start, so spelled out rather than derived."""
    side = {
        "memory_sources",
        "receipts",
        "lifecycle_events",
        "belief_evidence",
        "belief_topics",
        "outbox",
        "leases",
        "meta",
        "facts_current",
        "receipts_unchanged",
        "receipts_kept",
    }
    parts = ("text", "fts", "fts_insert", "fts_delete", "fts_update")
    full_text = {f"{kind}_{part}" for kind in KINDS for part in parts}
    return frozenset({*KINDS, *side, *full_text, *(f"words_of_{kind}" for kind in KINDS)})


def _bring_to_head(path: Path, version: str | None, names: set[str]) -> list[str]:
    tables = {name for name in names if not name.startswith("sqlite_") and name != "alembic_version"}
    if version is None and tables:
        if expected_names() <= names:
            with closing(_connect(path)) as connection:
                _stamp(connection)
            return ["stamped a schema that was right but carried no version"]
        raise StorageUnavailable(
            f"{path} is a database with other tables ({', '.join(sorted(tables)[:5])}…) and no version of ours: "
            f"name another file or directory"
        )
    if version is not None and version > HEAD:
        raise StorageUnavailable(
            f"the schema version {version} of {path} is newer than this program's ({HEAD}): upgrade memory-server"
        )
    if version is not None and version not in known_versions():
        raise StorageUnavailable(
            f"{path} says that its schema is {version!r}, which no version of this program made. The file was left "
            f"as it is: restore a backup, or name another file or directory"
        )
    if version is not None and tables:
        backup = _back_up(path, version)
        migrate(path)
        return [f"migrated the schema from {version} to {HEAD}; the database as it was is in {backup}"]
    migrate(path)
    return ["created the database"]


def _stamp(connection: sqlite3.Connection) -> None:
    connection.execute("BEGIN IMMEDIATE")
    connection.execute(
        "CREATE TABLE IF NOT EXISTS alembic_version (version_num VARCHAR(32) NOT NULL PRIMARY KEY)"
    )
    connection.execute("DELETE FROM alembic_version")
    connection.execute("INSERT INTO alembic_version VALUES (?)", (HEAD,))
    connection.execute("COMMIT")


def _back_up(path: Path, version: str) -> Path:
    folder = path.parent / "backups"
    folder.mkdir(mode=0o700, exist_ok=True)
    target = folder / f"{path.stem}-{version}-{time.strftime('%Y%m%dT%H%M%S')}.db"
    with closing(_connect(path)) as source, closing(_connect(target)) as copy:
        source.backup(copy)
    target.chmod(0o600)
    return target


def migrations_folder() -> Path:
    """Where the migrations lie: inside the installed package, else beside the checkout.

    Raises:
        StorageUnavailable: neither is there.
    """
    package = Path(__file__).parent.parent
    for folder in (package / "migrations", package.parent.parent / "migrations"):
        if (folder / "env.py").is_file():
            return folder
    raise StorageUnavailable("the migrations are missing from this installation: install memory-server again")


def known_versions() -> frozenset[str]:
    """The versions that the migrations lead to."""
    return frozenset(
        file.name.partition("_")[0] for file in (migrations_folder() / "versions").glob("[0-9]*.py")
    )


def migrate(path: Path, revision: str = "head") -> None:
    """Applies the migrations up to `revision`; several processes may do so at once.

    Raises:
        StorageUnavailable: the file cannot be written.
    """
    from alembic import command
    from alembic.config import Config
    from sqlalchemy import URL, create_engine, event
    from sqlalchemy.exc import DBAPIError

    config = Config()
    config.set_main_option("script_location", str(migrations_folder()).replace("%", "%%"))
    engine = create_engine(URL.create("sqlite", database=str(path)), connect_args={"timeout": 60})

    @event.listens_for(engine, "connect")
    def _connect_plainly(connection: sqlite3.Connection, _record: object) -> None:
        connection.isolation_level = None

    @event.listens_for(engine, "begin")
    def _begin(connection: object) -> None:
        connection.exec_driver_sql("BEGIN IMMEDIATE")  # type: ignore[attr-defined]

    try:
        with engine.begin() as connection:
            config.attributes["connection"] = connection
            command.upgrade(config, revision)
    except DBAPIError as error:
        original = error.orig if isinstance(error.orig, sqlite3.Error) else sqlite3.Error(str(error))
        raise _refusal(path, original) from error
    finally:
        engine.dispose()


def manifest() -> dict[str, str]:
    """Every object of a database at head and the statement that makes it, read off a fresh one."""
    with _fresh_copy() as connection:
        rows = connection.execute(
            "SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL AND name <> 'alembic_version' ORDER BY rowid"
        ).fetchall()
    return {
        name: sql for name, sql in rows if not _FTS_SHADOW.search(name) and not name.startswith("sqlite_")
    }


@contextmanager
def _fresh_copy() -> Iterator[sqlite3.Connection]:
    from tempfile import TemporaryDirectory

    with TemporaryDirectory() as folder:
        path = Path(folder) / "fresh.db"
        _create(path)
        migrate(path)
        with closing(_connect(path)) as connection:
            yield connection


def _complete(connection: sqlite3.Connection, missing: set[str]) -> list[str]:
    lost = sorted(missing & ESSENTIAL)
    if lost:
        raise StorageUnavailable(
            f"the database lacks the table {lost[0]}, which holds memories: restore a backup; nothing was changed"
        )
    statements = manifest()
    connection.execute("BEGIN IMMEDIATE")
    try:
        _, names = _look(connection)
        # a dropped table takes its triggers with it, and a view may be left that names it: order is the manifest's
        made = [name for name in statements if name in missing and name not in names]
        for name in made:
            connection.execute(statements[name])
        for name in made:
            if name.endswith("_fts"):
                connection.execute(f'INSERT INTO "{name}" ("{name}") VALUES (\'rebuild\')')
        connection.execute("COMMIT")
    except sqlite3.Error:
        connection.execute("ROLLBACK")
        raise
    return [f"completed the schema: {', '.join(made)}"] if made else []


def _rebuild_full_text(connection: sqlite3.Connection) -> list[str]:
    rebuilt = []
    for kind in KINDS:
        damaged = not _reads_back(connection, kind)
        (indexed,) = connection.execute(f"SELECT count(*) FROM {kind}_fts_docsize").fetchone()
        (hidden,) = connection.execute(
            f"SELECT count(*) FROM {kind} WHERE lifecycle_state IN ('archived','forgotten')"
        ).fetchone()
        (rows,) = connection.execute(f"SELECT count(*) FROM {kind}").fetchone()
        if damaged or indexed != rows - hidden:
            connection.execute(f"INSERT INTO {kind}_fts ({kind}_fts) VALUES ('rebuild')")
            rebuilt.append(
                f"rebuilt the full-text index of {kind} "
                + ("(damaged)" if damaged else f"({indexed} entries for {rows - hidden} rows)")
            )
    return rebuilt


def _reads_back(connection: sqlite3.Connection, kind: str) -> bool:
    """A first look at an index, in constant time; all of it is read by an audit."""
    try:
        connection.execute(f"SELECT term FROM words_of_{kind} LIMIT 1").fetchall()
    except sqlite3.DatabaseError as error:
        if error.sqlite_errorname != "SQLITE_CORRUPT_VTAB":
            raise
        return False
    return True


def _refusal(path: Path, error: sqlite3.Error) -> StorageUnavailable:
    text = str(error)
    if isinstance(error, sqlite3.OperationalError) and ("readonly" in text or "read-only" in text):
        return StorageUnavailable(
            f"the database {path} is read-only: check its permissions and its directory's"
        )
    if "unable to open" in text:
        return StorageUnavailable(
            f"unable to open the database {path}: check that its directory exists and is writable"
        )
    if "full" in text or "I/O" in text:
        return StorageUnavailable(f"the database {path} cannot be written ({text}): is the disk full?")
    if isinstance(error, sqlite3.OperationalError) and "locked" in text:
        return StorageUnavailable(f"the database {path} is locked by another process: try again")
    return StorageUnavailable(
        f"the database {path} is damaged ({text}). The file was left as it is: restore a backup, or move it aside "
        f"and start again"
    )
