"""How the memory is doing: what is stored, how far each index has come, who holds which lease."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field
from sqlalchemy import Connection

from memory_server.indexes.network import IN_GRAPH
from memory_server.indexes.space import SPACE
from memory_server.services.parts import Parts
from memory_server.services.transfer_ai_devkit import taken_over_note
from memory_server.storage import leases, meta, outbox, rows
from memory_server.storage.schema import HEAD


class Status(BaseModel):
    """A look at one data directory; sizes in bytes, times in seconds."""

    model_config = ConfigDict(frozen=True)

    home: str
    database: str
    schema_version: str | None = Field(description="null while there is no database")
    newest_schema: str
    memories: dict[str, dict[str, int]] = Field(description="Kind of memory, then state, then how many")
    outbox: dict[str, int] = Field(description="Changes pending and failed")
    vectors: dict[str, Any] = Field(description="backend, enabled, behind (changes), space")
    graph: dict[str, Any] = Field(description="facts in it, and changes that it lacks")
    model: dict[str, Any] = Field(description="setting, available, loaded, path, fingerprint, problem")
    leases: list[dict[str, Any]] = Field(description="name, owner, seconds_left")
    sizes: dict[str, int] = Field(description="Bytes of each part of the data directory")
    last_errors: list[str]
    notes: list[str]


def take_status(parts: Parts) -> Status:
    """The state of an open memory. Loads no model and no vector store.

    Raises:
        StorageUnavailable: the database cannot be read.
    """
    settings = parts.settings
    with parts.database.read() as connection:
        sizes = outbox.sizes(connection)
        unsettled = sizes["pending"] + sizes["failed"]
        space = meta.get(connection, SPACE)
        counts = {kind: _states(connection, table) for kind, table in rows.TABLES.items()}
        return Status(
            home=str(settings.home),
            database=str(settings.database_path),
            schema_version=connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalar(),
            newest_schema=HEAD,
            memories=counts,
            outbox=sizes,
            vectors={
                "backend": settings.vector_backend,
                "enabled": parts.meaning.space.enabled,
                "behind": unsettled if parts.meaning.space.enabled else None,
                "space": space,
            },
            graph={"facts": _graph_facts(connection), "behind": 0},
            model=_model(parts, space),
            leases=_leases(connection, time.time()),
            sizes=disk_sizes(settings.home, settings.database_path),
            last_errors=[*outbox.errors(connection), *parts.last_errors],
            notes=list(dict.fromkeys((*parts.notes, *taken_over_note(connection)))),
        )


def disk_sizes(home: Path, database: Path) -> dict[str, int]:
    """Bytes on disk of the database with its side files, and of each directory beside it."""
    files = [database, database.with_name(database.name + "-wal"), database.with_name(database.name + "-shm")]
    sizes = {"database": sum(path.stat().st_size for path in files if path.exists())}
    for name in ("vectors", "skills", "logs", "backups"):
        sizes[name] = sum(
            (Path(folder) / file).lstat().st_size
            for folder, _, found in os.walk(home / name)
            for file in found
            if (Path(folder) / file).exists()
        )
    return sizes


def _states(connection: Connection, table: str) -> dict[str, int]:
    found = connection.exec_driver_sql(
        f"SELECT lifecycle_state, count(*) FROM {table} GROUP BY lifecycle_state ORDER BY lifecycle_state"
    )
    return {str(row[0]): int(row[1]) for row in found}


def _graph_facts(connection: Connection) -> int:
    # the graph lives in the memory of each server and catches up inside each call: it is never behind
    return int(connection.exec_driver_sql(f"SELECT count(*) FROM facts WHERE {IN_GRAPH}").scalar_one())


def _model(parts: Parts, space: str | None) -> dict[str, Any]:
    from memory_server.indexes.embedding import packaged_model
    from memory_server.indexes.ports import EmbeddingUnavailable

    setting = parts.settings.embedding
    path, problem = None, None
    if setting in ("", "onnx"):
        try:
            path = str(packaged_model())
        except EmbeddingUnavailable as error:
            problem = str(error)
    elif Path(setting).expanduser().is_dir():
        path = str(Path(setting).expanduser())
    return {
        "setting": setting,
        "available": problem is None and setting != "none",
        "loaded": parts.meaning.space.loaded,
        "path": path,
        "fingerprint": None if space == "none" else space,
        "problem": problem,
    }


def _leases(connection: Connection, now: float) -> list[dict[str, Any]]:
    return [
        {
            "name": lease["name"],
            "owner": lease["owner"],
            "seconds_left": round(float(str(lease["expires_at"])) - now),
        }
        for lease in leases.held(connection, now)
    ]
