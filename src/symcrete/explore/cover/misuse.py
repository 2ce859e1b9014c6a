"""Calls with values of other types than a search builds.

Code that checks its arguments (`if not isinstance(name, str): raise TypeError(...)`) has branches
that no input of the declared types takes, and people test them. Such a call is kept only if it ends
at a `raise` of the program: what Python says of a wrong value is nobody's intention. A parameter of
any type may decide the result by its type alone (`return isinstance(x, str)`), without a branch.
"""

from __future__ import annotations

import ast
import contextlib
import inspect
import itertools
from collections.abc import Container, Iterator
from typing import Any

from symcrete.errors import AssumptionFailed
from symcrete.explore.attack.other_call import OtherCall
from symcrete.explore.cover.aims import TRUTHS
from symcrete.explore.loop.loop import Explored
from symcrete.explore.loop.parts import Parts
from symcrete.explore.loop.progress import CallBeyond
from symcrete.explore.options import Options
from symcrete.inputs.literal import NoLiteral
from symcrete.inputs.shapes.aliasing import SharedShape
from symcrete.inputs.shapes.arguments import Parameter
from symcrete.inputs.shapes.shape import ChoiceShape
from symcrete.program.source.module import parsed, walked
from symcrete.terms.evaluate import Assignment
from symcrete.tree.coverage import outcomes

TECHNIQUE = "outside the declared types"
MOST_CALLS_TRIED = 80  # four values for each of two parameters of ten inputs; chosen, not measured
# seconds at most, unless work is counted; twenty calls of a small function take 0.01
MOST_MISUSE_SECONDS = 0.2
_NUMBERS = (int, float, complex)
_ANYTHING = (inspect.Parameter.empty, Any, object)
_NAMES_OF_ANYTHING = ("Any", "object", "typing.Any")


def misuse(found: Explored, options: Options) -> None:
    """Try values of other types for what no run covered; what the program refuses on purpose
    becomes an input.
    """
    parts, progress, coverage = found.parts, found.progress, found.parts.coverage
    if "misuse" not in options.goals or not progress.entered:
        return
    own, files = coverage.own_bits, parts.imported.rewritten.files
    stop = parts.clock() + MOST_MISUSE_SECONDS
    with parts.runner:
        for each in _calls(found, declared=True):
            if not own & ~coverage.seen or (options.max_runs is None and parts.clock() > stop):
                return
            ran = parts.runner.run_values(each.values)
            new = own & ~coverage.seen & (ran.covered or 0)
            if not new or ran.raised is None or not _is_on_purpose(ran.raised, files):
                continue
            with contextlib.suppress(NoLiteral):
                progress.beyond.append(CallBeyond(each.call(parts.arguments), ran.covered or 0))
                coverage.add(ran.covered or 0)
                coverage.techniques.update(dict.fromkeys(outcomes(new), TECHNIQUE))


def other_truth(found: Explored, options: Options) -> None:
    """Where a function was seen to return only one truth, try values of other types for parameters
    that may be anything.
    """
    parts, progress = found.parts, found.progress
    seen = {each.trace.returned[0] for each in progress.kept}
    if "outcomes" not in options.goals or len(seen) != 1 or not seen <= TRUTHS:
        return
    stop = parts.clock() + MOST_MISUSE_SECONDS
    with parts.runner:
        for each in _calls(found, declared=False):
            if options.max_runs is None and parts.clock() > stop:
                return
            ran = parts.runner.run_values(each.values)
            if ran.covered is None or ran.returned not in TRUTHS or ran.returned in seen:
                continue
            with contextlib.suppress(NoLiteral):
                call = each.call(parts.arguments)
                progress.beyond.append(CallBeyond(call, ran.covered, (ran.returned,)))
                parts.coverage.add(ran.covered)
                return


def _calls(found: Explored, *, declared: bool) -> Iterator[OtherCall]:
    """Calls made from inputs that were kept, each with one argument of another type: that of a
    parameter with a declared type if `declared`, else that of one without.
    """
    kept = [each.trace.assignment for each in found.progress.kept] or [{}]
    return itertools.islice(_every_call(found.parts, kept, declared), MOST_CALLS_TRIED)


def _every_call(parts: Parts, kept: list[Assignment], declared: bool) -> Iterator[OtherCall]:
    parameters = parts.arguments.parameters[parts.arguments.has_receiver :]
    known = _declared(parts)
    asked = [each for each in parameters if (each.name in known) is declared and not each.spread]
    for assignment in kept if asked else ():
        for parameter in asked:
            for number in range(len(_values())):
                try:  # a call may change its arguments, so each has its own
                    given = parts.arguments.plain(assignment)
                    families = {_family(given[parameter.name])}
                    families.update(_families(parameter) if declared else ())
                except (Exception, AssumptionFailed):  # a constructor of the program's own
                    break
                value = _values()[number]
                if _family(value) not in families:
                    yield OtherCall(assignment, given, parameter.name, value)


def _values() -> list[Any]:
    return [None, 0, "", []]


def _declared(parts: Parts) -> set[str]:
    """The parameters whose type is written down and is not any type."""
    found = inspect.signature(parts.runner.function).parameters.values()
    return {each.name for each in found if not _is_anything(each.annotation)}


def _is_anything(annotation: Any) -> bool:
    if isinstance(annotation, str):
        return annotation in _NAMES_OF_ANYTHING
    return any(annotation is each for each in _ANYTHING)  # comparing may be the program's own code


def _families(parameter: Parameter) -> Iterator[type]:
    """The classes of values that a parameter may have, as far as its shape tells."""
    shape = parameter.shape
    own = shape.own if isinstance(shape, SharedShape) else shape
    for each in own.choices if isinstance(own, ChoiceShape) else (own,):
        yield _family(each.plain(parameter.name, {}))


def _family(value: Any) -> type:
    """The class of a value; int for all numbers, which stand for each other."""
    return int if isinstance(value, _NUMBERS) else type(value)


def _is_on_purpose(error: BaseException, files: Container[str]) -> bool:
    """Whether an error comes from a `raise` in one of these files."""
    raised_at = error.__traceback__
    while raised_at is not None and raised_at.tb_next is not None:
        raised_at = raised_at.tb_next
    if raised_at is None or raised_at.tb_frame.f_code.co_filename not in files:
        return False
    line = raised_at.tb_lineno
    return any(
        isinstance(node, ast.Raise) and node.lineno <= line <= (node.end_lineno or node.lineno)
        for node in walked(parsed(raised_at.tb_frame.f_code.co_filename))
    )
