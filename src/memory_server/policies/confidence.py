"""How far a memory can be trusted now: by its claim, its sources, its age and what speaks against it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from math import exp2
from types import MappingProxyType

from memory_server.domain.lifecycle import LifecycleState

RELIABILITY: Mapping[str, float] = MappingProxyType(
    {"verified": 0.9, "admin": 0.85, "inferred": 0.7, "extracted": 0.6, "unknown": 0.3}
)
"""How reliable each kind of source is."""

DEFAULT_SOURCE_KINDS: Mapping[str, str] = MappingProxyType(
    {
        "verified*": "verified",
        "manual": "admin",
        "user": "admin",
        "admin": "admin",
        "cli": "admin",
        "system": "inferred",
        "learn": "extracted",
        "import": "extracted",
        "transcript": "extracted",
    }
)
"""Source names to kinds; a name that ends in `*` stands for all that begin so."""

STATE_FACTORS: Mapping[LifecycleState, float] = MappingProxyType(
    {
        LifecycleState.ACTIVE: 1.0,
        LifecycleState.VALIDATED: 0.95,
        LifecycleState.CANDIDATE: 0.85,
        LifecycleState.STALE: 0.6,
        LifecycleState.ARCHIVED: 0.3,
        LifecycleState.SUPERSEDED: 0.3,
        LifecycleState.CONTRADICTED: 0.3,
        LifecycleState.FORGOTTEN: 0.0,
        LifecycleState.DISCARDED: 0.0,
    }
)
"""What the lifecycle state leaves of the confidence."""

AGE_DECAY_FLOOR = 0.3
"""However old, a claim keeps this share of its weight."""

Explain = dict[str, float | int | str | None]


@dataclass(frozen=True, slots=True)
class Confidence:
    """An effective confidence with the parts that it was made of.

    `value` is what ranking uses; `before_state_factor` is what the lifecycle looks at. Both lie in 0–1.
    """

    value: float
    before_state_factor: float
    explain: Explain


def source_kind(name: str, table: Mapping[str, str] = DEFAULT_SOURCE_KINDS) -> str:
    """The kind that a source's name stands for: an exact entry, else the longest `prefix*`, else unknown."""
    folded = name.strip().casefold()
    if folded in table:
        return table[folded]
    prefixes = [key for key in table if key.endswith("*") and folded.startswith(key[:-1])]
    return table[max(prefixes, key=len)] if prefixes else "unknown"


def best_kind(sources: Collection[str], table: Mapping[str, str] = DEFAULT_SOURCE_KINDS) -> str:
    """The most reliable kind among several sources; unknown where there is none."""
    kinds = [source_kind(name, table) for name in sources]
    return max(kinds, key=_reliability_of, default="unknown")


def corroboration(n_sources: int) -> float:
    """What distinct sources add: 0.05 for two, 0.10 for three and more."""
    return 0.10 if n_sources >= 3 else 0.05 if n_sources == 2 else 0.0


def conflict_penalty(n_conflicts: int) -> float:
    """What conflicting facts take away: 0.10 for one, 0.20 for two and more."""
    return 0.20 if n_conflicts >= 2 else 0.10 if n_conflicts == 1 else 0.0


def age_decay(age_days: float, ttl_days: float | None) -> float:
    """2^(−age/TTL), at least 0.3; 1 where there is no time to live."""
    if ttl_days is None or age_days <= 0:
        return 1.0
    if ttl_days <= 0:
        return AGE_DECAY_FLOOR
    return max(AGE_DECAY_FLOOR, exp2(-min(age_days / ttl_days, 64.0)))


def promotion_score(claim: float, n_sources: int, n_conflicts: int) -> float:
    """Claim with corroboration and conflicts alone; rounded, so that 0.8 + 0.05 meets a threshold of 0.85."""
    return round(claim + corroboration(n_sources) - conflict_penalty(n_conflicts), 9)


def effective(
    *,
    claim: float,
    sources: Collection[str],
    age_days: float,
    ttl_days: float | None,
    conflicts: int,
    state: LifecycleState,
    source_kinds: Mapping[str, str] = DEFAULT_SOURCE_KINDS,
) -> Confidence:
    """clamp(((claim + reliability) / 2 × age decay + corroboration − conflicts) × state factor).

    `claim` is the highest claim of the sources, 0–1; `sources` are their names, of which each counts once;
    `conflicts` is how many facts contradict this one.
    """
    distinct = {name.strip().casefold() for name in sources}
    kind = best_kind(distinct, source_kinds)
    reliability = _reliability_of(kind)
    decay = age_decay(age_days, ttl_days)
    added, taken = corroboration(len(distinct)), conflict_penalty(conflicts)
    before = _before(claim, reliability, decay, added - taken)
    factor = STATE_FACTORS[state]
    return Confidence(
        value=_clamp(before * factor),
        before_state_factor=_clamp(before),
        explain={
            "claim": claim,
            "source_kind": kind,
            "reliability": reliability,
            "sources": len(distinct),
            "age_days": round(max(age_days, 0.0), 3),
            "ttl_days": ttl_days,
            "age_decay": round(decay, 6),
            "corroboration": added,
            "conflicts": -taken if taken else 0.0,
            "state": state.value,
            "state_factor": factor,
        },
    )


def before_state_factor(
    claim: float, kind: str, n_sources: int, age_days: float, ttl_days: float | None, conflicts: int
) -> float:
    """The part of `effective` that the lifecycle looks at, for many memories at once; `kind` is `best_kind`'s."""
    change = corroboration(n_sources) - conflict_penalty(conflicts)
    return _clamp(_before(claim, _reliability_of(kind), age_decay(age_days, ttl_days), change))


def _before(claim: float, reliability: float, decay: float, change: float) -> float:
    return (claim + reliability) / 2 * decay + change


def _reliability_of(kind: str) -> float:
    return RELIABILITY.get(kind, RELIABILITY["unknown"])


def _clamp(value: float) -> float:
    return round(min(1.0, max(0.0, value)), 9)
