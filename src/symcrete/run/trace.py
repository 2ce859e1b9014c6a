"""What one concolic run left behind."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from symcrete.terms.evaluate import Assignment
from symcrete.terms.term import Term
from symcrete.values.recording import Event

Ending: TypeAlias = Literal["returned", "raised", "timeout", "rejected", "refused"]
Loss: TypeAlias = tuple[str, int, str]  # file, line, what dropped a term


@dataclass(frozen=True, slots=True)
class Trace:
    """One run: the input, the branches it passed and how it ended."""

    assignment: Assignment
    events: tuple[Event, ...]
    conditions: tuple[Term, ...]  # each event's condition as it held, in order
    assumptions: tuple[Term, ...]  # hold for every input of this shape
    covered: int  # a byte for each outcome, as in `tree.coverage.bit`
    ending: Ending
    error: str | None  # the class of the exception
    losses: tuple[Loss, ...]
    steps: int  # loop steps taken
    seconds: float
    blocked: tuple[str, ...] = ()  # side effects that were not let through
