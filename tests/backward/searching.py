"""The symbolic phase alone, from a line of a small module back to its function `f`."""

from __future__ import annotations

import time
from pathlib import Path as FilePath
from typing import Any

from symcrete.backward.abstraction import plainest, understood
from symcrete.backward.backtrack import AtEntry, Found, NoInput, Path, Search, Start
from symcrete.backward.entry_inputs import sort_of, variants
from symcrete.backward.sorts import Sorts
from symcrete.backward.trace_program import TraceProgram
from symcrete.backward.view.program_view import Program
from symcrete.constraint.path import PathConstraint
from symcrete.inputs.shapes.arguments import arguments_of
from symcrete.program.source.sites import functions
from symcrete.solve.choose import make_solver
from symcrete.solve.solver import Unsat


def loaded(file: FilePath) -> dict[str, Any]:
    """The names of a module after its import."""
    namespace: dict[str, Any] = {"__name__": file.stem, "__file__": str(file)}
    exec(compile(file.read_text(encoding="utf-8"), str(file), "exec"), namespace)
    return namespace


def program_of(file: FilePath) -> Program:
    return Program(loaded(file), str(file), ())


def searched(
    file: FilePath,
    line: int,
    *,
    seconds: float = 1.0,
    program: Program | None = None,
    arrivals: list[TraceProgram] | None = None,
) -> Search:
    """A search that closes a path only where its conditions contradict each other.

    It ends at the first path that some input may take: nothing is proved then. What came to the
    entry point is added to `arrivals`.
    """
    program = program or program_of(file)
    flows = program.flows()
    entry = flows["f"]
    function = program.namespace(entry)["f"]
    arguments = arguments_of(function, {}, "f")
    solver = make_solver("auto", ippc="off", seconds=0.2, seed=0)
    sorts = Sorts(program)
    sorts.declare(entry, {p.name: sort_of(p.shape) for p in arguments.parameters})
    sorts.settle()

    def arrived(path: Path) -> AtEntry:
        for variant in variants(arguments):
            traced = TraceProgram(path.trace, variant)
            if arrivals is not None:
                arrivals.append(traced)
            if any(term.is_const and not term.value for _, term in traced.meaning.conditions):
                continue
            terms, _ = understood(traced.conditions)
            if not terms:
                return Found()
            constraint = PathConstraint(tuple(terms[1:]), terms[0])
            if not isinstance(solver.solve(constraint, plainest(terms)), Unsat):
                return Found()
        return NoInput("contradiction")

    inside = [
        scope
        for scope, node in functions(program.text.trees[str(file)])
        if node.body[0].lineno <= line <= (node.end_lineno or 0)
    ]
    flow = flows[inside[-1]]
    search = Search(
        program=program,
        sorts=sorts,
        solver=solver,
        entries=frozenset({"f"}),
        deadline=time.perf_counter() + seconds,
        on_path=arrived,
    )
    search.run([Start(flow, number) for number in flow.starts(line)])
    return search
