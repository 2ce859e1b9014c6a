"""What happens to a target, as a journal keeps it and `--jsonl` tells it."""

from __future__ import annotations

from typing import TypeAlias

from symcrete.explore.findings import FoundInput, TargetReport
from symcrete.sandbox.messages.ends import Ended
from symcrete.slotted import dataclass


@dataclass(frozen=True, slots=True)
class KeptEvent:
    """A run covered something new; it is not replayed yet."""

    assignment: str  # the input as the engine has it
    input: FoundInput


@dataclass(frozen=True, slots=True)
class InputEvent:
    """An input was replayed."""

    input: FoundInput


@dataclass(frozen=True, slots=True)
class EndedEvent:
    """A worker ended that should not have."""

    outcome: Ended


@dataclass(frozen=True, slots=True)
class TargetEvent:
    """The target is done."""

    report: TargetReport


Event: TypeAlias = KeptEvent | InputEvent | EndedEvent | TargetEvent

NAMES: dict[type[Event], str] = {
    KeptEvent: "kept",
    InputEvent: "input",
    EndedEvent: "ended",
    TargetEvent: "target",
}
