"""Check one property: its examples, what was kept of earlier runs, then a search for a failure.

Whatever is reported has failed in the test as its author wrote it, called with plain values.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from symcrete.errors import AssumptionFailed, RunCut, SymcreteError
from symcrete.explore.options import Options, options_from, seconds
from symcrete.inputs.literal import NoLiteral
from symcrete.inputs.told_apart import import_line
from symcrete.properties.failure_search import Failing, Search, is_no_failure
from symcrete.properties.forall import BUDGET, Property, session
from symcrete.properties.kept_inputs import KeptInputs
from symcrete.run.drain import drain
from symcrete.run.silence import silenced
from symcrete.terms.evaluate import Assignment
from symcrete.user import PROPERTY_BUDGET, configuration_of_options


class NothingTried(SymcreteError):
    """Every input was rejected by `assume`, so that nothing was tested."""


class Checked:
    """A property with the arguments that others provide."""

    def __init__(self, known: Property, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        self.known = known
        self._args = args
        self._kwargs = kwargs
        provided = {*kwargs, *list(_parameters(known))[: len(args)]}
        self.inputs = [name for name in known.inputs if name not in provided]

    def call(self, values: Mapping[str, Any]) -> None:
        """Call the test with these inputs; one that awaits or yields is run to its end."""
        __tracebackhide__ = True
        drain(self.known.test(*self._args, **self._kwargs, **values))

    def fails(self, values: Mapping[str, Any]) -> BaseException | None:
        """What the test raises for these inputs; None if it passes or they are rejected."""
        try:
            with silenced():
                self.call(values)
        except RunCut:
            return None
        except BaseException as error:
            if is_no_failure(error):
                raise
            return error
        return None


def check(known: Property, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    """Raise what the test raises for the first input that makes it fail."""
    __tracebackhide__ = True
    checked = Checked(known, args, kwargs)
    if not checked.inputs:
        checked.call({})
        return
    for values in known.examples:
        with _noted(f"with the example {_shown(values)}"), contextlib.suppress(AssumptionFailed):
            checked.call(values)
    options = options_of(known)
    kept = KeptInputs(session.folder, known.name())
    search = Search(checked, options)
    found = search.failing_of(kept.failing) or search.failing(kept.covering)
    kept.write(found, search)
    if search.interrupted is not None:
        raise search.interrupted
    if found is None and search.tried == 0:
        raise NothingTried(f"assume() rejected all {search.runs} inputs that were tried")
    if found is not None:
        _report(checked, search, found)


def options_of(known: Property) -> Options:
    """The options of a property: `--symcrete-budget` wins over the decorator, which wins over
    `[tool.symcrete]`.
    """
    configured, own = configuration_of_options(Path.cwd())
    configured.pop("budget", None)  # of a function, not of a property
    asked = {"budget": own[PROPERTY_BUDGET]} if PROPERTY_BUDGET in own else {}
    given = {**configured, **asked, **known.options}
    if session.budget is not None:
        given["budget"] = seconds(session.budget)
    return options_from(given, {"budget": BUDGET})


def _report(checked: Checked, search: Search, found: Failing) -> None:
    """Let the test fail as it does for the plainest input that is known to make it fail."""
    __tracebackhide__ = True
    for given in (found.plainest, found.given):
        with _noted(_kept_by(search, given)):
            checked.call(search.plain(given))
    raise AssertionError(
        f"{_shown(search.plain(found.given))} made the test fail once, then no more: "
        "it depends on something else too"
    )


def _kept_by(search: Search, given: Assignment) -> str:
    """What a failure says of its input: the `@symcrete.example` line that would keep it, after the
    imports and statements that it needs.
    """
    try:
        call = search.call_of(given)
    except NoLiteral:
        return f"for an input that has no literal: {_shown(search.plain(given))}"
    arguments = ", ".join([f"{name}={text}" for name, text in call.args.items()])
    needed = [import_line(module, name) for module, name in call.imports]
    lines = [*needed, *call.setup, f"@symcrete.example({arguments})"]
    how = f"found by symcrete after {search.runs} runs" if search.runs else "known to symcrete"
    return "\n    ".join([f"{how}; to keep this input:", *lines])


@contextlib.contextmanager
def _noted(note: str) -> Iterator[None]:
    """A context that adds to a failure a note saying for which input it came."""
    __tracebackhide__ = True
    try:
        yield
    except RunCut:
        raise
    except BaseException as error:
        if not is_no_failure(error):
            error.add_note(note)
        raise


def _parameters(known: Property) -> list[str]:
    names = known.test.__code__.co_varnames[: known.test.__code__.co_argcount]
    return list(names)


def _shown(values: Mapping[str, Any]) -> str:
    return ", ".join([f"{name}={value!r}" for name, value in values.items()])
