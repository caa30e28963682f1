"""Facts next to what a text names, however its words are joined there: "the billing API" means `billing-api`, too."""

from __future__ import annotations

import re
from itertools import islice

from memory_server.policies.scopes import Scopes
from memory_server.policies.stopwords import STOP_WORDS
from memory_server.services.parts import Parts

MOST = 100  # facts, of all that is named together
MOST_NAMED = 8
MOST_WORDS = 64  # of a text are put together to names
LONGEST = 4  # words of a name that is joined by signs
JOINTS = ("-", "_", "")

SPEAKER = "user"
"""The subject of what people say of themselves."""

_SPEAKER = re.compile(r"\b(?:i|my|me|mine|myself|i'm|i've|i'd)\b", re.IGNORECASE)
_WORD = re.compile(r"[^\W_]+")


def facts_named(parts: Parts, text: str, scopes: Scopes = None) -> list[str]:
    """Ids of facts whose subject or object a text names, at most a hundred; "my" names the user."""
    with parts.observation.span("graph"):
        graph = parts.network.current(scopes)
        joined = (graph.resolve(name) for name in joined_names(text))
        named = [*graph.entities_in(text), *(name for name in joined if name is not None)]
        if _SPEAKER.search(text):
            named += graph.entities_in(SPEAKER)
        found: list[str] = []
        for name in list(dict.fromkeys(named))[:MOST_NAMED]:
            for edge in graph.neighbourhood(name, MOST).edges:
                found.extend(edge.fact_ids)
    return list(dict.fromkeys(found))[:MOST]


def joined_names(text: str) -> list[str]:
    """What names the words of a text would make if signs stood between them, the longest first."""
    words = [match.group() for match in islice(_WORD.finditer(text), MOST_WORDS)]
    return [
        joint.join(words[at : at + length])
        for length in range(LONGEST, 1, -1)
        for at in range(len(words) - length + 1)
        if not STOP_WORDS.intersection(word.casefold() for word in (words[at], words[at + length - 1]))
        for joint in JOINTS
    ]
