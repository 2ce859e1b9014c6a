"""Control dependence: which branch decides whether a point runs at all.

A point depends on an outcome if it surely runs once the condition has gone that way, but not
whichever way it goes (Ferrante, Ottenstein and Warren). Exceptions that nobody wrote down count
only where they lead to a handler or are the only way out: else nearly everything would depend on
nearly everything.
"""

from __future__ import annotations

from symcrete.program.graph.cfg import EXIT, RAISED, Cfg, Edge
from symcrete.program.graph.dominators import UNREACHED, immediate_dominators, reverse_postorder
from symcrete.program.source.sites import Outcome


def post_dominators(cfg: Cfg) -> list[int]:
    """For each point the nearest other one that every path from it to an end must pass;
    `len(cfg.points)` stands for the end.
    """
    return immediate_dominators(_reversed(cfg), len(cfg.points))


def control_dependence(cfg: Cfg) -> dict[Outcome, frozenset[int]]:
    """For each outcome, the points that run because of it."""
    nearest = post_dominators(cfg)
    found: dict[Outcome, frozenset[int]] = {}
    for outcome, edge in cfg.branches.items():
        dependent: set[int] = set()
        stop, here = nearest[edge.source], edge.target
        while here not in (stop, UNREACHED, len(cfg.points)) and here not in dependent:
            dependent.add(here)
            here = nearest[here]
        found[outcome] = frozenset(dependent)
    return found


def _reversed(cfg: Cfg) -> list[list[int]]:
    """The graph backwards, from one end that stands for both."""
    end = len(cfg.points)
    backward: list[list[int]] = [[] for _ in range(end + 1)]
    backward[end] = [EXIT, RAISED]
    put_aside: list[Edge] = []
    for edge in cfg.edges():
        if edge.implicit and edge.target == RAISED:
            put_aside.append(edge)
        else:
            backward[edge.target].append(edge.source)
    reached = set(reverse_postorder(backward, end))
    for edge in put_aside:
        if edge.source not in reached:
            backward[edge.target].append(edge.source)
    reached = set(reverse_postorder(backward, end))
    for point in range(end):
        if point not in reached:
            backward[end].append(point)  # in a loop without any way out
    return backward
