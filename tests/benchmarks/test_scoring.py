"""What a ranked list is worth, as tables that were counted by hand."""

from __future__ import annotations

from math import log2

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_server.benchmarks.scoring import (
    Asked,
    Item,
    counts,
    covered,
    finds,
    holders,
    official_scores,
    results,
    scores,
)

NEVER = Asked()


def raw(turn: str, score: float = 1.0) -> Item:
    """A stored turn; its session is the part before the dot."""
    return Item(turn, "episode", (turn,), (turn.split(".")[0],), score=score)


def drawn(name: str, *turns: str, **more: object) -> Item:
    """A fact that was drawn from turns."""
    sessions = tuple(dict.fromkeys(turn.split(".")[0] for turn in turns))
    return Item(name, "fact", turns, sessions, parents=turns, **more)  # type: ignore[arg-type]


A1, A2, B1, C1 = raw("a.1"), raw("a.2"), raw("b.1"), raw("c.1")
BOTH = drawn("both", "a.1", "b.1")
FROM_A = drawn("from a", "a.1")


@pytest.mark.parametrize(
    ("items", "evidence", "target", "places"),
    [
        ([A1, B1], {"a.1"}, "source", [(1, 1)]),
        ([C1, A1, A2], {"a.1", "a.2"}, "source", [(2, 1), (3, 1)]),
        ([C1], {"a.1"}, "source", []),
        ([BOTH, A1, B1], {"a.1", "b.1"}, "source", [(1, 2)]),  # what is covered already is not new
        ([FROM_A, A1, B1], {"a.1", "b.1"}, "raw", [(2, 1), (3, 1)]),  # what does not count keeps its place
        ([A1, FROM_A, BOTH], {"a.1", "b.1"}, "canonical", [(2, 1), (3, 1)]),
        ([A1, B1], {"a.1"}, "canonical", []),
    ],
)
def test_where_turns_are_found(
    items: list[Item], evidence: set[str], target: str, places: list[tuple[int, int]]
) -> None:
    assert finds(items, evidence, target, "turn", NEVER) == places


@pytest.mark.parametrize(
    ("items", "evidence", "target", "places"),
    [
        ([A1, A2, B1], {"b"}, "source", [(2, 1)]),  # the second session, though the third item
        ([C1, A1, A2, B1], {"a", "b"}, "source", [(2, 1), (3, 1)]),
        ([BOTH, C1], {"b"}, "source", [(2, 1)]),  # a place for each session of an item
        (
            [FROM_A, C1, A1],
            {"a"},
            "raw",
            [(2, 1)],
        ),  # found with the item that counts: two sessions were shown by then
        ([A1, FROM_A], {"a"}, "canonical", [(1, 1)]),
    ],
)
def test_where_sessions_are_found(
    items: list[Item], evidence: set[str], target: str, places: list[tuple[int, int]]
) -> None:
    assert finds(items, evidence, target, "session", NEVER) == places


@pytest.mark.parametrize(
    ("places", "n", "metric", "value"),
    [
        ([], 2, "hit@5", 0.0),
        ([], 2, "mrr", 0.0),
        ([(2, 1)], 2, "hit@1", 0.0),
        ([(2, 1)], 2, "hit@3", 1.0),
        ([(2, 1)], 2, "any@3", 1.0),
        ([(2, 1)], 2, "recall@3", 0.5),
        ([(2, 1)], 2, "all@3", 0.0),
        ([(2, 1)], 2, "mrr", 0.5),
        ([(2, 1), (4, 1)], 2, "all@3", 0.0),
        ([(2, 1), (4, 1)], 2, "all@5", 1.0),
        ([(2, 1), (4, 1)], 2, "ndcg@5", (1 / log2(3) + 1 / log2(5)) / (1 + 1 / log2(3))),
        ([(2, 1), (4, 1)], 2, "ndcg@1", 0.0),
        ([(1, 1)], 3, "ndcg@1", 1.0),  # no more than one can stand in one place
        ([(1, 2)], 2, "recall@1", 1.0),  # one item with two anchors
        ([(1, 2)], 2, "ndcg@3", 1 / (1 + 1 / log2(3))),
    ],
)
def test_metrics_counted_by_hand(places: list[tuple[int, int]], n: int, metric: str, value: float) -> None:
    assert scores(places, n, 10)[metric] == pytest.approx(value)


def test_nothing_is_said_of_lists_longer_than_what_was_asked_for() -> None:
    assert "recall@10" not in scores([(1, 1)], 1, depth=5)
    assert "recall@5" in scores([(1, 1)], 1, depth=5)


@pytest.mark.parametrize(
    ("ranked", "evidence", "metric", "value"),
    [
        (["x", "a", "b"], {"a", "b"}, "recall_any@1", 0.0),
        (["x", "a", "b"], {"a", "b"}, "recall_any@3", 1.0),
        (["x", "a", "b"], {"a", "b"}, "recall_all@3", 1.0),
        (["x", "a", "y", "b"], {"a", "b"}, "recall_all@3", 0.0),
        (["x", "a"], {"a"}, "ndcg_any@3", 1.0),  # the second place weighs as much as the first
        (["x", "y", "a"], {"a"}, "ndcg_any@3", 1 / log2(3)),
        (["x", "x", "a"], {"a"}, "ndcg_any@3", 1.0),  # the same id counts once
        (["a", "x", "b"], {"a", "b"}, "ndcg_any@3", (1 + 1 / log2(3)) / 2),
    ],
)
def test_official_metrics_counted_by_hand(
    ranked: list[str], evidence: set[str], metric: str, value: float
) -> None:
    assert official_scores(ranked, evidence, 10)[metric] == pytest.approx(value)


MARCH, MAY, JULY = (f"2024-0{month}-01T00:00:00.000000Z" for month in (3, 5, 7))


@pytest.mark.parametrize(
    ("item", "asked", "counted"),
    [
        (drawn("f", "a.1"), NEVER, True),
        (drawn("f", "a.1", serves=False), NEVER, False),
        (drawn("f", "a.1", valid_from=MAY), Asked(MARCH, MARCH), False),
        (drawn("f", "a.1", valid_from=MAY), Asked(MAY, MAY), True),
        (drawn("f", "a.1", valid_from=MAY, valid_to=JULY), Asked(JULY, JULY), False),
        (drawn("f", "a.1", valid_to=MAY), Asked(MARCH, MARCH), True),
        (drawn("f", "a.1", valid_from=MAY), Asked(MARCH, JULY), True),  # at some time of the period
        (A1, NEVER, False),
    ],
)
def test_what_counts_as_canonical(item: Item, asked: Asked, counted: bool) -> None:
    assert counts(item, "canonical", asked) is counted
    assert counts(item, "source", asked)
    assert counts(item, "raw", asked) is not item.is_derived


def test_results_are_once_each_without_zeros_and_ties_by_id() -> None:
    items = [raw("b.1", 0.5), raw("a.1", 0.5), raw("c.1", 0.4), raw("a.1", 0.3), raw("d.1", 0.0)]
    assert [item.id for item in results(items)] == ["a.1", "b.1", "c.1"]


def test_a_store_covers_what_it_holds_something_for() -> None:
    holding = holders([A1, FROM_A, C1], "turn")
    assert covered(holding, ["a.1", "z.9"], "canonical", NEVER)
    assert not covered(holding, ["c.1"], "canonical", NEVER)
    assert covered(holding, ["c.1"], "raw", NEVER)
    assert not covered(holding, [], "source", NEVER)


TURNS = [f"{session}.{number}" for session in "abc" for number in (1, 2)]
ITEMS = st.lists(
    st.one_of(
        st.sampled_from(TURNS).map(raw),
        st.lists(st.sampled_from(TURNS), min_size=1, max_size=3, unique=True).map(
            lambda turns: drawn("+".join(turns), *turns)
        ),
    ),
    unique_by=lambda item: item.id,
    max_size=12,
)
EVIDENCE = st.sets(st.sampled_from(TURNS), min_size=1)


@given(ITEMS, EVIDENCE, st.sampled_from(["raw", "source", "canonical"]), st.sampled_from(["turn", "session"]))
def test_every_metric_lies_between_0_and_1_and_more_places_never_find_less(
    items: list[Item], evidence: set[str], target: str, level: str
) -> None:
    wanted = evidence if level == "turn" else {turn.split(".")[0] for turn in evidence}
    found = scores(finds(items, wanted, target, level, NEVER), len(wanted), 50)
    assert all(0 <= value <= 1 + 1e-12 for value in found.values())
    for name in ("hit", "recall", "all"):
        assert found[f"{name}@1"] <= found[f"{name}@3"] <= found[f"{name}@5"] <= found[f"{name}@10"]


@given(ITEMS, EVIDENCE)
def test_deriving_more_takes_nothing_away_from_what_all_items_find(
    items: list[Item], evidence: set[str]
) -> None:
    only = [item for item in items if not item.is_derived]
    with_more = [*only, *(item for item in items if item.is_derived)]
    before = scores(finds(only, evidence, "source", "turn", NEVER), len(evidence), 50)
    after = scores(finds(with_more, evidence, "source", "turn", NEVER), len(evidence), 50)
    assert all(after[name] >= value for name, value in before.items())


@given(st.permutations(TURNS), EVIDENCE)
def test_on_raw_text_alone_official_recall_is_ours(ranked: list[str], evidence: set[str]) -> None:
    ours = scores(finds([raw(turn) for turn in ranked], evidence, "raw", "turn", NEVER), len(evidence), 50)
    theirs = official_scores(ranked, evidence, 50)
    for k in (1, 3, 5, 10):
        assert theirs[f"recall_any@{k}"] == ours[f"any@{k}"]
        assert theirs[f"recall_all@{k}"] == ours[f"all@{k}"]
