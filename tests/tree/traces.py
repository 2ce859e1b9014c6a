"""Traces made by hand: the branches of a run without a program."""

from __future__ import annotations

from symcrete.run.trace import Trace
from symcrete.run.use import Ending
from symcrete.terms.integers import le
from symcrete.terms.term import Sort, Term, int_const, var


def condition(site: int) -> Term:
    """The condition of a site's true side."""
    return le(var("x", Sort.INT), int_const(site))


def trace(*outcomes: int, terms: tuple[Term, ...] = ()) -> Trace:
    """A run past these branches: 3 is the true side of site 3, ~3 its false side."""
    sites = [(~each, False) if each < 0 else (each, True) for each in outcomes]
    shown = terms or tuple(condition(site) for site, _ in sites)
    events = tuple((2 * site + side, term) for (site, side), term in zip(sites, shown, strict=True))
    covered = sum(1 << (16 * site + 8 * side) for site, side in set(sites))
    return Trace(
        assignment={},
        events=events,
        assumptions=(),
        covered=covered,
        ending=Ending.RETURNED,
        error=None,
        losses=(),
        steps=0,
        seconds=0.0,
    )
