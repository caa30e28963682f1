"""The tools for notes; they take arguments as they come, and have an envelope of their own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import Field

from memory_server.app import MemoryApp
from memory_server.domain.errors import (
    Conflict,
    InvalidArgument,
    NotFound,
    PayloadTooLarge,
    StorageUnavailable,
)
from memory_server.domain.knowledge import KnowledgeExists
from memory_server.policies.knowledge import check_changes, check_note
from memory_server.policies.knowledge_search import check_search
from memory_server.services.knowledge import in_scope, store_knowledge, update_knowledge
from memory_server.services.knowledge_search import FoundKnowledge, search_knowledge
from memory_server.tools.answers import Answer
from memory_server.tools.tool import Tool, UnknownTool


class KnowledgeStored(Answer):
    success: bool
    id: str
    message: str


class KnowledgeUpdated(KnowledgeStored):
    pass


class KnowledgeAnswer(Answer):
    results: list[dict[str, Any]] = Field(description="{id, title, content, tags, scope, score}, best first")
    total: int = Field(description="How many match", serialization_alias="totalMatches")
    query: str
    strategy: str = Field(description="strict, broad, recent or hybrid")


class DegradedKnowledgeAnswer(KnowledgeAnswer):
    degraded: str = Field(description="What could not be looked at")


def run_store(app: MemoryApp, arguments: Mapping[str, Any]) -> KnowledgeStored:
    """Stores a note."""
    note = in_scope(check_note(arguments), app.settings.scope, arguments.get("scope"))
    app.move_in()
    stored = store_knowledge(app, note)
    return KnowledgeStored(success=True, id=stored.id, message="Knowledge stored successfully")


def run_search(app: MemoryApp, arguments: Mapping[str, Any]) -> KnowledgeAnswer | DegradedKnowledgeAnswer:
    """Finds notes."""
    query = check_search(arguments, app.settings.scope)
    app.move_in()
    found = search_knowledge(app, query)
    answer: dict[str, Any] = {
        "results": [_shown(one) for one in found.results],
        "total": found.total,
        "query": query.text,
        "strategy": found.strategy,
    }
    if found.degraded is not None:
        return DegradedKnowledgeAnswer(**answer, degraded=found.degraded)
    return KnowledgeAnswer(**answer)


def run_update(app: MemoryApp, arguments: Mapping[str, Any]) -> KnowledgeUpdated:
    """Changes a note."""
    memory_id, changes = check_changes(arguments)
    app.move_in()
    update_knowledge(app, memory_id, changes)
    return KnowledgeUpdated(success=True, id=memory_id, message="Knowledge updated successfully")


def present_error(error: Exception) -> dict[str, Any]:
    """An error as clients of this toolset know it: `{error, message, details}`, details where there are any."""
    message = str(error)
    match error:
        case UnknownTool():
            return {"error": "UNKNOWN_TOOL", "message": f"Unknown tool: {error.details['tool']}"}
        case InvalidArgument() | PayloadTooLarge():
            code, details = "VALIDATION_ERROR", {"errors": error.details.get("errors", [message])}
        case KnowledgeExists():
            code, details = "DUPLICATE_ERROR", {"existingId": error.existing_id, "duplicateType": error.kind}
        case NotFound():
            code, details = "NOT_FOUND_ERROR", {"id": error.details["id"]}
        case StorageUnavailable() | Conflict():
            code, details = "STORAGE_ERROR", {"originalError": str(error.details.get("reason", message))}
        case _:
            return {"error": "INTERNAL_ERROR", "message": message}
    return {"error": code, "message": message, "details": details}


def _shown(found: FoundKnowledge) -> dict[str, Any]:
    note = found.note
    shown = {
        "id": note.id,
        "title": note.title,
        "content": note.content,
        "tags": list(note.tags),
        "scope": note.scope,
        "score": found.score,
    }
    # only where there is something to beware of: clients know the six
    return shown | ({"risk_tags": list(note.risk_tags)} if note.risk_tags else {})


def _schema(required: list[str], **properties: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": required}


def _text(description: str) -> dict[str, Any]:
    return {"type": "string", "description": description}


def _texts(description: str) -> dict[str, Any]:
    return {"type": "array", "items": {"type": "string"}, "description": description}


_SCOPE = "global, project:<name> or repo:<name>"
_TITLE = _text("The rule in 5 to 12 words, 10-100 characters")
_CONTENT = _text("What to do and why, 50-5000 characters of markdown")

STORE_KNOWLEDGE = Tool(
    name="memory_storeKnowledge",
    title="Store knowledge",
    description=(
        "Stores a note to act on later: a rule, a convention, a fix that worked. One of the same title or content "
        "in the scope is a DUPLICATE_ERROR: use memory_updateKnowledge."
    ),
    run=run_store,
    toolset="knowledge",
    read_only=False,
    destructive=False,
    idempotent=True,
    aliases=("memory.storeKnowledge",),
    raw_schema=_schema(
        ["title", "content"],
        title=_TITLE,
        content=_CONTENT,
        tags=_texts("At most 10: letters, digits, hyphens"),
        scope=_text(f"{_SCOPE} (default: global)"),
    ),
    present_error=present_error,
)
SEARCH_KNOWLEDGE = Tool(
    name="memory_searchKnowledge",
    title="Search knowledge",
    description="Finds notes that bear on a task. Ask before starting on one.",
    run=run_search,
    toolset="knowledge",
    read_only=True,
    destructive=False,
    idempotent=True,
    aliases=("memory.searchKnowledge",),
    raw_schema=_schema(
        ["query"],
        query=_text("The task in plain words, 3-500 characters"),
        contextTags=_texts("Notes with these tags come first"),
        scope=_text("Only notes of this scope and global ones"),
        limit={"type": "number", "description": "1-20 (default: 5)"},
    ),
    present_error=present_error,
)
UPDATE_KNOWLEDGE = Tool(
    name="memory_updateKnowledge",
    title="Update knowledge",
    description="Changes a note that is out of date; what is not given stays.",
    run=run_update,
    toolset="knowledge",
    read_only=False,
    destructive=True,
    idempotent=True,
    aliases=("memory.updateKnowledge",),
    raw_schema=_schema(
        ["id"],
        id=_text("Id of the note"),
        title=_TITLE,
        content=_CONTENT,
        tags=_texts("In place of all tags"),
        scope=_text(_SCOPE),
    ),
    present_error=present_error,
)
