from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_server.policies.propositions.antonyms import AXES, GROUP_OF, axis_names, opposition
from memory_server.policies.relations import context_of, parse, relate, topic_keys

C, E, N = "contradiction", "entailment", "neutral"

RELATIONS = [
    (C, "Docker is better than Podman", "Docker is worse than Podman"),
    (E, "Docker is better than Podman", "Podman is worse than Docker"),
    (C, "Docker is better than Podman", "Podman is better than Docker"),
    (C, "Docker is better than Podman", "Docker is not better than Podman"),
    (E, "Podman is better than Docker", "Docker is not better than Podman"),
    (N, "Docker is not better than Podman", "Docker is not worse than Podman"),
    (C, "Rust is faster than Go", "Go is faster than Rust"),
    (C, "Rust is faster than Go", "Rust is slower than Go"),
    (E, "Rust is faster than Go", "Go is slower than Rust"),
    (C, "Rust is as fast as C", "Rust is slower than C"),
    (E, "Rust is faster than C", "Rust is as fast as C"),
    (C, "Rust is not as fast as C", "Rust is faster than C"),
    (E, "Rust is not as fast as C", "Rust is slower than C"),
    (C, "Postgres is more reliable than MySQL", "Postgres is less reliable than MySQL"),
    (C, "Postgres uses more memory than MySQL", "Postgres uses less memory than MySQL"),
    (E, "Postgres uses more memory than MySQL", "MySQL uses less memory than Postgres"),
    (C, "Tom runs faster than Ann", "Ann runs faster than Tom"),
    (E, "Redis outperforms Memcached", "Memcached is worse than Redis"),
    (C, "Redis outperforms Memcached", "Memcached outperforms Redis"),
    (C, "Ann prefers tea to coffee", "Ann prefers coffee over tea"),
    (N, "Rust is faster than Go", "Rust is faster than Python"),
    (N, "Rust is faster than Go", "Rust is harder than Go"),
    (N, "Rust is faster than Go", "Zig is faster than Go"),
    (C, "Pump A is loud", "Pump A is silent"),
    (N, "Pump A is loud", "Pump B is silent"),
    (C, "The service is enabled", "The service is disabled"),
    (E, "The service is not enabled", "The service is disabled"),
    (E, "Pump A is silent", "Pump A is not loud"),
    (N, "Pump A is not silent", "Pump A is not loud"),
    (C, "The door is open", "The door is closed"),
    (C, "The light is on", "The light is off"),
    (C, "Prices go up", "Prices go down"),
    (C, "Caching increases latency", "Caching decreases latency"),
    (C, "Caching reduces latency", "Caching increases latency"),
    (C, "The cache improves performance", "The cache degrades performance"),
    (C, "Ann likes tea", "Ann hates tea"),
    (N, "Ann likes tea", "Ann likes coffee"),
    (N, "Ann likes hot tea", "Ann likes cold tea"),
    (N, "The team uses Redis", "The team uses Kafka"),
    (N, "The team uses small models", "The team uses large models"),
    (C, "The API is synchronous", "The API is asynchronous"),
    (C, "The database has high latency", "The database has low latency"),
    (C, "Redis is a fast database", "Redis is a slow database"),
    (C, "Redis is safe", "Redis is unsafe"),
    (C, "This bug is common", "This bug is uncommon"),
    (C, "Docker is slow", "Docker isn't slow"),
    (C, "Docker doesn't need root", "Docker needs root"),
    (C, "The team uses Redis", "The team no longer uses Redis"),
    (C, "The team uses Redis", "The team never uses Redis"),
    (C, "The app works without internet", "The app works with internet"),
    (E, "It is not true that Docker is not fast", "Docker is fast"),
    (C, "Falcon cannot fly", "Falcon can fly"),
    (C, "Falcon can't fly", "Falcon flies"),
    (E, "Falcon flies", "Falcon can fly"),
    (C, "Kestrel has no cache", "Kestrel has a cache"),
    (E, "Kestrel does not have a cache", "Kestrel has no cache"),
    (E, "Kestrel lacks a cache", "Kestrel has no cache"),
    (C, "Kestrel lacks a cache", "Kestrel has a cache"),
    (C, "The server has 16 GB", "The server has 32 GB"),
    (C, "The server has 16 GB of RAM", "The server has 32 GB of memory"),
    (E, "The server has 1024 MB of RAM", "The server has 1 GB of RAM"),
    (C, "The cluster has at least 3 nodes", "The cluster has 2 nodes"),
    (E, "The cluster has at least 3 nodes", "The cluster has 5 nodes"),
    (C, "The job takes 5 minutes", "The job takes 10 minutes"),
    (E, "The job takes 90 minutes", "The job takes 1.5 hours"),
    (C, "The rate is ten", "The rate is twelve"),
    (C, "The depot opens at six", "The depot opens at seven"),
    (E, "The depot opens at six", "The depot opens at 6"),
    (C, "The limit is more than 100", "The limit is 100"),
    (N, "Item 1 is red", "Item 2 is green"),
    (N, "Common belief number 1", "Common belief number 2"),
    (N, "The server listens on port 80", "The server listens on port 443"),
    (C, "The port is 80", "The port is 443"),
    (N, "The app uses Python 3.11", "The app uses Python 3.12"),
    (C, "The version is 3.1", "The version is 3.2"),
    (C, "Ann lives in Oslo", "Ann lives in Bergen"),
    (C, "ann lives in oslo", "ann lives in bergen"),
    (E, "Ann lives in Oslo", "Ann resides in Oslo"),
    (E, "Ann lives in Oslo, Norway", "Ann lives in Oslo"),
    (C, "The tool is written in Rust", "The tool is written in Go"),
    (C, "Oslo is the capital of Norway", "Bergen is the capital of Norway"),
    (C, "The capital of Norway is Oslo", "Bergen is the capital of Norway"),
    (E, "The capital of Norway is Oslo", "Oslo is the capital of Norway"),
    (C, "Oslo is the capital of Norway", "Oslo is the capital of Sweden"),
    (C, "The gate is green", "The gate is red"),
    (C, "The depot gate is green", "The depot gate is blue"),
    (C, "The status is open", "The status is pending"),
    (C, "The server is running", "The server is stopped"),
    (C, "The deadline is Friday", "The deadline is Monday"),
    (C, "The best editor is Vim", "The best editor is Emacs"),
    (C, "Vim is the best editor", "Emacs is the best editor"),
    (C, "Falcon has IP 10.0.0.1", "The IP of Falcon is 10.0.0.2"),
    (C, "Ann works at Acme", "Ann works at Globex"),
    (C, "Ann is married", "Ann is single"),
    (C, "All pumps are loud", "Some pumps are not loud"),
    (C, "All pumps are loud", "No pumps are loud"),
    (C, "Some pumps are loud", "No pump is loud"),
    (E, "All pumps are loud", "Some pumps are loud"),
    (E, "Pumps are loud", "Some pumps are loud"),
    (N, "Pumps are loud", "Some pumps are not loud"),
    (N, "Some pumps are loud", "Some pumps are silent"),
    (C, "All pumps are loud", "Some pumps are silent"),
    (C, "Ann always drinks coffee", "Ann never drinks coffee"),
    (C, "Ann always drinks coffee", "Ann does not always drink coffee"),
    (C, "Ann never drinks coffee", "Ann sometimes drinks coffee"),
    (C, "Ann often drinks coffee", "Ann rarely drinks coffee"),
    (N, "Ann sometimes drinks coffee", "Ann rarely drinks coffee"),
    (C, "Always use tabs", "Never use tabs"),
    (C, "Use tabs", "Do not use tabs"),
    (N, "Use tabs", "Use spaces"),
    (E, "Docker is fast and reliable", "Docker is fast"),
    (C, "Docker is fast and reliable", "Docker is not fast"),
    (N, "Docker is not fast and reliable", "Docker is fast"),
    (E, "Redis is a fast in-memory database", "Redis is a database"),
    (N, "Redis is a database", "Redis is not a fast database"),
    (N, "Redis is a database client", "Redis is a database"),
    (N, "Redis is fast", "Redis is popular"),
    (E, "Docker is fast", "Docker is quick"),
    (E, "Docker is very fast", "Docker is fast"),
    (E, "The depot gate is green.", "the depot gate is Green"),
    (N, "The server was down", "The server is up"),
    (N, "Docker is fast", "Podman is slow"),
    (N, "Ann depends on Bob", "Bob depends on Ann"),
    (N, "Falcon moves from Oslo to Bergen", "Falcon moves from Bergen to Oslo"),
    (N, "Ann likes tea that is hot", "Ann likes tea that is cold"),
    (N, "Ann thinks Docker is slow", "Docker is fast"),
    (N, "Docker may be slow", "Docker may not be slow"),
    (N, "Is Docker fast?", "Docker is not fast"),
    (N, "Tides follow the moon", "Tides follow the sun"),
    (C, "Tides follow the moon", "Tides do not follow the moon"),
    (N, "Ash trees are tall", "Ash trees bend in storms"),
    (N, "Old things last", "New things fade"),
    (N, "Ann visited Oslo", "Ann visited Bergen"),
    (N, "Ann bought 2 books", "Ann bought 3 books"),
    (N, "The backup runs on Monday", "The backup runs on Tuesday"),
    (N, "Docker is popular in Europe", "Docker is unpopular in Asia"),
    (N, "The price is high", "The price is fair"),
    (N, "Ann speaks Norwegian", "Ann speaks German"),
    (N, "Ann has a red car", "Ann has a blue car"),
    (N, "Ann has a brother", "Ann has a sister"),
    (N, "If it rains, the pump is loud", "The pump is silent"),
    (N, "Python is a language", "Python is a snake"),
    (N, "The first door is open", "The second door is closed"),
    (N, "Git tracks files", "Git tracks changes"),
    (N, "The system should be fast", "The system is slow"),
    (N, "Every service needs an owner", "Every service needs a runbook"),
    (N, "The user prefers dark roast coffee", "The user prefers long walks"),
    (C, "The user prefers dark mode", "The user prefers light mode"),
    (C, "Tests must pass before merge", "Tests must not pass before merge"),
    (E, "Nobody likes Mondays", "No person likes Mondays"),
    (N, "Ann is in marketing", "Ann is in Oslo"),
    (C, "The server is in Oslo", "The server is in Frankfurt"),
    (C, "Berlin was founded in 1237", "Berlin was founded in 1300"),
    (N, "Sales grew in 2019", "Sales grew in 2020"),
    (C, "Deploys are risky", "Deploys are safe"),
    (C, "Deployments succeed on Fridays", "Deployments fail on Fridays"),
    (C, "Unit tests are slow", "Unit tests are fast"),
    (N, "Unit tests are slow", "Integration tests are fast"),
    (C, "The API accepts JSON", "The API rejects JSON"),
    (N, "The API accepts JSON", "The API rejects XML"),
    (N, "The left door is open", "The right door is open"),
    (N, "Ann trusts Bob", "Bob distrusts Ann"),
    (C, "Ann trusts Bob", "Ann distrusts Bob"),
    (C, "The feature is available to all users", "The feature is unavailable to all users"),
    (E, "Falcon is located in Oslo", "Falcon is situated in Oslo"),
    (C, "Ann is older than Bob", "Ann is younger than Bob"),
    (C, "Ann is taller than Bob", "Bob is taller than Ann"),
    (C, "Tea is cheaper than coffee", "Tea is more expensive than coffee"),
    (C, "Learning Rust is easy", "Learning Rust is hard"),
    (C, "The earth is flat", "The earth is not flat"),
    (C, "Plan A is better than plan B", "Plan A is worse than plan B"),
    (N, "Pump A is loud", "The pump is silent"),
    (C, "Ann is vegetarian", "Ann isn't vegetarian"),
]


@pytest.mark.parametrize(("kind", "a", "b"), RELATIONS)
def test_two_propositions_stand_to_each_other(kind: str, a: str, b: str) -> None:
    assert relate(a, b).kind == kind
    assert relate(b, a).kind == kind


@pytest.mark.parametrize(
    ("a", "b", "direction"),
    [
        ("Docker is better than Podman", "Podman is worse than Docker", "both"),
        ("Rust is faster than C", "Rust is as fast as C", "a_to_b"),
        ("All pumps are loud", "Some pumps are loud", "a_to_b"),
        ("Docker is fast", "Docker is fast and reliable", "b_to_a"),
        ("Docker is not fast", "Docker is not fast and reliable", "a_to_b"),
        ("The cluster has at least 3 nodes", "The cluster has 5 nodes", "b_to_a"),
        ("Pump A is silent", "Pump A is not loud", "a_to_b"),
        ("The service is disabled", "The service is not enabled", "both"),
        ("Falcon can fly", "Falcon flies", "b_to_a"),
        ("Docker is fast", "Podman is fast", "none"),
    ],
)
def test_an_entailment_has_a_direction(a: str, b: str, direction: str) -> None:
    assert relate(a, b).direction == direction


@pytest.mark.parametrize(
    ("a", "b", "method"),
    [
        ("Docker is fast", "docker is fast.", "identical"),
        ("Docker is fast", "Docker is not fast", "negation"),
        ("Docker is fast", "Docker is slow", "antonym"),
        ("Docker is faster than LXC", "LXC is faster than Docker", "comparative"),
        ("The job takes 5 minutes", "The job takes 10 minutes", "number"),
        ("Ann lives in Oslo", "Ann lives in Bergen", "exclusive_value"),
        ("All pumps are loud", "No pumps are loud", "quantifier"),
        ("Docker is fast and reliable", "Docker is fast", "modifier"),
        ("Docker is fast", "Docker is quick", "synonym"),
        ("Docker is fast", "Podman is slow", "none"),
    ],
)
def test_the_method_names_what_decided(a: str, b: str, method: str) -> None:
    assert relate(a, b).method == method


@pytest.mark.parametrize(
    ("proposition", "contexts"),
    [
        ("Docker is slow in production", {"in production"}),
        ("In production, Docker is slow", {"in production"}),
        ("Docker is fast on Linux", {"on linux"}),
        ("Docker on Linux is fast", {"on linux"}),
        ("Microservices are bad for small teams", {"for small teams"}),
        ("Docker was new in 2020", {"in 2020"}),
        ("Docker is slow under load in staging", {"under load", "in staging"}),
        ("Sales grew in 2019", {"in 2019"}),
        ("Berlin was founded in 1237", set()),
        ("Ann lives in Oslo", set()),
        ("Falcon runs on Linux", set()),
        ("Docker is fast", set()),
    ],
)
def test_circumstances_are_read_from_a_proposition(proposition: str, contexts: set[str]) -> None:
    assert context_of(proposition) == contexts


CONTEXT_PAIRS = [
    ("Docker is fast in production", "Docker is slow in staging"),
    ("Docker is fast on Linux", "Docker is slow on Windows"),
    ("Microservices are good for large teams", "Microservices are bad for small teams"),
    ("The queue is long in 2019", "The queue is short in 2020"),
]


@pytest.mark.parametrize(("a", "b"), CONTEXT_PAIRS)
def test_different_circumstances_make_a_contradiction_doubtful(a: str, b: str) -> None:
    found = relate(a, b)
    assert (found.kind, found.same_context) == (C, False)
    assert found.confidence <= 0.5


@pytest.mark.parametrize(("a", "b"), CONTEXT_PAIRS)
def test_different_circumstances_are_neutral_when_strict(a: str, b: str) -> None:
    found = relate(a, b, strict_same_context=True)
    assert (found.kind, found.same_context) == (N, False)


def test_the_same_circumstances_keep_a_contradiction() -> None:
    found = relate("Docker is fast in production", "Docker is slow in production", strict_same_context=True)
    assert (found.kind, found.same_context) == (C, True)


def test_circumstances_can_be_given_beside_the_propositions() -> None:
    pair = "Docker is fast", "Docker is slow"
    apart = relate(*pair, context_a="in production", context_b="on a laptop")
    assert (apart.kind, apart.same_context) == (C, False)
    strict = relate(*pair, context_a="release 1", context_b="release 2", strict_same_context=True)
    assert (strict.kind, strict.same_context) == (N, False)
    same = relate(*pair, context_a="in production", context_b="In production", strict_same_context=True)
    assert (same.kind, same.same_context) == (C, True)
    one_sided = relate(*pair, context_a="in production", strict_same_context=True)
    assert (one_sided.kind, one_sided.same_context) == (C, True)


def test_nothing_follows_from_one_circumstance_to_another() -> None:
    assert relate("Docker is fast on Linux", "Docker is fast on Windows").kind == N


def test_a_hedge_lowers_the_confidence() -> None:
    sure = relate("Docker is fast", "Docker is slow")
    unsure = relate("I think Docker is fast", "Docker is slow")
    assert unsure.kind == sure.kind == C
    assert unsure.confidence < sure.confidence


def test_overlap_is_the_share_of_common_content_words() -> None:
    assert relate("Docker is fast", "Docker is fast").overlap == 1.0
    assert relate("Docker is fast", "Docker is slow").overlap == pytest.approx(1 / 3, abs=1e-3)
    assert relate("Docker is fast", "Tea is green").overlap == 0.0


@pytest.mark.parametrize(("kind", "a", "b"), [row for row in RELATIONS if row[0] != N])
def test_what_is_related_shares_a_key(kind: str, a: str, b: str) -> None:
    assert topic_keys(a) & topic_keys(b)


def test_keys_are_few_and_short() -> None:
    keys = topic_keys(
        "The very long named deployment " * 60 + "is slow and old and big and loud in many ways"
    )
    assert all(len(key) <= 80 for key in keys)
    assert len(keys) <= 64


OPPOSITES = sorted(
    (a, b)
    for a, b in itertools.combinations(sorted(AXES), 2)
    if opposition(a, b) in ("complementary", "contrary")
)
SUBJECTS = ["Pump A", "The old service", "C++", "数据库", "user", "Ann's car", "the build of the kiosk"]


@pytest.mark.parametrize(("a", "b"), OPPOSITES)
def test_opposites_share_a_name(a: str, b: str) -> None:
    assert set(axis_names(a)) & set(axis_names(b))


WORDS = st.sampled_from(
    [
        *sorted(AXES),
        *sorted(GROUP_OF),
        "popular",
        "tea",
        "database",
        "Oslo",
        "16 GB",
        "1 GB",
        "1024 MB",
        "3",
        "at least 3",
    ]
)
VERBS = st.sampled_from(
    "is|is not|isn't|was|has|has no|lives in|lacks|uses|does not use|likes|increases|is written in|can be|may be"
    "|is better than|is worse than|is as good as|never has|is always|works without|costs|beats".split("|")
)
QUANTIFIERS = st.sampled_from(
    ["", "All ", "No ", "Some ", "Not all ", "I think ", "In production, ", "If idle, "]
)
PROPOSITIONS = st.builds(
    lambda quantifier, subject, verb, word, tail: f"{quantifier}{subject} {verb} {word}{tail}",
    QUANTIFIERS,
    st.sampled_from(SUBJECTS),
    VERBS,
    WORDS,
    st.sampled_from(
        ["", " database", " and fast", " on Linux", " in 2020", " that is cold", " because it is old"]
    ),
)


@given(PROPOSITIONS, PROPOSITIONS)
def test_relating_is_symmetrical_and_what_is_related_meets_under_a_key(a: str, b: str) -> None:
    found, mirrored = relate(a, b), relate(b, a)
    assert found.kind == mirrored.kind
    assert found.confidence == mirrored.confidence
    assert 0.0 <= found.confidence <= 1.0
    if found.kind != N:
        assert topic_keys(a) & topic_keys(b)


@given(PROPOSITIONS)
def test_a_proposition_never_contradicts_itself(a: str) -> None:
    assert relate(a, a).kind == E


@given(st.text(max_size=300), st.text(max_size=300))
def test_any_text_can_be_related(a: str, b: str) -> None:
    assert relate(a, a).kind == E
    assert relate(a, b).kind == relate(b, a).kind


@given(
    st.lists(
        st.sampled_from("a the not no is than as more , of and in 3 GB never all if better that".split()),
        max_size=40,
    )
)
def test_any_heap_of_function_words_can_be_read(listed: list[str]) -> None:
    parse(" ".join(listed))


def test_a_long_text_is_read_in_linear_time() -> None:
    for word in ("is not ", "a, ", "than as ", "at least ", "in 2020 ", "(" * 50 + " "):
        parse(word * (200_000 // len(word)))
