"""Follow a call or replace it by an unknown result: the mechanism of lazy expansion (LATEST).

Rewritten code asks a hook what to call. For a function that may be abstracted the hook gives a call
that looks at its arguments: if none depends on an input it is executed as ever (section 4.4 of the
report); if the run is to follow this call, it is executed and its part of the path is noted;
otherwise nothing inside is executed and a fresh unknown of the result's shape comes back, named
after the call and its occurrence: `lex#1.strcmp#2` is the second call of strcmp in the first of
lex. Of a callee that sets attributes of what it is given (`self.pos` of a lexer, Figure 3) these
are part of the result: `lex#1[0]` is returned, `lex#1[1]` is then in the attribute.
"""

from __future__ import annotations

import contextlib
import dis
import functools
import sys
from collections.abc import Callable, Iterable, Iterator
from types import CodeType, FrameType, FunctionType, MethodType
from typing import Any

from symcrete.inputs.shapes.shape import Shape
from symcrete.run.callees.arguments_key import key_of
from symcrete.run.callees.changeable import handed_to, is_safe
from symcrete.run.callees.written import Holder, holders_of, store, values_of
from symcrete.run.trace import Called
from symcrete.slotted import dataclass
from symcrete.terms.evaluate import Assignment
from symcrete.values.build.variables import tracked_input
from symcrete.values.tracking.carrying import carries
from symcrete.values.tracking.followed import rewritten_files
from symcrete.values.tracking.modelled import callee as ordinary
from symcrete.values.tracking.recording import Event, Recording

NOT_ASKED_FOR = "not asked for"  # why a callee is followed where others were named


@dataclass(frozen=True, slots=True, eq=False)
class Callee:
    """A function of the program whose calls may be abstracted."""

    label: str  # its qualified name
    code: CodeType
    shape: Shape | None = None  # the shape of its results; with `writes`, a tuple of all of them
    writes: tuple[tuple[str, str], ...] = ()  # parameters, and attributes of them that it sets
    # whether real results may be others than the shape has: nothing declares it, or they are
    # objects that are known elsewhere too; then paths prove nothing
    is_guessed: bool = False
    effect: str = ""  # what it does besides returning a result
    hides_changes: bool = False  # whether its text may not tell that it changes a container
    why_followed: str = ""  # why it is not abstracted, where it is not
    state: tuple[str, ...] = ()  # globals it reads whose values may change

    @property
    def is_abstracted(self) -> bool:
        return not self.why_followed


class _Level:
    """A call under way, or the run itself, in which the calls directly below are counted."""

    __slots__ = ("counts", "followed", "prefix", "whole")

    def __init__(self, prefix: str, *, followed: bool = False) -> None:
        self.prefix = prefix
        self.followed = followed  # whether it is followed with all calls below it
        self.counts: dict[str, int] = {}
        self.whole = True  # whether nothing was abstracted inside it


Judge = Callable[[FunctionType], Callee]


class Callees:
    """The hook, and what one run did with the calls it met."""

    def __init__(self, record: Recording, judge: Judge) -> None:
        self._record = record
        self._judge = judge  # makes the entry of a function met for the first time
        self.known: dict[int, Callee] = {}  # by id of the code: comparing codes reads all of them
        self.calls: list[Called] = []
        self.caught_calls: set[str] = (
            set()
        )  # callees followed somewhere because the caller may catch what they raise
        # callees that were abstracted with arguments that they may change unseen
        self.given_changeable: set[str] = set()
        self._observer: Callable[[Callee, Any], None] | None = None  # told of every result
        self._followed: frozenset[str] | None = None  # None: every call
        self._given: Assignment = {}
        self._levels: list[_Level] = [_Level("")]
        # branches that were decided before, each with the number of events before it
        self._again: list[tuple[int, Event]] = []
        self._outermost: CodeType | None = None  # of the function under test
        self._guards: dict[tuple[CodeType, int], bool] = {}  # by instruction: is it in a `try`?

    def begin(
        self, followed: frozenset[str] | None, given: Assignment, outermost: CodeType
    ) -> None:
        """Get ready for a run that follows these calls, by name; None follows all.

        `lex#1.` stands for all calls inside the first of lex.
        """
        self.calls = []
        self._followed = followed
        self._given = given
        self._levels = [_Level("")]
        self._again = []
        self._record.keep_again(self._again)
        self._outermost = outermost

    @contextlib.contextmanager
    def observed_by(self, observer: Callable[[Callee, Any], None]) -> Iterator[None]:
        """A context in which every call is followed and the observer is told of every result."""
        self._observer = observer
        try:
            yield
        finally:
            self._observer = None

    def forget(self) -> None:
        """Forget the calls of the last run, in case the next one is refused and so never begins."""
        self.calls = []

    def end(self) -> tuple[Called, ...]:
        """End the run; returns the calls it met."""
        self._record.keep_again(None)
        return tuple(self.calls)

    def hook(self, function: Any) -> Any:
        """What rewritten code calls where its author wrote `function`."""
        kind = type(function)
        if kind is FunctionType:
            code = function.__code__
        elif kind is MethodType and type(function.__func__) is FunctionType:
            code = function.__func__.__code__
        else:
            return ordinary(function)
        if not self._record.live:
            return ordinary(function)
        known = self.known.get(id(code))
        if known is None:
            if code.co_filename not in rewritten_files:
                return ordinary(function)
            known = self.known[id(code)] = self._judge(
                function if kind is FunctionType else function.__func__
            )
        if self._observer is not None:
            return functools.partial(self._observe, known, function)
        if known.why_followed:
            return function
        return functools.partial(self._call, known, function)

    def _call(self, callee: Callee, function: Any, /, *args: Any, **kwargs: Any) -> Any:
        if not self._record.live or not _depends(function, args, kwargs):
            return function(*args, **kwargs)
        if self._may_be_caught():
            # Only a followed call can raise, and here the program may handle that.
            self.caught_calls.add(callee.label)
            return function(*args, **kwargs)
        holders = holders_of(callee.code, callee.writes, function, args, kwargs)
        if holders is None:
            return function(*args, **kwargs)
        level = self._levels[-1]
        count = level.counts[callee.label] = level.counts.get(callee.label, 0) + 1
        name = f"{level.prefix}{callee.label}#{count}"
        key = key_of(callee.code, function, args, kwargs, callee.state)
        if self._followed is None or level.followed or name in self._followed:
            return self._follow(
                callee, name, key, holders, functools.partial(function, *args, **kwargs)
            )
        if callee.label not in self.given_changeable:
            held = handed_to(function, args, kwargs)
            if not all(is_safe(each, containers=not callee.hides_changes) for each in held):
                self.given_changeable.add(callee.label)
        return self._abstract(callee, name, key, holders)

    def _observe(self, callee: Callee, function: Any, /, *args: Any, **kwargs: Any) -> Any:
        holders = holders_of(callee.code, callee.writes, function, args, kwargs)
        result = function(*args, **kwargs)
        if self._observer is not None and holders is not None:
            self._observer(callee, (result, *values_of(holders)) if holders else result)
        return result

    def _abstract(self, callee: Callee, name: str, key: Any, holders: list[Holder]) -> Any:
        assert callee.shape is not None
        for level in self._levels:
            level.whole = False
        start = len(self._record.events)
        result = tracked_input(callee.shape, name, self._given)
        end = len(self._record.events)
        self.calls.append(Called(name, callee, key, True, start, end, (), False, result))
        if not holders:
            return result
        returned, *written = result
        store(holders, written)
        return returned

    def _follow(
        self,
        callee: Callee,
        name: str,
        key: Any,
        holders: list[Holder],
        call: Callable[[], Any],
    ) -> Any:
        events, again = self._record.events, self._again
        start, again_before, place = len(events), len(again), len(self.calls)
        inside = name + "."
        all_inside = self._followed is not None and inside in self._followed
        level = _Level(inside, followed=self._levels[-1].followed or all_inside)
        self._levels.append(level)
        returned: Any = None
        result: Any = None
        raised: str | None = None
        try:
            returned = result = call()
            if holders:
                result = (returned, *values_of(holders))
        except BaseException as error:
            raised = type(error).__name__
            raise
        finally:
            if self._levels and self._levels[-1] is level:
                self._levels.pop()
            made = Called(
                name,
                callee,
                key,
                False,
                start,
                len(events),
                _merged(events, start, again[again_before:]),
                level.whole,
                result,
                raised,
            )
            self.calls.insert(place, made)
        return returned

    def _may_be_caught(self) -> bool:
        """Whether a handler between here and the function under test covers the call."""
        frame: FrameType | None = sys._getframe(2)
        while frame is not None:
            code = frame.f_code
            if code.co_filename in rewritten_files:
                if self._guarded(code, frame.f_lasti):
                    return True
                if code is self._outermost and not _called_by_program(frame):
                    return False
            frame = frame.f_back
        return False

    def _guarded(self, code: CodeType, position: int) -> bool:
        found = self._guards.get((code, position))
        if found is None:
            found = any(start <= position < end for start, end in _handlers(code))
            self._guards[(code, position)] = found
        return found


def _called_by_program(frame: FrameType) -> bool:
    """Whether this call of the function under test comes from the program itself: only its
    outermost call ends the look for handlers.
    """
    outer = frame.f_back
    return outer is not None and (
        outer.f_code.co_filename in rewritten_files or outer.f_code.co_filename == __file__
    )


def _merged(events: list[Event], start: int, again: list[tuple[int, Event]]) -> tuple[Event, ...]:
    """The events from a place on, with the branches that were decided before put where they were
    met again.
    """
    if not again:
        return tuple(events[start:])
    found: list[Event] = []
    for position, event in again:
        found += events[start:position]
        found.append(event)
        start = max(start, position)
    return (*found, *events[start:])


def _depends(function: Any, args: Iterable[Any], kwargs: dict[str, Any]) -> bool:
    return (
        carries(args)
        or (bool(kwargs) and carries(kwargs.values()))
        or (type(function) is MethodType and carries((function.__self__,)))
    )


@functools.lru_cache(maxsize=4096)  # functions; chosen, not measured
def _handlers(code: CodeType) -> tuple[tuple[int, int], ...]:
    """The ranges of instructions that `try` and `with` guard in a function."""
    parse: Any = getattr(dis, "_parse_exception_table")  # noqa: B009  (no public name)
    return tuple([(entry.start, entry.end) for entry in parse(code)])
