"""What a server loads before it has introduced itself: nothing heavy."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

HEAVY = (
    "lancedb",
    "pyarrow",
    "onnxruntime",
    "tokenizers",
    "numpy",
    "alembic",
    "git",
    "rich",
    "typer",
    "opentelemetry.sdk",
    "qdrant_client",
    "sentence_transformers",
    "torch",
)

SERVING = """
import asyncio, json, sys
import memory_server.__main__, memory_server.serving
from memory_server.app import open_app
from memory_server.server import build_server
from memory_server.settings import load_settings

with open_app(load_settings(home=sys.argv[1])) as app:
    listed = asyncio.run(build_server(app).list_tools())
    print(json.dumps([[tool.name for tool in listed], sorted(sys.modules)]))
"""


def loaded_by(script: str, *arguments: str) -> tuple[list[str], list[str]]:
    done = subprocess.run(
        [sys.executable, "-c", script, *arguments], capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == 0, done.stderr
    first, modules = json.loads(done.stdout)
    return first, modules


def heavy_among(modules: list[str]) -> list[str]:
    return [name for name in modules if name in HEAVY]


@pytest.mark.parametrize("state", ["fresh", "filled"])
def test_a_server_lists_its_tools_without_loading_anything_heavy(
    state: str, tmp_path: Path, home: Path
) -> None:
    tools, modules = loaded_by(SERVING, str(home if state == "filled" else tmp_path / "new"))
    assert "remember" in tools
    assert heavy_among(modules) == []


@pytest.mark.parametrize("command", ["search", "remember", "status", "config"])
def test_a_quick_command_loads_no_model_and_no_vectors(command: str, home: Path) -> None:
    words = {"search": ["a"], "remember": ["a", "is", "b"]}.get(command, [])
    script = (
        "import contextlib, io, json, sys\n"
        "from memory_server.cli import app\n"
        "with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):\n"
        "    app(sys.argv[1:])\n"
        "print(json.dumps([[], sorted(sys.modules)]))\n"
    )
    _, modules = loaded_by(script, command, *words, "--home", str(home))
    assert set(heavy_among(modules)) <= {"typer"}
