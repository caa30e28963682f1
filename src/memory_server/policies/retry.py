"""When a piece of work that failed in the outbox is tried again."""

from __future__ import annotations

from math import exp2

MAX_ATTEMPTS = 8
FIRST_PAUSE_S = 0.5
LONGEST_PAUSE_S = 60.0


def next_attempt(attempts: int, now: float) -> float | None:
    """When to try again after so many attempts, in the seconds that `now` counts; None after the last.

    The pause doubles with every attempt from half a second up to a minute.
    """
    if attempts >= MAX_ATTEMPTS:
        return None
    return now + min(LONGEST_PAUSE_S, FIRST_PAUSE_S * exp2(max(0, attempts - 1)))
