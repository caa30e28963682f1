"""Benchmarks from the shell, on small talks of the published forms."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import Result

Command = Callable[..., Result]

TALKS = Path(__file__).parents[1] / "benchmarks" / "talks"
SMALL = str(TALKS / "longmemeval_small.json")


@pytest.fixture(autouse=True)
def words_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMORY_SERVER_EMBEDDING", "none")


def figures(result: Result) -> dict[str, Any]:
    assert result.exit_code == 0, result.stderr
    found: dict[str, Any] = json.loads(result.stdout)
    return found


@pytest.mark.parametrize("retriever", ["builtin", "server"])
def test_longmemeval_is_measured_in_process_and_over_stdio(
    command: Command, retriever: str, tmp_path: Path
) -> None:
    output = tmp_path / "run.jsonl"
    words = ("--retriever", retriever, "--limit", "2", "--output", str(output), "--json")
    found = figures(command("benchmark-longmemeval", SMALL, *words))
    assert found["questions"]["scored"] == 2
    assert found["means"]["turn"]["source"]["recall@10"]["value"] == 1.0
    assert found["official"]["session"]["recall_all@10"]["value"] == 1.0
    header, *rows = map(json.loads, output.read_text("utf-8").splitlines())
    assert [row["id"] for row in rows] == ["boat_colour", "boat_place"]
    assert header["dataset"]["sha256"]
    assert header["options"]["retriever"] == retriever
    assert rows[0]["store"]["memories"] == {"episode": 12}


def test_both_retrievers_find_the_same(command: Command, tmp_path: Path) -> None:
    runs = {}
    for retriever in ("builtin", "server"):
        output = tmp_path / f"{retriever}.jsonl"
        command(
            "benchmark-longmemeval", SMALL, "--retriever", retriever, "--limit", "1", "--output", str(output)
        )
        row = json.loads(output.read_text("utf-8").splitlines()[1])
        runs[retriever] = [item["turns"] for item in row["items"]], row["scores"]
    assert runs["builtin"] == runs["server"]


def test_both_counts_of_questions_are_printed(command: Command) -> None:
    shown = command("benchmark-longmemeval", SMALL).stdout
    assert "run.questions\t6 scored of 7, 1 abstention apart" in shown
    assert "run.with a labelled turn of a person\t4" in shown
    assert "run.with labelled turns of an assistant alone\t1" in shown
    assert "run.without a labelled turn\t1" in shown
    assert "answerable.area under the curve\t" in shown


def test_nothing_but_abstention_questions_is_told_without_means(command: Command, tmp_path: Path) -> None:
    path = tmp_path / "abstention.json"
    path.write_text(json.dumps(json.loads(Path(SMALL).read_text("utf-8"))[-1:]), "utf-8")
    result = command("benchmark-longmemeval", str(path))
    assert result.exit_code == 0, result.stderr
    assert "run.questions\t0 scored of 1, 1 abstention apart" in result.stdout
    assert "answerable.area under the curve\t-" in result.stdout


def test_a_pool_holds_every_session_once(command: Command, tmp_path: Path) -> None:
    output = tmp_path / "run.jsonl"
    found = figures(command("benchmark-longmemeval", SMALL, "--pooled", "--output", str(output), "--json"))
    assert found["questions"]["all"] == 7
    rows = [json.loads(line) for line in output.read_text("utf-8").splitlines()[1:]]
    assert {row["store"]["turns"] for row in rows} == {33}
    assert len({row["store"]["episodes_sha256"] for row in rows}) == 1


def test_what_is_learned_is_a_target_of_its_own(command: Command) -> None:
    found = figures(command("benchmark-longmemeval", SMALL, "--learn", "--json"))
    canonical = found["means"]["turn"]["canonical"]["recall@10"]
    assert 0 < canonical["n"] <= canonical["of"] == 6
    assert found["targets_compared"]["turn"]["raw and canonical"]["recall@10"]["n"] == canonical["n"]


def test_a_saved_run_is_scored_again_and_compared(command: Command, tmp_path: Path) -> None:
    one, other = str(tmp_path / "one.jsonl"), str(tmp_path / "other.jsonl")
    first = figures(command("benchmark-longmemeval", SMALL, "--output", one, "--json"))
    command("benchmark-longmemeval", SMALL, "--output", other, "--user-turns-only", "--limit", "3")
    again = figures(command("benchmark-longmemeval", "--rescore", one, "--compare", other, "--json"))
    assert again["means"] == first["means"]
    assert again["official"] == first["official"]
    assert again["comparison"]["shared"] == 3
    shown = command("benchmark-longmemeval", "--rescore", one, "--compare", other).stdout
    assert "session\traw\thit@5\t3\t" in shown


def test_talks_are_measured(command: Command) -> None:
    found = figures(command("benchmark", "locomo", str(TALKS / "locomo_small.json"), "--json"))
    assert found["questions"]["apart"] == {"adversarial": 1}
    assert found["means"]["turn"]["source"]["recall@5"]["value"] == 1.0
    assert found["by_type"]["adversarial"]["turn"]["source"]["recall@5"]["n"] == 1
    found = figures(command("benchmark", "beam", str(TALKS / "beam_small.json"), "--json"))
    assert found["questions"]["apart"] == {"abstention": 1, "unlabelled": 1}
    assert found["means"]["session"]["source"]["recall@5"]["n"] == 0


def test_the_exact_command_is_printed(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    path = str(TALKS / "beam_small.json")
    monkeypatch.setattr("sys.argv", ["memory-server", "benchmark", "beam", path])
    assert f"run.command\tmemory-server benchmark beam {path}" in command("benchmark", "beam", path).stdout


def test_a_signal_can_be_switched_off(command: Command) -> None:
    path = str(TALKS / "locomo_small.json")
    found = figures(
        command("benchmark", "locomo", path, "--without", "speaker", "--without", "words", "--json")
    )
    weights = found["header"]["weights"]
    assert [weights["speaker"], weights["words"]] == [0.0, 0.0]
    assert weights["meaning"] > 0


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["benchmark-longmemeval"], "name either the data set or"),
        (["benchmark-longmemeval", SMALL, "--rescore", SMALL], "name either the data set or"),
        (["benchmark-longmemeval", SMALL, "--top-k", "101"], "less than or equal to 100"),
        (["benchmark-longmemeval", SMALL, "--output", SMALL], "would overwrite"),
        (["benchmark-longmemeval", "--rescore", SMALL], "longmemeval_small.json"),
        (["benchmark", "locomo", SMALL], "is no LoCoMo file"),
        (["benchmark", "locomo", SMALL, "--without", "magic"], "there is no signal 'magic'"),
        (["benchmark", "beam", SMALL, "--retriever", "server", "--without", "words"], "--retriever builtin"),
        (["benchmark", "facts", SMALL], "no file to name"),
        (["benchmark", "nonsense"], "nonsense"),
    ],
)
def test_wrong_usage_is_one_line(command: Command, words: list[str], told: str) -> None:
    result = command(*words)
    assert result.exit_code == 2, result.stderr
    assert told in result.stderr
    assert result.stderr.count("\n") == 1


def test_a_file_that_is_not_there_is_told(command: Command) -> None:
    result = command("benchmark", "beam", "nowhere.json")
    assert result.exit_code == 1
    assert "nowhere.json" in result.stderr


def test_made_up_facts_need_no_file(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("MEMORY_SERVER_EMBEDDING")
    result = command("benchmark", "facts", "--facts", "100", "--json")
    found = json.loads(result.stdout)
    assert found["facts"] == 100
    assert result.exit_code == (0 if found["met"] else 1)
