"""The execution tree: every symbolic branch seen, and what is known of each side.

A node is a branch in its context, that is, after one particular sequence of branches. A side is
`SEEN` when a run took it; until then it is `OPEN`, or was tried and found `INFEASIBLE` (proved),
`UNKNOWN` (the solver gave up) or `DIVERGED` (the run took another path than its conditions say).
"""

from __future__ import annotations

import enum
from collections.abc import Iterator

from symcrete.run.trace import Trace
from symcrete.slotted import dataclass
from symcrete.terms.term import Term

NEVER_AGAIN = 1 << 30  # tries: more than any side of a condition gets


class Side(enum.Enum):
    """What is known of one side of a branch."""

    OPEN = "open"
    SEEN = "seen"
    INFEASIBLE = "infeasible"
    UNKNOWN = "unknown"
    DIVERGED = "diverged"

    __hash__ = object.__hash__


_OPEN, _SEEN = Side.OPEN, Side.SEEN  # asked for at every branch; a class is slow to give them


class Node:
    """A branch in its context: after one particular sequence of branches."""

    __slots__ = (
        "children",
        "closed",
        "depth",
        "parent",
        "reasons",
        "site",
        "state",
        "taken",
        "term",
        "trace",
    )

    def __init__(
        self, site: int, term: Term, parent: Node | None, taken: bool, trace: Trace, depth: int
    ) -> None:
        self.site = site
        self.term = term  # the condition of the true side
        self.parent = parent
        self.taken = taken  # the side of the parent that leads here
        self.trace = trace  # the first run that came by
        self.depth = depth  # also the position of the branch in that run
        self.children: list[Node | None] = [None, None]
        self.state: list[Side] = [_OPEN, _OPEN]
        self.reasons: list[str] = ["", ""]  # why a side is unknown or diverged
        self.closed = False  # nothing is open here or below

    def start_from(self, trace: Trace) -> None:
        """Make flips of this branch start from this run instead of the first that came by."""
        self.trace = trace

    def ancestors(self) -> Iterator[Node]:
        """The branches before this one, nearest first."""
        node = self.parent
        while node is not None:
            yield node
            node = node.parent


@dataclass(frozen=True, slots=True)
class Grown:
    """What one run added to the tree."""

    nodes: tuple[Node, ...]  # new branches, in the order of the path
    last: Node | None  # the last branch of the path, new or not
    is_new: bool  # whether the path was not seen before
    confused: bool  # whether it contradicts what an earlier run with the same branches did


class ExecutionTree:
    """The paths of all runs so far; paths that begin alike share their nodes."""

    def __init__(self) -> None:
        self.root: Node | None = None
        self.size = 0
        self.paths = 0
        self.open_sides = 0
        self.unsettled = 0  # sides given up on: unknown or diverged
        # By outcome, which is twice the site plus the side: how often it was settled other than as
        # seen, and how many nodes have it open.
        self._settled: dict[int, int] = {}
        self._open: dict[int, int] = {}

    def add(self, trace: Trace, aimed: Node | None = None) -> Grown:
        """Follow the run down the tree and grow it where the run leaves it.

        `aimed` is the branch it was made to turn at: where the events before it are those of the
        branch's own run, following begins there.
        """
        if self.root is None and not trace.events:
            is_new = self.paths == 0
            self.paths += is_new
            return Grown((), None, is_new, False)
        parent: Node | None = None
        node = self.root
        taken = False
        grown: list[Node] = []
        entered = False
        start = 0
        waiting = self._open
        if aimed is not None and aimed.trace.events[: aimed.depth] == trace.events[: aimed.depth]:
            start, node, parent = aimed.depth, aimed, aimed.parent
        for depth, (code, term) in enumerate(trace.events[start:], start):
            if node is None:
                node = Node(code >> 1, term, parent, taken, trace, depth)
                if parent is None:
                    self.root = node
                else:
                    parent.children[taken] = node
                grown.append(node)
                self.open_sides += 1
                waiting[code ^ 1] = waiting.get(code ^ 1, 0) + 1
            elif node.site != code >> 1 or node.term is not term:
                return self._grown(grown, parent, False, True)
            taken = bool(code & 1)
            if node.state[taken] is not _SEEN:
                entered = True
                if node.trace is trace:  # new: both sides were open a moment ago
                    node.state[taken] = _SEEN
                else:
                    self._mark(node, taken, _SEEN, "")
            parent, node = node, node.children[taken]
        if node is not None:
            # It ended where an earlier run went on.
            return self._grown(grown, parent, False, True)
        self.paths += entered
        return self._grown(grown, parent, entered, False)

    def _grown(self, nodes: list[Node], last: Node | None, is_new: bool, confused: bool) -> Grown:
        self.size += len(nodes)
        above = nodes[0].parent if nodes else None
        while above is not None and above.closed:
            above.closed = False  # a side that had been given up turned out to lead somewhere
            above = above.parent
        _close(last)
        return Grown(tuple(nodes), last, is_new, confused)

    def settle(self, node: Node, side: bool, state: Side, reason: str = "") -> None:
        """Say how a side that was tried turned out."""
        self._mark(node, side, state, reason)
        _close(node)

    def _mark(self, node: Node, side: bool, state: Side, reason: str) -> None:
        former = node.state[side]
        outcome = 2 * node.site + side
        if former is _OPEN:
            self.open_sides -= 1
            self._open[outcome] -= 1
        elif former in _GIVEN_UP:
            self.unsettled -= 1
        if state in _GIVEN_UP:
            self.unsettled += 1
        if state is not _SEEN:
            self._settled[outcome] = self._settled.get(outcome, 0) + 1
        node.state[side] = state
        node.reasons[side] = reason

    def tries(self, site: int, side: bool) -> int:
        """How often a side of a condition was aimed at in vain; a very large number if no such
        side is open.
        """
        outcome = 2 * site + side
        return self._settled.get(outcome, 0) if self._open.get(outcome, 0) else NEVER_AGAIN

    @property
    def exhausted(self) -> bool:
        """Whether every side of every branch is seen or proved infeasible."""
        return self.open_sides == 0 and self.unsettled == 0


_GIVEN_UP = frozenset({Side.UNKNOWN, Side.DIVERGED})


def _close(node: Node | None) -> None:
    """Close a branch once nothing is open in it, and then those above it."""
    while node is not None and not node.closed and _OPEN not in node.state:
        false, true = node.children
        if (false is not None and not false.closed) or (true is not None and not true.closed):
            return
        node.closed = True
        node = node.parent
