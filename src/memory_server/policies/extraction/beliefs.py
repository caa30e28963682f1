"""Beliefs that a sentence voices: opinions, preferences, rules, generalisations and what was only heard."""

from __future__ import annotations

import re

from .candidates import BeliefCandidate, BeliefKind, Span
from .readings import Reading, fold

OUTRIGHT, IMPLIED, HEDGED, HEARSAY = 0.9, 0.75, 0.65, 0.4

_OPENING = re.compile(
    r"(?:(?:honestly|frankly|personally|actually|well|so|and|but|also|overall|look|to be honest|tbh)[,:]?\s){0,3}",
    re.IGNORECASE,
)
_HOLDING = re.compile(
    r"\b(?:i (?:(?:really|strongly|firmly|still|also|honestly|genuinely|personally|increasingly|do) ){0,2}(?P<verb>think|believe|feel|guess|suspect|reckon|"
    r"suppose|doubt|find|consider|maintain|hold)|i(?:'m|’m| am) (?:(?:pretty|very|quite|fairly|not|still|really|deeply|increasingly) )?(?:convinced|certain|sure|confident|skeptical|sceptical|"
    r"doubtful|worried|unconvinced|bullish|bearish|wary|unimpressed|impressed|torn)|i(?:'d|’d| would) (?:argue|say)|i(?:'ve| have) come to (?:think|believe)|my (?:take|view|opinion|read|sense|"
    r"impression|hunch|feeling|gut|hot take|assessment|position)|in my (?:opinion|view|experience|judg(?:e)?ment)|imho|imo|"
    r"(?:as far as|if you ask) me|it (?:seems|feels|looks) (?:to me|like|as if)|seems to me)\b(?: (?:on|about|of) [^:,]{1,60})?(?: is)?(?: that)?[:,]?\s?",
    re.IGNORECASE,
)
_JUDGEMENT = re.compile(
    r"\b(?:overrated|underrated|overhyped|overkill|elegant|ugly|terrible|awful|brilliant|beautiful|boring|excellent|"
    r"amazing|fantastic|disappointing|impressive|annoying|clumsy|brittle|horrible|wonderful|misguided|reductive|"
    r"unconvincing|flawed|(?:far |much )?(?:better|worse|nicer|cleaner|simpler|safer|easier|harder) than|the (?:best|worst|right|wrong) "
    r"\w{1,20}|a (?:mistake|mess|pleasure|pain|nightmare|waste)|worth (?:it|the|pushing)|not worth|too (?:slow|complex|complicated|expensive|"
    r"noisy|verbose|fragile|clever|hard|rigid)|oversells?|undersells?)\b",
    re.IGNORECASE,
)
_PREFERENCE = re.compile(
    r"\b(?:(?:strongly |much |really |always |usually |generally )?(?:prefer(?:s|red)?|favou?rs?|loves?|likes?|enjoys?|hates?|"
    r"dislikes?|detests?|can't stand|cannot stand|adores?|loathes?)|(?:would|'d|’d) (?:much |really )?(?:rather|prefer|like)|favou?rite|"
    r"(?:is|am|are|'m|’m|'s|’s) (?:a (?:big )?fan of|allergic to|fond of|partial to|keen on)|prefer(?:red|ence)s?(?: is| are|:)|likes? (?:it|things|to)\b)",
    re.IGNORECASE,
)
_MILD = re.compile(r"\b(?:likes?|loves?|enjoys?|hates?|dislikes?|favou?rs?)\b", re.IGNORECASE)
_HOLDER = re.compile(
    r"(?:^|\b)(?:i|we|he|she|they|user|[A-Z][\w'’.-]{1,30}(?: [A-Z][\w'’.-]{1,30})?)\b|(?:my|our|his|her|their)\s",
    re.DOTALL,
)
_RULE = re.compile(
    r"\b(?:must(?: not|n't|n’t)?|shall(?: not)?|(?:is|are) (?:required|forbidden|mandatory|not allowed|prohibited)|"
    r"(?:should(?: not|n't|n’t)?|ought to)|always|never|do not|don't|don’t|as a rule|no \w{1,20} (?:may|must|should))\b",
    re.IGNORECASE,
)
_RULE_START = re.compile(
    r"\W{0,3}(?:always|never|do not|don't|don’t|no (?!longer|more|one))\b", re.IGNORECASE
)
_GENERAL = re.compile(
    r"\b(?:generally|usually|typically|tends? to|in general|as a rule|mostly|most \w{3,20}s|all \w{3,20}s|every \w{3,20}|"
    r"any \w{3,20}|often|rarely|seldom)\b",
    re.IGNORECASE,
)
_HEARSAY = re.compile(
    r"(?:\b(?:apparently|reportedly|allegedly|supposedly|rumou?r has it|rumou?red|word is|i(?:'ve| have)? (?:heard|read)(?: that)?|people say|they say|"
    r"some say|it is said|is said to|are said to|according to)\b|\b(?:[A-Z][\w.'-]{1,30}|he|she|they) (?:(?:says|said|claims|claimed|thinks|believes|"
    r"told (?:me|us)|mentioned|reckons|swears|insists|argues)(?: that)?)\s)",
)
_EMPHATIC = re.compile(
    r"\b(?:strongly|firmly|definitely|certainly|convinced|certain|absolutely|without doubt|clearly|always|never|must)\b",
    re.IGNORECASE,
)
_UNSURE = re.compile(
    r"\b(?:think|guess|suppose|suspect|maybe|perhaps|probably|seems?|hunch|feel|feels|might|may|doubt|not sure|likely|reckon)\b",
    re.IGNORECASE,
)
_META = re.compile(r"(?:that|this|it)(?:'s|’s| is) (?:just |only )?my\b", re.IGNORECASE)
_EDGE = " \t\n,;:"


def belief_of(reading: Reading, fact_indexes: tuple[int, ...]) -> BeliefCandidate | None:
    """The belief that a sentence voices, if it does; `fact_indexes` are the facts of the same sentence."""
    if reading.question or reading.foreign:
        return None
    body = reading.text[reading.start : reading.end]
    if _META.match(body):
        return None
    found = _kind(reading, body)
    if found is None:
        return None
    kind, confidence, proposition = found
    if reading.conditional and kind not in ("opinion", "preference"):
        return None
    proposition = fold(proposition).strip(_EDGE)
    if len(proposition.split()) < 3:
        return None
    proposition = proposition[:1].upper() + proposition[1:]
    return BeliefCandidate(proposition, confidence, Span(reading.start, reading.end), kind, fact_indexes)


def _kind(reading: Reading, body: str) -> tuple[BeliefKind, float, str] | None:
    preference = _PREFERENCE.search(body)
    if preference and _is_preference(body, preference):
        outright = OUTRIGHT if not _MILD.fullmatch(preference.group()) else 0.85
        return "preference", HEDGED if reading.hedged else outright, body
    holding = _HOLDING.search(body)
    if holding and holding.start() <= 60:
        proposition = _held(body, holding)
        confidence = (
            OUTRIGHT if _EMPHATIC.search(holding.group()) else HEDGED if _UNSURE.search(body) else IMPLIED
        )
        return "opinion", confidence, proposition
    hearsay = _HEARSAY.search(body)
    if hearsay:
        return "hearsay", HEARSAY, body
    if _RULE_START.match(body) or (_RULE.search(body) and not reading.wish and not _past_rule(body)):
        return (
            "rule",
            OUTRIGHT
            if re.search(r"\b(?:must|never|always|required|forbidden|mandatory)\b", body, re.I)
            else IMPLIED,
            body,
        )
    judgement = _JUDGEMENT.search(body)
    if judgement and _states(reading):
        return "opinion", HEDGED if reading.hedged else 0.8, body
    if _GENERAL.search(body) and _states(reading):
        return "generalisation", HEDGED if reading.hedged else IMPLIED, body
    return None


def _is_preference(body: str, found: re.Match[str]) -> bool:
    word = found.group().lower()
    before = body[: found.start()]
    if word in ("like", "likes", "favor", "favour", "love", "likes it"):
        tail = before.rstrip().rsplit(None, 1)
        last = tail[-1].lower() if tail else ""
        return (
            last in ("i", "we", "they", "he", "she", "really", "also", "don't", "not", "n't", "who")
            or last[:1].isupper()
            or (bool(tail) and tail[-1][:1].isupper())
        )
    if word.endswith(("would like", "'d like", "’d like")):
        return False
    return bool(_HOLDER.search(before)) or word.startswith(("favo", "prefer"))


def _past_rule(body: str) -> bool:
    return bool(re.search(r"\b(?:has|have|had|was|were) (?:always|never)\b", body, re.IGNORECASE))


def _held(body: str, holding: re.Match[str]) -> str:
    """What is held, without the words that say it is held."""
    rest = body[holding.end() :].strip(_EDGE)
    verb = (holding.group("verb") or "").lower()
    if verb in ("doubt", "find", "consider") or re.search(
        r"skeptic|sceptic|worried|wary|doubtful|impressed|bullish|bearish|unconvinced|torn|not sure",
        holding.group(),
        re.I,
    ):
        opening = _OPENING.match(body)
        return body[opening.end() if opening else 0 :]
    return rest or body


def _states(reading: Reading) -> bool:
    return any(clause.kind in ("main", "coord") for clause in reading.clauses)
