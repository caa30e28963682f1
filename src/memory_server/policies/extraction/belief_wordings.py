"""The wordings by which opinions, preferences, rules, generalisations and hearsay are told."""

from __future__ import annotations

import re

from .lexicon import words
from .wordings import wording

OPENING = re.compile(
    r"(?:(?:honestly|frankly|personally|actually|well|so|and|but|also|overall|look|to be honest|tbh)[,:]?\s){0,3}",
    re.IGNORECASE,
)
HOLDING = wording(
    "i my imo imho mind money book opinion view experience me seems feels looks convinced unconvinced sold "
    "skeptical sceptical impressed unimpressed worried doubtful sure unsure",
    r"\b(?:i (?:(?:really|strongly|firmly|still|also|honestly|genuinely|personally|increasingly|do) ){0,2}",
    r"(?P<verb>think|believe|feel(?= that| like| as)|guess|suspect|reckon|suppose|doubt|find|consider|maintain|"
    r"hold)|",
    r"i(?:'m|’m| am) (?:(?:pretty|very|quite|fairly|not|still|really|deeply|increasingly) )?(?:convinced|"
    r"certain|sure|",
    r"confident|skeptical|sceptical|doubtful|worried|unconvinced|bullish|bearish|wary|unimpressed|impressed|torn)|",
    r"i(?:'d|’d| would) (?:argue|say)|i(?:'ve| have) come to (?:think|believe)|",
    r"my (?:take|view|opinion|read|sense|impression|hunch|feeling|gut|hot take|assessment|position)|",
    r"i (?:do not|don't|don’t) (?:buy|trust|see)|in my (?:opinion|view|experience|judge?ment|book)|",
    r"to my mind|for my money|the way i see it|imho|imo|"
    r"(?:as far as|if you ask) me|",
    r"it (?:seems|feels|looks) (?:to me|like|as if)|(?:seems|feels|looks|sounds) (?:\w{3,16} )?to me|",
    r"\A(?:(?:still|really|pretty|very|deeply) ){0,2}(?:not (?:yet |entirely |fully |really )?(?:convinced|sold|sure|"
    r"impressed)|unconvinced|unsure|unimpressed|skeptical|sceptical|doubtful))\b",
    r"(?: (?:on|about|of) [^:,]{1,60})?(?: is)?(?: that)?[:,]?\s?",
)
WHOLE_SENTENCE = re.compile(
    r"skeptic|sceptic|worried|wary|doubtful|impressed|bullish|bearish|uncon|unsure|torn|to me|"
    r"\bnot (?:\w+ )?(?:convinced|sold|sure)|do not|don['’]t",
    re.IGNORECASE,
)
JUDGEMENT = wording(
    "overrated underrated overhyped overkill elegant ugly terrible awful brilliant beautiful boring excellent "
    "amazing "
    "fantastic disappointing impressive annoying clumsy brittle horrible wonderful misguided reductive unconvincing "
    "flawed than best worst right wrong mistake mess pleasure pain nightmare waste worth too oversell oversells "
    "undersell undersells improvement step",
    r"\b(?:overrated|underrated|overhyped|overkill|elegant|ugly|terrible|awful|brilliant|beautiful|boring|excellent|",
    r"amazing|fantastic|disappointing|impressive|annoying|clumsy|brittle|horrible|wonderful|misguided|reductive|",
    r"unconvincing|flawed|(?:better|worse|nicer|cleaner|simpler|safer|easier|harder) than|",
    r"the (?:best|worst|right|wrong) \w{1,20}|a (?:mistake|mess|pleasure|pain|nightmare|waste)|worth (?:it|the)|",
    r"not worth|(?:is|are|was|were|feels?|seems?|been) (?:far |way |much |a bit )?too \w{3,16}|too (?:slow|"
    r"complex|complicated|expensive|noisy|verbose|fragile|clever|hard|rigid)|oversells?|",
    r"undersells?|(?:an? )?(?:\w{3,12} )?improvement over|step (?:back|backwards|forward|up|down))\b",
)
PREFERENCE = wording(
    "prefer prefers preferred preference preferences favor favour favors favours love loves like likes enjoy enjoys "
    "hate hates dislike dislikes detest detests stand adore adores loathe loathes rather favorite favourite fan "
    "fond partial keen",
    r"\b(?:(?:prefer(?:s|red)?|favou?rs?|loves?|likes?|enjoys?|hates?|dislikes?|detests?|can't stand|cannot stand|",
    r"adores?|loathes?)\b|(?:would|'d|’d) (?:much |really )?(?:rather|prefer|like)|favou?rite|",
    r"(?:is|am|are|'m|’m|'s|’s) (?:a (?:big )?fan of|fond of|partial to|keen on)|",
    r"prefer(?:red|ence)s?(?: is| are|:))",
)
# what somebody else wants is a preference; what the writer wants may be a plan
WANTED = wording(
    "wants want insists asked finds happiest responds works",
    r"\b(?!I\b|We\b|You\b|They\b)(?:[A-Z][\w'’.-]{1,30}|[Uu]ser|[Cc]lient|[Cc]ustomer|[Hh]e|[Ss]he) ",
    r"(?:(?:(?:really |always )?wants|insists on|does(?: not|n't|n’t) want|asked (?:me|us) (?:not )?to|",
    r"is happiest (?:with|when)|(?:responds|works) best (?:to|with|when))\s|",
    r"finds .{2,60}? (?:\w{3,12}er|more \w{3,16}|better|less \w{3,16}) (?:to \w{2,12} )?than\s)",
    case=True,
)
FRANK = re.compile(
    r"\W{0,2}(?:honestly|frankly|personally|to be honest|tbh|if i'm honest)[,:]?\s", re.IGNORECASE
)
MILD = re.compile(r"\b(?:likes?|loves?|enjoys?|hates?|dislikes?|favou?rs?)\b", re.IGNORECASE)
HOLDER = re.compile(
    r"\b(?:i|we|he|she|they|user|[A-Z][\w'’.-]{1,30}(?: [A-Z][\w'’.-]{1,30})?)\b|(?i:my|our|his|her|their)\s"
)
REQUIRED = wording(
    "required forbidden mandatory allowed prohibited compulsory",
    r"\b(?:is|are) (?:required|forbidden|mandatory|not allowed|prohibited|compulsory)\b",
)
# what 'no' stands before without forbidding anything: 'no decision yet', 'no idea'
_NO_RULES = (
    r"(?:longer|more|one|decisions?|ideas?|news|problems?|worries|need|changes?|issues?|comments?|questions?|reply|"
    r"replies|answers?|responses?|luck|way|wonder|doubt|matter|thanks|sorry|updates?|blockers?|objections?|excuses?|"
    r"surprises?|results?|progress|plans?|time|votes?|agreement|consensus|action)\b|.{1,60}\b(?:yet|so far)\W*\Z"
)
RULE_START = re.compile(
    r"\W{0,3}(?:(?:and|also|so|please|pls|plz) ){0,3}(?:always|never|do not|don't|don’t|no (?!"
    + _NO_RULES
    + r"))\b",
    re.IGNORECASE,
)
GENERAL = wording(
    "generally usually typically tend tends general rule mostly most all every any often rarely seldom",
    r"\b(?:generally|usually|typically|tends? to|in general|as a rule|mostly|most \w{3,20}s|all \w{3,20}s|",
    r"every (?!(?:day|night|hour|minute|second|morning|evening|week|month|year|quarter|time|\w+day|other)\b)",
    r"\w{3,20}|any \w{3,20}|often|rarely|seldom)\b",
)
HEARD = wording(
    "apparently reportedly allegedly supposedly rumor rumour rumored rumoured word heard read people they some "
    "said says "
    "according claims claimed thinks believes told mentioned reckons swears insists argues",
    r"(?:\b(?:[Aa]pparently|[Rr]eportedly|[Aa]llegedly|[Ss]upposedly|[Rr]umou?r has it|rumou?red|[Ww]ord is|",
    r"I(?:'ve| have)? (?:heard|read)(?: that)?|[Pp]eople say|[Tt]hey say|[Ss]ome say|[Ii]t is said|is said to|",
    r"are said to|[Aa]ccording to)\b|\b(?:[A-Z][\w.'-]{1,30}|he|she|they) (?:says|said|claims|claimed|thinks|",
    r"believes|told (?:me|us)|mentioned|reckons|swears|insists|argues)(?: that)?\s)",
    case=True,
)
BINDING = re.compile(
    r"\b(?:must|never|always|required|forbidden|mandatory|do not|don't|don’t)\b", re.IGNORECASE
)
EMPHATIC = re.compile(
    r"\b(?:strongly|firmly|definitely|certainly|convinced|certain|absolutely|clearly|always|never|must)\b",
    re.IGNORECASE,
)
UNSURE = re.compile(
    r"\b(?:think|guess|suppose|suspect|maybe|perhaps|probably|seems?|hunch|feel|feels|might|may|doubt|not sure|"
    r"likely|reckon)\b",
    re.IGNORECASE,
)
META = re.compile(r"(?:that|this|it)(?:'s|’s| is) (?:just |only )?my\b", re.IGNORECASE)
FEELING = words("prefer favor favour love like enjoy hate dislike detest adore loathe")
