"""What a decision costs on a large execution tree: `python -m benchmarks.decisions`.

Each strategy grows a tree of 100,000 nodes from the runs of an imaginary program with 400 branches,
then decides 20,000 times. Choosing and learning are timed apart: a choice is one call of `choose`,
learning is counted per branch that a run added. Under 20 microseconds a choice is the goal, for all
but random-path, which walks down the tree. The greedy strategies weigh the whole program with each
decision; `benchmarks.decision` measures theirs.
"""

from __future__ import annotations

import argparse
import ast
import gc
import random
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass

from symcrete.program.graph.icfg import ProgramGraph
from symcrete.program.graph.statements import control_flow_graphs
from symcrete.program.source.sites import ModuleSites, SiteTable
from symcrete.run.trace import Trace
from symcrete.run.use import Ending
from symcrete.search.strategy import Feedback, Flip, Guide, Sample, Step, Strategy
from symcrete.search.table import STRATEGIES, make_strategy
from symcrete.terms import term as terms
from symcrete.terms.term import Sort, Term, var
from symcrete.tree.coverage import Coverage, bit
from symcrete.tree.tree import ExecutionTree, Node, Side

LIMIT = 20.0  # microseconds
LONGEST = 100  # branches of a run
WALKS_THE_TREE = frozenset({"random-path", "klee"})
ELSEWHERE = frozenset({"random-input", "greedy", "greedy-plus"})


def program(branches: int) -> str:
    """Nested conditions in loops, five deep."""
    lines = ["def f(x, y):", "    while x:"]
    for number in range(branches - 1):
        depth = 2 + number % 5
        lines.append("    " * depth + f"if x == {number}:")
        if number % 5 == 4 or number == branches - 2:
            lines.append("    " * (depth + 1) + f"y = {number}")
    return "\n".join(lines)


@dataclass
class Imagined:
    """Plays solver and runner: runs take random sides, every third flip is infeasible."""

    tree: ExecutionTree
    coverage: Coverage
    chance: random.Random
    sites: int
    names: Iterator[int]

    def grow(self, node: Node | None, side: bool, most: int) -> Trace:
        """A run that takes this side of a node and meets some new branches after it."""
        events: list[tuple[int, Term]] = []
        above, taken = node, side
        while above is not None:
            events.append((2 * above.site + taken, above.term))
            taken, above = above.taken, above.parent
        events.reverse()
        here = node.site if node is not None else 0
        for _ in range(self.chance.randint(0, max(0, min(most, LONGEST - len(events))))):
            # Most branches are near each other in the text, as in programs.
            here = (here + self.chance.choice((1, 1, 1, 2, 3, 5))) % self.sites
            taken = self.chance.random() < 0.5
            events.append((2 * here + taken, var(f"n{next(self.names)}", Sort.BOOL)))
        covered = 0
        for code, _ in events:
            covered |= bit(code >> 1, bool(code & 1))
        return Trace({}, tuple(events), (), covered, Ending.RETURNED, None, (), 0, 0.0)

    def answer(self, step: Step) -> Feedback:
        if isinstance(step, Flip):
            if self.chance.random() < 1 / 3:
                self.tree.settle(step.node, step.side, Side.INFEASIBLE)
                return Feedback(step, "infeasible")
            trace = self.grow(step.node, step.side, most=20)
        else:
            trace = self.grow(*self._off_the_tree(), most=LONGEST)
        grown = self.tree.add(trace)
        return Feedback(step, "ran", trace, grown, self.coverage.add(trace.covered))

    def _off_the_tree(self) -> tuple[Node | None, bool]:
        """Where a random input leaves the tree."""
        node = self.tree.root
        if node is None:
            return None, False
        while True:
            side = self.chance.random() < 0.5
            child = node.children[side]
            if child is None:
                return node, side
            node = child


@dataclass(frozen=True)
class Cost:
    choosing: float  # microseconds a decision
    learning: float  # microseconds a new branch
    worst: float  # the longest choice, in milliseconds
    depth: float  # mean depth of what was chosen


def measure(name: str, nodes: int, decisions: int, seed: int) -> Cost:
    terms.forget()
    text = program(400)
    sites = SiteTable()
    tree_of_text = ast.parse(text)
    numbered = ModuleSites(tree_of_text, "f.py", sites)
    graphs = control_flow_graphs(tree_of_text, numbered)
    entry = next(each for each in graphs if each.scope == "f")
    graph = ProgramGraph(graphs, entry, sites)
    coverage = Coverage(sites, tuple(numbered.own("f")), (), scope="f", file="f.py")
    guide = Guide(random.Random(seed), coverage, graph=lambda: graph)
    tree = ExecutionTree()
    engine = Imagined(tree, coverage, random.Random(seed), len(sites), iter(range(10**9)))
    strategy: Strategy = make_strategy(name, guide)
    learning, added = 0.0, 0

    def learn(feedback: Feedback) -> None:
        nonlocal learning, added
        began = time.thread_time()
        strategy.learn(feedback)
        learning += time.thread_time() - began
        added += len(feedback.grown.nodes) if feedback.grown is not None else 0

    gc.disable()  # its pauses would be charged to whoever happens to run
    while tree.size < nodes:
        learn(engine.answer(Sample()))
    choosing, worst, depths = 0.0, 0.0, 0
    for _ in range(decisions):
        began = time.thread_time()
        step = strategy.choose(tree)
        took = time.thread_time() - began
        choosing += took
        worst = max(worst, took)
        assert step is not None
        if isinstance(step, Flip):
            depths += step.node.depth
        learn(engine.answer(step))
    gc.enable()
    clock = clock_cost()
    return Cost(
        choosing=1e6 * (choosing / decisions - clock),
        learning=1e6 * (learning / added),
        worst=1e3 * worst,
        depth=depths / decisions,
    )


def turn_cost(turns: int = 1_000_000) -> float:
    """How fast this machine is right now: shared ones may be three times slower than idle."""
    began = time.thread_time()
    for _ in range(turns):
        pass
    return (time.thread_time() - began) / turns


def clock_cost(times: int = 10_000) -> float:
    """What looking at the clock adds to each measurement."""
    spent = 0.0
    for _ in range(times):
        began = time.thread_time()
        spent += time.thread_time() - began
    return spent / times


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("strategies", nargs="*", help="names; default: all")
    parser.add_argument("--nodes", type=int, default=100_000)
    parser.add_argument("--decisions", type=int, default=20_000)
    given = parser.parse_args()
    names = given.strategies or [name for name in STRATEGIES if name not in ELSEWHERE]
    print(
        f"one turn of an empty loop: {1e9 * turn_cost():.0f} ns (an idle machine takes 20 to 40)\n"
    )
    print(f"{'strategy':16}{'choose us':>11}{'learn us/branch':>17}{'worst ms':>10}{'depth':>8}")
    slow = []
    for name in names:
        cost = measure(name, given.nodes, given.decisions, seed=0)
        print(
            f"{name:16}{cost.choosing:11.2f}{cost.learning:17.2f}{cost.worst:10.2f}{cost.depth:8.1f}",
            flush=True,
        )
        if cost.choosing > LIMIT and name not in WALKS_THE_TREE:
            slow.append(name)
    if slow:
        print(f"above {LIMIT:g} us: {', '.join(slow)}")
    return 1 if slow else 0


if __name__ == "__main__":
    sys.exit(main())
