"""Random testing or solving, whichever brings more new coverage per cost, step by step.

Algorithms 1 and 2 of "Towards Optimal Concolic Testing" (Wang et al., ICSE 2018) as a strategy, and
the same with the look-ahead model. The estimated chain (`outcome_chain`) says what a random run is
worth and what may lie behind each outcome; solving costs what `constraint.cost` says, corrected by
what solving has cost so far, and one more run.

A candidate is an open side of the execution tree: everything before it was passed by a run, so its
path has at most one uncovered state, the last. One stands for all that lead to the same outcome. A
side is a candidate only while it is open, so infeasible, unanswered and diverged paths drop out.
Paths that pass a condition more than `MOST_PASSES` times are no candidates, as the paper asks; they
and the sides of covered outcomes are left for when there are none.
"""

from __future__ import annotations

from functools import cached_property
from heapq import heappop, heappush

from symcrete.constraint.cost import cost
from symcrete.constraint.path import PathConstraint, path_to
from symcrete.program.source.sites import Outcome
from symcrete.run.trace import Trace
from symcrete.search.chains.decision import Choice, Greedy, SymbolicExecution
from symcrete.search.chains.lookahead import LookAhead
from symcrete.search.chains.markov import Estimator, GoodTuring
from symcrete.search.chains.outcome_chain import BEFORE_ALL, OutcomeChain
from symcrete.search.strategy import RUN_SECONDS, Feedback, Flip, Guide, Sample, new_nodes
from symcrete.tree.coverage import outcomes
from symcrete.tree.tree import ExecutionTree, Grown, Node, Side

# passes of one condition on a path; the paper bounds loops, too; chosen, not measured
MOST_PASSES = 3
# outcomes added to what a flip is expected to bring, so that costs count where that is nothing
LEAST_EXPECTED = 1e-9
PRICED = 50  # conditions of a path that are looked at to price it; chosen, not measured
# a decision to draw holds for one in so many of the runs so far, or until something new is covered;
# chosen, not measured
DRAWS_HOLD_FOR = 50


class Candidates:
    """The open sides that lead to one outcome, those with the fewest conditions first.

    A path costs more than any path it continues, so this is the order of cost within a run. Only
    the first is priced: looking at the terms of every branch would take as long as the runs do.
    """

    __slots__ = ("_heap", "_price", "_side", "failed_at", "failures", "seconds", "tries")

    def __init__(self, side: bool) -> None:
        self._side = side
        self._heap: list[tuple[int, int, int, Node]] = []
        self._price: tuple[Node, float] | None = None  # the first candidate and its price
        self.tries = 0  # flips so far
        self.failures = 0  # flips without a run that came there
        self.failed_at = 0.0  # the time of the last failure, in seconds of the exploration
        self.seconds = 0.0  # seconds spent on solving them

    def add(self, node: Node, rounds: int, number: int) -> None:
        """Take in a branch. `rounds` is how often its path passed the condition before, in units of
        the bound; `number` grows, so that the older of two alike comes first.
        """
        heappush(self._heap, (rounds, node.depth, number, node))

    @property
    def beyond_bound(self) -> bool:
        """Whether even the best candidate passes its condition too often."""
        return self._heap[0][0] > 0

    def best(self) -> tuple[Node, float] | None:
        """The candidate to try next, and the seconds that solving it should take; None if none is
        open.
        """
        heap = self._heap
        while heap and heap[0][-1].state[self._side] is not Side.OPEN:
            heappop(heap)
        if not heap:
            return None
        node = heap[0][-1]
        if self._price is None or self._price[0] is not node:
            self._price = (node, _price(path_to(node, self._side)))
        return self._price


def _price(constraint: PathConstraint) -> float:
    """The seconds that solving should take; of a long path by a sample, since looking at all its
    terms may take seconds.
    """
    conditions = constraint.prefix
    if len(conditions) <= PRICED:
        return cost(constraint)
    sample = conditions[:: 1 + len(conditions) // PRICED]
    return cost(PathConstraint(sample, constraint.goal)) * len(conditions) / len(sample)


def estimator_of(guide: Guide) -> Estimator | None:
    """How probabilities are estimated; None for Laplace's way, with the model's own weight."""
    return GoodTuring() if guide.parameters.get("estimate") == "good-turing" else None


class Optimal:
    """What both strategies share: candidates, costs and observing runs."""

    def __init__(self, guide: Guide) -> None:
        self._guide = guide
        self._loops = guide.parameter("loops", MOST_PASSES)
        self._candidates: dict[Outcome, Candidates] = {}
        self._wanted: dict[Outcome, Candidates] = {}  # those of uncovered outcomes
        self._number = 0
        self._runs = 0
        self._running = 0.0  # seconds
        self._solving = 0.0  # seconds
        self._predicted = 0.0  # seconds that solving should have taken
        self._draws = 0  # draws that the last decision still holds for
        self._alike: dict[tuple[Node | None, bool], tuple[Trace, int]] = {}  # draws by their path
        self._idle_draws = 0.0  # seconds since the last news
        self._idle_flips = 0.0
        self._price = 0.0  # seconds that solving for the flip under way should take

    @cached_property
    def chain(self) -> OutcomeChain:
        return OutcomeChain(self._guide.graph(), self._guide.goals)

    @cached_property
    def model(self) -> Greedy[Outcome] | LookAhead[Outcome]:
        """The model, told to expect nothing of states that are no goals of the exploration."""
        model = self.make_model(self.chain)
        aims = set(self._guide.goals)
        model.give_up(state for state in self.chain.successors if state not in aims)
        return model

    def make_model(self, chain: OutcomeChain) -> Greedy[Outcome] | LookAhead[Outcome]:
        """The model that decides between drawing and solving, over the states of the chain."""
        raise NotImplementedError  # abstract: each subclass has its own

    # -- deciding

    def choose(self, tree: ExecutionTree) -> Flip | Sample | None:
        model = self.model
        wanted = self._guide.coverage.wanted
        if self._draws > 0 and wanted:
            self._draws -= 1
            return Sample()
        self._count_draws()
        run = self._run_cost
        model.price_draws(run)
        offers: dict[Outcome, tuple[Node, float]] = {}
        for outcome, candidates in list(self._wanted.items()):
            best = candidates.best()
            if best is None or candidates.beyond_bound:
                del self._wanted[outcome]
            elif not self.waits(candidates):
                offers[outcome] = best
        if wanted and not model.done:
            choice = self.decide(offers, run)
            if isinstance(choice, SymbolicExecution):
                outcome = choice.path[-1]
                return self._flip(outcome, *offers[outcome])
            if offers or self._idle_draws <= self._idle_flips:
                self._draws = max(choice.times, self._runs // DRAWS_HOLD_FOR) - 1
                return Sample()
        return self._elsewhere(run) or (Sample() if wanted else None)

    def waits(self, candidates: Candidates) -> bool:
        """Whether these candidates have to wait for others, whatever they are worth."""
        return False

    def decide(self, offers: dict[Outcome, tuple[Node, float]], run: float) -> Choice[Outcome]:
        """Algorithm 2 over the best candidate of each uncovered outcome."""
        known = self.model.chain.number
        return self.model.choose_among(
            ((BEFORE_ALL, outcome), self.cost(outcome, price) + run)
            for outcome, (_, price) in offers.items()
            if outcome in known
        )

    def cost(self, outcome: Outcome, price: float) -> float:
        """What solving is expected to take: as predicted, and as it took for this outcome before.

        Timeouts are what predictions miss most, and they come again where they came once.
        """
        tried = self._candidates[outcome]
        return (self._cost_factor * price + tried.seconds) / (1 + tried.tries)

    def _elsewhere(self, run: float) -> Flip | None:
        """A flip to any open side, also of a covered outcome or beyond the bound: the one with the
        most behind it for what it costs and how often it was tried.

        The paper has no such candidates and would test at random for ever once the others are used
        up; here flips and draws then share the time equally.
        """
        found: tuple[float, Outcome, tuple[Node, float]] | None = None
        for outcome, candidates in self._candidates.items():
            best = candidates.best()
            if best is None:
                continue
            worth = (self._expected(outcome) + LEAST_EXPECTED) / (self.cost(outcome, best[1]) + run)
            worth /= 1 + candidates.tries
            if found is None or worth > found[0]:
                found = (worth, outcome, best)
        return None if found is None else self._flip(found[1], *found[2])

    def _expected(self, outcome: Outcome) -> float:
        """The reward of what can come after an outcome; of an error, that of its handlers."""
        model = self.model
        number = model.chain.number
        if outcome in number:
            return model.rewards.of(number[outcome])
        behind = self.chain.behind(outcome)
        return sum(model.rewards.of(number[each]) for each in behind) / max(1, len(behind))

    def _flip(self, outcome: Outcome, node: Node, price: float) -> Flip:
        self._price = price
        self._candidates[outcome].tries += 1
        return Flip(node, outcome[1])

    @property
    def _run_cost(self) -> float:
        return self._running / self._runs if self._running > 0 else RUN_SECONDS

    @property
    def _cost_factor(self) -> float:
        """What solving has cost for each second predicted; 1 until something was solved."""
        return self._solving / self._predicted if self._solving > 0 else 1.0

    # -- learning

    def learn(self, feedback: Feedback) -> None:
        step = feedback.step
        if isinstance(step, Flip):
            self._solving += feedback.solving
            self._predicted += self._price
            self._idle_flips += self._price + feedback.solving + self._run_cost
            candidates = self._candidates.get((step.node.site, step.side))
            if candidates is not None:
                candidates.seconds += feedback.solving
                if feedback.result != "ran":
                    candidates.failures += 1
                    candidates.failed_at = self._solving + self._running
        else:
            self._idle_draws += feedback.running or RUN_SECONDS
        if feedback.trace is None:
            return
        self._runs += 1
        self._running += feedback.running
        self._offer(new_nodes(feedback))
        if isinstance(step, Sample) and not feedback.new and feedback.grown is not None:
            self._keep(feedback.trace, feedback.grown)
            return
        self._count_draws()
        aimed = step.node.depth if isinstance(step, Flip) else None
        way, position = self.chain.way(feedback.trace, aimed)
        if feedback.result == "diverged":
            position = len(way) - 1  # the place where chance took over cannot be told
        self.model.observe(way, forced=max(1, position) if aimed is not None else 0)
        if feedback.new:
            self._cover(feedback.new)

    def _keep(self, trace: Trace, grown: Grown) -> None:
        """Keep a draw that brought nothing new, to be counted before the next decision with all
        that took its path.
        """
        path = (grown.last, bool(trace.events) and bool(trace.events[-1][0] & 1))
        first, times = self._alike.get(path, (trace, 0))
        self._alike[path] = (first, times + 1)

    def _count_draws(self) -> None:
        if self._alike:
            drawn, self._alike = self._alike.values(), {}
            self.model.observe_all(
                (self.chain.way(trace, None)[0], times) for trace, times in drawn
            )

    def _cover(self, new: int) -> None:
        self._draws = 0
        if self._guide.coverage.counts(new):
            self._idle_draws = self._idle_flips = 0.0
        covered = list(outcomes(new))
        for outcome in covered:
            self._wanted.pop(outcome, None)
        # States whose place in the run is not known: nothing more is to be had of them either.
        self.model.give_up(each for each in covered if each in self.model.chain.number)

    def _offer(self, nodes: tuple[Node, ...]) -> None:
        """Take in the open sides of new branches."""
        if not nodes:
            return
        passes: dict[int, int] = {}
        for above in nodes[0].ancestors():
            passes[above.site] = passes.get(above.site, 0) + 1
        has = self._guide.coverage.has
        for node in nodes:
            before = passes.get(node.site, 0)
            passes[node.site] = before + 1
            for side in (False, True):
                if node.state[side] is not Side.OPEN:
                    continue
                outcome = (node.site, side)
                candidates = self._candidates.get(outcome)
                if candidates is None:
                    candidates = self._candidates[outcome] = Candidates(side)
                self._number += 1
                candidates.add(node, before // self._loops, self._number)
                if not has(*outcome):
                    self._wanted[outcome] = candidates


class GreedyStrategy(Optimal):
    """The paper's greedy strategy, where a loop's states count once for each run.

    The printed equations count them at every visit, and so expect many times what is there to be
    covered behind any way into a loop. What else differs: `greedy_paper`.
    """

    def make_model(self, chain: OutcomeChain) -> Greedy[Outcome]:
        return Greedy(BEFORE_ALL, chain.successors, once=True, estimator=estimator_of(self._guide))


class GreedyPlus(Optimal):
    """States weighed by what they would cost, and candidates by how often their like failed.

    The model decides between drawing and solving. What is better solved for has to be solved for
    sooner or later, so the cheapest of that comes first: coverage early, and time to learn what
    solving costs before it becomes dear.
    """

    def make_model(self, chain: OutcomeChain) -> LookAhead[Outcome]:
        return LookAhead(
            BEFORE_ALL,
            chain.successors,
            beyond=False,
            once=True,
            estimator=estimator_of(self._guide),
        )

    def decide(self, offers: dict[Outcome, tuple[Node, float]], run: float) -> Choice[Outcome]:
        """As the model decides; but if it is for solving, the cheapest candidate that is worth more
        than a draw.
        """
        choice = super().decide(offers, run)
        if isinstance(choice, SymbolicExecution):
            rewards, chain = self.model.rewards, self.model.chain
            enough = rewards.of(chain.initial) / run  # the worth of a draw
            for outcome, (_, price) in offers.items():
                if outcome in chain.number:
                    seconds = self.cost(outcome, price) + run
                    reward = rewards.of(chain.number[outcome])
                    if seconds < choice.cost and reward > enough * seconds:
                        choice = SymbolicExecution((BEFORE_ALL, outcome), reward, seconds)
        return choice

    def waits(self, candidates: Candidates) -> bool:
        """Whether candidates that failed have to wait: they get half of the time at most, since
        the model values them the more the dearer they become.
        """
        since = self._solving + self._running - candidates.failed_at
        return candidates.failures > 0 and since < candidates.seconds

    def cost(self, outcome: Outcome, price: float) -> float:
        """The expected cost of solving until it succeeds."""
        return super().cost(outcome, price) * (1 + self._candidates[outcome].failures)
