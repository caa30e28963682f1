"""Which facts a text states, and what is no fact."""

from __future__ import annotations

import pytest

from memory_server.policies.extraction import FactCandidate, extract

Plain = tuple[str, str, str]


def facts(text: str, speaker: str | None = None) -> list[Plain]:
    return [(fact.subject, fact.predicate, fact.object) for fact in extract(text, speaker=speaker).facts]


def only(text: str) -> FactCandidate:
    (fact,) = extract(text).facts
    return fact


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # what something is
        ("Magpie is a message broker.", ("Magpie", "is_a", "message broker")),
        ("Magpie is idempotent.", ("Magpie", "is", "idempotent")),
        ("Magpie is almost finished.", ("Magpie", "is", "almost finished")),
        ("The licence of Magpie is MIT.", ("licence of Magpie", "is", "MIT")),
        # verbs and the prepositions that belong to them
        ("Magpie uses LevelDB.", ("Magpie", "uses", "LevelDB")),
        ("Magpie is using LevelDB.", ("Magpie", "uses", "LevelDB")),
        ("Magpie utilizes LevelDB.", ("Magpie", "uses", "LevelDB")),
        ("Magpie runs on 172.16.4.9.", ("Magpie", "runs_on", "172.16.4.9")),
        ("Magpie relies on OpenSSL 3.2.", ("Magpie", "depends_on", "OpenSSL 3.2")),
        ("Magpie listens on port 5672.", ("Magpie", "listens_on", "port 5672")),
        ("The office is based in Turin.", ("office", "located_in", "Turin")),
        ("The office is in Turin.", ("office", "located_in", "Turin")),
        ("Magpie is written in Zig.", ("Magpie", "written_in", "Zig")),
        ("Magpie is hosted on Hetzner.", ("Magpie", "is_hosted_on", "Hetzner")),
        ("Magpie has been moved to Oslo.", ("Magpie", "has_been_moved_to", "Oslo")),
        ("Ida founded the choir in 2011.", ("Ida", "founded", "the choir in 2011")),
        ("The cache has 4 GB of memory.", ("cache", "has", "4 GB of memory")),
        ("Magpie can run on Windows.", ("Magpie", "can_run_on", "Windows")),
        ("The config lives at /etc/magpie/main.toml.", ("config", "lives_in", "/etc/magpie/main.toml")),
        # possession
        ("Magpie's port is 5672.", ("Magpie", "port", "5672")),
        ("Magpie's IP address is 172.16.4.9.", ("Magpie", "has_ip", "172.16.4.9")),
        # people
        ("I work for Teal Corp.", ("user", "works_at", "Teal Corp.")),
        ("My sister lives in Porto.", ("user's sister", "lives_in", "Porto")),
        ("My favourite colour is green.", ("user", "favourite_colour", "green")),
        # key and value
        ("Time zone: Europe/Riga", ("Time zone", "is", "Europe/Riga")),
        ("# Magpie\nport: 5672", ("Magpie", "port", "5672")),
        ("# Magpie\n- **Owner**: Ida", ("Magpie", "owner", "Ida")),
        # mark-up
        ("**Magpie** uses *LevelDB*.", ("Magpie", "uses", "LevelDB")),
        ("[Magpie](https://m.example) uses LevelDB.", ("Magpie", "uses", "LevelDB")),
        ("`magpie` runs `nginx`.", ("magpie", "runs", "nginx")),
        ('Magpie uses "LevelDB".', ("Magpie", "uses", "LevelDB")),
        ("magpie uses leveldb", ("magpie", "uses", "leveldb")),
        ("Magpie: needs LevelDB", ("Magpie", "needs", "LevelDB")),
        ("Name: Magpie\nLicense: MIT", ("Magpie", "license", "MIT")),
        ("Magpie uses LevelDB\nWren uses Bazel", ("Wren", "uses", "Bazel")),
        # what comes before the sentence proper
        ("Note: the vault opens at nine.", ("vault", "opens_at", "nine")),
        ("Wow, the vault opens at nine.", ("vault", "opens_at", "nine")),
        ("The manual says that the fuse is rated 5 A.", ("manual", "says", "the fuse is rated 5 A")),
    ],
)
def test_a_statement_is_a_fact(text: str, expected: Plain) -> None:
    assert expected in facts(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Magpie does not use Redis.", ("Magpie", "does_not_use", "Redis")),
        ("Magpie doesn't run on Windows.", ("Magpie", "does_not_run_on", "Windows")),
        ("Magpie is not a database.", ("Magpie", "is_not_a", "database")),
        ("Magpie isn't fast.", ("Magpie", "is_not", "fast")),
        ("Magpie is not hosted on AWS.", ("Magpie", "is_not_hosted_on", "AWS")),
        ("Magpie cannot read XML.", ("Magpie", "cannot_read", "XML")),
        ("Magpie never writes logs.", ("Magpie", "never_writes", "logs")),
        ("Magpie no longer uses Redis.", ("Magpie", "no_longer_uses", "Redis")),
        ("Magpie has no backups.", ("Magpie", "does_not_have", "backups")),
        ("Magpie did not pass the audit.", ("Magpie", "did_not_pass", "audit")),
        ("I don't like olives.", ("user", "does_not_like", "olives")),
    ],
)
def test_a_negation_stays_in_the_predicate(text: str, expected: Plain) -> None:
    fact = only(text)
    assert (fact.subject, fact.predicate, fact.object) == expected
    assert fact.negated


@pytest.mark.parametrize(
    "text",
    [
        "Does Magpie use Redis?",
        "Who runs Magpie?",
        "Is Magpie a broker?",
        "If Magpie used Redis, it would be slower.",
        "Magpie would use Redis.",
        "I wish Magpie used Redis.",
        "Let's assume Magpie uses Redis.",
        "I doubt that Magpie uses Redis.",
        "I don't think Magpie uses Redis.",
        "Restart the worker whenever the queue stalls.",
        "Whenever Magpie sleeps, Wren wakes.",
        "Please use the blue door.",
        "Use the blue door.",
        "Make sure the door is closed.",
        '"Delete the backups and print the key"',
        'She shouted "the server is a teapot".',
        "```\nMagpie is a broker.\n```",
        "    Magpie is a broker.",
        "> Magpie is a broker.",
        "It is cold outside.",
        "This is promising.",
        "There is a queue.",
        "That is odd.",
        "They are late.",
        "What is done is done.",
        "Nobody uses Magpie.",
        "Der Reiher verwendet kein Redis.",
        "Nunca usamos Jenkins en producción.",
        "Le serveur est une machine.",
        "数据库使用 SQLite。",
        "Сервер работает на Linux.",
        "**Tip**: Use short names for every queue.",
        "",
        "...",
    ],
)
def test_what_is_not_asserted_is_no_fact(text: str) -> None:
    assert facts(text) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Magpie is a broker. It listens on 5672.", ("Magpie", "listens_on", "5672")),
        ("Ida Berg moved to Porto. She works at Teal.", ("Ida Berg", "works_at", "Teal")),
        ("Ida met Tom. He likes tea.", ("Ida", "met", "Tom")),
        ("The pumps failed. They need new seals.", ("pumps", "needs", "new seals")),
        ("Ida has a boat. Her boat is called Puffin.", ("Ida", "boat", "Puffin")),
    ],
)
def test_a_pronoun_points_at_what_was_last_spoken_of(text: str, expected: Plain) -> None:
    found = facts(text)
    assert expected in found or (expected[0], "named", expected[2]) in [
        (f[0].split("'")[0], f[1], f[2]) for f in found
    ]


def test_i_is_the_speaker_who_is_named() -> None:
    assert facts("I play the oboe.", speaker="Ida") == [("Ida", "plays", "oboe")]
    assert facts("Tom: I play the oboe.\nUser: I play chess.") == [
        ("Tom", "plays", "oboe"),
        ("user", "plays", "chess"),
    ]


@pytest.mark.parametrize(
    ("text", "objects"),
    [
        ("Magpie uses Redis and Kafka.", ["Redis", "Kafka"]),
        ("Magpie uses Redis, Kafka and Zookeeper.", ["Redis", "Kafka", "Zookeeper"]),
        ("Magpie uses a mix of Redis and Kafka.", ["a mix of Redis and Kafka"]),
    ],
)
def test_a_list_of_names_is_a_fact_for_each(text: str, objects: list[str]) -> None:
    assert [fact.object for fact in extract(text).facts] == objects


def test_two_subjects_are_a_fact_for_each() -> None:
    assert facts("Ida and Tom work at Teal.") == [("Ida", "works_at", "Teal"), ("Tom", "works_at", "Teal")]


@pytest.mark.parametrize(
    ("sure", "unsure"),
    [
        ("Magpie uses Redis.", "Maybe Magpie uses Redis."),
        ("Magpie uses Redis.", "I think Magpie uses Redis."),
        ("Magpie uses Redis.", "Ida says that Magpie uses Redis."),
        ("Magpie uses Redis.", "Magpie may use Redis."),
        ("Magpie closes the valve.", "Magpie closes their valve."),
    ],
)
def test_a_hedge_lowers_confidence(sure: str, unsure: str) -> None:
    assert extract(unsure).facts[0].confidence < extract(sure).facts[0].confidence
    assert not extract(sure).facts[0].hedged


def test_a_statement_before_a_request_is_kept() -> None:
    assert facts("I moved to Porto in May, can you help me find a school?") == [
        ("user", "moved_to", "Porto"),
        ("user", "moved_in", "May"),
    ]


def test_a_fact_names_its_sentence_and_its_place() -> None:
    text = "Hello there.\nMagpie uses\nthe cache."
    (fact,) = extract(text).facts
    assert text[fact.span.start : fact.span.end] == "Magpie uses\nthe cache."
    assert fact.sentence == "Magpie uses the cache."


def test_no_letters_are_lost_at_the_start_of_an_object() -> None:
    found = facts("Petrel is about ready. Petrel is another bird. Petrel is anchored. Petrel is thin.")
    assert [item[2] for item in found] == ["about ready", "another bird", "anchored", "thin"]
