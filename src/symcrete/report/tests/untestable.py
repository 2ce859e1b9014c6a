"""Which inputs a test can assert nothing about, and why."""

from __future__ import annotations

import ast
import os
import sys

from symcrete.explore.findings import OF_WRONG_TYPES, FoundInput, TargetReport
from symcrete.inputs.told_apart import is_importable
from symcrete.report.tests.how_called import ends, form_of
from symcrete.run.use import FINISHED, Ending

STABLE = FINISHED
# Raised where the sandbox has less memory or no standard input; a test elsewhere may see more.
OF_THE_SANDBOX = {"MemoryError": "the memory there is", "EOFError": "standard input"}
MOST_GIVEN = 20_000  # characters of arguments: about four pages, which nobody would keep
SHORTEST_PLACE = 5  # characters of a folder: a shorter one ("/", "/usr") is in a text by accident


def untestable(target: TargetReport, found: FoundInput, *, stdin: bool = False) -> str:
    """Why no test can assert what an input does; empty if one can.

    stdin: a test of the target sets standard input.
    """
    if found.outcome not in STABLE and not _gives_one_class(found):
        return f"its outcome is {found.outcome}"
    if found.harm:
        return f"it {found.harm}"
    if (
        found.error in OF_THE_SANDBOX
        and found.message is None
        and not (stdin and found.error == "EOFError")
    ):
        return f"it depends on {OF_THE_SANDBOX[found.error]}, which is another one elsewhere"
    if (target.guessed or found.uses) and _is_accidental(found):
        return f"it raises {found.error} for an argument whose type is guessed"
    if not _is_python(found):
        return "its test would not parse: a value of it has no text that is Python"
    if form_of(target, found) == "asyncgen" and not ends(found):
        return "it is an asynchronous generator without an end"
    if sum(map(len, found.args.values())) > MOST_GIVEN:
        return f"its arguments take more than {MOST_GIVEN} characters to write"
    if target.module and not is_importable(target.module):
        return f"no import statement takes the name of its module, {target.module}"
    if "<locals>" in target.scope:
        return "the function is defined inside another one"
    if _tells_its_place(target, found):
        return "it tells in which folder the program is, which is another one elsewhere"
    return ""


def _gives_one_class(found: FoundInput) -> bool:
    """Whether an input whose result differs from call to call always gives one of the same
    class.
    """
    return found.outcome == Ending.FLAKY and bool(found.result_type)


def _tells_its_place(target: TargetReport, found: FoundInput) -> bool:
    """Whether what is expected names the folder of the program, or that of the interpreter."""
    return names_a_place(target, found, f"{found.returned} {found.message}")


def names_a_place(target: TargetReport, found: FoundInput, expected: str) -> bool:
    """Whether a text names the folder of the program or that of the interpreter, although the input
    does not mention it.
    """
    given = " ".join((*found.args.values(), *found.setup, *[each.set for each in found.situation]))
    places = {os.path.realpath(each) for each in (target.root, sys.prefix, sys.base_prefix) if each}
    return any(
        len(place) >= SHORTEST_PLACE and place in expected and place not in given
        for place in places
    )


def _is_accidental(found: FoundInput) -> bool:
    """Whether the error is one that operations raise on values of a wrong type, and the program did
    not raise it itself.
    """
    return (
        found.error in OF_WRONG_TYPES and not found.message and found.raised != f"{found.error}()"
    )


def _is_python(found: FoundInput) -> bool:
    try:
        for text in (*found.args.values(), found.returned or "0", found.caught or "0"):
            ast.parse(text, mode="eval")
        uses = [f"f({each.given})" for each in found.uses]
        for statement in (*found.setup, *uses, *[each.set for each in found.situation]):
            ast.parse(statement)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True
