"""Unsat answers that a proof rests on, asked for again of another solver."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from symcrete.clock import Moment
from symcrete.constraint.path import path_to
from symcrete.errors import BadOption
from symcrete.explore.loop.progress import Progress
from symcrete.explore.options import Options
from symcrete.solve.choose import make_solver
from symcrete.solve.solver import Sat, Solver
from symcrete.terms.evaluate import Assignment, all_hold
from symcrete.tree.tree import Node, Side

# sides that are asked for again, the first in the tree: most proofs rest on fewer; chosen, not
# measured
MOST_SIDES_ASKED = 20
# seconds: four queries that take so long fill the time of the whole attack; chosen, not measured
SECONDS_PER_QUERY = 0.1
LONGEST_PATH_ASKED = 200  # conditions of a path that is asked for again; chosen, not measured


def doubted(progress: Progress, options: Options, until: Moment) -> Iterator[Assignment]:
    """Inputs for sides that were said to have none, where another solver finds some."""
    others = _others(options)
    for node, side in _refused(progress) if others else ():
        if until.has_come:
            return
        constraint = path_to(node, side)
        for solver in others:
            answer = solver.solve(constraint, node.trace.assignment)
            if isinstance(answer, Sat):
                given = answer.assignment
                if all_hold((*constraint.prefix, constraint.goal, *node.trace.bounds), given):
                    yield given


def _others(options: Options) -> list[Solver]:
    """The installed solvers whose Unsat is a proof, but for the one that the exploration asked."""
    found: list[Solver] = []
    for name in ("z3", "yices"):
        with contextlib.suppress(BadOption):  # it is not installed
            if name != options.solver.partition(":")[0]:
                found.append(
                    make_solver(
                        name, ippc="off", seconds=SECONDS_PER_QUERY, seed=options.seed, cache=False
                    )
                )
    return found


def _refused(progress: Progress) -> Iterator[tuple[Node, bool]]:
    """The sides of the tree that a solver refused, as node and side, at most MOST_SIDES_ASKED."""
    found = 0
    ahead = [progress.tree.root]
    while ahead and found < MOST_SIDES_ASKED:
        node = ahead.pop()
        if node is None:
            continue
        for side in (False, True):
            if node.state[side] is Side.INFEASIBLE and node.depth < LONGEST_PATH_ASKED:
                found += 1
                yield node, side
        ahead += node.children
