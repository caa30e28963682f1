"""`memory-server search` and `context`: finding from the shell, and text to hand to a model."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

from memory_server.cli.calls import command_of
from memory_server.cli.printing import for_people, one_line, print_table
from memory_server.policies.text import cut
from memory_server.policies.trust import delimit
from memory_server.tools.context import GET_CONTEXT
from memory_server.tools.recall import SEARCH


def show_found(answer: dict[str, Any]) -> None:
    """Prints found facts as a table, the ids only where a program reads them."""
    facts = answer["results"]
    columns = ["subject", "predicate", "object", "trust", "source", "until"]
    rows = [
        [
            fact["subject"],
            fact["predicate"],
            fact["object"],
            f"{fact['effective_confidence']:.2f}",
            fact["source"],
            fact["valid_to"],
        ]
        for fact in facts
    ]
    if not for_people():
        rows = [[*row, fact["id"]] for row, fact in zip(rows, facts, strict=True)]
    if rows:
        print_table(columns, rows)
    else:
        print("nothing found", file=sys.stderr)
    show_note(answer)
    if answer["has_more"]:
        print("there is more: raise --limit", file=sys.stderr)
    show_explanation(answer["explanation"], {fact["id"]: fact["subject"] for fact in facts})


def show_note(answer: dict[str, Any]) -> None:
    """Tells on stderr of a scope in which nothing is stored."""
    if note := answer.get("scope_note"):
        print(f"note: {note}", file=sys.stderr)


def show_context(answer: dict[str, Any]) -> None:
    """Prints what is known as text for a model: each memory delimited, with its source and trust."""
    if answer["degraded"]:
        print(f"note: {answer['degraded']}", file=sys.stderr)
    show_note(answer)
    if answer["text"] is not None:
        print("\n".join(map(one_line, answer["text"].splitlines())))
    elif not answer["facts"] and not answer["related"]:
        print("nothing found", file=sys.stderr)
    for fact in answer["facts"]:
        text = f"{fact['subject']} {fact['predicate'].replace('_', ' ')} {fact['object']}"
        trust = f"{fact['effective_confidence']:.2f}"
        since = fact["valid_from"] or fact["created_at"]
        print(delimit(one_line(text), source=fact["source"], trust=_trust(trust, since, fact["risk_tags"])))
    for item in answer["related"]:
        trust = _trust("unrated", item["created_at"], item["risk_tags"])
        print(delimit(one_line(item["text"]), source=item["memory_type"], trust=trust))

    if answer["next_cursor"]:
        print(f"there is more: --cursor {answer['next_cursor']}", file=sys.stderr)
    names = {fact["id"]: fact["subject"] for fact in answer["facts"]}
    show_explanation(answer["explanation"], names | {item["id"]: item["text"] for item in answer["related"]})


def show_explanation(explanation: dict[str, Any] | None, names: dict[str, str]) -> None:
    """Prints on stderr what each signal added, and what kept out what was expected."""
    if explanation is None:
        return
    for memory_id, signals in explanation["signals"].items():
        told = "  ".join(f"{name} {_shown(worth)}" for name, worth in signals.items())
        print(f"{memory_id}  {cut(one_line(names.get(memory_id, '')), 40)}\n  {told}", file=sys.stderr)
    expected = explanation["expected"]
    if expected is not None:
        print(f"expected {expected['id']}: {expected['reason']}: {expected['detail']}", file=sys.stderr)


def _shown(worth: Any) -> str:
    return f"{worth:+.2f}" if isinstance(worth, float) else one_line(", ".join(worth) or "none")


def _trust(value: str, since: str, risk_tags: Sequence[str]) -> str:
    return ", ".join([value, f"since {since[:10]}", *(tag.replace("_", " ") for tag in risk_tags)])


search = command_of(SEARCH, show_found, "Find facts by keyword. With a filter the query may be left out.")
context = command_of(GET_CONTEXT, show_context, "Show what bears on a task, as text for a model.")
