"""A program that exists only as its execution tree, to watch strategies without running anything.

It says which branch comes after a path and which sides are possible; the loop below plays the
engine: it answers flips and samples as a solver and a runner would.
"""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

from symcrete.program.graph.icfg import ProgramGraph
from symcrete.program.graph.statements import control_flow_graphs
from symcrete.program.source.sites import ModuleSites, Outcome, SiteTable
from symcrete.run.trace import Trace
from symcrete.run.use import Ending
from symcrete.search.strategy import Feedback, Flip, Guide, Result, Sample, Step, Strategy
from symcrete.terms.term import Sort, var
from symcrete.tree.coverage import Coverage, bit
from symcrete.tree.tree import ExecutionTree, Node, Side

Path = tuple[Outcome, ...]


@dataclass
class Imaginary:
    """`after` names the next branch of a path; `answer` is what comes of asking for a side."""

    text: str  # gives sites and graph; function f
    after: Callable[[Path], int | None]
    answer: Callable[[Path], Result] = lambda path: "ran"
    sites: SiteTable = field(default_factory=SiteTable)

    def __post_init__(self) -> None:
        tree = ast.parse(textwrap.dedent(self.text))
        self.numbered = ModuleSites(tree, "f.py", self.sites)
        graphs = control_flow_graphs(tree, self.numbered)
        entry = next(each for each in graphs if each.scope == "f")
        self.graph = ProgramGraph(graphs, entry, self.sites)

    def outcome(self, text: str, side: bool) -> Outcome:
        return next(site.number for site in self.sites.sites if site.text == text), side

    def guide(self, random: Random, **parameters: float) -> Guide:
        own = tuple(self.numbered.own("f"))
        coverage = Coverage(self.sites, own, (), scope="f", file="f.py")
        return Guide(random, coverage, parameters=parameters, graph=lambda: self.graph)

    def path(self, start: Path, random: Random) -> Path:
        """A run that begins like this and goes on by chance, through possible sides only."""
        path = start
        while (site := self.after(path)) is not None:
            side = random.random() < 0.5
            if self.answer((*path, (site, side))) != "ran":
                side = not side
            path = (*path, (site, side))
        return path


@dataclass
class Watched:
    """The steps of one exploration, and whether each was allowed."""

    program: Imaginary
    strategy: Strategy
    guide: Guide
    random: Random  # of the imaginary solver and runner
    tree: ExecutionTree = field(default_factory=ExecutionTree)
    steps: list[tuple[Path, bool] | None] = field(default_factory=list)  # None: a sample
    traces: list[Trace] = field(default_factory=list)

    def run(self, path: Path, step: Step) -> None:
        """Let the program take this path, which is complete."""
        trace = trace_of(path)
        self.traces.append(trace)
        grown = self.tree.add(trace)
        new = self.guide.coverage.add(trace.covered)
        result: Result = "ran"
        if isinstance(step, Flip) and step.node.state[step.side] is not Side.SEEN:
            result = "diverged"
            self.tree.settle(step.node, step.side, Side.DIVERGED)
        self.strategy.learn(Feedback(step, result, trace, grown, new))

    def step(self) -> Step | None:
        step = self.strategy.choose(self.tree)
        if isinstance(step, Sample):
            self.steps.append(None)
            self.run(self.program.path((), self.random), step)
        elif step is not None:
            self.flip(step)
        return step

    def flip(self, flip: Flip) -> None:
        node, side = flip.node, flip.side
        assert node.state[side] is Side.OPEN, "a settled side was offered"
        before = path_to(node)
        wanted = (*before, (node.site, side))
        self.steps.append((before, side))
        answer = self.program.answer(wanted)
        if answer == "ran":
            self.run(self.program.path(wanted, self.random), flip)
        elif answer == "diverged":
            self.run(self.program.path(before, self.random), flip)
        else:
            state = Side.INFEASIBLE if answer == "infeasible" else Side.UNKNOWN
            self.tree.settle(node, side, state)
            self.strategy.learn(Feedback(flip, answer))


def watch(
    program: Imaginary, make: Callable[[Guide], Strategy], seed: int = 0, **parameters: float
) -> Watched:
    """An exploration after its first run."""
    guide = program.guide(Random(seed), **parameters)
    watched = Watched(program, make(guide), guide, Random(seed + 1))
    watched.run(program.path((), watched.random), Sample())
    return watched


def trace_of(path: Path) -> Trace:
    terms = [var(f"after {path[:length]}", Sort.BOOL) for length in range(len(path))]
    events = tuple((2 * site + side, term) for (site, side), term in zip(path, terms, strict=True))
    covered = 0
    for outcome in path:
        covered |= bit(*outcome)
    return Trace({}, events, (), covered, Ending.RETURNED, None, (), 0, 0.0)


def path_to(node: Node) -> Path:
    found: list[Outcome] = []
    while node.parent is not None:
        found.append((node.parent.site, node.taken))
        node = node.parent
    return tuple(reversed(found))


def random_program(seed: int, depth: int = 6) -> Imaginary:
    """Branches, impossible sides, gaps in the solver and divergences strewn over a small tree."""

    def after(path: Path) -> int | None:
        chance = Random(f"after {seed} {path}")
        if len(path) >= depth or chance.random() < 0.1:
            return None
        return chance.randrange(8)

    def answer(path: Path) -> Result:
        *before, (site, side) = path
        chance = Random(f"answer {seed} {before} {site}")
        impossible = chance.choice([None, None, None, None, False, True])
        if side is not impossible:
            return "ran"
        return chance.choice(["infeasible", "infeasible", "unknown", "diverged"])

    return Imaginary(EIGHT_BRANCHES, after, answer)


EIGHT_BRANCHES = """
def f(a, b, c, d, e, g, h, i):
    while a:
        if b:
            if c:
                a = d or e or b
        elif g:
            a = 1
    if h:
        return 1
    return 2 if i else 3
"""
