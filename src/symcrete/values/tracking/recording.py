"""What the values report to while a run is under way.

A comparison, a division or a truth test happens inside Python's operators, which have no room for
an argument that says who is listening: so there is one active recording in a process, set by the
runner for the time of one run. Nothing else here is global, but for the containers of that run that
hold tracked keys.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Hashable
from types import CodeType, FrameType
from typing import Any, TypeAlias

from symcrete.errors import StepLimit
from symcrete.folders import OUR_FILES
from symcrete.inputs.late import Late
from symcrete.program.source.sites import SiteTable
from symcrete.terms.evaluate import Assignment
from symcrete.terms.logic import negate
from symcrete.terms.operations import NOT
from symcrete.terms.term import CONST, Term

# Plain dicts and sets that hold tracked keys in the run under way, by id: they cannot say so
# themselves.
holders: dict[int, Any] = {}

# symbolic branches of one run: each is a node of the tree, and paths to the last of them are slow
# to solve; chosen, not measured
MOST_SYMBOLIC_BRANCHES = 50_000

Event: TypeAlias = tuple[int, Term]  # (2 * site + side taken, the condition of the true side)


class Ordered(bytearray):
    """Outcomes covered, which also notes the order in which a run passed them.

    Each is noted with the number of symbolic branches before it: of those with the number n, the
    last is the symbolic branch n itself, counted from 0. Several times as slow as a plain
    bytearray, so it is made only for who needs the order.
    """

    def __init__(self, size: int, events: list[Event]) -> None:
        super().__init__(size)
        self.order: list[tuple[int, int]] = []
        self._events = events

    def __setitem__(self, key: Any, value: Any) -> None:
        if type(key) is slice:
            self.order.clear()
        else:
            self.order.append((key, len(self._events)))
        super().__setitem__(key, value)


class Recording:
    """The branches passed, the outcomes covered and the terms lost in one run."""

    silent = False

    def __init__(self, sites: SiteTable, *, ordered: bool = False) -> None:
        """`ordered`: the order of all branches of a run is kept, not only of the symbolic ones."""
        self.sites = sites
        self.events: list[Event] = []
        self.known: set[Term] = set()  # conditions already decided on this path
        size = 2 * len(sites)
        self.ordered = ordered
        self.covered = Ordered(size, self.events) if ordered else bytearray(size)
        self.losses: dict[tuple[str, int, str], None] = {}  # file, line, what dropped a term
        # Numbers of the program's reads of state; (file, line, what) of what library calls read.
        self.reads: dict[int | tuple[str, int, str], None] = {}
        self.written: set[str] = set()  # names of modules that this run has bound itself
        self.assumptions: list[Term] = []  # hold for every input of this shape
        self.memory: dict[Hashable, Any] = {}  # what values remember for the time of one run
        self.bounds: list[Term] = []  # hold for the inputs we are ready to build
        self.most_events = MOST_SYMBOLIC_BRANCHES
        self.live = False  # whether a run with terms is under way
        self.given: Assignment | None = None  # the input of the run under way, with terms or not
        self.late: dict[str, Late] = {}  # inputs that the run asked for, by name
        self.defaults: dict[str, Assignment] = {}  # of arguments that may be left out, by path
        # The values seen at each fork, by the path that leads there.
        self._forks: dict[Any, Any] = {}
        self._fork_path = self._forks
        self._fork_depth = 0
        # Conditions met again, each with the number of branches before it, where someone asks.
        self.again: list[tuple[int, Event]] | None = None
        # Numbers of sites: of choices in shapes, of operations by their instruction, and of
        # operations by their place in the source.
        self._shape: dict[tuple[str, int], int] = {}
        self._dynamic: dict[tuple[CodeType, int, str], int] = {}
        self._places: dict[tuple[CodeType, Any, str], int] = {}

    def start(self) -> None:
        """Forget the last run, keep the numbering."""
        self.events.clear()
        self.known.clear()
        self.losses.clear()
        self.reads.clear()
        self.written.clear()
        self.assumptions.clear()
        self.memory.clear()
        self.late.clear()
        self.defaults.clear()
        self.bounds.clear()
        holders.clear()
        self._fork_path, self._fork_depth = self._forks, 0
        self.covered[:] = bytes(2 * len(self.sites.sites))

    def begin(self, given: Assignment | None, *, live: bool) -> None:
        """A run on this input is under way from now on; `live`: with terms."""
        self.given, self.live = given, live

    def end(self) -> None:
        """No run is under way any more."""
        self.given, self.live = None, False

    def cut(self) -> None:
        """Let the next symbolic branch raise; another thread may call this."""
        self.most_events = -1

    def go_on(self) -> None:
        """Let symbolic branches be recorded again after a cut."""
        self.most_events = MOST_SYMBOLIC_BRANCHES

    def keep_again(self, again: list[tuple[int, Event]] | None) -> None:
        """Where to note conditions that are met again; None: nobody asks for them."""
        self.again = again

    def fit(self) -> None:
        """Make room in `covered` for sites that were numbered since."""
        self.covered.extend(bytes(2 * len(self.sites) - len(self.covered)))

    @property
    def executed(self) -> tuple[tuple[int, int], ...]:
        """All branches passed, with the number of symbolic ones before each; empty if not kept."""
        return tuple(self.covered.order) if isinstance(self.covered, Ordered) else ()

    def passed(self, site: int, term: Term, taken: bool) -> bool:
        """Record that a condition of the program went one way, and return that way."""
        self.covered[2 * site + taken] = 1
        if term.op is CONST:
            return taken
        atom = term.args[0] if term.op is NOT else term
        if atom not in self.known:
            self.known.add(atom)
            self.events.append((2 * site + taken, term))
            if len(self.events) > self.most_events:
                raise StepLimit(f"more than {self.most_events} symbolic branches")
        elif self.again is not None:
            self.again.append((len(self.events), (2 * site + taken, term)))
        return taken

    def implicit(self, kind: str, term: Term, taken: bool) -> bool:
        """Record a branch hidden in an operation: `term` is its condition, and `taken`, which is
        returned, whether that holds in this run. Where an operation may raise, it is the condition
        that it goes well.
        """
        if term.op is CONST:
            return taken
        return self.passed(self.dynamic_site(kind), term, taken)

    def fork(self, kind: str, what: Hashable, value: Any, condition: Callable[[Any], Term]) -> None:
        """Record which value `what` has in this run where there are countless: a branch for each
        other value that was met here before this one, then a branch for its own.

        A branch must depend on nothing but the branches before it; so the order in which the values
        are asked for is the order in which runs brought them to this point of this path.
        """
        site = self.dynamic_site(kind)
        path = self._fork_path
        for event in self.events[self._fork_depth :]:
            path = path.setdefault(event, {})
        self._fork_path, self._fork_depth = path, len(self.events)
        met: dict[Any, Any] = path.setdefault(("fork", site, what), {})
        for each in met:
            if each == value:
                break
            self.passed(site, condition(each), False)
        met[value] = None
        self.passed(site, condition(value), True)

    def assume(self, term: Term) -> None:
        """Record a fact about the input's shape, such as `0 <= length`, which no search negates."""
        self.assumptions.append(term)

    def bound(self, term: Term) -> None:
        """Record a limit of ours, not of the input's type: inputs beyond it exist but are not
        built.
        """
        self.bounds.append(term)

    def lose(self, what: str) -> None:
        """Record that a term was dropped here: what follows may depend on the input without our
        knowing.
        """
        frame = program_frame()
        self.losses[(frame.f_code.co_filename, frame.f_lineno, what)] = None

    def read_world(self, what: str) -> None:
        """Record that a library call may have read what the inputs do not say: a clock, a file, a
        setting.
        """
        frame = program_frame()
        self.reads[(frame.f_code.co_filename, frame.f_lineno, what)] = None

    def lose_input(self, name: str) -> None:
        """Record that an input has no terms: the search can only draw other values for it."""
        self.losses[("", 0, f"the type of {name}, whose values are drawn at random")] = None

    def dynamic_site(self, kind: str) -> int:
        """The site of the operation under way in the program's innermost frame; made when it is
        first asked for.
        """
        frame = program_frame()
        code, position = frame.f_code, frame.f_lasti
        key = (code, position, kind)
        number = self._dynamic.get(key)
        if number is None:
            number = self._dynamic[key] = self._new_site(frame, kind)
        return number

    def shape_site(self, name: str, part: int) -> int:
        """The number of a choice in the input's shape, which is made before the program starts."""
        key = (name, part)
        number = self._shape.get(key)
        if number is None:
            number = self._shape[key] = self.sites.add("input", "", 0, 0, name, implicit=True)
            self.fit()
        return number

    def _new_site(self, frame: FrameType, kind: str) -> int:
        code = frame.f_code
        positions = list(code.co_positions())[frame.f_lasti // 2]
        # CPython specialises instructions as it runs, which moves them: so a site is known by its
        # place in the source.
        place = (code, positions, kind)
        if place in self._places:
            return self._places[place]
        line, column = positions[0] or frame.f_lineno, positions[2] or 0
        scope = code.co_qualname.replace(".<locals>", "")
        number = self.sites.add(kind, code.co_filename, line, column, scope, implicit=True)
        self._places[place] = number
        self.fit()
        return number


def program_frame() -> FrameType:
    """The innermost frame that is not ours."""
    frame: FrameType | None = sys._getframe(2)
    while frame is not None and frame.f_code.co_filename.startswith(OUR_FILES):
        frame = frame.f_back
    assert frame is not None
    return frame


_active: list[Recording] = [Recording(SiteTable())]


def active() -> Recording:
    """The recording that values report to at present."""
    return _active[0]


def activate(recording: Recording) -> Recording:
    """Make this the recording that values report to; gives the former one back."""
    former = _active[0]
    _active[0] = recording
    return former


class _Silence(Recording):
    """A recording that ignores all it is told: for what C code does to tracked values whose
    meaning is recorded already.
    """

    silent = True

    def passed(self, site: int, term: Term, taken: bool) -> bool:
        return taken

    def implicit(self, kind: str, term: Term, taken: bool) -> bool:
        return taken

    def fork(self, kind: str, what: Hashable, value: Any, condition: Callable[[Any], Term]) -> None:
        pass

    def lose(self, what: str) -> None:
        pass

    def read_world(self, what: str) -> None:
        pass

    def dynamic_site(self, kind: str) -> int:
        return 0


_SILENCE = _Silence(SiteTable())


def silently(function: Callable[..., Any], *args: Any) -> Any:
    """Call a function, mostly C code, whose hashing and comparing of tracked values must not be
    recorded again.
    """
    former = _active[0]
    _active[0] = _SILENCE
    try:
        return function(*args)
    finally:
        _active[0] = former


# Their hashes, and so the order of a set of them, are the same in every process.
_HASHED_BY_VALUE = frozenset({int, bool, float})


def read_order(items: Any) -> None:
    """Record that the elements of a plain set are taken in its order, if that depends on the hash
    seed.
    """
    if len(items) > 1 and not _HASHED_BY_VALUE.issuperset(map(type, items)):
        active().read_world("iterating over a set")


def held(event: Event) -> Term:
    """The condition of an event with the side it had in the run."""
    code, term = event
    return term if code & 1 else negate(term)
