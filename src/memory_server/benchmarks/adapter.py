"""Lets an evaluation from outside try the ranking: JSON lines on stdin, answers on stdout, nothing done for it alone.

One object a line, each answered by one line:

    {"op": "reset"}                                                        -> {"ok": true}
    {"op": "ingest", "items": [{id, text, session, speaker, ts, caption}]} -> {"ok": true}
    {"op": "search", "query": "…", "k": 50, "ts": "…"}                     -> {"ids": ["…"]}

Items go through the import of transcripts, questions through what get_context ranks.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, Any

from memory_server.app import MemoryApp, open_app
from memory_server.domain.episode import Episode
from memory_server.domain.memory import parse_time, rfc3339
from memory_server.services.context import related_to
from memory_server.services.conversations import Turn, import_turns
from memory_server.services.recall import question_of
from memory_server.settings import load_settings


class Evaluated:
    """A memory of its own, thrown away at each reset."""

    def __init__(self, **settings: Any) -> None:
        self._settings = settings
        self._open = ExitStack()
        self._app: MemoryApp | None = None

    def answer(self, asked: dict[str, Any]) -> dict[str, Any]:
        """The answer to one line."""
        if asked["op"] == "reset":
            self.close()
            return {"ok": True}
        if asked["op"] == "ingest":
            self.ingest(asked["items"])
            return {"ok": True}
        return {"ids": self.search(asked["query"], int(asked["k"]), asked.get("ts") or None)}

    def ingest(self, items: list[dict[str, Any]]) -> None:
        """Imports turns and waits until they are indexed."""
        import_turns(self._memory, map(turn_of, items))
        self._memory.worker.drain()

    def search(self, text: str, most: int, as_of: str | None) -> list[str]:
        """Ids of turns as get_context ranks them, as known at a time."""
        moment = rfc3339(parse_time(as_of) if as_of else datetime.now(UTC))
        with self._memory.database.read() as connection:
            question = question_of(self._memory, connection, text, moment)
            related = related_to(self._memory, connection, question, most)
        return [
            entry.memory.external_id
            for entry in related
            if isinstance(entry.memory, Episode) and entry.memory.external_id
        ]

    def close(self) -> None:
        """Throws the memory away."""
        self._app = None
        self._open.close()

    @property
    def _memory(self) -> MemoryApp:
        if self._app is None:
            home = Path(self._open.enter_context(TemporaryDirectory(prefix="memory-server-adapter-")))
            settings = load_settings(home=home, **self._settings)
            self._app = self._open.enter_context(open_app(settings, worker=False))
        return self._app


def turn_of(item: dict[str, Any]) -> Turn:
    """An item as a line of a transcript; what a shared image shows is told behind the words."""
    caption = f" [shares an image: {item['caption']}]" if item.get("caption") else ""
    return Turn(
        text=item["text"] + caption,
        session=item["session"],
        speaker=item.get("speaker") or None,
        occurred_at=rfc3339(parse_time(item["ts"])) if item.get("ts") else None,
        external_id=item["id"],
    )


def serve(lines: IO[str], out: IO[str]) -> None:
    """Answers line by line until there are no more."""
    evaluated = Evaluated()
    try:
        for answer in answers(evaluated, lines):
            out.write(json.dumps(answer) + "\n")
            out.flush()
    finally:
        evaluated.close()


def answers(evaluated: Evaluated, lines: IO[str]) -> Iterator[dict[str, Any]]:
    """One answer a line; what goes wrong is the answer to its line."""
    for line in lines:
        try:
            yield evaluated.answer(json.loads(line))
        except Exception as error:  # noqa: BLE001 - the other side is to be told, whatever it is
            yield {"error": f"{type(error).__name__}: {error}"}


if __name__ == "__main__":
    serve(sys.stdin, sys.stdout)
