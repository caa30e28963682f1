"""The vectors of single tokens, made small, and how near two texts are by them.

One vector a text says what it is about as a whole; one a token lets each word of a question find its own match (late
interaction: O. Khattab, M. Zaharia, "ColBERT: Efficient and Effective Passage Search via Contextualized Late
Interaction over BERT", SIGIR 2020). They come out of the same run of the model. Kept are the first tokens of a text,
projected on fewer dimensions by a matrix of random signs (D. Achlioptas, "Database-friendly random projections", PODS
2001) and rounded to one byte a number.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from memory_server.indexes.arrays import unit_length

if TYPE_CHECKING:
    from memory_server.indexes.ports import TokenVectors

MOST_TOKENS = 48  # of a text; long texts match anything somewhere
MOST_ASKED = 64  # of a question
WIDTH = 96  # numbers a token
KIND = f"signs-{WIDTH}-{MOST_TOKENS}"
"""Names how they are made: what was made in another way is not compared with these."""

# a number of a unit vector that wide is seldom above 0.5
_SCALE = 254.0


class Late(NamedTuple):
    """How near a text is by its tokens: the mean over those of the question of the best cosine; of how many it is."""

    score: float
    n_tokens: int


def compressed(states: Any) -> TokenVectors:
    """Hidden states of tokens, of shape (tokens, dimension), as they are kept: int8, (at most 48, 96)."""
    import numpy as np

    kept = np.asarray(states, dtype=np.float32)
    if not kept.size:
        return np.zeros((0, WIDTH), dtype=np.int8)
    small = unit_length(kept @ _projection(kept.shape[1]))
    rounded: TokenVectors = np.clip(np.rint(small * _SCALE), -127, 127).astype(np.int8)
    return rounded


def late_scores(question: TokenVectors, held: Mapping[str, TokenVectors]) -> dict[str, Late]:
    """How near each text is to a question, by its id."""
    import numpy as np

    texts = {memory_id: tokens for memory_id, tokens in held.items() if len(tokens)}
    if not texts or not len(question):
        return {}
    lengths = [len(tokens) for tokens in texts.values()]
    starts = np.cumsum([0, *lengths[:-1]])
    every = np.concatenate(list(texts.values())).astype(np.float32)
    cosines = question.astype(np.float32) @ every.T / _SCALE**2
    means = np.maximum.reduceat(cosines, starts, axis=1).mean(axis=0)
    return {
        memory_id: Late(float(mean), length)
        for memory_id, mean, length in zip(texts, means, lengths, strict=True)
    }


@cache
def _projection(dimension: int) -> Any:
    """Random signs, the same on every machine: they are read off hashes."""
    import numpy as np

    n_bytes = (dimension * WIDTH + 7) // 8
    blocks = (hashlib.sha256(f"token projection {at}".encode()).digest() for at in range(n_bytes // 32 + 1))
    bits = np.unpackbits(np.frombuffer(b"".join(blocks), dtype=np.uint8))[: dimension * WIDTH]
    return (bits.astype(np.float32).reshape(dimension, WIDTH) * 2 - 1) / np.sqrt(WIDTH, dtype=np.float32)
