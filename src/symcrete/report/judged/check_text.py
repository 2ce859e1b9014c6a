"""The answer of `check` for people: each failure as a call and as a test, or a proof of none."""

from __future__ import annotations

from symcrete.explore.findings import FoundInput
from symcrete.notation import several
from symcrete.oracle.verdicts import Checked, Failure
from symcrete.run.use import Ending

LONGEST_SHOWN_CALL = 200  # characters of a call: two lines of a terminal


def told_check(checked: Checked) -> list[str]:
    """The lines of the answer."""
    cost = f"  ({several(checked.runs, 'run')}, {checked.seconds:.2f} s)"
    if checked.verdict == "holds":
        lines = [f"{checked.target}: holds{cost}", f"  proof: {checked.proof}"]
        return lines + [f"  assuming that {each}" for each in checked.assumes]
    if checked.verdict == "undecided":
        return [f"{checked.target}: not decided{cost}", f"  {checked.reason}"]
    lines = [f"{checked.target}: fails{cost}"]
    for wrong in checked.examples:
        lines += [f"  {wrong.call.splitlines()[0]}  (example, line {wrong.line})"]
        lines += _beside("expected ", wrong.expected) + _beside("got      ", wrong.got)
    for each in checked.failures:
        lines.append(f"  {_shown(each)} {_did(each.found)}  ({each.kind}, line {each.line})")
        lines += [f"    after {each}" for each in each.found.told_situation]
    for each in checked.failures:
        if each.test:
            lines += ["", *each.test.rstrip().splitlines()]
        elif each.found.untested:
            lines.append(f"  no test: {each.found.untested}")
    return lines


def what_failed(failure: Failure) -> str:
    """A failure in one line: the call, what it did, and what has to be set before it."""
    before = "; ".join(failure.found.told_situation)
    after = f" after {before}" if before else ""
    return f"{_shown(failure)} {_did(failure.found)}{after}"


def _shown(failure: Failure) -> str:
    """A call with the statements before it, cut where it is long."""
    call = "; ".join([*failure.found.setup, failure.call])
    return call if len(call) <= LONGEST_SHOWN_CALL else f"{call[:LONGEST_SHOWN_CALL]} ..."


def _beside(head: str, text: str) -> list[str]:
    """The lines of a text, with a word before the first and the others indented below it."""
    first, *rest = text.splitlines() or ["nothing"]
    return [f"    {head}{first}", *[f"    {' ' * len(head)}{line}" for line in rest]]


def _did(found: FoundInput) -> str:
    """What a call did: the exception, or the result with the promise that it breaks."""
    if found.outcome == Ending.RAISED:
        return f"raises {found.raised}"
    promise = f" and {found.covers[0].text}" if found.covers else ""
    return f"returns {found.returned or 'a ' + found.result_type}{promise}"
