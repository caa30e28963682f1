"""What clients show their users as commands: ask the memory about a task, save what a session has brought."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from memory_server.domain.errors import Internal, InvalidArgument, NotFound
from memory_server.policies.text import is_blank
from memory_server.policies.trust import delimit
from memory_server.tools.calls import ObservedApp, call_tool
from memory_server.tools.checking import nearest, refuse_untextual, shown
from memory_server.tools.context import GET_CONTEXT

MOST_CHARACTERS = 20_000
"""Of one argument; get_context takes no more either."""


@dataclass(frozen=True, slots=True)
class PromptArgument:
    name: str
    description: str
    required: bool


@dataclass(frozen=True, slots=True)
class Prompt:
    """A command: `write(app, arguments)` gives the one message that is put to the model."""

    name: str
    title: str
    description: str
    arguments: tuple[PromptArgument, ...]
    write: Callable[[ObservedApp, Mapping[str, str]], str]


def write_prompt(app: ObservedApp, name: str, given: Mapping[str, str]) -> tuple[Prompt, str]:
    """The message of a prompt, with the prompt.

    Raises:
        NotFound: there is no such prompt.
        InvalidArgument: an argument is unknown, missing, blank or too long.
        Internal: the memory could not be asked; the message says why.
    """
    prompt = next((prompt for prompt in PROMPTS if prompt.name == name), None)
    if prompt is None:
        known = [prompt.name for prompt in PROMPTS]
        guess = nearest(name, known)
        hint = f"; did you mean {guess}?" if guess else ""
        raise NotFound(f"there is no prompt {shown(name)}{hint} (there are {', '.join(known)})")
    return prompt, prompt.write(app, _checked(prompt, given))


def _checked(prompt: Prompt, given: Mapping[str, str]) -> dict[str, str]:
    refuse_untextual(given)
    known = [argument.name for argument in prompt.arguments]
    for name in given:
        if name not in known:
            raise InvalidArgument(
                f"unknown argument {shown(name)} of {prompt.name}: it takes {', '.join(known)}"
            )
    said = {name: text.strip() for name, text in given.items() if not is_blank(text)}
    for argument in prompt.arguments:
        if argument.required and argument.name not in said:
            raise InvalidArgument(f"{prompt.name} needs {argument.name}: {argument.description}")
    for name, text in said.items():
        if len(text) > MOST_CHARACTERS:
            raise InvalidArgument(f"{name} has {len(text)} characters; at most {MOST_CHARACTERS} are allowed")
    return said


def _recall(app: ObservedApp, given: Mapping[str, str]) -> str:
    task = given["task"]
    reply = call_tool(app, GET_CONTEXT, {"task": task})
    if reply.is_error or reply.structured is None:
        raise Internal(f"the memory could not be asked: {reply.text}")
    known = context_text(reply.structured)
    found = (
        f"This is what the memory holds that bears on it:\n\n{known}\n\nUse what helps, say where memories "
        "contradict each other, and ask the memory's tools for more where something is missing."
        if known
        else "The memory holds nothing that bears on it."
    )
    return f"Task: {task}\n\n{found}"


def context_text(answer: Mapping[str, Any]) -> str:
    """An answer of get_context as text for a model: each memory fenced in, with its source and how far to trust it."""
    pieces = [
        delimit(
            f"{fact['subject']} {fact['predicate'].replace('_', ' ')} {fact['object']}",
            source=fact["source"],
            trust=_trust(
                f"{fact['effective_confidence']:.2f}", fact["valid_from"] or fact["created_at"], fact
            ),
        )
        for fact in answer["facts"]
    ]
    pieces += [
        delimit(item["text"], source=item["memory_type"], trust=_trust("unrated", item["created_at"], item))
        for item in answer["related"]
    ]
    return "\n".join(pieces)


def _trust(value: str, since: str, item: Mapping[str, Any]) -> str:
    return ", ".join([value, f"since {since[:10]}", *(tag.replace("_", " ") for tag in item["risk_tags"])])


def _save_session(_app: ObservedApp, given: Mapping[str, str]) -> str:
    notes = given.get("notes")
    wished = f"\n\nThe user wants this in particular to be kept:\n{notes}" if notes else ""
    return (
        "Look back over this session and save to the memory what will be useful in a later one:\n"
        "- call learn once with a short account in plain sentences: what was decided and why, what was found out, "
        "procedures that worked step by step;\n"
        "- call remember for single facts that must not be lost, set_belief for preferences and rules.\n"
        "Leave out what is of the moment, what the memory gave you itself, and secrets. "
        f"Then tell the user in a few lines what was saved.{wished}"
    )


PROMPTS: tuple[Prompt, ...] = (
    Prompt(
        name="recall",
        title="Recall",
        description="What the memory knows that bears on a task.",
        arguments=(PromptArgument("task", "What you are about to do", required=True),),
        write=_recall,
    ),
    Prompt(
        name="save_session",
        title="Save this session",
        description="Has the model store what this session has brought.",
        arguments=(PromptArgument("notes", "What is to be kept in particular", required=False),),
        write=_save_session,
    ),
)
"""Every prompt, in the order in which they are listed."""
