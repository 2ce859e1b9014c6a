"""Equations between bits: checksums, masks, shifts, hashes.

Of a function made of exclusive-ors, such as a CRC, every input bit flips the same output bits
whatever the others are: the flips that mend an equation come from a linear system over single
bits. Where sums and products carry, a flip still touches nothing below its lowest bit: the wrong
bits are mended from the lowest up.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from symcrete.slotted import dataclass
from symcrete.solve.walk.moves.one_variable import Search
from symcrete.solve.walk.terrain.goal import Comparison, Relation
from symcrete.terms import integers
from symcrete.terms.evaluate import Assignment
from symcrete.terms.term import Sort, Term

UNBOUNDED = 32  # bits tried of a variable without a range; chosen, not measured
MOST_FLIPS = 256  # single bits whose effect on an equation is looked at
WORD_BITS = (1 << 64) - 1  # the bits that are compared of negative and of very large numbers


@dataclass(frozen=True, slots=True)
class _Flip:
    name: str
    bit: int

    def of(self, point: Assignment) -> int:
        flipped: int = point[self.name] ^ (1 << self.bit)
        return flipped


def flip_bits(search: Search) -> bool:
    """Mend one equation between integers by flipping bits of its variables; whether all goals hold
    then.
    """
    equation = _equation(search)
    if equation is None:
        return False
    comparison, flips = equation
    wrong = _wrong_bits(search, comparison)
    _flip_together(search, wrong, flips)
    if not search.is_there:
        _flip_upwards(search, wrong, flips)
    return search.is_there


def _equation(search: Search) -> tuple[Comparison, list[_Flip]] | None:
    for number in search.violated():
        for measured in search.goals[number].to_mend(search.point):
            comparison = measured.comparison
            if comparison.relation is not Relation.EQUAL or comparison.left.sort is not Sort.INT:
                continue
            flips = [f for name in search.names(number) for f in _flips(search, name)]
            if measured.score and flips:
                search.chance.shuffle(flips)
                return comparison, flips[:MOST_FLIPS]
    return None


def _flips(search: Search, name: str) -> list[_Flip]:
    variable = search.variables[name]
    if variable.sort is not Sort.INT:
        return []
    range_, bits = variable.range, UNBOUNDED
    if range_.is_bounded and range_.low >= 0:
        bits = range_.high.bit_length()
    return [_Flip(name, bit) for bit in range(bits)]


def _wrong_bits(search: Search, equation: Comparison) -> Callable[[Assignment], int | None]:
    """The function that gives, for a point, the bits in which the two sides of the equation
    differ; None if one cannot be computed. What a sum subtracts is added on the other side.
    """
    left, right = (search.landscape.compute(side) for side in _sides(equation.left))

    def wrong(point: Assignment) -> int | None:
        search.budget.spend()
        one, other = left(point), right(point)
        if type(one) is int and type(other) is int:
            return (one ^ other) & WORD_BITS
        return None

    return wrong


def _sides(difference: Term) -> tuple[Term, Term]:
    form = integers.as_linear(difference)
    plus: list[Any] = [max(form[0], 0)]
    minus: list[Any] = [max(-form[0], 0)]
    for position in range(1, len(form), 2):
        atom, factor = form[position], form[position + 1]
        (plus if factor > 0 else minus).extend((atom, abs(factor)))
    return integers.linear(tuple(plus)), integers.linear(tuple(minus))


def _flip_together(
    search: Search, wrong: Callable[[Assignment], int | None], flips: list[_Flip]
) -> None:
    """Flip bits whose effects together are what is wrong, found by Gaussian elimination over
    bits.
    """
    here = wrong(search.point)
    if not here:
        return
    # By highest bit: an effect, and the flips that have it.
    basis: dict[int, tuple[int, frozenset[_Flip]]] = {}
    for flip in flips:
        there = wrong({**search.point, flip.name: flip.of(search.point)})
        if there is None:
            continue
        effect, used = _reduced(here ^ there, frozenset((flip,)), basis)
        if effect:
            basis[effect.bit_length()] = (effect, used)
    rest, used = _reduced(here, frozenset(), basis)
    if not rest:
        search.offer(_flipped(search.point, used))


def _reduced(
    effect: int, used: frozenset[_Flip], basis: dict[int, tuple[int, frozenset[_Flip]]]
) -> tuple[int, frozenset[_Flip]]:
    """What is left of an effect when those of the basis are taken out of it, the highest bit
    first; and the flips used so far together with theirs.
    """
    while effect and effect.bit_length() in basis:
        other, flips = basis[effect.bit_length()]
        effect ^= other
        used ^= flips
    return effect, used


def _flipped(point: Assignment, flips: frozenset[_Flip]) -> Assignment:
    flipped = dict(point)
    for flip in flips:
        flipped[flip.name] = flip.of(flipped)
    return flipped


def _flip_upwards(
    search: Search, wrong: Callable[[Assignment], int | None], flips: list[_Flip]
) -> None:
    """Mend the lowest wrong bit by a flip that touches none below it, until none is wrong."""
    point = dict(search.point)
    here = wrong(point)
    while here:
        lowest = here & -here
        mended = _mended(point, here, lowest, wrong, flips)
        if mended is None:
            return
        point, here = mended
    if here == 0:
        search.offer(point)


def _mended(
    point: Assignment,
    here: int,
    lowest: int,
    wrong: Callable[[Assignment], int | None],
    flips: list[_Flip],
) -> tuple[Assignment, int] | None:
    place = lowest.bit_length() - 1
    # Mostly the bit at the same place does it.
    for flip in sorted(flips, key=lambda flip: abs(flip.bit - place)):
        flipped = {**point, flip.name: flip.of(point)}
        there = wrong(flipped)
        if there is not None and (here ^ there) & -(here ^ there) == lowest:
            return flipped, there
    return None
