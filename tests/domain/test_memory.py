"""Times as they are given and stored."""

from __future__ import annotations

from contextlib import suppress
from datetime import UTC, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_server.domain.memory import parse_time, rfc3339

ZONES = st.integers(-14 * 60, 14 * 60).map(lambda minutes: timezone(timedelta(minutes=minutes)))


@given(st.datetimes(), ZONES)
def test_any_moment_in_any_zone_is_a_time_in_utc_or_refused(moment: object, zone: timezone) -> None:
    text = moment.replace(tzinfo=zone).isoformat()  # type: ignore[attr-defined]
    with suppress(ValueError):
        found = parse_time(text)
        assert found.tzinfo is UTC
        assert parse_time(rfc3339(found)) == found


@pytest.mark.parametrize("text", ["0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00"])
def test_a_time_that_is_off_the_calendar_in_utc_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="off the calendar"):
        parse_time(text)
