"""The router's first stage: rules that know a question's kind by a word in it, before any search."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from memory_server.policies.text import normal


@dataclass(frozen=True, slots=True)
class Rule:
    """A named set of keywords that sends a query down a route; the highest priority is looked at first."""

    name: str
    keywords: tuple[str, ...]
    priority: int
    route: str = "sql"


@dataclass(frozen=True, slots=True)
class RuleMatch:
    """Which rule fired, on which keyword, and where it leads."""

    route: str
    rule_name: str
    matched_keyword: str


DEFAULT_RULES: tuple[Rule, ...] = (
    Rule("ip_address_query", ("ip of", "ip address", "what is the ip", "find ip"), 100),
    Rule("port_query", ("port", "which port", "port number"), 90),
    Rule("config_query", ("config", "configuration", "show config", "get config"), 80),
    Rule("credential_query", ("password", "credential", "api key", "secret", "token", "auth"), 70),
)

_NON_WORD = re.compile(r"[^\w]+")


def match_rule(query: str, rules: Sequence[Rule] = DEFAULT_RULES) -> RuleMatch | None:
    """The rule of the highest priority of which a keyword stands in the query, with the first such keyword.

    First is meant in the rule's own order. Keywords match whole words in any case, in the plural too; runs of
    white space and punctuation count as one space. Of rules of equal priority the earlier one wins.
    """
    text = _folded(query)
    for rule in sorted(rules, key=lambda rule: -rule.priority):
        for keyword, pattern in _patterns(rule.keywords):
            if pattern.search(text):
                return RuleMatch(rule.route, rule.name, keyword)
    return None


@lru_cache(maxsize=256)
def _patterns(keywords: tuple[str, ...]) -> tuple[tuple[str, re.Pattern[str]], ...]:
    """A rule's keywords with their patterns over a folded query."""
    pairs = [(keyword, _folded(keyword).strip()) for keyword in keywords]
    return tuple((keyword, re.compile(f" {re.escape(folded)}s? ")) for keyword, folded in pairs if folded)


def _folded(text: str) -> str:
    words = _NON_WORD.sub(" ", normal(text).replace("_", " "))
    return f" {words.strip()} "
