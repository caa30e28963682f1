"""`memory-server remember`: one fact from the shell."""

from __future__ import annotations

from typing import Any

from memory_server.cli.calls import command_of
from memory_server.cli.printing import one_line
from memory_server.tools.remember import REMEMBER


def show(answer: dict[str, Any]) -> None:
    """Prints the fact with its id and what the receipt tells of it."""
    fact = answer["fact"]
    print(one_line(f"{fact['subject']} {fact['predicate']} {fact['object']}"))
    print(f"id {fact['id']}, confidence {fact['effective_confidence']}, {fact['lifecycle_state']}")
    for event in answer["receipt"]["history"]:
        print(one_line(event if isinstance(event, str) else event.get("text", event)))


remember = command_of(
    REMEMBER,
    show,
    "Store one fact. An argument that begins with a dash goes after --, e.g. remember -- thermostat reads -3.",
)
