"""Which two facts cannot both be true: one predicate that has one value at a time, and two values."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import NamedTuple

from memory_server.policies.quantities import overlap, parse_quantity
from memory_server.policies.text import normal


class Triple(NamedTuple):
    """What a fact says, as given."""

    subject: str
    predicate: str
    object: str


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


SINGLE_VALUED: frozenset[str] = _words(
    """
    has_ip has_ipv6 has_mac has_hostname has_port has_fqdn has_domain has_serial_number has_uuid has_url
    version current_version latest_version minimum_version status state phase health lifecycle_state
    located_in lives_in based_in headquartered_in home_city home_country timezone
    works_at job_title reports_to managed_by led_by owned_by maintained_by assigned_to
    born_in born_on died_in died_on date_of_birth age height weight gender marital_status married_to
    nationality native_language full_name first_name last_name birth_name
    capital capital_of currency population area elevation
    default_branch license main_language package_manager build_system primary_key
    priority severity deadline due_on starts_on ends_on released_on created_on founded_in founded_on
    price cost budget salary balance total capacity
    memory_size disk_size cpu_count core_count replica_count timeout retention_period
    default_model default_editor default_shell default_browser primary_email
    color shape size material
    """
)
"""Canonical predicates that have one value at a time. Not "is" and not "runs_on", which can have many."""

_ALIASES: Mapping[str, str] = MappingProxyType(
    {
        alias: canonical
        for canonical, aliases in {
            "has_ip": "ip ip_address has_ip_address ipv4 ipv4_address has_ipv4 ip_is address_is_ip",
            "has_ipv6": "ipv6 ipv6_address",
            "has_mac": "mac mac_address has_mac_address",
            "has_hostname": "hostname host_name",
            "has_port": "port port_number has_port_number",
            "has_fqdn": "fqdn",
            "has_domain": "domain domain_name",
            "has_serial_number": "serial serial_number",
            "has_uuid": "uuid",
            "has_url": "url homepage website has_website",
            "version": "has_version is_version at_version version_is running_version runs_version",
            "current_version": "has_current_version",
            "latest_version": "has_latest_version newest_version",
            "status": "has_status current_status status_is",
            "state": "has_state current_state",
            "located_in": "is_located_in located_at is_located_at location has_location is_in_location",
            "lives_in": "live_in resides_in residence lives_at is_living_in home_is",
            "based_in": "is_based_in",
            "headquartered_in": "is_headquartered_in headquarters has_headquarters headquarters_in",
            "timezone": "time_zone has_timezone tz",
            "works_at": "work_at works_for work_for employed_by is_employed_by employer employed_at",
            "job_title": "has_job_title title_is",
            "reports_to": "boss manager has_manager supervisor",
            "managed_by": "is_managed_by",
            "led_by": "is_led_by",
            "owned_by": "is_owned_by owner has_owner",
            "maintained_by": "is_maintained_by maintainer",
            "assigned_to": "is_assigned_to assignee",
            "born_in": "was_born_in birthplace place_of_birth birth_place",
            "born_on": "was_born_on birthday birth_date has_birthday",
            "died_in": "place_of_death",
            "died_on": "date_of_death",
            "date_of_birth": "dob",
            "age": "has_age is_aged",
            "height": "has_height",
            "weight": "has_weight weighs",
            "married_to": "is_married_to spouse husband wife has_spouse",
            "nationality": "has_nationality",
            "full_name": "name has_name is_named legal_name has_full_name",
            "capital": "has_capital capital_city capital_is",
            "capital_of": "is_capital_of is_the_capital_of",
            "currency": "has_currency",
            "population": "has_population",
            "default_branch": "has_default_branch",
            "license": "licence licensed_under is_licensed_under has_license",
            "main_language": "primary_language",
            "priority": "has_priority",
            "severity": "has_severity",
            "deadline": "has_deadline due due_date is_due_on",
            "starts_on": "start_date start starts_at",
            "ends_on": "end_date ends_at",
            "released_on": "release_date was_released_on",
            "founded_in": "was_founded_in founding_year year_founded",
            "founded_on": "was_founded_on",
            "price": "has_price",
            "cost": "costs has_cost",
            "budget": "has_budget",
            "memory_size": "ram has_ram memory has_memory ram_size",
            "disk_size": "disk has_disk storage_size",
            "cpu_count": "cpus has_cpus",
            "core_count": "cores has_cores",
            "replica_count": "replicas has_replicas",
            "timeout": "has_timeout",
            "color": "colour has_color has_colour color_is colour_is",
            "shape": "has_shape",
            "size": "has_size",
            "material": "made_of is_made_of",
        }.items()
        for alias in aliases.split()
    }
)

# without the marks between words, which a comparable copy of "hasIp" has lost
_RUN_TOGETHER: Mapping[str, str] = MappingProxyType(
    {
        name.replace("_", ""): canonical
        for name, canonical in (*((name, name) for name in SINGLE_VALUED), *_ALIASES.items())
        if "_" in name
    }
)

_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_NOT_WORD = re.compile(r"[^\w]+")
_UNDERSCORES = re.compile(r"_+")
_ARTICLE = re.compile(r"^(?:the|a|an) (?=\S)")
_VERSION = re.compile(r"v(?=\d+(?:\.\d+)*\b)")
_FINAL = " .,;:!?…。"


@lru_cache(maxsize=4096)
def canonical_predicate(text: str) -> str:
    """The predicate in snake_case with its usual synonyms folded: "IP address", "hasIp" → has_ip."""
    words = _NOT_WORD.sub("_", normal(_CAMEL.sub(" ", text)))
    name = _UNDERSCORES.sub("_", words).strip("_") or normal(text)
    return _ALIASES.get(name) or _RUN_TOGETHER.get(name, name)


def is_single_valued(predicate: str, extra: Collection[str] = ()) -> bool:
    """Whether the predicate has one value at a time, by the table or by `extra` names from the settings."""
    name = canonical_predicate(predicate)
    return name in SINGLE_VALUED or any(canonical_predicate(other) == name for other in extra)


def single_valued_names(predicates: Iterable[str], extra: Collection[str] = ()) -> dict[str, str]:
    """Those of the predicates that have one value at a time, each with its canonical name."""
    return {name: canonical_predicate(name) for name in predicates if is_single_valued(name, extra)}


def objects_differ(a: str, b: str) -> bool:
    """Whether two objects are different values, not two ways of writing one.

    Case, width, white space, final punctuation, a leading article and the v of a version are folded;
    quantities are compared by value and unit.
    """
    left, right = _folded(a), _folded(b)
    if left == right:
        return False
    quantity_a = parse_quantity(left)
    quantity_b = parse_quantity(right) if quantity_a is not None else None
    if quantity_a is None or quantity_b is None:
        return True
    if not quantity_a.dimension and "." in left:
        # 3.1 and 3.10 are one number and two versions
        return True
    return overlap(quantity_a, quantity_b) != "equal"


def conflicting(a: Triple, b: Triple, extra: Collection[str] = ()) -> bool:
    """Whether two facts that are both current say different things of one subject.

    `extra` names more predicates with one value at a time.
    """
    return (
        canonical_predicate(a.predicate) == canonical_predicate(b.predicate)
        and normal(a.subject) == normal(b.subject)
        and is_single_valued(a.predicate, extra)
        and objects_differ(a.object, b.object)
    )


def _folded(text: str) -> str:
    folded = normal(text).rstrip(_FINAL)
    return _VERSION.sub("", _ARTICLE.sub("", folded)) or normal(text)
