"""What the documents say is there, is there; what is there, they say."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
import typer

from memory_server.cli.commands import COMMANDS, loaded
from memory_server.settings import OTHER_NAMES, PREFIX, Settings
from memory_server.tools.reference import reference
from memory_server.tools.table import TOOLS

ROOT = Path(__file__).parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
TARGETS = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))


def text_of(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def code_blocks(language: str) -> list[Any]:
    return [
        pytest.param(found.group(1), id=f"{page.name}-{found.start()}")
        for page in PAGES
        for found in re.finditer(rf"```{language}\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)
    ]


def test_the_reference_of_tools_is_fresh() -> None:
    assert text_of("docs/tools.md") == reference(), "run `make docs`"


@pytest.mark.parametrize("name", [tool.name for tool in TOOLS if tool.toolset == "core"])
def test_the_readme_names_each_core_tool(name: str) -> None:
    assert f"`{name}`" in text_of("README.md")


@pytest.mark.parametrize("name", [entry.name for entry in COMMANDS])
def test_the_usage_has_a_section_for_each_command(name: str) -> None:
    assert re.search(rf"^## (.*, )?{name}\b", text_of("docs/usage.md"), re.MULTILINE)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_make_targets_that_a_page_names_exist(page: Path) -> None:
    named = re.findall(r"(?:^|`)make ([a-z-]+)", page.read_text(encoding="utf-8"), re.MULTILINE)
    assert set(named) <= TARGETS


@pytest.mark.parametrize("file", [".github/workflows/ci.yml", ".ci/run"])
def test_make_targets_that_ci_runs_exist(file: str) -> None:
    if not (ROOT / file).exists():
        pytest.skip("a source distribution has no CI")
    named = re.findall(r"make ([a-z-]+)", text_of(file).split("jobs:")[-1])
    assert named
    assert set(named) <= TARGETS | {"targets"}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
        if "://" not in target:
            assert (page.parent / target).exists(), target


@pytest.mark.parametrize("block", code_blocks("json"))
def test_json_that_a_page_shows_is_json(block: str) -> None:
    json.loads(block)


@pytest.mark.parametrize("block", code_blocks("toml"))
def test_toml_that_a_page_shows_is_toml(block: str) -> None:
    tomllib.loads(block)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_settings_that_a_page_names_exist(page: Path) -> None:
    known = {OTHER_NAMES.get(name, PREFIX + name.upper()) for name in Settings.model_fields}
    text = page.read_text(encoding="utf-8")
    named = set(re.findall(r"\b(?:MEMORY_SERVER|MEMORY_VECTOR)_[A-Z_]+\b", text))
    assert named <= known


@pytest.mark.parametrize("entry", COMMANDS, ids=lambda entry: entry.name)
def test_each_command_can_be_loaded_and_says_what_it_does(entry: object) -> None:
    command = loaded(entry)  # type: ignore[arg-type]
    assert command.help
    assert len(command.get_short_help_str(60)) <= 60
    assert not command.get_short_help_str(60).endswith("...")


def test_the_command_line_is_a_typer_app() -> None:
    from memory_server.cli import app

    assert isinstance(app, typer.Typer)
