"""The closed classes of English that the tagger reads a sentence with."""

from __future__ import annotations


def words(text: str) -> frozenset[str]:
    """The set of the words of a list written as plain text."""
    return frozenset(text.split())


BE = frozenset(
    ("be", "am", "are", "is", "was", "were", "been", "being", "'s", "'re", "'m", "’s", "’re", "’m")
)
HAVE = frozenset(("have", "has", "had", "having", "'ve", "’ve"))
DO = frozenset(("do", "does", "did"))
MODALS = words(
    """
    can could will would shall should may might must ca wo 'll 'd ’ll ’d cannot ought
    """
)
NEGATIONS = frozenset(("not", "n't", "n’t", "never", "no longer"))
AUXILIARIES = BE | HAVE | DO

_TAGS = {
    "DT": "the a an this that these those some any each every no another both all either neither such many few "
    "several most much more less enough half what whatever",
    "PP": "my your his her its our their whose",
    "PR": "i you he she it we they me him us them himself herself itself themselves myself yourself ourselves "
    "someone somebody something anyone anything everyone everybody everything nothing nobody none one there "
    "mine yours hers ours theirs",
    "IN": "of in on at by for with from to into onto upon over under about against between among amongst through "
    "throughout during without within along across behind beyond beside besides near toward towards off out "
    "up down around above below beneath inside outside via per despite except like unlike versus vs amid "
    "alongside past concerning regarding including excluding following as than since until till before after",
    "SU": "because although though if while when whenever unless whereas once lest whilst wherever",
    "WH": "who whom which where why how that",
    "CC": "and or but nor yet plus &",
    "MD": " ".join(MODALS),
    "RB": "not n't n’t never also often still already just only even very too quite rather almost again ever "
    "always sometimes soon later now then here away back together well far perhaps maybe once twice however "
    "therefore thus hence moreover furthermore nevertheless meanwhile instead otherwise indeed eventually yesterday "
    "today tomorrow ago else abroad forth longer hardly so seldom thereafter thereby afterwards overnight "
    "elsewhere somewhat ahead apart aside anyway currently previously",
    "CD": "one two three four five six seven eight nine ten eleven twelve twenty thirty forty fifty hundred thousand "
    "million billion dozen",
    "JJ": "new old good bad big small large great high low long short early late young own other same different "
    "first second third last next main major minor public private local national international social political "
    "economic several certain available able free full real whole true false right wrong left clear easy hard strong "
    "weak rich poor cheap expensive black white red blue green dark bright hot cold warm cool fast slow safe former "
    "current present previous recent final total average single double best better worse worst greatest highest "
    "largest smallest lowest oldest youngest longest shortest key top upper lower inner outer northern southern "
    "eastern western north south east west human modern ancient simple complex common rare special general "
    "particular common likely unlikely ready sure wide narrow deep broad close open separate alone dead alive ill",
}
TAGS = {word: tag for tag, words in _TAGS.items() for word in words.split()}
TAGS.update(
    {"that": "TH", "to": "TO", "there": "EX", "than": "IN", "'s": "PO", "’s": "PO", "'": "PO", "’": "PO"}
)
for _word in BE - {"'s", "’s"} | HAVE | DO:
    TAGS[_word] = "AX"

# said before a sentence proper begins: 'Wow, that …'
INTERJECTIONS = words(
    """
    yeah yes yep yup no nope nah lol wow aww aw oh ooh ah hey hi hello thanks ok okay alright well great awesome
    cool sure nice haha hmm hm um uh so right true please congrats bye absolutely definitely exactly honestly frankly
    anyway anyways btw fyi gosh man dude guys sorry indeed totally good actually basically look listen
    """
)

SUBJECT_PRONOUNS = words("i you he she it we they who")
OBJECT_PRONOUNS = words("me him us them")

PUNCTUATION_TAGS = {
    ",": ",", ";": ";", ":": ":", ".": ".", "!": ".", "?": ".", "-": "-", "–": "-", "—": "-", "--": "-", "...": "-",
    "…": "-", "(": "(", ")": ")", "[": "(", "]": ")", "{": "(", "}": ")", "-LRB-": "(", "-RRB-": ")",
    "``": "Q", "''": "Q", '"': "Q", "“": "Q", "”": "Q", "`": "Q", "„": "Q", "«": "Q", "»": "Q", "‘": "Q",
}  # fmt: skip

MONTHS = words(
    """
    january february march april may june july august september october november december jan feb mar
    apr jun jul aug sep sept oct nov dec
    """
)
WEEKDAYS = words("monday tuesday wednesday thursday friday saturday sunday")
TIMES = MONTHS | WEEKDAYS | words(
    """
    year years month months week weeks day days morning evening night today tomorrow yesterday century
    decade season summer winter spring autumn
    """
)  # fmt: skip

ADJECTIVE_ENDINGS = (
    "ous", "ful", "ive", "able", "ible", "less", "ish", "ical", "ary", "ional", "ial", "ic", "ant", "ual",
)  # fmt: skip
NOUNS_LIKE_ADJECTIVES = words(
    """
    assistant consultant accountant restaurant tenant participant applicant merchant servant immigrant grant executive
    detective initiative alternative representative narrative objective archive drive music topic traffic public critic
    mechanic metric clinic fabric logic graphic statistic hospital animal capital journal terminal professional official
    individual manual signal portal proposal approval arrival festival rival material potential principal criminal
    arsenal cathedral principal tutorial commercial editorial memorial trial table cable variable vegetable library
    salary dictionary boundary diary secretary summary glossary january february canary dispensary bus virus campus
    status census bonus focus finish dish fish wish polish english spanish turkish
    """
)
NOUNS_IN_LY = words(
    """
    family supply reply assembly july italy ally fly rally bully belly jelly anomaly monopoly lily
    butterfly only early daily weekly monthly yearly friendly likely unlikely elderly lovely costly ugly
    silly lonely deadly holy lively timely homely orderly scholarly quarterly hourly nightly
    """
)
NOUNS_IN_ING = words(
    """
    thing something anything nothing everything king ring spring wing string evening morning ceiling
    building meeting wedding beijing during engineering viking sterling offspring housing bing ming ping
    sing
    """
)
NOUNS_IN_ED = words(
    """
    bed red speed seed feed need shed reed deed weed breed hundred sacred united naked kindred embed
    indeed exceed proceed succeed
    """
)  # fmt: skip

# verbs that take a clause as what they say
SPEECH = words(
    """
    say tell report claim believe think argue state announce suggest note indicate show find know hold
    maintain insist explain add warn admit reveal conclude estimate predict expect hope feel fear
    propose decide agree deny declare demonstrate imply mean realize realise learn confirm ensure
    acknowledge allege assert assume complain contend discover discuss doubt emphasize guess hear hint
    observe mention promise prove recall remember require see speculate stress suppose suspect
    understand wish concede determine reply respond recommend remark rule
    """
)
