"""What runs are worth besides the branches they take: edges, kinds of results, conditions that
decide.

`a < b` is seen on both sides of its edge with a == b - 1 and with a == b; a function that returns a
truth is seen when it returned both; a condition of `(a and b) or c` is seen where it decided.
"""

from __future__ import annotations

import ast
import contextlib
from collections.abc import Iterator, Set
from typing import TypeAlias, assert_never

from symcrete.explore.cover.decisions import decisions_of, evaluations
from symcrete.explore.options import Options
from symcrete.program.source.module import parsed
from symcrete.program.source.sites import Outcome, Site
from symcrete.program.source.wording import wording
from symcrete.run.trace import Trace
from symcrete.run.use import FINISHED, Ending
from symcrete.slotted import dataclass
from symcrete.terms import floats, integers
from symcrete.terms.evaluate import holds
from symcrete.terms.logic import negate
from symcrete.terms.operations import EQ0, FLE, FLT, LE0, NOT
from symcrete.terms.term import Sort, Term, int_const, var
from symcrete.terms.visit import names
from symcrete.tree.coverage import Coverage
from symcrete.values.tracking.recording import Event

MOST_EVENTS_LOOKED_AT = 400  # branches of a run whose edges are looked for: a long loop repeats
MOST_EVENTS_KEPT = 20  # branches of a path whose edges are kept; chosen, not measured
MOST_PATHS_KEPT = 64  # paths whose edges are kept at a time; chosen, not measured
# Errors of operations that are results of their own. Where a path settles the operands (the length
# of a list after its sum), the operation fails without a condition that could be covered.
ERRORS_OF_OPERATIONS = ("ZeroDivisionError", "IndexError", "KeyError", "OverflowError")
TRUTHS = frozenset(("returns True", "returns False"))
RESULT = -1  # the site of the comparison that a function returns

# The site of a comparison, a place beside its edge, and the names that are compared ("" unless the
# comparison is the result). The place is "True" or "False", the truth of the comparison there;
# "less" or "more" for an equality; or "equal".
Place: TypeAlias = tuple[int, str, str]
# What is aimed at: an edge, a condition that decides with a side, or a kind of result.
Aim: TypeAlias = Place | Outcome | str

# Where a comparison is wanted, and how far from its edge that is: 0 is on it.
_BESIDE = {
    LE0: {"True": 0, "False": 1},
    EQ0: {"less": -1, "more": 1},
    FLE: {"equal": 0},
    FLT: {"equal": 0},
}


@dataclass(frozen=True, slots=True)
class Edge:
    """A condition under which an aim is met; of a condition that should decide, one under which
    what hides it now no longer does.
    """

    aim: Aim
    condition: Term


# The branches of a path and its edges, each with the number of branches before it.
_Known: TypeAlias = tuple[tuple[Event, ...], list[tuple[int, Edge]]]


class Aims:
    """What is aimed at in one target."""

    def __init__(self, options: Options, coverage: Coverage) -> None:
        # Where each path gives one input, there are none to be had for edges.
        goals = () if options.paths else options.goals
        self._edges = "boundaries" in goals
        self.results = "outcomes" in goals  # whether results are to differ
        # The edges of short paths: dozens of inputs on the same one are asked for what they meet.
        self._known: dict[tuple[int, Term | None], _Known] = {}
        self._words: dict[Aim, str] = {}  # what holds at an edge, where that can be said exactly
        self._own = {site.number: site for site in coverage.own if _is_comparison(site)}
        deciding = "mcdc" in goals
        self._decisions = decisions_of(parsed(coverage.file), coverage.own) if deciding else []

    def met(self, trace: Trace, without: Set[Aim] = frozenset()) -> frozenset[Aim]:
        """What a run that came to its end meets, `without` what need not be looked for."""
        if trace.ending not in FINISHED or not trace.is_input:
            return frozenset()
        if not (self._edges or self.results or self._decisions):
            return frozenset()
        found: set[Aim] = set()
        passed = set(without)
        for _, edge in self.edges(trace, passed):
            if edge.aim not in found and holds(edge.condition, trace.assignment):
                found.add(edge.aim)
                passed.add(edge.aim)
                self._note(edge)
        if self.results and trace.returned[0]:
            found.add(trace.returned[0])
        if self.results and trace.ending == Ending.RAISED and trace.error in ERRORS_OF_OPERATIONS:
            found.add(f"raises {trace.error}")
        for each in evaluations(self._decisions, trace.events[:MOST_EVENTS_LOOKED_AT]):
            found |= each.deciding()
        return frozenset(found - without)

    def conditions(self, trace: Trace, aims: frozenset[Aim]) -> tuple[Term, ...]:
        """Conditions under which another input on the same path meets these edges, too."""
        found: dict[Aim, Term] = {}
        for _, edge in self.edges(trace, found.keys()):
            if edge.aim in aims and holds(edge.condition, trace.assignment):
                found.setdefault(edge.aim, edge.condition)
        return tuple(found.values())

    def edges(self, trace: Trace, without: Set[Aim]) -> Iterator[tuple[int, Edge]]:
        """The edges of the comparisons that a run came by, each with the number of branches before
        it, and what would show conditions that others hide; those in `without`, which may grow
        meanwhile, are passed over.
        """
        if len(trace.events) > MOST_EVENTS_KEPT:
            yield from self._edges_on(trace, without)
            return
        key = id(trace.events), trace.returned[1]
        known = self._known.get(key)
        if known is None or known[0] is not trace.events:
            if len(self._known) >= MOST_PATHS_KEPT:
                self._known.clear()
            known = self._known[key] = trace.events, list(self._edges_on(trace, frozenset()))
        for depth, edge in known[1]:
            if edge.aim not in without:
                yield depth, edge

    def _edges_on(self, trace: Trace, without: Set[Aim]) -> Iterator[tuple[int, Edge]]:
        events = trace.events[:MOST_EVENTS_LOOKED_AT]
        for each in evaluations(self._decisions, events):
            for outcome, depth in each.hiding():
                code, term = events[depth]
                if outcome not in without:
                    yield depth, Edge(outcome, negate(term) if code & 1 else term)
        if not self._edges:
            return
        for depth, (code, term) in enumerate(events):
            if code >> 1 in self._own:
                for edge in edges_of(code >> 1, term, without):
                    yield depth, edge
        if trace.returned[1] is not None:
            for edge in edges_of(RESULT, trace.returned[1], without):
                yield len(trace.events), edge

    def other_result(self, trace: Trace, met: set[Aim]) -> Term | None:
        """The condition for the other truth than a run returned, if none was seen to return it."""
        word, term = trace.returned
        if not self.results or term is None or met >= TRUTHS:
            return None
        return negate(term) if word == "returns True" else term

    def _note(self, edge: Edge) -> None:
        """Keep the words for an edge, if there are any."""
        aim = edge.aim
        if aim not in self._words and len(aim) == 3 and aim[0] in self._own:
            words = edge_in_words(self._own[aim[0]].text, edge.condition)
            if words:
                self._words[aim] = words

    def told(self, aim: Aim) -> str:
        """An aim in words, for the name of a case."""
        match aim:
            case str():
                return aim
            case (number, bool() as side):
                return f"{wording(self._own[number], side)} decides"
            case (int() as number, str() as where, _):
                if aim in self._words:
                    return self._words[aim]
                if number == RESULT:
                    is_truth = where in ("True", "False")
                    return f"returns {where}, at its edge" if is_truth else "its result at its edge"
                site = self._own[number]
                if where in ("True", "False"):
                    return f"{wording(site, where == 'True')}, at its edge"
                if where == "equal":
                    return _both_sides(site.text)
                return f"next to {site.text}"
            case _:
                assert_never(aim)


def _both_sides(text: str) -> str:
    """The edge between the two sides of a comparison, in words: `a == b` for `a < b`."""
    with contextlib.suppress(SyntaxError):  # a link of a chained comparison
        match ast.parse(text, mode="eval").body:
            case ast.Compare(left=left, ops=[_], comparators=[right]):
                return f"{ast.unparse(left)} == {ast.unparse(right)}"
            case _:
                pass
    return f"{text}, at its edge"


def edge_in_words(text: str, condition: Term) -> str:
    """What holds at the edge of a comparison of names and numbers: `a == b - 1` for `a < b`.

    Nothing where that is not what the condition says, as for a name that stands for something else
    there.
    """
    try:
        node = ast.parse(text, mode="eval").body
    except SyntaxError:  # a link of a chained comparison
        return ""
    match node:
        case ast.Compare(left=left, ops=[_], comparators=[right]):
            one, other = _plain_term(left), _plain_term(right)
        case _:
            return ""
    if one is None or other is None:
        return ""
    for beside in (0, 1, -1):
        if integers.eq(one, integers.add(other, int_const(beside))) is condition:
            if isinstance(right, ast.Constant):
                return f"{ast.unparse(left)} == {right.value + beside}"  # type: ignore[operator]
            shown = {0: "", 1: " + 1", -1: " - 1"}[beside]
            return f"{ast.unparse(left)} == {ast.unparse(right)}{shown}"
    return ""


def _plain_term(node: ast.expr) -> Term | None:
    """The term of a name or number; None for anything else."""
    match node:
        case ast.Name(id=name):
            return var(name, Sort.INT)
        case ast.Constant(value=int() as value) if not isinstance(value, bool):
            return int_const(value)
        case _:
            return None


def edges_of(site: int, term: Term, without: Set[Aim] = frozenset()) -> list[Edge]:
    """The conditions under which what is compared is on the edge, or one beside it; no condition
    is made for an aim in `without`.
    """
    turned = term.op is NOT
    if turned:
        term = term.args[0]
    beside = _BESIDE.get(term.op)
    if beside is None:
        return []
    if turned and term.op is LE0:
        beside = {"False": 0, "True": 1}
    compared = " ".join(sorted(names(term))) if site == RESULT else ""
    places: list[tuple[Place, int]] = [((site, w, compared), at) for w, at in beside.items()]
    wanted = [each for each in places if each[0] not in without]
    if not wanted or (term.op is EQ0 and not _is_number(term)):
        return []
    if term.op in (FLE, FLT):
        return [Edge(aim, floats.eq(*term.args)) for aim, _ in wanted]
    inner = term.args[0]
    return [Edge(aim, integers.eq(inner, int_const(at))) for aim, at in wanted]


def _is_number(term: Term) -> bool:
    """Whether numbers are compared, and not characters or lengths, which are numbers to a solver:
    the variables are named as the arguments and attributes of a program are.
    """
    found = names(term)
    return bool(found) and all(name.replace(".", "").isidentifier() for name in found)


def _is_comparison(site: Site) -> bool:
    return not site.implicit and site.kind not in ("for", "case")
