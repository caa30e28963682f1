"""The wordings by which a decision is told as taken; groups: choice, from, against, topic."""

from __future__ import annotations

from .wordings import wording

OUTRIGHT, IMPLIED = 0.9, 0.8

_THING = r"(?P<choice>\S.{0,400})"
_TAKER = (
    r"(?:\A\W{0,4}|\b(?:we|i|they|he|she|team|everyone|(?-i:(?!The|This|That|An?\b|All|Each|Any|No)[A-Z])"
    r"[\w.'’-]{1,30})(?:'ve|’ve|'d|’d| have| has| had)?"
    r"(?: (?:\w{2,14}ly|all|both|also|just|then|now|therefore)){0,2}\s)"
)
_DOING = r"(?:\A\W{0,4}(?:also |now |so )?|(?:'re|’re|'m|’m|\bam|\bare|\bis)\s(?:now |also |going to be )?)"
_WE_WILL = r"\b(?:we|i|team)(?:'ll|’ll| will|'re going to|’re going to| are going to|'re|’re| are)? (?:now )?"
_NOT_PASSIVE = r"(?<!been )(?<!was )(?<!were )(?<!is )(?<!are )"
# the first that fits a sentence is taken
TAKEN = (
    wording(
        "decision decisions",
        r"\A\W{0,4}(?:final |key |the )?decisions?(?: made| taken)?",
        r"(?: (?:on|for|about|regarding) (?P<topic>[^:]{1,80}))?\s?[:—–]\s?",
        _THING,
        weight=OUTRIGHT,
    ),
    wording(
        "settled decided agreed resolved",
        r"\A\W{0,4}(?:settled|decided|agreed|resolved)\s?[:—–]\s?",
        _THING,
        weight=OUTRIGHT,
    ),
    wording(
        "call verdict choice pick ruling",
        r"\A\W{0,4}(?:the |our |my )?(?:final )?(?:call|verdict|choice|pick|ruling)",
        r"(?: (?:on|for|about) (?P<topic>[^:]{1,80}))?\s?[:—–]\s?",
        _THING,
        weight=OUTRIGHT,
    ),
    wording(
        "decision",
        r"\b(?:the )?(?:final )?decision (?:is|was) (?:made )?(?:to|that)\s",
        _THING,
        weight=OUTRIGHT,
    ),
    wording("decided", r"\bdecided against\s(?P<against>\S.{0,300})", weight=OUTRIGHT),
    wording(
        "decided deciding",
        r"\bdecid(?:ed|ing)(?: (?:that|on|upon|in favou?r of|to go (?:with|for)|to (?:use|adopt|choose|pick))|"
        r"[:,]| to|(?= not to))\s",
        _THING,
        weight=OUTRIGHT,
    ),
    wording(
        "chose chosen",
        _NOT_PASSIVE + r"\b(?:chose|chosen)(?: to (?:use|go with|adopt)| to)?\s",
        _THING,
        weight=OUTRIGHT,
    ),
    wording(
        "opted elected resolved opting",
        rf"(?:\b(?:opted|elected|resolved)|{_DOING}opting) (?:to (?:use|go with|adopt)|for|to)\s",
        _THING,
        weight=OUTRIGHT,
    ),
    wording("went gone", r"\b(?:went|gone) (?:ahead )?with\s", _THING, weight=IMPLIED),
    wording(
        "go going",
        rf"(?:\bwill|'ll|’ll|{_DOING})\s?(?:go|going) (?:ahead )?with\s",
        _THING,
        weight=IMPLIED,
    ),
    wording(
        "settled landed standardized standardised converged agreed",
        r"\b(?:settled|landed|standardi[sz]ed|converged|agreed) (?:up)?on\s",
        _THING,
        weight=OUTRIGHT,
    ),
    wording(
        "agreed",
        r"(?<!\bi )(?<!\bi've )\bagreed(?: with [\w’' ]{2,40}?)?(?: (?:to (?:use|adopt|go with)|that|to)|:)\s",
        _THING,
        weight=OUTRIGHT,
    ),
    wording(
        "favor favour",
        r"\b(?:reject(?:ed|ing)|ruled out|discarded|turned down|dropped|abandoned|scrapped|ditched|retired)\s",
        r"(?P<against>.{1,120}?)\sin favou?r of\s",
        _THING,
        weight=OUTRIGHT,
    ),
    wording(
        "rejected ruled turned",
        r"\b(?:rejected|ruled out|turned down):?\s(?P<against>\S.{0,200})",
        weight=IMPLIED,
    ),
    wording(
        "picked selected adopted",
        rf"{_TAKER}(?:picked(?! up| out)|selected|adopted)\s",
        _THING,
        weight=IMPLIED,
    ),
    wording(
        "adopting choosing picking selecting",
        rf"{_DOING}(?:adopting|choosing|picking(?! up)|selecting)\s",
        _THING,
        weight=IMPLIED,
    ),
    wording(
        "from",
        rf"(?:\b(?:switch(?:ed)?|migrated?|(?:we|team|they) (?:have )?(?:moved|changed|transitioned))|"
        rf"{_DOING}(?:switching|migrating|moving|"
        rf"changing|",
        r"transitioning)) (?:(?P<topic>\S.{0,80}?) )?(?:over )?from\s(?P<from>.{1,120}?)\s(?:over )?to\s",
        _THING,
        weight=IMPLIED,
    ),
    wording(
        "switched migrated transitioned switching migrating transitioning",
        rf"(?:\b(?:switched|migrated|transitioned)|{_DOING}(?:switching|migrating|transitioning)) ",
        r"(?:entirely |fully |completely |over ){0,2}to\s",
        _THING,
        weight=IMPLIED,
    ),
    wording(
        "replaced replacing",
        rf"(?:\breplaced|{_DOING}replacing)\s(?P<from>.{{1,120}}?)\s(?:with|by)\s",
        _THING,
        weight=IMPLIED,
    ),
    wording(
        "instead rather over not",
        _WE_WILL + r"(?:use|using|keep|keeping|go|ship|build|adopt|stick with|stay with|stay on)\s",
        r"(?P<choice>.{1,200}?\s(?:instead of|rather than|over|not)\s.{1,200})",
        weight=IMPLIED,
    ),
    wording(
        "dropping abandoning scrapping retiring ditching shelving sticking staying keeping",
        rf"{_DOING}(?:dropping|abandoning|scrapping|retiring|ditching|shelving|sticking with|staying (?:with|on)|",
        r"keeping)\s",
        _THING,
        weight=IMPLIED,
    ),
    wording(
        "dropped abandoned scrapped retired ditched shelved",
        rf"{_TAKER}(?:dropped|abandoned|scrapped|retired|ditched|shelved)\s(?!(?:by|in|off|out|to|from|below)\b)"
        r"(?!.{1,60}\b(?:off|from)\b)",
        _THING,
        weight=IMPLIED,
    ),
    wording(
        "use using",
        r"(?:\A|[,;:]\s|\b(?:so|and|that|now|then|instead)\s)(?:we|team)(?:'ll|’ll| will|'re going to|"
        r"’re going to| are going to) (?:now )?use\s",
        _THING,
        weight=IMPLIED,
    ),
    wording(
        "moving shifting pushing rescheduling changing switching",
        r"\A\W{0,4}(?:moving|shifting|pushing|rescheduling|changing|switching) (?P<topic>(?:the|our|my|"
        r"all)\s.{1,80}?)\sto\s",
        _THING,
        weight=IMPLIED,
    ),
    wording(
        "now forward henceforth onwards immediately",
        r"\A\W{0,4}(?:from (?:now|here|today) on|going forward|henceforth|effective immediately),?\s(?!i'll|i will)",
        _THING,
        weight=IMPLIED,
    ),
    wording("no", r"\A(?:no more)\s", _THING, weight=IMPLIED),
)
