"""What is left outside the data directory, and told to anybody else: nothing."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

WORKING = """
import sys
from memory_server.app import open_app
from memory_server.services.remember import Statement, remember
from memory_server.services.semantic_search import nearest
from memory_server.settings import load_settings

with open_app(load_settings(home=sys.argv[1])) as app:
    remember(app, Statement("Grebe", "nests_on", "the upper lake"))
    app.worker.stop(10)
    app.meaning.load()
    assert nearest(app, "where do the birds breed?", 3, 0.0)[0]
"""

# under these the runtime of the model tells nobody anything by itself, which would hide a leak from this test
SILENCERS = ("CI", "GITHUB_ACTIONS", "TF_BUILD", "ORT_DISABLE_TELEMETRY", "ORT_RUNNING_UNIT_TESTS")


def test_a_session_leaves_nothing_outside_of_its_data_directory(tmp_path: Path) -> None:
    places = {name: tmp_path / name for name in ("home", "cwd", "tmp")}
    for place in places.values():
        place.mkdir()
    environment = {name: value for name, value in os.environ.items() if name not in SILENCERS}
    environment |= {"HOME": str(places["home"]), "TMPDIR": str(places["tmp"]), "PYTHONDONTWRITEBYTECODE": "1"}
    environment = {name: value for name, value in environment.items() if not name.startswith("XDG_")}
    done = subprocess.run(
        [sys.executable, "-c", WORKING, str(tmp_path / "data")],
        cwd=places["cwd"],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    assert [path.name for place in places.values() for path in place.rglob("*")] == []
    assert (tmp_path / "data" / "vectors").is_dir()


@pytest.mark.skipif(sys.platform == "win32", reason="modes are not kept there")
def test_what_is_in_the_data_directory_is_the_owners_alone(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir(mode=0o755)
    done = subprocess.run(
        [sys.executable, "-c", WORKING, str(tmp_path / "data")],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    open_to_others = [
        str(path.relative_to(tmp_path))
        for path in (tmp_path / "data").iterdir()
        if path.stat().st_mode & 0o077
    ]
    assert open_to_others == []


def test_the_model_runs_without_a_socket(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_arguments: object, **_options: object) -> None:
        raise AssertionError("a socket was asked for")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    from memory_server.indexes.embedding import make_embedder

    model = make_embedder("onnx")
    assert model is not None
    assert model.embed(["a word"]).shape == (1, 384)
    assert os.environ["ORT_DISABLE_TELEMETRY"] == "1"
