"""The question "which input gets me there?" and its three answers."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, TypeAlias

from symcrete.explore.findings import TargetReport
from symcrete.program.source.place import Place
from symcrete.program.source.target import Target
from symcrete.slotted import dataclass


@dataclass(frozen=True, slots=True)
class Goal:
    """What an input must bring about: a line, a side of the branch or an exception there."""

    place: Place
    shown: str  # shop.py:42
    side: bool | None = None
    error: str | None = None
    derived: frozenset[str] = frozenset()  # the names of exceptions that are of this one's kind

    def is_raised(self, errors: Collection[str | None]) -> bool:
        """Whether one of these exceptions is of the kind that is asked for, if any is."""
        return self.error is None or any(
            each == self.error or each in self.derived for each in errors
        )

    @property
    def target(self) -> Target:
        """The function around the line, as the target to start from."""
        file = self.shown.rpartition(":")[0] or str(self.place.source.file)
        return Target(self.place.source, self.place.entry, f"{file}::{self.place.entry}")

    def from_entry(self, entry: str | None) -> Target:
        """The target to start from: the function named `entry`, or the one around the line if that
        is None.
        """
        target = self.target
        if entry is None:
            return target
        return Target(target.source, entry, f"{target.label.rpartition('::')[0]}::{entry}")


@dataclass(frozen=True, slots=True)
class Reached:
    """An input that executes the line; it was replayed on the untouched function."""

    target: str  # shop.py:42
    entry: str  # shop.py::main
    args: dict[str, str]
    seconds: float
    segments: int
    phase: str  # symbolic, concrete, forward
    path_condition: str
    route: tuple[tuple[int, str], ...]  # lines and what was true there
    report: TargetReport  # the same input, ready for every emitter
    note: str = ""  # what else a reader should know: the error is caught, a proof was wrong

    def as_json(self) -> dict[str, Any]:
        condition, found = self.path_condition, self.report
        told = _json(self, "reached", self.args, self.phase, condition, None, None, found)
        return told | {"note": self.note or None}


@dataclass(frozen=True, slots=True)
class Unreachable:
    """A proof that no input of the declared types executes the line: the closed search."""

    target: str
    entry: str
    seconds: float
    segments: int
    phase: str
    proof: tuple[str, ...]
    assumes: tuple[str, ...] = ()  # what the proof stands on besides the declared types

    def as_json(self) -> dict[str, Any]:
        proof = list(self.proof)
        return _json(self, "unreachable", None, self.phase, None, proof, None, assumes=self.assumes)


@dataclass(frozen=True, slots=True)
class Undecided:
    """Neither an input nor a proof within the budget."""

    target: str
    entry: str
    seconds: float
    segments: int
    reason: str

    def as_json(self) -> dict[str, Any]:
        return _json(self, "undecided", None, None, None, None, self.reason)


Verdict: TypeAlias = Reached | Unreachable | Undecided


def _json(
    verdict: Verdict,
    word: str,
    args: dict[str, str] | None,
    phase: str | None,
    path_condition: str | None,
    proof: list[str] | None,
    reason: str | None,
    found: TargetReport | None = None,
    assumes: tuple[str, ...] = (),
) -> dict[str, Any]:
    return {
        "schema": 1,
        "target": verdict.target,
        "verdict": word,
        "entry": verdict.entry,
        "args": args,
        "seconds": round(verdict.seconds, 4),
        "segments": verdict.segments,
        "phase": phase,
        "path_condition": path_condition,
        "imports": found.imports() if found else [],
        "situation": [each.as_json() for each in found.inputs[0].situation] if found else [],
        "setup": list(found.inputs[0].setup) if found else [],
        "used": [each.text for each in found.inputs[0].uses] if found else [],
        "assumes": list(assumes),
        "proof": proof,
        "reason": reason,
    }
