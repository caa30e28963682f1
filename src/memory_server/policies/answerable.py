"""Whether what was found is likely to hold the answer, so that it can be said that nothing is known."""

from __future__ import annotations

from math import exp

ANSWERABLE_FROM = 0.4  # below which it is said that nothing is known; 1 in 20 answers that are there get less
NAMED_ANSWER = 1.5  # what it is worth that a hit with all words is about what the question names; a logit
SURE = 0.9  # of a question for some days alone that something is known of them


def answerable(best_meaning: float | None, coverage: float, *, named: bool = False) -> float:
    """How likely it is that what was found holds the answer, 0 to 1.

    A logistic regression on questions asked of the talk that they are about and of another one, fitted on one half
    of the talks and checked on the other (docs/benchmarks.md). It tells that nothing is known of a matter; that the
    matter is known and the one detail is not, it cannot tell.

    Args:
        best_meaning: the highest cosine found; None without search by meaning.
        coverage: share of the question's content words that the best hit holds, 0 to 1.
        named: whether a hit that holds all of them is about something that the question names. The talks of the
            regression hold no facts, so what that is worth was set by hand, in the middle between none and sure.
    """
    if best_meaning is None:
        score = 6.6 * coverage - 3.7
    else:
        score = 12.5 * best_meaning + 3.2 * coverage - 7.9
    return round(1 / (1 + exp(-score - NAMED_ANSWER * named)), 4)
