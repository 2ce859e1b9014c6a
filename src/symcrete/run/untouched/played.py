"""One call as text, what the untouched function did with it, and what two replays agree on."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from symcrete.run.use import Ending, Use
from symcrete.slotted import dataclass


@dataclass(frozen=True, slots=True)
class Situated:
    """Something that a run read besides its arguments, and how it was set."""

    source: str  # os.environ['SHOP']
    value: str
    set: str  # the statement of a test: monkeypatch.setenv('SHOP', '1')

    def as_json(self) -> dict[str, Any]:
        return {"source": self.source, "value": self.value, "set": self.set}


@dataclass(frozen=True, slots=True)
class Seen:
    """Something that a call left behind, and what a test would see of it."""

    kind: str  # argument, result, variable, file, printed, complained, logged
    of: str  # the parameter, the variable of the module, or the file in the test's folder
    part: str  # of an object: `.balance`, `len`; `is` for a result that is this argument
    value: str  # as an expression
    imports: tuple[tuple[str, str], ...] = ()

    @property
    def place(self) -> tuple[str, str, str]:
        """What is looked at, whatever its value is."""
        return self.kind, self.of, self.part

    def as_json(self) -> dict[str, str]:
        found = {"kind": self.kind, "of": self.of, "part": self.part, "value": self.value}
        return {name: text for name, text in found.items() if text or name == "value"}


@dataclass(frozen=True, slots=True)
class Call:
    """One input as text, ready to be written into a test."""

    args: dict[str, str]
    keywords: tuple[str, ...] = ()
    imports: tuple[tuple[str, str], ...] = ()
    setup: tuple[str, ...] = ()  # statements to run before the arguments are evaluated
    called: str = ""  # the name it is called by, where that is not its own
    situation: tuple[Situated, ...] = ()  # what is set before the call, besides the arguments
    uses: tuple[Use, ...] = ()  # what is done with the result


@dataclass(frozen=True, slots=True)
class Replayed:
    """What the untouched function did."""

    outcome: Ending
    returned: str | None = None
    raised: str | None = None
    error: str | None = None  # the class raised
    caught: str = ""  # the class that a test can import: that one, or the nearest above it
    caught_module: str = "builtins"
    message: str | None = None  # its text, where the program and not Python chose it
    result_type: str = ""
    imports: tuple[tuple[str, str], ...] = ()
    lines: frozenset[int] = frozenset()  # of the watched file, that it executed
    reason: str = ""  # why the outcome is flaky, failed, ...
    changed: tuple[str, ...] = ()  # variables of the program's modules that the call changed
    harm: str = ""  # what it does to everything else in its process
    drained: str | None = None  # generator, coroutine, asyncgen: what was run to its end
    compared: str = "=="  # how a test can compare the result: ==, repr, or not at all
    sides: frozenset[str] | None = None  # names of the outcomes taken, where they were watched
    sides_later: frozenset[str] = frozenset()  # outcomes taken only after earlier calls
    seen: tuple[Seen, ...] = ()  # what else the call left behind that a test can look at
    idle: tuple[str, ...] = ()  # statements of the situation that put mocks nobody called in place

    @property
    def did(self) -> tuple[Ending, str | None, str | None]:
        """The part that a test would assert: how it ended, with what result or exception."""
        return self.outcome, self.returned, self.raised


def unsteady(reason: str, first: Replayed, *others: Replayed) -> Replayed:
    """The answer of a call that does not always do the same; the class of its result is kept where
    every play gave one of that class.
    """
    plays = (first, *others)
    kept = Replayed(
        Ending.FLAKY,
        reason=reason,
        lines=frozenset().union(*[each.lines for each in plays]),
        changed=tuple(sorted({name for each in plays for name in each.changed})),
    )
    if any(
        (each.outcome, each.result_type) != (Ending.RETURNED, first.result_type) for each in plays
    ):
        return kept
    harm = next((each.harm for each in plays if each.harm), "")
    return replace(
        kept, result_type=first.result_type, drained=first.drained, compared="", harm=harm
    )


def combined(first: Replayed, second: Replayed) -> Replayed:
    """What two replays agree on; flaky where they do not."""
    lines = first.lines | second.lines
    changed = tuple(sorted({*first.changed, *second.changed}))
    for each in (first, second):
        if each.outcome == Ending.FLAKY:
            return replace(each, lines=lines, changed=changed)
    if first.outcome != second.outcome or first.error != second.error:
        reason = f"{_said(first)} in one run, {_said(second)} in another"
    elif first.did != second.did:
        kind = "result" if first.outcome == Ending.RETURNED else "message"
        reason = f"the {kind} differs between two runs"
    else:
        seen, idle = all_saw(first, second), all_idle(first, second)
        return replace(first, changed=changed, seen=seen, idle=idle)
    return unsteady(reason, first, second)


def all_saw(first: Replayed, *others: Replayed) -> tuple[Seen, ...]:
    """What these replays of one call all left behind."""
    return tuple([each for each in first.seen if all(each in other.seen for other in others)])


def all_idle(first: Replayed, *others: Replayed) -> tuple[str, ...]:
    """The statements of the situation whose mocks none of these replays of one call called."""
    return tuple([each for each in first.idle if all(each in other.idle for other in others)])


def _said(answer: Replayed) -> str:
    return answer.error or answer.outcome
