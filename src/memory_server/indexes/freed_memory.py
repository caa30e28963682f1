"""Hands memory that a batch or a scan has freed back to the system, where the C library keeps it."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cache


def release_freed_memory() -> None:
    """`malloc_trim(0)` of glibc, some 0.2 ms; nothing elsewhere."""
    _trim()(0)


@cache
def _trim() -> Callable[[int], object]:
    try:
        trim: Callable[[int], object] = ctypes.CDLL(None).malloc_trim
    except (AttributeError, OSError, TypeError):
        return lambda _: None
    return trim
