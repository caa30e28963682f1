"""Times as they are given and stored."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_server.domain.memory import parse_time, rfc3339

ZONES = st.integers(-14 * 60, 14 * 60).map(lambda minutes: timezone(timedelta(minutes=minutes)))


@given(st.datetimes(), ZONES)
def test_any_moment_in_any_zone_is_a_time_in_utc_or_refused(moment: datetime, zone: timezone) -> None:
    text = moment.replace(tzinfo=zone).isoformat()
    try:
        found = parse_time(text)
    except ValueError:
        assert moment.year in (1, 9999)
        return
    assert found.tzinfo is UTC
    assert parse_time(rfc3339(found)) == found
    assert len(rfc3339(found)) == len("2026-03-31T12:00:00.000000Z")


@given(st.datetimes(), st.datetimes())
def test_times_as_text_stand_in_the_order_of_time(one: datetime, other: datetime) -> None:
    one, other = one.replace(tzinfo=UTC), other.replace(tzinfo=UTC)
    assert (rfc3339(one) < rfc3339(other)) == (one < other)


@pytest.mark.parametrize("text", ["0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00"])
def test_a_time_that_is_off_the_calendar_in_utc_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="off the calendar"):
        parse_time(text)
