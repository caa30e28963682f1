"""What a question is about, without the words that only say what to do with it.

"Can you give me a short summary of the move to the new printer, across our conversations?" is about the move to the
new printer. The words around that stand in half of all talks, and would be found there.
"""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

Kind = Literal["order", "summary"]

LONG = 1_500  # characters from which a text is taken for something pasted, with a question before or after it
END = 500  # characters at either end of such a text, in which the question is looked for
MOST_ASKED = 4  # sentences
MOST_OF_A_LINE = 300  # characters


class Topic(NamedTuple):
    """What to look for, and whether an order of events or a summary is wanted, if either."""

    text: str
    kind: Kind | None


_TELL = (
    r"(?:list|tell me|give me|show me|walk me through|provide(?: me with)?|write(?: me| up)?|outline|describe|recap|"
    r"remind me of|make|prepare)"
)
_SAID = (
    r"(?:first )?(?:brought up|bring up|mention(?:ed)?|discuss(?:ed)?|raised?|introduced?|talk(?:ed)? about|"
    r"ask(?:ed)? about|cover(?:ed)?|told you about|learn(?:ed|t)? about)"
)
_WE = r"(?:i|we|you|they)(?:'ve| have| had)?"
_ORDER = re.compile(
    rf"(?:\bin (?:what|which) (?:order|sequence)|(?:\b{_TELL} )?\bthe (?:\w+ )?(?:order|sequence) (?:in which|how)|"
    rf"\b{_TELL} the (?:\w+ )?(?:order|sequence|timeline) of)(?: did)?(?: {_WE} {_SAID})?",
    re.IGNORECASE,
)
_SUMMARY = re.compile(
    rf"(?:\b{_TELL} )?(?:\b(?:an?|the) (?:[\w-]+ ){{0,2}}(?:summary|overview|recap|rundown) of"
    r"|\b(?:summari[sz]e|sum up|recap))\b(?: everything| all)?(?: (?:how|what|that))?(?: about)?",
    re.IGNORECASE,
)
_ASPECTS = re.compile(
    r"\b(?:the |all )?(?:different|various|several|many|main) (?:aspects|parts|concepts|topics|elements|facets|points|"
    r"things|ways)(?: (?:related to|of|about|in|concerning))?",
    re.IGNORECASE,
)
_PLACE = re.compile(
    r"\b(?:throughout|across|during|over|through|in|from) (?:all (?:of )?)?(?:our|my|these|those|the)(?: [\w-]+)? "
    r"(?:conversations?|chats?|discussions?|talks?|sessions?|messages)\b",
    re.IGNORECASE,
)
_REST = re.compile(
    r"\b(?:can|could|would|will) you\b|\bplease\b|\bmention only\b[^.?!]*|\b(?:and )?only \w+ items?\b|"
    rf"\bin (?:chronological )?order\b|\bover time\b|\bso far\b|\b(?:that )?{_WE} {_SAID}(?= |\?|\.|$)",
    re.IGNORECASE,
)
_QUESTION = re.compile(r"[^.?!。？！\n]{2,300}(?:[?？]+(?=\s|$)|(?<=[\u3000-\u9fff])[?？])")
_BLANKS = re.compile(r"\s+")
_EDGES = " ,;:.?!"


def asked_in(text: str) -> str:
    """What is asked in a text: a short one as it stands, of a long one the questions at its ends.

    Who pastes a log or a letter asks before or after it; what stands between is no question, whatever days and names
    there are in it. Where no sentence is a question, the first and the last line are taken for one if they are short,
    else both ends.
    """
    if len(text) <= LONG:
        return text
    text = text.strip()
    begun, ended = text[:END].rpartition(" ")[0] or text[:END], text[-END:].partition(" ")[2] or text[-END:]
    questions = [match.group().strip() for match in _QUESTION.finditer(f"{begun}\n{ended}")]
    if not questions:
        lines = (text.partition("\n")[0].strip(), text.rpartition("\n")[2].strip())
        questions = [line for line in lines if len(line) <= MOST_OF_A_LINE]
    return "\n".join(questions[-MOST_ASKED:] or (begun, ended))


def topic_of(question: str) -> Topic:
    """What a question is about. One that asks neither for an order nor for a summary is left as it is."""
    for kind, frame in _FRAMES:
        if frame.search(question):
            text = frame.sub(" ", question)
            for pattern in (_ASPECTS, _PLACE, _REST):
                text = pattern.sub(" ", text)
            text = _BLANKS.sub(" ", text).strip(_EDGES)
            # what is nothing but frame is looked for as it stands
            return Topic(text if re.search(r"[^\W\d_]{2}", text) else question, kind)
    return Topic(question, None)


_FRAMES: tuple[tuple[Kind, re.Pattern[str]], ...] = (("order", _ORDER), ("summary", _SUMMARY))
