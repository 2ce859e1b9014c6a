"""What `diff` and `check` answer: plain data, for people and for programs."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

from symcrete.explore.findings import FoundInput, TargetReport, import_lines
from symcrete.slotted import dataclass

DiffVerdict: TypeAlias = Literal["differs", "same", "undecided"]
# what differs; or that the two are "incomparable", where the text of the first says why
AspectKind: TypeAlias = Literal[
    "how", "returned", "raised", "exception", "arguments", "printed", "incomparable"
]


@dataclass(frozen=True, slots=True)
class Aspect:
    """Something in which two calls differ, with the text of each."""

    what: AspectKind
    a: str
    b: str

    def as_json(self) -> dict[str, Any]:
        """The same as data."""
        return {"what": self.what, "a": self.a, "b": self.b}


@dataclass(frozen=True, slots=True)
class Difference:
    """An input on which two functions differ, and what each did with it when it was replayed."""

    a: FoundInput
    b: FoundInput
    aspects: tuple[Aspect, ...]
    test: str = ""  # asserts what the first function does

    def as_json(self) -> dict[str, Any]:
        """The fields that the contract names; `in` says in what the functions differ."""
        return {
            "args": self.a.args,
            "situation": [each.as_json() for each in self.a.situation],
            "setup": list(self.a.setup),
            "imports": import_lines([self.a]),
            "a": _did(self.a),
            "b": _did(self.b),
            "in": [each.as_json() for each in self.aspects],
            "test": self.test,
        }


@dataclass(frozen=True, slots=True)
class Diff:
    """Whether two functions differ."""

    a: str
    b: str
    verdict: DiffVerdict
    report: TargetReport  # of the first function: the inputs on which it differs
    differences: tuple[Difference, ...] = ()
    reason: str = ""  # why it is undecided, and what was tried
    proof: str = ""
    assumes: tuple[str, ...] = ()  # what the proof stands on besides declared types
    seconds: float = 0.0
    runs: int = 0

    @property
    def exit_code(self) -> int:
        """0 if the functions are the same; 1 if they differ, or if that is not known."""
        return 0 if self.verdict == "same" else 1

    def as_json(self) -> dict[str, Any]:
        """The fields that the contract names."""
        return {
            "schema": 1,
            "a": self.a,
            "b": self.b,
            "verdict": self.verdict,
            "reason": self.reason or None,
            "proof": self.proof or None,
            "assumes": list(self.assumes),
            "differences": [each.as_json() for each in self.differences],
            "runs": self.runs,
            "seconds": round(self.seconds, 4),
        }


@dataclass(frozen=True, slots=True)
class Failure:
    """An input on which a function fails, with what it did when it was replayed."""

    kind: str  # assert, contract, invariant, exception
    line: int  # of the function's file; 0 if it fails elsewhere
    found: FoundInput
    call: str = ""
    test: str = ""  # that it raises: it holds until the fault is mended

    def as_json(self) -> dict[str, Any]:
        """The fields that the contract names."""
        return {
            "kind": self.kind,
            "line": self.line,
            "args": self.found.args,
            "situation": [each.as_json() for each in self.found.situation],
            "setup": list(self.found.setup),
            "imports": import_lines([self.found]),
            "raised": self.found.raised,
            "call": self.call,
            "test": self.test,
        }


@dataclass(frozen=True, slots=True)
class WrongExample:
    """An example of a docstring that does not give what it shows."""

    line: int
    call: str  # the source of the example
    expected: str
    got: str

    def as_json(self) -> dict[str, Any]:
        """The fields of a failure, and what the example shows and gives."""
        return {
            "kind": "example",
            "line": self.line,
            "args": {},
            "situation": [],
            "setup": [],
            "imports": [],
            "raised": None,
            "call": self.call,
            "test": "",
            "expected": self.expected,
            "got": self.got,
        }


@dataclass(frozen=True, slots=True)
class Checked:
    """Whether a function fails."""

    target: str
    verdict: Literal["fails", "holds", "undecided"]
    report: TargetReport  # the inputs on which it fails
    failures: tuple[Failure, ...] = ()
    examples: tuple[WrongExample, ...] = ()
    reason: str = ""  # why it is undecided, and what was tried
    proof: str = ""
    assumes: tuple[str, ...] = ()  # what the proof stands on besides declared types
    seconds: float = 0.0
    runs: int = 0
    exit_error: int = 0  # the exit code that it has where it could not be explored

    @property
    def exit_code(self) -> int:
        """0 if the function never fails; 1 if it fails, or if that is not known; another code after
        an error.
        """
        return self.exit_error or (0 if self.verdict == "holds" else 1)

    def as_json(self) -> dict[str, Any]:
        """The fields that the contract names."""
        return {
            "target": self.target,
            "verdict": self.verdict,
            "reason": self.reason or None,
            "proof": self.proof or None,
            "assumes": list(self.assumes),
            "failures": [
                *[each.as_json() for each in self.examples],
                *[each.as_json() for each in self.failures],
            ],
            "runs": self.runs,
            "seconds": round(self.seconds, 4),
        }


def _did(found: FoundInput) -> dict[str, Any]:
    return {"outcome": found.outcome, "returned": found.returned, "raised": found.raised}
