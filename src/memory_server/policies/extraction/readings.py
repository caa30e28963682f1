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
from .wordings import seek, wording

MAX_TOKENS = 120  # longer runs are lists or noise, and bounding them keeps the work linear
MAX_CHARACTERS = 2_000

_LEAD_IN = re.compile(
    r"(?:\w+\s){0,2}(?:note|fact|facts|fyi|update|reminder|confirmed|verified|observed|measured|learned|noticed|"
    r"found|observation|finding|for the record|for reference|status|result|tl;?dr|til|nb|heads[ -]up|ps|p\.s\.|info)"
    r"(?:\s[\w'’-]+){0,7}\s{0,2}[:—–-]\s{1,3}(?=\S)|"
    r"(?:(?:it )?turns out|til|p\.?s\.?|fyi|btw|nb)(?: that)?,?\s(?=[a-z])|"
    r"(?:(?:and|also|so|please|pls|just) ){0,3}"
    r"(?:noting|note|remember|confirming|confirmed|learned|turns out|reminder)(?: today| just now)? that\s",
    re.IGNORECASE,
)
_LABEL = re.compile(
    r"(?:\*\*|__)[^*\n]{1,60}?(?::(?:\*\*|__)|(?:\*\*|__)\s?[:—–-])\s{1,3}(?=\S)|"
    r"(?!(?i:decision|decided|agreed|settled|resolved|rejected|alternatives|reason|rationale|why)\b)"
    r"[A-Z][\w /-]{1,30}:\s{1,3}(?=[A-Z])"
)
# a request that hangs on a statement: 'I moved to Rome, can you help me …'
_APPENDED = re.compile(
    r"[,;–—-]\s(?:(?:and|so|but|or)\s)?(?:(?:can|could|would|will|do|did|does|is|are|should|have|has)\s"
    r"(?:you|i|we|they|he|she|it|there|the|that|this|someone)|"
    r"(?:what|how|which|where|why|when|who)(?:'s|’s)?\s\w)",
    re.IGNORECASE,
)
_ASKS_YOU = re.compile(r"\b(?:can|could|would|will) you\b", re.IGNORECASE)
_HEDGES = (
    wording(
        "maybe perhaps possibly probably presumably apparently supposedly allegedly reportedly seemingly likely "
        "might may rumor rumour rumors rumours rumored rumoured afaik iirc imo imho",
        r"\b(?:maybe|perhaps|possibly|probably|presumably|apparently|supposedly|allegedly|reportedly|seemingly|"
        r"likely|",
        r"might|(?-i:may)|rumou?r(?:s|ed)?|afaik|iirc|imo|imho)\b",
    ),
    wording(
        "think believe guess suppose suspect assume feel seem seems appear appears sure know recall remember opinion "
        "view could",
        r"\b(?:(?:i|we) (?:think|believe|guess|suppose|suspect|assume|feel)|",
        r"(?:it |this |that )?(?:seems?|appears?) (?:that|to|like)|not (?:entirely )?sure|as far as i know|",
        r"in my (?:opinion|view)|if i (?:recall|remember)|could be)\b",
    ),
)
_CONDITIONS = (
    wording(
        "if unless assuming suppose supposing provided case long whether otherwise imagine once when hypothetically "
        "ideally",
        r"\b(?:if|unless|assuming|suppose|supposing|provided that|in case|as long as|whether|otherwise|imagine|",
        r"once we|when we|hypothetically|ideally)\b",
    ),
    wording("would", r"\b(?:would|wouldn't|wouldn’t)\b(?! rather| prefer)"),
)
_WISHES = (
    wording(
        "wish only hope hopefully let 'd ’d nice love someone we i please pls plz",
        r"\b(?:(?:i|we) (?:wish|hope|could)|if only|hopefully|let's|let’s|let us|i'd love|would be nice|would love|",
        r"it'd be|(?:we|someone) should|please|pls|plz)\b",
    ),
)
_QUESTION_START = re.compile(
    r"(?:and |but |so |or )?(?:(?:who|whom|whose|what|which|where|why|how)(?:'s|’s)?\s(?!ever)|"
    r"(?:is|are|was|were|do|does|did|can|could|would|should|has|have|had)(?:n't|n’t)?\s[\w']|"
    r"(?:will|may|shall)(?:n't|n’t)?\s(?:i|you|we|they|he|she|it|the|a|an|this|that|there|any|anyone)\b)",
    re.IGNORECASE,
)
# "Doesn't eat fish": a note without a subject, where no question mark closes it
_DENIAL = re.compile(
    r"(?-i:Does(?:n't|n’t| not))\s(?!he\b|she\b|it\b|the\b|that\b|this\b|any|every|some|[A-Z])[a-z]+\s"
)
_MARKUP = re.compile(r"\*\*|\[([^\]\n]{1,200})\]\([^)\s]{1,500}\)|\]\([^)\s]{0,500}\)?")
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
    vocabulary: frozenset[str]
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

    def words(self, span: tuple[int, int]) -> str:
        """The text of a range of tokens, with white space folded."""
        start, end = span
        if start >= end:
            return ""
        raw = self.text[self.tokens[start].start : self.tokens[end - 1].end]
        return fold(_MARKUP.sub(r"\1", raw) if "*" in raw or "](" in raw else raw)


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
    if sentence.lower() == sentence.upper():
        return  # no letters, or none of a script that these rules know
    lead = _LEAD_IN.match(sentence)
    label = None if lead or order else _LABEL.match(sentence)
    begin = start + (lead or label).end() if lead or label else start  # type: ignore[union-attr]
    end = _before_request(text, begin, end)
    tokens = tokenize(text, begin, end)
    if not tokens or len(tokens) > MAX_TOKENS:
        return
    tags = tag(tokens)
    vocabulary = frozenset(token.low for token in tokens)
    reading = Reading(
        text, begin, end, block, order, tokens, tags, [], fold(sentence), vocabulary, bool(lead)
    )
    _judge(reading)
    if not reading.foreign and not reading.question:
        reading.clauses = clauses(tokens, tags)
    yield reading


def _before_request(text: str, start: int, end: int) -> int:
    """Where the statement in front of an appended question or request ends; `end` if there is none."""
    if text.find("?", max(start, end - 4), end) < 0 and text.find(" you ", start, end) < 0:
        return end
    found = _APPENDED.search(text, start, end)
    if not found or len(text[start : found.start()].split()) < 4 or _QUESTION_START.match(text, start, end):
        return end
    asks = text[start:end].rstrip("\"')*_ ").endswith("?")
    return found.start() if asks or _ASKS_YOU.search(found.group()) else end


def _judge(reading: Reading) -> None:
    body = reading.text[reading.start : reading.end]
    asks = body.rstrip("\"')*_ ").endswith("?")
    reading.question = asks or bool(_QUESTION_START.match(body) and not _DENIAL.match(body))
    heard = reading.vocabulary
    reading.conditional = any(seek(item, heard, body) for item in _CONDITIONS)
    reading.wish = any(seek(item, heard, body) for item in _WISHES)
    reading.hedged = any(seek(item, heard, body) for item in _HEDGES)
    english = foreign = 0
    for token in reading.tokens:
        if token.low in _ENGLISH:
            english += 1
        elif token.low in _FOREIGN and (token.text == token.low or token is reading.tokens[0]):
            foreign += 1
    reading.foreign = foreign > english or not (body.isascii() or _mostly_latin(body))


def _mostly_latin(body: str) -> bool:
    letters = [character for character in body[:200] if character.isalpha()]
    return sum(character < "ɐ" for character in letters) * 2 >= len(letters)
