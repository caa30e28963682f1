"""Words that the reading of propositions knows: closed classes, common verbs with their forms, synonyms."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TypeVar

T = TypeVar("T")


def words(text: str) -> frozenset[str]:
    """A set of words out of a text with blanks between them."""
    return frozenset(text.split())


def table(text: str, value: T) -> dict[str, T]:
    """The words of a text, each with the same value."""
    return dict.fromkeys(text.split(), value)


ARTICLES = words("the a an")
DETERMINERS = ARTICLES | words(
    "this that these those my your his her its our their every each all no some any"
)
BE = words("is are was were am be been being")
HAVE = words("has have had having")
DO = words("do does did")
MODALS: Mapping[str, str] = MappingProxyType(
    {"can": "can", "will": "will", "would": "would"}
    | table("must should shall ought", "must")
    | table("may might could", "may")
)
"""Modal verbs by what they claim: ability, duty, possibility, future, condition."""

AUXILIARIES = BE | HAVE | DO | frozenset(MODALS)
PAST_AUXILIARIES = words("was were had did")

PREPOSITIONS = words(
    """about above across after against along among around as at before behind below beneath beside between
    beyond by during for from in inside into near of off on onto out outside over per since through
    throughout to toward towards under until up upon via with within without"""
)

# what stands before a main clause and says nothing about its content
FILLERS = words(
    """very really quite so extremely highly pretty rather fairly totally completely truly absolutely simply
    also too still already actually basically generally currently now presently indeed even much far
    way definitely certainly clearly obviously"""
)
HEDGES = words("maybe perhaps probably possibly likely apparently supposedly allegedly presumably seemingly")

# share of cases in which something holds: none, few, many, all
NONE, FEW, MANY, ALL = 1, 2, 4, 8
EVERY_SHARE = NONE | FEW | MANY | ALL

FREQUENCY: Mapping[str, int] = MappingProxyType(
    table("never", NONE)
    | table("rarely seldom hardly scarcely", NONE | FEW)
    | table("sometimes occasionally", FEW | MANY | ALL)
    | table("often usually frequently mostly typically normally commonly regularly", MANY | ALL)
    | table("always constantly invariably", ALL)
)
QUANTIFIERS: Mapping[str, int] = MappingProxyType(
    table("no none neither", NONE)
    | table("few", NONE | FEW)
    | table("some several", FEW | MANY | ALL)
    | table("most many", MANY | ALL)
    | table("all every each any both", ALL)
)
NOBODY: Mapping[str, tuple[str, int]] = MappingProxyType(
    {
        "nobody": ("person", NONE),
        "no-one": ("person", NONE),
        "nothing": ("thing", NONE),
        "everybody": ("person", ALL),
        "everyone": ("person", ALL),
        "everything": ("thing", ALL),
        "somebody": ("person", FEW | MANY | ALL),
        "someone": ("person", FEW | MANY | ALL),
        "something": ("thing", FEW | MANY | ALL),
    }
)

CLAUSE_MARKERS = words("that which who whom whose where what how why")
REASON_MARKERS = words("because although though but whereas thanks despite")
COMPLEX_MARKERS = words("or nor either neither unless except instead only barely almost nearly if")
"""Words that change what a clause says in ways that are not followed further."""

REGULAR_VERBS = words(
    """accept add affect agree aim allow answer appear apply approve archive arrive ask attack attend avoid
    ban base believe belong block boost bore call cancel carry cause change check claim clean close
    collect compile complete concern configure confirm connect consist consume contain continue
    control convert cook copy cost count crash create damage dance decline decrease degrade delay
    delete deliver demand deny depend deploy describe deserve design destroy detect develop die differ
    disable disagree dislike distrust drop earn eliminate employ enable encourage end enjoy enter
    estimate exceed exclude exist expand expect expire explain export expose extend fail favor favour
    fear fetch fill filter finish fix focus follow forbid force form found gain generate guarantee
    handle happen hate headquarter help hinder host house ignore implement imply import improve
    include increase influence inform inherit install invent invite involve isolate join jump kill
    lack last launch learn like limit link list listen live load locate lock log look lower love
    maintain manage marry match matter measure migrate miss monitor move name need notice obtain occur
    offer open operate oppose optimize order outperform owe own pass pause permit persist plan play
    point prefer prevent process produce prohibit promise promote protect provide publish purchase
    push raise reach receive recommend reduce refuse reject relate release rely remain remove rename
    render repair replace reply report represent request require reside resemble resist resolve
    respect respond restart return reward rotate save scale schedule seem serve share ship shrink sign
    simplify situate solve sort stabilize start state stay stop store strengthen struggle succeed suffer suggest
    support suppose surpass survive switch talk target tend test threaten tolerate touch train
    transfer travel treat trigger trust try turn update upgrade use utilize validate value vary verify
    visit vote wait walk want warn waste watch weaken weigh welcome work worry worsen yield"""
)
_DOUBLED = words("ban drop log plan ship shrink stop permit prefer control cancel travel transfer")

IRREGULAR_VERBS = """
be is are was were am been being | have has had having | do does did done doing
go goes went gone going | run runs ran running | write writes wrote written writing
build builds built building | buy buys bought buying | sell sells sold selling
know knows knew known knowing | think thinks thought thinking | win wins won winning
lose loses lost losing | rise rises rose risen rising | fall falls fell fallen falling
grow grows grew grown growing | speak speaks spoke spoken speaking | eat eats ate eaten eating
drink drinks drank drunk drinking | sleep sleeps slept sleeping | drive drives drove driven driving
read reads reading | keep keeps kept keeping | hold holds held holding | lead leads led leading
leave leaves left leaving | make makes made making | mean means meant meaning | meet meets met meeting
pay pays paid paying | put puts putting | say says said saying | see sees saw seen seeing
send sends sent sending | set sets setting | show shows showed shown showing | sit sits sat sitting
spend spends spent spending | stand stands stood standing | take takes took taken taking
teach teaches taught teaching | tell tells told telling
understand understands understood understanding | wear wears wore worn wearing
become becomes became becoming | begin begins began begun beginning | break breaks broke broken breaking
bring brings brought bringing | choose chooses chose chosen choosing | come comes came coming
cut cuts cutting | draw draws drew drawn drawing | feel feels felt feeling | find finds finding
fly flies flew flown flying | forget forgets forgot forgotten forgetting | get gets got gotten getting
give gives gave given giving | hear hears heard hearing | hide hides hid hidden hiding
hit hits hitting | hurt hurts hurting | let lets letting | lie lies lay lain lying | quit quits quitting
sink sinks sank sunk sinking | spread spreads spreading | swim swims swam swum swimming
wake wakes woke waking | beat beats beaten beating | bear bears bore born | deal deals dealt dealing
shut shuts shutting
"""

SYNONYMS: Mapping[str, str] = MappingProxyType(
    {
        synonym: word
        for word, synonyms in {
            "use": "utilize utilise employ",
            "live": "reside",
            "buy": "purchase",
            "need": "require",
            "let": "allow permit",
            "start": "begin commence",
            "end": "finish conclude",
            "forbid": "prohibit ban disallow",
            "help": "assist aid",
            "show": "display",
            "choose": "select pick",
            "get": "obtain acquire",
            "improve": "enhance",
            "fix": "repair",
            "locate": "situate",
            "color": "colour",
            "favorite": "favourite",
            "license": "licence",
            "center": "centre",
            "memory": "ram",
            "car": "automobile",
            "db": "database",
            "doctor": "physician",
            "kid": "child children",
            "person": "people",
            "error": "mistake",
            "important": "crucial vital essential",
            "popular": "well-liked",
            "common": "frequent widespread",
            "tired": "exhausted",
            "angry": "furious",
            "simple": "straightforward",
            "movie": "film",
        }.items()
        for synonym in synonyms.split()
    }
)


def _regular_forms(verb: str) -> tuple[str, str, str]:
    """Third person, past and -ing form of a regular verb."""
    if verb.endswith("y") and verb[-2] not in "aeiou":
        return verb[:-1] + "ies", verb[:-1] + "ied", verb + "ing"
    third = verb + ("es" if verb.endswith(("s", "x", "z", "ch", "sh")) else "s")
    if verb.endswith("ie"):
        return third, verb + "d", verb[:-2] + "ying"
    if verb.endswith("e"):
        return third, verb + "d", verb[:-1] + "ing"
    stem = verb + verb[-1] if verb in _DOUBLED else verb
    return third, stem + "ed", stem + "ing"


def _verb_forms() -> dict[str, tuple[str, str]]:
    """Every form to its lemma and kind (base, third, past, participle or ing)."""
    forms: dict[str, tuple[str, str]] = {}
    for verb in REGULAR_VERBS:
        third, past, ing = _regular_forms(verb)
        forms |= {third: (verb, "third"), past: (verb, "past"), ing: (verb, "ing"), verb: (verb, "base")}
    for entry in IRREGULAR_VERBS.replace("\n", "|").split("|"):
        listed = entry.split()
        for form in listed[1:]:
            kind = "ing" if form.endswith("ing") else "third" if form.endswith("s") else "past"
            forms[form] = (listed[0], kind)
        if listed:
            forms[listed[0]] = (listed[0], "base")
    return forms


VERB_FORMS: Mapping[str, tuple[str, str]] = MappingProxyType(_verb_forms())

_UNCHANGED = words(
    "always perhaps its this his less plus does has news lens series species besides sometimes"
)


def lemma(word: str) -> str:
    """A case-folded word without its inflection and with synonyms folded; what is no plain word stays so."""
    found = VERB_FORMS.get(word)
    base = found[0] if found else _singular(word)
    return SYNONYMS.get(base, base)


def _singular(word: str) -> str:
    if len(word) < 4 or word[-1] != "s" or word in _UNCHANGED or not word.isalpha():
        return word
    if word.endswith(("ss", "us", "is")):
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "shes", "ches", "xes", "zes")):
        return word[:-2]
    return word[:-1]


def is_article(listed: Sequence[str], at: int) -> bool:
    """Whether the word there is an article and no name: "a pump", but not "pump A" or "A and B"."""
    if listed[at] not in ARTICLES:
        return False
    following = listed[at + 1] if at + 1 < len(listed) else ","
    return following not in (",", "and", "than") and following not in PREPOSITIONS


def without_articles(listed: Sequence[str]) -> list[str]:
    """The words without their articles."""
    return [word for at, word in enumerate(listed) if not is_article(listed, at)]


def mirror(share: int) -> int:
    """The share of cases in which the opposite holds: none becomes all, few becomes many."""
    return sum(1 << (3 - bit) for bit in range(4) if share & (1 << bit))
