"""Facts and questions made up for the benchmarks: the same for the same seed, and nobody's data."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

_SERVICES = """billing ledger checkout search gateway mailer scheduler importer exporter archive catalog inventory
pricing shipping invoicing reporting identity session storage thumbnail transcoder crawler notifier webhook
onboarding analytics forecasting reconciliation payroll audit""".split()
PLACES = "Lisbon Oslo Nairobi Toronto Kyoto Lima Dublin Warsaw Hanoi Quito Tunis Perth Graz Leeds Turku Cork".split()
PEOPLE = """Amara Bruno Chidi Dagny Elif Farid Greta Hiro Ines Jonas Kavya Liam Mirela Nadia Otis Priya Quinn
Rosa Stefan Tomas Uma Viktor Wanda Ximena Yusuf Zora""".split()
_PREDICATES = """depends_on runs_on owned_by stores_data_in deployed_in monitored_by written_in replaces talks_to
documented_in retries_after scales_with backed_up_to tested_with decided_that prefers reviewed_by paid_by
scheduled_for broke_because migrated_from measured_at""".split()
_ADJECTIVES = """slow nightly shared ageing encrypted regional temporary noisy stable oversized read-only idle manual
legacy experimental parallel cached brittle weekly primary spare dusty careful quiet early late narrow broad""".split()
_NOUNS = """cluster database queue bucket replica pipeline dashboard runbook certificate migration rollout budget
incident backlog contract vendor review release experiment shard partition index snapshot laptop whiteboard kitchen
garden violin bicycle passport recipe marathon telescope notebook umbrella lantern harbour orchard ferry""".split()
_VERBS = """waits fails grows restarts drains expires rotates compresses blocks recovers splits merges drifts idles
overflows settles retries stalls scales shrinks""".split()
_CLOSINGS = """before the weekly meeting;after the spring release;while the auditors are in the house;because the
old contract ends;once the second region is ready;until the new vendor answers;when the load doubles;since the
summer outage;unless somebody objects;during the night shift""".replace("\n", " ").split(";")


@dataclass(frozen=True, slots=True)
class MadeUpFact:
    subject: str
    predicate: str
    object: str

    def arguments(self) -> dict[str, str]:
        """As the remember tool takes it."""
        return {"subject": self.subject, "predicate": self.predicate, "object": self.object}


def facts(seed: int) -> Iterator[MadeUpFact]:
    """Endless different facts of some twelve words, about a few hundred subjects, words as uneven as in real text."""
    chance = random.Random(seed)
    number = 0
    while True:
        number += 1
        subject = f"{_pick(chance, _SERVICES)}-{_pick(chance, PLACES).lower()}-{chance.randrange(1, 9)}"
        if chance.random() < 0.3:
            subject = _pick(chance, PEOPLE)
        text = (
            f"the {_pick(chance, _ADJECTIVES)} {_pick(chance, _NOUNS)} {_pick(chance, _VERBS)} near "
            f"{_pick(chance, PLACES)} {_pick(chance, _CLOSINGS)}, ticket {seed}{number:05d}"
        )
        yield MadeUpFact(subject, _pick(chance, _PREDICATES), text)


def keyword_queries(seed: int) -> Iterator[str]:
    """Endless different queries of two or three words that stand in many facts, mostly together."""
    chance = random.Random(seed)
    while True:
        words = [_pick(chance, _ADJECTIVES), _pick(chance, _NOUNS)]
        if chance.random() < 0.5:
            words.append(_pick(chance, _VERBS))
        yield " ".join(words)


def questions(seed: int) -> Iterator[str]:
    """Endless different questions in plain words."""
    chance = random.Random(seed)
    while True:
        yield (
            f"why does the {_pick(chance, _NOUNS)} of {_pick(chance, _SERVICES)} in {_pick(chance, PLACES)} look "
            f"{_pick(chance, _ADJECTIVES)} in week {chance.randrange(10_000)}"
        )


def _pick(chance: random.Random, words: list[str]) -> str:
    """The first words of a list come up most, the last ones seldom."""
    return words[int(len(words) * chance.random() ** 1.6)]
