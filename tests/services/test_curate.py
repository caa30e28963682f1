"""What an owner may do: forget for good, update, look back, look around."""

from __future__ import annotations

import sqlite3
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from memory_server.app import MemoryApp
from memory_server.domain.belief import Belief, Evidence
from memory_server.domain.errors import Conflict, InvalidArgument, NotFound
from memory_server.domain.fact import Fact
from memory_server.domain.lifecycle import LifecycleState
from memory_server.domain.memory import new_id, rfc3339
from memory_server.policies.text import digest
from memory_server.services import upkeep
from memory_server.services.audit import audit
from memory_server.services.beliefs import Assertion, hold
from memory_server.services.context import get_context
from memory_server.services.curate import update_fact
from memory_server.services.forgetting import forget
from memory_server.services.history import history
from memory_server.services.listing import list_memories
from memory_server.services.relations import graph_search
from memory_server.services.remains import purge
from memory_server.services.remember import Statement, record
from memory_server.services.search import search
from memory_server.services.semantic_search import semantic_search
from memory_server.services.upkeep import follow
from memory_server.storage import ageing, browse, lifecycle, receipts, rows
from memory_server.storage.ageing import Move
from memory_server.storage.fact_search import Filters
from memory_server.tools.calls import call_tool
from memory_server.tools.table import TOOLS, tools_of

NOW = datetime(2023, 1, 2, tzinfo=UTC)
STEPS = (LifecycleState.STALE, LifecycleState.ARCHIVED, LifecycleState.FORGOTTEN)


def say(
    app: MemoryApp, obj: str = "quince", now: datetime = NOW, subject: str = "orchard", **more: Any
) -> Fact:
    statement = Statement(subject, "grows", obj, **{"confidence": 0.8, **more})
    with app.database.write() as connection:
        return record(connection, statement, created_by="test", now=now).fact


def stored(app: MemoryApp, fact_id: str) -> Fact:
    with app.database.read() as connection:
        fact = rows.get(connection, Fact, fact_id)
    assert fact is not None
    return fact


def call(app: MemoryApp, name: str, **arguments: Any) -> dict[str, Any]:
    (tool,) = (tool for tool in TOOLS if tool.name == name)
    reply = call_tool(app, tool, arguments)
    assert not reply.is_error, reply.text
    assert reply.structured is not None
    return reply.structured


@pytest.mark.parametrize("settled", [True, False], ids=["vectors written", "vectors still to be written"])
def test_what_is_forgotten_is_found_by_nothing_right_after(app: MemoryApp, settled: bool) -> None:
    gone, kept = say(app), say(app, "medlar")
    if settled:
        app.worker.drain()
        assert {hit["id"] for hit in semantic_search(app, "orchard grows quince", 5, 0.0).hits} == {
            gone.id,
            kept.id,
        }
    forget(app, gone.id, NOW)
    assert search(app, "quince", Filters(), 5).results == []
    assert gone.id not in {hit["id"] for hit in semantic_search(app, "orchard grows quince", 5, 0.0).hits}
    assert [fact.id for fact in get_context(app, "what does the orchard grow").facts] == [kept.id]
    assert "quince" not in {node["id"] for node in graph_search(app, entity_id="orchard")["nodes"]}
    app.worker.drain()
    assert set(app.meaning.space.store().ids()) == {kept.id}


def test_forgetting_overwrites_content_and_keeps_receipts_and_every_step(app: MemoryApp) -> None:
    fact = say(app, tags=("fruit",))
    done = forget(app, fact.id, NOW)
    left = stored(app, fact.id)
    assert (left.subject, left.predicate, left.object, left.tags) == ("", "", "", ())
    with app.database.read() as connection:
        proofs = receipts.of(connection, fact.id)
        moves = [event["to_state"] for event in lifecycle.events(connection, fact.id)]
    assert [receipt.created_by for receipt in proofs] == ["test", "forget"]
    assert proofs[-1] == done.receipt
    assert moves == ["candidate", "stale", "archived", "forgotten"]
    assert [str(step) for step in done.steps] == moves[1:]
    assert not any("quince" in str(receipt) for receipt in proofs)


def test_the_words_of_what_is_forgotten_are_in_no_file(app: MemoryApp) -> None:
    fact = say(app, "xanthoceras", tags=("yellowhorn",))
    with app.database.write() as connection:
        held = hold(connection, Assertion("Xanthoceras bears late"), created_by="test", now=NOW).belief
    app.worker.drain()
    forget(app, fact.id, NOW)
    forget(app, held.id, NOW)
    app.database.close()
    for path in app.settings.home.rglob("*"):
        if path.is_file():
            content = path.read_bytes().lower()
            assert b"xanthoceras" not in content, path
            assert b"yellowhorn" not in content, path


def names_in_files(app: MemoryApp, names: list[str]) -> list[str]:
    app.database.close()
    content = b"".join(path.read_bytes() for path in app.settings.home.rglob("*") if path.is_file())
    return [name for name in names if name.encode() in content]


def test_pages_that_were_split_keep_no_copy_of_what_is_forgotten(app: MemoryApp) -> None:
    # in no order, so that the pages of the indexes are split; the copies that this leaves are in no free space
    names = [f"plant{digest(str(number))[:12]}" for number in range(600)]
    facts = [say(app, name) for name in names]
    with app.database.write() as connection:
        moves = [
            Move("fact", fact.id, fact.lifecycle_state, STEPS, "asked for", fact.reinforced_at)
            for fact in facts
        ]
        made = ageing.apply(connection, moves, actor="test", now=rfc3339(NOW))
        follow(connection, made, actor="test", now=NOW, single_valued=())
    assert len(made) == len(names)
    assert names_in_files(app, names) != []
    assert purge(app)
    app.worker.drain()
    assert names_in_files(app, names) == []


def test_what_a_run_that_died_has_left_is_taken_out_by_the_next(
    app: MemoryApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    say(app, "xanthoceras")
    app.worker.drain()
    later = NOW + timedelta(days=1000)
    with monkeypatch.context() as dying:
        dying.setattr(upkeep, "purge", lambda _parts: None)
        assert upkeep.decay(app, later).steps["forgotten"] == 1
    assert [f.code for f in audit(app, "full", later).found if f.code.startswith("forgotten")] == [
        "forgotten_remains"
    ]
    assert upkeep.decay(app, later).moved == 0
    assert names_in_files(app, ["xanthoceras"]) == []
    assert [f.code for f in audit(app, "full", later).found if f.code.startswith("forgotten")] == []


def test_remains_that_cannot_be_taken_out_now_are_taken_out_later(app: MemoryApp) -> None:
    fact = say(app, "xanthoceras")
    app.worker.drain()
    with sqlite3.connect(app.settings.database_path) as other:
        other.execute("BEGIN")
        other.execute("SELECT count(*) FROM facts").fetchall()
        forget(app, fact.id, NOW)  # an open reader keeps the log from being emptied
        other.rollback()
    other.close()
    upkeep.decay(app, NOW)
    assert names_in_files(app, ["xanthoceras"]) == []


def test_forgetting_again_is_no_error_and_takes_no_step(app: MemoryApp) -> None:
    fact = say(app)
    forget(app, fact.id, NOW)
    assert forget(app, fact.id, NOW).steps == ()


def test_what_was_forgotten_can_be_said_again(app: MemoryApp) -> None:
    fact = say(app)
    forget(app, fact.id, NOW)
    again = say(app)
    assert again.id != fact.id
    assert [hit.id for hit in search(app, "quince", Filters(), 5).results] == [again.id]


def test_a_belief_takes_note_when_its_ground_is_forgotten(app: MemoryApp) -> None:
    fact = say(app)
    with app.database.write() as connection:
        ground = Evidence(source_type="fact", source_id=fact.id)
        held = hold(
            connection, Assertion("Quinces do well", 0.8, (ground,)), created_by="test", now=NOW
        ).belief
    forget(app, fact.id, NOW)
    with app.database.read() as connection:
        assert receipts.of(connection, held.id)[-1].history[0] == f"evidence: fact {fact.id} was forgotten"
        belief = rows.get(connection, Belief, held.id)
    assert belief is not None and belief.proposition == "Quinces do well"


def test_an_updated_fact_continues_the_old_one_which_is_closed(app: MemoryApp) -> None:
    old = say(app, tags=("fruit",), scope="project:garden")
    later = NOW + timedelta(days=5)
    done = update_fact(app, old.id, "medlar", later)
    new = stored(app, done.fact.id)
    assert (new.object, new.replaces_id, new.tags, new.scope, new.confidence) == (
        "medlar", old.id, ("fruit",), "project:garden", 0.8,
    )  # fmt: skip
    closed = stored(app, old.id)
    assert closed == done.previous
    assert (closed.object, closed.valid_to, closed.superseded_at, closed.superseded_by) == (
        "quince", new.valid_from, new.created_at, new.id,
    )  # fmt: skip
    assert [hit.id for hit in search(app, "orchard", Filters(), 5).results] == [new.id, old.id]
    assert app.network.current().fact_ids() == {new.id}


def test_an_update_to_what_is_known_already_joins_that_fact(app: MemoryApp) -> None:
    old, known = say(app), say(app, "medlar")
    done = update_fact(app, old.id, "Medlar", NOW + timedelta(days=1), source="gardener")
    assert done.fact.id == known.id
    assert stored(app, old.id).superseded_by == known.id


def test_another_spelling_of_the_same_value_is_an_update(app: MemoryApp) -> None:
    old = say(app)
    new = update_fact(app, old.id, "Quince", NOW + timedelta(days=1)).fact
    assert (new.object, new.replaces_id) == ("Quince", old.id)


@pytest.mark.parametrize(
    ("spoil", "error"),
    [
        (lambda _app, _fact: (new_id(), "medlar"), NotFound),
        (lambda _app, fact: (fact.id, "quince"), InvalidArgument),
        (lambda app, fact: (forget(app, fact.id, NOW).memory_id, "medlar"), Conflict),
        (lambda app, fact: (update_fact(app, fact.id, "plum", NOW).previous.id, "medlar"), Conflict),
    ],
    ids=["unknown", "same value", "forgotten", "closed"],
)
def test_an_update_that_makes_no_sense_is_refused_and_changes_nothing(
    app: MemoryApp, spoil: Any, error: type[Exception]
) -> None:
    fact_id, value = spoil(app, say(app))
    with app.database.read() as connection:
        before = connection.exec_driver_sql("SELECT * FROM facts, outbox, receipts").all()
    with pytest.raises(error):
        update_fact(app, fact_id, value, NOW)
    with app.database.read() as connection:
        assert connection.exec_driver_sql("SELECT * FROM facts, outbox, receipts").all() == before


def test_as_of_shows_what_was_true_then(app: MemoryApp) -> None:
    old = say(app)
    new = update_fact(app, old.id, "medlar", NOW + timedelta(days=5)).fact

    def known(day: float) -> tuple[list[str], list[str]]:
        moment = (NOW + timedelta(days=day)).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
        words = search(app, "orchard", Filters(as_of=moment), 5).results
        context = get_context(app, "what does the orchard grow", as_of=moment).facts
        return [hit.id for hit in words], [fact.id for fact in context]

    assert known(-1) == ([], [])
    assert known(0) == ([old.id], [old.id])
    assert known(4.99) == ([old.id], [old.id])
    assert known(5) == ([new.id], [new.id])
    assert known(400) == ([new.id], [new.id])


def test_as_of_leaves_out_contradictions_that_were_not_there_yet(app: MemoryApp) -> None:
    def place(obj: str, source: str, now: datetime) -> Fact:
        with app.database.write() as connection:
            statement = Statement("orchard", "located_in", obj, 0.8, source)
            return record(connection, statement, created_by="test", now=now).fact

    first = place("Kent", "deed", NOW)
    place("Sussex", "gossip", NOW + timedelta(days=5))
    then = (NOW + timedelta(days=1)).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
    assert [fact.id for fact in get_context(app, "where is the orchard located", as_of=then).facts] == [
        first.id
    ]


def test_history_tells_everything_that_happened(app: MemoryApp) -> None:
    fact = say(app, source="deed")
    say(app, now=NOW + timedelta(days=1), source="gardener")
    new = update_fact(app, fact.id, "medlar", NOW + timedelta(days=2)).fact
    life = history(app, fact.id, 50, NOW + timedelta(days=3))
    assert [receipt.created_by for receipt in life.receipts] == ["test", "test", "update_fact"]
    assert [claim["source"] for claim in life.sources] == ["deed", "gardener"]
    assert life.lineage["superseded_by"] == new.id
    assert life.trust.explain["sources"] == 2
    assert life.memory["valid_to"] == new.valid_from
    assert history(app, new.id, 50, NOW).lineage["replaces_id"] == fact.id
    assert len(history(app, fact.id, 1, NOW).receipts) == 1
    assert history(app, fact.id, 1, NOW).receipt_count == 3


def test_history_of_the_forgotten_has_proofs_and_no_content(app: MemoryApp) -> None:
    fact = say(app)
    forget(app, fact.id, NOW)
    answer = call(app, "history", id=fact.id.upper())
    assert "quince" not in str(answer)
    assert answer["receipt_count"] == 2
    assert answer["effective_confidence"] == 0


def test_pages_show_each_memory_once_newest_first(app: MemoryApp) -> None:
    facts = [say(app, f"apple {place}") for place in range(7)]
    with app.database.write() as connection:
        held = hold(connection, Assertion("Apples keep"), created_by="test", now=NOW).belief
    seen: list[str] = []
    cursor = None
    while True:
        page = list_memories(app, browse.Filters(), 3, cursor=cursor)
        seen += [memory["id"] for memory in page.memories]
        cursor = page.next_cursor
        if cursor is None:
            break
        assert len(page.memories) == 3
    assert seen == [*(fact.id for fact in reversed(facts)), held.id]


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        ({}, ["plum", "quince"]),
        ({"tag": "FRUIT"}, ["quince"]),
        ({"tag": "Früchte"}, ["quince"]),
        ({"source": "Deed"}, ["quince"]),
        ({"scope": "repo:garden"}, ["plum", "quince"]),
        ({"scope": "repo:gard"}, ["quince"]),
        ({"scope": "all"}, ["plum", "quince"]),
        ({"subject": "ORCHARD "}, ["plum", "quince"]),
        ({"subject": "orch"}, []),
        ({"query": "orchard plums"}, ["plum"]),
        ({"query": "orch"}, []),
        ({"query": "-"}, []),
        ({"session": "monday"}, []),
        ({"lifecycle_state": "candidate"}, ["plum", "quince"]),
        ({"lifecycle_state": "trusted"}, []),
        ({"lifecycle_state": "forgotten"}, [""]),
        ({"created_from": "2023-01-03"}, ["plum"]),
        ({"created_to": "2023-01-03T00:00:00Z"}, ["quince"]),
        ({"memory_type": "belief"}, []),
    ],
)
def test_pages_are_narrowed_by_what_is_asked(
    app: MemoryApp, filters: dict[str, str], expected: list[str]
) -> None:
    say(app, source="deed", tags=("fruit", "FRÜCHTE"))
    say(app, "plum", now=NOW + timedelta(days=2), scope="repo:garden")
    forget(app, say(app, "sorb").id, NOW)
    answer = call(app, "list_memories", **filters)
    assert [
        memory["text"].removeprefix("orchard grows ").strip() for memory in answer["memories"]
    ] == expected
    assert answer["total"] == len(expected)


def test_pages_are_stable_while_others_write_and_forget(app: MemoryApp) -> None:
    facts = [say(app, f"apple {place}") for place in range(6)]
    first = list_memories(app, browse.Filters(), 2)
    say(app, "medlar")
    forget(app, facts[3].id, NOW)
    forget(app, facts[4].id, NOW)
    second = list_memories(app, browse.Filters(), 2, cursor=first.next_cursor)
    third = list_memories(app, browse.Filters(), 2, cursor=second.next_cursor)
    seen = [memory["id"] for page in (first, second, third) for memory in page.memories]
    assert seen == [facts[place].id for place in (5, 4, 2, 1, 0)]
    assert third.next_cursor is None


def test_a_reader_in_a_scope_pages_through_its_own_first_and_sees_no_other(app: MemoryApp) -> None:
    for place in range(3):
        say(app, f"apple {place}", scope="project:own")
        say(app, f"pear {place}")
        say(app, f"plum {place}", scope="project:other")
    seen: list[str] = []
    page = call(app, "list_memories", scope="project:own", limit=2)
    while True:
        seen += [memory["text"].removeprefix("orchard grows ") for memory in page["memories"]]
        if page["next_cursor"] is None:
            break
        page = call(app, "list_memories", scope="Project:own", limit=2, cursor=page["next_cursor"])
    assert seen == ["apple 2", "apple 1", "apple 0", "pear 2", "pear 1", "pear 0"]


def test_history_shows_earlier_and_later_versions(app: MemoryApp) -> None:
    old = say(app)
    middle = update_fact(app, old.id, "medlar", NOW + timedelta(days=1)).fact
    new = update_fact(app, middle.id, "plum", NOW + timedelta(days=2)).fact
    for fact in (old, middle, new):
        versions = history(app, fact.id, 50, NOW).lineage["versions"]
        assert [version["id"] for version in versions] == [old.id, middle.id, new.id]
    assert versions[0]["text"] == "orchard grows quince" and versions[0]["valid_to"] == middle.valid_from


def test_an_update_of_what_was_replaced_names_what_took_its_place(app: MemoryApp) -> None:
    old = say(app)
    new = update_fact(app, old.id, "medlar", NOW + timedelta(days=1)).fact
    with pytest.raises(Conflict, match=new.id):
        update_fact(app, old.id, "plum", NOW + timedelta(days=2))


@pytest.mark.parametrize("cursor", ["", "fact", "fact:-1", "nonsense:1", "fact:1e9", "belief:²"])
def test_a_cursor_of_nobody_is_refused(app: MemoryApp, cursor: str) -> None:
    with pytest.raises(InvalidArgument, match="cursor"):
        list_memories(app, browse.Filters(), 5, cursor=cursor)


@pytest.mark.parametrize("name", ["forget", "update_fact", "history"])
def test_an_unknown_id_is_not_found(app: MemoryApp, name: str) -> None:
    (tool,) = (tool for tool in TOOLS if tool.name == name)
    more = {"object": "x"} if name == "update_fact" else {}
    reply = call_tool(app, tool, {"id": "nobody", **more})
    assert reply.is_error and '"not_found"' in reply.text


def test_the_toolset_says_what_it_destroys() -> None:
    tools = {tool.name: tool for tool in tools_of(["curate"])}
    assert list(tools) == ["forget", "update_fact", "history", "list_memories", "undo"]
    assert [tool.destructive for tool in tools.values()] == [True, True, False, False, True]
    assert not set(tools) & {tool.name for tool in tools_of(["core"])}
