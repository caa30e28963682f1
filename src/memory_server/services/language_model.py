"""The language model that a person may have configured: one question, one answer, within a time limit."""

from __future__ import annotations

import json
import time
import urllib.error
import urllib.request
from typing import Any

from memory_server.settings import Settings

MOST_BYTES = 2_000_000
"""Of an answer; what is longer is no answer to our questions."""

_CHUNK = 65_536


class ModelUnavailable(Exception):
    """The model gave no usable answer; the text says why, without the key and without what was asked."""


class _Staying(urllib.request.HTTPRedirectHandler):
    """Follows no redirect: the key is for the endpoint that was named."""

    def redirect_request(self, *_: Any, **__: Any) -> None:
        return None


def is_configured(settings: Settings) -> bool:
    """Whether there is an endpoint and a model to ask; without both nothing is ever sent."""
    return bool(settings.llm_base_url and settings.llm_model)


def ask(settings: Settings, instructions: str, question: str, *, seconds: float | None = None) -> str:
    """What the model answers, through `POST <base_url>/chat/completions` as OpenAI and many others serve it.

    Args:
        seconds: how long all of it may take; the setting's limit where none is given.

    Raises:
        ModelUnavailable: none is configured, it did not answer in time, or not as it should.
    """
    if not is_configured(settings):
        raise ModelUnavailable("no language model is configured")
    url = str(settings.llm_base_url).rstrip("/") + "/chat/completions"
    if not url.startswith(("http://", "https://")):
        raise ModelUnavailable("the language model's base URL must begin with http:// or https://")
    headers = {"Content-Type": "application/json", "Accept": "application/json"}
    if settings.llm_api_key:
        headers["Authorization"] = f"Bearer {settings.llm_api_key}"
    body = {
        "model": settings.llm_model,
        "temperature": 0,
        "messages": [
            {"role": "system", "content": instructions},
            {"role": "user", "content": question},
        ],
    }
    request = urllib.request.Request(url, data=json.dumps(body).encode(), headers=headers, method="POST")
    limit = settings.llm_timeout if seconds is None else min(seconds, settings.llm_timeout)
    return _content(_received(request, limit))


def _received(request: urllib.request.Request, seconds: float) -> bytes:
    deadline = time.monotonic() + seconds
    late = f"the language model did not answer within {seconds:g} s"
    try:
        with urllib.request.build_opener(_Staying).open(request, timeout=seconds) as answer:
            parts: list[bytes] = []
            # the socket's own time limit starts again with every byte
            while chunk := answer.read1(_CHUNK):
                parts.append(chunk)
                if time.monotonic() > deadline:
                    raise ModelUnavailable(late)
                if sum(map(len, parts)) > MOST_BYTES:
                    raise ModelUnavailable("the language model's answer is too long")
            return b"".join(parts)
    except urllib.error.HTTPError as error:
        error.close()
        raise ModelUnavailable(f"the language model answered {error.code} {error.reason}") from error
    except TimeoutError as error:
        raise ModelUnavailable(late) from error
    except (OSError, ValueError) as error:
        reason = getattr(error, "reason", error)
        raise ModelUnavailable(
            late if isinstance(reason, TimeoutError) else f"the language model cannot be reached: {reason}"
        ) from error


def _content(body: bytes) -> str:
    try:
        content = json.loads(body)["choices"][0]["message"]["content"]
    except (ValueError, LookupError, TypeError, RecursionError) as error:
        raise ModelUnavailable(
            "the language model's answer is not in the form of a chat completion"
        ) from error
    if not isinstance(content, str) or not content.strip():
        raise ModelUnavailable("the language model's answer is empty")
    return content
