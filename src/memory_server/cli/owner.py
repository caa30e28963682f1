"""`memory-server forget`, `undo`, `list` and `history`: an owner's tools from the shell."""

from __future__ import annotations

import sys
from typing import Any

from memory_server.cli.calls import command_of
from memory_server.cli.confirmed import confirmed_command
from memory_server.cli.printing import one_line, print_pairs, print_table
from memory_server.tools.curate import HISTORY, LIST_MEMORIES
from memory_server.tools.forget import FORGET, preview_forget
from memory_server.tools.undo import UNDO, preview_undo


def show_forgotten(answer: dict[str, Any]) -> None:
    """Prints what would be forgotten, or what was and where it was looked for."""
    if not answer["total"]:
        print("nothing matches", file=sys.stderr)
    counts = ", ".join(f"{count} {kind}" for kind, count in answer["by_kind"].items())
    for note in answer["notes"]:
        print(f"note: {note}", file=sys.stderr)
    if answer["dry_run"]:
        _show_sample(answer["sample"], ("memory_type", "text", "source", "scope", "created_at"))
        if answer["total"]:
            print(f"would forget {answer['total']}: {counts}; confirm with {answer['confirm']}")
        return
    certificate = answer["certificate"]
    print_table(
        ("looked in", "result", "for", "found", "note"),
        [
            [check[name] for name in ("where", "result", "looked_for", "found", "note")]
            for check in certificate["checks"]
        ],
    )
    for name, told in (
        ("dependent_beliefs", "beliefs rested on them"),
        ("derived", "were learned from them and stay"),
    ):
        if certificate[name]["count"]:
            print(f"note: {certificate[name]['count']} {told}", file=sys.stderr)
    if certificate["still_told_by"]:
        told = ", ".join(certificate["still_told_by"])
        print(f"note: the texts that they were learned from stay: {told}", file=sys.stderr)
    print(f"forgot {answer['total']}: {counts}")


def left_something(answer: dict[str, Any]) -> bool:
    """Whether a look afterwards found some of what was forgotten."""
    checks = (answer["certificate"] or {}).get("checks", [])
    return any(check["result"] == "found" for check in checks)


def show_undone(answer: dict[str, Any]) -> None:
    """Prints what would be taken back, or what was."""
    counts = ", ".join(f"{count} {what}" for what, count in answer["actions"].items())
    if answer["dry_run"]:
        _show_sample(answer["memories"], ("what", "memory_type", "text", "source", "by", "at"))
        if answer["total"]:
            print(f"would undo {answer['total']}: {counts}; confirm with {answer['confirm']}")
    else:
        _show_sample(answer["memories"], ("action", "memory_type", "text", "id"))
        print(f"undid {answer['total']}: {counts}")
    for left in answer["left"]:
        print(one_line(f"note: {left['id']} stays: {left['why']}"), file=sys.stderr)
    if not answer["total"]:
        print("there is nothing to undo", file=sys.stderr)


def show_list(answer: dict[str, Any]) -> None:
    """Prints a page of memories, and how to get the next one."""
    _show_sample(
        answer["memories"],
        ("memory_type", "text", "confidence", "source", "scope", "lifecycle_state", "created_at", "id"),
    )
    if not answer["memories"]:
        print("nothing matches", file=sys.stderr)
    if answer["scope_note"]:
        print(f"note: {answer['scope_note']}", file=sys.stderr)
    if answer["next_cursor"]:
        print(f"there is more: --cursor {answer['next_cursor']}", file=sys.stderr)


def show_history(answer: dict[str, Any]) -> None:
    """Prints the life of a memory: its versions, its receipts, its moves."""
    memory = answer["memory"]
    print_pairs(
        answer["memory_type"],
        [
            (name, memory[name])
            for name in ("id", "lifecycle_state", "source", "scope", "created_at", "valid_to")
        ]
        + [("effective_confidence", answer["effective_confidence"])],
    )
    _show_sample(
        answer["lineage"]["versions"], ("text", "valid_from", "valid_to", "lifecycle_state", "source", "id")
    )
    rows = [
        [receipt["timestamp"], receipt["created_by"], receipt["source"], "; ".join(receipt["history"])]
        for receipt in answer["receipts"]
    ]
    print_table(("at", "by", "source", "what"), rows)
    _show_sample(answer["events"], ("at", "actor", "from_state", "to_state", "reason"))


def _show_sample(items: list[dict[str, Any]], columns: tuple[str, ...]) -> None:
    if items:
        print_table(columns, [[item.get(name) for name in columns] for item in items])


forget = confirmed_command(
    FORGET,
    preview_forget,
    show_forgotten,
    "Forget {total} for good?",
    "Forget for good, after a look: one id, or a filter.\n\n"
    "Content leaves search, vectors, graph, skill files and the files on disk; what was found afterwards is shown.",
    failed=left_something,
)
undo = confirmed_command(
    UNDO,
    preview_undo,
    show_undone,
    "Undo {total}?",
    "Take changes back: the last, or many of one source.\n\n"
    "What was stored goes out of search, what it replaced holds again. What was forgotten stays gone.",
)
list_ = command_of(LIST_MEMORIES, show_list, "Page through what is stored, newest first.")
history = command_of(HISTORY, show_history, "Show everything that happened to one memory.")
