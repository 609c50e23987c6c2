"""What an account has used lately, in a form that orders accounts the same way at every moment.

What was used fades with a half-life. All accounts' use fades alike, so a number is kept that needs no
rewriting as time goes by (forward decay, Cormode et al. 2009)::

    rank = log2(used lately) + moment / HALF_LIFE

Queues serve the account with the lowest rank first; one that has used nothing has none.
"""

import math

HALF_LIFE = 60.0
"""Seconds."""

MOST_USED = 2.0**24
"""More than anybody can use within a few half-lives, in points or milliseconds. A rank that says more is of
a clock that was set back since: it is forgotten, or the account would wait until the old time returns."""


def rank_after(before: float | None, used: float, seconds: float) -> float:
    """Compute an account's rank after a further use.

    Args:
        before: its rank until now; None when it has used nothing.
        used: counted as 1 where it is less.
        seconds: the present moment, by the clock that ``before`` was computed with.
    """
    now = seconds / HALF_LIFE
    lately = 0.0 if before is None or before > highest_rank(seconds) else 2.0 ** (before - now)
    return math.log2(lately + max(1.0, used)) + now


def highest_rank(seconds: float) -> float:
    """Return the highest rank that use until the present moment can lead to."""
    return math.log2(MOST_USED) + seconds / HALF_LIFE
