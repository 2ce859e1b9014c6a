"""The functions that rewritten code calls.

They are closures over the lists of one recording: this is the hottest code there is, and a closure
reaches its variables at least as fast as a method does its object's (benchmarks/hot_code.py).
"""

from __future__ import annotations

import builtins
import sys
import threading
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from typing import Any

from symcrete.errors import RunCut, StepLimit
from symcrete.instrument.deciding import comparing_hooks
from symcrete.instrument.naming import PREFIX
from symcrete.instrument.singletons import SINGLETONS
from symcrete.values.containers import (
    dicts,
)
from symcrete.values.models import container_functions, number_functions
from symcrete.values.rows.tables import STEPPED
from symcrete.values.text.meaning.formatting import formatted, fstring, shown
from symcrete.values.tracking.modelled import callee
from symcrete.values.tracking.numeric import ConcolicInt, tracked, untracked
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
        self.allow: Callable[[int], None]
        self.used: Callable[[], int]
        self.cut: Callable[[RunCut], None]
        self._make(record)

    def install(self) -> None:
        """Make these the hooks that rewritten code finds."""
        for name, function in self.table.items():
            setattr(builtins, PREFIX + name, function)

    def _make(self, record: Recording) -> None:
        covered, passed = record.covered, record.passed
        reads, written = record.reads, record.written
        ticks = iter(range(0)).__next__
        limit = 0
        ending: RunCut | None = None
        slot = threading.local()  # the operand that `and`, `or` and `a < b < c` still need
        matched_cases: set[int] = set()

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
                cut(StepLimit(f"does not end within {limit} loop steps"))
                assert ending is not None
                raise ending from None

        def caught() -> None:
            if ending is not None:
                raise ending

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

        def test(site: int, value: Any) -> bool:
            taken = branch(site, value)
            slot.kept = value
            return taken

        def link(site: int, name: str, left: Any, right: Any) -> bool:
            value = COMPARISONS[name](left, right)
            taken = branch(site, value)
            slot.kept = right if taken else value
            return taken

        def last_link(site: int, name: str, left: Any, right: Any) -> bool:
            return branch(site, COMPARISONS[name](left, right))

        def kept() -> Any:
            return slot.kept

        def matched(site: int) -> bool:
            covered[site + 1] = 1
            matched_cases.add(site)
            return True

        def no_case(sites: tuple[int, ...]) -> None:
            for site in sites:
                if site in matched_cases:
                    matched_cases.discard(site)  # its guard said no
                else:
                    covered[site] = 1

        def read(number: int, value: Any) -> Any:
            reads[number] = None
            return value

        def read_again(number: int, variable: str, value: Any) -> Any:
            if variable not in written:
                reads[number] = None
            return value

        def stored(variable: str, value: Any) -> Any:
            written.add(variable)
            return value

        def as_bool(value: Any) -> Any:
            return bool(value) if type(value) is Truth else value

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
            if id(container) in holders:
                record.lose("storing into several targets at once")
            return container

        def subject(value: Any) -> Any:
            if id(value) in holders:
                record.lose("match")
            if type(value) is Truth:
                return bool(value)
            if type(value) in (tuple, list) and any(type(each) is Truth for each in value):
                return type(value)([as_bool(each) for each in value])
            return value

        self.allow, self.used, self.cut = allow, used, cut
        own: list[Any] = [
            branch,
            loop,
            step,
            done,
            iterate,
            steps,
            async_steps,
            test,
            link,
            last_link,
            kept,
        ]
        own += [
            read,
            read_again,
            stored,
            tick,
            caught,
            matched,
            no_case,
            as_bool,
            as_plain,
            right,
            subject,
            item,
            set_item,
        ]
        own += [del_item, constant_item, target, plain_index, callee]
        own += [
            container_functions.set_of,
            container_functions.dict_of,
            container_functions.dict_with,
        ]
        own += [container_functions.hashable, container_functions.spread]
        own += [fstring, formatted, shown]
        self.table = {function.__name__: function for function in own}
        self.table |= comparing_hooks(record, branch, tick)
        self.table |= OPERATORS
        self.table["slice_"] = slice
        self.table |= SINGLETONS
