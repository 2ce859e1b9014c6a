"""Which fault is there, and how long a faulty loop may go on.

A copy of this file is imported by the programs that are explored for mutants, as it is and not
rewritten (`oracle/joint.py`).
"""

from __future__ import annotations

# rounds of the loops of a faulty function; with more, it is taken not to end if the function itself
# needs at most a fourth of them; chosen, not measured
MOST_ROUNDS = 120


class TooLong(BaseException):
    """A function made more than MOST_ROUNDS rounds of loops."""


class _State:
    """The fault that is there now, and the rounds of loops since."""

    chosen = 0
    rounds = 0


def choose(number: int) -> None:
    """Have this fault from now on; 0 for none."""
    _State.chosen = number
    _State.rounds = 0


def is_there(number: int) -> bool:
    """Whether this fault is there."""
    return _State.chosen == number


def needs_few() -> bool:
    """Whether at most a fourth of MOST_ROUNDS rounds were made since the last `choose`."""
    return 4 * _State.rounds <= MOST_ROUNDS  # a fourth, as MOST_ROUNDS says


def step() -> None:
    """Count a round of a loop."""
    _State.rounds += 1
    if _State.rounds > MOST_ROUNDS:
        raise TooLong
