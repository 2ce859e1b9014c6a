"""The corpus of the concolic walk's Tables 5.1 and 5.2: what a solver gets out of each program.

CORAL and FloPSy are formulas that are solved or not; blind and hash are functions with one target
each; the others are explored, and the branches that the inputs found then execute are counted with
coverage.py, as the dissertation counts those of its tests with JaCoCo.
"""

from __future__ import annotations

import importlib
import json
import math
import tempfile
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from coverage import Coverage

from experiments.formulas import Formula
from symcrete.clock import processor
from symcrete.constraint.path import PathConstraint
from symcrete.explore.compose import cover
from symcrete.explore.options import options_from
from symcrete.program.source.target import targets_of
from symcrete.solve.solver import Answer, Sat, Solver, Unsat
from symcrete.terms.evaluate import all_hold
from symcrete.terms.term import forget


@dataclass(frozen=True)
class Program:
    """A row of Table 5.1; `percent` is the dissertation's median for its walk."""

    name: str
    loc: int  # of the Java version, the weight in the averages
    percent: int
    functions: tuple[str, ...] = ()  # none: formulas
    is_benchmark: bool = False  # each function has one target, which is to return True

    @property
    def module(self) -> str:
        return f"experiments.subjects.walk.{'stats' if self.name == 'stat' else self.name}"


PROGRAMS = {
    program.name: program
    for program in (
        Program("coral", 335, 78),
        Program("blind", 17, 100, ("blind",), is_benchmark=True),
        Program("hash", 54, 80, tuple(f"collision{n}" for n in range(1, 6)), is_benchmark=True),
        Program("opti", 48, 50),
        Program("dart", 18, 86, ("dart",)),
        Program("power", 31, 100, ("power",)),
        Program(
            "ray",
            304,
            90,
            tuple(f"{n}_driver" for n in ("normalise", "intersect", "trace", "phong", "shade")),
        ),
        Program("sine", 289, 55, ("sine",)),
        Program("stat", 113, 75, ("stat",)),
        Program("tcas", 157, 91, ("tcas",)),
        Program("tsafe", 88, 92, ("conflict", "turn_logic")),
    )
}


@dataclass(frozen=True)
class Cell:
    """What one solver covered of one program with one seed."""

    covered: frozenset[str]
    total: int
    seconds: float
    refuted: frozenset[str] = frozenset()

    @property
    def percent(self) -> float:
        return 100 * len(self.covered) / self.total

    def joined(self, other: Cell) -> Cell:
        """The tests of both together, as the dissertation combines tools."""
        return Cell(self.covered | other.covered, self.total, self.seconds + other.seconds)


def solved(formulas: Iterable[Formula], make: Callable[[], Solver]) -> Cell:
    """Which formulas a solver finds a solution for, each asked on its own."""
    found, refuted, total, seconds = set(), set(), 0, 0.0
    for formula in formulas:
        total += 1
        solver = make()
        began = time.process_time()  # other people's load is not ours
        answers = solve(solver, formula)
        seconds += time.process_time() - began
        if any(isinstance(answer, Sat) for answer in answers):
            found.add(formula.name)
        elif all(isinstance(answer, Unsat) for answer in answers):
            assert not formula.satisfiable, f"{formula.name} has a solution"
            refuted.add(formula.name)
    return Cell(frozenset(found), total, seconds, frozenset(refuted))


def solve(solver: Solver, formula: Formula) -> list[Answer]:
    """The answers for its paths, up to the first that is solved."""
    answers: list[Answer] = []
    for path in formula.paths:
        answer = solver.solve(PathConstraint(path[:-1], path[-1]), formula.start)
        answers.append(answer)
        if isinstance(answer, Sat):
            assert all_hold(path, answer.assignment), f"{formula.name}: {answer}"
            break
    return answers


def explored(program: Program, options: dict[str, Any]) -> Cell:
    """What the inputs cover that exploring each function brings."""
    module = importlib.import_module(program.module)
    assert module.__file__ is not None
    calls: list[tuple[Callable[..., Any], dict[str, Any]]] = []
    seconds = 0.0
    for name in program.functions:
        target = targets_of(f"{module.__file__}::{name}")[0]
        began = time.process_time()
        given = {**options, "replay": False, "within": program.module, "goals": "branches"}
        report = cover(target, options_from(given), clock=processor)
        seconds += time.process_time() - began
        assert not report.error, report.error
        calls += [(getattr(module, name), _values(found.args)) for found in report.inputs]
    forget()
    if program.is_benchmark:
        hit = {function.__name__ for function, args in calls if _called(function, args) is True}
        return Cell(frozenset(hit), len(program.functions), seconds)
    executed, missing = _branches(module.__file__, calls)
    return Cell(frozenset(executed), len(executed) + len(missing), seconds)


def _values(args: dict[str, str]) -> dict[str, Any]:
    return {name: eval(text, {"nan": math.nan, "inf": math.inf}) for name, text in args.items()}


def _called(function: Callable[..., Any], args: dict[str, Any]) -> Any:
    try:
        return function(**args)
    except Exception:
        return None


def _branches(
    file: str, calls: Iterable[tuple[Callable[..., Any], dict[str, Any]]]
) -> tuple[list[str], list[str]]:
    """The branches of a file that these calls execute, and the others."""
    coverage = Coverage(branch=True, data_file=None, include=[file])
    with coverage.collect():
        for function, args in calls:
            _called(function, args)
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "coverage.json"
        coverage.json_report(outfile=str(out))
        (found,) = json.loads(out.read_text())["files"].values()
    return (
        [f"{line} to {to}" for line, to in found["executed_branches"]],
        [f"{line} to {to}" for line, to in found["missing_branches"]],
    )
