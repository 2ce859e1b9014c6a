"""When a regular expression matches, as a condition on the first characters of a text.

The pattern is taken as Python's own parser gives it and unrolled over positions: at which positions
a match can be after each piece of the pattern, and under which condition. That tells whether there
is a match, and between which positions a group can lie; which of several ways Python takes is for
evaluation to say.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable
from re import _compiler as compiler  # type: ignore[attr-defined]
from re import _constants as sre  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

from symcrete.terms import integers
from symcrete.terms.characters import ASCII, Ranges, member, ranges_of
from symcrete.terms.logic import both, conjoin, disjoin, negate
from symcrete.terms.term import FALSE, TRUE, Operation, Sort, Term, int_const
from symcrete.terms.texts import STR, Kind, apply, modelled

_Path = tuple[list[Any], list[Any], list[Any]]  # pieces of a pattern before a group, in it, after
Where = dict[int, Term]  # by position, the condition that a match can be there
# positions visited in building one condition; a pattern that needs more is tried on fewer
# characters; chosen, not measured
MOST_PATTERN_NODES = 1200


class Unmodelled(Exception):
    """A pattern that only Python can match."""


class TooLarge(Unmodelled):
    """Building the condition would visit more than MOST_PATTERN_NODES positions; a shorter window
    may do.
    """


@functools.lru_cache(maxsize=500)  # patterns; chosen, not measured
def parsed(pattern: Any, flags: int) -> Any:
    """The pattern as Python's own parser gives it."""
    return parser.parse(pattern, flags)


class Unrolled:
    """A pattern unrolled over one text, of which it looks at the first `window` characters."""

    def __init__(
        self,
        compiled: re.Pattern[Any],
        kind: Kind,
        at: Callable[[int], Term],
        length: Term,
        window: int,
    ) -> None:
        self._tree = parsed(compiled.pattern, compiled.flags)
        self._state = self._tree.state
        self._flags = compiled.flags
        self._kind = kind
        self._at = at
        self._length = length
        self._window = window
        self._work = 0

    def exists(self, how: str) -> Term:
        """The condition that there is a match; `how` is match, fullmatch or search."""
        return disjoin(
            list(self._ends(how, self._forward(list(self._tree), self._starts(how))).values())
        )

    def place(self, how: str, group: int, *, end: bool) -> Where | None:
        """By position, the condition that a group begins (or ends) there in some match; None where
        that depends on which way Python takes.
        """
        path = self._path_to(list(self._tree), group)
        if path is None:
            return None
        before, inside, after = path
        left = [*before, *inside] if end else before
        right = after if end else [*inside, *after]
        come = self._forward(left, self._starts(how))
        go = self._backward(right, self._ends(how, self._anywhere()))
        return {p: conjoin([come[p], go[p]]) for p in come.keys() & go.keys()}

    # -- the whole

    def _starts(self, how: str) -> Where:
        return self._anywhere() if how == "search" else {0: TRUE}

    def _anywhere(self) -> Where:
        places = range(self._window + 1)
        return _possible({p: self._reaches(p) for p in places})

    def _ends(self, how: str, where: Where) -> Where:
        if how != "fullmatch":
            return self._inside(where)
        return _possible({p: both(when, self._is_end(p)) for p, when in where.items()})

    def _inside(self, where: Where) -> Where:
        """The positions with the added condition that the text goes as far: all that a match went
        over is then text.
        """
        return _possible({p: both(self._reaches(p), when) for p, when in where.items()})

    def _reaches(self, place: int) -> Term:
        return integers.le(int_const(place), self._length)

    def _is_end(self, place: int) -> Term:
        return integers.eq(self._length, int_const(place))

    def _path_to(self, nodes: list[Any], group: int) -> _Path | None:
        """The pieces of the pattern before a group, in it and after it, in a match that has the
        group; None if there is no single such way.
        """
        for index, (op, argument) in enumerate(nodes):
            path = None
            if op is sre.SUBPATTERN:
                number, add, remove, inner = argument
                if number == group:
                    body = [(sre.SUBPATTERN, (None, add, remove, inner))]
                    return nodes[:index], body, nodes[index + 1 :]
                path = None if add or remove else self._path_to(list(inner), group)
            elif op is sre.BRANCH:
                found = [self._path_to(list(each), group) for each in argument[1]]
                path = next((each for each in found if each is not None), None)
            elif op is sre.MAX_REPEAT or op is sre.MIN_REPEAT:
                path = self._last_time(op, argument, group)
            if path is not None:
                before, inside, after = path
                return [*nodes[:index], *before], inside, [*after, *nodes[index + 1 :]]
        return None

    def _last_time(self, op: Any, argument: Any, group: int) -> _Path | None:
        """As `_path_to` for a group inside a repetition: what the group matched is what it matched
        in the last repetition.
        """
        least, most, inner = argument
        path = self._path_to(list(inner), group)
        if path is None:
            return None
        before, inside, after = path
        if most == 1:
            return before, inside, after
        fewer = most if most is sre.MAXREPEAT else most - 1
        return [(op, (max(0, least - 1), fewer, inner)), *before], inside, after

    def takes_part(self, group: int) -> bool:
        """Whether every match has this group in it."""
        return _always(list(self._tree), group)

    # -- piece by piece

    def _forward(self, nodes: list[Any], where: Where) -> Where:
        for op, argument in nodes:
            where = self._step(op, argument, where, forward=True)
        return where

    def _backward(self, nodes: list[Any], where: Where) -> Where:
        for op, argument in reversed(nodes):
            where = self._step(op, argument, where, forward=False)
        return where

    def _along(self, nodes: Any, where: Where, forward: bool) -> Where:
        return self._forward(list(nodes), where) if forward else self._backward(list(nodes), where)

    def _step(self, op: Any, argument: Any, where: Where, *, forward: bool) -> Where:
        self._work += len(where)
        if self._work > MOST_PATTERN_NODES:
            raise TooLarge
        if op in _SINGLE:
            return self._character((op, argument), where, forward)
        if op is sre.SUBPATTERN:
            return self._group(argument, where, forward)
        if op is sre.BRANCH:
            return _union([self._along(each, where, forward) for each in argument[1]])
        if op is sre.MAX_REPEAT or op is sre.MIN_REPEAT:
            least, most, inner = argument
            return self._repeat(least, most, inner, where, forward)
        if op is sre.AT:
            return _possible(
                {p: both(when, self._anchor(argument, p)) for p, when in where.items()}
            )
        if op is sre.ASSERT or op is sre.ASSERT_NOT:
            return self._look(argument, where, wanted=op is sre.ASSERT)
        raise Unmodelled

    def _group(self, argument: Any, where: Where, forward: bool) -> Where:
        _, add, remove, inner = argument
        former = self._flags
        self._flags = (former | add) & ~remove
        try:
            return self._along(inner, where, forward)
        finally:
            self._flags = former

    def _repeat(self, least: int, most: Any, inner: Any, where: Where, forward: bool) -> Where:
        if least > self._window:
            raise Unmodelled
        for _ in range(least):
            where = self._along(inner, where, forward)
        if most is sre.MAXREPEAT:
            return self._endless(inner, where, forward)
        found, here = [where], where
        for _ in range(min(int(most) - least, self._window)):
            here = self._along(inner, here, forward)
            if not here:
                break
            found.append(here)
        return _union(found)

    def _endless(self, inner: Any, where: Where, forward: bool) -> Where:
        """The positions after any number of repetitions, found one by one in the order in which a
        match moves.
        """
        ways: dict[int, list[Term]] = {place: [when] for place, when in where.items()}
        found: Where = {}
        order = range(self._window + 1) if forward else range(self._window, -1, -1)
        for place in order:
            if place not in ways:
                continue
            found[place] = disjoin(ways[place])
            for other, when in self._along(inner, {place: found[place]}, forward).items():
                if other != place:  # a repetition that matches nothing leads nowhere new
                    ways.setdefault(other, []).append(when)
        return found

    def _look(self, argument: Any, where: Where, *, wanted: bool) -> Where:
        direction, inner = argument
        found: Where = {}
        for place, when in where.items():
            ends = self._inside(self._along(inner, {place: TRUE}, direction > 0))
            there = disjoin(list(ends.values()))
            found[place] = both(when, there if wanted else negate(there))
        return _possible(found)

    def _character(self, node: Any, where: Where, forward: bool) -> Where:
        test = character_test(self._kind, self._state, node, self._flags)
        found: Where = {}
        for place, when in where.items():
            index = place if forward else place - 1
            if not 0 <= index < self._window:
                continue
            met = both(when, test(self._at(index)))
            if met is not FALSE:
                found[index + 1 if forward else index] = met
        return found

    def _anchor(self, kind: Any, place: int) -> Term:
        if kind is sre.AT_BEGINNING and self._flags & re.MULTILINE:
            return TRUE if place == 0 else self._is_newline(place - 1)
        if kind is sre.AT_BEGINNING or kind is sre.AT_BEGINNING_STRING:
            return TRUE if place == 0 else FALSE
        if kind is sre.AT_END_STRING:
            return self._is_end(place)
        if kind is sre.AT_END:
            if place >= self._window:
                return self._is_end(place)
            if self._flags & re.MULTILINE:
                return disjoin([self._is_end(place), self._is_newline(place)])
            last = conjoin([self._is_end(place + 1), self._is_newline(place)])
            return disjoin([self._is_end(place), last])
        if kind is sre.AT_BOUNDARY or kind is sre.AT_NON_BOUNDARY:
            return self._boundary(place, wanted=kind is sre.AT_BOUNDARY)
        raise Unmodelled

    def _is_newline(self, place: int) -> Term:
        if place >= self._window:
            return FALSE
        there = integers.lt(int_const(place), self._length)
        return conjoin([there, integers.eq(self._at(place), int_const(10))])

    def _boundary(self, place: int, *, wanted: bool) -> Term:
        word = character_test(self._kind, self._state, _WORD, self._flags)
        before = word(self._at(place - 1)) if place else FALSE
        after = FALSE
        if place < self._window:
            after = conjoin([integers.lt(int_const(place), self._length), word(self._at(place))])
        differ = disjoin([conjoin([before, negate(after)]), conjoin([negate(before), after])])
        return differ if wanted else negate(differ)


def _always(nodes: list[Any], group: int) -> bool:
    for op, argument in nodes:
        if op is sre.SUBPATTERN and (argument[0] == group or _always(list(argument[3]), group)):
            return True
        repeated = op is sre.MAX_REPEAT or op is sre.MIN_REPEAT
        if repeated and argument[0] > 0 and _always(list(argument[2]), group):
            return True
    return False


def _possible(where: Where) -> Where:
    return {place: when for place, when in where.items() if when is not FALSE}


def _union(parts: list[Where]) -> Where:
    if len(parts) == 1:
        return parts[0]
    found: dict[int, list[Term]] = {}
    for part in parts:
        for place, when in part.items():
            found.setdefault(place, []).append(when)
    return {place: disjoin(ways) for place, ways in found.items()}


# -- single characters

_SINGLE = frozenset({sre.LITERAL, sre.NOT_LITERAL, sre.ANY, sre.IN, sre.RANGE})
_WORD = (sre.IN, [(sre.CATEGORY, sre.CATEGORY_WORD)])


class CharacterClass:
    """The characters that one piece of a pattern matches, found by asking Python's own matcher."""

    def __init__(self, kind: Kind, state: Any, node: Any, flags: int) -> None:
        self.kind = kind
        piece = parser.SubPattern(state, [node])
        self._matcher = compiler.compile(piece, flags & ~re.DEBUG)
        highest = ASCII if kind is STR else 255
        self.ranges = ranges_of([code for code in range(highest + 1) if self(code)])
        self.operation = Operation(f"matches {node!r}", Sort.BOOL, self, "", opaque=True)
        self.exact = _exact_ranges(node, flags) if kind is STR else self.ranges

    def __call__(self, code: int) -> bool:
        char = chr(code) if self.kind is STR else bytes([code])
        return self._matcher.fullmatch(char) is not None

    def test(self, code: Term) -> Term:
        """The condition that a character, given by its code, is one of the class."""
        if self.exact is not None:
            return member(code, self.exact)
        plain = integers.le(code, int_const(ASCII))
        return modelled(apply(self.operation, code), member(code, self.ranges), plain)


def _exact_ranges(node: Any, flags: int) -> Ranges | None:
    r"""The code points of a class that names them all; None where ignoring case or a category such
    as `\w` comes in.
    """
    if flags & re.IGNORECASE:
        return None
    op, argument = node
    if op is sre.LITERAL:
        return ((argument, argument),)
    if op is sre.NOT_LITERAL:
        return _complement(((argument, argument),))
    if op is sre.ANY:
        return _complement(() if flags & re.DOTALL else ((10, 10),))
    if op is sre.RANGE:
        return (argument,)
    found: list[tuple[int, int]] = []
    negated = False
    for kind, value in argument:
        if kind is sre.NEGATE:
            negated = True
        elif kind is sre.LITERAL:
            found.append((value, value))
        elif kind is sre.RANGE:
            found.append(value)
        else:
            return None
    merged = _merged(found)
    return _complement(merged) if negated else merged


def _merged(ranges: list[tuple[int, int]]) -> Ranges:
    found: list[tuple[int, int]] = []
    for low, high in sorted(ranges):
        if found and low <= found[-1][1] + 1:
            found[-1] = (found[-1][0], max(high, found[-1][1]))
        else:
            found.append((low, high))
    return tuple(found)


def _complement(ranges: Ranges) -> Ranges:
    found: list[tuple[int, int]] = []
    next_low = 0
    for low, high in ranges:
        if next_low < low:
            found.append((next_low, low - 1))
        next_low = high + 1
    return (*found, (next_low, 0x10FFFF)) if next_low <= 0x10FFFF else tuple(found)


_classes: dict[Any, CharacterClass] = {}


def simple_class(compiled: re.Pattern[Any], kind: Kind) -> tuple[CharacterClass, bool] | None:
    r"""The class of a pattern such as `[,;]` or `\s+`, and whether it takes a whole run of such
    characters; None for any other pattern.
    """
    tree = parsed(compiled.pattern, compiled.flags)
    if len(tree) != 1 or compiled.groups:
        return None
    op, argument = tree[0]
    if op in _SINGLE:
        return character_class(kind, tree.state, tree[0], compiled.flags), False
    if op is sre.MAX_REPEAT and argument[:2] == (1, sre.MAXREPEAT):
        inner = argument[2]
        if len(inner) == 1 and inner[0][0] in _SINGLE:
            return character_class(kind, tree.state, inner[0], compiled.flags), True
    return None


def character_test(kind: Kind, state: Any, node: Any, flags: int) -> Callable[[Term], Term]:
    """A function from the code of a character to the condition that a piece of a pattern matches
    it.
    """
    return character_class(kind, state, node, flags).test


def character_class(kind: Kind, state: Any, node: Any, flags: int) -> CharacterClass:
    """The characters that a piece of a pattern matches; made once for each piece and flags."""
    relevant = flags & (re.IGNORECASE | re.DOTALL | re.ASCII | re.UNICODE | re.LOCALE)
    key = (kind.name, repr(node), relevant)
    found = _classes.get(key)
    if found is None:
        found = _classes[key] = CharacterClass(kind, state, node, flags)
    return found
