"""`memory-server config`: every setting, its value and where that came from."""

from __future__ import annotations

import json
from typing import Any

from memory_server.cli.options import AsJson, Db, Home, given_settings
from memory_server.cli.printing import for_people, print_json, print_table

_SECRET = ("_key", "_token")


def config(home: Home = None, db: Db = None, as_json: AsJson = False) -> None:
    """Show each setting, its value and its origin."""
    from memory_server.settings import OTHER_NAMES, PREFIX, read_settings

    settings, origins = read_settings(given_settings(home, db))
    found = [
        {
            "name": name,
            "value": _shown(name, value),
            "origin": origins.get(name, "default"),
            "variable": OTHER_NAMES.get(name, PREFIX + name.upper()),
            "description": type(settings).model_fields[name].description,
        }
        for name, value in settings.model_dump(mode="json").items()
    ]
    if as_json:
        print_json({"settings": found, "file": str(settings.home / "config.toml")})
        return
    names = (
        ("name", "text", "origin") if for_people() else ("name", "text", "origin", "variable", "description")
    )
    rows = [[(one | {"text": _text(one["value"])})[name] for name in names] for one in found]
    print_table(
        ("setting", "value", "from"), rows, title=f"Settings; the file is {settings.home / 'config.toml'}"
    )


def _shown(name: str, value: Any) -> Any:
    return "(set)" if value and name.endswith(_SECRET) else value


def _text(value: Any) -> str:
    if value is None or value in ([], {}):
        return "-"
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
