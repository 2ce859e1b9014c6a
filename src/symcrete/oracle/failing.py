"""Inputs on which a function fails: found in a program that judges it, confirmed on it alone."""

from __future__ import annotations

import ast
import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from symcrete.clock import Clock, wall
from symcrete.errors import SymcreteError
from symcrete.explore.findings import FoundInput, Spot, TargetReport
from symcrete.explore.options import Options
from symcrete.oracle.docstring_examples import run_examples
from symcrete.oracle.documented import Condition, documented
from symcrete.oracle.explored import alone, as_called, assumed, explored, why_open
from symcrete.oracle.faults import UNUSED
from symcrete.oracle.judged import HOLDS, Fault, judging_target
from symcrete.oracle.subjects import announced, report_of
from symcrete.oracle.verdicts import Checked, Failure
from symcrete.program.source.target import Target
from symcrete.run.use import Ending

MOST_FAULTS = 5  # of one function that are told, each with its input; chosen, not measured
_OF_CONTRACTS = ("ContractError", "ViolationError")  # what a wrapper raises in place of others
# seconds at most to look for each fault after the first: most functions have one; chosen,
# not measured
MORE_SECONDS = 2.0
# seconds; with less of the budget left, no other fault is looked for; chosen, not measured
LEAST_SECONDS_PER_FAULT = 1.0
# In the text of an input: an object that no constructor made, or a stand-in.
_MADE_UP = ("object.__new__(", "SimpleNamespace(", "create_autospec(")


def check(
    target: Target,
    options: Options,
    *,
    expected: tuple[str, ...] = (),
    on_protection: Callable[[list[str]], None] = lambda lines: None,
    clock: Clock = wall,
) -> Checked:
    """Whether a function fails: an assertion, a contract, an example of its documentation, or an
    exception that is neither announced there nor expected. After a fault was found, others are
    looked for.
    """
    began = clock()
    promised = documented(target)
    faults: list[Fault] = []
    failures: list[Failure] = []
    runs = 0
    with tempfile.TemporaryDirectory(prefix="symcrete-check-") as name:
        shown = run_examples(target, Path(name).resolve(), options)
        doubtful = promised.not_asked or shown.doubtful
        searching = clock()
        while True:
            left = options.budget - (clock() - searching)
            most = left if not faults else min(left, MORE_SECONDS)
            folder = Path(name).resolve() / str(len(faults))
            judging = judging_target(target, folder, expected, tuple(faults))
            report = explored(
                judging,
                [target],
                replace(options, budget=max(most, LEAST_SECONDS_PER_FAULT)),
                on_protection,
            )
            runs += report.runs
            found = [each for each in report.inputs if _says_it_fails(each)]
            for each in found:
                fault = Fault(*ast.literal_eval(each.returned or ""))
                faults.append(fault)
                if fault.kind == UNUSED:
                    doubtful = "what it returns is not called or iterated here"
                    continue
                stated = promised.lines.get(fault.line) if not fault.error else None
                confirmed = _confirmed(target, each, fault, options, stated)
                if confirmed is None:
                    doubtful = f"{fault.error or 'a contract'} failed only after other calls"
                elif fault not in faults[:-1]:
                    failures.append(Failure(fault.kind, fault.line, confirmed))
            spent = clock() - searching + LEAST_SECONDS_PER_FAULT > options.budget
            if not found or spent or len(faults) >= MOST_FAULTS:
                break
    checked = Checked(
        target.label,
        "undecided",
        report_of(target, tuple([each.found for each in failures])),
        tuple(failures),
        shown.wrong,
        seconds=clock() - began,
        runs=runs,
    )
    checked = _decided(checked, report, doubtful)
    left = options.budget - (clock() - searching)
    if checked.verdict != "undecided" or left < LEAST_SECONDS_PER_FAULT:
        return checked
    used = _failing_in_use(target, replace(options, budget=left), expected, on_protection)
    if not used:
        return replace(checked, seconds=clock() - began)
    return replace(
        checked,
        verdict="fails",
        reason="",
        report=report_of(target, tuple([each.found for each in used])),
        failures=tuple(used),
        seconds=clock() - began,
    )


def _failing_in_use(
    target: Target,
    options: Options,
    expected: tuple[str, ...],
    on_protection: Callable[[list[str]], None],
) -> list[Failure]:
    """Assertions that fail after earlier calls, or where the result is used.

    The judging program makes one call and leaves a function or generator that comes back alone; a
    search for branches calls it and sends to it. Objects that no constructor made are no evidence.
    """
    if "AssertionError" in (*announced(target), *expected):
        return []
    try:
        report = explored(target, [], options, on_protection)
    except SymcreteError:  # nothing is lost: the verdict stays undecided, for the reason it had
        return []
    failed = [
        each
        for each in report.inputs
        if each.outcome == Ending.RAISED and each.error == "AssertionError" and _is_genuine(each)
    ]
    faults = {_failed_assertion(target, each): each for each in reversed(failed)}
    return [Failure("assert", line, found) for line, found in sorted(faults.items())][:MOST_FAULTS]


def _is_genuine(found: FoundInput) -> bool:
    """Whether all objects of an input are what their constructors make, and no stand-ins."""
    texts = [*found.args.values(), *found.setup]
    return not any(made_up in text for text in texts for made_up in _MADE_UP)


def _failed_assertion(target: Target, found: FoundInput) -> int:
    """The line of the assertion whose failing side an input is the first to take; 0 if it fails
    elsewhere.
    """
    lines = [each.line for each in found.covers if not each.side and not each.kind]
    for node in ast.walk(target.source.tree()):
        if isinstance(node, ast.Assert):
            if any(node.lineno <= line <= (node.end_lineno or node.lineno) for line in lines):
                return node.lineno
    return 0


def _decided(checked: Checked, report: TargetReport, doubtful: str) -> Checked:
    """`checked` with its verdict, and the proof or the reason why it is undecided; `report` is that
    of the last exploration, `doubtful` says why nothing can be proved.
    """
    if checked.failures or checked.examples:
        return replace(checked, verdict="fails")
    proved = [spot for spot in report.infeasible if _is_failing(spot)]
    sure = proved and not doubtful and not [each for each in report.open if _is_failing(each)]
    if sure:
        one = report.paths == 1
        proof = "its one path does not fail" if one else f"none of its {report.paths} paths fails"
        assumes = tuple(dict.fromkeys([each for spot in proved for each in assumed(spot)]))
        return replace(checked, verdict="holds", proof=proof, assumes=assumes)
    tried = f"no failure found in {report.runs} runs on {report.paths} paths"
    return replace(checked, reason=f"{tried}; {doubtful or why_open(report)}")


def _is_failing(spot: Spot) -> bool:
    """Whether a side of the judging program leads to the statement that tells a fault."""
    return not spot.side


def _says_it_fails(found: FoundInput) -> bool:
    return (
        found.outcome == Ending.RETURNED and found.returned is not None and found.returned != HOLDS
    )


def _confirmed(
    target: Target,
    found: FoundInput,
    fault: Fault,
    options: Options,
    stated: Condition | None,
) -> FoundInput | None:
    """The input with what the function itself does with it; None if it does not fail alone.

    `stated`: the condition that the documentation states and that does not hold afterwards. Nobody
    but the judging program asks for it, on which the input was replayed.
    """
    text = f"raises {fault.error or 'an error'} in line {fault.line}"
    if stated is not None:
        text = f"breaks {stated.kind}: {stated.text}"
    named = Spot(fault.line, 0, True, text=text)
    (did,) = alone(target, [replace(as_called(found), covers=(named,))], options)
    if stated is not None and did is not None and did.outcome == Ending.RETURNED:
        return replace(did, covers=(named,))
    if did is None or did.outcome != Ending.RAISED:
        return None
    if did.error != fault.error and not (did.error or "").endswith(_OF_CONTRACTS) and fault.error:
        return None
    return replace(did, covers=(named,))
