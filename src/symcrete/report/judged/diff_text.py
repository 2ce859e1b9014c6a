"""The answer of `diff` for people: what differs, as a table, and a test."""

from __future__ import annotations

from symcrete.explore.findings import FoundInput
from symcrete.notation import several
from symcrete.oracle.verdicts import Aspect, Diff, Difference
from symcrete.run.use import Ending

LONGEST_TABLE_VALUE = 60  # characters of a value in the table: two of them and the input fit a line


def told_diff(found: Diff, *, verbose: bool = False) -> list[str]:
    """The lines of the answer."""
    pair = f"{found.a} and {found.b}"
    cost = f"  ({several(found.runs, 'run')}, {found.seconds:.2f} s)"
    if found.verdict == "same":
        lines = [f"{pair}: the same{cost}", f"  proof: {found.proof}"]
        return lines + [f"  assuming that {each}" for each in found.assumes]
    if found.verdict == "undecided":
        return [f"{pair}: not decided{cost}", f"  {found.reason}"]
    lines = [f"{pair}: they differ{cost}"]
    rows = [("input", found.a, found.b)]
    for each in found.differences:
        rows += _rows(each, verbose=verbose)
    widths = [max(len(row[column]) for row in rows) for column in range(2)]
    for row in rows:
        lines.append(f"  {row[0]:<{widths[0]}}  {row[1]:<{widths[1]}}  {row[2]}".rstrip())
    for each in found.differences:
        if each.test:
            lines += ["", *each.test.rstrip().splitlines()]
        elif each.a.untested:
            lines.append(f"  no test: {each.a.untested}")
    return lines


def _rows(each: Difference, *, verbose: bool) -> list[tuple[str, str, str]]:
    """A row for the results, and one for each other thing in which the calls differ."""
    given = ", ".join([f"{name}={text}" for name, text in each.a.args.items()])
    given = "; ".join([*each.a.told_situation, *each.a.setup, given])
    told = {aspect.what: aspect for aspect in each.aspects}
    result = told.get("returned", Aspect("returned", "", ""))
    rows = [(given, _did(each.a, result.a), _did(each.b, result.b))]
    for aspect in each.aspects:
        if aspect.what == "how":
            rows.append(("  given", aspect.a, aspect.b))
        if aspect.what == "exception":
            rows.append(("  attributes of the exception", aspect.a, aspect.b))
        if aspect.what == "arguments":
            rows.append(("  arguments afterwards", aspect.a, aspect.b))
        if aspect.what == "printed":
            rows.append(("  printed", aspect.a, aspect.b))
    return [tuple([_short(cell, verbose=verbose) for cell in row]) for row in rows]  # type: ignore[misc]


def _did(found: FoundInput, shown: str) -> str:
    """What a call did; `shown` is a text of its result that may be no expression."""
    if found.outcome == Ending.RAISED:
        return f"raises {found.raised}"
    if found.returned is not None:
        return found.returned
    return shown or f"a {found.result_type}"


def _short(text: str, *, verbose: bool) -> str:
    if verbose or len(text) <= LONGEST_TABLE_VALUE:
        return text
    return f"{text[: LONGEST_TABLE_VALUE - len(' ...')]} ..."
