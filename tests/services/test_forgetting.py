"""Forgetting many at once: seen first, then confirmed, and looked for afterwards wherever it was."""

from __future__ import annotations

import shutil
import sqlite3
import threading
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from memory_server.app import MemoryApp
from memory_server.domain.belief import Evidence
from memory_server.domain.errors import Conflict, NotFound
from memory_server.domain.fact import Fact
from memory_server.domain.knowledge import Note
from memory_server.indexes.skill_objects import ids_in_repository
from memory_server.indexes.token_vectors import WIDTH
from memory_server.services import forgetting
from memory_server.services.audit import audit
from memory_server.services.beliefs import Assertion, hold
from memory_server.services.certificate import Certificate, certify
from memory_server.services.forgetting import forget, forget_matching
from memory_server.services.knowledge import store_knowledge
from memory_server.services.learn import learn
from memory_server.services.lesson import Lesson
from memory_server.services.listing import list_memories
from memory_server.services.remember import Statement, record
from memory_server.services.skills import sync_skills
from memory_server.services.upkeep import decay
from memory_server.services.wishes import Wish, forecast
from memory_server.storage import receipts, rows
from memory_server.storage.browse import Filters
from memory_server.storage.database import Database
from memory_server.tools.calls import call_tool
from memory_server.tools.forget import FORGET

NOW = datetime(2023, 1, 2, tzinfo=UTC)
needs_git = pytest.mark.skipif(shutil.which("git") is None, reason="there is no git here")


def say(app: MemoryApp, obj: str, day: float = 0, **more: Any) -> Fact:
    statement = Statement(
        **{"subject": "orchard", "predicate": "grows", "object": obj, "source": "deed", **more}
    )
    with app.database.write() as connection:
        return record(connection, statement, created_by="test", now=NOW + timedelta(days=day)).fact


def texts(app: MemoryApp) -> list[str]:
    found = list_memories(app, Filters(), 100).memories
    return [memory["text"] for memory in found if memory["memory_type"] != "episode"]


def gone(app: MemoryApp, wish: Wish) -> Certificate:
    done = forget_matching(app, wish, forecast(app, wish).confirm, NOW)
    return certify(app, done.traces, drain=app.worker.drain)


def results(certificate: Certificate) -> dict[str, str]:
    return {check.where: check.result for check in certificate.checks}


def words_in_files(app: MemoryApp, *words: str) -> set[str]:
    app.database.close()
    files = [path for path in app.settings.home.rglob("*") if path.is_file()]
    content = b"".join(path.read_bytes() for path in files).lower()
    return {word for word in words if word.encode() in content}


def ask(app: MemoryApp, **arguments: Any) -> dict[str, Any]:
    reply = call_tool(app, FORGET, arguments)
    assert reply.structured is not None, reply.text
    return reply.structured


@pytest.mark.parametrize(
    ("filters", "left"),
    [
        ({"source": "SPAM"}, {"quince", "medlar"}),
        ({"source": "gardener"}, {"medlar", "plum"}),
        ({"tag": "Fruit"}, {"medlar", "plum"}),
        ({"scope": "project:garden"}, {"quince", "plum"}),
        ({"scope": "global"}, {"medlar"}),
        ({"subject": "Orchard"}, set()),
        ({"subject": "orch"}, {"quince", "medlar", "plum"}),
        ({"query": "grows PLUM"}, {"quince", "medlar"}),
        ({"query": "plu"}, {"quince", "medlar", "plum"}),
        ({"created_from": "2023-01-03"}, {"quince"}),
        ({"created_from": "2023-01-03", "created_to": "2023-01-04"}, {"quince", "plum"}),
        ({"memory_type": "belief"}, {"quince", "medlar", "plum"}),
        ({"memory_type": "fact", "source": "spam"}, {"quince", "medlar"}),
        ({"session": "monday"}, {"quince", "medlar", "plum"}),
    ],
    # a set has no order of its own, so its text would name the test anew in each process
    ids=lambda value: str(sorted(value.items() if isinstance(value, dict) else value)),
)
def test_a_filter_forgets_what_it_says_and_nothing_else(
    app: MemoryApp, filters: dict[str, str], left: set[str]
) -> None:
    say(app, "quince", tags=("fruit",))
    say(app, "quince", source="gardener")
    say(app, "medlar", 1, scope="project:garden")
    say(app, "plum", 2, source="spam")
    dry = ask(app, **filters)
    assert dry["dry_run"] and len(texts(app)) == 3
    if dry["total"]:
        done = ask(app, **filters, confirm=dry["confirm"])
        assert (done["total"], done["by_kind"], done["by_source"]) == (
            dry["total"],
            dry["by_kind"],
            dry["by_source"],
        )
        assert done["certificate"]["clean"], done["certificate"]
    assert {text.removeprefix("orchard grows ") for text in texts(app)} == left


def test_a_dry_run_tells_how_many_of_what_and_changes_nothing(app: MemoryApp) -> None:
    for place in range(12):
        say(app, f"apple {place}", source="spam" if place % 3 else "ham")
    say(app, "apple 0", source="third")
    with app.database.write() as connection:
        hold(connection, Assertion("Pears keep", source="spam"), created_by="test", now=NOW)
    with app.database.read() as connection:
        before = connection.exec_driver_sql("SELECT count(*), max(row) FROM receipts").one()
    dry = ask(app, query="apple*")
    assert (dry["total"], dry["by_kind"], dry["by_source"]) == (12, {"fact": 12}, {"spam": 8, "ham": 4})
    assert len(dry["sample"]) == 10 and dry["sample"][0]["text"] == "orchard grows apple 0"
    assert (dry["certificate"], dry["receipt"], dry["lifecycle_state"]) == (None, None, None)
    assert "1 of them are claimed by further sources" in dry["notes"][0]
    with app.database.read() as connection:
        assert connection.exec_driver_sql("SELECT count(*), max(row) FROM receipts").one() == before


def test_a_query_tells_of_archived_memories_that_it_cannot_find(app: MemoryApp) -> None:
    say(app, "quince")
    decay(app, NOW + timedelta(days=100), forget=False)
    dry = ask(app, query="quince")
    assert (dry["total"], dry["confirm"]) == (0, None)
    assert dry["notes"] == ["1 archived memories are in no full text, so query does not find them"]


@pytest.mark.parametrize(
    "change",
    [
        lambda app: say(app, "plum", 1),
        lambda app: say(app, "quince", 1, source="gardener"),
        lambda app: forget(app, list_memories(app, Filters(), 1).memories[0]["id"], NOW),
    ],
    ids=["one more", "one was touched", "one less"],
)
def test_when_something_else_matches_a_confirmation_is_refused_with_a_new_dry_run(
    app: MemoryApp, change: Callable[[MemoryApp], Any]
) -> None:
    say(app, "quince"), say(app, "medlar")
    wish = Wish(filters=Filters(source="deed"))
    confirm = forecast(app, wish).confirm
    change(app)
    kept = texts(app)
    with pytest.raises(Conflict, match="look again") as refused:
        forget_matching(app, wish, confirm, NOW)
    assert refused.value.details["confirm"] == forecast(app, wish).confirm != confirm
    assert refused.value.details["by_source"] and refused.value.details["sample"]
    assert texts(app) == kept


def test_a_confirmation_is_good_for_its_own_filter_alone(app: MemoryApp) -> None:
    say(app, "quince")
    confirm = forecast(app, Wish(filters=Filters(source="deed"))).confirm
    with pytest.raises(Conflict):
        forget_matching(app, Wish(filters=Filters(subject="orchard")), confirm, NOW)


def test_a_confirmation_given_with_an_id_has_to_be_that_of_this_memory_as_it_is(app: MemoryApp) -> None:
    fact, other = say(app, "quince"), say(app, "medlar")
    confirm, another = (forecast(app, Wish(id=one.id)).confirm for one in (fact, other))
    say(app, "quince", 1, source="gardener")
    for stale in (confirm, another, "x"):
        refused = call_tool(app, FORGET, {"id": fact.id, "confirm": stale})
        assert refused.is_error and "conflict" in refused.text and "look again" in refused.text
    assert len(texts(app)) == 2
    done = ask(app, id=fact.id.upper(), confirm=forecast(app, Wish(id=fact.id)).confirm)
    assert done["receipt"]["memory_id"] == fact.id and done["certificate"]["clean"]
    assert texts(app) == ["orchard grows medlar"]


def test_a_confirmation_that_was_used_says_that_nothing_is_left(app: MemoryApp) -> None:
    say(app, "quince")
    wish = Wish(filters=Filters(source="deed"))
    confirm = forecast(app, wish).confirm
    forget_matching(app, wish, confirm, NOW)
    with pytest.raises(Conflict, match="nothing matches any more"):
        forget_matching(app, wish, confirm, NOW)


def test_a_promotion_meanwhile_is_no_change(app: MemoryApp) -> None:
    say(app, "quince", confidence=0.9)
    wish = Wish(filters=Filters(source="deed"))
    confirm = forecast(app, wish).confirm
    app.worker.drain()
    assert list_memories(app, Filters(), 1).memories[0]["lifecycle_state"] == "validated"
    assert forget_matching(app, wish, confirm, NOW).by_kind == {"fact": 1}


def test_what_is_changed_while_others_are_forgotten_stays_and_is_named(
    app: MemoryApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = say(app, "quince"), say(app, "medlar")
    wish = Wish(filters=Filters(source="deed"))
    confirm = forecast(app, wish).confirm
    monkeypatch.setattr(forgetting, "BATCH", 1)
    monkeypatch.setattr(forgetting.time, "sleep", lambda _seconds: say(app, "medlar", 1, source="gardener"))
    done = forget_matching(app, wish, confirm, NOW)
    assert [trace.id for trace in done.traces] == [first.id]
    assert done.changed == [second.id]
    assert texts(app) == ["orchard grows medlar"]


@pytest.mark.parametrize(
    "arguments", [{}, {"confirm": "x"}, {"derived": True}, {"id": "a", "source": "b"}], ids=str
)
def test_it_has_to_be_said_what_is_to_be_forgotten(app: MemoryApp, arguments: dict[str, Any]) -> None:
    reply = call_tool(app, FORGET, arguments)
    assert reply.is_error and '"invalid_argument"' in reply.text


def test_everything_of_one_source_is_gone_from_every_place(app: MemoryApp) -> None:
    learn(
        app,
        Lesson(
            "The xanthoceras grows in the walled garden. We decided on yellowhorn because of the frost.\n\n"
            "How to prune the xanthoceras:\n1. Wait for yellowhorn buds.\n2. Cut.",
            source="spam",
            session="monday",
            extract_beliefs=True,
        ),
    )
    say(app, "xanthoceras", source="spam", tags=("yellowhorn",))
    with app.database.write() as connection:
        hold(connection, Assertion("Xanthoceras bears late", source="spam"), created_by="t", now=NOW)
    store_knowledge(app, Note("On the xanthoceras", "Yellowhorn likes the sun, and no wet feet at all."))
    say(app, "medlar")
    app.worker.drain()
    certificate = gone(app, Wish(filters=Filters(source="spam")))
    assert certificate.clean, certificate
    assert set(certificate.purged) >= {"fact", "decision", "skill", "belief", "episode"}
    certificate = gone(app, Wish(memory_type="knowledge"))
    assert certificate.purged == {"knowledge": 1} and certificate.clean
    assert texts(app) == ["orchard grows medlar"]
    assert set(app.meaning.space.store().ids()) == {
        memory["id"] for memory in list_memories(app, Filters(), 5).memories
    }
    assert words_in_files(app, "xanthoceras", "yellowhorn", "medlar") == {"medlar"}


def test_pages_that_were_split_keep_no_copy_after_forgetting_many(app: MemoryApp) -> None:
    from memory_server.policies.text import digest

    names = [f"plant{digest(str(number))[:12]}" for number in range(700)]
    for name in names:
        say(app, name, source="spam")
    certificate = gone(app, Wish(filters=Filters(source="spam")))
    assert certificate.purged == {"fact": 700} and certificate.clean
    assert words_in_files(app, *names) == set()


def test_receipts_and_moves_of_each_stay(app: MemoryApp) -> None:
    facts = [say(app, f"apple {place}") for place in range(3)]
    gone(app, Wish(filters=Filters(source="deed")))
    with app.database.read() as connection:
        for fact in facts:
            proofs = receipts.of(connection, fact.id)
            assert [proof.created_by for proof in proofs] == ["test", "forget"]
            assert "apple" not in str(proofs)


@pytest.mark.parametrize("derived", [False, True])
def test_what_was_learned_from_an_episode_is_listed_or_forgotten_with_it(
    app: MemoryApp, derived: bool
) -> None:
    learned = learn(app, Lesson("The orchard uses drip irrigation.", source="visit"))
    assert learned.episode is not None
    episode_id, fact_id = learned.episode.memory.id, learned.facts[0].memory.id
    if not derived:
        done = ask(app, id=episode_id)
        assert done["certificate"]["derived"] == {
            "count": 1,
            "first": [{"memory_type": "fact", "id": fact_id}],
        }
        assert texts(app) == ["orchard uses drip irrigation"]
        return
    dry = ask(app, id=episode_id, derived=True)
    assert (dry["dry_run"], dry["by_kind"], dry["id"]) == (True, {"fact": 1, "episode": 1}, episode_id)
    done = ask(app, id=episode_id, derived=True, confirm=dry["confirm"])
    assert done["certificate"]["derived"]["count"] == 0
    assert done["certificate"]["clean"]
    assert words_in_files(app, "irrigation") == set()


def test_what_was_learned_from_a_forgotten_episode_can_be_forgotten_later(app: MemoryApp) -> None:
    episode = learn(app, Lesson("The orchard uses drip irrigation.")).episode
    assert episode is not None
    assert ask(app, id=episode.memory.id)["certificate"]["derived"]["count"] == 1
    dry = ask(app, id=episode.memory.id, derived=True)
    assert (dry["by_kind"], dry["notes"]) == ({"fact": 1}, [])
    ask(app, id=episode.memory.id, derived=True, confirm=dry["confirm"])
    assert texts(app) == []


def test_the_certificate_names_the_text_that_still_tells_it(app: MemoryApp) -> None:
    learned = learn(app, Lesson("The orchard uses drip irrigation.", source="visit"))
    assert learned.episode is not None
    done = ask(app, id=learned.facts[0].memory.id)
    assert done["certificate"]["still_told_by"] == [learned.episode.memory.id]


def test_beliefs_that_rested_on_it_are_named_and_lose_its_support(app: MemoryApp) -> None:
    fact = say(app, "quince")
    ground = Evidence(source_type="fact", source_id=fact.id)
    with app.database.write() as connection:
        held = hold(
            connection, Assertion("Quinces do well", evidence=(ground,)), created_by="test", now=NOW
        ).belief
    certificate = gone(app, Wish(filters=Filters(source="deed")))
    assert certificate.dependent_beliefs == {
        "count": 1,
        "first": [{"id": held.id, "evidence": [fact.id]}],
    }
    assert results(certificate)["beliefs"] == "clean"


SABOTAGE: list[tuple[str, Callable[[MemoryApp, Fact], Any]]] = [
    ("rows", lambda app, fact: _sql(app, "UPDATE facts SET object = 'quince' WHERE id = ?", fact.id)),
    (
        "full_text",
        lambda app, fact: _sql(
            app,
            "INSERT INTO facts_fts (rowid, subject, predicate, object, tags, grams) "
            "SELECT row, 'orchard', 'grows', 'quince', '[]', '' FROM facts WHERE id = ?",
            fact.id,
        ),
    ),
    ("vectors", lambda app, fact: _put_vector(app, fact)),
    ("vectors", lambda app, fact: _put_tokens(app, fact)),
    ("graph", lambda app, fact: app.network.current().put(fact.id, "orchard", "grows", "quince")),
    (
        "beliefs",
        lambda app, fact: _sql(app, "UPDATE facts SET lifecycle_state = 'active' WHERE id = ?", fact.id),
    ),
    ("files", lambda app, _fact: _sql(app, "INSERT INTO meta VALUES ('remains', ?)", "a mark")),
]


def _sql(app: MemoryApp, statement: str, value: str) -> None:
    with app.database.write() as connection:
        connection.exec_driver_sql(statement, (value,))


def _put_vector(app: MemoryApp, fact: Fact) -> None:
    rows_of_it = app.meaning.space.embeddings().rows([(99, "fact", fact, fact.sentence())])
    app.meaning.space.store().upsert(rows_of_it, stale_pieces_of=[])


def _put_tokens(app: MemoryApp, fact: Fact) -> None:
    (row,) = app.meaning.space.embeddings().rows([(99, "fact", fact, fact.sentence())])
    tokens = np.ones((1, WIDTH), dtype=np.int8)
    app.meaning.space.tokens().put([replace(row, tokens=tokens)], gone=[])


@pytest.mark.parametrize(
    ("where", "spoil"), SABOTAGE, ids=[f"{number} {where}" for number, (where, _) in enumerate(SABOTAGE)]
)
def test_a_certificate_finds_what_came_back(
    app: MemoryApp, where: str, spoil: Callable[[MemoryApp, Fact], Any]
) -> None:
    fact = say(app, "quince")
    ground = Evidence(source_type="fact", source_id=fact.id)
    with app.database.write() as connection:
        hold(connection, Assertion("Quinces do well", evidence=(ground,)), created_by="test", now=NOW)
    app.worker.drain()
    done = forget(app, fact.id, NOW)
    assert certify(app, done.traces, drain=app.worker.drain).clean
    spoil(app, fact)
    certificate = certify(app, done.traces, drain=app.worker.drain)
    assert not certificate.clean
    assert results(certificate)[where] == "found"


@needs_git
def test_a_certificate_finds_a_skill_in_the_history_of_its_repository(app: MemoryApp) -> None:
    learned = learn(app, Lesson("How to prune the quince:\n1. Wait for frost.\n2. Cut."))
    kept = app.settings.home / "kept"
    shutil.copytree(app.settings.skills_path / ".git", kept)
    done = forget(app, learned.skills[0].memory.id, NOW)
    assert results(certify(app, done.traces, drain=app.worker.drain))["skills_repository"] == "clean"
    shutil.rmtree(app.settings.skills_path / ".git")
    shutil.copytree(kept, app.settings.skills_path / ".git")
    assert results(certify(app, done.traces, drain=app.worker.drain))["skills_repository"] == "found"


def test_what_could_not_be_looked_at_is_said(app: MemoryApp, monkeypatch: pytest.MonkeyPatch) -> None:
    from memory_server.indexes.ports import IndexUnavailable

    def refuse() -> Any:
        raise IndexUnavailable("the disk is gone")

    done = forget(app, say(app, "quince").id, NOW)
    app.worker.drain()
    monkeypatch.setattr(app.meaning.space, "store", refuse)
    certificate = certify(app, done.traces)
    (vectors,) = (check for check in certificate.checks if check.where == "vectors")
    assert (vectors.result, certificate.clean) == ("not_checked", False)
    assert "the disk is gone" in vectors.note


def test_vectors_that_nobody_has_removed_yet_are_not_called_clean(app: MemoryApp) -> None:
    fact = say(app, "quince")
    app.worker.drain()
    done = forget(app, fact.id, NOW)
    certificate = certify(app, done.traces, seconds=0)
    assert results(certificate)["vectors"] == "not_checked"
    assert certificate.not_covered


def test_an_index_that_cannot_be_fed_is_not_waited_for(
    app: MemoryApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    from memory_server.indexes.ports import IndexUnavailable

    def refuse(_changes: Any) -> None:
        raise IndexUnavailable("the model is gone")

    monkeypatch.setattr(app.meaning, "project", refuse)
    done = forget(app, say(app, "quince").id, NOW)
    certificate = certify(app, done.traces, drain=app.worker.drain, seconds=600)
    (vectors,) = (check for check in certificate.checks if check.where == "vectors")
    assert vectors.result == "not_checked" and "the model is gone" in vectors.note


@pytest.mark.parametrize("left", ["older-model-384.lance", "tokens-older-model-384-signs-1-1.db"])
def test_vectors_of_a_model_used_before_are_not_called_clean(app: MemoryApp, left: str) -> None:
    fact = say(app, "quince")
    app.worker.drain()
    folder = app.meaning.space.vectors_path
    (folder / left).mkdir(parents=True) if left.endswith("lance") else (folder / left).touch()
    certificate = ask(app, id=fact.id)["certificate"]
    (vectors,) = (check for check in certificate["checks"] if check["where"] == "vectors")
    assert (vectors["result"], certificate["clean"]) == ("not_checked", False)
    assert left in vectors["note"] and "deleted" in vectors["note"]


def test_vectors_that_were_set_aside_are_named(app: MemoryApp) -> None:
    vectors = app.meaning.space.vectors_path
    aside = vectors.with_name(f"{vectors.name}.damaged-20230101T000000")
    aside.mkdir(parents=True)
    assert f"{aside} was set aside" in ask(app, id=say(app, "quince").id)["certificate"]["not_covered"]


def test_backups_that_were_made_before_are_named(app: MemoryApp) -> None:
    from memory_server.services.backup import back_up

    fact = say(app, "quince")
    back_up(app)
    told = ask(app, id=fact.id)["certificate"]["not_covered"]
    assert told[0].startswith("1 files in ") and "backups" in told[0]


def test_a_command_leaves_no_old_vector_files_behind(app: MemoryApp, monkeypatch: pytest.MonkeyPatch) -> None:
    fact = say(app, "quince")
    app.worker.drain()
    merged: list[bool] = []
    monkeypatch.setattr(app.meaning.space, "compact", lambda: merged.append(True))
    ask(app, id=fact.id)
    assert merged


def test_an_open_reader_is_told_of_and_the_log_is_emptied_later(app: MemoryApp) -> None:
    done = forget(app, say(app, "quince").id, NOW)
    with sqlite3.connect(app.settings.database_path) as other:
        other.execute("BEGIN")
        other.execute("SELECT count(*) FROM facts").fetchall()
        say(app, "medlar")
        assert results(certify(app, done.traces, drain=app.worker.drain))["files"] == "not_checked"
        other.rollback()
    other.close()
    assert results(certify(app, done.traces, drain=app.worker.drain))["files"] == "clean"


def test_a_worker_that_read_it_before_cannot_bring_it_back(open_memory: Any, monkeypatch: Any) -> None:
    with open_memory() as late, open_memory() as owner:
        fact = say(late, "quince")
        project = late.meaning.project

        def slowly(changes: Any) -> None:
            # the lease runs out while it embeds; the owner's process takes over, forgets and settles
            with owner.database.write() as connection:
                connection.exec_driver_sql("UPDATE leases SET expires_at = 0")
            forget(owner, fact.id, NOW)
            owner.worker.drain()
            project(changes)

        monkeypatch.setattr(late.meaning, "project", slowly)
        late.worker.drain()
        monkeypatch.setattr(late.meaning, "project", project)
        owner.worker.drain()
        late.worker.drain()
        assert owner.meaning.space.store().ids() == {}
        traces = [forgetting.Trace("fact", fact.id, 1)]
        assert results(certify(owner, traces, drain=owner.worker.drain))["vectors"] == "clean"


def test_changes_that_wait_since_before_do_not_bring_it_back(app: MemoryApp) -> None:
    facts = [say(app, f"apple {place}") for place in range(5)]
    gone(app, Wish(filters=Filters(source="deed")))
    with app.database.write() as connection:
        # as if the worker had settled none of them
        connection.exec_driver_sql("UPDATE outbox SET state = 'pending', attempts = 0")
    app.worker.drain()
    assert app.meaning.space.store().ids() == {}
    assert app.network.current().fact_ids() == set()
    assert len(facts) == 5


@needs_git
def test_skill_files_that_another_process_writes_late_do_not_stay(
    app: MemoryApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    from memory_server.indexes.skill_files import SkillFiles

    learned = learn(app, Lesson("How to prune the quince:\n1. Wait for frost.\n2. Cut."))
    skill = learned.skills[0].memory
    sync, calls = SkillFiles.sync, []

    def late(self: SkillFiles, skills: Any) -> int:
        calls.append(len(skills))
        if len(calls) == 1:
            # another process forgets it between the reading and the writing, and dies before it comes to the files
            monkeypatch.setattr(forgetting, "sync_skills", lambda _parts: None)
            forget(app, skill.id, NOW)
        return sync(self, skills)

    monkeypatch.setattr(SkillFiles, "sync", late)
    sync_skills(app)
    assert calls == [1, 0]
    left = [path for path in app.settings.skills_path.rglob("*") if path.is_file()]
    assert not any(b"frost" in path.read_bytes() for path in left)
    assert ids_in_repository(app.settings.skills_path, [skill.id]) == set()


@needs_git
def test_skill_files_that_a_killed_process_left_go_with_the_next_upkeep(
    app: MemoryApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    skill = learn(app, Lesson("How to prune the quince:\n1. Wait for frost.\n2. Cut.")).skills[0].memory

    def die(*_any: Any) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as killed, pytest.raises(KeyboardInterrupt):
        killed.setattr(forgetting, "sync_skills", die)
        forget(app, skill.id, NOW)
    assert ids_in_repository(app.settings.skills_path, [skill.id]) == {skill.id}
    assert [found["code"] for found in audit(app, "full", NOW).at("info")] == ["forgotten_remains"]
    decay(app, NOW)
    assert ids_in_repository(app.settings.skills_path, [skill.id]) == set()
    assert audit(app, "full", NOW).at("info") == []


def test_others_write_while_many_are_forgotten(app: MemoryApp) -> None:
    for place in range(600):
        say(app, f"apple {place}", source="spam")
    other = Database(Path(app.settings.database_path), synchronous="OFF")
    wish = Wish(filters=Filters(source="spam"))
    confirm = forecast(app, wish).confirm
    stop, written = threading.Event(), []

    def write() -> None:
        while not stop.is_set():
            with other.write() as connection:
                statement = Statement("barn", "counts", str(len(written)), source="deed")
                written.append(record(connection, statement, created_by="other", now=NOW).fact.id)

    thread = threading.Thread(target=write)
    thread.start()
    try:
        done = forget_matching(app, wish, confirm, NOW)
    finally:
        stop.set()
        thread.join()
        other.close()
    assert done.by_kind == {"fact": 600} and not done.changed
    with app.database.read() as connection:
        assert len(rows.by_ids(connection, Fact, written)) == len(written) > 3


def test_an_unknown_id_is_not_found_whether_confirmed_or_not(app: MemoryApp) -> None:
    wish = Wish(id="nobody", derived=True)
    with pytest.raises(NotFound):
        forecast(app, wish)
    with pytest.raises(NotFound):
        forget_matching(app, wish, "x", NOW)
