"""What follows the forward search of a target where that leaves branches open."""

from __future__ import annotations

from dataclasses import replace
from typing import Protocol

from symcrete.explore.findings import Status
from symcrete.explore.loop.enough import explored
from symcrete.explore.loop.loop import Exploration, Explored
from symcrete.explore.loop.phase import Phase
from symcrete.explore.options import Options


class Beyond(Protocol):
    """Another way to look for what a search leaves open, within the same budget."""

    def due(self, exploration: Exploration, phase: Phase) -> bool:
        """Whether to interrupt the search now and call `search`; asked before every step."""
        ...

    def search(self, exploration: Exploration, phase: Phase) -> None:
        """Look for what is open, and add what is found to the exploration."""
        ...


class Nothing:
    """There is no other way."""

    def due(self, exploration: Exploration, phase: Phase) -> bool:
        return False

    def search(self, exploration: Exploration, phase: Phase) -> None:
        pass


NOTHING = Nothing()


def taken_on(
    exploration: Explored, phase: Phase, options: Options, status: Status, beyond: Beyond
) -> Status:
    """Let `beyond` look for the branches that an exploration left open, and say how it ended.

    An exploration that was interrupted for this goes on afterwards, until it is done or the next
    interruption is due.
    """
    if not isinstance(exploration, Exploration) or status == Status.COMPLETE or options.paths:
        return status
    while True:
        interrupted = beyond.due(exploration, phase)
        beyond.search(exploration, phase)
        if not interrupted or not exploration.parts.coverage.wanted:
            return Status.COVERED if exploration.parts.coverage.complete else status
        again = replace(phase, first=(), arrived=lambda: beyond.due(exploration, phase))
        status = explored(exploration, again, options)
