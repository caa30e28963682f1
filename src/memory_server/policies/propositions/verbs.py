"""Common verbs with their forms, so that a sentence can be cut at its verb and verbs compared by lemma."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

REGULAR_VERBS = frozenset(
    """accept add adopt advise affect agree aim allow answer appear apply approve archive arrive ask assume
    attack attend avoid award bake balance ban base believe belong bend block boil boost bore borrow
    breathe burn call cancel carry cause celebrate change check claim clean climb close collect
    combine command communicate compete compile complain complete compute concern configure confirm
    connect consider consist consume contain continue contribute control convert cook cooperate copy
    cost cough count crack crash crawl create criticize cycle damage dance decide declare decline
    decorate decrease defend define degrade delay delegate delete deliver demand deny depart depend
    deploy describe deserve design destroy detect develop die differ disable disagree disappear
    disappoint discuss dislike distrust double dream drop earn eliminate emphasize employ enable
    encourage end enjoy ensure enter escape estimate evaluate evolve examine exceed exclude execute
    exist expand expect expire explain export expose express extend fade fail favor favour fear fetch
    fill filter finish fix float flow focus follow forbid force form format found fund gain gather
    generate glow graduate guarantee halt handle happen hate headquarter help hesitate hinder host
    house hunt identify ignore illustrate imagine implement imply import improve include increase
    indicate influence inform inherit inspect inspire install introduce invent investigate invite
    involve isolate join jump kill label lack last laugh launch leak learn license like limit link
    list listen live load locate lock log look love lower maintain manage manufacture marry match
    matter measure melt mention migrate mirror miss mix monitor move name need negotiate notice
    observe obtain occur offer open operate oppose optimize order organize outperform overlap override
    owe own paint pass pause perform permit persist persuade plan play point possess pour predict
    prefer prepare preserve prevent process produce prohibit promise promote propose protect prove
    provide publish purchase pursue push rain raise reach react realize receive recommend recover
    reduce reflect refuse regard register reject relate release rely remain remind remove rename
    render repair replace reply report represent request require resemble reside resign resist resolve
    respect respond rest restart retire return review reward roll rotate sail save scale schedule
    score seem select separate serve settle share shine ship shrink sign simplify situate ski slow
    smoke snow solve sort specify stabilize start state stay stop store strengthen struggle succeed
    suffer suggest summarize supply support suppose surpass surround survive switch talk target tend
    test threaten tolerate touch track train transfer transform translate travel treat trigger trust
    try turn update upgrade use utilize validate value vanish vary verify visit vote wait walk want
    warn wash waste watch weaken weigh welcome whisper work worry worsen yawn yield""".split()
)
_DOUBLED = frozenset("ban drop log plan ship stop permit prefer control cancel travel transfer".split())

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
hit hits hitting | forbid forbids forbade forbidden forbidding | shrink shrinks shrank shrunk shrinking
freeze freezes froze frozen freezing | steal steals stole stolen stealing
throw throws threw thrown throwing | sing sings sang sung singing | ride rides rode ridden riding
catch catches caught catching | fight fights fought fighting | bite bites bit bitten biting
blow blows blew blown blowing | hurt hurts hurting | let lets letting | lie lies lay lain lying
quit quits quitting | sink sinks sank sunk sinking | spread spreads spreading
swim swims swam swum swimming | wake wakes woke waking | beat beats beaten beating
bear bears bore born | deal deals dealt dealing | shut shuts shutting
"""


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
"""Each form to its lemma and kind: base, third (person), past (or participle) or ing."""
