"""The answer of `reach` for people: the input, a ready test, the path condition, the route."""

from __future__ import annotations

import io
from typing import assert_never

from symcrete.explore.findings import Report
from symcrete.explore.reach.reached import Reached, Undecided, Unreachable, Verdict
from symcrete.notation import several
from symcrete.report.tests.pytest_file import PytestFile

LONGEST_PROOF = 40  # lines: what a screen holds
LONGEST_CONDITION = 300  # characters: three lines of a terminal


def told(verdict: Verdict, *, verbose: bool = False) -> list[str]:
    """The lines of the answer; `verbose`: with the route, and without cutting what is long."""
    match verdict:
        case Reached():
            return _reached(verdict, verbose)
        case Unreachable(proof=proof):
            lines = [
                f"{verdict.target}: unreachable from {verdict.entry}{_cost(verdict)}",
                "proof:",
            ]
            shown = proof if verbose else proof[:LONGEST_PROOF]
            lines += [f"  {line}" for line in shown]
            if len(shown) < len(proof):
                lines.append(f"  ... {len(proof) - len(shown)} more, -v shows all")
            lines += [f"assuming that {each}" for each in verdict.assumes]
            return lines
        case Undecided(reason=reason):
            first = f"{verdict.target}: not decided from {verdict.entry}{_cost(verdict)}"
            return [first, f"  because {reason}"]
        case _:
            assert_never(verdict)


def _reached(verdict: Reached, verbose: bool) -> list[str]:
    scope = verdict.entry.rpartition("::")[2]
    call = ", ".join(f"{name}={text}" for name, text in verdict.args.items())
    lines = [f"{verdict.target}: reached by {scope}({call}){_cost(verdict)}"]
    for found in verdict.report.inputs[:1]:
        lines += [f"  after {statement}" for statement in (*found.told_situation, *found.setup)]
        lines += [f"  then {use.text}" for use in found.uses]
    if verdict.note:
        lines.append(f"  note: {verdict.note}")
    lines.append(f"  path condition: {_shown(verdict.path_condition, verbose)}")
    if verbose:
        lines.append(f"  found by the {verdict.phase} phase; the route:")
        for line, text in verdict.route:
            lines.append(f"    line {line:>4}  {text}")
        if not verdict.route:
            lines.append("    no branch on the way depends on the input")
    out = io.StringIO()
    PytestFile().emit(Report((verdict.report,)), out)
    if out.getvalue():
        lines += ["", *out.getvalue().rstrip().splitlines()]
    lines += [f"  no test: {each.untested}" for each in verdict.report.inputs if each.untested]
    return lines


def _shown(condition: str, verbose: bool) -> str:
    if not condition:
        return "none, every input gets there"
    if verbose or len(condition) <= LONGEST_CONDITION:
        return condition
    return f"{condition[:LONGEST_CONDITION]} ... (-v shows all)"


def _cost(verdict: Verdict) -> str:
    return f"  ({several(verdict.segments, 'segment')}, {verdict.seconds:.2f} s)"
