"""Which days a question is about."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_server.policies.periods import (
    Period,
    asks_only_when,
    event_in,
    nearness,
    period_of_event,
    periods_in,
)

ASKED = date(2024, 8, 21)  # a Wednesday


def days(first: str, last: str | None = None) -> Period:
    return Period(date.fromisoformat(first), date.fromisoformat(last or first))


MAY = Period(date(2024, 5, 1), date(2024, 5, 31))


@pytest.mark.parametrize(
    ("question", "periods"),
    [
        ("on 8 May 2024", [Period(date(2024, 5, 8), date(2024, 5, 8))]),
        ("on May 8th, 2024?", [Period(date(2024, 5, 8), date(2024, 5, 8))]),
        ("the 8th of May", [Period(date(2024, 5, 8), date(2024, 5, 8))]),
        ("2024-05-08", [Period(date(2024, 5, 8), date(2024, 5, 8))]),
        ("in May 2024", [MAY]),
        ("in 2024-05", [MAY]),
        ("December 2024", [Period(date(2024, 12, 1), date(2024, 12, 31))]),
        ("31 June 2024", []),
        ("may I have 8 of them?", []),
        ("yesterday", []),
        ("in spring 2023", [Period(date(2023, 3, 1), date(2023, 5, 31))]),
        ("the summer of 2023", [Period(date(2023, 6, 1), date(2023, 8, 31))]),
        ("winter 2023", [Period(date(2023, 12, 1), date(2024, 2, 29))]),
        ("in 2023", [Period(date(2023, 1, 1), date(2023, 12, 31))]),
        ("they march on and fall in", []),
    ],
)
def test_days_and_months_are_read_out_of_a_question(question: str, periods: list[Period]) -> None:
    assert periods_in(question, [2024]) == periods


def test_a_day_without_a_year_is_meant_in_each_year_of_the_talk() -> None:
    assert [period.first.year for period in periods_in("on 3 March", [2023, 2024])] == [2023, 2024]


@pytest.mark.parametrize(
    ("day", "near"),
    [
        (date(2024, 5, 8), 1.0),
        (date(2024, 5, 31), 1.0),
        (date(2024, 6, 10), 1 - 10 / 21),
        (date(2024, 4, 20), 1 - 11 / 21),
        (date(2024, 8, 1), 0.0),
    ],
)
def test_nearness_fades_over_three_weeks(day: date, near: float) -> None:
    assert nearness(day, [MAY]) == pytest.approx(near)
    assert nearness(day, []) == 0.0


@pytest.mark.parametrize(
    ("question", "period"),
    [
        ("what did we say yesterday?", days("2024-08-20")),
        ("the day before yesterday", days("2024-08-19")),
        ("what broke last night", days("2024-08-20")),
        ("three days ago", days("2024-08-18")),
        ("a week ago", days("2024-08-11", "2024-08-17")),
        ("a couple of months ago", days("2024-06-06", "2024-07-06")),
        ("who called on Friday?", days("2024-08-16")),
        ("last Tuesday", days("2024-08-20")),
        ("last week", days("2024-08-12", "2024-08-18")),
        ("last weekend", days("2024-08-17", "2024-08-18")),
        ("last month", days("2024-07-01", "2024-07-31")),
        ("last year", days("2023-01-01", "2023-12-31")),
        ("in the last ten days", days("2024-08-11", "2024-08-21")),
        ("last spring", days("2024-03-01", "2024-05-31")),
        ("last summer", days("2023-06-01", "2023-08-31")),
        ("this summer", days("2024-06-01", "2024-08-31")),
        ("last winter", days("2023-12-01", "2024-02-29")),
        ("last August", days("2023-08-01", "2023-08-31")),
        ("in March", days("2024-03-01", "2024-03-31")),
        ("since 2023", Period(date(2023, 1, 1), date.max)),
        ("was habe ich gestern gesagt?", days("2024-08-20")),
        ("letzte Woche", days("2024-08-12", "2024-08-18")),
        ("что мы решили вчера?", days("2024-08-20")),
        ("две недели назад", days("2024-08-04", "2024-08-10")),
        ("la semaine dernière", days("2024-08-12", "2024-08-18")),
        ("el mes pasado", days("2024-07-01", "2024-07-31")),
    ],
)
def test_words_of_time_are_meant_from_the_day_of_asking(question: str, period: Period) -> None:
    assert periods_in(question, [2024], ASKED) == [period]


def test_the_last_weekend_is_not_the_one_that_is_going_on() -> None:
    assert periods_in("last weekend", (), date(2024, 8, 18)) == [days("2024-08-10", "2024-08-11")]


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("where did we keep the keys before we moved?", ("before", "we moved")),
        ("After the release, who was on call?", ("after", "the release")),
        ("what has changed since the outage", ("since", "the outage")),
        ("what was said during the review?", ("during", "the review")),
        ("who came before?", None),
        ("after 5", None),
        ("the aftermath", None),
    ],
)
def test_an_event_is_told_from_the_words_before_it(question: str, found: tuple[str, str] | None) -> None:
    assert event_in(question) == found


def test_before_an_event_is_every_day_up_to_it_and_after_it_every_day_from_it_on() -> None:
    day = date(2024, 5, 8)
    assert nearness(date(2020, 1, 1), [period_of_event("before", day)]) == 1.0
    assert nearness(date(2024, 8, 1), [period_of_event("before", day)]) == 0.0
    assert nearness(date(2020, 1, 1), [period_of_event("since", day)]) == 0.0
    assert nearness(date(2030, 1, 1), [period_of_event("after", day)]) == 1.0
    assert nearness(date(2024, 6, 8), [period_of_event("during", day)]) == 0.0


@given(st.text(), st.dates())
def test_any_text_may_be_asked_on_any_day(text: str, asked: date) -> None:
    for period in periods_in(text, [asked.year], asked):
        assert period.first <= period.last
    event_in(text)


@pytest.mark.parametrize(
    ("question", "only"),
    [
        ("What happened yesterday?", True),
        ("what did we do last week?", True),
        ("what is new in May 2023", True),
        ("What did we talk about in the last 3 days?", True),
        ("Summarize last spring", True),
        ("What did we decide yesterday?", False),
        ("who broke the crane last spring?", False),
        ("вчера кран", False),
    ],
)
def test_a_question_for_some_days_alone_is_told_from_others(question: str, only: bool) -> None:
    assert asks_only_when(question) is only


PHRASES = """999 years ago|a year ago|12 months ago|3 weeks ago|in 0001-01|0000-00-00|last 999 years|9999-12|
on 30 February|29 February 2023|December 9999|in December|winter 9999|in winter|last winter|last spring|last May|
last weekend|past weekend|the day before yesterday|last monday|last week|last month|previous year|since 1999|
in the past 3 weeks|on sunday|vorgestern|2 недели назад|letztes Jahr|la semaine dernière""".replace(
    "\n", ""
).split("|")
EDGES = st.one_of(
    st.dates(max_value=date(3, 1, 1)), st.dates(min_value=date(9998, 6, 1)), st.just(date(2024, 2, 29))
)


@given(
    st.lists(st.sampled_from(PHRASES), min_size=1, max_size=3), EDGES, st.sampled_from([0, 1, 2, 2024, 9999])
)
def test_times_at_the_edges_of_the_calendar_are_let_pass(said: list[str], asked: date, year: int) -> None:
    for period in periods_in(" and ".join(said), [year], asked):
        assert period.first <= period.last
