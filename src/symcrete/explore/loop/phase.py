"""What changes between the phases of an exploration: how long, by which strategy, until when."""

from __future__ import annotations

import math
from collections.abc import Callable

from symcrete.clock import Clock, wall
from symcrete.explore.options import Options
from symcrete.run.runner import Limits
from symcrete.run.trace import Trace
from symcrete.search.strategy import Strategy
from symcrete.slotted import dataclass
from symcrete.terms.evaluate import Assignment


@dataclass(frozen=True, slots=True)
class Budget:
    """When to stop: at a moment, or after so many runs; `both`: at whichever comes first."""

    deadline: float
    max_runs: int | None
    clock: Clock = wall
    both: bool = False

    def spent(self, runs: int) -> bool:
        """Whether it is time to stop, after so many runs."""
        if self.max_runs is not None and (runs >= self.max_runs or not self.both):
            return runs >= self.max_runs
        return self.clock() >= self.deadline

    def after(self, runs: int) -> Budget:
        """What is left of it after so many runs of another exploration."""
        left = None if self.max_runs is None else max(0, self.max_runs - runs)
        return Budget(self.deadline, left, self.clock, self.both)

    @property
    def counts_work(self) -> bool:
        """Whether runs are counted and not seconds: then nothing may depend on how fast the machine
        is.
        """
        return self.max_runs is not None


def _never() -> bool:
    return False


def _every(trace: Trace) -> bool:
    return True


# seconds after the budget when a run under way is cut, so that the report can be made; chosen, not
# measured
RUN_GRACE = 0.2


def limits_of(options: Options, began: float) -> Limits:
    """The limits of each run, in an exploration that began at this moment."""
    until = math.inf if options.max_runs is not None else began + options.budget + RUN_GRACE
    plain = options.plain_steps, options.plain_seconds
    return Limits(options.run_steps, options.run_seconds, *plain, until)


@dataclass(frozen=True, slots=True)
class Phase:
    """What one call of `explore()` is told; what was learned in one phase is known in the next."""

    budget: Budget
    strategy: Strategy
    first: tuple[Assignment, ...] = ({},)  # inputs that are run before anything is chosen
    whole_tree: bool = False  # whether to go on after every branch is covered
    arrived: Callable[[], bool] = _never  # whether nothing more is wanted
    # in lazy exploration: whether an abstract path is worth a search
    worth_realising: Callable[[Trace], bool] = _every

    def over(self, runs: int) -> bool:
        """Whether the budget is spent or nothing more is wanted."""
        return self.arrived() or self.budget.spent(runs)
