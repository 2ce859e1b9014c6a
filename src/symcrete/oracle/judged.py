"""A program that calls a function and says whether it failed; its one branch is whether it did."""

from __future__ import annotations

from pathlib import Path

from symcrete.oracle import contracts, faults, outcomes
from symcrete.oracle.documented import documented, parameters_of
from symcrete.oracle.joint import imported_as, subject, written
from symcrete.oracle.subjects import annotated, announced, parameters
from symcrete.program.source.target import Target
from symcrete.slotted import dataclass

HOLDS = '"holds"'  # what the program returns, as text, where the call did nothing wrong
_TEXT = f"""
{{imports}}
from joint_contracts import also_documented, contract_of
from joint_faults import fault_of
from joint_outcomes import function_at

{{conditions}}
judged_function = also_documented(
    contract_of(function_at(first_module, {{name!r}})), BEFORE, AFTER
)


def judge(*positional, **keywords):
    fault = fault_of(
        judged_function, positional, keywords, {{announced}}, {{guessed}}, {{file!r}}
    )
    if fault is None or fault in {{known}}:
        return {HOLDS}
    return fault
"""


@dataclass(frozen=True, slots=True)
class Fault:
    """What a call did that it must not."""

    kind: str  # assert, contract, invariant, exception; or UNUSED of `oracle/faults.py`
    line: int
    error: str  # the name of the class raised; empty if nothing was

    @property
    def key(self) -> tuple[str, int, str]:
        """The fault as the judging program compares it: kind, line, and class raised."""
        return self.kind, self.line, self.error


def judging_target(
    target: Target, folder: Path, expected: tuple[str, ...], known: tuple[Fault, ...]
) -> Target:
    """The target that calls this one, written into the folder.

    `expected` are names of exceptions that may be raised, besides those that the documentation
    announces; `known` are faults that are not asked for any more.
    """
    text = _TEXT.format(
        imports=imported_as(target, "first_module"),
        name=target.called,
        announced=(*announced(target), *expected),
        guessed=annotated(target) < parameters(target),
        file=target.source.file.name,
        known=tuple([each.key for each in known]),
        conditions=documented(target).program(parameters_of(target)),
    )
    source = written(folder, text, (contracts, faults, outcomes), (target,))
    return Target(source, "judge", target.label, subjects=(subject(target, "first_module"),))
