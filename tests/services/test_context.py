"""What get_context hands out, and in which order."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from memory_server.app import MemoryApp
from memory_server.domain.errors import InvalidArgument
from memory_server.domain.fact import Fact
from memory_server.domain.memory import rfc3339
from memory_server.services.context import Context, get_context
from memory_server.services.conversations import Turn, import_turns
from memory_server.services.remember import Statement, record, remember

NOW = datetime(2026, 3, 9, 12, tzinfo=UTC)


def say(
    app: MemoryApp, subject: str, predicate: str, obj: str, source: str = "manual", days: float = 0
) -> Fact:
    with app.database.write() as connection:
        moment = NOW + timedelta(days=days)
        return record(
            connection, Statement(subject, predicate, obj, 0.8, source), created_by="test", now=moment
        ).fact


def objects(context: Context) -> list[str]:
    return [fact.object for fact in context.facts]


def texts(context: Context) -> list[str]:
    return [item["text"] for item in context.related]


def test_an_empty_task_is_refused(app: MemoryApp) -> None:
    with pytest.raises(InvalidArgument):
        get_context(app, " \n")


def test_nothing_stored_gives_nothing_and_says_so(app: MemoryApp) -> None:
    context = get_context(app, "what grows in the orchard?")
    assert (context.facts, context.related, context.answerable) == ([], [], 0.0)


def test_what_was_just_stored_is_found_with_the_signals_that_found_it(app: MemoryApp) -> None:
    remember(app, Statement("orchard", "grows", "quince and medlar"))
    (fact,) = get_context(app, "what grows in the orchard?").facts
    assert fact.object == "quince and medlar"
    assert {"words", "relation"} <= set(fact.why)


def test_the_fact_that_fits_best_comes_first(app: MemoryApp) -> None:
    for number, thing in enumerate("rakes pots seeds twine boots nets saws oars".split()):
        say(app, f"shed {number}", "holds", f"old {thing}")
    say(app, "shed 3", "locked_with", "a brass key under the third flowerpot")
    assert objects(get_context(app, "where is the brass key of shed 3?"))[0].startswith("a brass key")


def test_nearly_the_same_is_shown_once_and_the_list_refilled(app: MemoryApp) -> None:
    for end in (".", "!", " .", "?"):
        say(app, "ferry", "leaves", f"pier nine at dawn on weekdays{end}")
    say(app, "ferry", "carries", "forty bicycles")
    shown = objects(get_context(app, "when does the ferry leave pier nine?", max_results=2))
    assert "forty bicycles" in shown


def test_contradictions_stand_side_by_side(app: MemoryApp) -> None:
    say(app, "orchard", "located_in", "Kent", source="deed")
    say(app, "orchard", "located_in", "Sussex", source="gossip")
    for number in range(6):
        say(app, f"orchard wall {number}", "built_of", "flint")
    shown = objects(get_context(app, "where is the orchard located?"))
    assert abs(shown.index("Kent") - shown.index("Sussex")) == 1


def test_closed_facts_are_left_out_and_found_as_of_their_time(app: MemoryApp) -> None:
    say(app, "ferry", "has_port", "pier four")
    say(app, "ferry", "has_port", "pier nine", days=10)
    assert objects(get_context(app, "which pier is the port of the ferry?")) == ["pier nine"]
    then = rfc3339(NOW + timedelta(days=5))
    assert objects(get_context(app, "which pier is the port of the ferry?", as_of=then)) == ["pier four"]


def test_a_question_about_now_prefers_what_is_newer(app: MemoryApp) -> None:
    for days, colour in enumerate(("grey", "green", "blue")):
        say(app, "boathouse door", "painted", f"{colour} paint", days=days)
    assert objects(get_context(app, "how is the boathouse door painted now?"))[0] == "blue paint"


def test_only_facts_about_the_subject_when_one_is_given(app: MemoryApp) -> None:
    say(app, "ferry", "carries", "bicycles")
    say(app, "bus", "carries", "bicycles")
    facts = get_context(app, "what carries bicycles?", subject="Ferry").facts
    assert [fact.subject for fact in facts] == ["ferry"]


TALK = [
    Turn("Have you found a name for the boat?", "monday", "Ines", "2026-03-02T10:00:00.000000Z", "t1"),
    Turn(
        "Marigold, after the ferry of my childhood.", "monday", "Tomas", "2026-03-02T10:00:00.000000Z", "t2"
    ),
    Turn("The rudder has a crack near the hinge.", "friday", "Tomas", "2026-05-08T10:00:00.000000Z", "t3"),
    Turn("Ok.", "friday", "Ines", "2026-05-08T10:00:00.000000Z", "t4"),
    Turn(
        "You could glue the crack of the rudder.", "friday", "assistant", "2026-05-08T10:00:00.000000Z", "t5"
    ),
    Turn("The oven is far too small for the bread.", "sunday", "Ines", "2026-07-05T10:00:00.000000Z", "t6"),
]


def test_the_answer_is_found_by_the_question_before_it(app: MemoryApp) -> None:
    import_turns(app, TALK)
    shown = texts(get_context(app, "What name did they find for the boat?", max_results=2))
    assert any("Marigold" in text for text in shown)


def test_what_the_named_person_said_comes_before_what_the_assistant_said(app: MemoryApp) -> None:
    import_turns(app, TALK)
    shown = texts(get_context(app, "What did Tomas say about the crack of the rudder?"))
    assert shown[0] == "Tomas: The rudder has a crack near the hinge."


def test_the_assistants_own_advice_comes_first_where_it_is_asked_for(app: MemoryApp) -> None:
    import_turns(app, TALK)
    shown = texts(get_context(app, "What was your advice: could you glue the crack of the rudder?"))
    assert shown[0].startswith("assistant:")


def test_a_day_that_the_question_names_lifts_what_was_said_about_then(app: MemoryApp) -> None:
    import_turns(
        app,
        [
            Turn(
                "We had soup for lunch at the inn.",
                f"s{month}",
                "Ines",
                f"2026-{month:02}-08T10:00:00.000000Z",
            )
            for month in range(1, 10)
        ],
    )
    found = get_context(app, "What did we have for lunch in April 2026?", max_results=1).related
    with app.database.read() as connection:
        (when,) = connection.exec_driver_sql(
            "SELECT occurred_at FROM episodes WHERE id = ?", (found[0]["id"],)
        ).one()
    assert when.startswith("2026-04")


def test_the_same_words_are_related_once(app: MemoryApp) -> None:
    import_turns(app, [Turn("The tide turns at six.", f"s{number}", "Ines") for number in range(5)])
    assert texts(get_context(app, "when does the tide turn?")) == ["Ines: The tide turns at six."]


def test_nothing_said_after_as_of_is_related(app: MemoryApp) -> None:
    import_turns(app, TALK)
    shown = texts(get_context(app, "rudder crack boat name", as_of="2026-04-01T00:00:00.000000Z"))
    assert shown
    assert not any("rudder" in text for text in shown)


def test_answerable_is_higher_for_what_is_known(app: MemoryApp) -> None:
    import_turns(app, TALK)
    known = get_context(app, "Where does the rudder have a crack?").answerable
    unknown = get_context(app, "Which violinist won the competition in Prague?").answerable
    assert unknown < 0.2
    assert known > unknown + 0.2
