"""`memory-server reflect`: looks at all beliefs at once, from the shell."""

from __future__ import annotations

import json
from typing import Any

from memory_server.cli.calls import command_of
from memory_server.cli.printing import print_pairs, print_table
from memory_server.tools.reflect import REFLECT


def show_reflection(answer: dict[str, Any]) -> None:
    """Prints figures as pairs, and each list of items as a table."""
    lists = {name: value for name, value in answer.items() if isinstance(value, list) and value}
    print_pairs(
        "reflect",
        [
            (name, value if isinstance(value, str | int | float) else json.dumps(value))
            for name, value in answer.items()
            if name not in lists and value not in (None, [], "")
        ],
    )
    for items in lists.values():
        columns = list(items[0])
        print_table(columns, [[str(item.get(column, "")) for column in columns] for item in items])


reflect = command_of(REFLECT, show_reflection, "Look at all beliefs at once, in one of several modes.")
