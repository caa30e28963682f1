"""Decisions that a sentence reports as taken: the choice, its reason and what was turned down."""

from __future__ import annotations

import re

from .candidates import DecisionCandidate, Span
from .decision_wordings import IMPLIED, TAKEN
from .lexicon import words
from .readings import Reading, fold
from .verbs import lemma
from .wordings import seek, until_next_clause, wording

_CUES = frozenset().union(*(sought.cues for sought in TAKEN))
_UNDONE = re.compile(
    r"(?:\b(?:not|never|almost|nearly|n't|n’t|cannot|un|yet to|to be|be|before|until|whether|if|unless|must|"
    r"should|would|could|may|"
    r"might|can|need to|needs to|have to|has to|had to|want to|wants to|trying to|about to|please|let's|let’s|nobody|"
    r"no one|hardly|rather than|without|instead of)\s(?:(?:yet|really|ever|actually|be|been|have|has|we|i|they|"
    r"formally|finally|quite|even)\s){0,3}|n't\s(?:yet\s)?|n’t\s(?:yet\s)?)\Z",
    re.IGNORECASE,
)
_TAKEN_BACK = wording(
    "revert reverted reversed undid undone canceled cancelled backed changed abandoned dropped rolled called",
    r"\b(?:but|then|later|and)\b.{0,60}\b(?:revert(?:ed)?|reversed|undid|undone|cancel(?:l?ed)|backed out|changed ",
    r"(?:our|my|their|his|her) minds?|abandoned (?:it|that|the)|dropped (?:it|that|the idea)|rolled (?:it )?back|",
    r"called it off)\b",
)
_DATES = (
    r"(?! (?:\d{4}|last|january|february|march|april|may|june|july|august|september|october|november|december|"
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)day))"
)
_PURPOSE = (
    r"to (?:avoid|maintain|keep|reduce|improve|ensure|save|prevent|minimi[sz]e|simplify|support|get|allow|help|cut|"
    r"lower|speed)"
)
_REASON = re.compile(
    rf"[,;]?\s(?:because of|because|since{_DATES}|due to|so that|so as to|in order to|{_PURPOSE}|thanks to|owing to|"
    r"given that|given|as it|as they|as we|for its|for their|on the grounds that|the reason being)\s",
    re.IGNORECASE,
)
_KEPT_IN_REASON = re.compile(
    r"to \w|so that|so as to|in order to|as (?:it|they|we)|for (?:its|their)", re.IGNORECASE
)
_AGAINST = re.compile(
    r"(?:[,;]?\s\(?(?:over|instead of|rather than|as opposed to|in place of|and not|but not|and rejected|and dropped|"
    r"rejecting|rejected|versus|vs\.?)|,\snot)\s(?P<what>[^,;.()]{1,160})",
    re.IGNORECASE,
)
_SPLIT = re.compile(r"\s?,\s(?:and |or )?|\s(?:and|or|nor)\s|\s/\s")
_AFTER_ALTERNATIVES = re.compile(r"\s(?:for|in|because|since|as|due)\s")
_TOPIC = re.compile(
    r"\s(?:for|in|as)\s(?P<topic>(?:the|our|my|all|its|their|a|an)\s[^,;.]{1,80}?)"
    r"(?=\s(?:because|since|due|so|over|instead|rather)\b|[,;.]|$)",
    re.IGNORECASE,
)
_NEXT_REASON = re.compile(
    r"(?:because|reason(?:ing)?:|rationale:|the (?:main )?reason (?:is|was|being)(?: that)?|"
    r"(?:that|this)(?:'s|’s| is| was) because|why:)\s(?P<why>\S.{0,400})",
    re.IGNORECASE,
)
_TURNED_DOWN_NEXT = re.compile(
    r"(?:(?:we |i )?(?:also )?(?:rejected|considered and rejected|ruled out|turned down|decided against|dropped|"
    r"discarded)(?! (?:by|in|off|out|to|from)\b)|(?:rejected|alternatives?(?: considered| rejected)?|"
    r"turned down)\s?:)\s(?P<what>[^.;]{1,200})",
    re.IGNORECASE,
)
_GIVING_UP = re.compile(r"\b(?:dropp|abandon|scrapp|retir|ditch|shelv)(?:ed|ing)\b")
_ASIDE = re.compile(r"\s\((?P<why>[^()]{3,200})\)\W{0,3}\Z")
_DECISIONS = re.compile(r"\b(?:decisions?|decided|agreed|resolutions?)\b", re.IGNORECASE)
_OPEN_DECISIONS = re.compile(
    r"\b(?:open|pending|deferred|postponed|tbd|todo|no|not|proposed|to be|possible|candidate|needed|undecided|unclear|"
    r"discuss|later|maybe|rejected|parked|revisit)\b",
    re.IGNORECASE,
)
_ANYTHING = re.compile(r"(?P<choice>\S.{2,400})", re.DOTALL)
_EDGE = " \t\n,;:.!\"'`*_—–-"
_EMPTY_CHOICES = words("it that this them so yet not on to")


def decision_of(reading: Reading) -> DecisionCandidate | None:
    """The decision that a sentence reports as taken, if it does."""
    if reading.question or reading.foreign or _CUES.isdisjoint(reading.vocabulary):
        return None
    body = reading.text[reading.start : reading.end]
    if seek(_TAKEN_BACK, reading.vocabulary, body):
        return None
    for sought in TAKEN:
        found = seek(sought, reading.vocabulary, body)
        if found and not _is_undone(body, found) and not _hypothetical(reading, found):
            return _candidate(reading, found, sought.weight)
    return None


def listed_decision(reading: Reading) -> DecisionCandidate | None:
    """What stands as an item under a heading like 'Decisions' was decided, however it is worded."""
    heading, body = reading.block.heading, reading.text[reading.start : reading.end]
    if reading.block.kind != "item" or reading.order or not _DECISIONS.search(heading):
        return None
    if reading.question or reading.foreign or reading.wish or reading.hedged or reading.conditional:
        return None
    if _OPEN_DECISIONS.search(heading) or _OPEN_DECISIONS.search(body) or len(reading.tokens) < 3:
        return None
    found = _ANYTHING.match(body)
    return _candidate(reading, found, IMPLIED) if found else None


def _is_undone(body: str, found: re.Match[str]) -> bool:
    return bool(_UNDONE.search(body[max(0, found.start() - 60) : found.start()]))


def _hypothetical(reading: Reading, found: re.Match[str]) -> bool:
    """Whether a condition, a wish or a gerund for a subject ('Moving to X is …') keeps it from being a decision."""
    if (
        found.start() == 0
        and reading.tags[0] == "VG"
        and any(clause.subject[0] == 0 for clause in reading.clauses)
    ):
        return True
    if not (reading.conditional or reading.wish):
        return False
    return (
        not reading.text[reading.start : reading.end][: found.start() + 8]
        .lower()
        .startswith(("decision", "we decided", "i decided"))
    )


def _candidate(reading: Reading, found: re.Match[str], confidence: float) -> DecisionCandidate | None:
    groups = found.groupdict()
    rejected: list[str] = []
    if groups.get("from"):
        rejected.append(_clean(groups["from"]))
    if groups.get("against") and not groups.get("choice"):
        against, reason = _aside_as_reason(*_reason(groups["against"]))
        rejected.extend(_alternatives(against))
        choice = "not " + _clean(against)
    else:
        if groups.get("against"):
            rejected.extend(_alternatives(groups["against"]))
        choice, reason = _aside_as_reason(*_reason(until_next_clause(groups["choice"])))
        given_up = _given_up(found)
        if given_up:
            rejected.append(_clean(choice))
            choice = f"{given_up} {choice}"
        choice, more = _turned_down(choice)
        rejected.extend(more)
        reason, more = _turned_down(reason) if not more else (reason, [])
        rejected.extend(more)
        choice = _clean(choice)
    if not choice or choice.lower() in _EMPTY_CHOICES or len(choice) < 2:
        return None
    topic = groups.get("topic") or ""
    if not topic:
        place = _TOPIC.search(" " + reading.text[reading.start : reading.end])
        topic = place.group("topic") if place else reading.block.heading
    if reading.hedged:
        confidence -= 0.25
    unique = tuple(dict.fromkeys(name for name in rejected if name))
    return DecisionCandidate(
        fold(choice),
        fold(topic) or reading.sentence,
        fold(_clean(reason)),
        unique,
        round(confidence, 2),
        Span(reading.start, reading.end),
    )


def _given_up(found: re.Match[str]) -> str:
    """The word that says that the thing chosen about is done with: 'drop', 'no more'; '' where it was taken up."""
    opening = found.group(0)[: found.start("choice") - found.start()].lower()
    if opening.startswith("no more"):
        return "no more"
    verb = None if found.groupdict().get("against") else _GIVING_UP.search(opening)
    return lemma(verb.group()) if verb else ""


def _aside_as_reason(said: str, reason: str) -> tuple[str, str]:
    """'(too heavy)' behind a choice is its reason where no other is given."""
    aside = None if reason else _ASIDE.search(said)
    return (said[: aside.start()], aside.group("why")) if aside else (said, reason)


def _reason(choice: str) -> tuple[str, str]:
    cut = _REASON.search(choice)
    if not cut:
        return choice, ""
    begin = cut.start() if _KEPT_IN_REASON.search(cut.group()) else cut.end()
    return choice[: cut.start()], choice[begin:]


def _turned_down(choice: str) -> tuple[str, list[str]]:
    found = _AGAINST.search(choice)
    if not found:
        return choice, []
    rest = choice[found.end() :]
    return choice[: found.start()] + rest, _alternatives(found.group("what"))


def _alternatives(words: str) -> list[str]:
    return [_clean(part) for part in _SPLIT.split(_cut_topic(words)) if _clean(part)]


def _cut_topic(words: str) -> str:
    return _AFTER_ALTERNATIVES.split(words, maxsplit=1)[0]


def _clean(words: str) -> str:
    return fold(words).strip(_EDGE)


def following_reason(reading: Reading) -> str:
    """The reason that a sentence gives for the decision of the sentence before it, or ''."""
    found = _NEXT_REASON.match(reading.text[reading.start : reading.end])
    return _clean(found.group("why")) if found else ""


def following_rejections(reading: Reading) -> tuple[str, ...]:
    """What a sentence says was turned down in the decision before it."""
    if reading.question or reading.conditional:
        return ()
    found = _TURNED_DOWN_NEXT.match(reading.text[reading.start : reading.end])
    return tuple(_alternatives(_reason(found.group("what"))[0])) if found else ()
