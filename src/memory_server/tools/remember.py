"""The tool that stores one fact; the beginning of a fact's journey."""

from __future__ import annotations

from collections.abc import Collection
from typing import Annotated, Any

from pydantic import Field

from memory_server.app import MemoryApp
from memory_server.domain.receipt import Receipt
from memory_server.policies.secrets import find_secrets
from memory_server.policies.trust import injection_marks
from memory_server.services.remember import Statement, remember
from memory_server.services.views import FactView, fact_view
from memory_server.tools.answers import Answer
from memory_server.tools.scoping import Scope, write_scope
from memory_server.tools.tool import Tool

Tag = Annotated[str, Field(min_length=1, max_length=64)]


class RememberAnswer(Answer):
    receipt: Receipt = Field(description="Proof of this write")
    fact: FactView = Field(description="The fact as stored; the same fact when it was known already")
    explain: dict[str, Any] = Field(description="The parts of its effective confidence")
    warnings: list[str] = Field(description="What to know about the text: secrets, orders to a model")


def run(
    app: MemoryApp,
    *,
    subject: Annotated[str, Field(min_length=1, max_length=512, description="What the fact is about")],
    predicate: Annotated[str, Field(min_length=1, max_length=512, description="The relation, e.g. runs_on")],
    object: Annotated[str, Field(min_length=1, max_length=8192, description="The value or other thing")],
    confidence: Annotated[float, Field(ge=0, le=1, description="How sure the source is")] = 0.5,
    source: Annotated[str, Field(min_length=1, max_length=256, description="Who or what says so")] = "manual",
    tags: Annotated[list[Tag], Field(max_length=32, description="Words to find it by")] = [],  # noqa: B006
    scope: Scope = None,
) -> RememberAnswer:
    """Stores the fact; when the answer is out it is on disk."""
    to = write_scope(app.settings, scope)
    stored = remember(app, Statement(subject, predicate, object, confidence, source, tuple(tags), to))
    assert stored.trust is not None
    return RememberAnswer(
        receipt=stored.receipt,
        fact=fact_view(stored.fact, stored.trust),
        explain=stored.trust.explain,
        warnings=warnings_about(f"{subject} {predicate} {object}", stored.fact.risk_tags),
    )


def warnings_about(text: str, risk_tags: Collection[str]) -> list[str]:
    """What a caller should know about a text that is stored as it is."""
    found = []
    if kinds := dict.fromkeys(secret.kind for secret in find_secrets(text)):
        found.append(f"a secret is stored as it is: {', '.join(kinds)}; forget takes it out again")
    # it was looked at when it was stored, which need not be done twice for plain text
    if "injection_suspected" in risk_tags and (marks := injection_marks(text)):
        found.append(
            f"the text looks as if it gave orders to a model ({', '.join(marks)}): it is kept as data"
        )
    return found


REMEMBER = Tool(
    name="remember",
    title="Remember a fact",
    description=(
        "Stores one fact as subject, predicate, object, with its source. Use it when you know the three parts; for "
        "prose use learn, for an opinion or a guess set_belief. The same fact again makes no copy: another source "
        "corroborates it."
    ),
    run=run,
    toolset="core",
    read_only=False,
    destructive=False,
    idempotent=False,
)
