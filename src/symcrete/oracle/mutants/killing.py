"""Inputs that tell a function from its faulty versions: those there are, and those solved for.

First the inputs that were found already, and some like them (`varied.py`), are played on all faulty
versions at once. Those that do the same so far are explored together with the function, each with a
branch of its own: whether it differs. What is left is compared alone, which can also prove that a
fault makes no difference.
"""

from __future__ import annotations

import ast
import tempfile
from collections.abc import Callable, Iterable, Sequence
from dataclasses import field, replace
from pathlib import Path

from symcrete.errors import SymcreteError
from symcrete.explore.findings import FoundInput, Mutants, TargetReport
from symcrete.explore.options import Options
from symcrete.oracle import outcomes
from symcrete.oracle.differing import diff_version
from symcrete.oracle.explored import DECIDED, alone, as_called, explored
from symcrete.oracle.joint import imported_as, subject, written
from symcrete.oracle.mutants import switch
from symcrete.oracle.mutants.seeding import Mutant, mutants_of, mutated, switched
from symcrete.oracle.mutants.varied import varied
from symcrete.oracle.other_version import Version, copied
from symcrete.oracle.subjects import declared
from symcrete.program.source.target import Target
from symcrete.run.use import Ending
from symcrete.slotted import dataclass

# All chosen, not measured.
MOST_MUTANTS = 400  # faults tried for one function, as many as some screens of source have
VARIED_AT_ONCE = 40  # inputs like those known; if they show nothing new, no more are tried
PLAYED_AT_ONCE = 80  # faulty versions that one call of a program plays a known input on
TOGETHER = 12  # faulty versions explored in one program: each call of it makes twice as many calls
MOST_ALONE = 12  # faulty versions compared alone, each of which may take its whole share of time
ALONE_SHARE = 0.4  # share of the budget for one faulty version that is compared alone
_ASKS, _STEPS = "_fault_is_there", "_fault_step"
_HEAD = f"from joint_switch import is_there as {_ASKS}, step as {_STEPS}\n"
_TEXT = """\

{first}
from joint_switch import TooLong, choose, needs_few
from joint_outcomes import Outcome, both, difference, function_at, same

{second}

first = function_at(first_module, {name!r})
second = function_at(second_module, {name!r})
versions = tuple(
    [(name, sys.modules[other]) for name, other in {versions} if other in sys.modules]
)


def pair(number, positional, keywords):
    choose(number)
    try:
        return both(first, second, positional, keywords, versions, {declared})
    except TooLong:
        return endless(positional, keywords)
    finally:
        choose(0)


def endless(positional, keywords):
    choose(0)
    one, other = Outcome((), {{}}), Outcome((), {{}})
    try:
        both(first, second, positional, keywords, versions, {declared})
    except TooLong:
        return one, other
    if needs_few():
        other.error = RuntimeError("it does not end")
    return one, other


def comparable(one, other):
    return difference(one, other)[0][0] != "incomparable"


def compare(*positional, **keywords):
    killed = []
"""
_ONE = """\
    one, other = pair({number}, positional, keywords)
    if not same(one, other):
        if comparable(one, other):
            killed.append({number})
"""


@dataclass(slots=True)
class _Hunt:
    """One function on the way to tests that every fault fails."""

    target: Target
    options: Options
    folder: Path
    on_protection: Callable[[list[str]], None]
    mutants: dict[int, Mutant]
    killed: set[int] = field(default_factory=set)  # numbers of faults that some input shows
    equal: list[str] = field(default_factory=list)  # faults proved to make no difference
    left: dict[int, str] = field(default_factory=dict)  # by number: why it is not decided
    new: list[FoundInput] = field(default_factory=list)  # inputs that were found here
    _programs: int = 0  # how many were written

    def open(self) -> list[int]:
        """The numbers of the faults that no input shows yet."""
        return [each for each in self.mutants if each not in self.killed]

    def try_known(self, inputs: Sequence[FoundInput]) -> None:
        """Play the inputs that are known on all faulty versions."""
        known = [as_called(each) for each in inputs if each.outcome in DECIDED]
        for _, numbers in self._played(known):
            self.killed |= numbers

    def try_varied(self, inputs: Sequence[FoundInput]) -> None:
        """Play inputs like those that are known on the faulty versions that are left."""
        known = [as_called(each) for each in inputs if each.outcome in DECIDED]
        others = varied(self.target, known) if self.open() else []
        for start in range(0, len(others), VARIED_AT_ONCE):
            before = len(self.killed)
            self._take(self._played(others[start : start + VARIED_AT_ONCE]))
            if len(self.killed) == before:
                return

    def _played(self, inputs: Sequence[FoundInput]) -> list[tuple[FoundInput, set[int]]]:
        """Inputs, each with the numbers of the faults that it shows."""
        found: dict[int, set[int]] = {index: set() for index in range(len(inputs))}
        numbers = self.open() if inputs else []
        for start in range(0, len(numbers), PLAYED_AT_ONCE):
            joint = self._joint(numbers[start : start + PLAYED_AT_ONCE])
            for index, did in enumerate(alone(joint, inputs, self.options)):
                found[index] |= _killed_by(did)
        return [(inputs[index], shown) for index, shown in found.items()]

    def explore_together(self) -> None:
        """Look for inputs that tell some of the faulty versions from the function."""
        open_now = self.open()
        for start in range(0, len(open_now), TOGETHER):
            numbers = [n for n in open_now[start : start + TOGETHER] if n not in self.killed]
            if not numbers:
                continue
            joint = self._joint(numbers)
            try:
                report = explored(joint, (self.target,), self.options, self.on_protection)
            except SymcreteError as error:
                self.left |= {number: str(error) for number in numbers}
                continue
            self._take([(each, _killed_by(each)) for each in report.inputs])

    def compare_alone(self) -> None:
        """Compare what is left with the function, one by one."""
        options = replace(self.options, budget=max(1.0, ALONE_SHARE * self.options.budget))
        for number in self.open()[:MOST_ALONE]:
            folder = self._place()
            tree = self.target.source.tree()
            version = self._version(mutated(tree, self.target.scope, number), folder)
            try:
                verdict = diff_version(
                    self.target, version, folder, options, on_protection=self.on_protection
                )
            except SymcreteError as error:
                self.left[number] = str(error)
                continue
            if verdict.verdict == "same":
                self.equal.append(f"{self.mutants.pop(number).text} ({verdict.proof})")
            elif verdict.differences:
                self._take([(verdict.differences[0].a, {number})])
            else:
                self.left[number] = verdict.reason

    def _take(self, found: Iterable[tuple[FoundInput, set[int]]]) -> None:
        """Keep inputs that show faults which no input kept before shows, the one that shows most
        first; each is replayed on the function alone.
        """
        waiting = [(each, numbers) for each, numbers in found if numbers - self.killed]
        while chosen := self._best(waiting):
            did = alone(self.target, [as_called(each) for each, _ in chosen], self.options)
            for (_, numbers), now in zip(chosen, did, strict=True):
                if now is None or now.outcome not in DECIDED or not numbers - self.killed:
                    continue
                told = [self.mutants[each].shows for each in sorted(numbers - self.killed)]
                self.killed |= numbers
                self.new.append(replace(now, covers=(), shows=(told[0],)))
            # Where one cannot be replayed, others may show what it does.
            waiting = [each for each in waiting if not any(each is one for one in chosen)]

    def _best(
        self, waiting: Sequence[tuple[FoundInput, set[int]]]
    ) -> list[tuple[FoundInput, set[int]]]:
        """Some of the inputs that together show every fault that any of them shows, the one that
        shows most first.
        """
        chosen: list[tuple[FoundInput, set[int]]] = []
        shown = set(self.killed)
        while any(numbers - shown for _, numbers in waiting):
            chosen.append(max(waiting, key=lambda pair: len(pair[1] - shown)))
            shown |= chosen[-1][1]
        return chosen

    def _joint(self, numbers: Sequence[int]) -> Target:
        folder = self._place()
        tree = switched(self.target.source.tree(), self.target.scope, _ASKS, _STEPS)
        version = self._version(_with_head(tree), folder)
        text = _TEXT.format(
            first=imported_as(self.target, "first_module"),
            second=imported_as(version.target, "second_module"),
            name=self.target.called,
            versions=tuple(version.modules.items()),
            declared=tuple(sorted(declared(self.target))),
        )
        text += "".join(_ONE.format(number=number) for number in numbers) + "    return killed\n"
        source = written(folder, text, (outcomes,), (self.target, version.target), (switch,))
        subjects = (subject(self.target, "first_module"),)
        return Target(source, "compare", f"faults of {self.target.label}", subjects=subjects)

    def _version(self, tree: ast.Module, folder: Path) -> Version:
        source = self.target.source
        own = source.file.relative_to(source.root.resolve()).as_posix()

        def read(path: str) -> str | None:
            if path == own:
                return ast.unparse(tree)
            file = source.root / path
            return file.read_text(encoding="utf-8") if file.is_file() else None

        return copied(self.target, read, folder, f"{self.target.label} with a fault")

    def _place(self) -> Path:
        self._programs += 1
        made = self.folder / str(self._programs)
        made.mkdir()
        return made


def against_mutants(
    target: Target,
    report: TargetReport,
    options: Options,
    *,
    on_protection: Callable[[list[str]], None] = lambda lines: None,
) -> TargetReport:
    """The report with inputs for the faults that those it has do not show, and what became of
    every fault.
    """
    if report.error or "<locals>" in target.scope:
        return report
    mutants = mutants_of(target.source.tree(), target.scope)[:MOST_MUTANTS]
    options = replace(options, goals=("branches",), path_conditions=False)
    with tempfile.TemporaryDirectory(prefix="symcrete-mutants-") as name:
        folder = Path(name).resolve()
        numbered = {each.number: each for each in mutants}
        hunt = _Hunt(target, options, folder, on_protection, numbered)
        try:
            hunt.try_known(report.inputs)
            hunt.try_varied(report.inputs)
            hunt.explore_together()
            hunt.try_varied(hunt.new[::-1])
            hunt.compare_alone()
        except SymcreteError as error:
            hunt.left |= {number: str(error) for number in hunt.open()}
    left = tuple([f"{numbered[n].text}: {hunt.left.get(n, 'not tried')}" for n in hunt.open()])
    told = Mutants(len(mutants), len(hunt.killed), tuple(hunt.equal), left)
    return replace(report, inputs=(*report.inputs, *hunt.new), mutants=told)


def _killed_by(found: FoundInput | None) -> set[int]:
    """The numbers of the faults that an input of the joint program shows."""
    if found is None or found.outcome != Ending.RETURNED or not found.returned:
        return set()
    return set(ast.literal_eval(found.returned))


def _with_head(tree: ast.Module) -> ast.Module:
    """The module with the import of the switch, after what has to stand before it."""
    first = 0
    for index, node in enumerate(tree.body):
        is_doc = index == 0 and isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        is_future = isinstance(node, ast.ImportFrom) and node.module == "__future__"
        if is_doc or is_future:
            first = index + 1
    tree.body[first:first] = ast.parse(_HEAD).body
    return ast.fix_missing_locations(tree)
