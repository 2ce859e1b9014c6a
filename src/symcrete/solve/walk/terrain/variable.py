"""Where to look along one variable: from the next double to the other end of its range.

Small and large steps of both signs on the scale of the value and on that of its bits, values met
elsewhere (constants of the conditions, other variables, earlier solutions), single bits for masks,
letters and digits for characters, and the round numbers that people write into programs.
"""

from __future__ import annotations

import math
import random
import sys
from collections.abc import Sequence
from dataclasses import field
from typing import Any

from symcrete.slotted import dataclass
from symcrete.solve.walk.terrain.ordinal import INFINITE_ORDINAL, double, ordinal
from symcrete.terms.term import Sort
from symcrete.terms.texts import CASE_BIT

WIDEST_SHIFT = 64  # bits: how far away integers are tried; chosen, not measured
# How often each way of choosing a value is taken, as the part of random numbers between 0 and 1
# below a limit; chosen, not measured.
CONSTANT_DRAWN = 0.2  # a constant of the conditions, where a fresh value is wanted
CHARACTER_DRAWN = 0.8  # a usual character, where the variable is one
WIDE_RANGE_DRAWN = 0.3  # an integer anywhere between its bounds, where those are far apart
FLOAT_RANGE_DRAWN = 0.7  # a double anywhere between its bounds
NEAR_ZERO_DRAWN = 0.6  # a fresh double within NEARBY of zero or of its bound
BIT_FLIPPED_BELOW = 0.4  # an integer with one bit changed
POWER_STEPPED_BELOW = 0.7  # an integer at the distance of a power of two; else of any number
VALUE_STEPPED_BELOW = 0.4  # a double at a distance on the scale of values
PLACE_STEPPED_BELOW = 0.7  # a double at a distance counted in doubles; else a small fresh one

# How far values are looked for; chosen, not measured.
NEARBY = 10  # integers, or doubles, either way
NARROW_RANGE = 1 << 16  # integers: between nearer bounds all are alike likely
MOST_FRESH_BITS = 40  # of a fresh integer
FRESH_DOUBLE_EXPONENT = 20.0  # of two: fresh doubles are up to 2**20, down to 2**-20
STEP_EXPONENTS = (-30, 12)  # of two: the distances on the scale of values
MOST_PLACE_EXPONENT = 61  # of two: the distances counted in doubles, of which there are 2**64
SMALL_EXPONENTS = (-3, 12)  # of two: the size of small fresh doubles
UNEVEN = (0.5, 2.0)  # a power of two is multiplied by a number between these

# Parts of the values to look at that are drawn between bounds; chosen, not measured.
PART_OF_INTS = 3  # one in three; of characters, as many again
PART_OF_DOUBLES = 4  # one in four

ROUNDABLE = 1e15  # larger doubles have no digits behind the point that people write
DIGITS_KEPT = (0, 0, 1, 2, 3, 6)  # behind the point, of a round number; chosen, not measured
# A variable between 0 and one of these is taken for the code of a character.
LAST_CHARACTERS = frozenset({0x7F, 0xFF, 0xFFFF, 0x10FFFF})
_TEXT = [ord(c) for c in "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ +-*/=<>"]
_TEXT += [ord(c) for c in "\n\t.,:;!?'\"()[]{}@#$%&_|\\^~`"]
_ODD_DOUBLES = [math.inf, -math.inf, math.nan, sys.float_info.max, -sys.float_info.max]
_ODD_DOUBLES += [5e-324, -5e-324, sys.float_info.min, sys.float_info.epsilon, 2.0**53, -0.0]


@dataclass(frozen=True, slots=True)
class Range:
    """The values that conditions on a variable alone allow, ends included; None is no bound."""

    low: Any = None
    high: Any = None

    @property
    def is_bounded(self) -> bool:
        return self.low is not None and self.high is not None

    def admits(self, value: Any) -> bool:
        if self.low is not None and not value >= self.low:
            return False
        return self.high is None or bool(value <= self.high)

    def clamped(self, value: Any) -> Any:
        """The value, or the bound that it lies beyond."""
        if self.low is not None and value < self.low:
            return self.low
        if self.high is not None and value > self.high:
            return self.high
        return value


@dataclass(slots=True)
class Variable:
    """One variable that the walk changes, with what is known of it."""

    name: str
    sort: Sort
    range: Range = field(default_factory=Range)
    # values met in the conditions and in earlier solutions, of its sort and within its range
    constants: list[Any] = field(default_factory=list)

    def around(
        self, value: Any, others: Sequence[Any], chance: random.Random, count: int
    ) -> list[Any]:
        """About so many values of the variable to go to from this one; `others` are the values of
        the other variables.
        """
        if self.sort is Sort.BOOL:
            return [not value]
        found: list[Any]
        if self.sort is Sort.INT:
            found = self._whole_numbers(value, others, chance, count)
        else:
            found = self._doubles(value, others, chance, count)
        admits = self.range.admits
        return [each for each in found if admits(each)]

    def fresh(self, chance: random.Random) -> Any:
        """A random value: a small one, one of the variable's constants, or one of any magnitude."""
        if self.sort is Sort.BOOL:
            return chance.random() < 0.5
        if self.constants and chance.random() < CONSTANT_DRAWN:
            return chance.choice(self.constants)
        if self.sort is Sort.INT:
            return self.range.clamped(self._fresh_whole_number(chance))
        return self.range.clamped(self._fresh_double(chance))

    def _whole_numbers(
        self, value: int, others: Sequence[Any], chance: random.Random, count: int
    ) -> list[int]:
        low, high = self.range.low, self.range.high
        if self.range.is_bounded and high - low < count:
            return [each for each in range(low, high + 1) if each != value]
        found = [value - 1, value + 1, -value]
        found += [int(other) for other in _some(others, chance) if _is_finite(other)]
        found += _some(self.constants, chance)
        if self.is_character:
            found += [value ^ CASE_BIT, *chance.choices(_TEXT, k=count // PART_OF_INTS)]
        if self.range.is_bounded:
            found += [low, high, *(chance.randint(low, high) for _ in range(count // PART_OF_INTS))]
        shifts = WIDEST_SHIFT
        if self.range.is_bounded:
            shifts = min(shifts, (high - low).bit_length())
        while len(found) < count:
            bit = 1 << chance.randrange(shifts)
            kind = chance.random()
            if kind < BIT_FLIPPED_BELOW:
                found.append(value ^ bit)  # flips single bits, which masks look at
            else:
                step = bit if kind < POWER_STEPPED_BELOW else chance.randrange(bit, 2 * bit)
                found.append(value + _signed(step, chance))
        return found

    def _doubles(
        self, value: float, others: Sequence[Any], chance: random.Random, count: int
    ) -> list[float]:
        found = [-value, 0.0, 1.0, round_number(value, chance), chance.choice(_ODD_DOUBLES)]
        found += [float(other) for other in _some(others, chance) if _is_finite(other)]
        found += _some(self.constants, chance)
        if self.range.is_bounded:
            low, high = self.range.low, self.range.high
            found += [chance.uniform(low, high) for _ in range(count // PART_OF_DOUBLES)]
        place = ordinal(value) if value == value else 0
        while len(found) < count:
            kind = chance.random()
            if kind < VALUE_STEPPED_BELOW:
                step = chance.uniform(*UNEVEN) * 2.0 ** chance.randint(*STEP_EXPONENTS)
                found.append(value + _signed(step, chance))
            elif kind < PLACE_STEPPED_BELOW:
                bits = int(chance.uniform(*UNEVEN) * 2.0 ** chance.randint(0, MOST_PLACE_EXPONENT))
                moved = place + _signed(bits, chance)
                if abs(moved) < INFINITE_ORDINAL:
                    found.append(double(moved))
            else:
                found.append(chance.uniform(-1.0, 1.0) * 2.0 ** chance.randint(*SMALL_EXPONENTS))
        return found

    def _fresh_whole_number(self, chance: random.Random) -> int:
        low, high = self.range.low, self.range.high
        if self.is_character and chance.random() < CHARACTER_DRAWN:
            return chance.choice(_TEXT)
        if self.range.is_bounded and (
            high - low < NARROW_RANGE or chance.random() < WIDE_RANGE_DRAWN
        ):
            return chance.randint(low, high)
        base = low if low is not None and low > 0 else high if high is not None and high < 0 else 0
        if chance.random() < 0.5:
            return int(base + chance.randint(-NEARBY, NEARBY))
        size = chance.getrandbits(chance.randint(1, MOST_FRESH_BITS))
        return int(base + _signed(size, chance))

    def _fresh_double(self, chance: random.Random) -> float:
        low, high = self.range.low, self.range.high
        if self.range.is_bounded and high - low < math.inf:
            if chance.random() < FLOAT_RANGE_DRAWN:
                return chance.uniform(low, high)
        base = (
            low if low is not None and low > 0 else high if high is not None and high < 0 else 0.0
        )
        if chance.random() < NEAR_ZERO_DRAWN:
            return float(base + chance.uniform(-NEARBY, NEARBY))
        exponent = chance.uniform(-FRESH_DOUBLE_EXPONENT, FRESH_DOUBLE_EXPONENT)
        return float(base + _signed(2.0**exponent, chance))

    @property
    def is_character(self) -> bool:
        """Whether the range is that of the characters of a text."""
        return self.range.low == 0 and self.range.high in LAST_CHARACTERS


def round_number(value: float, chance: random.Random) -> float:
    """A number near this one that a person might have written."""
    if not abs(value) < ROUNDABLE:
        return 0.0
    return round(value, chance.choice(DIGITS_KEPT))


def _some(values: Sequence[Any], chance: random.Random) -> list[Any]:
    return chance.choices(values, k=2) if values else []


def _signed(size: Any, chance: random.Random) -> Any:
    return size if chance.random() < 0.5 else -size


def _is_finite(value: Any) -> bool:
    """Whether a value is a number and not too large for a double."""
    return type(value) in (int, float) and abs(value) <= sys.float_info.max
