"""What is read off all talks together."""

from __future__ import annotations

from memory_server.app import MemoryApp
from memory_server.services.conversations import Turn, import_turns
from memory_server.storage import turns


def test_nobody_has_spoken_in_an_empty_store(app: MemoryApp) -> None:
    with app.database.read() as connection:
        assert turns.speakers(connection) == []
        assert turns.years(connection) == []


def test_everybody_who_spoke_is_named_once_and_every_year_between_is_there(app: MemoryApp) -> None:
    import_turns(
        app,
        [
            Turn("one", "a", "Tomas", "2022-12-31T23:00:00.000000Z"),
            Turn("two", "a", "Ines", "2024-01-01T00:00:00.000000Z"),
            Turn("three", "a", "Tomas"),
            Turn("four", "b"),
        ],
    )
    with app.database.read() as connection:
        assert turns.speakers(connection) == ["Ines", "Tomas"]
        assert turns.years(connection) == [2022, 2023, 2024]
