"""From a report to test files that hold: written, tried, and put in place of what was there.

Candidates stand beside the file they are to become, so that they find the program and the project's
configuration as it will; their names are none that pytest collects by itself.
"""

from __future__ import annotations

import ast
import contextlib
import importlib.util
import os
import secrets
import shlex
import sys
import time
from collections.abc import Collection, Iterable, Iterator
from dataclasses import field, replace
from pathlib import Path

from symcrete.clock import Clock
from symcrete.errors import BadOption, CannotWrite, SymcreteError
from symcrete.explore.findings import FoundInput, Report, TargetReport
from symcrete.inputs.told_apart import is_importable
from symcrete.program.source.module import Source, is_library
from symcrete.program.source.sites import functions
from symcrete.report.tests.cases import Asserting, WrittenTest
from symcrete.report.tests.defining import MODULE, defining_test, is_whole
from symcrete.report.tests.layout import Layout, single_quoted
from symcrete.report.tests.merge import TITLE, There, file_for, listing, merged, there_at
from symcrete.report.tests.names import SETS, Bindings, Import, imported_in, listed_as
from symcrete.report.tests.project import (
    importable_without_help,
    is_first_party,
    line_length,
    place_of,
    typed_from,
    wants_single_quotes,
)
from symcrete.report.tests.pytest_file import (
    CannotWriteTests,
    head,
    reads_stdin,
    tests_of,
)
from symcrete.report.tests.unittest_style import NoUnittest, as_classes, methods_of
from symcrete.report.tests.untestable import STABLE, untestable
from symcrete.report.trial.trial import (
    Candidates,
    Conditions,
    Verdicts,
    as_shown,
    last_words,
    lines_to_blame,
    tried,
)
from symcrete.sandbox.driver.folder import work_folder
from symcrete.sandbox.journal.writing import check_writable, write_file
from symcrete.slotted import dataclass

MOST_TRIAL_ROUNDS = 8  # rounds of trying; after each but the last, what did not hold is left out
_TRIAL = "symcrete_trial_"
_STALE_CANDIDATE_SECONDS = 3600.0  # seconds after which a candidate has lost its writer


@dataclass(frozen=True, slots=True)
class Wanted:
    """Where tests go and what may happen to what is there."""

    folder: Path
    force: bool = False  # replace files that somebody edited
    prune: bool = False  # remove tests of functions that are gone
    conditions: Conditions = field(default_factory=Conditions)
    assertions: str = "exact"  # exact, types, none
    style: str = "pytest"  # or unittest


@dataclass(slots=True)
class Outcome:
    """What became of the tests."""

    report: Report  # with the reason of each input that has no test
    written: list[Path] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    unwritten: list[tuple[str, str]] = field(default_factory=list)  # why, and the text


def check_pytest() -> None:
    """Raise `BadOption` if pytest, with which tests are tried before they are kept, is missing."""
    if importlib.util.find_spec("pytest") is None:
        raise BadOption(
            "tests are run before they are written, and pytest is not installed; install it with:"
            f" {sys.executable} -m pip install pytest"
        )


def check_output(wanted: Wanted, sources: Iterable[Source]) -> None:
    """Raise, before the work, an error if its tests could not be written afterwards."""
    check_pytest()
    try:
        wanted.folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CannotWrite(f"cannot write into {wanted.folder}: {error.strerror}") from None
    claimed: set[Path] = set()
    for source in dict.fromkeys(sources):
        path = file_for(wanted.folder, source.module, claimed, force=wanted.force)
        claimed.add(path)
        there = there_at(path, force=wanted.force)
        check_writable(str(path), force=wanted.force or there is not None)
        gone = _gone(there, source) if there is not None and not wanted.prune else []
        if gone:
            raise BadOption(
                f"{path} has tests of {', '.join(gone)}, which {source.file.name} no longer has;"
                " --prune removes them"
            )


def keep_tests(report: Report, wanted: Wanted) -> Outcome:
    """Write the tests of a report that hold, one file for each module."""
    by_module: dict[str, list[TargetReport]] = {}
    for target in report.targets:
        # What cannot be imported says nothing against the tests that are there.
        if target.module and (target.inputs or not target.unimportable):
            by_module.setdefault(target.module, []).append(target)
    drafts: list[Draft] = []
    for module, targets in by_module.items():
        drafts.append(Draft(wanted, module, targets, {each.path for each in drafts}))
    drafts = [draft for draft in drafts if draft.compose()]
    outcome = Outcome(report)
    _try_out(drafts, wanted.conditions)
    if wanted.style == "unittest":
        _restyle(drafts, wanted.conditions)
    for draft in drafts:
        _write(draft, outcome)
    outcome.report = replace(report, targets=tuple(_told(report.targets, drafts)))
    return outcome


def held(report: Report, conditions: Conditions, assertions: str = "exact") -> Report:
    """The report with the reason of each input whose test does not hold, and without what does not
    hold of the others; nothing is written.
    """
    check_pytest()
    with work_folder() as folder:
        wanted = Wanted(Path(folder), conditions=conditions, assertions=assertions)
        return keep_tests(report, wanted).report


class Draft:
    """A test file on its way."""

    def __init__(
        self, wanted: Wanted, module: str, targets: list[TargetReport], claimed: Collection[Path]
    ) -> None:
        self.path = file_for(wanted.folder, module, claimed, force=wanted.force)
        self.left_out: dict[tuple[str, int], str] = {}
        # inputs, by target, of which only the result holds
        self.results_only: dict[str, set[int]] = {}
        self._assertions = wanted.assertions
        self._style = wanted.style
        self._single = wants_single_quotes(wanted.folder)
        self.methods: dict[str, WrittenTest] = {}  # by what pytest calls them, of unittest's style
        self.trouble = ""  # why it cannot be written
        self.tests: list[WrittenTest] = []
        self._taken: set[str] = set()  # names that stand in the file beside those of the tests
        self.edited: list[str] = []
        self.text = ""
        self.module = module
        self._targets = targets
        self._unwritable: set[str] = set()  # targets whose tests we fail to write
        self._is_whole = is_whole(targets)
        # Whether not even what the module defines can be asserted.
        self._cannot_define = not is_importable(module) or all(e.unimportable for e in targets)
        self._root = Path(targets[0].root)
        self._folder = wanted.folder
        self._layout = Layout(line_length(wanted.folder))
        self._helped = not importable_without_help(module, self._root, wanted.folder)
        self._there = there_at(self.path, force=wanted.force)
        if self._there is not None and wanted.prune:
            source = Source(Path(targets[0].file), module, self._root)
            self._there = self._pruned(self._there, _gone(self._there, source))
        self.trial = wanted.folder / f"{_TRIAL}{secrets.token_hex(4)}_{module.replace('.', '_')}.py"

    def compose(self) -> bool:
        """Write the text for what is left; whether there is a test, or a file of ours to update."""
        there = self._there
        explored = [*map(listed_as, self._targets), MODULE]
        kept = there.without(explored) if there else None
        self._taken = kept.names() if kept else set()
        self.tests, bindings = self._written(self._taken)
        nothing = not self.tests and not (kept and kept.names())
        if nothing and self._is_whole and not self._cannot_define:
            self.tests = [defining_test(self.module, self._targets[0].file, bindings)]
        if self._single:
            self.tests = [_requoted(each) for each in self.tests]
        self._fill(self.tests)
        return bool(self.tests) or there is not None

    def _written(self, taken: set[str]) -> tuple[list[WrittenTest], Bindings]:
        """The tests, and what their file calls what it imports; an error of ours in writing those
        of one function costs these and no others.
        """
        asserting = Asserting(self._assertions, self.results_only)
        while True:
            bindings = Bindings(self._there.imports() if self._there else ())
            targets = [each for each in self._targets if each.target not in self._unwritable]
            try:
                found = tests_of(
                    targets, self._layout, bindings, set(taken), self.left_out, asserting
                )
            except CannotWriteTests as error:
                self._unwritable.add(str(error))
                cause, words = error.__cause__, str(error.__cause__).partition("\n")[0]
                why = f"internal error, please report it: {type(cause).__name__}: {words}"
                for each in targets:
                    if each.target == str(error):
                        self.left_out |= {(each.target, n): why for n in range(len(each.inputs))}
            else:
                return found, bindings

    def _fill(self, tests: list[WrittenTest]) -> None:
        """Make the text of these tests, and of what stays of the file."""
        if self._there is not None:
            explored = [*map(listed_as, self._targets), MODULE]
            self.text, self.edited = merged(self._there, tests, explored, self._head, self._layout)
        else:
            above = self._head({each for test in tests for each in test.imports})
            body = "".join(f"\n\n\n{test.text}" for test in tests)
            self.text = f"{above}{body}\n\n\n{listing(tests, above)}"

    def as_unittest(self) -> None:
        """Write the text anew with the tests, which hold, as methods; what has no such form is left
        out.
        """
        for each in self.tests:
            try:
                as_classes([each], self._layout)
            except NoUnittest as error:
                self.forget(each, str(error))
        if self.left_out:
            self.compose()
        classes = as_classes(self.tests, self._layout, self._taken)
        self.methods = methods_of(classes, self.tests)
        self._fill([_requoted(each) for each in classes] if self._single else classes)

    def forget(self, test: WrittenTest, why: str) -> None:
        """Leave out a test with all its inputs."""
        for target in self._targets:
            if listed_as(target) == test.scope:
                for _, number in test.cases:
                    self.left_out.setdefault((target.target, number), why)

    def _head(self, imports: set[Import]) -> str:
        roots = [place_of(self._root, self._folder)] if self._helped else []
        doc = f"{TITLE.format(self.module)}\n\nMake them again: {self._command()}\n"
        apart = self._helped or is_first_party(self._root, self._folder)
        own = [self.module, *self._beside(imports)] if apart else []
        text = "\n".join(head(doc, imports, own, roots, self._layout))
        return single_quoted(text) if self._single else text

    def _command(self) -> str:
        """The command that makes the tests again, as typed in the folder of the project."""
        file, folder = Path(self._targets[0].file), self._folder.resolve()
        root = typed_from(self._root.resolve(), folder)
        own = file.is_relative_to(root) and not is_library(file)
        named = file.relative_to(root).as_posix() if own else self.module
        place = folder.relative_to(root).as_posix() if folder.is_relative_to(root) else "tests"
        style = f" --style {self._style}" if self._style != "pytest" else ""
        return f"symcrete cover {shlex.quote(named)} -o {shlex.quote(place)}{style}"

    def _beside(self, imports: set[Import]) -> Iterator[str]:
        """The imported modules that lie in the root, so that they are the program's own as well."""
        for each in imports:
            first = self._root / each.module.partition(".")[0]
            if first.is_dir() or first.with_suffix(".py").is_file():
                yield each.module

    def _pruned(self, there: There, gone: list[str]) -> There:
        listed = {scope: tests for scope, tests in there.listed.items() if scope not in gone}
        return replace(there.without(gone), listed=listed)

    def names(self) -> list[str]:
        """What pytest calls the tests."""
        return list(self.methods) or [each.name for each in self.tests]

    def needs_trial(self) -> bool:
        return bool(self.tests) and not self.trouble

    def parses(self) -> bool:
        """Whether the text is Python; if it is not, the tests to blame are left out."""
        try:
            ast.parse(self.text)
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            line = getattr(error, "lineno", None) or 0
            self.blame([line], f"its test would not parse: {error}")
            return False
        return True

    def learn(self, verdicts: Verdicts) -> bool:
        """Take over what a trial showed; says whether the draft has to change."""
        cases = {
            (test.name, told): (test, number)
            for test in self.tests
            for case, number in test.cases
            for told in as_shown(case)
        }
        before = self._given_up()
        for (file, test, case), why in verdicts.failed.items():
            if file == self.trial.name and (test, case) in cases:
                self._leave_out(*cases[test, case], why)
        if self._is_misplaced(verdicts):
            return True
        if self.trial.name in verdicts.broken:
            why = verdicts.broken[self.trial.name]
            self.blame(lines_to_blame(why, self.trial.name), last_words(why))
            return True
        return self._given_up() > before

    def _given_up(self) -> int:
        """How much of what was found is not asserted."""
        return len(self.left_out) + sum(map(len, self.results_only.values()))

    def _is_misplaced(self, verdicts: Verdicts) -> bool:
        """Whether pytest found no module of the program's name, or another one: then the test file
        has to put the program's folder on the path.
        """
        if self._helped:
            return False
        found = verdicts.modules.get(self.module)
        broken = self.trial.name in verdicts.broken
        own = os.path.realpath(self._targets[0].file)
        if (found and found != own) or (broken and not found):
            self._helped = True
        return self._helped

    def blame(self, lines: list[int], why: str) -> None:
        """Leave out the test in one of these lines, or the tests that need what a line imports."""
        for line in reversed(lines):
            for test in self.tests:
                start = self.text.find(test.text)  # nowhere if one that was edited is in its place
                first = self.text.count("\n", 0, start) + 1
                if start >= 0 and first <= line < first + len(test.lines):
                    return self._leave_out_all([test], why)
            unknown = imported_in(self.text, line, why)
            asking = [t for t in self.tests if any(i.bound in unknown for i in t.imports)]
            if asking:
                return self._leave_out_all(asking, why)
        self.trouble = why
        return None

    def _leave_out_all(self, tests: list[WrittenTest], why: str) -> None:
        for test in tests:
            for _, number in test.cases:
                self._leave_out(test, number, why)

    def _leave_out(self, test: WrittenTest, number: int, why: str) -> None:
        self._cannot_define = self._cannot_define or test.scope == MODULE
        for target in self._targets:
            if listed_as(target) != test.scope:
                continue
            weaker = self.results_only.setdefault(target.target, set())
            if target.inputs[number].seen and number not in weaker:
                weaker.add(number)
            else:
                self.left_out.setdefault((target.target, number), why)


def _try_out(drafts: list[Draft], conditions: Conditions) -> None:
    """Try all drafts together until what is left of each holds."""
    for _ in range(MOST_TRIAL_ROUNDS):
        for draft in drafts:
            while draft.needs_trial() and not draft.parses():
                draft.compose()
        waiting = [each for each in drafts if each.needs_trial()]
        if not waiting:
            return
        with _candidates(waiting) as candidates:
            verdicts = tried(candidates, conditions)
        if verdicts.failure:
            for draft in waiting:
                draft.trouble = f"the tests could not be tried: {verdicts.failure}"
            return
        changed = [draft for draft in waiting if draft.learn(verdicts)]
        if not changed:
            return
        for draft in changed:
            draft.compose()
    for draft in changed:
        draft.trouble = "its tests do not hold together"


def _restyle(drafts: list[Draft], conditions: Conditions) -> None:
    """Rewrite the tests that hold in unittest's style; those that do not hold so are left out."""
    waiting = [each for each in drafts if each.needs_trial()]
    for _ in range(MOST_TRIAL_ROUNDS):
        for draft in waiting:
            draft.as_unittest()
        waiting = [each for each in waiting if each.methods]
        if not waiting:
            return
        with _candidates(waiting) as candidates:
            verdicts = tried(candidates, conditions)
        if verdicts.hold:
            return
        failed = {(file, test): why for (file, test, _), why in verdicts.failed.items()}
        for draft in waiting:
            broken = verdicts.broken.get(draft.trial.name, "")
            draft.trouble = verdicts.failure or (last_words(broken) if broken else "")
        waiting = [each for each in waiting if not each.trouble]
        for draft in waiting:
            for name, test in draft.methods.items():
                if (draft.trial.name, name) in failed:
                    draft.forget(test, failed[draft.trial.name, name])
            draft.compose()
    for draft in waiting:
        draft.trouble = "its tests do not hold together"


def _requoted(test: WrittenTest) -> WrittenTest:
    return replace(test, lines=tuple(single_quoted(test.text).splitlines()))


@contextlib.contextmanager
def _candidates(drafts: list[Draft]) -> Iterator[Candidates]:
    """A context in which the drafts are files; they are removed at its end."""
    _sweep({draft.trial.parent for draft in drafts})
    try:
        for draft in drafts:
            draft.trial.write_text(draft.text, encoding="utf-8")
        yield Candidates(
            tuple([draft.trial.resolve() for draft in drafts]),
            tuple([(draft.trial.name, name) for draft in drafts for name in draft.names()]),
            tuple([draft.module for draft in drafts]),
        )
    except OSError as error:
        raise CannotWrite(f"cannot write into {drafts[0].trial.parent}: {error}") from None
    finally:
        for draft in drafts:
            with contextlib.suppress(OSError):
                draft.trial.unlink()


def _sweep(folders: set[Path], now: Clock = time.time) -> None:
    """Remove candidates whose writers were killed."""
    for folder in folders:
        for file in folder.glob(f"{_TRIAL}*.py"):
            with contextlib.suppress(OSError):
                if now() - file.stat().st_mtime > _STALE_CANDIDATE_SECONDS:
                    file.unlink()


def _write(draft: Draft, outcome: Outcome) -> None:
    if draft.trouble:
        outcome.unwritten.append((f"{draft.path} is not written: {draft.trouble}", ""))
        return
    if not draft.tests and not draft.path.exists():
        return
    try:
        write_file(str(draft.path), draft.text, force=True)
    except SymcreteError as error:
        # It could be written before the run: what was found is not lost with the disk.
        outcome.unwritten.append((f"{error}; here are the tests", draft.text))
        return
    outcome.written.append(draft.path)
    if draft.edited:
        names = ", ".join(draft.edited)
        outcome.notes.append(f"kept as edited in {draft.path}: {names} (--force rewrites the file)")


def _told(targets: Iterable[TargetReport], drafts: list[Draft]) -> Iterator[TargetReport]:
    """The reports with the reason of each input that has no test."""
    left = {key: why for draft in drafts for key, why in draft.left_out.items()}
    bare = {(name, n) for draft in drafts for name, ns in draft.results_only.items() for n in ns}
    troubles = {draft.module: draft.trouble for draft in drafts}
    for target in targets:
        stdin = reads_stdin(target.file, target.scope)
        inputs: list[FoundInput] = []
        for number, found in enumerate(target.inputs):
            why = left.get((target.target, number), "") or troubles.get(target.module, "")
            if not why and found.outcome in STABLE and not found.harm:
                why = untestable(target, found, stdin=stdin)
            seen = () if (target.target, number) in bare else found.seen
            inputs.append(replace(found, untested=why, seen=seen))
        yield replace(target, inputs=tuple(inputs))


def _gone(there: There, source: Source) -> list[str]:
    """Functions that the file has tests of ours for and that the program no longer has."""
    names = {MODULE, *[scope for scope, _ in functions(source.tree())]}
    return [scope for scope in there.scopes() if scope.removesuffix(SETS) not in names]
