"""The functions that rewritten code calls.

They are closures over the lists of one recording: this is the hottest code there is, and a closure
reaches its variables at least as fast as a method does its object's (benchmarks/hot_code.py).
"""

from __future__ import annotations

import builtins
import sys
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from typing import Any, TypeAlias

from symcrete.errors import LoopLimit, RunCut
from symcrete.inputs.library_class import has_library_class
from symcrete.instrument.deciding import comparing_hooks
from symcrete.instrument.matching import case_hooks
from symcrete.instrument.naming import PREFIX
from symcrete.instrument.operands import operand_hooks
from symcrete.instrument.places import place_hooks
from symcrete.instrument.singletons import SINGLETONS
from symcrete.values.build import late_inputs
from symcrete.values.containers import (
    dicts,
)
from symcrete.values.models import container_functions, number_functions
from symcrete.values.rows.tables import STEPPED
from symcrete.values.text.meaning.formatting import formatted, fstring, shown
from symcrete.values.tracking.followed import keeps_attribute
from symcrete.values.tracking.modelled import callee
from symcrete.values.tracking.numeric import ConcolicInt, pinned, tracked, untracked
from symcrete.values.tracking.operators import COMPARISONS, OPERATORS, truth_of
from symcrete.values.tracking.recording import Recording, holders
from symcrete.values.tracking.subscripts import del_item, item, plain_index, set_item
from symcrete.values.tracking.truth import Truth
from symcrete.values.vocabulary import vocabulary


class Hooks:
    """The hooks of one recording, and the number of loop steps a run may take."""

    def __init__(self, record: Recording) -> None:
        vocabulary.use(vocabulary.LISTED)
        self.table: dict[str, Callable[..., Any]] = {}
        self.allow: Callable[[int], None]  # begins a run of at most so many loop steps
        self.used: Callable[[], int]  # tells how many it took
        self.cut: Callable[[RunCut], None]  # says why it is cut, which `caught` raises again
        self._make(record)

    def install(self) -> None:
        """Make these the hooks that rewritten code finds."""
        for name, function in self.table.items():
            setattr(builtins, PREFIX + name, function)

    def _make(self, record: Recording) -> None:
        # cases that matched and whose guards have not been asked yet
        matched_cases: set[int] = set()
        self.allow, self.used, self.cut, counting = _counting_hooks(matched_cases)
        branch, deciding = _deciding_hooks(record)
        tick = counting["tick"]
        self.table = counting | deciding | _looping_hooks(record, branch, tick)
        self.table |= _matching_hooks(record, matched_cases)
        self.table |= _reading_hooks(record) | _value_hooks(record)
        self.table |= comparing_hooks(record, branch, tick)
        self.table |= _named(*SHARED)
        self.table |= OPERATORS
        self.table["slice_"] = slice
        self.table |= SINGLETONS


Table: TypeAlias = dict[str, Callable[..., Any]]


def _named(*hooks: Callable[..., Any]) -> Table:
    return {hook.__name__: hook for hook in hooks}


def _counting_hooks(
    matched_cases: set[int],
) -> tuple[Callable[[int], None], Callable[[], int], Callable[[RunCut], None], Table]:
    """The functions that set how many loop steps a run may take, tell how many it took, and
    remember why it is cut short; and the hooks: `tick` counts a step, `caught` raises the reason
    again in a handler that catches everything.
    """
    ticks = iter(range(0)).__next__
    limit = 0
    ending: RunCut | None = None

    def allow(steps: int) -> None:
        nonlocal ticks, limit, ending
        limit, ending = steps, None
        ticks = iter(range(steps)).__next__
        matched_cases.clear()

    def used() -> int:
        try:
            return ticks()
        except StopIteration:
            return limit

    def cut(reason: RunCut) -> None:
        nonlocal ending
        ending = reason

    def tick() -> None:
        try:
            ticks()
        except StopIteration:
            cut(LoopLimit(f"does not end within {limit} loop steps"))
            assert ending is not None
            raise ending from None

    def caught() -> None:
        if ending is not None:
            raise ending

    return allow, used, cut, _named(tick, caught)


def _deciding_hooks(record: Recording) -> tuple[Callable[[int, Any], bool], Table]:
    """`branch`, which all other hooks that decide call, and the table with those for `and`, `or`
    and chains of comparisons.
    """
    covered, passed = record.covered, record.passed

    def branch(site: int, value: Any) -> bool:
        if value is True:
            covered[site + 1] = 1
            return True
        if value is False:
            covered[site] = 1
            return False
        return decide(site, value)

    def decide(site: int, value: Any) -> bool:
        if type(value) is not Truth:
            value = truth_of(value)
            if type(value) is not Truth:
                covered[site + value] = 1
                return value  # type: ignore[no-any-return]
        return passed(site >> 1, value.term, int.__bool__(value))

    return branch, _named(branch, *operand_hooks(branch, COMPARISONS))


def _looping_hooks(
    record: Recording, branch: Callable[[int, Any], bool], tick: Callable[[], None]
) -> Table:
    """The hooks of loops, which tell whether there is another step, and of places."""
    covered = record.covered

    def loop(site: int, value: Any) -> bool:
        tick()
        return branch(site, value)

    def step(site: int) -> None:
        covered[site + 1] = 1
        tick()

    def done(site: int) -> None:
        covered[site] = 1

    def iterate(site: int, iterable: Any) -> Any:
        found = STEPPED.get(type(iterable))
        return iterable if found is None else found(iterable, site >> 1)

    def steps(site: int, iterable: Any) -> Iterator[Any]:
        return stepping(site, iter(iterate(site, iterable)))

    def stepping(site: int, items: Iterable[Any]) -> Iterator[Any]:
        for each in items:
            covered[site + 1] = 1
            tick()
            yield each
        covered[site] = 1

    async def async_steps(site: int, iterable: Any) -> AsyncIterator[Any]:
        async for each in iterable:
            covered[site + 1] = 1
            tick()
            yield each
        covered[site] = 1

    return _named(loop, step, done, iterate, steps, async_steps, *place_hooks(covered))


def _matching_hooks(record: Recording, matched_cases: set[int]) -> Table:
    """The hooks that tell which `case` of a `match` was taken."""
    matched, no_case = case_hooks(record.covered, matched_cases)

    def subject(value: Any) -> Any:
        if id(value) in holders:
            record.lose("match")
        if type(value) is Truth:
            return bool(value)
        if type(value) in (tuple, list) and any(type(each) is Truth for each in value):
            return type(value)([_as_bool(each) for each in value])
        return value

    return _named(matched, no_case, subject)


def _reading_hooks(record: Recording) -> Table:
    """The hooks that tell what a run reads besides its arguments, and what it stored itself."""
    reads, written = record.reads, record.written
    state_reads = late_inputs.state_reads

    def read(number: int, value: Any) -> Any:
        reads[number] = None
        found = state_reads.get(number)
        return value if found is None else found(value)

    def read_again(number: int, variable: str, value: Any) -> Any:
        if variable in written:
            return value
        return read(number, value)

    def stored(variable: str, value: Any) -> Any:
        written.add(variable)
        return value

    def read_input(where: str, value: Any) -> Any:
        found = late_inputs.attribute_reads.get(where)
        return value if found is None or record.given is None else found(value)

    def of_callers(value: Any, attribute: str) -> Any:
        # A `__context__` that is an exception is the program's own, whoever calls; where it is
        # None, a caller may be handling one. Frames are the callers'.
        if value is None or not isinstance(value, BaseException):
            record.read_world(f".{attribute}")
        return value

    def of_logger(owner: Any, attribute: str) -> Any:
        if has_library_class(owner, "logging", "Logger"):
            record.read_world(f"`.{attribute}` of a logger")
            found = late_inputs.attribute_reads.get(f"logging.Logger.{attribute}")
            if found is not None and record.given is not None:
                found(owner)
        return owner

    return _named(read, read_again, stored, read_input, of_callers, of_logger)


def _value_hooks(record: Recording) -> Table:
    """The hooks for places where Python itself would not take a tracked value."""

    def as_plain(value: Any) -> Any:
        if tracked(value):
            caller = sys._getframe(1).f_back
            if caller is not None and caller.f_code is number_functions.own_number.__code__:
                return value  # asked for by our own int() or float(), which keep the term
            record.lose("conversion method")
        return untracked(value)

    def right(value: Any) -> Any:
        if type(value) is ConcolicInt or type(value) is Truth:
            record.lose("augmented assignment")
        return value

    def constant_item(container: Any, index: Any) -> Any:
        if holders and id(container) in holders:
            return dicts.read(container, index)
        return container[index]

    def target(container: Any) -> Any:
        if holders and id(container) in holders:
            record.lose("storing into several targets at once")
        return container

    def holder(owner: Any, attribute: str) -> Any:
        kind: Any = type(owner)
        if not keeps_attribute(kind, attribute):
            record.lose(f"the attribute {attribute} of {kind.__name__}")
        return owner

    # A dict or set keeps a hash as a plain number, so a tracked one is pinned.
    others = {"as_bool": _as_bool, "as_hash": pinned}
    return _named(as_plain, right, constant_item, target, holder) | others


def _as_bool(value: Any) -> Any:
    return bool(value) if type(value) is Truth else value


# Hooks that need no recording of their own: they ask for the one that is active.
SHARED: tuple[Callable[..., Any], ...] = (
    item,
    set_item,
    del_item,
    plain_index,
    callee,
    container_functions.set_of,
    container_functions.dict_of,
    container_functions.dict_with,
    container_functions.hashable,
    container_functions.spread,
    fstring,
    formatted,
    shown,
)
