"""Which outcomes of a target a run took, by the names that every process gives them."""

from __future__ import annotations

from symcrete.explore.cover.plan import name_of
from symcrete.program.source.sites import Outcome
from symcrete.tree.coverage import Coverage, outcomes


def sides_taken(coverage: Coverage, covered: int) -> frozenset[str]:
    """The names of the target's outcomes that a run covered."""
    return frozenset([key_of(coverage, each) for each in outcomes(covered & coverage.own_bits)])


def key_of(coverage: Coverage, outcome: Outcome) -> str:
    """The name of one outcome."""
    number, side = outcome
    first = coverage.own[0].number if coverage.own else 0
    return name_of(coverage.sites[number], side, first)
