"""The symbolic phase: depth-first search from the target back to an entry point (Algorithm 4.1).

After each condition the solver is asked whether the path so far is satisfiable. A contradiction
closes it; a condition the solver cannot decide is left out and marked `change`; a path that comes
to an entry point is handed on. When every path is closed the target is unreachable, and the closed
tree is the proof.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import field, replace
from functools import partial
from typing import TypeAlias, assert_never

from symcrete.backward.abstraction import plainest, understood
from symcrete.backward.choices import Frame, State, Symbols
from symcrete.backward.loop_method import Ending
from symcrete.backward.meaning import Interpretation, Meaning
from symcrete.backward.slicing import Stretches
from symcrete.backward.sorts import Sorts
from symcrete.backward.steps import Steps
from symcrete.backward.trace_statements import Change, Fit, Trace
from symcrete.backward.versions import without_marks
from symcrete.backward.view.program_view import Program
from symcrete.constraint.path import PathConstraint
from symcrete.program.lowering.three_address import FLOW_ENTRY, Edge, Flow, Loop, Mark
from symcrete.slotted import dataclass
from symcrete.solve.solver import Answer, Sat, Solver, Unknown, Unsat
from symcrete.terms.show import show_all
from symcrete.terms.term import Sort, Term

MOST_TURNS_ON_A_PATH = 10  # L of the paper: turns of a loop on one path; chosen, not measured
# turns of a loop on all paths together; chosen, not measured
TOTAL_TURNS = 4 * MOST_TURNS_ON_A_PATH
# turns after which a loop's method is tried beside unrolling it; chosen, not measured
FEW_TURNS = 5
MOST_SEGMENTS = 20_000  # pieces of one search: bounds its memory; chosen, not measured


@dataclass(frozen=True, slots=True)
class Start:
    """Where the search begins: before a statement, or after a branch went one way."""

    flow: Flow
    statement: int
    side: bool | None = None
    # whether it begins after the statement, whose effect then counts: a branch that goes one way
    after: bool = False
    error: str | None = None  # the exception that the statement raises instead of completing


@dataclass(slots=True)
class Segment:
    """One straight piece of the search tree and how it ended."""

    parent: int
    scope: str
    first: int  # first and last line of the piece
    last: int
    ending: str = ""


@dataclass(frozen=True, slots=True)
class Path:
    """A potentially feasible path from an entry point to the target."""

    entry: Flow
    trace: Trace
    segment: Segment  # the last segment of the path


@dataclass(frozen=True, slots=True)
class Found:
    """An input takes the path: the search is over."""


@dataclass(frozen=True, slots=True)
class NoInput:
    """Proved: no input takes the path."""

    why: str


@dataclass(frozen=True, slots=True)
class NotKnown:
    """Neither an input nor a proof was found for the path."""

    why: str
    general: bool = False  # as in `Reasons`


def in_vain(why: str) -> NotKnown:
    """What is left of a path that was tried without an outcome."""
    return NotKnown(why, general=True)


AtEntry: TypeAlias = Found | NoInput | NotKnown  # how a path that came to the entry point ended


@dataclass(slots=True)
class Reasons:
    """Why a search proves nothing, in words, each once."""

    blaming: dict[str, None] = field(default_factory=dict)  # they name something to blame
    # they only say that something was tried in vain, or what another one says better
    general: dict[str, None] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.blaming or self.general)

    def add(self, why: str, *, general: bool = False) -> None:
        """Have one more."""
        (self.general if general else self.blaming)[why] = None

    def blame(self, whys: Iterable[str]) -> None:
        """Have more of those that name something."""
        self.blaming.update(dict.fromkeys(whys))

    def take(self, others: Reasons) -> None:
        """Have all of the others, too."""
        self.blaming |= others.blaming
        self.general |= others.general

    @property
    def in_order(self) -> list[str]:
        """All of them, those that blame something first."""
        return list(self.blaming | self.general)


@dataclass(slots=True)
class Search:
    """The backward search of one symbolic phase, from a line to the entry points."""

    program: Program
    sorts: Sorts
    solver: Solver
    entries: frozenset[str]  # scopes
    deadline: float
    on_path: Callable[[Path], AtEntry]
    clock: Callable[[], float] = time.perf_counter
    slicing: bool = True
    segments: list[Segment] = field(default_factory=list)
    open_reasons: Reasons = field(default_factory=Reasons)
    # paths that arrived but are undecided, and why
    undecided: list[tuple[Segment, NotKnown]] = field(default_factory=list)
    found: bool = False
    _symbols: Symbols = field(default_factory=Symbols)
    _stretches: dict[Flow, Stretches] = field(default_factory=dict)
    _turns: dict[tuple[Flow, Edge], int] = field(default_factory=dict)
    _deferred: list[tuple[Loop, State]] = field(default_factory=list)
    _exceeded: set[Loop] = field(default_factory=set)
    _steps: Steps = field(init=False)
    _interpretation: Interpretation = field(init=False)

    def __post_init__(self) -> None:
        self._steps = Steps(self.program, self.sorts, self._symbols)
        flows = self.program.flows()
        for scope in self.entries & flows.keys():
            # A call from inside may hand on something else: only the outermost call is declared.
            if not self.program.leads_back_to(flows[scope]):
                self._steps.effects.kinds.declare(flows[scope])
        self._interpretation = Interpretation(self._sort_of, {})

    def run(self, starts: Iterable[Start]) -> None:
        """Search until a path is found to be real, every path is closed, or time is up."""
        stack = [state for start in starts for state in self._first(start)]
        stack.reverse()
        while stack and not self.found:
            if self.clock() > self.deadline or len(self.segments) >= MOST_SEGMENTS:
                self.open_reasons.add("the budget was spent before the search was closed")
                return
            state = stack.pop()
            number = len(self.segments)
            line = state.flow.statements[state.at].line
            self.segments.append(Segment(state.parent, state.flow.scope, line, line))
            choices = self._straight(state, number)
            stack += reversed([replace(choice, parent=number) for choice in choices])
            stack += self._given_up()
        for reason in self._steps.bounded:
            self.open_reasons.add(reason)

    def _given_up(self) -> list[State]:
        """The postponed steps over loops that have taken many turns by now; other loops are settled
        by unrolling alone.
        """
        found = [state for loop, state in self._deferred if loop in self._exceeded]
        if found:
            self._deferred = [each for each in self._deferred if each[0] not in self._exceeded]
        return found

    @property
    def proved(self) -> bool:
        """Whether the search is closed: every path was refuted, so no input reaches the target."""
        return not self.found and not self.open_reasons and not self.undecided

    def why_open(self) -> Reasons:
        """Why nothing is proved, with what the undecided paths leave open."""
        found = Reasons()
        found.take(self.open_reasons)
        for _, unknown in self.undecided:
            found.add(unknown.why, general=unknown.general)
        return found

    def close(self, segment: Segment, why: str) -> None:
        """Note why no input takes a path that led back to the entry: it is undecided no more."""
        segment.ending = why
        self.undecided = [each for each in self.undecided if each[0] is not segment]

    def _first(self, start: Start) -> list[State]:
        """The states in which the search begins."""
        frame = Frame(start.flow, {})
        state = State(start.statement, (frame,), None)
        if start.error is not None:
            edge = Edge(start.statement, start.statement, catches=(start.error,))
            return self._steps.raised(state, edge)
        if not start.after:
            return [state]
        return self._steps.over(state, start.statement, start.side)

    # -- one segment

    def _straight(self, state: State, segment: int) -> list[State]:
        """Follow the path back while there is one choice; return the choices where there are
        several.
        """
        told = self.segments[segment]
        checked: Trace = None
        while not self.found:
            if any(loop.header == state.at for loop in state.flow.loops):
                state = self._steps.always(state, state.flow.statements[state.at].line)
            if state.trace is not checked and _ends_in_fit(state.trace, checked):
                kept = self._check(state, told)
                if kept is None:
                    return []
                state = kept
                checked = state.trace
            told.last = state.flow.statements[state.at].line or told.last
            if state.at == FLOW_ENTRY:
                choices = self._leave(state, told)
            else:
                choices = self._choices(state)
            if len(choices) > 1:
                if state.trace is not checked and self._check(state, told) is None:
                    return []
                return choices
            if not choices:
                told.ending = told.ending or "no way leads here"
                return []
            state = choices[0]
            if self.clock() > self.deadline:
                self.open_reasons.add("the budget was spent before the search was closed")
                return []
        return []

    def _check(self, state: State, told: Segment) -> State | None:
        """The state with an undecided condition skipped; None where the path is a dead end."""
        meaning = self._interpretation.meaning(state.trace)
        answer, terms = self.ask(meaning)
        if isinstance(answer, Unsat):
            told.last = state.flow.statements[state.at].line or told.last
            told.ending = _contradiction(meaning, answer, terms)
            return None
        if isinstance(answer, Unknown):
            fit = _latest_fit(state.trace, meaning.skipped)
            return state if fit is None else state.with_entry(Change(fit))
        return state

    def ask(self, meaning: Meaning) -> tuple[Answer, list[Term]]:
        """Whether the conditions that a solver can understand are satisfiable, and the terms it
        was asked.
        """
        terms = []
        for fit, term in meaning.conditions:
            if term.is_const:
                if not term.value:
                    return Unsat((term,)), [term]
                continue
            if fit is None or fit not in meaning.skipped:
                terms.append(term)
        terms, _ = understood(terms)
        if not terms:
            return Sat({}), terms
        near = plainest(terms)
        try:
            return self.solver.solve(PathConstraint(tuple(terms[1:]), terms[0]), near), terms
        except Exception as error:
            return Unknown(f"the solver failed: {type(error).__name__}: {error}"), terms

    def _sort_of(self, symbol: str) -> Sort:
        flow, name = self._symbols.owner[symbol]
        return self.sorts.of(flow, name)

    # -- choices (Algorithm 4.3)

    def _choices(self, state: State) -> list[State]:
        flow, at = state.flow, state.at
        if flow.gaps:
            self.open_reasons.blame(flow.gaps)
        if self.slicing and state.error is None:
            touches = partial(self._steps.touches, state)
            above = self._stretch(flow).skip(at, state.frames[-1].names, touches)
            if above is not None:
                return self._steps.over(state, above, None)
        found: list[State] = []
        # Ways that skip a statement first, then those that pass through it, another turn of a loop
        # last.
        edges = sorted(
            flow.before[at],
            key=lambda edge: (self._loop_of(flow, edge) is not None, edge.source),
        )
        for edge in edges:
            if edge.catches is not None:
                found += self._steps.raised(state, edge)
                continue
            kept = self._turn(state, edge)
            if kept is not None:
                found += self._steps.over(kept, edge.source, edge.side)
        self._defer_loops(state)
        return found

    def _stretch(self, flow: Flow) -> Stretches:
        if flow not in self._stretches:
            self._stretches[flow] = Stretches(flow)
        return self._stretches[flow]

    def _loop_of(self, flow: Flow, edge: Edge) -> Loop | None:
        """The loop whose back edge this is; None if it is no back edge."""
        for loop in flow.loops:
            if loop.header == edge.target and edge.source in loop:
                return loop
        return None

    def _turn(self, state: State, edge: Edge) -> State | None:
        """The state with one more turn of the loop counted; None where there were too many."""
        loop = self._loop_of(state.flow, edge)
        if loop is None:
            return state
        key = (len(state.frames), edge.source, edge.target)
        done = state.turns.get(key, 0)
        total = self._turns.get((state.flow, edge), 0)
        if done >= MOST_TURNS_ON_A_PATH or total >= TOTAL_TURNS:
            line = loop.node.lineno
            self.open_reasons.add(
                f"the loop at line {line} was unrolled {MOST_TURNS_ON_A_PATH} times"
            )
            return None
        if total + 1 >= FEW_TURNS:
            self._exceeded.add(loop)
        self._turns[state.flow, edge] = total + 1
        return replace(state, turns={**state.turns, key: done + 1})

    def _defer_loops(self, state: State) -> None:
        """Postpone the step over a whole loop, for the case that unrolling it does not end."""
        flow, at = state.flow, state.at
        statement = flow.statements[at]
        if not isinstance(statement, Mark) or statement.kind not in ("exit", "else"):
            return
        # The place behind a loop with `else` is come to by `break`, the `else` without.
        by_itself = statement.kind == "else"
        for loop in flow.loops:
            key = (len(state.frames), loop.header)
            leads = any(edge.source in loop for edge in flow.before[at])
            if at in loop or not leads or key in state.loops:
                continue
            ending: Ending = ("itself" if by_itself else "break") if loop.node.orelse else "any"
            new = replace(state, loops=state.loops | {key}, parent=len(self.segments) - 1)
            self._deferred += [(loop, step) for step in self._steps.over_loop(new, loop, ending)]

    def _leave(self, state: State, told: Segment) -> list[State]:
        """Step from the first statement of a function to its caller, or end at an entry point."""
        frame = state.frames[-1]
        if frame.call is not None:
            left = self._steps.out_of(state, state.frames[-2], frame.call)
            if left is None:
                return []
            return [replace(left, frames=left.frames[:-2] + left.frames[-1:])]
        if frame.flow.scope in self.entries and frame.flow.file == self.program.file:
            self._arrive(state, told)
            if self.found or not self.sorts.is_called_with_others(frame.flow):
                return []  # any other call of it hands on the kinds that its types say
        callers = self.program.callers(frame.flow)
        is_entry = frame.flow.scope in self.entries
        if not is_entry and not (callers and self.program.is_called_only_by_name(frame.flow)):
            self.open_reasons.add(f"not every caller of {frame.flow.scope} is known", general=True)
        found = []
        for flow, number in callers:
            left = self._steps.out_of(state, Frame(flow, {}), number)
            if left is not None:
                found.append(left)
        if not callers and not is_entry:
            told.ending = f"nothing calls {frame.flow.scope}"
        return found

    def _arrive(self, state: State, told: Segment) -> None:
        done = self._steps.at_entry(state)
        if done is None:
            told.ending = "a local is used before anything is assigned to it"
            return
        match self.on_path(Path(state.flow, done.trace, told)):
            case Found():
                self.found = True
                told.ending = "an input takes this path"
            case NoInput(why):
                told.ending = why
            case NotKnown() as unknown:
                told.ending = unknown.why
                if not state.loops:  # what a step over a loop leaves open, unrolling it may settle
                    self.undecided.append((told, unknown))
            case other:
                assert_never(other)

    def proof(self) -> list[str]:
        """The search tree as text, a line for each segment."""
        depth: list[int] = []
        children: dict[int, list[int]] = {}
        for number, segment in enumerate(self.segments):
            children.setdefault(segment.parent, []).append(number)
            depth.append(0 if segment.parent < 0 else depth[segment.parent] + 1)
        lines: list[str] = []
        stack = list(reversed(children.get(-1, [])))
        while stack:
            number = stack.pop()
            segment = self.segments[number]
            below = children.get(number, [])
            place = f"line {segment.first}"
            if segment.last != segment.first:
                place += f" back to {segment.last}"
            ending = segment.ending or f"{len(below)} ways lead here"
            lines.append(f"{'  ' * depth[number]}{segment.scope}, {place}: {ending}")
            stack += reversed(below)
        return lines


def _ends_in_fit(trace: Trace, until: Trace) -> bool:
    """Whether a condition was prepended to the trace since it was `until`."""
    while trace is not None and trace is not until:
        if isinstance(trace[0], Fit):
            return True
        trace = trace[1]
    return False


def _latest_fit(trace: Trace, skipped: set[Fit]) -> Fit | None:
    """The first `fit` of the trace that is not skipped; None if there is none."""
    while trace is not None:
        entry, trace = trace
        if isinstance(entry, Fit) and entry not in skipped:
            return entry
    return None


def _contradiction(meaning: Meaning, answer: Unsat, terms: list[Term]) -> str:
    """Why a path is a dead end, in words."""
    if meaning.contradiction:
        return f"a statement on the way raises {meaning.contradiction}"
    core = [term for term in answer.core if not term.is_const]
    if core:
        return f"contradiction: {without_marks(show_all(core))}"
    for fit, term in meaning.conditions:
        if term.is_const and not term.value and fit is not None:
            side = "true" if fit.side else "false"
            return f"contradiction: {fit.text} cannot be {side} (line {fit.line})"
    return "contradiction"
