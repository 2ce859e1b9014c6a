"""`@symcrete.forall`: a test that must hold for every value of its annotated parameters.

Decorating costs nothing: the engine is imported when the first such test runs.
"""

from __future__ import annotations

import functools
import inspect
import os
from collections.abc import Callable, Collection
from dataclasses import field
from typing import Any, TypeVar, overload

from symcrete.errors import BadOption
from symcrete.slotted import dataclass

MARK = "symcrete_property"  # the attribute by which a decorated test is known
BUDGET = "2s"  # per test: a suite of a hundred properties takes some minutes, not an hour
_EXAMPLES = "symcrete_examples"  # where `example` leaves what it is given until `forall` comes

Test = TypeVar("Test", bound=Callable[..., Any])


@dataclass(slots=True)
class Session:
    """What the run of tests says about all properties; the pytest plugin fills it in."""

    budget: str | None = None  # wins over what a test says
    folder: str | None = None  # where results are kept; None: nothing is kept

    def begin(self, budget: str | None, folder: str | None) -> None:
        """Take what the command line of the tests says."""
        self.budget, self.folder = budget, folder


session = Session()


@dataclass(slots=True)
class Property:
    """A test, which of its parameters others provide, and the inputs it must be tried with."""

    test: Callable[..., Any]
    options: dict[str, Any]
    provided: set[str] = field(default_factory=set)  # fixtures, arguments of `parametrize`, self
    examples: list[dict[str, Any]] = field(default_factory=list)

    @property
    def inputs(self) -> list[str]:
        """The annotated parameters that nobody else provides, in order."""
        return [
            each.name
            for each in inspect.signature(self.test).parameters.values()
            if each.annotation is not each.empty
            and each.kind in (each.POSITIONAL_OR_KEYWORD, each.KEYWORD_ONLY)
            and each.name not in self.provided
        ]

    def signature(self) -> inspect.Signature:
        """What is left of the test's signature for whoever calls it."""
        whole = inspect.signature(self.test)
        inputs = set(self.inputs)
        left = [each for each in whole.parameters.values() if each.name not in inputs]
        return whole.replace(parameters=left)

    def name(self) -> str:
        """What results are kept by: pytest's name of the test, or else its own."""
        running = os.environ.get("PYTEST_CURRENT_TEST", "").rpartition(" (")[0]
        return running or f"{self.test.__module__}.{self.test.__qualname__}"


@overload
def forall(test: Callable[..., Any], /) -> Callable[..., None]: ...


@overload
def forall(
    test: None = None, /, **options: Any
) -> Callable[[Callable[..., Any]], Callable[..., None]]: ...


def forall(test: Any = None, /, **options: Any) -> Any:
    """Make a test hold for all values of its annotated parameters, as far as a search can tell.

    The test and what it calls are explored in the process that runs the tests: no sandbox is around
    it, so whatever the test does to files, the network or the process, it does with many inputs.
    Options are those of `symcrete.cover`: `@symcrete.forall(budget="10s")`.
    """
    if test is None:
        return lambda given: forall_with(given, options)
    return forall_with(test, options)


def forall_with(test: Callable[..., Any], options: dict[str, Any]) -> Callable[..., None]:
    """The test as a function that takes the parameters which are no inputs, and when it is called
    searches for inputs that make the test fail.
    """
    if not inspect.isfunction(test):
        raise BadOption(f"@symcrete.forall is for functions, not for {test!r}")
    known = Property(test, dict(options))
    known.examples += getattr(test, _EXAMPLES, [])
    first = next(iter(inspect.signature(test).parameters), "")
    if "." in test.__qualname__.rpartition("<locals>.")[2] and first in ("self", "cls"):
        known.provided.add(first)

    @functools.wraps(test)
    def run(*args: Any, **kwargs: Any) -> None:
        __tracebackhide__ = True
        # The engine and its solvers take a moment to import, which collecting tests does not need.
        from symcrete.properties.checking import check

        check(known, args, kwargs)

    setattr(run, MARK, known)
    run.__signature__ = known.signature()  # type: ignore[attr-defined]
    return run


def example(**values: Any) -> Callable[[Test], Test]:
    """An input that a `forall` test is always tried with, before any other."""

    def keep(test: Test) -> Test:
        known: Property | None = getattr(test, MARK, None)
        if known is not None:
            known.examples.insert(0, values)
        else:
            setattr(test, _EXAMPLES, [values, *getattr(test, _EXAMPLES, [])])
        return test

    return keep


def provide(test: Callable[..., Any], names: Collection[str]) -> None:
    """Say that somebody else provides these parameters of a `forall` test: they are no inputs."""
    function: Any = getattr(test, "__func__", test)
    known: Property = getattr(function, MARK)
    known.provided.update(names)
    function.__signature__ = known.signature()
