"""What runs are worth besides the branches they take: edges of comparisons, kinds of results.

`a < b` is seen on both sides of its edge with a == b - 1 and with a == b; a function that returns a
truth is seen when it returned both.
"""

from __future__ import annotations

from collections.abc import Iterator, Set
from typing import TypeAlias

from symcrete.explore.options import Options
from symcrete.program.source.sites import Site
from symcrete.run.trace import Trace
from symcrete.slotted import dataclass
from symcrete.terms import floats, integers
from symcrete.terms.evaluate import holds
from symcrete.terms.logic import negate
from symcrete.terms.operations import EQ0, FLE, FLT, LE0, NOT
from symcrete.terms.term import Term, int_const
from symcrete.terms.visit import names
from symcrete.tree.coverage import Coverage

MOST_EVENTS_LOOKED_AT = 400  # branches of a run whose edges are looked for: a long loop repeats
RESULT = -1  # the site of the comparison that a function returns

# The site of a comparison, how far from its edge, and what is compared if it is the result.
Place: TypeAlias = tuple[int, int, str]
Aim: TypeAlias = Place | str  # what is aimed at: an edge, or a kind of result

# How far from its edge a comparison is wanted: 0 is on it.
_BESIDE = {LE0: (0, 1), EQ0: (-1, 1), FLE: (0,), FLT: (0,)}


@dataclass(frozen=True, slots=True)
class Edge:
    """A condition that puts a comparison on its edge, or one beside it."""

    aim: Place
    condition: Term


class Aims:
    """What is aimed at in one target."""

    def __init__(self, options: Options, coverage: Coverage) -> None:
        # Where every path is an input, none is there for an edge.
        goals = () if options.paths else options.goals
        self._edges = "boundaries" in goals
        self._results = "outcomes" in goals
        self._own = {site.number: site for site in coverage.own if _is_comparison(site)}

    def met(self, trace: Trace, without: Set[Aim] = frozenset()) -> frozenset[Aim]:
        """What a run that came to its end meets, `without` what need not be looked for."""
        if trace.ending not in ("returned", "raised") or not trace.is_input:
            return frozenset()
        found: set[Aim] = set()
        passed = set(without)
        for _, edge in self.edges(trace, passed):
            if edge.aim not in found and holds(edge.condition, trace.assignment):
                found.add(edge.aim)
                passed.add(edge.aim)
        if self._results and trace.returned[0]:
            found.add(trace.returned[0])
        return frozenset(found - without)

    def edges(self, trace: Trace, without: Set[Aim]) -> Iterator[tuple[int, Edge]]:
        """The edges of the comparisons that a run came by, each with the number of branches before
        it; those in `without`, which may grow meanwhile, are passed over.
        """
        if not self._edges:
            return
        for depth, (code, term) in enumerate(trace.events[:MOST_EVENTS_LOOKED_AT]):
            if code >> 1 in self._own:
                for edge in edges_of(code >> 1, term, without):
                    yield depth, edge
        if trace.returned[1] is not None:
            for edge in edges_of(RESULT, trace.returned[1], without):
                yield len(trace.events), edge

    def other_result(self, trace: Trace, met: set[Aim]) -> Term | None:
        """The condition for the other truth than a run returned, if none was seen to return it."""
        word, term = trace.returned
        if not self._results or term is None or {"returns True", "returns False"} <= met:
            return None
        return negate(term) if word == "returns True" else term

    def told(self, aim: Aim) -> str:
        """An aim in words, for the name of a case."""
        if isinstance(aim, str):
            return aim
        number, beside, _ = aim
        where = "its result" if number == RESULT else self._own[number].text
        return f"{where}, {'on the edge' if beside == 0 else 'one beside the edge'}"


def edges_of(site: int, term: Term, without: Set[Aim] = frozenset()) -> list[Edge]:
    """The conditions under which what is compared is on the edge, or one beside it; no condition
    is made for an aim in `without`.
    """
    if term.op is NOT:
        term = term.args[0]
    beside = _BESIDE.get(term.op)
    if beside is None:
        return []
    compared = " ".join(sorted(names(term))) if site == RESULT else ""
    places: list[Place] = [(site, each, compared) for each in beside]
    wanted = [each for each in places if each not in without]
    if not wanted or (term.op is EQ0 and not _is_number(term)):
        return []
    if term.op in (FLE, FLT):
        return [Edge(each, floats.eq(*term.args)) for each in wanted]
    inner = term.args[0]
    return [Edge(each, integers.eq(inner, int_const(each[1]))) for each in wanted]


def _is_number(term: Term) -> bool:
    """Whether numbers are compared, and not characters or lengths, which are numbers to a solver:
    the variables are named as the arguments and attributes of a program are.
    """
    found = names(term)
    return bool(found) and all(name.replace(".", "").isidentifier() for name in found)


def _is_comparison(site: Site) -> bool:
    return not site.implicit and site.kind not in ("for", "case")
