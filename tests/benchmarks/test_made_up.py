"""The data that speed is measured on."""

from __future__ import annotations

from itertools import islice

from memory_server.benchmarks.made_up import facts, keyword_queries, questions
from memory_server.policies.routing import DEFAULT_RULES, match_rule


def test_the_same_seed_makes_the_same_facts_and_another_makes_others() -> None:
    one, again, other = (list(islice(facts(seed), 50)) for seed in (1, 1, 2))
    assert one == again
    assert not set(one) & set(other)


def test_no_fact_is_made_twice() -> None:
    made = list(islice(facts(7), 5000))
    assert len({(fact.subject, fact.predicate, fact.object) for fact in made}) == len(made)


def test_no_question_is_taken_by_a_rule_of_the_router() -> None:
    asked = [*islice(questions(4), 500), *islice(keyword_queries(3), 500)]
    assert [text for text in asked if match_rule(text, DEFAULT_RULES)] == []
