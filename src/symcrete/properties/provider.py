"""The Hypothesis backend `symcrete`: the engine decides what Hypothesis draws.

Every test case is a run of the engine. Its draws carry terms; the conditions it passes, in the
test, in what it calls and in strategies, are branches of one tree; the next test case is a solution
for a side that none has taken. A failure counts only once the test, as its author wrote it, fails
with the same draws without terms: so what Hypothesis shrinks, stores and prints is its own.
"""

from __future__ import annotations

import contextlib
import inspect
import threading
from collections.abc import Callable, Iterator
from random import Random
from typing import Any, ClassVar, TypeVar

from hypothesis import control, settings
from hypothesis.errors import (
    BackendCannotProceed,
    DeadlineExceeded,
    FailedHealthCheck,
    StopTest,
    UnsatisfiedAssumption,
)
from hypothesis.internal.conjecture.data import ConjectureData
from hypothesis.internal.conjecture.providers import (
    COLLECTION_DEFAULT_MAX_SIZE,
    HypothesisProvider,
    PrimitiveProvider,
)

from symcrete.errors import AssumptionFailed, RunCut
from symcrete.properties.case_search import CaseSearch
from symcrete.properties.drawing_terms import Kind, PlainDraws, TrackedDraws
from symcrete.properties.failure_search import is_no_failure
from symcrete.run.use import Ending
from symcrete.values.tracking.numeric import untracked

T = TypeVar("T")

# One exploration at a time: values report to one recording, which belongs to the whole process.
_exploring = threading.Lock()


class SymcreteProvider(PrimitiveProvider):
    """What `@settings(backend="symcrete")` makes for each test."""

    lifetime: ClassVar[Any] = "test_function"
    avoid_realization: ClassVar[bool] = True

    def __init__(self, conjecturedata: ConjectureData | None, /) -> None:
        super().__init__(conjecturedata)
        # A generator of its own: Hypothesis gives the shared one the same seed before every test
        # case, so that all would draw the same.
        chosen = settings.default
        self._random = Random(0) if chosen is not None and chosen.derandomize else Random()
        self._search: CaseSearch | None = None
        self._doubted: list[tuple[Kind, Any]] | None = None  # draws of a failure to be confirmed
        self._draws: PlainDraws | TrackedDraws = PlainDraws([], self._own())

    def _own(self) -> PrimitiveProvider:
        """A provider of Hypothesis's own, for what the search does not ask for."""
        data = ConjectureData(random=self._random, provider=HypothesisProvider)
        return data.provider

    @contextlib.contextmanager
    def per_test_case_context_manager(self) -> Iterator[None]:
        """One test case: a run of the engine, or the confirmation of a failure."""
        if self._doubted is not None or not _exploring.acquire(blocking=False):
            self._draws = PlainDraws(self._doubted or [], self._own())
            self._doubted = None
            yield
            return
        try:
            with self._explored():
                yield
        finally:
            _exploring.release()

    @contextlib.contextmanager
    def _explored(self) -> Iterator[None]:
        if self._search is None:
            self._search = CaseSearch(_test_under_way(), self._random)
            # Hypothesis reads the constants of the program at a first draw, whose time it measures:
            # so they are read here, before any.
            getattr(self._own(), "_local_constants", None)
        chosen = self._search.choose()
        if chosen is None:
            raise BackendCannotProceed("exhausted")
        step, given = chosen
        draws = self._draws = TrackedDraws(given, self._own())
        ending: Ending = Ending.RETURNED
        error: BaseException | None = None
        with self._search.running(given):
            try:
                yield
            except BaseException as raised:
                error, ending = raised, _ending(raised)
        self._search.learn(step, draws.given, ending, error)
        _forget_times()
        if error is not None:
            self._end(error, draws)

    def _end(self, error: BaseException, draws: TrackedDraws) -> None:
        """Pass on what ends a test case; a failure is doubted first."""
        if isinstance(error, DeadlineExceeded):
            return  # followed code is slower: its time says nothing about the test's
        if isinstance(error, AssumptionFailed):
            raise UnsatisfiedAssumption from None
        if isinstance(error, RunCut):
            raise BackendCannotProceed("discard_test_case") from None
        if isinstance(error, _PASSED_ON) or is_no_failure(error):
            raise error
        self._doubted = draws.values
        raise BackendCannotProceed("discard_test_case") from None

    def draw_boolean(self, p: float = 0.5) -> bool:  # as Hypothesis has it
        drawn: bool = self._drawn("boolean", {"p": p})
        return drawn

    def draw_integer(
        self,
        min_value: int | None = None,
        max_value: int | None = None,
        *,
        weights: dict[int, float] | None = None,
        shrink_towards: int = 0,
    ) -> int:
        constraints = {"min_value": min_value, "max_value": max_value, "weights": weights}
        drawn: int = self._drawn("integer", {**constraints, "shrink_towards": shrink_towards})
        return drawn

    def draw_float(self, **constraints: Any) -> float:
        drawn: float = self._drawn("float", constraints)
        return drawn

    def draw_string(self, intervals: Any, **constraints: Any) -> str:
        sizes = {"min_size": 0, "max_size": COLLECTION_DEFAULT_MAX_SIZE, **constraints}
        drawn: str = self._drawn("string", {"intervals": intervals, **sizes})
        return drawn

    def draw_bytes(self, min_size: int = 0, max_size: int = COLLECTION_DEFAULT_MAX_SIZE) -> bytes:
        drawn: bytes = self._drawn("bytes", {"min_size": min_size, "max_size": max_size})
        return drawn

    def _drawn(self, kind: Kind, constraints: dict[str, Any]) -> Any:
        # A bound may itself have been drawn and carry a term, which must not stay in the bounds
        # that Hypothesis keeps.
        return self._draws.draw(kind, {name: plain(each) for name, each in constraints.items()})

    def realize(self, value: T, *, for_failure: bool = False) -> T:
        """The value without terms. There always is one: that of this run."""
        found: T = plain(value)
        return found


_PASSED_ON = (StopTest, UnsatisfiedAssumption, BackendCannotProceed, FailedHealthCheck)


def _ending(error: BaseException) -> Ending:
    if isinstance(error, StopTest | UnsatisfiedAssumption | AssumptionFailed):
        return Ending.REJECTED
    if isinstance(error, RunCut):
        return Ending.TIMEOUT
    return Ending.RETURNED if isinstance(error, DeadlineExceeded) else Ending.RAISED


def plain(value: Any) -> Any:
    """A value, or a container of values, without terms."""
    kind = type(value)
    if kind in (list, tuple, set, frozenset):
        return kind([plain(each) for each in value])
    if kind is dict:
        return {plain(key): plain(each) for key, each in value.items()}
    return untracked(value)


def _forget_times() -> None:
    """Have Hypothesis not judge how long the draws of this test case took: followed code is slower,
    and strategies that are quick without it would fail the health check of slow ones.
    """
    context = control._current_build_context.value
    if context is not None:
        context.data.draw_times.clear()


def _test_under_way() -> Callable[..., Any] | None:
    """The function under `@given` that Hypothesis is about to call; None if there is none."""
    context = control._current_build_context.value
    wrapped = getattr(context, "wrapped_test", None)
    handle = getattr(wrapped, "hypothesis", None)
    found = inspect.unwrap(getattr(handle, "inner_test", None) or wrapped or _test_under_way)
    return None if found is _test_under_way or not inspect.isfunction(found) else found
