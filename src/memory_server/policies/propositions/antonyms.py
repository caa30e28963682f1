"""Words that cannot both be said of one thing: opposites, and values of which there is one at a time."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Literal

from memory_server.policies.propositions.lexicon import lemma, words

Opposition = Literal["complementary", "contrary", "same"]

# of complementary words one holds whenever the other does not; of contrary ones both may fail
_COMPLEMENTARY = """
enabled activated on | disabled deactivated off
open unlocked | closed shut locked
true correct right accurate | false incorrect wrong inaccurate
alive living | dead
present | absent
possible | impossible
legal | illegal
valid | invalid
complete | incomplete
consistent | inconsistent
finite | infinite
visible | invisible hidden
online reachable available | offline unreachable unavailable
connected | disconnected
safe secure | unsafe insecure
stable | unstable
necessary | unnecessary
required mandatory compulsory | optional
mutable | immutable
synchronous sync | asynchronous async
public | private
internal | external
indoor indoors | outdoor outdoors
single unmarried | married
employed | unemployed
pass succeed | fail
win | lose
accept approve | reject refuse decline
let | forbid prevent
include | exclude
agree | disagree
trust | distrust
remember | forget
know | ignore
have | lack
same identical equal | different distinct
empty | full
regular | irregular
relevant | irrelevant
dependent | independent
direct | indirect
perfect | imperfect
guilty | innocent
male | female
wireless | wired
free gratis | paid
"""

_CONTRARY = """
loud noisy | silent quiet soundless
fast quick rapid speedy quickly rapidly | slow sluggish slowly
good great excellent well | bad poor terrible awful badly poorly
big large | small little tiny
high | low
tall | short
long | short brief
old | new
old aged | young
hot | cold
warm | cool
hard difficult tough | easy simple easily
hard | soft
heavy | light lightweight
dark | light bright
strong | weak
rich wealthy | poor
cheap inexpensive affordable | expensive costly pricey
happy glad | sad unhappy
healthy | sick ill unhealthy
clean | dirty
wet | dry
sharp | blunt dull
thick | thin
wide broad | narrow
deep | shallow
early | late
up | down
left | right
before | after
above over | below under
inside | outside
with | without
first | last
top | bottom
front | back
more | less fewer
maximum max | minimum min
begin start | end stop
increase rise grow raise climb | decrease fall drop shrink reduce lower decline
expand | shrink
improve | worsen degrade
strengthen | weaken
help | hinder
create build | destroy
add | remove delete
enter join | leave
open | close
push | pull
buy | sell
like love enjoy | dislike hate detest
encourage | discourage
support favor favour | oppose
attack | defend
speed accelerate | slow decelerate
gain | lose
useful helpful | useless
harmful dangerous | harmless
dangerous risky | safe
careful | careless
painful | painless
reliable dependable | unreliable flaky
common | rare uncommon
popular | unpopular
important | unimportant trivial
simple | complex complicated
modern | outdated obsolete
active | inactive idle
busy | idle
awake | asleep
friendly | hostile unfriendly
polite | rude
honest | dishonest
patient | impatient
brave | cowardly
lazy | hardworking
calm relaxed | nervous anxious
smart intelligent clever | stupid dumb
beautiful pretty | ugly
interesting exciting | boring
positive | negative
optimistic | pessimistic
success | failure
advantage benefit | disadvantage drawback
public | secret
manual manually | automatic automated automatically
static | dynamic
local | remote
temporary | permanent
centralized | decentralized distributed
flexible | rigid
verbose | concise terse
vegetarian vegan | carnivorous
sober | drunk
superior | inferior
mature | immature
readable | unreadable
scalable | unscalable
efficient | inefficient wasteful
supported maintained | deprecated abandoned unmaintained unsupported
run running up | stopped down crashed
healthy | broken
working | broken
fresh | stale
asset | liability
always | never
everywhere | nowhere
"""

_GROUPS = """
red green blue yellow orange purple violet pink brown black white grey gray
monday tuesday wednesday thursday friday saturday sunday
january february march april may june july august september october november december
running stopped paused failed crashed pending finished queued
single engaged divorced widowed
low medium high critical
spring summer autumn winter
north south east west
liquid solid gaseous
draft published retired
todo ongoing done
"""

SUPERLATIVES = words(
    """best worst main primary only current default first last largest biggest smallest fastest slowest
    oldest newest youngest tallest shortest highest lowest cheapest longest latest strongest weakest
    official favorite favourite"""
)
"""Words that leave room for one holder of a description."""

ATTRIBUTES = words(
    """address age author birthday boss branch budget capacity capital ceo city color cost country cto
    currency deadline director domain email employer gateway height hostname id ip job king language
    leader lead length level license limit location mac maintainer manager memory model mode motto
    name nationality number occupation owner password phase port position president price priority
    queen rank rate ratio region salary score severity shape size speed state status surname
    temperature threshold time timeout timezone title type url value version volume weight width"""
)
"""Head nouns of a subject ("the port of X") that have one value at a time."""

STATE_NOUNS = words("status state phase mode severity priority level shape color")
"""Attributes whose values are adjectives or participles."""


def _pairs(table: str) -> list[tuple[frozenset[str], frozenset[str]]]:
    rows = [row.split("|") for row in table.strip().splitlines()]
    return [(_lemmas(left), _lemmas(right)) for left, right in rows]


def _lemmas(text: str) -> frozenset[str]:
    return frozenset(lemma(word) for word in text.split())


Axis = tuple[int, int, bool]


def _axes() -> dict[str, tuple[Axis, ...]]:
    """Each word to its axes: (number of the axis, side +1 or −1, whether the sides are complementary)."""
    found: defaultdict[str, list[Axis]] = defaultdict(list)
    rows = [(pair, True) for pair in _pairs(_COMPLEMENTARY)] + [(pair, False) for pair in _pairs(_CONTRARY)]
    for number, ((left, right), complementary) in enumerate(rows):
        for word in left:
            found[word].append((number, 1, complementary))
        for word in right - left:
            found[word].append((number, -1, complementary))
    return {word: tuple(axes) for word, axes in found.items()}


AXES: Mapping[str, tuple[Axis, ...]] = MappingProxyType(_axes())
"""Lemma to the axes that it lies on."""

GROUP_OF: Mapping[str, int] = MappingProxyType(
    {lemma(word): number for number, row in enumerate(_GROUPS.strip().splitlines()) for word in row.split()}
)
"""Lemma to the group of values of which there is one at a time."""

_NO_PREFIX = words(
    """under until union unit unite unique universal universe university unix uniform understand unless
    unicode
    unpack undo uncle unlock unload uninstall unwind"""
)


@lru_cache(maxsize=8192)
def negative_of(word: str) -> str | None:
    """The word that this one is the negation of by its prefix: unusual → usual, non-free → free."""
    if word.startswith("non-") and len(word) > 6:
        return word[4:]
    if word.startswith("un") and len(word) > 5 and word not in _NO_PREFIX:
        return word[2:].lstrip("-")
    return None


@lru_cache(maxsize=8192)
def axis_names(word: str) -> tuple[str, ...]:
    """Names under which opposites and near synonyms of a lemma meet; the lemma alone where it has none."""
    names = [f"axis{number}" for number, _, _ in AXES.get(word, ())]
    if word in GROUP_OF:
        names.append(f"group{GROUP_OF[word]}")
    names.append(negative_of(word) or word)
    return tuple(names)


@lru_cache(maxsize=8192)
def opposition(a: str, b: str) -> Opposition | None:
    """How two different lemmas stand to each other: opposite sides of an axis, the same side, or neither."""
    if negative_of(a) == b or negative_of(b) == a:
        return "complementary"
    best: Opposition | None = None
    for number, side, complementary in AXES.get(a, ()):
        for other, other_side, _ in AXES.get(b, ()):
            if number == other:
                if side != other_side:
                    return "complementary" if complementary else "contrary"
                best = "same"
    return best


def same_group(a: str, b: str) -> bool:
    """Whether two different lemmas are values of one group, such as colours or weekdays."""
    return a != b and a in GROUP_OF and GROUP_OF.get(b) == GROUP_OF[a]
