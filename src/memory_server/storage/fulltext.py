"""The one safe place that turns what a person typed into a full-text query, and runs it."""

from __future__ import annotations

import re
import sqlite3
import threading
import time
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from sqlalchemy import Connection

from memory_server.policies.scopes import Scopes, is_own
from memory_server.policies.stopwords import STOP_WORDS
from memory_server.policies.text import NO_BREAKS, SIGN_WORD, is_pictograph, sign_word
from memory_server.storage.database import fetch_rows
from memory_server.storage.scopes import visible_sql

FACT_WEIGHTS = {"subject": 2.0, "predicate": 1.0, "object": 1.0, "tags": 0.5, "grams": 1.0}
"""What a word counts in each column of a fact; `grams` holds the characters of scripts without blanks."""

# bm25 weights in the order of each index's columns
WEIGHTS = {
    "facts": f"bm25({', '.join(map(str, FACT_WEIGHTS.values()))})",
    "decisions": "bm25(2.0, 1.0, 1.0, 0.5, 1.0)",
    "skills": "bm25(2.0, 1.0, 1.0, 0.5, 1.0)",
    "beliefs": "bm25(1.0, 0.5, 1.0)",
    "episodes": "bm25(1.0, 0.3, 1.0)",
    "knowledge": "bm25(10.0, 5.0, 1.0)",
}
POSTINGS_BUDGET = 25_000  # postings an OR may read; some 15 ms
MAX_WORDS = 32  # words of one query; a pasted prompt is cut down to its rarest
COMMON_SHARE = 0.5  # words in more than half of the rows say nothing
COMMON_FROM = 500  # in fewer rows than this even a common word costs nothing

_TIES = 50  # rows with one score, of which the reader's own may stand last

_RUN = re.compile(f"[{NO_BREAKS}]+")
_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class Query:
    """A text as full-text phrases.

    Attributes:
        phrases: what must all be there, each an FTS5 string; the last may stand for words that begin with it.
        words: the single words, for matching any of them.
    """

    phrases: tuple[str, ...]
    words: tuple[str, ...]
    open_end: bool

    def all_of(self) -> str:
        """Every phrase, the last also as the beginning of a word (an exact hit counts twice and comes first)."""
        parts = list(self.phrases)
        if parts and self.open_end:
            parts[-1] = f"({parts[-1]} OR {parts[-1]}*)"
        return " AND ".join(parts)


def parse(text: str) -> Query:
    """Any text as a query; never fails. Operators, quotes and signs are words to find or are ignored."""
    phrases: list[str] = []
    words: list[str] = []
    for chunk in dict.fromkeys(unicodedata.normalize("NFKC", text).replace("\x00", " ").split()):
        found = _chunk_phrases(chunk)
        phrases.extend(phrase for phrase in found if phrase not in phrases)
        if len(phrases) > 4 * MAX_WORDS:
            break
    for phrase in phrases:
        inner = phrase[1:-1]
        words.extend([inner] if _RUN.search(inner) else inner.split())
    stripped = text.rstrip()
    open_end = bool(stripped) and stripped[-1].isalnum() and not _RUN.match(stripped[-1])
    return Query(tuple(phrases), tuple(dict.fromkeys(words)), open_end)


def _chunk_phrases(chunk: str) -> list[str]:
    found = [f'"u{ord(char):x}"' for char in chunk if is_pictograph(char)]
    for run in _RUN.findall(chunk):
        # the index holds single characters, then pairs, in order: a longer run is a phrase of pairs
        pairs = [run[i : i + 2] for i in range(len(run) - 1)] or [run]
        found.append('"' + " ".join(pairs) + '"')
    rest = _RUN.sub(" ", chunk)
    signs = [f'"{sign_word(match)}"' for match in SIGN_WORD.finditer(rest)]
    rest = SIGN_WORD.sub(" ", rest)
    for piece in rest.split():
        # Python and SQLite know other versions of Unicode: what a word is, the index says
        tokens = _WORD.findall(piece) if piece.isascii() else _words().tokens(piece)
        if tokens:
            found.append('"' + " ".join(tokens) + '"')
    return found + signs


class Tokenizer:
    """The index's own tokenizer, asked through SQLite: which characters make words, and what a word's stem is."""

    def __init__(self, name: str) -> None:
        self._lock = threading.Lock()
        self._db = sqlite3.connect(":memory:", check_same_thread=False, isolation_level=None)
        self._db.execute(f"CREATE VIRTUAL TABLE t USING fts5(x, tokenize='{name} remove_diacritics 2')")
        self._db.execute("CREATE VIRTUAL TABLE v USING fts5vocab('t', 'instance')")
        self.tokens = lru_cache(maxsize=20_000)(self._tokens)
        self.stem: Callable[[str], str] = lru_cache(maxsize=20_000)(self._stem)

    def _stem(self, word: str) -> str:
        """A word in the form in which it is indexed."""
        return next(iter(self.tokens(word)), word)

    def _tokens(self, text: str) -> tuple[str, ...]:
        with self._lock:
            self._db.execute("INSERT INTO t (rowid, x) VALUES (1, ?)", (text,))
            found = self._db.execute("SELECT term FROM v ORDER BY offset").fetchall()
            self._db.execute("DELETE FROM t")
        return tuple(str(row[0]) for row in found)

    def close(self) -> None:
        self._db.close()


@cache
def _words() -> Tokenizer:
    return Tokenizer("unicode61")


class Frequencies:
    """In how many rows of an index a word stands; remembered for a little while."""

    LIFETIME_SECONDS = 30.0

    def __init__(self) -> None:
        self.stemmer = Tokenizer("porter unicode61")
        self._lock = threading.Lock()
        self._known: dict[tuple[str, str], tuple[float, int]] = {}

    def of(self, connection: Connection, kind: str, word: str) -> int:
        """Rows of `kind`'s index that hold the word (all its inflections together)."""
        return self._cached(
            (kind, word), lambda: _document_frequency(connection, kind, self.stemmer.stem(word))
        )

    def rows(self, connection: Connection, kind: str) -> int:
        """Rows of `kind`'s index, from its highest row id: an upper bound that costs nothing."""
        return self._cached((kind, ""), lambda: _highest_row(connection, kind))

    def _cached(self, key: tuple[str, str], read: object) -> int:
        now = time.monotonic()
        with self._lock:
            known = self._known.get(key)
        # a word that was rare may have become common, one that was not there may be there now
        if known and known[1] > 1000 and now - known[0] < self.LIFETIME_SECONDS:
            return known[1]
        value = int(read())  # type: ignore[operator]
        with self._lock:
            if len(self._known) > 50_000:
                self._known.clear()
            self._known[key] = (now, value)
        return value

    def close(self) -> None:
        self.stemmer.close()


def _document_frequency(connection: Connection, kind: str, stem: str) -> int:
    found = fetch_rows(connection, f"SELECT doc FROM words_of_{kind} WHERE term = ?", (stem,))
    return int(found[0][0]) if found else 0


def _highest_row(connection: Connection, kind: str) -> int:
    return int(fetch_rows(connection, f"SELECT max(row) FROM {kind}")[0][0] or 0)


def content_words(query: Query) -> list[str]:
    """The words of a query that say something; all of them where none does."""
    return [word for word in query.words if word.casefold() not in STOP_WORDS] or list(query.words)


def _with_pairs(words: Sequence[str]) -> list[str]:
    """A run without word breaks is a whole sentence at times: its pairs are looked for one by one, too."""
    return list(dict.fromkeys(part for word in words for part in dict.fromkeys((word, *word.split()))))


def any_of(connection: Connection, kind: str, query: Query, frequencies: Frequencies) -> str:
    """The OR of a query's content words, the rarest first, as many as the budget of postings allows.

    Empty when no word of the query is in the index.
    """
    counted = sorted(
        (frequencies.of(connection, kind, word), place, word)
        for place, word in enumerate(_with_pairs(content_words(query)))
    )
    counted = [entry for entry in counted if entry[0] > 0]
    common = max(COMMON_FROM, COMMON_SHARE * frequencies.rows(connection, kind))
    telling = [entry for entry in counted if entry[0] <= common] or counted[:1]
    chosen: list[str] = []
    spent = 0
    for count, _, word in telling[:MAX_WORDS]:
        if chosen and spent + count > POSTINGS_BUDGET:
            break
        chosen.append(f'"{word}"')
        spent += count
    return " OR ".join(chosen)


def matches(
    connection: Connection,
    kind: str,
    expression: str,
    limit: int,
    *,
    where: str = "",
    values: Sequence[object] = (),
    scopes: Scopes = None,
) -> list[tuple[str, float]]:
    """Ids and scores (−bm25, larger is better) of the best rows that a reader of `scopes` sees.

    Of rows that score the same the reader's own come first. `where` is SQL of ours over alias `t`.
    """
    if not expression:
        return []
    condition = "".join(f" AND {part}" for part in (where, visible_sql(scopes)) if part)
    found = fetch_rows(
        connection,
        f"SELECT t.id, -f.rank, t.scope FROM {kind}_fts f CROSS JOIN {kind} t ON t.row = f.rowid "
        f"WHERE f.{kind}_fts MATCH ? AND f.rank MATCH '{WEIGHTS[kind]}'{condition} ORDER BY f.rank LIMIT ?",
        (expression, *values, *(scopes or ()), with_ties(limit, scopes)),
    )
    if scopes is not None:
        found = sorted(found, key=lambda row: (-round(row[1], 9), not is_own(scopes, row[2])))[:limit]
    return [(str(row[0]), float(row[1])) for row in found]


def with_ties(limit: int, scopes: Scopes) -> int:
    """Rows to ask for, so that the reader's own are among those that tie for the last place."""
    return limit if scopes is None else limit + _TIES
