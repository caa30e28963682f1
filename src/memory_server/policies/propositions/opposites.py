"""Tables of opposite words, near synonyms on each side of the bar, and of values that exclude each other."""

from __future__ import annotations

COMPLEMENTARY = """
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
"""One of them holds whenever the other does not."""

CONTRARY = """
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
warm | cold
hot | cool
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
static statically | dynamic dynamically
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
"""Both never hold together; both may fail."""

GROUPS = """
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
"""One group a line: of its values a thing has one at a time."""
