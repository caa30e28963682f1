"""Facts as a team would have them, made up, with questions about each: the same for the same seed."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from memory_server.benchmarks import known_wordings
from memory_server.benchmarks.made_up import PEOPLE, PLACES, MadeUpFact

_AREAS = """billing ledger checkout search mailer scheduler catalog inventory pricing shipping invoicing identity
session auth token config
thumbnail crawler webhook onboarding analytics forecast payroll audit refund loyalty consent""".split()
_ROLES = "api worker gateway service cache proxy importer frontend".split()
_VARIANTS = ("", "", "-eu", "-us", "-staging", "-v2")
_SURNAMES = """Okafor Lindqvist Nair Moreau Tanaka Castillo Novak Brennan Petrov Haddad Jensen Kowalski Mensah Rossi
Duarte Fischer""".split()
_BIRDS = "Heron Kestrel Plover Avocet Merlin Osprey Curlew Dunlin Garnet Onyx Topaz Cobalt Cedar Juniper Maple".split()
_MEETINGS = (
    "design review,planning,retrospective,budget round,hiring sync,incident review,demo,stand-up".split(",")
)
_GROUPS = "platform,payments,mobile,growth,research,support".split(",")
_SITES = "office,warehouse,workshop,showroom,canteen,training room".split(",")

_CHOICES = {
    "team": "Payments,Growth,Platform,Discovery,Trust,Fulfilment,Mobile,Insights".split(","),
    "language": "Go,Rust,Kotlin,Python,TypeScript,Elixir,C++,Java".split(","),
    "region": "eu-west-1,eu-central-1,us-east-2,ap-south-1,sa-east-1,Frankfurt,Stockholm,Mumbai".split(","),
    "database": "PostgreSQL 15,MySQL 8,Redis,Cassandra,SQLite,MongoDB,an S3 bucket,ClickHouse".split(","),
    "login": """OAuth client credentials;mutual TLS;a signed JWT;an API key in a header;Kerberos tickets;
SAML""".replace("\n", "").split(";"),
    "monitor": "Grafana,Datadog,Prometheus,New Relic,Kibana,Honeycomb".split(","),
    "legacy": """the nightly cron job;the old PHP monolith;the fax relay;a spreadsheet macro;the SOAP bridge;
the Perl scripts""".replace("\n", "").split(";"),
    "job": "data engineer,nurse,architect,accountant,translator,electrician,designer,lawyer,chemist".split(
        ","
    ),
    "allergy": "peanuts,shellfish,cat hair,birch pollen,penicillin,gluten,wasp stings,latex".split(","),
    "tongue": "Portuguese,Swahili,Finnish,Hindi,Polish,Arabic,Korean,Dutch".split(","),
    "instrument": "cello,trumpet,accordion,drums,harp,banjo,clarinet".split(","),
    "pet": "a beagle called Biscuit,two tortoises,a grey parrot,a rabbit,three goldfish,a ginger cat".split(
        ","
    ),
    "vehicle": "an old Volvo estate,a cargo bike,an electric Renault,a Vespa scooter,a red van".split(","),
    "subject": "marine biology,philosophy,civil engineering,economics,linguistics,mathematics,law".split(","),
    "seat": """a window seat near the front;an aisle seat;an exit row seat;a seat at the very back
""".strip().split(";"),
    "drink": "green tea without sugar,black coffee,oat milk cappuccino,sparkling water,ginger ale,cocoa".split(
        ","
    ),
    "editor": "Vim,Emacs,VS Code,IntelliJ,Helix,Sublime Text".split(","),
    "channel": "by e-mail,through Slack,on Signal,with a text message,by letter,over Matrix".split(","),
    "lunch": "vegan curry,tomato soup,sushi,a cheese sandwich,lentil salad,pizza without olives".split(","),
    "company": "Northwind Foods,Alder Insurance,Baltic Rail,Sunrise Clinics,Tern Logistics,Quill Press".split(
        ","
    ),
    "tracker": "Jira,Linear,Trello,GitHub issues,a Notion page,Redmine".split(","),
    "store": """sessions in Redis instead of cookies;everything in one PostgreSQL schema;events in Kafka only;
files on local disk;nothing on the server at all""".replace("\n", "").split(";"),
    "shipping": """every Thursday behind feature flags;straight from main after green builds;once a month with notes;
as a container image by hand""".replace("\n", "").split(";"),
    "testing": """with property checks before each merge;on real phones every night;by pairing instead of reviews;
against a copy of live traffic""".replace("\n", "").split(";"),
    "obstacle": """a missing legal opinion;the vendor's broken SDK;a hiring freeze;an expired certificate;
the unfinished data migration""".replace("\n", "").split(";"),
    "room": "room Aurora,room Basalt,the glass cube,the library,a video call,the attic".split(","),
    "notes": "Confluence,a shared Google doc,the team wiki,an Obsidian vault,a paper binder".split(","),
    "length": "15 minutes,25 minutes,45 minutes,an hour,90 minutes,two hours".split(","),
    "wifi": "gull-guest,harbour-5g,atlas-visitors,linden-open,copper-net".split(","),
    "parking": """in the yard behind the gate;on level two of the multi-storey;on the street with a permit;
nowhere, there are racks for bikes only""".replace("\n", "").split(";"),
}
_DAYS = "Monday Tuesday Wednesday Thursday Friday".split()
_MONTHS = "January March April June July September October November".split()
_STREETS = "Rua das Flores,Mill Lane,Harbour Road,Station Square,Birch Avenue,Tower Hill".split(",")


@dataclass(frozen=True, slots=True)
class Known:
    """A fact with a question that uses its words and a paraphrase that does not."""

    fact: MadeUpFact
    question: str
    paraphrase: str


@dataclass(frozen=True, slots=True)
class _Property:
    predicate: str
    values: tuple[str, ...]
    questions: tuple[str, ...]
    paraphrases: tuple[str, ...]


def known(seed: int, count: int) -> list[Known]:
    """So many different facts, a handful about each subject, many of which have names and values in common."""
    chance = random.Random(seed)
    found: list[Known] = []
    for subject, names, properties in _subjects(chance):
        for chosen in chance.sample(properties, k=min(len(properties), chance.randrange(4, 11))):
            value = _filled(chance, chance.choice(chosen.values), subject)
            fact = MadeUpFact(subject, chosen.predicate, value)
            question = chance.choice(chosen.questions).format(s=chance.choice(names))
            paraphrase = chance.choice(chosen.paraphrases).format(s=chance.choice(names))
            found.append(Known(fact, question, paraphrase))
            if len(found) == count:
                return found
    raise ValueError(f"there are words for {len(found)} facts only")


def _subjects(chance: random.Random) -> Iterator[tuple[str, tuple[str, ...], list[_Property]]]:
    """Every subject with the names that it goes by, in a mixed order."""
    services = [
        (name, (name, name, name.replace("-", " "), f"the {name.replace('-', ' ')}"))
        for name in (f"{a}-{r}{v}" for a in _AREAS for r in _ROLES for v in dict.fromkeys(_VARIANTS))
    ]
    people = [(f"{first} {last}", (f"{first} {last}",)) for first in PEOPLE for last in _SURNAMES]
    projects = [(f"project {bird}", (f"project {bird}", f"the {bird} project")) for bird in _BIRDS]
    meetings = [(name, (name,)) for name in (f"{group} {what}" for group in _GROUPS for what in _MEETINGS)]
    places = [
        (f"{town} {site}", (f"{town} {site}", f"{site} in {town}")) for town in PLACES for site in _SITES
    ]
    mixed = [
        (subject, names, _properties(table))
        for table, subjects, share in (
            (known_wordings.SERVICE, services, 160),
            (known_wordings.PERSON, people, 160),
            (known_wordings.PROJECT, projects, 15),
            (known_wordings.MEETING, meetings, 40),
            (known_wordings.PLACE, places, 60),
        )
        for subject, names in chance.sample(subjects, k=min(share, len(subjects)))
    ]
    chance.shuffle(mixed)
    yield from mixed


def _properties(table: str) -> list[_Property]:
    lines = [[part.strip() for part in line.split("|")] for line in table.strip().splitlines()]
    return [
        _Property(predicate, *(tuple(word.strip() for word in part.split(" / ")) for part in parts))
        for predicate, *parts in lines
    ]


def _filled(chance: random.Random, value: str, subject: str) -> str:
    head, brace, rest = value.partition("{")
    if not brace:
        return value
    name, _, tail = rest.partition("}")
    drawn = chance.choice(_CHOICES[name]) if name in _CHOICES else _drawn(chance, name, subject)
    return head + drawn + tail


def _drawn(chance: random.Random, name: str, subject: str) -> str:
    first = subject.split()[-1].split("-")[0].lower()
    number = chance.randrange
    makers: dict[str, Callable[[], str]] = {
        "port": lambda: str(number(3000, 9999)),
        "ip": lambda: f"10.{number(64)}.{number(256)}.{number(1, 255)}",
        "service": lambda: f"{chance.choice(_AREAS)}-{chance.choice(_ROLES)}",
        "version": lambda: f"{number(1, 9)}.{number(30)}.{number(12)}",
        "daily": lambda: f"every night at {number(5):02d}:{number(12) * 5:02d}",
        "days": lambda: str(chance.choice((7, 14, 30, 45, 60, 90, 365))),
        "person": lambda: f"{chance.choice(PEOPLE)} {chance.choice(_SURNAMES)}",
        "hundreds": lambda: str(number(1, 40) * 50),
        "file": lambda: (
            f"/etc/{first}/{chance.choice(('main', 'service', 'local'))}.{chance.choice(('toml', 'yaml'))}"
        ),
        "city": lambda: chance.choice(PLACES),
        "date": lambda: f"{number(1, 29)} {chance.choice(_MONTHS)}",
        "extension": lambda: str(number(200, 999)),
        "thousands": lambda: str(number(4, 90) * 5),
        "repository": lambda: f"git.example.org/{chance.choice(_GROUPS)}/{first}",
        "weekly": lambda: f"{chance.choice(_DAYS)}s at {number(8, 17)}:{chance.choice(('00', '15', '30'))}",
        "hour": lambda: f"{number(6, 11)}:{chance.choice(('00', '30'))}",
        "street": lambda: f"{chance.choice(_STREETS)} {number(1, 120)}",
        "seats": lambda: str(number(2, 60) * 2),
    }
    return makers[name]()
