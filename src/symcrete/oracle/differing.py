"""Where two functions differ: explored together, confirmed apart."""

from __future__ import annotations

import ast
import tempfile
from collections.abc import Callable, Sequence, Set
from dataclasses import replace
from pathlib import Path

from symcrete.clock import Clock, wall
from symcrete.explore.findings import FoundInput, Spot, TargetReport
from symcrete.explore.options import Options
from symcrete.notation import several
from symcrete.oracle.explored import DECIDED, alone, as_called, assumed, explored, why_open
from symcrete.oracle.joint import SAME, joint_target
from symcrete.oracle.other_version import Version, at_revision, beside_another
from symcrete.oracle.subjects import (
    annotated,
    declared,
    defaults_apart,
    named_alike,
    parameters_before_other_defaults,
    report_of,
)
from symcrete.oracle.verdicts import Aspect, AspectKind, Diff, Difference, DiffVerdict
from symcrete.program.source.target import Target
from symcrete.run.use import Ending

# share of the budget for calls that leave out arguments whose defaults are not the same in both:
# one such call often shows that the functions differ; chosen, not measured
DEFAULTS_SHARE = 0.25
# aspects that the result of a call alone does not show
_NOT_TOLD = frozenset({"how", "exception", "arguments", "printed"})
_BESIDE_RESULTS = frozenset({"argument", "printed", "complained"})  # kinds of what a call leaves
_EQUAL = (
    "nobody asks for the sign of a zero, the order of a dict, whether equal parts are one object, "
    "what caused an exception, or what an operation that fails says and what was printed before it"
)
# What may be given for a declared type and is of another class: equal results are then alike, also
# if one is of the declared class and one of the other (`outcomes.alike`).
_GIVEN_FOR = {
    "int": "a bool given for an int",
    "float": "an int given for a float",
    "str": "of a class derived from str",
    "list": "of a class derived from list",
}


def diff(
    first: Target,
    second: Target,
    options: Options,
    *,
    on_protection: Callable[[list[str]], None] = lambda lines: None,
    clock: Clock = wall,
) -> Diff:
    """Whether two functions differ, with inputs on which they do."""
    with tempfile.TemporaryDirectory(prefix="symcrete-diff-") as name:
        folder = Path(name).resolve()
        modules: dict[str, str] = {}
        if _clash(first, second):
            version = beside_another(second, folder)
            second, modules = version.target, version.modules
        return _Comparison(first, second, modules, folder, options, on_protection, clock).verdict()


def diff_revision(
    target: Target,
    revision: str,
    options: Options,
    *,
    on_protection: Callable[[list[str]], None] = lambda lines: None,
    clock: Clock = wall,
) -> Diff:
    """Whether a function differs from what it was at a git revision, with inputs that show it."""
    with tempfile.TemporaryDirectory(prefix="symcrete-diff-") as name:
        folder = Path(name).resolve()
        version = at_revision(target, revision, folder)
        return diff_version(
            target, version, folder, options, on_protection=on_protection, clock=clock
        )


def diff_version(
    target: Target,
    version: Version,
    folder: Path,
    options: Options,
    *,
    on_protection: Callable[[list[str]], None] = lambda lines: None,
    clock: Clock = wall,
) -> Diff:
    """Whether a function differs from another version of it that is in the folder."""
    return _Comparison(
        target, version.target, version.modules, folder, options, on_protection, clock
    ).verdict()


def _clash(first: Target, second: Target) -> bool:
    """Whether two modules, or the packages around them, have one name in two folders, so that a
    process can import only one of them.
    """
    one, other = first.source, second.source
    top = one.module.partition(".")[0] == other.module.partition(".")[0]
    return top and one.root != other.root


class _Comparison:
    """Two functions on their way to a verdict."""

    def __init__(
        self,
        first: Target,
        second: Target,
        modules: dict[str, str],
        folder: Path,
        options: Options,
        on_protection: Callable[[list[str]], None],
        clock: Clock,
    ) -> None:
        self._first, self._second = first, second
        self._modules = modules
        self._folder = folder
        self._options = options
        self._on_protection = on_protection
        self._clock = clock
        self._began = clock()

    def verdict(self) -> Diff:
        """Explore both in one program, and call each alone on what is found."""
        given = parameters_before_other_defaults(self._first, self._second)
        if given is not None:
            report = self._explored(self._options.budget * DEFAULTS_SHARE, given)
            found = [each for each in report.inputs if _says_they_differ(each)]
            shorter = [_without_the_rest(each, given) for each in found if not _incomparable(each)]
            differences = self._apart(shorter)
            if differences:
                return self._told("differs", report, differences=differences)
        report = self._explored(self._options.budget * (1 - DEFAULTS_SHARE * (given is not None)))
        found = [each for each in report.inputs if _says_they_differ(each)]
        unclear = [why for each in found for why in _incomparable(each)]
        differences = self._apart([each for each in found if not _incomparable(each)])
        if differences:
            return self._told("differs", report, differences=differences)
        proved = [spot for spot in report.infeasible if not spot.side]
        other_defaults = defaults_apart(self._first, self._second)
        if proved and not found and other_defaults:
            return self._told("undecided", report, reason=other_defaults)
        if proved and not found:
            return self._told("same", report, proof=proved[0])
        if unclear:
            return self._told("undecided", report, reason=f"{unclear[0]} cannot be compared")
        if found:
            reason = "they differ when called one after the other, and not when called alone"
            return self._told("undecided", report, reason=reason)
        return self._told("undecided", report, reason=why_open(report))

    def _explored(self, seconds: float, given: int | None = None) -> TargetReport:
        """The report on the program that calls both; only the first `given` arguments are passed
        on, unless that is None.
        """
        folder = self._folder if given is None else self._folder / "defaults"
        joint = joint_target(self._first, self._second, folder, self._modules, given=given)
        if annotated(self._second) > annotated(self._first):
            joint = replace(joint, subjects=joint.subjects[::-1])
        options = replace(self._options, budget=seconds)
        return explored(joint, (self._first, self._second), options, self._on_protection)

    def _apart(self, found: Sequence[FoundInput]) -> tuple[Difference, ...]:
        """The inputs on which the functions differ also when each is called alone."""
        if not found:
            return ()
        named = Spot(0, 0, True, text=f"differs from {self._second.label}")
        mine = [replace(as_called(each), covers=(named,)) for each in found]
        theirs = [self._for_second(each) for each in mine]
        did = alone(self._first, mine, self._options)
        other = alone(self._second, theirs, self._options)
        differences = []
        for joint, given, one, two in zip(found, mine, did, other, strict=True):
            aspects = _aspects(joint)
            if one is None or two is None:
                continue
            if one.outcome not in DECIDED or two.outcome not in DECIDED:
                continue
            if _confirmed(one, two, {each.what for each in aspects}):
                one = replace(one, covers=given.covers)
                differences.append(Difference(one, two, aspects))
        return tuple(differences)

    def _for_second(self, found: FoundInput) -> FoundInput:
        """The input made of the classes of the second function's version of the modules."""
        imports = [(self._modules.get(module, module), name) for module, name in found.imports]
        return replace(found, imports=tuple(imports))

    def _assumed(self, proof: Spot) -> tuple[str, ...]:
        """What the proof stands on, with what the comparison itself takes for equal."""
        named = named_alike(self._first, self._second)
        by_position = () if named else ("arguments are given by position",)
        types = declared(self._first) | declared(self._second)
        others = [what for name, what in _GIVEN_FOR.items() if name in types]
        where = f"where an argument is {' or '.join(others)}, nobody asks which of the two classes"
        by_class = (f"{where} an equal result is of",) if others else ()
        return (*assumed(proof), *by_position, *by_class, _EQUAL)

    def _told(
        self,
        verdict: DiffVerdict,
        report: TargetReport,
        *,
        reason: str = "",
        proof: Spot | None = None,
        differences: tuple[Difference, ...] = (),
    ) -> Diff:
        if reason:
            paths = f"{several(report.runs, 'run')} on {several(report.paths, 'path')}"
            reason = f"no difference found in {paths}; {reason}"
        inputs = tuple([each.a for each in differences])
        return Diff(
            self._first.label,
            self._second.label,
            verdict,
            report_of(self._first, inputs),
            differences,
            reason,
            _same_on(report.paths) if proof is not None else "",
            self._assumed(proof) if proof is not None else (),
            self._clock() - self._began,
            report.runs,
        )


def _without_the_rest(found: FoundInput, given: int) -> FoundInput:
    """The input with its first arguments only; the others were not passed on."""
    kept = dict([*found.args.items()][:given])
    named = {name: text for name, text in found.args.items() if name in found.keywords}
    return replace(found, args={**kept, **named})


def _same_on(paths: int) -> str:
    if paths == 1:
        return "the one path of both ends the same way"
    return f"all {paths} paths of both end the same way"


def _says_they_differ(found: FoundInput) -> bool:
    return (
        found.outcome == Ending.RETURNED and found.returned is not None and found.returned != SAME
    )


def _aspects(found: FoundInput) -> tuple[Aspect, ...]:
    return tuple([Aspect(*each) for each in ast.literal_eval(found.returned or "[]")])


def _incomparable(found: FoundInput) -> list[str]:
    return [each.a for each in _aspects(found) if each.what == "incomparable"]


def _confirmed(one: FoundInput, two: FoundInput, aspects: Set[AspectKind]) -> bool:
    """Whether calls alone bear out that the functions differ in these aspects."""
    if _told_apart(one, two):
        return True
    if not aspects <= _NOT_TOLD:
        return False
    if not any(each.kind == "variable" for each in (*one.seen, *two.seen)):
        return True
    # What the first call left in its module the second one found: they may differ by that alone.
    return _left_by(one) != _left_by(two) or "how" in aspects


def _left_by(call: FoundInput) -> set[tuple[tuple[str, str, str], str]]:
    """What a call printed and what it made of its arguments."""
    return {(each.place, each.value) for each in call.seen if each.kind in _BESIDE_RESULTS}


def _told_apart(one: FoundInput, two: FoundInput) -> bool:
    """Whether what two calls did differs; results that cannot be written as text count as
    different.
    """
    if one.outcome != two.outcome:
        return True
    if one.outcome == Ending.RAISED:
        return one.error != two.error or one.message != two.message
    return one.returned is None or one.returned != two.returned
