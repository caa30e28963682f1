from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_server.policies.routing import DEFAULT_RULES, Rule, RuleMatch, match_rule

RULE_TABLE = [
    ("ip_address_query", 100, ("ip of", "ip address", "what is the ip", "find ip")),
    ("port_query", 90, ("port", "which port", "port number")),
    ("config_query", 80, ("config", "configuration", "show config", "get config")),
    ("credential_query", 70, ("password", "credential", "api key", "secret", "token", "auth")),
]


@pytest.mark.parametrize(("name", "priority", "keywords"), RULE_TABLE)
def test_the_default_rules_are_those_of_the_documentation(
    name: str, priority: int, keywords: tuple[str, ...]
) -> None:
    assert Rule(name, keywords, priority, "sql") in DEFAULT_RULES


@pytest.mark.parametrize(
    ("keyword", "name"), [(keyword, name) for name, _, keywords in RULE_TABLE for keyword in keywords]
)
def test_every_keyword_fires_its_rule(keyword: str, name: str) -> None:
    match = match_rule(f"please, {keyword.upper()} …")
    assert match is not None
    assert (match.rule_name, match.route) == (name, "sql")


@pytest.mark.parametrize(
    ("query", "rule", "keyword"),
    [
        ("what is the ip of Falcon", "ip_address_query", "ip of"),
        ("what is the ip?", "ip_address_query", "what is the ip"),
        ("IP-address for the gateway", "ip_address_query", "ip address"),
        ("on which port does it listen", "port_query", "port"),
        ("list open ports", "port_query", "port"),
        ("the config's password", "config_query", "config"),
        ("where is the API_KEY kept", "credential_query", "api key"),
        ("ip address and port", "ip_address_query", "ip address"),
        ("Ｐａｓｓｗｏｒｄ of the wiki", "credential_query", "password"),
    ],
)
def test_the_rule_of_the_highest_priority_wins(query: str, rule: str, keyword: str) -> None:
    assert match_rule(query) == RuleMatch("sql", rule, keyword)


@pytest.mark.parametrize(
    "query",
    [
        "What is the tip of the iceberg?",
        "the quarterly report",
        "who is the author",
        "important transport",
        "reconfigure the router",
        "tokenizer speed",
        "authority and authentication",
        "a ship of the line",
        "",
        "?!",
        "端口",
    ],
)
def test_parts_of_words_do_not_fire(query: str) -> None:
    assert match_rule(query) is None


def test_rules_can_be_added() -> None:
    rules = (*DEFAULT_RULES, Rule("owner_query", ("owner", "who owns"), 110, "graph"))
    assert match_rule("who owns the port", rules) == RuleMatch("graph", "owner_query", "who owns")


def test_a_keyword_of_signs_alone_never_fires() -> None:
    assert match_rule("?! anything", [Rule("odd", ("?!", ""), 1)]) is None


@given(st.text())
def test_any_text_is_a_query(query: str) -> None:
    match_rule(query)
