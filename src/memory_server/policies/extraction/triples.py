"""Surface triples of a sentence, the open layer below the facts: its own words, nothing resolved."""

from __future__ import annotations

from math import exp

from .clauses import Clause, clauses
from .lexicon import SPEECH
from .regions import Range, phrase_start
from .sentences import split_sentences
from .tag_sets import NOMINAL
from .tagging import tag
from .tokens import Token, tokenize

Triple = tuple[str, str, str, float]

_MAX_TOKENS = 160
# log-odds that a triple is right, by what it was read from; estimated by logistic regression on open data
_INTERCEPT = -0.1
_WEIGHTS = {
    "main": 0.4,
    "coord": 0.3,
    "complement": -0.2,
    "relative": -0.2,
    "participle": -0.4,
    "reduced": 0.2,
    "aside": 0.2,
    "named": 0.2,
    "determined": 0.2,
    "comma in subject": -0.7,
    "long subject": -0.4,
    "odd subject": -0.5,
    "no object": -0.3,
    "short object": 0.5,
    "long object": -0.3,
    "has aside": 0.2,
    "copula": -0.2,
    "passive": 0.5,
    "past": 0.4,
    "speech": 0.6,
    "nested": -0.3,
    "many clauses": -0.4,
}
_EDGE = frozenset((",", ".", "CC", ";", ":", "-"))
_INSIDE_NAMES = NOMINAL | {"HY", "DT", "PO"}


def extract_triples(text: str) -> list[Triple]:
    """(subject, relation, object, confidence) for each predication of a text, sentence by sentence."""
    out: list[Triple] = []
    for start, end in split_sentences(text):
        if end - start > 4_000:
            continue
        tokens = tokenize(text, start, end)
        if 1 < len(tokens) <= _MAX_TOKENS:
            out.extend(_Sentence(text, tokens, tag(tokens)).triples())
    return out


class _Sentence:
    """A tagged sentence being turned into triples."""

    def __init__(self, text: str, tokens: list[Token], tags: list[str]) -> None:
        self.text, self.tokens, self.tags = text, tokens, tags

    def triples(self) -> list[Triple]:
        """The triples of all clauses, then those of appositions."""
        found = clauses(self.tokens, self.tags)
        out: list[Triple] = []
        for clause in found:
            out.extend(self._of_clause(clause, len(found)))
        out.extend(self._appositions())
        return out

    def _words(self, span: Range) -> str:
        start, end = span
        return self.text[self.tokens[start].start : self.tokens[end - 1].end] if start < end else ""

    def _of_clause(self, clause: Clause, clause_count: int) -> list[Triple]:
        start, end = clause.region[0], self._trim_end(*clause.region)
        following = self._participle_after_comma(clause.subject, start, end)
        inner = self._reduced_relative(start, end)
        if following:
            end = self._trim_end(start, following[1])
        relation_end = clause.verb.end
        if start + 1 < end and self.tags[start] == "RB" and self.tags[start + 1] in ("IN", "TO"):
            start, relation_end = start + 1, relation_end + 1
        relation = self._words((clause.verb.start, relation_end))
        if start < end and self.tags[start] in ("IN", "TO"):
            relation += " " + self.tokens[start].text
            start += 1
        parts = [self._words(clause.object), self._words((start, end))]
        if clause.place[1]:
            parts.append("in " + self._words(clause.place))
        parts.extend(self._words(span) for span in clause.fronted)
        rest = " ".join(part for part in parts if part)
        signs = self._signs(clause, clause_count, start, end, rest)
        out = [(self._words(clause.subject), relation, rest, _confidence(signs))]
        if following:
            out.append(following[0])
        if inner:
            out.append(inner)
        if clause.aside[1] and self._names(clause.aside):
            out.append((self._words(clause.subject), "is", self._words(clause.aside), _confidence(["aside"])))
        return out

    def _signs(self, clause: Clause, count: int, start: int, end: int, rest: str) -> list[str]:
        tags, verb = self.tags, clause.verb
        subject = tags[clause.subject[0] : clause.subject[1]]
        judged = {
            clause.kind: True,
            "named": "NP" in subject,
            "determined": subject[0] in ("DT", "PP"),
            "comma in subject": "," in subject,
            "long subject": len(subject) > 6,
            "odd subject": subject[0] in ("IN", "VG", "VN", "TO", "WH", "SU", "TH"),
            "no object": not rest,
            "short object": 0 < len(rest) < 50,
            "long object": len(rest) > 120,
            "has aside": clause.aside[1] > 0,
            "copula": verb.copular,
            "passive": verb.passive,
            "past": tags[verb.start] == "VD",
            "speech": verb.head in SPEECH,
            "nested": any(tags[j] in ("SU", "WH", "TH") for j in range(start, end)),
            "many clauses": count > 3,
        }
        return [sign for sign, holds in judged.items() if holds]

    def _trim_end(self, start: int, end: int) -> int:
        while end > start and self.tags[end - 1] in _EDGE:
            end -= 1
        return end

    def _names(self, span: Range) -> bool:
        start = span[0]
        return self.tags[start] in ("DT", "NP", "PP", "JJ", "NN") and self.tags[start - 1] == ","

    def _participle_after_comma(self, subject: Range, start: int, end: int) -> tuple[Triple, int] | None:
        """', leading to X' says something of the subject; gives the triple and where it begins."""
        for j in range(start + 1, end):
            if self.tags[j - 1] == "," and self.tags[j] == "VG":
                rest = self._words((j + 1, end))
                triple = (self._words(subject), self.tokens[j].text, rest, _confidence(["participle"]))
                return triple, j - 1
        return None

    def _reduced_relative(self, start: int, end: int) -> Triple | None:
        """'a case brought by X' says that the case is brought by X."""
        for j in range(start + 1, end - 1):
            if self.tags[j] == "VN" and self.tags[j - 1] in ("NN", "NP") and self.tags[j + 1] in ("IN", "TO"):
                head = (phrase_start(self.tags, j, start), j)
                relation = f"is {self.tokens[j].text} {self.tokens[j + 1].text}"
                return self._words(head), relation, self._words((j + 2, end)), _confidence(["reduced"])
        return None

    def _appositions(self) -> list[Triple]:
        """'X, a Y,' says that X is a Y."""
        out: list[Triple] = []
        tags, count = self.tags, len(self.tags)
        for j in range(1, count - 1):
            if tags[j] == "," and tags[j - 1] == "NP" and self.tokens[j + 1].low in ("a", "an", "the"):
                end = j + 1
                while end < count and (tags[end] in _INSIDE_NAMES or self.tokens[end].low == "of"):
                    end += 1
                if j + 2 < end < count and tags[end] in (",", ".", "WH", ";"):
                    name = self._words((phrase_start(tags, j, 0), j))
                    out.append((name, "is", self._words((j + 1, end)), _confidence(["apposition"])))
        return out


def _confidence(signs: list[str]) -> float:
    odds = _INTERCEPT + sum(_WEIGHTS.get(sign, 0.0) for sign in signs)
    return round(1 / (1 + exp(-odds)), 3)
