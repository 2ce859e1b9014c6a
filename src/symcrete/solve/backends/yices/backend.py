"""Yices 2: ten times as fast as z3 on linear integers; an optional extra.

Linear conditions follow the path incrementally; products go to its model-constructing solver, which
answers each query afresh.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from symcrete.constraint.divisions import deepest
from symcrete.constraint.path import PathConstraint, unknowns
from symcrete.constraint.theory import CROWD, FLOAT, PRODUCT, ROUNDING, theory_of
from symcrete.solve.backends.stacked import Stacked, Workspace, sort_of
from symcrete.solve.backends.watchdog import watchdog
from symcrete.solve.backends.yices.c_library import Expressions, Library
from symcrete.solve.lowering.numbers import ArithmeticLowering
from symcrete.solve.lowering.rounded import RoundedLowering
from symcrete.solve.per_thread import shared
from symcrete.solve.solver import (
    QUERY_SECONDS,
    SAT,
    UNDECIDED,
    UNSAT,
    Answer,
    OutOfTime,
    Unknown,
)
from symcrete.terms.evaluate import Assignment

# seconds beyond the limit before an interrupt: in Yices 2.6.5 one in a hundred interrupts of the
# simplex ends the process, so only what hangs is cut
GRACE_WITHOUT_LOGIC = 0.9
DIVISIONS = 3  # levels of divisions within each other; on more its simplex may go on without end
_STATUS_UNSAT = 4  # a context that has seen a contradiction takes no further conditions
# What Yices says of a context; anything else means that it did not decide.
VERDICTS = {3: SAT, _STATUS_UNSAT: UNSAT}
_library: Library | None = None


def library() -> Library:
    """The library of this process, loaded at the first call."""
    global _library
    if _library is None:
        _library = Library()
    return _library


class YicesWorkspace(Workspace):
    """The terms lowered into Yices, which has a single table of them."""

    def __init__(self, *, rounded: bool = False) -> None:
        super().__init__()
        self.library = library()
        self._kind = RoundedLowering if rounded else ArithmeticLowering
        self._open()

    def _open(self) -> None:
        self.build = Expressions(self.library)
        self.lowering: ArithmeticLowering = self._kind(self.build)

    def renew(self) -> None:
        self._open()
        self.generation += 1


class Yices:
    """The solver: sends a constraint to the context that can take it, or says Unknown."""

    def __init__(
        self,
        *,
        seconds: float = QUERY_SECONDS,
        seed: int = 0,
        incremental: bool = True,
        workspace: YicesWorkspace | None = None,
    ) -> None:
        self.workspace = workspace or shared("yices", YicesWorkspace)
        settings = {"seconds": seconds, "seed": seed, "incremental": incremental}
        self._linear = Stack(self.workspace, logic="", **settings)
        self._products = Stack(self.workspace, logic="QF_NIRA", **settings)

    def solve(self, constraint: PathConstraint, near: Assignment) -> Answer:
        found = theory_of(constraint)
        if found & ROUNDING:
            # Yices 2.6.5 has been seen to end the process on such: m + floor(u) != n, 0.1 * n == u.
            return Unknown("integers and reals together, which Yices is not asked for")
        if found & FLOAT and found & PRODUCT and len(unknowns(constraint)) > CROWD:
            # Yices has been seen to hang on one condition of many unknowns, and not to heed the
            # interrupt.
            return Unknown("products of reals, which Yices is not asked for")
        if found & PRODUCT:
            return self._products.solve(constraint, near)
        if deepest(constraint) > DIVISIONS:
            # Its simplex goes on without end on these, and the stop may end the process.
            return Unknown("divisions nested deep, which Yices is not asked for")
        return self._linear.solve(constraint, near)


class RoundedReals(Yices):
    """Doubles as reals that may be off by a rounding: for proofs that there is no answer."""

    def __init__(
        self,
        *,
        seconds: float = QUERY_SECONDS,
        seed: int = 0,
        incremental: bool = True,
        workspace: YicesWorkspace | None = None,
    ) -> None:
        super().__init__(
            seconds=seconds,
            seed=seed,
            incremental=incremental,
            workspace=workspace or shared("yices rounded", lambda: YicesWorkspace(rounded=True)),
        )


class Stack(Stacked):
    """One Yices context; the last path stays asserted."""

    workspace: YicesWorkspace

    def __init__(
        self, workspace: YicesWorkspace, *, logic: str, seconds: Any, seed: Any, incremental: Any
    ) -> None:
        self._logic = logic
        self._interrupted = False
        self._library = workspace.library
        self._parameters = self._library.new_param_record()
        self._library.set_param(self._parameters, b"random-seed", str(seed).encode())
        self._context: Any = None
        super().__init__(workspace, seconds=seconds, incremental=incremental)

    def open(self) -> None:
        lib = self._library
        if self._context:
            lib.free_context(self._context)
        self._build = self.workspace.build
        config = lib.new_config()
        if self._logic:
            lib.default_config_for_logic(config, self._logic.encode())
        lib.set_config(config, b"mode", b"push-pop")
        self._context = lib.new_context(config)
        lib.free_config(config)
        if not self._context:
            self._fail()

    def push(self, expressions: list[int]) -> bool:
        lib = self._library
        if lib.push(self._context) < 0:
            self._fail()
        for expression in expressions:
            if lib.assert_formula(self._context, expression) < 0:
                lib.pop(self._context)
                self._fail()
        return bool(lib.context_status(self._context) != _STATUS_UNSAT)

    def _fail(self) -> None:
        self.spoilt = True
        raise RuntimeError(f"yices: {self._library.error()}")

    def pop(self, count: int) -> None:
        for _ in range(count):
            self._library.pop(self._context)

    def check(self) -> int:
        context = self._context
        watchdog.start(
            self.seconds + (0.0 if self._logic else GRACE_WITHOUT_LOGIC), self._interrupt
        )
        try:
            status = self._library.check_context(context, self._parameters)
        finally:
            self._interrupted = watchdog.stop()
        if status not in VERDICTS:
            self.spoilt = True  # an interrupted context cannot go on
        return VERDICTS.get(status, UNDECIDED)

    def _interrupt(self) -> None:
        self._library.stop_search(self._context)

    def undecided(self) -> Unknown:
        if self._interrupted:
            return OutOfTime.after(self.seconds)
        return Unknown(f"yices: {self._library.error() or 'undecided'}")

    def read(self, asked: Iterable[str], assignment: Assignment) -> None:
        model = self._library.get_model(self._context, 1)
        try:
            for name in asked:
                value = self._build.value(model, name, sort_of(assignment.get(name)))
                if value is not None:
                    assignment[name] = value
        finally:
            self._library.free_model(model)
