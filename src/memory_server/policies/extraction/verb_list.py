"""The English verbs that the tagger knows, as plain lists."""

from __future__ import annotations

# base, past, participle, where they are not made by rule
IRREGULAR = """
arise arose arisen|awake awoke awoken|bear bore borne|beat beat beaten|become became become|
begin began begun|bend bent bent|bet bet bet|bid bid bid|bind bound bound|bite bit bitten|
bleed bled bled|blow blew blown|break broke broken|breed bred bred|bring brought brought|
broadcast broadcast broadcast|build built built|burn burnt burnt|burst burst burst|buy bought bought|
cast cast cast|catch caught caught|choose chose chosen|cling clung clung|come came come|cost cost cost|
creep crept crept|cut cut cut|deal dealt dealt|dig dug dug|draw drew drawn|dream dreamt dreamt|
drink drank drunk|drive drove driven|eat ate eaten|fall fell fallen|feed fed fed|feel felt felt|
fight fought fought|find found found|flee fled fled|fling flung flung|fly flew flown|
forbid forbade forbidden|forecast forecast forecast|forget forgot forgotten|forgive forgave forgiven|
freeze froze frozen|get got gotten|give gave given|go went gone|grind ground ground|grow grew grown|
hang hung hung|hear heard heard|hide hid hidden|hit hit hit|hold held held|hurt hurt hurt|
keep kept kept|kneel knelt knelt|know knew known|lay laid laid|lead led led|learn learnt learnt|
leave left left|lend lent lent|let let let|lie lay lain|light lit lit|lose lost lost|make made made|
mean meant meant|meet met met|mistake mistook mistaken|overcome overcame overcome|
override overrode overridden|overtake overtook overtaken|overthrow overthrew overthrown|pay paid paid|
prove proved proven|put put put|quit quit quit|read read read|rebuild rebuilt rebuilt|
rewrite rewrote rewritten|ride rode ridden|ring rang rung|rise rose risen|run ran run|say said said|
see saw seen|seek sought sought|sell sold sold|send sent sent|set set set|shake shook shaken|
shed shed shed|shine shone shone|shoot shot shot|show showed shown|shrink shrank shrunk|shut shut shut|
sing sang sung|sink sank sunk|sit sat sat|sleep slept slept|slide slid slid|speak spoke spoken|
spend spent spent|spin spun spun|split split split|spread spread spread|spring sprang sprung|
stand stood stood|steal stole stolen|stick stuck stuck|sting stung stung|strike struck struck|
strive strove striven|swear swore sworn|sweep swept swept|swim swam swum|swing swung swung|
take took taken|teach taught taught|tear tore torn|tell told told|think thought thought|
throw threw thrown|undergo underwent undergone|understand understood understood|
undertake undertook undertaken|upset upset upset|wake woke woken|wear wore worn|weave wove woven|
win won won|wind wound wound|withdraw withdrew withdrawn|withstand withstood withstood|
write wrote written|redo redid redone|rerun reran rerun|reset reset reset|oversee oversaw overseen|
outgrow outgrew outgrown|beget begot begotten
"""

# verbs in their base form; the rest of their forms is made by rule
REGULAR = """
abandon absorb accelerate accept accommodate accompany accomplish accumulate accuse achieve acknowledge
acquire act activate adapt add address adhere adjourn adjust administer admire admit adopt adore advance
advise advocate affect afford agree aid aim align allege allocate allow allude alter amass amend amount analyse
analyze annex announce annoy answer anticipate apologize appeal appear append apply appoint appreciate
approach approve argue arm arrange arrest arrive articulate ascend ascertain ask assemble assert assess
assign assist assume assure attach attack attain attempt attend attract attribute auction authenticate
authorise authorize automate avoid await awake award back bake balance ban bar base bat batch battle be bear
beg belong benchmark betray bill bind blame blast blend block board boast boil bolster bomb bond boost
bootstrap borrow bother bottle bounce bow bowl box branch brand breathe brew brief bump burden burn bypass
cache calculate call camp campaign cancel cap capture care carry carve cast categorize cater cause cease
celebrate center centre certify chain chair challenge change characterize charge chart charter chase chat
check chew circle circulate cite claim clarify clash classify cleanse clear click climb clock close cloud
cluster coach coat code coexist coin coincide collaborate collapse collect collide color colour comb combine
command comment commission commit communicate commute compare compel compensate compete compile complain
complete complicate comply compose compound comprise compute conceal concede conceive concentrate concern
conclude condemn condition conduct confer confess configure confine confirm conflict confront confuse
congratulate connect conquer consider consist consolidate constitute construct consult consume contact
contain containerize contend contest continue contract contradict contrast contribute control convert convey
convict convince cook cool cooperate cope copy corner correct correspond count counter counteract couple
course court cover crack craft crash crawl create credit cripple criticize cross crown cultivate cure curl
cut cycle dam damage dance date debate debug debut decay deceive decide declare decline decrease dedicate
deem defeat defend define defy degrade delay delegate delete deliberate delight deliver demand demolish
demonstrate denounce deny depart depend depict deploy deprecate deprive derive descend describe deserialize
deserve design desire despise destroy detach detail detect deter deteriorate determine detest devastate
develop deviate devise devote diagnose dial die differ differentiate digest diminish dip direct disable
disagree disappear disappoint disband discard discharge disclose discontinue discourage discover
discriminate discuss dislike dismiss dispatch disperse displace display dispute disrupt dissolve distance
distinguish distort distribute disturb diverge divert divide dock document dominate donate double doubt
downgrade download draft drain dread dress drift drill drop drown dry dub dump duplicate dwell dye earn ease
echo edge edit educate elaborate elect elevate elicit eliminate email embark embed embrace emerge emit emphasize
employ enable enact encode encompass encounter encourage encrypt end endorse endure enforce engage engineer
enhance enjoy enlarge enlist enrich enroll ensue ensure entail enter entertain entitle equal equip erect
erode erupt escape escort establish estimate evacuate evaluate evaporate evolve examine exceed exchange
exclude execute exempt exercise exert exhibit exile exist exit expand expect expel experience experiment
expire explain explode exploit explore export expose express extend extract eye fabricate face facilitate
fade fail fare farm father favor favour fear feature ferry fetch field figure file fill film finalize
finance finish fire fit fix flank float flock flood flourish flow fluctuate focus fold follow forbid force
foresee forfeit forge fork form formulate forward foster frame free front fry fsync fuel fulfil fulfill
function fund gain garden gather gauge generate gift glance glue govern grade graduate grant grasp greet
grep grill grip group grow guarantee guard guess guide halt hand handle happen harm harvest hash hate haul
head heal heat heed help herald hesitate highlight hike hinder hinge hint hire honor honour hope host house
hover hug hunt identify ignite ignore illuminate illustrate imagine imitate immerse immigrate impact impair
impede implant implement imply import impose impress imprison improve inaugurate incline include incorporate
increase incur index indicate induce infect infer inflict influence inform ingest inhabit inherit inhibit
initiate inject inquire insert insist inspect inspire install instruct insult insure integrate intend
intensify interact intercept interest interfere interpret interrupt intervene interview introduce invade
invent invest investigate invite invoke involve isolate issue iterate jail jog join joke journey judge
juggle jump justify kick kill kiss knead knit knock label labor labour lack lag lament land lapse last laugh
launch lay leak lean leap learn lease level leverage license lift like limit line linger link lint list
listen live load loan loathe lobby locate lock log look loom love lower lure maintain manage mandate
manipulate manufacture map mar march mark market marry master match matter mature maximize mean measure melt
mention merge merit migrate mind mine minimize minister mirror miss misunderstand mix mobilize mock model
modify monitor mother motion motivate mount move mow multiply murder mute nail name narrate need negate
neglect negotiate neighbor neighbour nest nod nominate note notice notify number nurse obey object oblige
obtain occupy occur offboard offend offer omit onboard open operate oppose opt optimize option orbit
orchestrate ordain order organise organize originate outline outperform output outweigh overhaul overlap
overlie overlook oversee oversell owe own pack page paint pair parallel park parse part participate partner
pass pat patch patrol pause peak peddle peel perceive perform permit persist persuade phase phone phrase
pick picture pilot pin ping pioneer pitch place plague plan plant play plead pledge plot plow plug plummet
plunge point poll pool pop populate portray pose position possess post postpone pound pour power practice
practise praise pray precede predict prefer preheat premiere prepare prescribe present preserve preside
press presume pretend prevail prevent preview price print prize probe proceed process proclaim produce
profess profit program prohibit project promise promote prompt propose prosecute protect protest provide
provision provoke proxy publish pull punish purchase pursue push qualify query question quiz quote race rain
raise ramp range rank rate ratify ration reach react realise realize reap reason rebase rebel reboot rebound
recall receive recite reckon recognise recognize recommend reconcile reconstruct record recount recover
recruit redeem redirect reduce refactor refer refill refine reflect reform refresh refund refuse refute
regain regard register regret regulate rehearse reign reinforce reinstall reject relate relax release
relegate relieve relinquish reload relocate rely remain remark remember remind remove rename render renew
renovate rent reopen repair repeat repel replace replicate reply report represent repress reprise reproduce
request require rerun rescue research resemble resend resent reserve reside resign resist resize resolve
resort respect respond rest restart restore restrict result resume retail retain retire retort retreat
retrieve retry return reunite reuse reveal revert review revise revive revoke revolve reward ring rinse rise risk
rival roam robe rock roll root rotate round route row rub ruin rule rush sack sacrifice sail salvage sample
sanction sand sandbox satisfy save scale scan scatter schedule school score scrape scream screen scroll
scrub seal search seat secede secure seed seem seize select sense sentence separate sequence serialize serve
service settle shape shard share shatter shave shelter shift ship shock shout shred sigh sign signal
simplify simulate sip situate sketch ski skip slash slay slice slide slip slope slow smell smile smoke
smuggle snap sneeze snow soak soar solder solve sort sound space span spark specialise specialize specify
speed spell spill spoil sponsor spot spray spur square stabilise stabilize staff stage stake stamp staple
start starve state station stay steam steer stem step stipulate stir stitch stock stop store storm straddle
strain stream strengthen stress stretch strip stroke structure struggle study stuff stumble style subdue
subject sublet submit subscribe substitute succeed suck sue suffer suggest suit summarize summon supervise
supplement supply support suppose suppress surface surge surpass surrender surround survey survive suspect
suspend sustain swallow swap sweat swipe switch sympathize sync table tackle tag talk tally tape target
taste tax team tease telephone tempt tend term terminate test testify thank thread threaten thrive throttle
thunder tick tidy tie tighten time timestamp tip title toast toggle tokenize tolerate top topple total touch
tour tow tower toy trace track trade trail train transcribe transfer transform transition translate transmit
transplant transport trap travel traverse treasure treat trend trick trigger trim trouble truck trust try
tune turn twist type typeset undergo undermine unify uninstall unite unlock unpack unplug untie unveil unzip
update upgrade uphold upload upset upskill urge use usher utilize vacation vaccinate vacuum validate value
vanish vary venture verify vet veto view violate visit voice volume volunteer vote vow wage wait walk wane
want ward warn wash waste watch water wave weaken weather wed weigh welcome weld wheel whisper whitelist
widen wield winter wipe wire wish witness wonder work worry worship wound wrap wreck yell yield zip
"""

# those that are nouns far more often than verbs in their base and -s forms
NOUNISH = """
act address advance aid aim answer approach arm attack attempt attribute auction award back balance ban bar
base bat batch battle benchmark bill blast block board bomb bond boost bottle bow bowl box branch brand
brief burden camp campaign cap captain care cast center centre chain chair challenge change charge chart
charter check circle claim clash clear clock close cloud cluster coach coat code coin color colour command
comment commission compound concern condition conduct conflict contact contest contract contrast control
copy corner cost count counter couple course court cover crack craft crash credit cross crown cure cut cycle
dam damage dance date deal debate debut decay decline decrease delay delight demand design desire detail
dial digest discharge display dispute distance dock document double doubt draft drain draw dream dress drift
drink drive drop dump ease echo edge end engineer equal escape escort estimate exchange exercise exhibit
exile experience experiment exploit export express eye face fall farm father favor favour fear feature feed
ferry field fight figure file film finance fire flight flood flow fly focus force forecast fork form forward
frame free front fuel function fund gain garden gift glance grade grant grip group guarantee guard guess
guide halt hand handle harm harvest hash haul head heat help hint hit home honor honour hope host house hunt
impact import increase index influence insult interest interview issue journey judge jump kick kill kiss
label labor labour lack land last launch lead lease level license lie lift light like limit line link lint
list live load loan lobby lock log look love lower mandate map march mark market master match matter mature
mean measure merit mind mine minister mirror mix model monitor mother motion mount move murder nail name
need neighbor neighbour nest note notice number nurse object offer open option orbit order outline output
overhaul own pack page paint pair parallel park part partner pass patch patrol pause peak phase phone phrase
picture pilot pin ping pioneer pitch place plague plan plant play plot point poll pool pop pose position
post pound power practice praise present press price print prize probe process produce profit program
project promise prompt protest proxy purchase push query question quiz quote race rain raise ramp range rank
rate ration rebel rebound record reform refund regard regret reign release remark rent repair reply report
request rescue research reserve respect rest result retail retreat return review reward ride ring rise risk
rival robe rock roll root round route row ruin rule run rush sacrifice sail sample sanction sand sandbox
scale scan schedule school score scream screen seal search seat seed sense sentence separate sequence
service set shape shard share shelter shift ship shock shot shout show sign signal silence ski slice slide
slip slope slow smell smile smoke snap snow sort sound space span spark speed spell spill spin split sponsor
spot spray spread spring spur square staff stage stake stamp stand staple start state station stay steam
stem step stick stock stop store storm strain stream stress stretch strike strip stroke structure struggle
study stuff style subject suit supplement supply support surface surge survey suspect sweat swing switch
table talk tape target taste tax team telephone term test thought thread threat thunder tie time tip title
toast top total touch tour tow tower toy trace track trade trail train transfer transition transplant
transport trap travel treasure treat trend trick trigger trim trouble truck trust try tune turn twist type
update upgrade upset use vacation vacuum value venture veto view visit voice volume volunteer vote vow wage
wait walk war ward wash waste watch water wave wear weather welcome wheel whisper win wind winter wish
witness wonder work worry wound wreck yield zip
"""

# those that double their last letter before -ed and -ing
DOUBLING = """
abet admit ban bar bat beg begin bet cap chat commit compel confer cram cut dam debug deter dig dip dot drag
drop dub equip expel fit flag forget get grab hit hop hug incur jog knit knot let log map mar nod occur omit
pat permit pin plan plot pop prefer put quit quiz ram rebel refer regret rib rip rob rub run scan scrub set
ship shop shun shut sip sit skip slam slap slip snap spin split spot spur stem step stir stop strip submit
sum swap swim tag tap tip top transfer transmit trap trim upset wed whip win wrap zip
"""
