"""`memory-server skills`: procedures in versions, to be read, compared and rolled back."""

from __future__ import annotations

import sys
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from memory_server.cli.options import AsJson, Db, Home, Scope, opened
from memory_server.cli.printing import print_json, print_table
from memory_server.domain.errors import InvalidArgument

if TYPE_CHECKING:
    from memory_server.domain.skill import Skill


class Action(StrEnum):
    """What to do with skills."""

    LIST = "list"
    SHOW = "show"
    DIFF = "diff"
    ROLLBACK = "rollback"


def skills(
    action: Annotated[Action, typer.Argument(help="list, show, diff or rollback.")] = Action.LIST,
    slug: Annotated[
        str | None, typer.Argument(help="Which skill, as list shows it.", show_default=False)
    ] = None,
    version: Annotated[
        int | None,
        typer.Argument(
            help="show: this version, not the newest. diff: the older one. rollback: to this one.",
            show_default=False,
        ),
    ] = None,
    other: Annotated[int | None, typer.Argument(help="diff: the newer version.", show_default=False)] = None,
    scope: Scope = None,
    home: Home = None,
    db: Db = None,
    as_json: AsJson = False,
) -> None:
    """List, show, compare or roll back skills.

    A rollback writes a new version that says what the old one said; nothing is lost.
    """
    from memory_server.indexes.skill_files import document
    from memory_server.services import skills as use
    from memory_server.tools.scoping import read_scopes

    if action is Action.LIST:
        with opened(home, db) as app:
            _show_list(use.current_skills(app, read_scopes(app.settings, scope)), as_json)
        return
    if slug is None:
        raise InvalidArgument(f"skills {action} needs the name of a skill; `skills list` shows them")
    with opened(home, db) as app:
        scopes = read_scopes(app.settings, scope)
        if action is Action.SHOW:
            skill = use.skill_version(app, slug, version, scopes)
            print_json(_json(skill)) if as_json else print(document(skill), end="")
        elif action is Action.DIFF:
            text = use.skill_diff(app, slug, version, other, scopes)
            if as_json:
                print_json({"slug": slug, "diff": text})
            elif text:
                print(text)
            else:
                print(f"{slug} has one version", file=sys.stderr)
        else:
            if version is None:
                raise InvalidArgument(f"skills rollback needs a version, e.g. skills rollback {slug} 1")
            added = use.roll_back(app, slug, version, scopes)
            if as_json:
                print_json({"receipt": added.receipt.model_dump(mode="json"), "item": _json(added.skill)})
            else:
                print(f"{slug} is now version {added.skill.version}, which says what version {version} said")


def _show_list(found: list[Skill], as_json: bool) -> None:
    if as_json:
        print_json([_json(skill) for skill in found])
    elif found:
        rows = [
            (skill.slug, skill.version, skill.purpose, skill.source, skill.created_at[:10], skill.scope)
            for skill in found
        ]
        print_table(("skill", "version", "purpose", "source", "since", "scope"), rows)
    else:
        print("there are no skills yet", file=sys.stderr)


def _json(skill: Skill) -> dict[str, Any]:
    return skill.model_dump(mode="json")
