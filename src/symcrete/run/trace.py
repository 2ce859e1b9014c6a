"""What one concolic run left behind."""

from __future__ import annotations

from typing import Any, TypeAlias

from symcrete.inputs.late import Late
from symcrete.run.result_used import Taken
from symcrete.run.use import Ending
from symcrete.slotted import dataclass
from symcrete.terms.evaluate import Assignment
from symcrete.terms.logic import negate
from symcrete.terms.term import Term
from symcrete.values.tracking.recording import Event

Loss: TypeAlias = tuple[str, int, str]  # file, line, what dropped a term
Read: TypeAlias = int | tuple[str, int, str]  # a numbered read of state, or file, line, call


@dataclass(frozen=True, slots=True)
class Called:
    """One call in a run that lazy expansion can abstract or follow."""

    name: str  # lex#1.strcmp#2: the second call of strcmp in the first of lex
    callee: Any  # run.callees.Callee
    key: Any  # what it was given: equal for calls that compute the same; None if nobody can tell
    abstract: bool
    start: int  # how many branches had been passed before it
    end: int  # and after it
    passed: tuple[Event, ...]  # every branch inside it, also those decided before
    whole: bool  # nothing was abstracted inside it
    result: Any = None  # with its terms
    raised: str | None = None  # the exception's class


@dataclass(frozen=True, slots=True)
class Trace:
    """One run: the input, the branches it passed and how it ended."""

    assignment: Assignment
    events: tuple[Event, ...]
    assumptions: tuple[Term, ...]  # hold for every input of this shape
    covered: int  # a byte for each outcome, as in `tree.coverage.bit`
    ending: Ending
    error: str | None  # the class of the exception
    losses: tuple[Loss, ...]
    steps: int  # loop steps taken
    seconds: float
    blocked: tuple[str, ...] = ()  # side effects that were not let through
    bounds: tuple[Term, ...] = ()  # hold for the inputs we are ready to build
    reads: tuple[Read, ...] = ()  # what it read besides its inputs
    by_steps: bool = False  # whether it was cut because its loops took all the steps they may
    is_input: bool = True  # else the values were none of the declared types, and nothing was run
    late: tuple[Late, ...] = ()  # inputs that are no parameters, which it asked for
    # for each argument with a default, the variables that mean it
    defaults: tuple[Assignment, ...] = ()
    used: tuple[Taken, ...] = ()  # what was done with its result
    # Every branch passed, with the number of symbolic ones before it; where somebody asked for it.
    executed: tuple[tuple[int, int], ...] = ()
    calls: tuple[Called, ...] = ()  # those that lazy expansion may abstract, in order of execution

    # The kind of its result in words, with the condition if that is a tracked truth.
    returned: tuple[str, Term | None] = ("", None)
    result: str = ""  # its result as text, if that is a number or text that the inputs decide

    @property
    def conditions(self) -> tuple[Term, ...]:
        """Each event's condition as it held, in order."""
        return self.held(len(self.events))

    def held(self, depth: int) -> tuple[Term, ...]:
        """The conditions of the first `depth` events as they held. Not all are asked for: most
        branches of a long run are never on the way to another.
        """
        return tuple(
            [
                term if code & 1 else term.negation or negate(term)
                for code, term in self.events[:depth]
            ],
        )

    @property
    def abstract(self) -> bool:
        """Whether some call in it was replaced by an unknown result."""
        return any(call.abstract for call in self.calls)
