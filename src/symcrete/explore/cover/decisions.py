"""Which conditions of a decision decide it: modified condition/decision coverage (MC/DC).

In `if (a and b) or c`, a run in which c is true says nothing about a: c hides it. A condition is
seen to decide with a side if nothing that was evaluated after it hides that side (the masking form,
as compilers count it).
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

from symcrete.program.source.sites import Outcome, Site
from symcrete.slotted import dataclass
from symcrete.terms.term import Term


@dataclass(frozen=True, slots=True)
class Joined:
    """Parts joined by `and` or `or`; `not (a and b)` is held as `not a or not b`."""

    is_and: bool
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Leaf:
    """One condition, and whether the decision has it behind a `not`."""

    site: int
    negated: bool


Part: TypeAlias = Joined | Leaf
Events: TypeAlias = Sequence[tuple[int, Term]]


@dataclass(frozen=True, slots=True)
class Evaluation:
    """One time that a run came by a decision: the sides taken, and at which event."""

    decision: Joined
    taken: Mapping[int, bool]
    at: Mapping[int, int]

    def deciding(self) -> frozenset[Outcome]:
        """The conditions that decided, each with its side; none if it was not decided at all."""
        if self._value(self.decision) is None:
            return frozenset()
        return frozenset(self._deciding(self.decision))

    def hiding(self) -> Iterator[tuple[Outcome, int]]:
        """Each condition that something after it hid, with the event that hid it."""
        if self._value(self.decision) is not None:
            yield from self._hidden(self.decision, None)

    def _value(self, part: Part) -> bool | None:
        """What a part came out as; None where it was not evaluated to its end."""
        if isinstance(part, Leaf):
            side = self.taken.get(part.site)
            return None if side is None else side != part.negated
        for each in part.parts:
            value = self._value(each)
            if value is None or value is not part.is_and:
                return value
        return part.is_and

    def _deciding(self, part: Part) -> Iterator[Outcome]:
        if isinstance(part, Leaf):
            yield part.site, self.taken[part.site]
        elif self._value(part) is part.is_and:
            for each in part.parts:
                yield from self._deciding(each)
        else:
            yield from self._deciding(self._last(part))

    def _hidden(self, part: Part, by: int | None) -> Iterator[tuple[Outcome, int]]:
        if isinstance(part, Leaf):
            if by is not None:
                yield (part.site, self.taken[part.site]), by
            return
        if self._value(part) is part.is_and:
            for each in part.parts:
                yield from self._hidden(each, by)
            return
        last = self._last(part)
        event = max(self.at[site] for site, _ in self._deciding(last))
        for each in part.parts[: part.parts.index(last)]:
            yield from self._hidden(each, event if by is None else by)
        yield from self._hidden(last, by)

    def _last(self, part: Joined) -> Part:
        """The part after which no other was evaluated."""
        return next(each for each in part.parts if self._value(each) is not part.is_and)


def decisions_of(tree: ast.AST, sites: Iterable[Site]) -> list[Joined]:
    """The decisions of more than one condition, all of which are among these sites."""
    numbers = {(site.line, site.column, site.text): site.number for site in sites}
    found = []
    for node in ast.walk(tree):
        for test in _tests(node):
            part = _part(test, numbers, negated=False)
            if isinstance(part, Joined):
                found.append(part)
    return found


def evaluations(decisions: Sequence[Joined], events: Events) -> Iterator[Evaluation]:
    """Every time that a run came by one of the decisions."""
    if not decisions:
        return
    order = {
        site: (number, place)
        for number, each in enumerate(decisions)
        for place, site in enumerate(_leaves(each))
    }
    running: dict[int, tuple[int, dict[int, bool], dict[int, int]]] = {}
    for depth, (code, _) in enumerate(events):
        if code >> 1 not in order:
            continue
        number, place = order[code >> 1]
        last, taken, at = running.get(number, (-1, {}, {}))
        if place <= last:  # the decision is come by again
            yield Evaluation(decisions[number], taken, at)
            taken, at = {}, {}
        taken[code >> 1], at[code >> 1] = bool(code & 1), depth
        running[number] = place, taken, at
    for number, (_, taken, at) in running.items():
        yield Evaluation(decisions[number], taken, at)


def _tests(node: ast.AST) -> Iterator[ast.expr]:
    match node:
        case ast.If(test=test) | ast.While(test=test) | ast.IfExp(test=test):
            yield test
        case ast.Assert(test=test):
            yield test
        case ast.comprehension(ifs=tests):
            yield from tests
        case ast.match_case(guard=ast.expr() as guard):
            yield guard
        case _:
            pass


def _part(
    test: ast.expr, numbers: Mapping[tuple[int, int, str], int], *, negated: bool
) -> Part | None:
    """The condition as a tree of its parts; None if one of them is not known."""
    match test:
        case ast.BoolOp(op=op, values=values):
            parts = [_part(each, numbers, negated=negated) for each in values]
            known = tuple([each for each in parts if each is not None])
            return Joined(isinstance(op, ast.And) != negated, known) if None not in parts else None
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return _part(operand, numbers, negated=not negated)
        case _:
            number = numbers.get((test.lineno, test.col_offset, ast.unparse(test)))
            return None if number is None else Leaf(number, negated)


def _leaves(part: Part) -> Iterator[int]:
    if isinstance(part, Leaf):
        yield part.site
    else:
        for each in part.parts:
            yield from _leaves(each)
