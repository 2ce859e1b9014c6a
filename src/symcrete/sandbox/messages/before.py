"""What is known of a target before it is explored: from a journal, another round, or its tests."""

from __future__ import annotations

from symcrete.explore.findings import FoundInput
from symcrete.sandbox.messages.ends import Ended
from symcrete.slotted import dataclass


@dataclass(frozen=True, slots=True)
class Before:
    """What earlier runs and the project's tests tell of a target."""

    kept: tuple[tuple[str, FoundInput], ...] = ()  # assignments, and what they did
    ends: tuple[Ended, ...] = ()  # of workers, with the inputs to blame
    learned: tuple[str, ...] = ()  # calls that the project's tests make, as people write them


NOTHING_BEFORE = Before()
