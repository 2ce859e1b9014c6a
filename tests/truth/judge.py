"""What is said of a program against what all its inputs do: every false claim, as a sentence."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from random import Random

from tests.truth.asking import PREFIX, Engine, Verdict, replays_when_needed
from tests.truth.domains import inputs, odd_inputs
from tests.truth.programs import ENTRY, Program, referee_of
from tests.truth.referee import Taken, TooLong

from symcrete.explore.attack.attack import RefutedProof
from symcrete.explore.findings import FoundInput, Spot, TargetReport, import_lines
from symcrete.explore.reach.reached import Reached, Undecided, Unreachable
from symcrete.world.module_state import UNSET

HISTORIES = 3  # calls in a row, where a program has state


@dataclass(slots=True)
class Judgement:
    """The claims made about one or many programs."""

    programs: int = 0
    feasible: int = 0  # sides that some input takes
    covered: int = 0
    infeasible: int = 0
    open_feasible: int = 0
    lines: int = 0  # asked of `reach`
    lines_reached: int = 0
    lines_unreachable: int = 0
    lines_open: int = 0  # executed by some input, and not decided
    conditions: int = 0  # path conditions read and evaluated
    lost: int = 0  # programs that were not judged, since their process ended
    false: list[str] = field(default_factory=list)
    open_reasons: Counter[str] = field(default_factory=Counter)

    def add(self, other: Judgement) -> None:
        for name in self.__slots__:
            mine = getattr(self, name)
            setattr(self, name, mine + getattr(other, name))


class Judge:
    """Compares one program's report and verdicts with the truth about it."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.referee = referee_of(program.text)
        self._depth = HISTORIES if program.has_state else 1
        self.truth = self.referee.everything(ENTRY, inputs(program.parameters), self._depth)
        odd = self.referee.everything(ENTRY, odd_inputs(program.parameters), 1)
        self.possible = Taken()
        self.possible.add(self.truth)
        self.possible.add(odd)
        for name in program.unordered:
            self.possible.add(self.referee.in_other_orders(ENTRY, inputs(program.parameters), name))
        self.found = Judgement(programs=1)
        self._entry = _entry_of(program.text)
        last = self._entry.end_lineno or 0
        self._own = {  # the conditions of the function itself
            place: keys
            for place, keys in self.referee.conditions.items()
            if self._entry.lineno <= place[0] <= last
        }

    def _false(self, claim: str) -> None:
        self.found.false.append(claim)

    # -- cover

    def report(self, report: TargetReport) -> None:
        """Judge what `cover` said."""
        if report.error:
            self._false(f"failed: {report.error}")
            return
        own = {key for keys in self._own.values() for key in keys}
        self.found.feasible += sum(key in own for key, _ in self.truth.sides)
        self.found.covered += report.conditions.covered
        self.found.infeasible += report.conditions.infeasible
        self._infeasible(report.infeasible)
        self._open(report.open)
        for each in report.inputs:
            self._input(each)

    def _infeasible(self, spots: Iterable[Spot]) -> None:
        for (line, column, side), count in _places(spots).items():
            keys = self._own.get((line, column), [])
            never = [key for key in keys if (key, side) not in self.possible.sides]
            if count > len(keys):
                self._false(f"no such condition: line {line} column {column}")
            elif count > len(never):
                self._false(f"called infeasible, but taken: line {line} column {column} {side}")

    def _open(self, spots: tuple[Spot, ...]) -> None:
        for (line, column, side), count in _places(spots).items():
            keys = self._own.get((line, column), [])
            taken = sum((key, side) in self.truth.sides for key in keys)
            self.found.open_feasible += min(taken, count)
        taken_reasons = [
            each.reason
            for each in spots
            if any(
                (key, each.side) in self.truth.sides
                for key in self._own.get((each.line, each.column), [])
            )
        ]
        self.found.open_reasons.update(taken_reasons)

    def _input(self, given: FoundInput) -> None:
        """Judge one input: the sides it covers, its path condition and how it ends."""
        try:
            self.referee.afresh()
            arguments = self._arguments(given)
        except Exception as error:
            self._false(f"arguments {given.args} do not evaluate: {error!r}")
            return
        self._path_condition(given.path_condition, arguments, str(given.args))
        outcome, taken = self.referee.run(ENTRY, arguments)
        if given.outcome == "flaky":  # it says itself that other calls before it matter
            taken.add(self.possible)
        sides = {(*key[:2], side) for key, side in taken.sides}
        sides |= {(*place, True) for place in taken.places}
        for spot in given.covers:
            if not spot.kind and (spot.line, spot.column, spot.side) not in sides:
                self._false(
                    f"{given.args} is said to cover line {spot.line} column {spot.column} {spot.side}"
                )
        if given.outcome == "returned" and given.returned is not None:
            expected = eval(given.returned, self.referee.names)
            if outcome.raised or (type(expected), repr(expected)) != (
                type(outcome.returned),
                repr(outcome.returned),
            ):
                self._false(f"{given.args} returns {outcome}, not {given.returned}")
        if given.outcome == "raised" and given.raised is not None:
            if outcome.raised is None or type(outcome.raised).__name__ not in given.raised:
                self._false(f"{given.args} gives {outcome}, not {given.raised}")

    def _arguments(self, given: FoundInput) -> dict[str, object]:
        """The arguments of an input, once its situation is set: variables of the module."""
        for each in given.situation:
            variable = each.source.partition(".")[2]
            if variable.endswith(UNSET):  # a name that calls bind, before any has
                self.referee.names.pop(variable.removesuffix(UNSET), None)
                continue
            # What a cached function remembers is no variable: it is emptied by a call.
            setting = variable if variable.endswith(")") else f"{variable} = {each.value}"
            exec(setting, self.referee.names)
        names = dict(self.referee.names)
        # What the program defines is there; it is no module that could be imported here.
        lines = [each for each in import_lines([given]) if PREFIX not in each]
        exec("\n".join([*lines, *given.setup]), names)
        return {name: eval(text, names) for name, text in given.args.items()}

    def _path_condition(self, text: str, arguments: dict[str, object], shown: str) -> None:
        self.found.conditions += 1
        try:
            holds = eval(text, {**self.referee.names, **arguments})
        except Exception as error:
            self._false(f"path condition of {shown} is not Python: {text!r}: {error!r}")
            return
        if not holds:
            self._false(f"path condition of {shown} is not true of it: {text!r}")

    # -- reach

    def verdict(self, line: int, verdict: Verdict) -> None:
        """Judge what `reach` said of a line."""
        self.found.lines += 1
        match verdict:
            case Reached():
                self.found.lines_reached += 1
                self._reached(line, verdict)
            case Unreachable():
                self.found.lines_unreachable += 1
                if line in self.possible.lines:
                    self._false(f"called unreachable, but executed: line {line}: {verdict.proof}")
            case Undecided():
                self.found.lines_open += line in self.truth.lines
                if line in self.truth.lines:
                    self.found.open_reasons[f"reach: {verdict.reason}"] += 1

    def _reached(self, line: int, verdict: Reached) -> None:
        entry = verdict.entry.rpartition("::")[2]
        self.referee.afresh()
        try:
            arguments = self._arguments(verdict.report.inputs[0])
        except Exception as error:
            self._false(f"arguments {verdict.args} do not evaluate: {error!r}")
            return
        if line not in self.referee.run(entry, arguments)[1].lines:
            self._false(f"line {line} is not executed by {entry}({verdict.args})")

    def lines_to_ask(self, most: int, random: Random) -> list[int]:
        """Some lines of the function, those that no input executes among them."""
        simple = [
            node.lineno
            for node in ast.walk(self._entry)
            if isinstance(node, ast.Return | ast.Assign | ast.AugAssign | ast.Raise | ast.Expr)
        ]
        never = [line for line in simple if line not in self.possible.lines]
        chosen = random.sample(simple, min(most, len(simple)))
        return sorted({*chosen, *random.sample(never, min(most, len(never)))})[: most + 1]


def _entry_of(text: str) -> ast.FunctionDef:
    """The function of a program that claims are about."""
    body = ast.parse(text).body
    return next(n for n in body if isinstance(n, ast.FunctionDef) and n.name == ENTRY)


def _places(spots: Iterable[Spot]) -> Counter[tuple[int, int, bool]]:
    return Counter([(each.line, each.column, each.side) for each in spots])


def judged(program: Program, engine: Engine, lines: int) -> Judgement:
    """Ask about a program and its lines, and judge the answers; one with endless runs is left out."""
    try:
        judge = Judge(program)
    except TooLong:
        return Judgement()
    file = engine.written(program.text)
    # What an input does after earlier ones only is found out where it is replayed alone.
    cover = engine.covered_and_replayed if program.has_state else engine.covered
    try:
        judge.report(cover(file, ENTRY))
    except RefutedProof as refuted:  # by the engine itself, in time: it was wrong all the same
        judge.found.false.append(str(refuted))
    asked = judge.lines_to_ask(lines, Random(program.seed))
    if not program.has_state:
        for line in asked:
            judge.verdict(line, engine.reached(file, line))
        return judge.found
    with replays_when_needed() as replay:
        for line in asked:
            judge.verdict(line, engine.reached_and_replayed(file, line, replay))
    return judge.found
