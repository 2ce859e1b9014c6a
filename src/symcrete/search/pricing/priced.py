"""One decision maker for all kinds of steps: whatever covers most per second, as far as is known.

Wang and others ("Towards Optimal Concolic Testing", ICSE 2018) decide between a random input and
solving a path by expected outcomes per cost. Here the same comparison is made between six kinds of
steps, and going backward from a branch that is left, which is no step of a run. A flip straight to
an uncovered outcome has a worth of its own; of the others it is not known what they lead to, so
they are worth what their like brought lately.
"""

from __future__ import annotations

import math

from symcrete.constraint.theory import theory
from symcrete.search.branches.detour import Detours
from symcrete.search.pricing.prices import Kind, Prices
from symcrete.search.pricing.straight import Straight
from symcrete.search.strategies.auto import FIRST_DRAWS
from symcrete.search.strategies.late_contexts import LateContexts
from symcrete.search.strategy import (
    RUN_SECONDS,
    Feedback,
    Flip,
    Guide,
    Sample,
    new_nodes,
    untried,
)
from symcrete.tree.coverage import outcomes
from symcrete.tree.tree import ExecutionTree, Node

# What each kind is hoped to cover and the seconds that may take, before anything is known. The
# ratios to each other say who comes first, the hopes alone how time is shared while nothing is
# found; chosen, and looked at on the tuning half of experiments/deciding.py only.
FIRST_GUESSES = {
    "fresh": (0.3, 3e-4),  # inputs drawn anew
    "mutated": (0.3, 1e-3),  # kept inputs changed
    "context": (1.0, 5e-3),  # flips in the order of context-guided search
    "around": (0.5, 5e-3),  # flips on a detour
    "small": (0.5, 2e-2),  # flips at the branches of short runs
    "backward": (0.5, 0.3),  # searches backward from a branch that is left
}
# the share of their costs that the other kinds forget when one brings something; chosen, not
# measured
TAKING_HEART = 0.3


class Priced:
    """Draws, changes of kept inputs and four kinds of flips, each when it is worth most."""

    def __init__(self, guide: Guide) -> None:
        self._guide = guide
        self._coverage = guide.coverage
        self._prices = Prices()
        self._straight = Straight(guide.coverage, self._prices)
        self._detours = Detours(guide.coverage)
        self._contexts = LateContexts(guide)
        self.kinds = {name: Kind(name, *guess) for name, guess in FIRST_GUESSES.items()}
        self._taken: Kind | None = None  # of the step under way; None for a straight flip
        self._last: Kind | None = None  # of the step before
        self._chose_at = 0.0  # the moment of the last choice
        self._counted = 0.0  # seconds of the last step that were told
        # before the first decision, as many as `auto` has: until then draws have no price
        self._draws = guide.parameter("draws", FIRST_DRAWS)
        self._found = False  # whether some run covered something, so that there is one to change
        self._runs = 0
        self._running = 0.0  # seconds that steps took, but for their queries
        self._best = math.inf  # worth of the last choice; nothing is known before the first

    # -- deciding

    def choose(self, tree: ExecutionTree) -> Flip | Sample | None:
        self._count_the_rest()
        if self._draws > 0:
            self._draws -= 1
            name = "mutated" if self._found and self._draws % 2 else "fresh"
            self._taken = self.kinds[name]
            return self._of(self._taken, tree)
        self._taken = None
        straight = self._straight.worth()
        wanted = bool(self._coverage.wanted)
        self._best = straight
        for kind in sorted(self._offered(wanted), key=lambda each: -each.rate):
            if kind.rate <= straight:
                break
            step = self._of(kind, tree)
            if step is not None:
                self._taken, self._best = kind, kind.rate
                return step
        if straight > 0:
            return self._straight.choose()
        return Sample()

    def _count_the_rest(self) -> None:
        """Add what the last step took besides its query and its run, such as taking in its path:
        of a long one that is most.
        """
        if self._guide.clock is None:
            return
        now = self._guide.clock()
        rest = now - self._chose_at - self._counted
        if self._counted and rest > 0:
            self._running += rest
            if self._last is not None:
                self._last.spend(rest)
        self._chose_at, self._counted = now, 0.0

    def _offered(self, wanted: bool) -> list[Kind]:
        kinds = self.kinds
        offered = [kinds["context"], kinds["around"], kinds["small"]]
        if wanted:
            offered.append(kinds["fresh"])
            if self._found:
                offered.append(kinds["mutated"])
        return offered

    def _of(self, kind: Kind, tree: ExecutionTree) -> Flip | Sample | None:
        """The next step of a kind; None if it has none."""
        match kind.name:
            case "fresh":
                return Sample("fresh")
            case "mutated":
                return Sample("kept")
            case "around":
                return self._detours.choose()
            case "small":
                return self._contexts.of_short_runs()
            case _:
                return self._contexts.in_context(tree)

    # -- learning

    def learn(self, feedback: Feedback) -> None:
        self._detours.learn(feedback)
        self._straight.learn(feedback)
        gain = sum(map(self._straight.value, outcomes(feedback.new))) if feedback.new else 0.0
        seconds = self._seconds(feedback)
        taken, self._taken = self._taken, None
        self._last, self._counted = taken, seconds
        if taken is not None:
            taken.learn(gain, seconds)
        if gain:
            self._found = True
            for kind in self.kinds.values():
                if kind is not taken:
                    kind.take_heart(TAKING_HEART)
        self._take_in(new_nodes(feedback))

    def _seconds(self, feedback: Feedback) -> float:
        """The seconds that a step took; where work is counted and queries are not timed, with the
        price of a query of its theory.
        """
        seconds = feedback.solving + feedback.running
        if feedback.trace is not None:
            self._runs += 1
            self._running += feedback.running
            if self._running > 0:
                self._straight.price_runs(self._running / self._runs)
        step = feedback.step
        if isinstance(step, Flip):
            record = self._prices.of(theory(step.node.term))
            if feedback.solving:
                record.learn(feedback.solving)
            else:
                seconds += record.price
        return seconds or RUN_SECONDS

    def _take_in(self, nodes: tuple[Node, ...]) -> None:
        self._contexts.add(nodes)
        for node in nodes:
            flip = untried(node)
            if flip is not None:
                self._straight.add(node, flip.side)

    # -- going backward, which is no step of a run

    @property
    def prefers_backward(self) -> bool:
        """Whether a search backward from a branch that is left is worth more than the best step."""
        return self.kinds["backward"].rate > self._best

    def went_backward(self, gain: int, seconds: float) -> None:
        """Take in what a search backward from one branch settled, and what it took."""
        self.kinds["backward"].learn(gain, seconds)
