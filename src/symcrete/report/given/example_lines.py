"""Inputs as `@example` lines of the Hypothesis tests that a project has, as a patch.

The test is called with each input before its line is proposed. An input on which it fails is told
as a comment; one that its `assume` rejects is left out.
"""

from __future__ import annotations

import ast
import contextlib
import difflib
import os
import secrets
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TextIO

from symcrete.explore.findings import FoundInput, Report, TargetReport
from symcrete.report.given.hypothesis_tests import GivenTest, given_tests
from symcrete.report.trial.trial import Candidates, Conditions, tried
from symcrete.run.use import FINISHED
from symcrete.slotted import dataclass

MOST_EXAMPLES = 10  # lines for one test: all of them are run whenever the test is
_NOT_MET = "UnsatisfiedAssumption"  # what `assume` of Hypothesis raises


@dataclass(frozen=True, slots=True)
class Proposal:
    """A line for a test."""

    test: GivenTest
    given: str  # `a=1, b=2`


class ExamplesPatch:
    """A patch that adds the lines; nothing where no Hypothesis test calls the functions."""

    def __init__(self, conditions: Conditions | None = None) -> None:
        self._conditions = conditions or Conditions()

    def emit(self, report: Report, out: TextIO) -> None:
        """Write the patch, as `git apply` and `patch -p1` take it."""
        proposals = [each for target in report.targets for each in _proposed(target)]
        by_file: dict[Path, list[Proposal]] = {}
        for each in proposals:
            by_file.setdefault(each.test.file, []).append(each)
        for file, own in by_file.items():
            failed = _failing(file, own, self._conditions)
            for number, why in failed.items():
                if _NOT_MET not in why:
                    test, given = own[number].test.name, own[number].given
                    out.write(f"# {test} fails with {given}: {why}\n")
            kept = [each for number, each in enumerate(own) if number not in failed]
            out.write(_patch(file, kept))


def _proposed(target: TargetReport) -> Iterator[Proposal]:
    plain = [each for each in target.inputs if _is_plain(each)]
    if not plain or not target.module or target.is_method:
        return
    for test in given_tests(Path(target.root), target.scope, tuple(plain[0].args)):
        order = {name: parameter for parameter, name in test.passes}
        seen = set(test.shown)
        fresh = []
        for found in plain:
            given = ", ".join(
                [f"{name}={found.args[order[name]]}" for name in _in_order(test, order)]
            )
            if _normal(given) not in seen and set(found.args) == set(order.values()):
                seen.add(_normal(given))
                fresh.append(Proposal(test, given))
        yield from fresh[:MOST_EXAMPLES]


def _in_order(test: GivenTest, order: dict[str, str]) -> list[str]:
    return [name for _, name in test.passes if name in order]


def _normal(given: str) -> str:
    """The same text for the same values, however they are written."""
    call = ast.parse(f"f({given})", mode="eval").body
    assert isinstance(call, ast.Call)
    return ", ".join([ast.unparse(each) for each in call.keywords])


def _is_plain(found: FoundInput) -> bool:
    """Whether an input is nothing but values that every file can write."""
    bare = not (found.situation or found.setup or found.uses or found.imports or found.harm)
    stars = any(name.startswith("*") for name in found.args)
    return bare and bool(found.args) and not stars and found.outcome in FINISHED


def _failing(file: Path, proposals: Sequence[Proposal], conditions: Conditions) -> dict[int, str]:
    """The numbers of proposals with which their tests do not pass, and why."""
    calls = [
        f"\n\ndef test_proposed_{number}():\n"
        f"    {each.test.name}.hypothesis.inner_test({each.given})\n"
        for number, each in enumerate(proposals)
    ]
    trial = file.parent / f"symcrete_trial_{secrets.token_hex(4)}.py"  # 4 bytes
    try:
        trial.write_text(file.read_text(encoding="utf-8") + "".join(calls), encoding="utf-8")
        names = [(trial.name, f"test_proposed_{number}") for number in range(len(proposals))]
        verdicts = tried(Candidates((trial.resolve(),), tuple(names)), conditions)
    finally:
        with contextlib.suppress(OSError):
            trial.unlink()
    if verdicts.failure or verdicts.broken:
        why = verdicts.failure or next(iter(verdicts.broken.values()))
        return dict.fromkeys(range(len(proposals)), f"it cannot be run: {why.splitlines()[-1]}")
    numbers = {f"test_proposed_{number}": number for number in range(len(proposals))}
    return {numbers[test]: why for (_, test, _), why in verdicts.failed.items()}


def _patch(file: Path, proposals: Sequence[Proposal]) -> str:
    """A unified diff that adds the proposed lines to a file, and the import that they need."""
    if not proposals:
        return ""
    before = file.read_text(encoding="utf-8").splitlines(keepends=True)
    after = list(before)
    name, importing = _name_of_example(ast.parse("".join(before)))
    numbered = sorted(enumerate(proposals), key=lambda pair: (-pair[1].test.line, -pair[0]))
    for _, each in numbered:
        line = f"{' ' * each.test.indent}@{name}({each.given})\n"
        after.insert(each.test.line, line)
    if importing is not None:
        names = sorted([*[ast.unparse(each) for each in importing.names], "example"])
        shown = f"from hypothesis import {', '.join(names)}\n"
        after[importing.lineno - 1 : importing.end_lineno] = [shown]
    place = os.path.relpath(file).replace(os.sep, "/")
    return "".join(difflib.unified_diff(before, after, f"a/{place}", f"b/{place}"))


def _name_of_example(tree: ast.Module) -> tuple[str, ast.ImportFrom | None]:
    """What a file calls `example`, and the statement that has to import it, if none does."""
    froms = [node for node in tree.body if isinstance(node, ast.ImportFrom)]
    ours = [node for node in froms if node.module == "hypothesis"]
    for each in [each for node in ours for each in node.names if each.name == "example"]:
        return each.asname or each.name, None
    for node in ours:
        if all(each.asname is None for each in node.names):
            return "example", node
    whole = [each for node in tree.body if isinstance(node, ast.Import) for each in node.names]
    named = [each.asname or each.name for each in whole if each.name == "hypothesis"]
    if named:
        return f"{named[0]}.example", None
    return "example", ours[0] if ours else None
