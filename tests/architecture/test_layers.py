"""What may know what: the layers, and the one reader of the environment."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCES = ROOT / "src" / "memory_server"


def test_imports_go_down_only() -> None:
    pytest.importorskip("importlinter")
    command = Path(sys.executable).with_name("lint-imports")
    done = subprocess.run([command, "--no-cache"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-2000:]


def environment_reads(source: str) -> list[int]:
    """The lines that read the process's environment; telling a library something is no reading."""
    tree = ast.parse(source)
    told = {
        id(node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and node.attr in ("setdefault", "update")
    }
    return [
        node.lineno
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute)
        and node.attr in ("environ", "environb", "getenv")
        and isinstance(node.value, ast.Name)
        and node.value.id == "os"
        and id(node) not in told
    ]


@pytest.mark.parametrize(
    ("source", "lines"),
    [
        ("import os\nos.environ['A']", [2]),
        ("import os\nx = os.getenv('A')", [2]),
        ("import os\nos.environ.setdefault('A', '1')", []),
        ("import os\nos.environ.update(A='1')", []),
        ("def f():\n  import os\n  return {**os.environ}", [3]),
    ],
)
def test_reading_the_environment_is_noticed(source: str, lines: list[int]) -> None:
    assert environment_reads(source) == lines


def test_only_the_settings_read_the_environment() -> None:
    readers = {
        str(path.relative_to(SOURCES))
        for path in SOURCES.rglob("*.py")
        # a benchmark hands its environment on to the servers that it starts
        if "benchmarks" not in path.parts and environment_reads(path.read_text(encoding="utf-8"))
    }
    assert readers == {"settings.py"}


def test_each_module_opens_with_a_sentence() -> None:
    silent = [
        str(path.relative_to(SOURCES))
        for path in SOURCES.rglob("*.py")
        if (source := path.read_text(encoding="utf-8")).strip() and not ast.get_docstring(ast.parse(source))
    ]
    assert silent == []
