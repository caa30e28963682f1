"""Beliefs that a sentence voices: opinions, preferences, rules, generalisations and what was only heard."""

from __future__ import annotations

import re

from .candidates import BeliefCandidate, BeliefKind, Span
from .lexicon import words
from .readings import Reading, fold
from .wordings import seek, wording

OUTRIGHT, PREFERRED, IMPLIED, HEDGED, HEARSAY = 0.9, 0.85, 0.75, 0.65, 0.4

_OPENING = re.compile(
    r"(?:(?:honestly|frankly|personally|actually|well|so|and|but|also|overall|look|to be honest|tbh)[,:]?\s){0,3}",
    re.IGNORECASE,
)
_HOLDING = wording(
    "i my imo imho opinion view experience me seems feels looks convinced unconvinced sold skeptical sceptical impressed "
    "unimpressed worried doubtful sure",
    r"\b(?:i (?:(?:really|strongly|firmly|still|also|honestly|genuinely|personally|increasingly|do) ){0,2}",
    r"(?P<verb>think|believe|feel|guess|suspect|reckon|suppose|doubt|find|consider|maintain|hold)|",
    r"i(?:'m|’m| am) (?:(?:pretty|very|quite|fairly|not|still|really|deeply|increasingly) )?(?:convinced|certain|sure|",
    r"confident|skeptical|sceptical|doubtful|worried|unconvinced|bullish|bearish|wary|unimpressed|impressed|torn)|",
    r"i(?:'d|’d| would) (?:argue|say)|i(?:'ve| have) come to (?:think|believe)|",
    r"my (?:take|view|opinion|read|sense|impression|hunch|feeling|gut|hot take|assessment|position)|",
    r"in my (?:opinion|view|experience|judge?ment)|imho|imo|(?:as far as|if you ask) me|",
    r"it (?:seems|feels|looks) (?:to me|like|as if)|seems to me|",
    r"\A(?:(?:still|really|pretty|very|not|deeply) ){0,2}(?:convinced|unconvinced|sold|skeptical|sceptical|impressed|",
    r"unimpressed|worried|doubtful|sure))\b",
    r"(?: (?:on|about|of) [^:,]{1,60})?(?: is)?(?: that)?[:,]?\s?",
)
_WHOLE_SENTENCE = re.compile(
    r"skeptic|sceptic|worried|wary|doubtful|impressed|bullish|bearish|unconvinced|torn|not sure",
    re.IGNORECASE,
)
_JUDGEMENT = wording(
    "overrated underrated overhyped overkill elegant ugly terrible awful brilliant beautiful boring excellent amazing "
    "fantastic disappointing impressive annoying clumsy brittle horrible wonderful misguided reductive unconvincing "
    "flawed than best worst right wrong mistake mess pleasure pain nightmare waste worth too oversell oversells "
    "undersell undersells",
    r"\b(?:overrated|underrated|overhyped|overkill|elegant|ugly|terrible|awful|brilliant|beautiful|boring|excellent|",
    r"amazing|fantastic|disappointing|impressive|annoying|clumsy|brittle|horrible|wonderful|misguided|reductive|",
    r"unconvincing|flawed|(?:better|worse|nicer|cleaner|simpler|safer|easier|harder) than|",
    r"the (?:best|worst|right|wrong) \w{1,20}|a (?:mistake|mess|pleasure|pain|nightmare|waste)|worth (?:it|the)|",
    r"not worth|too (?:slow|complex|complicated|expensive|noisy|verbose|fragile|clever|hard|rigid)|oversells?|",
    r"undersells?)\b",
)
_PREFERENCE = wording(
    "prefer prefers preferred preference preferences favor favour favors favours love loves like likes enjoy enjoys "
    "hate hates dislike dislikes detest detests stand adore adores loathe loathes rather favorite favourite fan allergic "
    "fond partial keen",
    r"\b(?:(?:prefer(?:s|red)?|favou?rs?|loves?|likes?|enjoys?|hates?|dislikes?|detests?|can't stand|cannot stand|",
    r"adores?|loathes?)\b|(?:would|'d|’d) (?:much |really )?(?:rather|prefer|like)|favou?rite|",
    r"(?:is|am|are|'m|’m|'s|’s) (?:a (?:big )?fan of|allergic to|fond of|partial to|keen on)|",
    r"prefer(?:red|ence)s?(?: is| are|:))",
)
# what somebody else wants is a preference; what the writer wants may be a plan
_WANTED = wording(
    "wants want insists",
    r"\b(?!I\b|We\b|You\b|They\b)(?:[A-Z][\w'’.-]{1,30}|[Uu]ser|[Cc]lient|[Cc]ustomer|[Hh]e|[Ss]he) ",
    r"(?:(?:really |always )?wants|insists on|does(?: not|n't|n’t) want)\s",
    case=True,
)
_FRANK = re.compile(
    r"\W{0,2}(?:honestly|frankly|personally|to be honest|tbh|if i'm honest)[,:]?\s", re.IGNORECASE
)
_MILD = re.compile(r"\b(?:likes?|loves?|enjoys?|hates?|dislikes?|favou?rs?)\b", re.IGNORECASE)
_HOLDER = re.compile(
    r"\b(?:i|we|he|she|they|user|[A-Z][\w'’.-]{1,30}(?: [A-Z][\w'’.-]{1,30})?)\b|(?i:my|our|his|her|their)\s"
)
_REQUIRED = wording(
    "required forbidden mandatory allowed prohibited compulsory",
    r"\b(?:is|are) (?:required|forbidden|mandatory|not allowed|prohibited|compulsory)\b",
)
_RULE_START = re.compile(
    r"\W{0,3}(?:always|never|do not|don't|don’t|no (?!longer|more|one))\b", re.IGNORECASE
)
_GENERAL = wording(
    "generally usually typically tend tends general rule mostly most all every any often rarely seldom",
    r"\b(?:generally|usually|typically|tends? to|in general|as a rule|mostly|most \w{3,20}s|all \w{3,20}s|",
    r"every \w{3,20}|any \w{3,20}|often|rarely|seldom)\b",
)
_HEARSAY = wording(
    "apparently reportedly allegedly supposedly rumor rumour rumored rumoured word heard read people they some said says "
    "according claims claimed thinks believes told mentioned reckons swears insists argues",
    r"(?:\b(?:[Aa]pparently|[Rr]eportedly|[Aa]llegedly|[Ss]upposedly|[Rr]umou?r has it|rumou?red|[Ww]ord is|",
    r"I(?:'ve| have)? (?:heard|read)(?: that)?|[Pp]eople say|[Tt]hey say|[Ss]ome say|[Ii]t is said|is said to|",
    r"are said to|[Aa]ccording to)\b|\b(?:[A-Z][\w.'-]{1,30}|he|she|they) (?:says|said|claims|claimed|thinks|",
    r"believes|told (?:me|us)|mentioned|reckons|swears|insists|argues)(?: that)?\s)",
    case=True,
)
_BINDING = re.compile(
    r"\b(?:must|never|always|required|forbidden|mandatory|do not|don't|don’t)\b", re.IGNORECASE
)
_EMPHATIC = re.compile(
    r"\b(?:strongly|firmly|definitely|certainly|convinced|certain|absolutely|clearly|always|never|must)\b",
    re.IGNORECASE,
)
_UNSURE = re.compile(
    r"\b(?:think|guess|suppose|suspect|maybe|perhaps|probably|seems?|hunch|feel|feels|might|may|doubt|not sure|"
    r"likely|reckon)\b",
    re.IGNORECASE,
)
_META = re.compile(r"(?:that|this|it)(?:'s|’s| is) (?:just |only )?my\b", re.IGNORECASE)
_FEELING = words("prefer favor favour love like enjoy hate dislike detest adore loathe")
_EDGE = " \t\n,;:"


def belief_of(
    reading: Reading, fact_indexes: tuple[int, ...], *, arguing: bool = False
) -> BeliefCandidate | None:
    """The belief that a sentence voices, if it does; `fact_indexes` are the facts of the same sentence.

    Where the sentence argues for the one before it (`arguing`), a mere judgement is no belief of its own.
    """
    if reading.question or reading.foreign:
        return None
    body = reading.text[reading.start : reading.end]
    if _META.match(body):
        return None
    found = _voiced(reading, body) or (None if arguing else _implied(reading, body))
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


def _voiced(reading: Reading, body: str) -> tuple[BeliefKind, float, str] | None:
    preference = seek(_PREFERENCE, reading.vocabulary, body)
    if preference and _is_preference(reading, body, preference):
        outright = OUTRIGHT if not _MILD.fullmatch(preference.group()) else PREFERRED
        return "preference", HEDGED if reading.hedged else outright, body
    wanted = seek(_WANTED, reading.vocabulary, body)
    if wanted:
        return "preference", HEDGED if reading.hedged else IMPLIED, body
    frank = _FRANK.match(body)
    if frank and _states(reading):
        return "opinion", HEDGED if reading.hedged else IMPLIED, body[frank.end() :]
    holding = seek(_HOLDING, reading.vocabulary, body)
    if holding and holding.start() <= 60:
        proposition = _held(body, holding)
        confidence = (
            OUTRIGHT if _EMPHATIC.search(holding.group()) else HEDGED if _UNSURE.search(body) else IMPLIED
        )
        return "opinion", confidence, proposition
    hearsay = seek(_HEARSAY, reading.vocabulary, body)
    if hearsay:
        return "hearsay", HEARSAY, body
    if not reading.wish and _is_rule(reading, body):
        return "rule", OUTRIGHT if _BINDING.search(body) else IMPLIED, body
    return None


def _implied(reading: Reading, body: str) -> tuple[BeliefKind, float, str] | None:
    judgement = seek(_JUDGEMENT, reading.vocabulary, body)
    if judgement and _states(reading):
        return "opinion", HEDGED if reading.hedged else 0.8, body
    if seek(_GENERAL, reading.vocabulary, body) and _speaks_generally(reading):
        return "generalisation", HEDGED if reading.hedged else IMPLIED, body
    return None


def _is_preference(reading: Reading, body: str, found: re.Match[str]) -> bool:
    word = found.group().lower()
    if word.endswith(("would like", "'d like", "’d like")):
        return False
    if not _MILD.search(word) or ("favo" in word and "rite" in word):
        return bool(_HOLDER.search(body[: found.start()])) or word.startswith(("favo", "prefer"))
    return any(
        clause.verb.head in _FEELING
        and clause.kind in ("main", "coord")
        and reading.tags[clause.verb.start] != "VD"
        and not clause.verb.modal
        and _is_somebody(reading, clause.subject[0])
        for clause in reading.clauses
    )


def _is_somebody(reading: Reading, index: int) -> bool:
    return reading.tags[index] in ("PR", "NP", "PP") and reading.tokens[index].low not in (
        "it",
        "everything",
        "you",
    )


def _is_rule(reading: Reading, body: str) -> bool:
    """What must be done, by anybody: an order, a requirement, or what one always or never does."""
    if _RULE_START.match(body) or seek(_REQUIRED, reading.vocabulary, body):
        return True
    for clause in reading.clauses:
        if clause.kind not in ("main", "coord"):
            continue
        who = reading.tokens[clause.subject[0]].low
        adverbs = {token.low for token in reading.tokens[clause.verb.start : clause.verb.end]}
        if clause.verb.modal in ("must", "shall", "should", "ought") and not clause.verb.copular:
            return who not in ("i", "it", "this", "that", "he", "she")
        if adverbs & {"always", "never"} and who in ("we", "you") and reading.tags[clause.verb.start] != "VD":
            return not clause.verb.modal
    return False


def _held(body: str, holding: re.Match[str]) -> str:
    """What is held, without the words that say it is held."""
    rest = body[holding.end() :].strip(_EDGE)
    verb = (holding.group("verb") or "").lower()
    if verb in ("doubt", "find", "consider") or _WHOLE_SENTENCE.search(holding.group()):
        opening = _OPENING.match(body)
        return body[opening.end() if opening else 0 :]
    return rest or body


def _speaks_generally(reading: Reading) -> bool:
    """In the present, and not of one person."""
    return any(
        clause.kind in ("main", "coord")
        and reading.tags[clause.subject[0]] not in ("PR", "PP", "NP")
        and reading.tokens[clause.subject[0]].low not in ("this", "that", "here", "there")
        and reading.tags[clause.verb.start] not in ("VD", "MD")
        and not (clause.subject[0] == 0 and reading.tags[0] in ("VB", "VG"))
        for clause in reading.clauses
    )


def _states(reading: Reading) -> bool:
    return any(clause.kind in ("main", "coord") for clause in reading.clauses)
