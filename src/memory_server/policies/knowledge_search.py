"""How a search for notes is read and how what it finds is scored."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from memory_server.policies.knowledge import length, refuse, trimmed
from memory_server.policies.scopes import EVERYTHING, GLOBAL

QUERY_LENGTHS = (3, 500)
DEFAULT_LIMIT, MOST_RESULTS = 5, 20
TAG_BOOST = 0.1
OWN_SCOPE_BOOST, GLOBAL_SCOPE_BOOST = 0.5, 0.2
FUSION_OFFSET = 10  # reciprocal ranks are 1 / (10 + rank)
STOP_WORDS = frozenset(
    """a an and are as at be been but by do does for from had has have how i if in is it of on or should that the
    their this to was what when where which who why will with you your""".split()
)
_CHUNK = re.compile(r"\S+")
_IDENTIFIER_EDGES = re.compile(r"^[^\w@#$/.-]+|[^\w+#]+$")
_CAMEL = re.compile(r"[a-z0-9][A-Z]")


@dataclass(frozen=True, slots=True)
class KnowledgeQuery:
    """A search as it was asked.

    Attributes:
        text: as given, untrimmed.
        tokens: what is looked for; empty asks for the newest notes.
        context_tags: in lower case; they lift what carries them.
        scope: notes of it and global ones; None for all.
    """

    text: str
    tokens: tuple[str, ...]
    context_tags: frozenset[str]
    scope: str | None
    limit: int


def check_search(given: Mapping[str, Any], default_scope: str | None = None) -> KnowledgeQuery:
    """The search that somebody asks for.

    Args:
        default_scope: where none is given.

    Raises:
        InvalidArgument: with all that is wrong.
    """
    text, tags, scope = given.get("query"), given.get("contextTags"), given.get("scope")
    # an absent limit has a default, a null has not
    limit = given.get("limit", DEFAULT_LIMIT)
    problems = _query_problems(text)
    if not (tags is None or tags == "" or _are_texts(tags)):
        problems.append("contextTags must be an array of strings")
    if not (scope is None or isinstance(scope, str)):
        problems.append("Scope must be a string")
    if not _is_positive(limit):
        problems.append("Limit must be a positive number")
    refuse(problems)
    # as a stored one, but that nothing, or blanks, asks for no scope
    wanted = trimmed(scope or "").lower() or default_scope
    return KnowledgeQuery(
        str(text),
        tokens(str(text)),
        frozenset(tag.lower() for tag in tags or ()),
        None if wanted == EVERYTHING else wanted,
        int(min(limit, MOST_RESULTS)),
    )


def tokens(text: str) -> tuple[str, ...]:
    """The words of a query, in lower case, each once, without stop words and single letters.

    A word is a run of letters, marks and numbers after NFKC; without the marks, words of many Indian scripts would
    fall apart into letters.
    """
    found: dict[str, None] = {}
    word: list[str] = []
    says = False
    for letter in f"{unicodedata.normalize('NFKC', text)} ":
        kind = unicodedata.category(letter)[0]
        if kind in "LMN":
            word.append(letter)
            says = says or kind != "M"
            continue
        token = "".join(word).lower()
        if says and length(token) > 1 and token not in STOP_WORDS:
            found[token] = None
        word, says = [], False
    return tuple(found)


def score(
    relevance: float,
    coverage: float,
    tags: Collection[str],
    scope: str,
    query: KnowledgeQuery,
) -> float:
    """What a note is worth for a search, to three decimals.

    Args:
        relevance: −bm25, larger is better; 0 where nothing was looked for.
        coverage: the share of the tokens that it holds.
    """
    matching = len(query.context_tags & {tag.lower() for tag in tags})
    if query.scope is not None and scope == query.scope:
        boost = OWN_SCOPE_BOOST
    else:
        boost = GLOBAL_SCOPE_BOOST if scope == GLOBAL else 0.0
    return rounded(relevance * coverage * (1 + matching * TAG_BOOST) + boost, 1000)


def rounded(value: float, steps: int) -> float:
    """To whole steps of 1 / `steps`, half up."""
    scaled = value * steps
    below = math.floor(scaled)
    # + 0.0: no negative zero
    return (below if scaled - below < 0.5 else below + 1) / steps + 0.0


def fuse(
    by_word: Sequence[str], by_meaning: Sequence[str], exact: Collection[str] = ()
) -> list[tuple[str, float]]:
    """One ranking out of two by the sum of their reciprocal ranks; equals go by their place among the words.

    Args:
        exact: notes that hold an identifier of the query as it stands; nothing comes ahead of them.
    """
    sums: dict[str, float] = {}
    for ranking in (by_word, by_meaning):
        for rank, memory_id in enumerate(ranking, 1):
            sums[memory_id] = sums.get(memory_id, 0.0) + 1 / (FUSION_OFFSET + rank)
    place = {memory_id: number for number, memory_id in enumerate(by_word)}
    ordered = sorted(sums, key=lambda found: (found not in exact, -sums[found], place.get(found, len(place))))
    return [(memory_id, rounded(sums[memory_id], 1_000_000)) for memory_id in ordered]


def identifiers(text: str) -> tuple[str, ...]:
    """What in a query is a name to be found as it stands: with digits, signs or capitals inside."""
    found = []
    for chunk in _CHUNK.findall(text):
        name = _IDENTIFIER_EDGES.sub("", chunk)
        letters = any(letter.isalnum() for letter in name)
        signs = any(not letter.isalnum() and letter not in "'’" for letter in name)
        digits = any(letter.isdigit() for letter in name)
        if letters and len(name) > 2 and (signs or digits or _CAMEL.search(name)):
            found.append(name.casefold())
    return tuple(dict.fromkeys(found))


def holds_identifier(text: str, names: Sequence[str]) -> bool:
    """Whether one of the names stands in the text, whole, in any case."""
    folded = text.casefold()
    return any(re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", folded) for name in names)


def _query_problems(value: Any) -> list[str]:
    if not isinstance(value, str) or not value:
        return ["Query is required"]
    least, most = QUERY_LENGTHS
    size = length(trimmed(value))
    problems = [f"Query must be at least {least} characters"] if size < least else []
    return [*problems, f"Query must be at most {most} characters"] if size > most else problems


def _are_texts(value: Any) -> bool:
    return isinstance(value, list | tuple) and all(isinstance(entry, str) for entry in value)


def _is_positive(value: Any) -> bool:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    # not a number compares with nothing; what is too large for a float is just large
    return is_number and value >= 1
