"""What a team knows, in tables: each property with values, questions and paraphrases; the words of `known`.

A line is a property: predicate | values | questions | paraphrases, alternatives between slashes. `{s}` is the
subject; a value in braces is drawn from a table of `known`. Questions say it as people do who know the words;
paraphrases share no content word with predicate or value, in any inflection. The subject has to be named: nothing
else tells which of many is meant.
"""

from __future__ import annotations

SERVICE = """
listens_on | port {port} | Which port does {s} use? / What port is {s} listening on? / port number of {s} | \
What number do I put after the colon to reach {s}? / Where do I connect to talk to {s} over the network?
has_ip_address | {ip} | What is the IP address of {s}? / Find IP of {s} | \
What do I ping to see whether {s} is alive? / Which machine on the network is {s}?
owned_by | {team} team | Who owns {s}? / Which team is the owner of {s}? | \
Who is responsible for {s}? / Whom do I ask before I change {s}?
depends_on | {service} | What does {s} depend on? / Which dependencies does {s} have? | \
What has to be up before {s} can start? / Whose outage would break {s}?
written_in | {language} | What language is {s} written in? / In what is {s} written? | \
What do I need to know to program {s}? / Which compiler or interpreter does {s} need?
deployed_in | {region} | Where is {s} deployed? / In which region is {s} deployed? | \
In which data centre does {s} run? / Where in the world is {s} hosted?
current_version | v{version} | What is the current version of {s}? / Which version of {s} is live? | \
Which release of {s} do we have in production? / How new is the build of {s} that customers see?
stores_data_in | {database} | Where does {s} store its data? / What does {s} store data in? | \
What does {s} use for persistence? / Where are the records of {s} kept?
backup_schedule | {daily} | When is the backup of {s} made? / What is the backup schedule of {s}? | \
How often do we take a copy of {s} in case of disaster? / When is {s} saved so that it can be restored?
log_retention | {days} days | How long is the log retention of {s}? / How many days of logs of {s} are kept? | \
How far back can I read what {s} printed? / For what time is the output of {s} archived?
on_call_engineer | {person} | Who is the on-call engineer for {s}? / Who is on call for {s}? | \
Whom do I wake at night when {s} fails? / Who carries the pager for {s}?
rate_limit | {hundreds} requests a minute | \
What is the rate limit of {s}? / How many requests a minute does {s} take? | \
How much traffic will {s} accept from one client? / At what throughput does {s} start to throttle?
authenticates_with | {login} | How does {s} authenticate callers? / What does {s} authenticate with? | \
How do others prove to {s} who they are? / What is needed to log in to {s}?
monitored_in | {monitor} | Where is {s} monitored? / What is {s} monitored in? | \
Which dashboard shows the health of {s}? / Where do I see whether {s} is all right?
configured_in | {file} | Where is the configuration of {s}? / In which file is {s} configured? | \
What do I edit to change the settings of {s}? / Where do I turn the knobs of {s}?
replaces | {legacy} | What does {s} replace? / Which system was replaced by {s}? | \
What did {s} make obsolete? / What could be switched off thanks to {s}?
"""

PERSON = """
lives_in | {city} | Where does {s} live? / In which city does {s} live? | \
Where is the home of {s}? / In what town do I visit {s}?
works_as | {job} | What does {s} work as? / As what does {s} work? | \
What is the profession of {s}? / What does {s} do for a living?
reports_to | {person} | Who does {s} report to? / To whom does {s} report? | \
Who is the manager of {s}? / Who is the boss of {s}?
birthday | {date} | When is the birthday of {s}? / What day is {s}'s birthday? | \
On what day was {s} born? / When do we bring a cake for {s}?
allergic_to | {allergy} | What is {s} allergic to? / Which allergies does {s} have? | \
What must {s} not eat or touch? / What makes {s} ill?
speaks | {tongue} | Which languages does {s} speak? / What does {s} speak besides English? | \
In which language can I talk to {s}? / What is the mother tongue of {s}?
plays | {instrument} | What instrument does {s} play? / What does {s} play? | \
How does {s} make music? / What could {s} bring along to a concert?
has_pet | {pet} | What pet does {s} have? / Which pets does {s} have? | \
Which animal lives at {s}'s place? / Who waits at the door when {s} comes home?
drives | {vehicle} | What does {s} drive? / Which vehicle does {s} drive? | \
How does {s} get to the office? / What does {s} park in the garage?
studied | {subject} | What did {s} study? / Which subject has {s} studied? | \
In what does {s} have a degree? / What did {s} learn at university?
phone_extension | {extension} | What is the phone extension of {s}? / Which extension does {s} have? | \
What number do I dial to call {s}? / How do I ring {s}?
prefers | {seat} | Which seat does {s} prefer? / Where does {s} prefer to sit on a flight? | \
How should I book a plane ticket for {s}? / What do I tell the airline for {s}?
prefers_to_drink | {drink} | What does {s} prefer to drink? / Which drink does {s} prefer? | \
What beverage may I offer {s}? / What do I order for {s} at the café?
prefers_editor | {editor} | Which editor does {s} prefer? / What editor does {s} like? | \
In which program does {s} type all day? / What development environment does {s} use?
prefers_to_be_reached | {channel} | How does {s} prefer to be reached? / What way of reaching {s} is preferred? | \
What is the best way to contact {s}? / How do I get hold of {s}?
prefers_lunch | {lunch} | What lunch does {s} prefer? / Which lunch should I order for {s}? | \
What do I cook when {s} comes for a meal? / What kind of food does {s} eat at noon?
"""

PROJECT = """
deadline | {date} | When is the deadline of {s}? / What is the deadline for {s}? | \
By when must {s} be finished? / When does {s} have to be done?
budget | {thousands} thousand euros | What is the budget of {s}? / How big is the budget of {s}? | \
How much money may {s} spend? / What is {s} allowed to cost?
led_by | {person} | Who leads {s}? / By whom is {s} led? | \
Who is in charge of {s}? / Who is the head of {s}?
customer | {company} | Who is the customer of {s}? / For which customer is {s}? | \
For whom do we make {s}? / Who pays for {s}?
repository | {repository} | Which repository has {s}? / Where is the repository of {s}? | \
Where is the source code of {s}? / From where do I clone {s}?
tracked_in | {tracker} | Where is {s} tracked? / What is {s} tracked in? | \
Where do I file a bug for {s}? / Where is the list of open tasks of {s}?
decided_to_store | {store} | What did {s} decide to store? / What was decided about storing things in {s}? | \
How does {s} keep state? / What was the verdict on persistence for {s}?
decided_to_ship | {shipping} | How did {s} decide to ship? / What was decided about shipping {s}? | \
How do updates of {s} get to users? / What is the release process of {s}?
decided_to_test | {testing} | How did {s} decide to test? / What was the decision on testing for {s}? | \
How does {s} make sure that nothing is broken? / What is done about quality in {s}?
blocked_by | {obstacle} | What is {s} blocked by? / What blocks {s}? | \
Why is {s} not moving on? / What holds {s} up?
"""

MEETING = """
takes_place | {weekly} | When does the {s} take place? / On which day does the {s} take place? | \
When do we meet for the {s}? / What time is the {s}?
held_in | {room} | Where is the {s} held? / In which room is the {s} held? | \
Where do I have to go for the {s}? / What is the location of the {s}?
chaired_by | {person} | Who chairs the {s}? / By whom is the {s} chaired? | \
Who moderates the {s}? / Who runs the {s}?
minutes_kept_in | {notes} | Where are the minutes of the {s} kept? / In what are the minutes of the {s} kept? | \
Where is written down what was said in the {s}? / Where can I read up on the {s} that I missed?
lasts | {length} | How long does the {s} last? / How many minutes does the {s} last? | \
When will the {s} be over? / What is the duration of the {s}?
"""

PLACE = """
opens_at | {hour} | When does the {s} open? / At what time does the {s} open? | \
How early can I get into the {s}? / From when on is somebody in the {s}?
street_address | {street} | What is the street address of the {s}? / In which street is the {s}? | \
Where do I send a parcel for the {s}? / Where exactly is the {s}?
wifi_network | {wifi} | What is the wifi network of the {s}? / Which wifi does the {s} have? | \
How do I get online in the {s}? / How do I reach the internet from the {s}?
seats | {seats} people | How many people does the {s} seat? / How many seats has the {s}? | \
How large is the {s}? / What is the capacity of the {s}?
managed_by | {person} | Who manages the {s}? / By whom is the {s} managed? | \
Who looks after the {s}? / To whom do I complain about the {s}?
parking | {parking} | Where is parking for the {s}? / What about parking at the {s}? | \
Where do I leave my car when I visit the {s}? / Where can I put my bicycle at the {s}?
"""
