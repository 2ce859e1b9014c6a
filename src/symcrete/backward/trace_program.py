"""The concrete phase: the trace as a program over the inputs, searched for one that fits (section
4.3).

The trace is a straight line of assignments, calls of real code, `fit` and `change`. The symbolic
solution seeds the search; the inputs to be changed first are those that a `fit` depends on and that
stand behind a constraint the symbolic phase had to leave out.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from symcrete.backward.abstraction import plainest, understood, without_applications
from symcrete.backward.entry_inputs import Aside, Variant
from symcrete.backward.meaning import Interpretation, Meaning
from symcrete.backward.trace_statements import (
    Apply,
    Change,
    Fit,
    Hidden,
    Input,
    Let,
    Trace,
    Wrote,
    entries,
)
from symcrete.backward.transfer import expressible
from symcrete.backward.versions import sees_writes, without_marks
from symcrete.clock import Clock, wall
from symcrete.constraint.path import PathConstraint
from symcrete.errors import CutShort
from symcrete.inputs.draw.sampling import Pool
from symcrete.program.lowering.three_address import Constant, Operand
from symcrete.slotted import dataclass
from symcrete.solve.solver import Sat, Solver, Unknown, Unsat
from symcrete.solve.wrappers.run_time_values import replaced
from symcrete.terms.evaluate import Assignment, all_hold
from symcrete.terms.show import show_all
from symcrete.terms.term import VAR, Sort, Term
from symcrete.terms.visit import names, postorder, seen_by_solvers

# objects built for one path; chosen, not measured: SECONDS_PER_DRAWING ends it first where building
# is slow
MOST_DRAWS = 2000
# seconds for one path, from a budget that many paths share; chosen, not measured
SECONDS_PER_DRAWING = 0.3
# part of a walk's time for which only inputs behind a `change` move. Of eight functions three need
# fewer points so (1,534 became 175 where three numbers are in order and one has a given divisor),
# four as many, and one, whose held inputs are tied to the others, loses this part.
HELD_SHARE = 0.1


@dataclass(frozen=True, slots=True)
class Draw:
    """How inputs without terms are drawn.

    Building them, and computing opaque terms, calls code of the program; that is done within
    `aside`, where it is cut like a run.
    """

    pool: Pool
    random: Random
    aside: Aside
    until: float  # the moment when all drawing has to end, by the clock
    clock: Clock = wall

    def hold(self, terms: list[Term], assignment: Assignment) -> bool:
        """Whether all terms hold for an assignment; False if computing them takes too long."""
        try:
            with self.aside():
                return all_hold(terms, assignment)
        except CutShort:
            return False


@dataclass(frozen=True, slots=True)
class Candidate:
    """An input that should take the path; `sure` if every condition of the trace holds for it."""

    assignment: Assignment
    phase: str  # symbolic, concrete
    sure: bool


@dataclass(frozen=True, slots=True)
class Closed:
    """A proof that no input takes the path."""

    why: str


@dataclass(frozen=True, slots=True)
class Unfit:
    """No input that takes the path was found, which is no proof."""

    why: str


class TraceProgram:
    """One trace that came to an entry point, for one variant of the inputs."""

    def __init__(self, trace: Trace, variant: Variant) -> None:
        self._trace = trace
        self._variant = variant
        self.meaning = self._interpreted(hopeful=False)

    def _interpreted(self, *, hopeful: bool) -> Meaning:
        inputs = self._variant.values
        return Interpretation(lambda _: Sort.OBJECT, inputs, hopeful=hopeful).meaning(self._trace)

    @property
    def conditions(self) -> list[Term]:
        """The conditions that must hold whatever annotations say: a contradiction among them is a
        proof.
        """
        return self._conditions(self.meaning)

    def _conditions(self, meaning: Meaning) -> list[Term]:
        found = [term for _, term in meaning.conditions if not term.is_const]
        return [*self._variant.facts, *found]

    @property
    def computable(self) -> list[Term]:
        """The conditions that evaluation can decide: no value in them is hidden.

        Here annotations of locals and results are believed; they tell the walk what is a number.
        """
        hoped = self._interpreted(hopeful=True)
        if any(term.is_const and not term.value for _, term in hoped.conditions):
            hoped = self.meaning  # some annotation is wrong
        known = set(self._variant.near)
        found = [term for term in self._conditions(hoped) if names(term) <= known]
        return [term for term in found if not _depends_on_writes(term)]

    def solve(
        self, solver: Solver, walk: Callable[[float], Solver], draw: Draw
    ) -> Candidate | Closed | Unfit:
        """An input from the symbolic solution where there is one, else from a concolic walk that
        starts there; `walk` makes one for a part of the time that there is.

        Inputs without terms are drawn until the conditions on them alone hold.
        """
        if any(term.is_const and not term.value for _, term in self.meaning.conditions):
            return Closed(self.meaning.contradiction or "a condition contradicts the constants")
        terms, complete = understood(self.conditions)
        near = dict(self._variant.near)
        solved = not terms
        if terms:
            answer = _ask(solver, terms, near)
            if isinstance(answer, Unsat):
                core = [term for term in answer.core if not term.is_const]
                return Closed(f"contradiction: {without_marks(show_all(core or terms))}")
            if isinstance(answer, Sat):
                near |= without_applications(answer.assignment)
                solved = True
        everything = self.computable
        sure = len(everything) == len(self.conditions) and not self.meaning.hidden
        if draw.hold(everything, near):
            phase = "symbolic" if complete and solved else "concrete"
            return Candidate(self._chosen(near), phase, sure)
        given: Assignment = {}
        objects = set(self._variant.objects)
        alone = [term for term in everything if names(term) <= objects]
        if objects and not draw.hold(alone or everything, near):
            drawn = self._drawn(alone or everything, near, draw)
            if drawn is None:
                return Unfit(f"nothing drawn for {', '.join(sorted(objects))} fits")
            given, plain = drawn
            near |= plain
            if draw.hold(everything, near):
                return Candidate({**self._chosen(near), **given}, "concrete", sure)
        fewer = self._held(everything, near) if terms and solved else None
        answer = _walked(walk, everything, fewer, near)
        if isinstance(answer, Sat):
            found = self._chosen({**near, **answer.assignment})
            return Candidate({**found, **given}, "concrete", sure)
        reason = answer.reason if isinstance(answer, Unknown) else "the walk found a contradiction"
        return Unfit(reason)

    def _held(self, terms: list[Term], near: Assignment) -> list[Term] | None:
        """The conditions with every input outside of Figure 4.2's B and R at its value in the
        symbolic solution; None if one of them cannot hold then, or all inputs are in both.
        """
        behind, required = self.changeable()
        held = {name for term in terms for name in names(term)} - (behind & required)
        if not held:
            return None
        nodes = postorder(terms, seen_by_solvers)
        memo = {node: node for node in nodes if node.op.opaque}  # their inputs are all in R
        left = [
            replaced(term, near, lambda node: node.op is VAR and node.args[0] in held, memo)
            for term in terms
        ]
        if any(names(term) & held or (term.is_const and not term.value) for term in left):
            return None
        return [term for term in left if not term.is_const] or None

    def _drawn(
        self, terms: list[Term], near: Assignment, draw: Draw
    ) -> tuple[Assignment, Assignment] | None:
        """The variables and plain values of inputs without terms for which the conditions hold;
        None if none were drawn.
        """
        until = min(draw.clock() + SECONDS_PER_DRAWING, draw.until)
        for _ in range(MOST_DRAWS):
            given: Assignment = {}
            plain: Assignment = {}
            for name, shape in self._variant.objects.items():
                shape.sample(name, draw.pool, draw.random, given)
                try:
                    with draw.aside():
                        plain[name] = shape.plain(name, given)
                except Exception:  # a constructor that refuses these arguments
                    break
            if len(plain) == len(self._variant.objects) and draw.hold(terms, {**near, **plain}):
                return given, plain
            if draw.clock() > until:
                break
        return None

    def _chosen(self, found: Assignment) -> Assignment:
        objects = self._variant.objects
        kept = {name: value for name, value in found.items() if name not in objects}
        return {**kept, **self._variant.chosen}

    def changeable(self) -> tuple[set[str], set[str]]:
        """The dissertation's B and R: the inputs behind a `fit`, and those behind what was left to
        this phase.
        """
        behind: set[str] = set()
        required: set[str] = set()
        for fit, term in self.meaning.conditions:
            behind |= names(term)
            if fit in self.meaning.skipped or not expressible(term):
                required |= names(term)
        return behind, required

    def text(self) -> str:
        """The trace as Python, with `fit` and `change` as in the dissertation's figures."""
        lines = []
        parameters = ", ".join(self._variant.values)
        for entry in entries(self._trace):
            match entry:
                case Let(symbol=symbol, operation="copy", args=(arg,)):
                    lines.append(f"{_name(symbol)} = {_name(arg)}")
                case Let(symbol=symbol, operation=operation, args=args):
                    shown = ", ".join(map(_name, args))
                    lines.append(f"{_name(symbol)} = {operation}({shown})")
                case Apply(symbol=symbol, name=name, args=args):
                    shown = ", ".join(map(_name, args))
                    lines += [f"{_name(symbol)} = {name}({shown})", f"change({_name(symbol)})"]
                case Input(symbol=symbol, parameter=parameter):
                    lines.append(f"{_name(symbol)} = {parameter}")
                case Hidden(symbol=symbol, why=why):
                    lines.append(f"{_name(symbol)} = hidden({why!r})")
                case Fit(operand=operand, side=side, line=line):
                    wanted = "" if side else "not "
                    lines.append(f"fit({wanted}{_name(operand)})  # line {line}")
                case Wrote(container=container):
                    what = "anything" if container is None else _name(container)
                    lines.append(f"wrote({what})")
                case Change(fit=fit):
                    lines.append(f"change({_name(fit.operand)})")
        return "\n".join([f"def trace({parameters}):", *[f"    {line}" for line in lines]])


def _depends_on_writes(term: Term) -> bool:
    return any(node.op.opaque and sees_writes(node.op.name) for node in postorder([term]))


def _name(operand: Operand) -> str:
    if isinstance(operand, Constant):
        return repr(operand.value)
    return operand.replace("%", "t")


def _walked(
    walk: Callable[[float], Solver], terms: list[Term], fewer: list[Term] | None, near: Assignment
) -> Sat | Unsat | Unknown:
    """What a walk finds: first with some inputs held, where there are such conditions, then with
    all of them free.
    """
    if fewer is None:
        return _ask(walk(1.0), terms, near)
    answer = _ask(walk(HELD_SHARE), fewer, near)
    if isinstance(answer, Sat):
        return answer
    return _ask(walk(1.0 - HELD_SHARE), terms, near)


def _ask(solver: Solver, terms: list[Term], near: Assignment) -> Sat | Unsat | Unknown:
    wanted = {name for term in terms for name in names(term)}
    known = {name: value for name, value in near.items() if name in wanted}
    start = {**plainest(terms), **known}
    try:
        return solver.solve(PathConstraint(tuple(terms[:-1]), terms[-1]), start)
    except Exception as error:
        return Unknown(f"the solver failed: {type(error).__name__}: {error}")
