"""What a run would do, known without running it: its input satisfies the path of another run."""

from __future__ import annotations

from collections.abc import Iterable

from symcrete.run.trace import Trace
from symcrete.slotted import copied
from symcrete.terms.evaluate import Assignment, first_broken
from symcrete.terms.term import Term

# A run of a small function takes 0.2 ms of the processor, as long as a hundred conditions.
MOST_FORESEEN_CONDITIONS = 20  # of a path that is worth comparing with
MOST_FORESEEN_PATHS = 5  # that an input is compared with; chosen, not measured


class Foreseen:
    """Paths of runs, to be compared with inputs that have not been run."""

    def __init__(self, traces: Iterable[Trace]) -> None:
        self._paths: list[tuple[tuple[Term, ...], Trace]] = []
        for trace in traces:
            if (
                len(trace.events) <= MOST_FORESEEN_CONDITIONS
                and not trace.losses
                and not trace.late
            ):
                self._paths.append((trace.conditions, trace))
        del self._paths[MOST_FORESEEN_PATHS:]

    def run(self, assignment: Assignment) -> Trace | None:
        """The run of this input, but for what it returns; None if no known path is its."""
        for conditions, trace in self._paths:
            if first_broken(conditions, assignment) is None:
                return copied(trace, assignment=assignment)
        return None
