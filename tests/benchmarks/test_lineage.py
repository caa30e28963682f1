"""What is derived has the anchors of what it was derived from, and what has others is refused."""

from __future__ import annotations

import pytest

from memory_server.app import MemoryApp
from memory_server.benchmarks.lineage import BrokenLineage, ancestors, check, read_store
from memory_server.benchmarks.scoring import Item
from memory_server.services.conversations import Turn, import_turns
from memory_server.services.learn import learn
from memory_server.services.lesson import Lesson
from memory_server.services.remember import Statement, remember

MARCH, APRIL = "2024-03-02T09:00:00.000000Z", "2024-04-05T09:00:00.000000Z"
TURNS = [
    Turn("The ferry leaves from pier nine.", "s1", "user", MARCH, "s1_1"),
    Turn("We decided to paint the ferry blue because the old paint peels.", "s1", "user", MARCH, "s1_2"),
    Turn("As I said, the ferry leaves from pier nine. That suits me.", "s2", "user", APRIL, "s2_1"),
]


def stored(app: MemoryApp) -> None:
    import_turns(app, TURNS)
    for turn in TURNS:
        learn(
            app,
            Lesson(
                turn.text,
                "talk",
                extract_beliefs=True,
                session=turn.session,
                speaker=turn.speaker,
                occurred_at=turn.occurred_at,
                forced=True,
            ),
        )


def test_turns_are_their_own_anchors(app: MemoryApp) -> None:
    import_turns(app, TURNS)
    store = read_store(app.settings.database_path)
    assert sorted((item.turns, item.sessions, item.said_at) for item in store.items.values()) == [
        (("s1_1",), ("s1",), MARCH),
        (("s1_2",), ("s1",), MARCH),
        (("s2_1",), ("s2",), APRIL),
    ]
    assert store.snapshot["memories"] == {"episode": 3}


def test_what_was_said_in_two_sessions_comes_from_both(app: MemoryApp) -> None:
    stored(app)
    store = read_store(app.settings.database_path)
    facts = [item for item in store.items.values() if item.kind == "fact"]
    assert facts
    both = [item for item in facts if set(item.sessions) == {"s1", "s2"}]
    assert [sorted(item.turns) for item in both] == [["s1_1", "s2_1"]]
    assert both[0].said_at == MARCH
    assert {item.kind for item in store.items.values()} >= {"episode", "fact", "decision"}


def test_the_snapshot_tells_stores_apart_and_nothing_else(app: MemoryApp) -> None:
    import_turns(app, TURNS[:2])
    first = read_store(app.settings.database_path).snapshot
    assert read_store(app.settings.database_path).snapshot == first
    import_turns(app, TURNS[2:])
    assert read_store(app.settings.database_path).snapshot["episodes_sha256"] != first["episodes_sha256"]


def test_a_memory_that_comes_from_nowhere_is_refused(app: MemoryApp) -> None:
    stored(app)
    remember(app, Statement("the ferry", "carries", "bicycles"))
    with pytest.raises(BrokenLineage, match="has no known parent"):
        read_store(app.settings.database_path)


ONE, TWO = Item("1", "episode", ("a.1",), ("a",)), Item("2", "episode", ("b.1",), ("b",))


@pytest.mark.parametrize(
    ("turns", "sessions", "parents", "told"),
    [
        (("a.1", "b.1"), ("a", "b"), ("1", "2"), None),
        (("b.1", "a.1"), ("b", "a"), ("1", "2"), None),  # the order does not matter
        (("a.1",), ("a", "b"), ("1", "2"), "its turns are"),
        (("a.1", "b.1"), ("a",), ("1", "2"), "its sessions are"),
        (("a.1", "c.1"), ("a",), ("1",), "its turns are"),
        (("a.1",), ("a",), (), "has no known parent"),
        (("a.1",), ("a",), ("1", "3"), "has no known parent"),
    ],
)
def test_anchors_are_the_union_of_the_parents(
    turns: tuple[str, ...], sessions: tuple[str, ...], parents: tuple[str, ...], told: str | None
) -> None:
    item = Item("x", "fact", turns, sessions, parents)
    if told is None:
        check([item], {"1": ONE, "2": TWO})
    else:
        with pytest.raises(BrokenLineage, match=told):
            check([item], {"1": ONE, "2": TWO})


def test_ancestors_go_all_the_way_down() -> None:
    fact = Item("f", "fact", ("a.1",), ("a",), ("1",))
    belief = Item("b", "belief", ("a.1",), ("a",), ("f",))
    known = {"1": ONE, "f": fact, "b": belief}
    assert ancestors([belief], known) == {"f": fact, "1": ONE}
