"""What all tests stand on: a migrated database that is copied, an app that is opened on it."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest

from memory_server.app import MemoryApp, open_app
from memory_server.indexes.memory import HashEmbedder, MemoryVectorStore
from memory_server.settings import Settings, load_settings
from memory_server.storage.database import Database
from memory_server.storage.schema import prepare_database

OpenApp = Callable[..., AbstractContextManager[MemoryApp]]


@pytest.fixture(autouse=True)
def plain_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No setting of the person who runs the tests reaches them, and nothing reaches their data."""
    import os

    for name in list(os.environ):
        if name.startswith(("MEMORY_", "OTEL_")):
            monkeypatch.delenv(name)
    monkeypatch.setenv("MEMORY_SERVER_HOME", str(tmp_path / "default-home"))


@pytest.fixture(scope="session")
def database_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database that went through its migrations, once for all tests."""
    path = tmp_path_factory.mktemp("template") / "memory.db"
    prepare_database(path)
    return path


@pytest.fixture
def home(tmp_path: Path, database_template: Path) -> Path:
    """A data directory with an empty database."""
    folder = tmp_path / "home"
    folder.mkdir()
    shutil.copy(database_template, folder / "memory.db")
    return folder


@pytest.fixture
def database(home: Path) -> Iterator[Database]:
    """The real thing, on a copy of the template."""
    opened = Database(home / "memory.db", synchronous="OFF")
    yield opened
    opened.close()


@pytest.fixture
def settings(home: Path) -> Settings:
    return load_settings(home=home)


@pytest.fixture
def open_memory(settings: Settings) -> OpenApp:
    """Opens apps on one data directory, as several processes would: own connections, one shared vector store.

    Nothing happens in the background; `app.worker.drain()` does the worker's work.
    """
    store = MemoryVectorStore()

    @contextmanager
    def open_one(worker: bool = False, given: Settings | None = None) -> Iterator[MemoryApp]:
        with open_app(
            given or settings,
            worker=worker,
            make_embedder=HashEmbedder,
            open_store=lambda _embedder: (store, False),
        ) as app:
            yield app

    return open_one


@pytest.fixture
def app(open_memory: OpenApp) -> Iterator[MemoryApp]:
    """The whole memory with the embedder and the vector store that ship for tests, and no background thread."""
    with open_memory() as opened:
        yield opened
