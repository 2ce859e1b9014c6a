"""The sign test: is one of two ahead on more cases than chance would have it?"""

from __future__ import annotations

import math


def sign_test(ahead: int, behind: int) -> float:
    """The probability of counts at least as uneven, were both equally likely; ties count for
    neither.
    """
    cases = ahead + behind
    fewer = min(ahead, behind)
    tail = sum(math.comb(cases, count) for count in range(fewer + 1)) / 2**cases
    return min(1.0, 2 * tail)
