"""`memory-server knowledge`: notes from a shell, with the options of `ai-devkit memory`."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from memory_server.cli.options import Db, Home, opened
from memory_server.cli.printing import print_json, print_table
from memory_server.domain.errors import MemoryServerError
from memory_server.policies.knowledge import kept_tags
from memory_server.policies.knowledge_search import QUERY_LENGTHS, tokens

if TYPE_CHECKING:
    from memory_server.app import MemoryApp
    from memory_server.tools.tool import Tool

_ID_SHOWN, _TITLE_SHOWN = 8, 60
_MOST_LISTED = 1_000
_FAR_OFF = 2**63 - 1  # what SQLite takes

Title = Annotated[str | None, typer.Option("--title", "-t", help="10 to 100 characters.", show_default=False)]
Content = Annotated[
    str | None,
    typer.Option("--content", "-c", help="50 to 5000 characters of markdown.", show_default=False),
]
Tags = Annotated[str | None, typer.Option("--tags", help="Separated by commas.", show_default=False)]
Scope = Annotated[
    str | None,
    typer.Option("--scope", "-s", help="global, project:<name> or repo:<name>.", show_default=False),
]
Limit = Annotated[str | None, typer.Option("--limit", "-l", help="At most so many.", show_default=False)]
AsTable = Annotated[bool, typer.Option("--table", help="A table in place of JSON.", show_default=False)]
Order = Literal["updated-desc", "created-desc", "title-asc"]

commands = typer.Typer(add_completion=False, rich_markup_mode=None, help="Notes to act on.")


def knowledge(context: typer.Context) -> None:
    """Store, search, update and list notes to act on.

    Its commands are shown by knowledge --help.
    """
    group = typer.main.get_command(commands)
    code = group.main(context.args or ["--help"], prog_name="memory-server knowledge", standalone_mode=False)
    raise typer.Exit(code if isinstance(code, int) else 0)


@commands.command()
def store(
    title: Annotated[str, typer.Option("--title", "-t", help="10 to 100 characters.", show_default=False)],
    content: Annotated[
        str, typer.Option("--content", "-c", help="50 to 5000 characters of markdown.", show_default=False)
    ],
    tags: Tags = None,
    scope: Scope = None,
    home: Home = None,
    db: Db = None,
) -> None:
    """Store a note."""
    from memory_server.tools.knowledge import STORE_KNOWLEDGE

    with _opened(home, db) as app:
        given = {"title": title, "content": content, "tags": _tags(tags), "scope": scope}
        print_json(_answer(app, STORE_KNOWLEDGE, "store", given))


@commands.command()
def search(
    query: Annotated[str, typer.Option("--query", "-q", help="3 to 500 characters.", show_default=False)],
    tags: Tags = None,
    scope: Scope = None,
    limit: Limit = None,
    table: AsTable = False,
    home: Home = None,
    db: Db = None,
) -> None:
    """Find notes; tags lift what carries them."""
    from memory_server.tools.knowledge import SEARCH_KNOWLEDGE

    with _opened(home, db) as app:
        given = {"query": query, "contextTags": _tags(tags), "scope": scope, "limit": _number(limit)}
        answer = _answer(app, SEARCH_KNOWLEDGE, "search", given)
    if not table:
        print_json(answer)
    elif answer["results"]:
        _print_table(answer["results"])
    else:
        print(f'no notes found for "{query}"')


@commands.command()
def update(
    id: Annotated[str, typer.Option("--id", help="The whole id of the note.", show_default=False)],
    title: Title = None,
    content: Content = None,
    tags: Tags = None,
    scope: Scope = None,
    home: Home = None,
    db: Db = None,
) -> None:
    """Change a note; what is not given stays."""
    from memory_server.tools.knowledge import UPDATE_KNOWLEDGE

    with _opened(home, db) as app:
        given = {"id": id, "title": title, "content": content, "tags": _tags(tags), "scope": scope}
        print_json(_answer(app, UPDATE_KNOWLEDGE, "update", given))


@commands.command("list")
def list_(
    query: Annotated[
        str, typer.Option("--query", "-q", help="Only notes with all of its words.", show_default=False)
    ] = "",
    tags: Annotated[
        str | None,
        typer.Option("--tags", help="Only notes with all of them; separated by commas.", show_default=False),
    ] = None,
    scope: Annotated[
        str | None,
        typer.Option("--scope", "-s", help="Only notes of just this scope; all for all.", show_default=False),
    ] = None,
    limit: Annotated[int, typer.Option("--limit", "-l", min=1, help="At most so many.")] = 50,
    offset: Annotated[int, typer.Option("--offset", min=0, help="Leave out the first ones.")] = 0,
    sort: Annotated[Order, typer.Option("--sort", help="Which come first.")] = "updated-desc",
    table: AsTable = False,
    home: Home = None,
    db: Db = None,
) -> None:
    """List notes, those changed last first."""
    from memory_server.services.knowledge import list_knowledge
    from memory_server.tools.scoping import read_scopes

    if len(query) > QUERY_LENGTHS[1]:
        raise typer.BadParameter(f"--query takes at most {QUERY_LENGTHS[1]} characters")
    with _opened(home, db) as app:
        seen = read_scopes(app.settings, scope or None)
        page = list_knowledge(
            app,
            tokens=tokens(query),
            tags=kept_tags(_tags(tags) or ()),
            # a scope that is named is asked for alone, as in the command that this one stands in for
            scopes=seen[:1] if scope and seen else seen,
            order=sort,
            limit=min(limit, _MOST_LISTED),
            offset=min(offset, _FAR_OFF),
        )
    items = [
        {
            "id": note.id,
            "title": note.title,
            "content": note.content,
            "tags": list(note.tags),
            "scope": note.scope,
            "createdAt": note.created_at,
            "updatedAt": note.updated_at,
        }
        for note in page.notes
    ]
    if table:
        _print_table(items)
    else:
        print_json({"items": items, "total": page.total})


@contextmanager
def _opened(home: Any, db: Any) -> Iterator[MemoryApp]:
    from memory_server.services.transfer_ai_devkit import move_in_once
    from memory_server.settings import ai_devkit_memory_there

    with opened(home, db) as app:
        path = ai_devkit_memory_there()
        if path is not None:
            app.move_in = move_in_once(app, path)
            app.move_in()
        yield app


def _answer(app: MemoryApp, tool: Tool, verb: str, given: dict[str, Any]) -> dict[str, Any]:
    """What the tool answers to what was given; an empty option is one that was not.

    Raises:
        MemoryServerError: with what the tool has to complain of.
    """
    from memory_server.tools.calls import call_tool

    reply = call_tool(app, tool, {name: value for name, value in given.items() if value not in (None, "")})
    if reply.is_error:
        raise MemoryServerError(f"cannot {verb} knowledge: {json.loads(reply.text)['message']}")
    return reply.structured or {}


def _tags(text: str | None) -> list[str] | None:
    return [tag.strip() for tag in text.split(",")] if text else None


def _number(text: str | None) -> float | str | None:
    """A number, or the text itself, of which the tool says that it is none."""
    try:
        return text and float(text)
    except ValueError:
        return text


def _print_table(notes: list[dict[str, Any]]) -> None:
    print_table(
        ("id", "title", "scope"),
        [(note["id"][:_ID_SHOWN], _cut(note["title"]), note["scope"]) for note in notes],
    )


def _cut(title: str) -> str:
    return title if len(title) <= _TITLE_SHOWN else title[: _TITLE_SHOWN - 3] + "..."
