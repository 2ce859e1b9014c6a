"""What an exploration found: plain data, the same for every emitter and every process."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from enum import StrEnum
from typing import Any

from symcrete import VERSION
from symcrete.inputs.told_apart import import_line, is_importable
from symcrete.run.untouched.played import Seen, Situated
from symcrete.run.use import Ending, Use
from symcrete.slotted import dataclass

# exceptions that operations raise on values of a wrong type
OF_WRONG_TYPES = ("TypeError", "AttributeError")
# Why a branch is open whose condition no run had a term for.
NOT_TRACKED = "the condition does not depend on tracked values here"
NO_TECHNIQUES: Mapping[str, str] = {}
_FROM_IMPORT = re.compile(r"from ([\w.]+) import (\w+)")  # as settings of a situation begin
_IMPORT = re.compile(r"^import ([\w.]+)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Spot:
    """One outcome at a place in the source."""

    line: int
    column: int
    side: bool
    text: str = ""
    reason: str = ""  # why it is open
    proof: str = ""  # why it is infeasible
    assumes: tuple[str, ...] = ()  # what the proof stands on besides declared types
    kind: str = ""  # the error, where it is the outcome of an operation and not of a condition
    key: str = ""  # its name among the outcomes of the target

    def as_json(self, techniques: Mapping[str, str] = NO_TECHNIQUES) -> dict[str, Any]:
        """As data; `techniques`: how it was come by, by key, if not by the search itself."""
        found: dict[str, Any] = {"line": self.line, "column": self.column, "side": self.side}
        if self.key in techniques:
            found["technique"] = techniques[self.key]
        if self.kind:
            found["kind"] = self.kind
        if self.reason:
            found["reason"] = self.reason
        if self.proof:
            found["proof"] = self.proof
            found["assumes"] = list(self.assumes)
        return found


@dataclass(frozen=True, slots=True)
class Implicit:
    """An error hidden in an operation."""

    line: int
    kind: str
    covered: bool

    def as_json(self) -> dict[str, Any]:
        return {"line": self.line, "kind": self.kind, "covered": self.covered}


@dataclass(frozen=True, slots=True)
class FoundInput:
    """An input that did something new, and what it did when it was replayed."""

    args: dict[str, str]  # source text by parameter
    outcome: Ending
    returned: str | None
    raised: str | None
    covers: tuple[Spot, ...]
    path_condition: str
    imports: tuple[tuple[str, str], ...] = ()  # (module, name) that the texts mention
    keywords: frozenset[str] = frozenset()  # parameters passed by keyword
    reason: str = ""  # why the outcome is flaky, blocked, ...
    error: str | None = None  # the class raised
    message: str | None = None  # its text, where the program and not Python chose it
    result_type: str = ""  # the class returned, for results without a literal
    claims: frozenset[int] = frozenset()  # lines that a replay must execute
    harm: str = ""  # what it does to its process, which a test must not
    sides: frozenset[str] = frozenset()  # names of the outcomes that it takes
    setup: tuple[str, ...] = ()  # statements to run before the arguments are evaluated
    situation: tuple[Situated, ...] = ()  # what was set besides the arguments
    uses: tuple[Use, ...] = ()  # what was done with the result; what came of it is the outcome
    # conditions of the path that have no expression over the arguments
    conditions_left_out: int = 0
    modules: tuple[str, ...] = ()  # modules of the library that the path condition mentions
    drained: str | None = None  # generator, coroutine, asyncgen: what was run to its end
    compared: str = "=="  # how a test can compare the result: ==, repr, or not at all
    caught: str = ""  # the class raised, or the nearest above it that a test can import
    untested: str = ""  # why the tests that were written do not have it
    lines: frozenset[int] = frozenset()  # of the target's file, that its replay executed
    # what it shows besides branches: the edge of a comparison, a kind of result
    shows: tuple[str, ...] = ()
    seen: tuple[Seen, ...] = ()  # what else the call left behind that a test can look at
    # whether its run was cut because its loops took all the steps they may
    by_steps: bool = False

    @property
    def key(self) -> str:
        """A text that is the same for two inputs with the same call and the same state set before
        it.
        """
        given = " ".join(self.args.values())
        # Two classes may have one name, so imports count; those that only the result needs are
        # known later.
        meant = sorted({each for each in self.imports if each[1].split(".")[0] in given})
        before = (self.setup, self.situation)
        after = [self.uses] if self.uses else []
        return repr((self.args, sorted(self.keywords), *before, meant, *after))

    @property
    def told_situation(self) -> list[str]:
        """The state that was set besides the arguments, in a few words; what is set to None is
        left out.
        """
        told = [
            f"{each.source} = {each.value}" if each.value else each.source
            for each in self.situation
            if each.value != "None"
        ]
        return list(dict.fromkeys(told))

    def as_json(self, techniques: Mapping[str, str] = NO_TECHNIQUES) -> dict[str, Any]:
        """As data; `techniques`: how outcomes were come by, by key, if not by the search itself."""
        found: dict[str, Any] = {
            "args": self.args,
            "outcome": self.outcome,
            "returned": self.returned,
            "raised": self.raised,
            "covers": [spot.as_json(techniques) for spot in self.covers],
            "path_condition": self.path_condition,
            "conditions_not_shown": self.conditions_left_out,
            "situation": [each.as_json() for each in self.situation],
            "setup": list(self.setup),
        }
        if self.uses:
            found["used"] = [each.text for each in self.uses]
        if self.shows:
            found["shows"] = list(self.shows)
        if self.seen:
            found["seen"] = [each.as_json() for each in self.seen]
        if self.reason or self.harm:
            found["reason"] = self.reason or f"no test is written: it {self.harm}"
        if self.untested:
            found["untested"] = self.untested
        return found


def each_once(inputs: Iterable[FoundInput]) -> tuple[FoundInput, ...]:
    """The first input of each call: assignments may differ by variables that no text shows."""
    found: dict[str, FoundInput] = {}
    for each in inputs:
        found.setdefault(each.key, each)
    return tuple(found.values())


@dataclass(frozen=True, slots=True)
class Tally:
    """How many branches, or sides of conditions, there are, are covered and are infeasible."""

    total: int
    covered: int
    infeasible: int

    @property
    def open(self) -> int:
        return self.total - self.covered - self.infeasible

    def as_json(self) -> dict[str, int]:
        return {
            "total": self.total,
            "covered": self.covered,
            "infeasible": self.infeasible,
            "open": self.open,
        }


@dataclass(frozen=True, slots=True)
class Mutants:
    """What became of the small faults that were seeded into a target."""

    total: int
    killed: int
    equal: tuple[str, ...] = ()  # proved to do what the target does
    left: tuple[str, ...] = ()  # no input was found that tells them from the target

    def as_json(self) -> dict[str, Any]:
        found: dict[str, Any] = {"total": self.total, "killed": self.killed}
        return found | {"equal": list(self.equal), "left": list(self.left)}


class Status(StrEnum):
    """How an exploration ended, as reports say it."""

    COMPLETE = "complete"  # every path was explored: what is not covered is infeasible
    COVERED = "covered"  # every branch has an input; there may be more paths
    BUDGET = "budget"  # something is left open
    FAILED = "failed"  # the target could not be explored

    __repr__ = str.__repr__


@dataclass(frozen=True, slots=True)
class TargetReport:
    """Everything about one target."""

    target: str
    status: Status
    branches: Tally = Tally(0, 0, 0)
    conditions: Tally = Tally(0, 0, 0)
    implicit: tuple[Implicit, ...] = ()
    open: tuple[Spot, ...] = ()
    infeasible: tuple[Spot, ...] = ()
    inputs: tuple[FoundInput, ...] = ()
    runs: int = 0
    paths: int = 0
    seconds: float = 0.0
    seconds_running: float = 0.0
    seconds_solving: float = 0.0
    solver: dict[str, Any] = field(default_factory=dict)
    divergences: int = 0
    error: str = ""  # why it failed
    exit_code: int = 0  # the exit code for that failure
    traceback: str = ""  # the traceback of an error of ours
    notes: tuple[str, ...] = ()
    cut_short: bool = False  # by chance, as a note says: another run may find more
    module: str = ""  # what a test imports
    root: str = ""  # the folder that makes the import work
    scope: str = ""
    kind: str = "function"  # function, generator, coroutine, asyncgen, property, setter, given
    is_method: bool = False  # the first argument is the object
    # the Markov chain under random testing, where it was asked for
    chain: dict[str, Any] = field(default_factory=dict)
    file: str = ""  # where the target is written
    guessed: bool = False  # no declaration tells the types of all inputs
    undiscovered: float | None = None  # estimated share of further runs that find something new
    unimportable: bool = False  # it failed because its module cannot be imported
    timeline: tuple[tuple[float, int], ...] = ()  # seconds, and conditions first covered then
    mutants: Mutants | None = None  # where they were asked for
    # how outcomes were come by, by key, that the search itself left open
    techniques: dict[str, str] = field(default_factory=dict)

    def imports(self) -> list[str]:
        """Lines after which every expression of the report's inputs evaluates."""
        return import_lines(self.inputs)

    def as_json(self) -> dict[str, Any]:
        found: dict[str, Any] = {
            "target": self.target,
            "file": self.file,
            "imports": self.imports(),
            "status": self.status,
            "branches": self.branches.as_json(),
            "conditions": self.conditions.as_json(),
            "implicit": [each.as_json() for each in self.implicit],
            "open": [each.as_json() for each in self.open],
            "infeasible": [each.as_json(self.techniques) for each in self.infeasible],
            "inputs": [
                each.as_json(self.techniques) | {"setup": [*first, *each.setup]}
                for each, first in zip(self.inputs, own_imports(self.inputs), strict=True)
            ],
            "runs": self.runs,
            "paths": self.paths,
            "seconds": round(self.seconds, 4),
            "seconds_running": round(self.seconds_running, 4),
            "seconds_solving": round(self.seconds_solving, 4),
            "solver": self.solver,
            "divergences": self.divergences,
            "undiscovered": self.undiscovered,
        }
        if self.mutants is not None:
            found["mutants"] = self.mutants.as_json()
        if self.error:
            found["error"] = self.error
        if self.notes:
            found["notes"] = list(self.notes)
        return found


def import_lines(inputs: Iterable[FoundInput]) -> list[str]:
    """Lines after which every expression of these inputs evaluates: modules, then their names.

    Where inputs mean different things by a name, it is that of the first (see `own_imports`).
    """
    inputs = list(inputs)
    whole = {module for each in inputs for module, name in _needed(each) if not name}
    modules = sorted(whole | {module for each in inputs for module in each.modules})
    names: dict[str, set[str]] = {}
    for first, module in _owners(inputs).items():
        names.setdefault(module, set()).add(first)
    lines = [f"import {module}" for module in modules]
    return lines + [line for m in sorted(names) for line in _importing(m, sorted(names[m]))]


def own_imports(inputs: Iterable[FoundInput]) -> list[list[str]]:
    """For each input the imports of names that mean something else in an earlier input."""
    inputs = list(inputs)
    owners = _owners(inputs)
    return [
        [
            line
            for module, name in _needed(each)
            if module != "builtins" and name and owners[name.split(".")[0]] != module
            for line in _importing(module, [name.split(".")[0]])
        ]
        for each in inputs
    ]


def _importing(module: str, names: list[str]) -> list[str]:
    """Lines that bind names of a module."""
    if is_importable(module):
        return [import_line(module, ", ".join(names))]
    return [import_line(module, each) for each in names]


def _owners(inputs: Iterable[FoundInput]) -> dict[str, str]:
    """The module that each name is imported from: that of the first input that mentions it."""
    found: dict[str, str] = {}
    for each in inputs:
        for module, name in _needed(each):
            if module != "builtins" and name:
                found.setdefault(name.split(".")[0], module)
    return found


def _needed(found: FoundInput) -> list[tuple[str, str]]:
    """The (module, name) pairs that the texts of an input mention, those of its situation too."""
    lines = [line for each in found.situation for line in each.set.splitlines()]
    matches = [_FROM_IMPORT.fullmatch(line) for line in lines]
    named = [(match[1], match[2]) for match in matches if match is not None]
    for each in found.situation:
        modules = _IMPORT.findall(each.set)
        named += [(module, "") for module in modules if f"{module}." in each.value]
    return list(dict.fromkeys([*found.imports, *named]))


@dataclass(frozen=True, slots=True)
class Report:
    """What a whole command found."""

    targets: Sequence[TargetReport]  # of a large project they are read when they are looked at
    seed: int = 0

    def as_json(self) -> dict[str, Any]:
        return {
            "schema": 1,
            "symcrete": VERSION,
            "seed": self.seed,
            "targets": [each.as_json() for each in self.targets],
        }
