"""Blocks are those of the text, and a covered outcome covers the blocks behind it."""

from __future__ import annotations

import ast

from experiments.optimal_blocks import Blocks

from symcrete.program.graph.icfg import ProgramGraph
from symcrete.program.graph.statements import control_flow_graphs
from symcrete.program.source.sites import ModuleSites, Outcome, SiteTable

PROGRAM = """
def half(x):
    if x > 9:
        x = 9
    return x / 2

def f(x, y):
    while x > 0:
        x -= 1
    if y:
        return half(x)
    y = 1
    return y
"""


def blocks_of(text: str) -> tuple[Blocks, list[Outcome]]:
    tree, sites = ast.parse(text), SiteTable()
    graphs = control_flow_graphs(tree, ModuleSites(tree, "f.py", sites))
    graph = ProgramGraph(graphs, next(each for each in graphs if each.scope == "f"), sites)
    outcomes = [(number, side) for number in range(len(sites)) for side in sites[number].sides]
    return Blocks(graph, outcomes), outcomes


def test_blocks_begin_at_entries_and_where_ways_part_or_meet():
    blocks, _ = blocks_of(PROGRAM)

    # entry, loop condition, loop body, second condition, call, rest, and its exit where ways meet;
    # the callee's entry, its assignment, the statement after, as one that ways meet at
    assert len(blocks) == 10


def test_only_what_lies_behind_covered_outcomes_is_covered():
    blocks, _ = blocks_of(PROGRAM)

    assert blocks.covered(lambda outcome: False) == 2  # the entry and the loop's condition
    assert blocks.covered(lambda outcome: not outcome[1]) == 5
    assert blocks.covered(lambda outcome: True) == len(blocks)


def test_a_callee_counts_once_its_call_is_reached():
    blocks, outcomes = blocks_of(PROGRAM)
    called = next(each for each in outcomes if each[1] and each[0] == max(n for n, _ in outcomes))

    without = blocks.covered(lambda outcome: outcome != called)

    assert len(blocks) - without >= 3
