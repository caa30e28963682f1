"""Writes down the table of tools as JSON Schema files, so that a change of what callers see is seen in review.

python -m memory_server.tools.contracts [--check] DIRECTORY
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from memory_server.domain.errors import MemoryServerError
from memory_server.tools.answers import TextAnswer
from memory_server.tools.schemas import (
    TRUNCATED,
    TRUNCATED_SCHEMA,
    answers_of,
    input_schema_of,
    output_schema_of,
)
from memory_server.tools.table import TOOLS
from memory_server.tools.tool import Tool

COMMON = "common.schema.json"
DIALECT = "https://json-schema.org/draft/2020-12/schema"
_NOISE = ("title", "default", "additionalProperties")
_REFERENCE = COMMON + "#/$defs/{model}"


def contracts(tools: Sequence[Tool] = TOOLS) -> dict[str, dict[str, Any]]:
    """The contract files by name: one a tool, and one of what they share.

    A tool's file holds `arguments` and `listed_answer` (the schemas that `tools/list` shows, flat), `answer`
    (the same in full depth), `error`, and what is true of the tool.
    """
    answers = {tool.name: _structured(tool) for tool in tools}
    models = list(dict.fromkeys(model for found in answers.values() for model in found))
    by_model, generated = models_json_schema(
        [(model, "serialization") for model in models], ref_template=_REFERENCE
    )
    shared = {name: _complete(schema) for name, schema in generated.get("$defs", {}).items()}
    references = {model: by_model[model, "serialization"]["$ref"] for model in models}
    uses = Counter(_references(shared))
    files = {}
    for tool in tools:
        inline = []
        for model in answers[tool.name]:
            name = references[model].rsplit("/", 1)[1]
            inline.append(shared[name] if uses[references[model]] else shared.pop(name))
        files[f"{tool.name}.schema.json"] = _contract(tool, inline)
    files[COMMON] = {
        "$schema": DIALECT,
        "$id": COMMON,
        "title": "What the answers of several tools are made of",
        "$defs": {"Error": _error_schema()} | dict(sorted(shared.items())),
    }
    return dict(sorted(files.items()))


def _structured(tool: Tool) -> list[type[BaseModel]]:
    return [model for model in answers_of(tool.run) if not issubclass(model, TextAnswer)]


def _contract(tool: Tool, answers: list[dict[str, Any]]) -> dict[str, Any]:
    for answer in answers:
        answer["properties"].setdefault(TRUNCATED, TRUNCATED_SCHEMA)
    defs: dict[str, Any] = {"arguments": input_schema_of(tool)}
    if answers:
        defs["listed_answer"] = output_schema_of(tool.run)
        defs["answer"] = answers[0] if len(answers) == 1 else {"anyOf": answers}
    else:
        defs["answer"] = {"type": "string", "description": "Text alone, without structured content"}
    if tool.present_error is None:
        defs["error"] = {"$ref": f"{COMMON}#/$defs/Error"}
    else:
        defs["error"] = {
            "type": "object",
            "description": "An envelope of this tool's own",
            "required": ["error"],
        }
    return {
        "$schema": DIALECT,
        "$id": f"{tool.name}.schema.json",
        "title": tool.title,
        "description": tool.description,
        "x-toolset": tool.toolset,
        "x-annotations": {
            "readOnlyHint": tool.read_only,
            "destructiveHint": tool.destructive,
            "idempotentHint": tool.idempotent,
            "openWorldHint": tool.open_world,
        },
        "$defs": defs,
        "anyOf": [{"$ref": "#/$defs/answer"}, {"$ref": "#/$defs/error"}],
    }


def _error_schema() -> dict[str, Any]:
    codes = sorted(error.code for error in MemoryServerError.__subclasses__())
    body = {
        "type": "object",
        "properties": {
            "code": {"enum": codes},
            "message": {"type": "string", "description": "One line: what is wrong and what is allowed"},
            "details": {"type": "object", "description": "The same for programs"},
        },
        "required": ["code", "message", "details"],
    }
    return {"type": "object", "properties": {"error": body}, "required": ["error"]}


def _complete(schema: dict[str, Any]) -> dict[str, Any]:
    """An object as it is answered: every field always there, others allowed, as fields may be added later."""
    out: dict[str, Any] = _plain(schema)
    if "properties" in out:
        out["required"] = list(out["properties"])
    return out


def _plain(schema: Any) -> Any:
    """A schema without what says nothing of its own, and may differ between versions of pydantic."""
    if isinstance(schema, list):
        return [_plain(entry) for entry in schema]
    if not isinstance(schema, dict):
        return schema
    out = {
        key: _plain(value)
        for key, value in schema.items()
        if key not in _NOISE or (key == "additionalProperties" and isinstance(value, dict))
    }
    if isinstance(schema.get("properties"), dict):
        out["properties"] = {name: _plain(field) for name, field in schema["properties"].items()}
    return out


def _references(node: Any) -> list[str]:
    if isinstance(node, dict):
        own = [node["$ref"]] if isinstance(node.get("$ref"), str) else []
        return own + [found for value in node.values() for found in _references(value)]
    if isinstance(node, list):
        return [found for value in node for found in _references(value)]
    return []


def rendered(tools: Sequence[Tool] = TOOLS) -> dict[str, str]:
    """The text of each contract file, by name."""
    return {
        name: json.dumps(schema, indent=2, ensure_ascii=False) + "\n"
        for name, schema in contracts(tools).items()
    }


def differences(folder: Path) -> list[str]:
    """One line for each file in a folder that is missing, superfluous or not what the table of tools says."""
    wanted = rendered()
    there = {path.name: path.read_text(encoding="utf-8") for path in folder.glob("*.schema.json")}
    lines = [f"{name} is missing" for name in wanted if name not in there]
    lines += [f"{name} is of no tool" for name in there if name not in wanted]
    lines += [f"{name} is out of date" for name in wanted if name in there and there[name] != wanted[name]]
    return lines


def write(folder: Path) -> None:
    """Makes a folder hold the contracts and no others."""
    folder.mkdir(parents=True, exist_ok=True)
    wanted = rendered()
    for path in folder.glob("*.schema.json"):
        if path.name not in wanted:
            path.unlink()
    for name, text in wanted.items():
        (folder / name).write_text(text, encoding="utf-8")


def main() -> int:
    """Writes or checks the contracts; returns the exit code."""
    parser = argparse.ArgumentParser(description="Writes the contracts of all tools as JSON Schema.")
    parser.add_argument("directory", type=Path)
    parser.add_argument("--check", action="store_true", help="change nothing; fail where a file differs")
    options = parser.parse_args()
    if not options.check:
        write(options.directory)
        return 0
    lines = differences(options.directory)
    for line in lines:
        sys.stderr.write(f"{options.directory / line}: run `make contracts`\n")
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main())
