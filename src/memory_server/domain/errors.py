"""Everything that can go wrong, as one tree; each error carries the code that a caller sees.

MemoryServerError
├── InvalidArgument      invalid_argument      the caller can mend it by asking differently
├── NotFound             not_found             an id names nothing
├── Conflict             conflict              what was asked does not fit the present state
├── PayloadTooLarge      payload_too_large     more text than one call may bring
├── StorageUnavailable   storage_unavailable   the database cannot be read or written now
├── IndexUnavailable     index_unavailable     a derived index cannot answer now; no data is at risk
└── Internal             internal              a fault of ours
"""

from __future__ import annotations

from typing import Any, ClassVar


class MemoryServerError(Exception):
    """Base of all errors that are shown to callers.

    Args:
        message: one line that says what is wrong and what to do about it.
        details: machine-readable facts about the error; JSON values.
    """

    code: ClassVar[str] = "internal"

    def __init__(self, message: str, **details: Any) -> None:
        super().__init__(message)
        self.message = message
        self.details = details


class InvalidArgument(MemoryServerError):
    code = "invalid_argument"


class NotFound(MemoryServerError):
    code = "not_found"


class Conflict(MemoryServerError):
    code = "conflict"


class PayloadTooLarge(MemoryServerError):
    code = "payload_too_large"


class StorageUnavailable(MemoryServerError):
    code = "storage_unavailable"


class IndexUnavailable(MemoryServerError):
    code = "index_unavailable"


class Internal(MemoryServerError):
    code = "internal"
