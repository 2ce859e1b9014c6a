"""One way through a callee, as runs show it and as other searches use it again."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection
from typing import Any

from symcrete.run.trace import Called, Trace
from symcrete.search.strategy import Flip, Strategy, untried
from symcrete.slotted import dataclass
from symcrete.terms.evaluate import Assignment
from symcrete.terms.operations import NOT
from symcrete.terms.term import Term
from symcrete.tree.tree import ExecutionTree, Node, Side
from symcrete.values.tracking.recording import Event, held

# draws a strategy may ask for in a row before the next open branch is taken; chosen, not measured
SAMPLES_REFUSED = 20


@dataclass(frozen=True, slots=True)
class CalleePath:
    """One way through a callee in the context of a call."""

    conditions: tuple[Term, ...]
    result: Any  # with its terms
    inside: tuple[Called, ...] = ()  # abstract calls on this way
    run: Trace | None = None  # the run in which it was seen
    passed: tuple[Event, ...] = ()  # every branch on it


class _Raised:
    pass


RAISED = _Raised()  # stands for the result of a call that raised an exception


def conditions_of(call: Called) -> tuple[Term, ...]:
    """The conditions on the way through a call, also those that were decided before it."""
    return tuple(dict.fromkeys([held(event) for event in call.passed]))


def place_of(call: Called, path: CalleePath) -> Any:
    """The key under which a path is remembered; with the call's name if there are abstract calls
    on it, since their names belong to this call.
    """
    return (call.name, call.key) if path.inside else call.key


def is_inside(name: str, outer: str) -> bool:
    """Whether a call is this one, or is made by it or by those it makes."""
    return name == outer or name.startswith(outer + ".")


def as_called(calls: tuple[Called, ...], run: Trace | None) -> tuple[Called, ...]:
    """The calls with the arguments they had in a run: those of the abstract path differ while
    calls before them are not followed.
    """
    if run is None:
        return calls
    made = {call.name: call for call in run.calls if call.abstract}
    return tuple([made.get(call.name, call) for call in calls])


def atom_of(event: Event) -> tuple[Term, bool]:
    """The condition of an event without its negation, and whether it held."""
    code, term = event
    taken = bool(code & 1)
    return (term.args[0], not taken) if term.op is NOT else (term, taken)


def not_decided(passed: tuple[Event, ...], decided: dict[Term, bool]) -> tuple[Event, ...] | None:
    """The branches that a run would report after these decisions; None if it would go elsewhere."""
    so_far = dict(decided)
    found: list[Event] = []
    for event in passed:
        atom, holds = atom_of(event)
        former = so_far.get(atom)
        if former is None:
            so_far[atom] = holds
            found.append(event)
        elif former is not holds:
            return None
    return tuple(found)


def decided_before(passed: tuple[Event, ...], branches: tuple[Event, ...]) -> tuple[Term, ...]:
    """The conditions of a way through a callee that were decided before it, and so are no branches
    of it.
    """
    if len(passed) == len(branches):
        return ()
    open_then = {atom_of(event)[0] for event in branches}
    met_again = [event for event in passed if atom_of(event)[0] not in open_then]
    return tuple(dict.fromkeys(map(held, met_again)))


def part_of(trace: Trace, call: Called, context: tuple[Term, ...]) -> Trace:
    """The callee's part of a run as a trace of its own, for which the path around it is assumed."""
    return dataclasses.replace(
        trace,
        events=trace.events[call.start : call.end],
        # The run's own conditions before the call are left out: the context says the same in
        # terms that can be blamed.
        assumptions=tuple(dict.fromkeys((*trace.assumptions, *context))),
        calls=(),
    )


def same_input(trace: Trace, assignment: Assignment) -> bool:
    """Whether a run had this input, apart from the results of calls."""
    return all(
        assignment.get(name) == value for name, value in trace.assignment.items() if "#" not in name
    )


def next_flip(tree: ExecutionTree, strategy: Strategy) -> Flip | None:
    """The strategy's next flip, or any open one; random inputs lead nowhere inside a given path."""
    for _ in range(SAMPLES_REFUSED):
        step = strategy.choose(tree)
        if step is None:
            break
        if isinstance(step, Flip):
            return step
    return open_flip(tree)


def flips_of(
    last: Node | None, conditions: frozenset[Term], turned: Collection[Node] = ()
) -> list[Flip]:
    """The branches on the way to a node at which one of these conditions was decided.

    Where such a branch was flipped before and a loop came to it again, the open branches in between
    are flipped first: the loop may have to be left elsewhere.
    """
    found: list[Flip] = []
    if last is None or not conditions:
        return found
    way = (last, *last.ancestors())
    for place, node in enumerate(way):
        for side in (True, False):
            event = (2 * node.site + (not side), node.term)
            if node.state[side] is Side.OPEN and held(event) in conditions:
                found += [*_since_turned(node, way[place + 1 :], turned), Flip(node, side)]
    return found[::-1]  # `next_open` takes from the end: the latest decision is taken back first


def _since_turned(node: Node, before: tuple[Node, ...], turned: Collection[Node]) -> list[Flip]:
    """The open branches between a node and the one before it with the same site, if that one was
    flipped; else none.
    """
    found: list[Flip] = []
    for each in before:
        if each.site == node.site:
            return found if each in turned else []
        found += [Flip(each, side) for side in (True, False) if each.state[side] is Side.OPEN]
    return []


def next_open(flips: list[Flip]) -> Flip | None:
    """Take the last flip from the list whose side is still open; None if there is none."""
    while flips:
        flip = flips.pop()
        if flip.node.state[flip.side] is Side.OPEN:
            return flip
    return None


def open_flip(tree: ExecutionTree) -> Flip | None:
    """The first side found that is still open in the tree; None if there is none."""
    stack: list[Node] = [tree.root] if tree.root is not None else []
    while stack:
        node = stack.pop()
        flip = untried(node)
        if flip is not None:
            return flip
        stack += [child for child in node.children if child is not None]
    return None
