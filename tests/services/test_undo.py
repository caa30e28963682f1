"""Undo: what each kind of change leaves behind when it is taken back, and what cannot be."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import hypothesis
import hypothesis.strategies
import pytest

from memory_server.app import MemoryApp, open_app
from memory_server.domain.belief import Belief, Evidence
from memory_server.domain.errors import Conflict, InvalidArgument, NotFound
from memory_server.domain.fact import Fact
from memory_server.policies.writes import Did, what_was_done
from memory_server.services.audit import audit
from memory_server.services.belief_conflicts import resolve_conflict
from memory_server.services.beliefs import Assertion, hold
from memory_server.services.changes import Asked
from memory_server.services.curate import update_fact
from memory_server.services.forgetting import forget
from memory_server.services.history import history
from memory_server.services.learn import learn
from memory_server.services.lesson import Lesson
from memory_server.services.listing import list_memories
from memory_server.services.remember import Statement, record
from memory_server.services.search import search
from memory_server.services.skills import skill_versions
from memory_server.services.undo import outlook, undo
from memory_server.services.undoing import TakenBack
from memory_server.services.upkeep import decay
from memory_server.settings import load_settings
from memory_server.storage import browse, evidence, lifecycle, receipts, rows, sources
from memory_server.storage.fact_search import Filters
from memory_server.tools.calls import call_tool
from memory_server.tools.undo import UNDO

NOW = datetime(2023, 1, 2, tzinfo=UTC)
SINGLE = ("located_in",)
LAST = Asked()


def at(day: float) -> datetime:
    return NOW + timedelta(days=day)


def say(app: MemoryApp, obj: str, day: float = 0, predicate: str = "grows", **more: Any) -> Fact:
    statement = Statement("orchard", predicate, obj, **{"confidence": 0.6, "source": "deed", **more})
    with app.database.write() as connection:
        return record(connection, statement, created_by="test", now=at(day), single_valued=SINGLE).fact


def held(app: MemoryApp, proposition: str, day: float = 0, **more: Any) -> Belief:
    with app.database.write() as connection:
        return hold(connection, Assertion(proposition, **more), created_by="set_belief", now=at(day)).belief


def fact(app: MemoryApp, fact_id: str) -> Fact:
    with app.database.read() as connection:
        found = rows.get(connection, Fact, fact_id)
    assert found is not None
    return found


def belief(app: MemoryApp, belief_id: str) -> Belief:
    with app.database.read() as connection:
        found = rows.get(connection, Belief, belief_id)
    assert found is not None
    return found


def back(app: MemoryApp, asked: Asked = LAST, day: float = 50) -> TakenBack:
    confirm = outlook(app, asked).confirm
    return undo(app, asked, at(day), confirm)


def current(app: MemoryApp) -> dict[str, str]:
    """What is searched and holds: text and state of every memory but episodes."""
    found = list_memories(app, browse.Filters(), 100).memories
    shown = ("candidate", "validated", "active", "contradicted", "stale")
    return {
        memory["text"]: memory["lifecycle_state"]
        for memory in reversed(found)
        if memory["lifecycle_state"] in shown and memory["valid_to"] is None
    }


def healthy(app: MemoryApp) -> bool:
    return audit(app, "full", at(51)).at("error") == []


Steps = Callable[[MemoryApp], Any]


def _update(app: MemoryApp) -> None:
    update_fact(app, say(app, "quince").id, "medlar", at(1))


def _update_twice(app: MemoryApp) -> None:
    new = update_fact(app, say(app, "quince").id, "medlar", at(1)).fact
    update_fact(app, new.id, "plum", at(2))


def _update_to_known(app: MemoryApp) -> None:
    say(app, "medlar")
    update_fact(app, say(app, "quince", 1).id, "medlar", at(2))


def _replace_belief(app: MemoryApp) -> None:
    old = held(app, "Quinces do well", confidence=0.7)
    held(app, "Quinces do badly", 1, replace_belief_id=old.id)


def _settle(resolution: str) -> Steps:
    def run(app: MemoryApp) -> None:
        a, b = held(app, "Quinces do well"), held(app, "Quinces do badly", 1)
        more = {"new_proposition": "Quinces vary"} if resolution == "merge" else {}
        if resolution == "auto":
            resolve_conflict(app, a.id, b.id, auto_resolve=True)
        else:
            resolve_conflict(app, a.id, b.id, resolution, **more)

    return run


def _lesson(app: MemoryApp) -> None:
    learn(app, Lesson("The orchard uses drip irrigation. We decided on quince because it keeps."))


def _skill_twice(app: MemoryApp) -> None:
    learn(app, Lesson("How to prune the quince:\n1. Wait for frost.\n2. Cut."))
    learn(app, Lesson("How to prune the quince:\n1. Wait for spring.\n2. Cut."))


@pytest.mark.parametrize(
    ("done", "expected", "actions"),
    [
        (lambda app: say(app, "quince"), {}, {"taken out": 1}),
        (
            lambda app: (say(app, "quince"), say(app, "medlar", 1)),
            {"orchard grows quince": "candidate"},
            {"taken out": 1},
        ),
        (
            lambda app: (say(app, "quince"), say(app, "quince", 1)),
            {"orchard grows quince": "candidate"},
            {"claim withdrawn": 1},
        ),
        (
            lambda app: (say(app, "quince"), say(app, "quince", 1, source="gardener")),
            {"orchard grows quince": "candidate"},
            {"claim withdrawn": 1},
        ),
        (
            lambda app: (say(app, "Kent", 0, "located_in"), say(app, "Sussex", 1, "located_in")),
            {"orchard located in Kent": "candidate"},
            {"taken out": 1, "reopened": 1},
        ),
        (_update, {"orchard grows quince": "candidate"}, {"taken out": 1, "reopened": 1}),
        (_update_twice, {"orchard grows medlar": "candidate"}, {"taken out": 1, "reopened": 1}),
        (
            _update_to_known,
            {"orchard grows medlar": "candidate", "orchard grows quince": "candidate"},
            {"claim withdrawn": 1, "reopened": 1},
        ),
        (lambda app: held(app, "Quinces do well"), {}, {"taken out": 1}),
        (
            lambda app: (held(app, "Quinces do well"), held(app, "Quinces do well.", 1)),
            {"Quinces do well": "active"},
            {"claim withdrawn": 1},
        ),
        (
            _replace_belief,
            {"Quinces do well": "active"},
            {"taken out": 1, "continued as a new memory": 1},
        ),
        (
            _settle("keep_a"),
            {"Quinces do well": "active", "Quinces do badly": "active"},
            {"continued as a new memory": 1},
        ),
        (
            _settle("keep_b"),
            {"Quinces do badly": "active", "Quinces do well": "active"},
            {"continued as a new memory": 1},
        ),
        (
            _settle("merge"),
            {"Quinces do well": "active", "Quinces do badly": "active"},
            {"taken out": 1, "continued as a new memory": 2},
        ),
        (
            _settle("discard_both"),
            {"Quinces do well": "active", "Quinces do badly": "active"},
            {"continued as a new memory": 2},
        ),
        (
            _settle("auto"),
            {"Quinces do well": "active", "Quinces do badly": "active"},
            {"moved back": 2},
        ),
        (_lesson, {}, {"taken out": 3}),
        (_skill_twice, None, {"taken out": 2, "reopened": 1}),
    ],
    ids=[
        "a first fact",
        "a second fact",
        "said again by the same source",
        "corroborated by another",
        "a newer value of the same source",
        "an update",
        "an update of an update",
        "an update to what was known",
        "a belief",
        "a reinforcement",
        "a belief that replaced another",
        "keep_a",
        "keep_b",
        "a merge",
        "discard_both",
        "both contradicted",
        "a lesson",
        "a new version of a skill",
    ],
)
def test_the_last_change_is_taken_back(
    app: MemoryApp, done: Steps, expected: dict[str, str] | None, actions: dict[str, int]
) -> None:
    done(app)
    told = back(app)
    assert dict(told.actions) == actions
    assert told.left == []
    if expected is not None:
        assert current(app) == expected
    assert healthy(app)


def test_a_withdrawn_claim_leaves_the_fact_as_it_was(app: MemoryApp) -> None:
    before = say(app, "quince", confidence=0.4)
    say(app, "quince", 1, source="gardener", confidence=0.9)
    back(app)
    after = fact(app, before.id)
    assert (after.confidence, after.source_count, after.reinforced_at) == (0.4, 1, before.reinforced_at)
    with app.database.read() as connection:
        assert sources.names(connection, [before.id]) == {before.id: ["deed"]}


def test_a_fact_that_others_claim_stays_for_them(app: MemoryApp) -> None:
    first = say(app, "quince", confidence=0.9)
    say(app, "quince", 1, source="gardener", confidence=0.4)
    back(app, Asked(source="DEED"))
    after = fact(app, first.id)
    assert (after.source, after.confidence, after.source_count) == ("gardener", 0.4, 1)
    assert current(app) == {"orchard grows quince": "candidate"}


def test_a_withdrawn_reinforcement_takes_its_evidence_and_its_share_of_the_mean(app: MemoryApp) -> None:
    ground = say(app, "quince")
    pieces = (Evidence(source_type="fact", source_id=ground.id),)
    first = held(app, "Quinces do well", 1, confidence=0.4)
    second = held(app, "Quinces do well", 2, confidence=1.0, source="gardener", evidence=pieces)
    assert second.confidence == 0.7
    back(app)
    after = belief(app, first.id)
    assert (after.confidence, after.assertions, after.source_count) == (0.4, 1, 1)
    with app.database.read() as connection:
        assert browse.resting_on(connection, ground.id, 5) == []


def test_a_reopened_fact_is_the_same_memory_and_supports_beliefs_again(app: MemoryApp) -> None:
    old = say(app, "quince")
    ground = Evidence(source_type="fact", source_id=old.id)
    resting = held(app, "Quinces do well", evidence=(ground,))
    update_fact(app, old.id, "medlar", at(1))
    back(app)
    after = fact(app, old.id)
    assert (after.valid_to, after.superseded_at, after.superseded_by) == (None, None, None)
    assert [hit.id for hit in search(app, "orchard", Filters(), 5).results] == [old.id]
    with app.database.read() as connection:
        assert "holds again" in receipts.of(connection, resting.id)[-1].history[0]
    assert app.network.current().fact_ids() == {old.id}


def test_history_stays_and_tells_what_was_undone(app: MemoryApp) -> None:
    old = say(app, "quince")
    new = update_fact(app, old.id, "medlar", at(1)).fact
    back(app)
    life = history(app, old.id, 50, at(51))
    assert [receipt.created_by for receipt in life.receipts] == ["test", "update_fact", "undo"]
    assert life.receipts[-1].history == (
        f"undoes receipt {life.receipts[1].id}",
        f"reopened; {new.id} was undone",
    )
    taken = history(app, new.id, 50, at(51))
    assert [event["to_state"] for event in taken.events] == ["candidate", "stale", "archived"]
    assert taken.events[-1]["actor"] == "undo"
    assert taken.memory["object"] == "medlar"


def test_a_belief_that_cannot_come_back_is_continued_with_all_that_it_had(app: MemoryApp) -> None:
    ground = Evidence(source_type="observation", source_id="a harvest", weight=0.9)
    old = held(app, "Quinces do well", confidence=0.6, evidence=(ground,), tags=("fruit",))
    held(app, "Quinces do well", 1, confidence=0.8, source="gardener")
    held(app, "Quinces do badly", 2, replace_belief_id=old.id)
    back(app)
    assert belief(app, old.id).lifecycle_state == "superseded"
    new = belief(app, belief(app, old.id).superseded_by or "")
    assert (new.confidence, new.assertions, new.source_count, new.tags) == (0.7, 2, 2, ("fruit",))
    assert (new.version, new.replaces_id, new.lifecycle_state) == (2, old.id, "active")
    with app.database.read() as connection:
        told = receipts.of(connection, old.id)[-1].history
    assert told[1] == f"superseded stays so; continued as {new.id}"


def test_a_belief_that_was_contradicted_before_is_so_again(app: MemoryApp) -> None:
    a, b = held(app, "Quinces do well"), held(app, "Quinces do badly", 1)
    resolve_conflict(app, a.id, b.id, auto_resolve=True)
    resolve_conflict(app, a.id, b.id, "keep_a")
    back(app)
    assert current(app) == {"Quinces do well": "contradicted", "Quinces do badly": "contradicted"}
    assert healthy(app)


def test_undo_again_takes_the_change_before(app: MemoryApp) -> None:
    _update_twice(app)
    back(app)
    assert current(app) == {"orchard grows medlar": "candidate"}
    back(app)
    assert current(app) == {"orchard grows quince": "candidate"}
    back(app)
    assert current(app) == {}
    with pytest.raises(NotFound, match="no change"):
        back(app)
    assert healthy(app)


def test_what_an_undo_has_carried_on_goes_with_the_claim_that_it_came_of(app: MemoryApp) -> None:
    old = held(app, "Quinces do well", source="deed", confidence=0.4)
    held(app, "Quinces do well", 1, source="gardener", confidence=0.8)
    held(app, "Quinces do badly", 2, replace_belief_id=old.id)
    back(app)
    new = belief(app, belief(app, old.id).superseded_by or "")
    back(app)
    assert (belief(app, new.id).confidence, belief(app, new.id).source_count) == (0.4, 1)
    back(app)
    assert current(app) == {}
    assert belief(app, new.id).lifecycle_state == "discarded"
    with pytest.raises(NotFound):
        back(app)
    assert healthy(app)


def test_evidence_that_an_undo_has_carried_on_goes_with_the_claim_that_it_came_with(app: MemoryApp) -> None:
    first, second = (Evidence(source_type="observation", source_id=name) for name in ("a harvest", "a frost"))
    old = held(app, "Quinces do well", evidence=(first,))
    held(app, "Quinces do well", 1, source="gardener", evidence=(second,))
    held(app, "Quinces do badly", 2, replace_belief_id=old.id)
    back(app)
    new = belief(app, old.id).superseded_by or ""
    back(app)
    with app.database.read() as connection:
        assert evidence.of(connection, [new]) == {new: [first]}


def test_a_move_of_a_belief_that_was_carried_on_is_taken_back_on_what_carries_it(app: MemoryApp) -> None:
    a, b = held(app, "Quinces do well"), held(app, "Quinces do badly", 1)
    resolve_conflict(app, a.id, b.id, auto_resolve=True)
    resolve_conflict(app, a.id, b.id, "keep_a")
    back(app)
    back(app)
    assert current(app) == {"Quinces do well": "active", "Quinces do badly": "active"}
    back(app)
    back(app)
    assert current(app) == {}
    assert healthy(app)


OBJECTS, SOURCES = ("Kent", "Sussex", "Surrey"), ("deed", "gossip")
one_step = hypothesis.strategies.one_of(
    hypothesis.strategies.tuples(
        hypothesis.strategies.just("say"),
        hypothesis.strategies.sampled_from(OBJECTS),
        hypothesis.strategies.sampled_from(SOURCES),
    ),
    hypothesis.strategies.tuples(
        hypothesis.strategies.just("update"),
        hypothesis.strategies.sampled_from(OBJECTS),
        hypothesis.strategies.sampled_from(SOURCES),
    ),
    hypothesis.strategies.tuples(
        hypothesis.strategies.just("hold"),
        hypothesis.strategies.sampled_from(OBJECTS),
        hypothesis.strategies.sampled_from(SOURCES),
    ),
    hypothesis.strategies.tuples(
        hypothesis.strategies.just("settle"),
        hypothesis.strategies.sampled_from(("keep_a", "keep_b", "merge", "discard_both", "auto")),
        hypothesis.strategies.just(""),
    ),
    hypothesis.strategies.tuples(
        hypothesis.strategies.just("replace"),
        hypothesis.strategies.sampled_from(OBJECTS),
        hypothesis.strategies.sampled_from(SOURCES),
    ),
)


def step(app: MemoryApp, day: float, what: str, which: str, source: str) -> None:
    def current_of(kind: str) -> list[str]:
        found = list_memories(app, browse.Filters(), 100, memory_type=kind).memories
        shown = ("candidate", "validated", "active", "contradicted")
        return [m["id"] for m in found if m["lifecycle_state"] in shown and m["valid_to"] is None]

    facts, held_now = current_of("fact"), current_of("belief")
    if what == "say":
        say(app, which, day, "located_in", source=source)
    elif what == "update" and facts:
        with contextlib.suppress(InvalidArgument):
            update_fact(app, facts[0], which, at(day), source=source)
    elif what == "hold":
        held(app, f"It is in {which}", day, source=source)
    elif what == "replace" and held_now:
        held(app, f"It is in {which}", day, source=source, replace_belief_id=held_now[-1])
    elif what == "settle" and len(held_now) > 1:
        merged = {"new_proposition": "It is in Kent"} if which == "merge" else {}
        auto = {"auto_resolve": True} if which == "auto" else {}
        with contextlib.suppress(Conflict):
            resolve_conflict(app, held_now[0], held_now[1], None if auto else which, **merged, **auto)


@hypothesis.settings(max_examples=40, deadline=None)
@hypothesis.given(steps=hypothesis.strategies.lists(one_step, max_size=9))
def test_whatever_was_done_can_be_undone_step_by_step(
    steps: list[tuple[str, str, str]], tmp_path_factory: pytest.TempPathFactory, database_template: Path
) -> None:
    home = tmp_path_factory.mktemp("undo")
    shutil.copy(database_template, home / "memory.db")
    with open_app(load_settings(home=home, embedding="none"), worker=False) as app:
        for day, one in enumerate(steps, 1):
            step(app, day, *one)
        for _ in range(4 * len(steps) + 1):
            try:
                back(app, day=60)
            except NotFound:
                break
        else:
            raise AssertionError("there is always something left to undo")
        assert current(app) == {}
        assert healthy(app)


def receipt_count(app: MemoryApp) -> int:
    with app.database.read() as connection:
        return int(connection.exec_driver_sql("SELECT count(*) FROM receipts").scalar_one())


@hypothesis.settings(max_examples=40, deadline=None)
@hypothesis.given(steps=hypothesis.strategies.lists(one_step, max_size=8))
def test_each_undo_leads_to_what_was_known_before(
    steps: list[tuple[str, str, str]], tmp_path_factory: pytest.TempPathFactory, database_template: Path
) -> None:
    home = tmp_path_factory.mktemp("undo")
    shutil.copy(database_template, home / "memory.db")
    with open_app(load_settings(home=home, embedding="none"), worker=False) as app:
        seen = [current(app)]
        for day, one in enumerate(steps, 1):
            before = receipt_count(app)
            step(app, day, *one)
            if receipt_count(app) > before:
                seen.append(current(app))
        while len(seen) > 1:
            seen.pop()
            back(app, day=60)
            assert current(app) == seen[-1]


def test_what_was_taken_out_can_be_said_again(app: MemoryApp) -> None:
    first = say(app, "quince")
    back(app)
    again = say(app, "quince", 60)
    assert again.id != first.id and again.replaces_id == first.id
    assert current(app) == {"orchard grows quince": "candidate"}


def test_everything_of_a_source_since_a_time(app: MemoryApp) -> None:
    say(app, "quince", 0, source="spam")
    say(app, "Kent", 1, "located_in", source="spam")
    say(app, "Sussex", 3, "located_in", source="spam")
    say(app, "medlar", 3, source="deed")
    held(app, "Spam is good", 4, source="spam")
    since = at(2).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
    asked = Asked(source="Spam", since=since)
    seen = outlook(app, asked)
    assert (seen.changes, seen.by_what, seen.many) == (2, {"stored": 2, "closed": 1}, True)
    with pytest.raises(Conflict, match=seen.confirm):
        undo(app, asked, at(50))
    undo(app, asked, at(50), seen.confirm)
    assert current(app) == {
        "orchard grows quince": "candidate",
        "orchard located in Kent": "candidate",
        "orchard grows medlar": "candidate",
    }
    assert healthy(app)


def test_everything_of_a_session(app: MemoryApp) -> None:
    learn(app, Lesson("The orchard uses drip irrigation.", session="monday"))
    learn(app, Lesson("The barn uses slate tiles.", session="tuesday"))
    seen = outlook(app, Asked(session="monday"))
    assert seen.changes == 2
    undo(app, Asked(session="monday"), at(50), seen.confirm)
    left = " ".join(current(app))
    assert "slate" in left and "drip" not in left


@pytest.mark.parametrize("way", ["memory", "receipt", "episode", "closed"])
def test_one_change_by_an_id(app: MemoryApp, way: str) -> None:
    lesson = learn(app, Lesson("The orchard uses drip irrigation."))
    old = say(app, "quince", 2)
    updated = update_fact(app, old.id, "medlar", at(3))
    say(app, "plum", 4)
    assert lesson.episode is not None
    wanted = {
        "memory": updated.fact.id,
        "receipt": updated.receipt.id,
        "episode": lesson.episode.memory.id,
        "closed": old.id,
    }[way]
    seen = outlook(app, Asked(id=wanted))
    assert seen.many == (way == "episode")
    undo(app, Asked(id=wanted), at(50), seen.confirm)
    left = {text.removeprefix("orchard ") for text in current(app)}
    if way == "episode":
        assert left == {"grows medlar", "grows plum"}
    else:
        assert {"grows quince", "grows plum"} <= left and "grows medlar" not in left


def test_a_value_that_was_replaced_once_more_stays_closed(app: MemoryApp) -> None:
    old = say(app, "quince")
    second = update_fact(app, old.id, "medlar", at(1)).fact
    update_fact(app, second.id, "plum", at(2))
    told = undo(app, Asked(id=second.id), at(50))
    # the last change of it is that it was replaced
    assert current(app) == {"orchard grows medlar": "candidate"}
    assert told.actions == {"taken out": 1, "reopened": 1}
    with app.database.read() as connection:
        first_of_second = receipts.of(connection, second.id)[0]
    update_fact(app, second.id, "fig", at(60))
    told = undo(app, Asked(id=first_of_second.id), at(61))
    assert current(app) == {"orchard grows fig": "candidate"}
    assert [one["why"].partition(" has ")[2] for one in told.left] == ["taken its place since"]


@pytest.mark.parametrize("between", [(1,), (1, 2), (2, 1), (1, 2, 3), (3, 1, 2), (2, 3, 1)], ids=str)
@pytest.mark.parametrize("kind", ["fact", "belief"])
def test_what_was_undone_does_not_come_back_when_what_replaced_it_is_undone(
    app: MemoryApp, between: tuple[int, ...], kind: str
) -> None:
    ids: list[str] = []
    for day, value in enumerate(("quince", "medlar", "plum", "fig", "pear")[: max(between) + 2]):
        if kind == "belief":
            replaced = {"replace_belief_id": ids[-1]} if ids else {}
            ids.append(held(app, f"The best is {value}", day, **replaced).id)
        else:
            ids.append(update_fact(app, ids[-1], value, at(day)).fact.id if ids else say(app, value).id)
    with app.database.read() as connection:
        firsts = [receipts.of(connection, memory_id)[0].id for memory_id in ids]
    for number, one in enumerate(between):
        before = current(app)
        back(app, Asked(id=firsts[one]), 40 + number)
        assert current(app) == before
    told = back(app)
    assert [text.rpartition(" ")[2] for text in current(app)] == ["quince"]
    assert "it was undone itself" in {one["why"] for one in told.left}
    assert healthy(app)


def test_what_was_undone_after_it_had_ended_does_not_come_back(app: MemoryApp) -> None:
    a, b = held(app, "Quinces do well"), held(app, "Quinces do badly", 1)
    resolve_conflict(app, a.id, b.id, "keep_b")
    old = say(app, "quince")
    update_fact(app, old.id, "medlar", at(3))
    decay(app, at(95))
    with app.database.read() as connection:
        stored = [receipts.of(connection, one.id)[0].id for one in (a, old)]
    assert {fact(app, old.id).lifecycle_state, belief(app, a.id).lifecycle_state} == {"archived", "discarded"}
    for receipt in stored:
        told = back(app, Asked(id=receipt))
        assert told.actions == {} and "already" in told.left[0]["why"]
    before = current(app)
    with contextlib.suppress(NotFound):
        while True:
            assert all("continued" not in what for what in back(app).actions)
            before = current(app)
    assert before == {} and healthy(app)


def test_an_older_skill_holds_again_when_all_that_came_after_it_is_undone(app: MemoryApp) -> None:
    _skill_twice(app)
    (first, second) = skill_versions(app, "prune-the-quince")
    third = learn(app, Lesson("How to prune the quince:\n1. Ask a gardener.\n2. Watch.")).skills[0].memory
    with app.database.read() as connection:
        stored = receipts.of(connection, second.id)[0].id
    back(app, Asked(id=stored))
    back(app, Asked(id=third.id))
    (left,) = skill_versions(app, "prune-the-quince")
    assert (left.id, left.valid_to, left.superseded_by) == (first.id, None, None) and healthy(app)


@pytest.mark.parametrize(
    ("done", "says"),
    [
        (lambda app: forget(app, say(app, "quince").id, at(1)), "gone for good"),
        (
            lambda app: call_knowledge(app),
            "what it said before is not kept",
        ),
    ],
    ids=["forgotten", "a note changed in place"],
)
def test_what_cannot_be_undone_says_so_plainly(app: MemoryApp, done: Steps, says: str) -> None:
    done(app)
    with pytest.raises(Conflict, match=says):
        undo(app, LAST, at(50))


def call_knowledge(app: MemoryApp) -> None:
    from memory_server.domain.knowledge import Note, NoteChanges
    from memory_server.services.knowledge import store_knowledge, update_knowledge

    note = store_knowledge(app, Note("Prune quinces late", "After the last frost, never before it."))
    update_knowledge(app, note.id, NoteChanges(title="Prune quinces early"))


def test_a_note_is_taken_out_like_anything_else(app: MemoryApp) -> None:
    from memory_server.domain.knowledge import Note
    from memory_server.services.knowledge import store_knowledge

    store_knowledge(app, Note("Prune quinces late", "After the last frost, never before it."))
    assert back(app).actions == {"taken out": 1}
    assert current(app) == {}


def test_of_many_changes_those_that_are_forgotten_are_left_and_named(app: MemoryApp) -> None:
    gone, other = say(app, "quince"), say(app, "medlar", 1)
    forget(app, gone.id, at(2))
    told = back(app, Asked(source="deed"))
    assert told.actions == {"taken out": 1}
    assert {one["id"] for one in told.left} == {gone.id}
    assert fact(app, other.id).lifecycle_state == "archived"


def test_a_confirmation_of_something_else_is_refused_with_a_new_look(app: MemoryApp) -> None:
    say(app, "quince"), say(app, "medlar", 1)
    confirm = outlook(app, Asked(source="deed")).confirm
    say(app, "plum", 2)
    with pytest.raises(Conflict) as refused:
        undo(app, Asked(source="deed"), at(50), confirm)
    assert refused.value.details["changes"] == 3
    assert len(current(app)) == 3


@pytest.mark.parametrize(
    ("asked", "error"),
    [
        (LAST, NotFound),
        (Asked(id="nobody"), NotFound),
        (Asked(source="nobody"), NotFound),
        (Asked(id="a", source="b"), InvalidArgument),
        (Asked(since="2023-01-01T00:00:00.000000Z"), InvalidArgument),
        (Asked(id="a", since="2023-01-01T00:00:00.000000Z"), InvalidArgument),
    ],
)
def test_where_there_is_nothing_to_undo_that_is_said(
    app: MemoryApp, asked: Asked, error: type[Exception]
) -> None:
    with pytest.raises(error):
        undo(app, asked, at(50))


def test_a_skill_goes_back_to_its_older_version_in_its_files_too(app: MemoryApp) -> None:
    _skill_twice(app)
    back(app)
    (version,) = skill_versions(app, "prune-the-quince")
    assert version.valid_to is None and version.steps[0].startswith("Wait for frost")
    text = (app.settings.skills_path / "prune-the-quince" / "SKILL.md").read_text()
    assert "frost" in text and "spring" not in text


def test_every_kind_of_write_is_known_by_its_receipt(app: MemoryApp) -> None:
    for steps in (_update, _update_to_known, _replace_belief, _settle("keep_a"), _lesson, _skill_twice):
        steps(app)
    call_knowledge(app)
    with app.database.read() as connection:
        found = connection.exec_driver_sql("SELECT json_extract(history, '$[0]') FROM receipts").scalars()
        assert all(what_was_done([line]) is not Did.UNKNOWN for line in found)


def test_moves_of_an_undo_are_allowed_ones(app: MemoryApp) -> None:
    for steps in (_update_twice, _replace_belief, _settle("merge")):
        steps(app)
    for source in ("deed", "system", "manual"):
        back(app, Asked(source=source))
    from memory_server.domain.lifecycle import LifecycleState, may_move

    with app.database.read() as connection:
        for memory_id, kind in connection.exec_driver_sql(
            "SELECT DISTINCT memory_id, memory_type FROM lifecycle_events"
        ).all():
            for event in lifecycle.events(connection, memory_id):
                if event["from_state"]:
                    here, there = event["from_state"], event["to_state"]
                    assert may_move(kind, LifecycleState(here), LifecycleState(str(there)))
    assert healthy(app)


def test_the_tool_undoes_one_change_at_once_and_many_when_confirmed(app: MemoryApp) -> None:
    def ask(**arguments: Any) -> dict[str, Any]:
        reply = call_tool(app, UNDO, arguments)
        assert reply.structured is not None, reply.text
        return reply.structured

    say(app, "quince"), say(app, "medlar", 1), say(app, "plum", 2)
    at_once = ask()
    assert (at_once["dry_run"], at_once["actions"], at_once["confirm"]) == (False, {"taken out": 1}, None)
    dry = ask(source="deed")
    assert (dry["dry_run"], dry["total"], dry["actions"]) == (True, 2, {"stored": 2})
    assert [memory["text"] for memory in dry["memories"]] == ["orchard grows medlar", "orchard grows quince"]
    assert len(current(app)) == 2
    assert ask(source="deed", confirm=dry["confirm"])["actions"] == {"taken out": 2}
    assert current(app) == {}
