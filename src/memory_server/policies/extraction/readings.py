"""One sentence looked at once: tokens, tags, clauses and what kind of saying it is."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from .blocks import Block, read_blocks
from .clauses import Clause, clauses
from .lexicon import words
from .sentences import split_sentences
from .tagging import tag
from .tokens import Token, tokenize

MAX_TOKENS = 120  # longer runs are lists or noise, and bounding them keeps the work linear
MAX_CHARACTERS = 2_000

_LEAD_IN = re.compile(
    r"(?:\w+\s){0,2}(?:note|fact|facts|fyi|update|reminder|confirmed|verified|observed|measured|learned|noticed|found|"
    r"observation|finding|for the record|for reference|status|result|tl;?dr|heads[ -]up|ps|p\.s\.|info)"
    r"(?:\s[\w'’-]+){0,7}\s{0,2}[:—–-]\s{1,3}(?=\S)",
    re.IGNORECASE,
)
_HEDGE = re.compile(
    r"\b(?:maybe|perhaps|possibly|probably|presumably|apparently|supposedly|allegedly|reportedly|seemingly|likely|"
    r"roughly speaking|i (?:think|believe|guess|suppose|suspect|assume|feel)|we (?:think|believe|suspect|assume)|"
    r"(?:it |this |that )?(?:seems?|appears?) (?:that|to|like)|not (?:entirely )?sure|as far as i know|afaik|iirc|imo|"
    r"imho|in my (?:opinion|view)|if i (?:recall|remember)|might|may|rumou?r(?:s|ed)?|could be)\b",
    re.IGNORECASE,
)
_CONDITION = re.compile(
    r"(?:\b(?:if|unless|assuming|suppose|supposing|provided that|in case|as long as|whether|otherwise|imagine|what if|"
    r"once we|when we|hypothetically|ideally)\b|\b(?:would|wouldn't|wouldn’t)\b(?! rather| prefer))",
    re.IGNORECASE,
)
_WISH = re.compile(
    r"\b(?:i wish|we wish|if only|hopefully|i hope|we hope|let's|let’s|let us|i'd love|would be nice|would love|"
    r"it'd be|maybe we (?:should|could)|we should|someone should|we could|i could|please)\b",
    re.IGNORECASE,
)
_QUESTION_START = re.compile(
    r"(?:and |but |so |or )?(?:(?:who|whom|whose|what|which|where|why|how)(?:'s|’s)?\s(?!ever)|"
    r"(?:is|are|was|were|do|does|did|can|could|will|would|should|has|have|had|may|shall)(?:n't|n’t)?\s"
    r"(?:i|you|we|they|he|she|it|the|a|an|this|that|there|any|anyone|[A-Z]\w{0,30})\b)",
    re.IGNORECASE,
)
_ENGLISH = words(
    """
    the a an of in on at to for with and or but is are was were be been has have had does do did not it
    its this that he she they we i you his her their our my your by from as uses will can
    """
)
_FOREIGN = words(
    """
    der das und ist nicht kein keine ein eine einen mit für auf von zu den dem wir ich sie verwendet le
    la les des une est pas nous je avec pour dans sur el los las una es nunca en con para por que del al
    usamos het een niet van wij il che di per non sono o os um uma não da do na no nie jest się och är
    inte det att och er ikke ikke og
    """
) - frozenset(("do", "no", "per", "a"))


@dataclass(slots=True)
class Reading:
    """A sentence with everything that the readers of facts, decisions and beliefs ask of it."""

    text: str  # the whole text; offsets point into it
    start: int
    end: int
    block: Block
    order: int
    tokens: list[Token]
    tags: list[str]
    clauses: list[Clause]
    sentence: str
    lead: bool = False
    question: bool = False
    conditional: bool = False
    wish: bool = False
    hedged: bool = False
    foreign: bool = False

    @property
    def leaves_alone(self) -> bool:
        """Whether nothing is asserted here that could be stored as true."""
        return self.question or self.conditional or self.wish or self.foreign


def fold(text: str) -> str:
    """White space folded to single spaces."""
    return " ".join(text.split())


def read(text: str) -> tuple[list[Block], list[Reading]]:
    """All blocks of a text and the readings of its sentences; pairs and headings give none."""
    blocks = read_blocks(text)
    readings: list[Reading] = []
    for block in blocks:
        if block.kind in ("prose", "item"):
            for order, (start, end) in enumerate(split_sentences(text, block.start, block.end)):
                readings.extend(_read_sentence(text, start, end, block, order))
    return blocks, readings


def _read_sentence(text: str, start: int, end: int, block: Block, order: int) -> Iterator[Reading]:
    if end - start > MAX_CHARACTERS or end - start < 3:
        return
    sentence = text[start:end]
    lead = _LEAD_IN.match(sentence)
    begin = start + lead.end() if lead else start
    tokens = tokenize(text, begin, end)
    if not tokens or len(tokens) > MAX_TOKENS:
        return
    tags = tag(tokens)
    reading = Reading(text, begin, end, block, order, tokens, tags, [], fold(sentence), lead=bool(lead))
    _judge(reading)
    if not reading.foreign and not reading.question:
        reading.clauses = clauses(tokens, tags)
    yield reading


def _judge(reading: Reading) -> None:
    body = reading.text[reading.start : reading.end]
    reading.question = body.rstrip("\"')*_ ").endswith("?") or bool(_QUESTION_START.match(body))
    reading.conditional = bool(_CONDITION.search(body))
    reading.wish = bool(_WISH.search(body))
    reading.hedged = bool(_HEDGE.search(body))
    english = foreign = 0
    for token in reading.tokens:
        if token.low in _ENGLISH:
            english += 1
        elif token.low in _FOREIGN and (token.text == token.low or token is reading.tokens[0]):
            foreign += 1
    letters = [character for character in body[:200] if character.isalpha()]
    latin = sum(character < "ɐ" for character in letters)
    reading.foreign = foreign > english or (bool(letters) and latin * 2 < len(letters))
