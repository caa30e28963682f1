"""`python -m memory_server.benchmarks`: speed as ratios to the bare operations, and what searches miss."""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict

from memory_server.benchmarks import fact_quality, knowledge
from memory_server.benchmarks.latency import Figure, machine, measure


def main() -> int:
    """Measures and prints; 1 where a promised figure was missed."""
    parser = argparse.ArgumentParser(prog="python -m memory_server.benchmarks", description=__doc__)
    parser.add_argument("--facts", type=int, default=20_000, help="facts to store (default: 20,000)")
    parser.add_argument(
        "--quick", action="store_true", help="with 2,000 facts; the ratios are then less telling"
    )
    parser.add_argument("--samples", type=int, default=300, help="calls of each kind (default: 300)")
    parser.add_argument("--json", action="store_true", help="print JSON, for programs")
    options = parser.parse_args()
    figures = [
        *measure(2_000 if options.quick else options.facts, options.samples),
        *knowledge.measure(options.samples),
        *fact_quality.missed(),
    ]
    if options.json:
        rows = [{**asdict(figure), "met": figure.met} for figure in figures]
        sys.stdout.write(json.dumps({"machine": machine(), "figures": rows}, indent=2) + "\n")
    else:
        print_table(figures)
    return 1 if any(figure.met is False for figure in figures) else 0


def print_table(figures: list[Figure]) -> None:
    """One line a figure, with its target and whether it is met."""
    from rich.console import Console
    from rich.table import Table

    table = Table(title=machine(), title_justify="left")
    for heading in ("figure", "measured", "at most", "", "how"):
        table.add_column(heading, justify="right" if heading in ("measured", "at most") else "left")
    for figure in figures:
        target = "" if figure.target is None else f"{figure.target:g} {figure.unit}".strip()
        verdict = {True: "met", False: "MISSED", None: ""}[figure.met]
        table.add_row(
            figure.name, f"{figure.value:,.2f} {figure.unit}".strip(), target, verdict, figure.detail
        )
    Console().print(table)


if __name__ == "__main__":
    sys.exit(main())
