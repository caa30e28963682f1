from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_server.policies.conflict import (
    SINGLE_VALUED,
    Triple,
    canonical_predicate,
    conflicting,
    is_single_valued,
    objects_differ,
)


@pytest.mark.parametrize("predicate", sorted(SINGLE_VALUED))
def test_a_predicate_of_the_table_has_one_value_at_a_time(predicate: str) -> None:
    assert canonical_predicate(predicate) == predicate
    assert is_single_valued(predicate)
    assert conflicting(Triple("Falcon", predicate, "one"), Triple("Falcon", predicate, "another"))


@pytest.mark.parametrize(
    "predicate",
    [
        "is",
        "runs_on",
        "uses",
        "likes",
        "has",
        "knows",
        "depends_on",
        "listens_on",
        "speaks",
        "tagged",
        "not_lives_in",
    ],
)
def test_other_predicates_can_have_many(predicate: str) -> None:
    assert not is_single_valued(predicate)
    assert not conflicting(Triple("Falcon", predicate, "one"), Triple("Falcon", predicate, "another"))


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("has_ip", "has_ip"),
        ("IP address", "has_ip"),
        ("hasIp", "has_ip"),
        ("hasip", "has_ip"),
        ("livesin", "lives_in"),
        ("ipaddress", "has_ip"),
        ("ip-address", "has_ip"),
        ("lives in", "lives_in"),
        ("Resides  in", "lives_in"),
        ("works for", "works_at"),
        ("is located in", "located_in"),
        ("wasBornIn", "born_in"),
        ("colour", "color"),
        ("Zeitzone", "zeitzone"),
        ("is", "is"),
        ("住在", "住在"),
        ("->", "->"),
    ],
)
def test_predicates_have_a_canonical_name(text: str, canonical: str) -> None:
    assert canonical_predicate(text) == canonical


def test_settings_can_name_more_predicates() -> None:
    facts = Triple("Ana", "favourite tea", "green"), Triple("Ana", "favourite_tea", "black")
    assert not conflicting(*facts)
    assert conflicting(*facts, extra=["Favourite Tea"])


@pytest.mark.parametrize(
    ("a", "b", "differ"),
    [
        ("Oslo", "Bergen", True),
        ("Oslo", "oslo", False),
        ("Oslo", " OSLO. ", False),
        ("New  York", "new york", False),
        ("Ｏｓｌｏ", "Oslo", False),
        ("straße", "STRASSE", False),
        ("the kitchen", "Kitchen", False),
        ("10.0.0.1", "10.0.0.2", True),
        ("v1.2.0", "1.2.0", False),
        ("1.2.0", "1.2.1", True),
        ("3.1", "3.10", True),
        ("16 GB", "16GB", False),
        ("1024 MB", "1 GB", False),
        ("1000 MB", "1 GB", False),
        ("16 GB", "32 GB", True),
        ("90 minutes", "1.5 hours", False),
        ("ten", "10", False),
        ("1,000", "1000", False),
        ("5 kg", "5 GB", True),
        ("5", "5 kg", True),
        ("at least 3", "3", True),
        ("50%", "50 percent", False),
        ("", ".", True),
    ],
)
def test_objects_are_compared_by_what_they_mean(a: str, b: str, differ: bool) -> None:
    assert objects_differ(a, b) is differ
    assert objects_differ(b, a) is differ


@pytest.mark.parametrize(
    ("a", "b", "conflict"),
    [
        (("Falcon", "has_ip", "10.0.0.1"), ("falcon", "IP address", "10.0.0.2"), True),
        (("Falcon", "has_ip", "10.0.0.1"), ("Falcon", "has_ip", "10.0.0.1 "), False),
        (("Falcon", "has_ip", "10.0.0.1"), ("Heron", "has_ip", "10.0.0.2"), False),
        (("Falcon", "has_ip", "10.0.0.1"), ("Falcon", "has_ipv6", "fe80::1"), False),
        (("Ana", "lives_in", "Oslo"), ("Ana", "lives in", "Bergen"), True),
        (("Ana", "works_at", "Acme"), ("Ana", "employed_by", "Globex"), True),
        (("Ana", "born_in", "1990"), ("Ana", "born_in", "1991"), True),
        (("Falcon", "status", "up"), ("Falcon", "status", "down"), True),
        (("Falcon", "is", "fast"), ("Falcon", "is", "slow"), False),
        (("Falcon", "runs_on", "Linux"), ("Falcon", "runs_on", "BSD"), False),
        (("Ana", "likes", "tea"), ("Ana", "likes", "coffee"), False),
    ],
)
def test_facts_conflict(a: tuple[str, str, str], b: tuple[str, str, str], conflict: bool) -> None:
    assert conflicting(Triple(*a), Triple(*b)) is conflict
    assert conflicting(Triple(*b), Triple(*a)) is conflict


@given(st.text(), st.text())
def test_any_objects_can_be_compared_either_way_round(a: str, b: str) -> None:
    assert objects_differ(a, b) == objects_differ(b, a)
    assert not objects_differ(a, a)


@given(st.text())
def test_a_canonical_name_is_its_own_canonical_name(text: str) -> None:
    once = canonical_predicate(text)
    assert isinstance(once, str)
    is_single_valued(text, [text])
