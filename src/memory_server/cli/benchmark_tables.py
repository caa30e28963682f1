"""Shows the figures of a retrieval run to people: in percent, with coverage and intervals."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from memory_server.cli.printing import print_pairs, print_table

Figures = Mapping[str, Any]

SHOWN = ("hit@1", "hit@5", "recall@1", "recall@5", "recall@10", "all@5", "all@10", "ndcg@10", "mrr")
OFFICIAL = ("recall_any@5", "recall_all@5", "ndcg_any@5", "recall_any@10", "recall_all@10", "ndcg_any@10")
DIFFERENCES = ("hit@5", "recall@5", "recall@10", "all@10", "ndcg@10", "mrr")
INTERVALS = ("recall@10", "ndcg@10")


def show_report(found: Figures) -> None:
    """All tables of a run; what nothing is known of is left out."""
    header = found["header"]
    asked = found["questions"]
    data = header["dataset"]
    print_pairs(
        "run",
        [
            ("command", header["command"]),
            ("data", f"{data['name']}, {data['file']}, sha256 {data['sha256']}"),
            ("questions", f"{asked['scored']} scored of {asked['all']}{_apart(asked['apart'])}"),
            ("with a labelled turn of a person", asked["with_a_turn_of_a_person"]),
            ("with labelled turns of an assistant alone", asked["with_turns_of_an_assistant_alone"]),
            ("without a labelled turn", asked["without_a_labelled_turn"]),
        ],
    )
    _show_means(found["means"])
    _show_types(found["by_type"])
    if data["name"] == "longmemeval":
        _show_official(found["official"])
    _show_targets(found["targets_compared"])
    _show_answerable(found["answerable"])
    cost = found["cost"]
    print_pairs(
        "cost",
        [
            ("retrieval, ms, p50 and p95", f"{_plain(cost['ms_p50'])} {_plain(cost['ms_p95'])}"),
            ("retrieval, CPU ms, p50 and p95", f"{_plain(cost['cpu_ms_p50'])} {_plain(cost['cpu_ms_p95'])}"),
            ("tokens of the first ten texts", _plain(cost["tokens_of_first_10"])),
            ("resident memory, MB", _plain(cost["resident_mb"])),
        ],
    )


def show_comparison(found: Figures) -> None:
    """Another run beside this one, on the questions that both have."""
    rows = [
        [
            level,
            target,
            metric,
            value["n"],
            _percent(value["first"]),
            _percent(value["second"]),
            _change(value),
        ]
        for level, targets in found["levels"].items()
        for target, metrics in targets.items()
        for metric, value in metrics.items()
        if value["n"]
    ]
    columns = ("level", "target", "metric", "n", "this", "other", "other less this, 95 %")
    print_table(columns, rows, title=f"compared on {found['shared']} shared questions")


def show_quality(found: Figures) -> None:
    """Hits among the first five on made-up facts, against what is promised."""
    rows = [
        [row["search"], row["asked"], f"{row['hit@5']:.4f}", f"{row['hit@1']:.4f}", row["n"], row["promised"]]
        for row in found["figures"]
    ]
    title = f"{found['facts']:,} made-up facts, seed {found['seed']}"
    print_table(("search", "asked by", "hit@5", "hit@1", "n", "at least"), rows, title=title)


def _show_means(means: Figures) -> None:
    rows = [
        [level, target, _coverage(metrics["mrr"])]
        + [_cell(metrics[metric], metric in INTERVALS) for metric in SHOWN]
        for level, targets in means.items()
        for target, metrics in targets.items()
        if metrics["mrr"]["of"]
    ]
    print_table(("level", "target", "n/N", *SHOWN), rows, title="means over covered questions, percent")


def _show_types(types: Figures) -> None:
    rows = [
        [kind, level, target, _coverage(metrics["mrr"])]
        + [_cell(metrics[metric], metric == "recall@10") for metric in SHOWN]
        for kind, levels in types.items()
        for level, targets in levels.items()
        for target, metrics in targets.items()
        # where nothing was derived, raw is source
        if metrics["mrr"]["n"] and not (target == "raw" and metrics == targets["source"])
    ]
    print_table(("type", "level", "target", "n/N", *SHOWN), rows, title="by type of question")


def _show_official(official: Figures) -> None:
    rows = [
        [level, _coverage(metrics["recall_any@1"]), *(_cell(metrics[metric], True) for metric in OFFICIAL)]
        for level, metrics in official.items()
        if metrics["recall_any@1"]["n"]
    ]
    print_table(("level", "n/N", *OFFICIAL), rows, title="official LongMemEval metrics")


def _show_targets(levels: Figures) -> None:
    rows = [
        [level, pair, metric, value["n"], _percent(value["first"]), _percent(value["second"]), _change(value)]
        for level, pairs in levels.items()
        for pair, metrics in pairs.items()
        for metric, value in metrics.items()
        # without anything derived, source is raw
        if value["n"] and (value["first"] != value["second"])
    ]
    if rows:
        columns = ("level", "targets", "metric", "n", "first", "second", "second less first, 95 %")
        print_table(columns, rows, title="two targets on the questions that both cover")


def _show_answerable(found: Figures) -> None:
    if not found["abstention_questions"]:
        return
    print_table(
        ("answerable from", "answered", "refused"),
        [
            [f"{row['threshold']:.1f}", _percent(row["answered"]), _percent(row["refused"])]
            for row in found["thresholds"]
        ],
        title="what the memory says of itself, percent",
    )
    print_pairs(
        "answerable",
        [
            ("questions that can be answered", found["answerable_questions"]),
            ("and that cannot", found["abstention_questions"]),
            ("area under the curve", "-" if found["auc"] is None else f"{found['auc']:.3f}"),
        ],
    )


def _cell(value: Figures, with_interval: bool) -> str:
    text = _percent(value["value"])
    if with_interval and value.get("low") is not None:
        return f"{text} ({_percent(value['low'])}-{_percent(value['high'])})"
    return text


def _coverage(value: Figures) -> str:
    return f"{value['n']}/{value['of']}"


def _change(value: Figures) -> str:
    change = 100 * (value["second"] - value["first"])
    return f"{change:+.1f} ({100 * value['low']:+.1f} to {100 * value['high']:+.1f})"


def _apart(numbers: Figures) -> str:
    return "".join(f", {number} {why} apart" for why, number in numbers.items())


def _percent(value: float | None) -> str:
    return "-" if value is None else f"{100 * value:.1f}"


def _plain(value: float | None) -> str:
    return "-" if value is None else f"{value:.1f}"
