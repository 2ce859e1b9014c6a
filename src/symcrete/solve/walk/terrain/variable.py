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
from symcrete.solve.walk.terrain.ordinal import INFINITE, double, ordinal
from symcrete.terms.term import Sort

WIDEST_SHIFT = 64  # bits: how far away integers are tried; chosen, not measured
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
    constants: list[Any] = field(default_factory=list)  # of its sort, within its range

    def around(
        self, value: Any, others: Sequence[Any], chance: random.Random, count: int
    ) -> list[Any]:
        """About so many values of the variable to go to from this one."""
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
        """A random value: a small one, one of the program's constants, or one of any magnitude."""
        if self.sort is Sort.BOOL:
            return chance.random() < 0.5
        if self.constants and chance.random() < 0.2:
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
            found += [value ^ 0x20, *chance.choices(_TEXT, k=count // 3)]
        if self.range.is_bounded:
            found += [low, high, *(chance.randint(low, high) for _ in range(count // 3))]
        shifts = WIDEST_SHIFT
        if self.range.is_bounded:
            shifts = min(shifts, (high - low).bit_length())
        while len(found) < count:
            bit = 1 << chance.randrange(shifts)
            kind = chance.random()
            if kind < 0.4:
                found.append(value ^ bit)  # flips single bits, which masks look at
            else:
                step = bit if kind < 0.7 else chance.randrange(bit, 2 * bit)
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
            found += [chance.uniform(low, high) for _ in range(count // 4)]
        place = ordinal(value) if value == value else 0
        while len(found) < count:
            kind = chance.random()
            if kind < 0.4:
                step = chance.uniform(0.5, 2.0) * 2.0 ** chance.randint(-30, 12)
                found.append(value + _signed(step, chance))
            elif kind < 0.7:
                bits = int(chance.uniform(0.5, 2.0) * 2.0 ** chance.randint(0, 61))
                moved = place + _signed(bits, chance)
                if abs(moved) < INFINITE:
                    found.append(double(moved))
            else:
                found.append(chance.uniform(-1.0, 1.0) * 2.0 ** chance.randint(-3, 12))
        return found

    def _fresh_whole_number(self, chance: random.Random) -> int:
        low, high = self.range.low, self.range.high
        if self.is_character and chance.random() < 0.8:
            return chance.choice(_TEXT)
        if self.range.is_bounded and (high - low < 1 << 16 or chance.random() < 0.3):
            return chance.randint(low, high)
        base = low if low is not None and low > 0 else high if high is not None and high < 0 else 0
        if chance.random() < 0.5:
            return int(base + chance.randint(-10, 10))
        return int(base + _signed(chance.getrandbits(chance.randint(1, 40)), chance))

    def _fresh_double(self, chance: random.Random) -> float:
        low, high = self.range.low, self.range.high
        if self.range.is_bounded and high - low < math.inf and chance.random() < 0.7:
            return chance.uniform(low, high)
        base = (
            low if low is not None and low > 0 else high if high is not None and high < 0 else 0.0
        )
        if chance.random() < 0.6:
            return float(base + chance.uniform(-10.0, 10.0))
        return float(base + _signed(2.0 ** chance.uniform(-20.0, 20.0), chance))

    @property
    def is_character(self) -> bool:
        return self.range.low == 0 and self.range.high in LAST_CHARACTERS


def round_number(value: float, chance: random.Random) -> float:
    """A number near this one that a person might have written."""
    if not abs(value) < 1e15:
        return 0.0
    return round(value, chance.choice((0, 0, 1, 2, 3, 6)))


def _some(values: Sequence[Any], chance: random.Random) -> list[Any]:
    return chance.choices(values, k=2) if values else []


def _signed(size: Any, chance: random.Random) -> Any:
    return size if chance.random() < 0.5 else -size


def _is_finite(value: Any) -> bool:
    """Whether a value is a number and not too large for a double."""
    return type(value) in (int, float) and abs(value) <= sys.float_info.max
