"""The tool that takes knowledge out of plain text; the beginning of an episode's journey."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, Any

from pydantic import Field

from memory_server.app import MemoryApp
from memory_server.domain.receipt import Receipt
from memory_server.services.learn import learn
from memory_server.services.learned_views import answer_of
from memory_server.services.lesson import MOST_CHARACTERS, Lesson
from memory_server.tools.answers import Answer
from memory_server.tools.arguments import TooLong
from memory_server.tools.scoping import Scope, write_scope
from memory_server.tools.tool import Tool


class LearnAnswer(Answer):
    facts: list[dict[str, Any]] = Field(
        description="{receipt, item} each; item as remember shows a fact, and its span"
    )
    decisions: list[dict[str, Any]] = Field(
        description="{receipt, item}; item: id, context, choice, reason, rejected_alternatives, source, created_at, …"
    )
    skills: list[dict[str, Any]] = Field(
        description="{receipt, item}; item: id, name, version, purpose, steps, constraints, validation, success_rate, …"
    )
    beliefs: list[dict[str, Any]] = Field(
        description="{belief, extracted, reinforced}; extracted is what the text says of it"
    )
    receipts: list[Receipt] = Field(description="Those of all items; the episode carries its own")
    episode: dict[str, Any] | None = Field(description="The text as kept; null when nothing was stored")
    admission: dict[str, Any] = Field(
        description="Whether the text was worth keeping, and why (reason_codes)"
    )
    redacted: list[str] = Field(description="Kinds of secrets that were taken out before anything was stored")
    warnings: list[str] = Field(description="What to know about the text: secrets, orders to a model, echoes")
    degraded: str | None = Field(
        description="What did not go as it should, if anything; nothing is lost by it"
    )


def run(
    app: MemoryApp,
    *,
    text: Annotated[
        str,
        Field(min_length=1, max_length=MOST_CHARACTERS, description="Notes, chat turns, a summary, markdown"),
        TooLong.PAYLOAD,
    ],
    source: Annotated[str, Field(min_length=1, max_length=256, description="Who or what says so")] = "user",
    extract_beliefs: Annotated[
        bool, Field(description="Whether opinions, preferences and rules become beliefs")
    ] = False,
    min_belief_confidence: Annotated[
        float, Field(ge=0, le=1, description="Beliefs that are less sure are left out")
    ] = 0.6,
    session: Annotated[
        str | None, Field(max_length=256, description="The conversation it belongs to")
    ] = None,
    speaker: Annotated[str | None, Field(max_length=256, description='Who says it, whom "I" means')] = None,
    occurred_at: Annotated[str | None, Field(max_length=40, description="When it was said, RFC 3339")] = None,
    scope: Scope = None,
) -> LearnAnswer:
    """Stores what the text says; when the answer is out it is on disk."""
    lesson = Lesson(
        text=text,
        source=source,
        extract_beliefs=extract_beliefs,
        min_belief_confidence=min_belief_confidence,
        session=session,
        speaker=speaker,
        occurred_at=occurred_at,
        scope=write_scope(app.settings, scope),
    )
    learned = learn(app, lesson)
    with app.database.read() as connection:
        shown = answer_of(connection, app.settings, learned, datetime.now(UTC))
    return LearnAnswer(**shown)


LEARN = Tool(
    name="learn",
    title="Learn from text",
    description=(
        "Takes facts, decisions, skills and, when asked, beliefs out of plain text (notes, chat turns, markdown) and "
        "stores them in one transaction, together with the text. Use it for prose; for one fact whose parts you know "
        "use remember, for an opinion set_belief. Small talk leaves nothing, and the answer says so."
    ),
    run=run,
    toolset="core",
    read_only=False,
    destructive=False,
    idempotent=False,
)
