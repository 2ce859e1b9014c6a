"""`__init__` of frozen classes whose fields are all parameters, written out for up to ten fields.

Compiling such a function from its text takes 0.07 ms, more than a class with few instances needs in
a whole exploration; these are compiled once, with this module.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

Put: TypeAlias = Callable[[Any, Any], None]  # sets a field of an instance


def _one(_0: Put) -> Any:
    def made(self: Any, _field_0: Any) -> None:
        _0(self, _field_0)

    return made


def _two(_0: Put, _1: Put) -> Any:
    def made(self: Any, _field_0: Any, _field_1: Any) -> None:
        _0(self, _field_0)
        _1(self, _field_1)

    return made


def _three(_0: Put, _1: Put, _2: Put) -> Any:
    def made(self: Any, _field_0: Any, _field_1: Any, _field_2: Any) -> None:
        _0(self, _field_0)
        _1(self, _field_1)
        _2(self, _field_2)

    return made


def _four(_0: Put, _1: Put, _2: Put, _3: Put) -> Any:
    def made(self: Any, _field_0: Any, _field_1: Any, _field_2: Any, _field_3: Any) -> None:
        _0(self, _field_0)
        _1(self, _field_1)
        _2(self, _field_2)
        _3(self, _field_3)

    return made


def _five(_0: Put, _1: Put, _2: Put, _3: Put, _4: Put) -> Any:
    def made(
        self: Any, _field_0: Any, _field_1: Any, _field_2: Any, _field_3: Any, _field_4: Any
    ) -> None:
        _0(self, _field_0)
        _1(self, _field_1)
        _2(self, _field_2)
        _3(self, _field_3)
        _4(self, _field_4)

    return made


def _six(_0: Put, _1: Put, _2: Put, _3: Put, _4: Put, _5: Put) -> Any:
    def made(
        self: Any,
        _field_0: Any,
        _field_1: Any,
        _field_2: Any,
        _field_3: Any,
        _field_4: Any,
        _field_5: Any,
    ) -> None:
        _0(self, _field_0)
        _1(self, _field_1)
        _2(self, _field_2)
        _3(self, _field_3)
        _4(self, _field_4)
        _5(self, _field_5)

    return made


def _seven(_0: Put, _1: Put, _2: Put, _3: Put, _4: Put, _5: Put, _6: Put) -> Any:
    def made(
        self: Any,
        _field_0: Any,
        _field_1: Any,
        _field_2: Any,
        _field_3: Any,
        _field_4: Any,
        _field_5: Any,
        _field_6: Any,
    ) -> None:
        _0(self, _field_0)
        _1(self, _field_1)
        _2(self, _field_2)
        _3(self, _field_3)
        _4(self, _field_4)
        _5(self, _field_5)
        _6(self, _field_6)

    return made


def _eight(_0: Put, _1: Put, _2: Put, _3: Put, _4: Put, _5: Put, _6: Put, _7: Put) -> Any:
    def made(
        self: Any,
        _field_0: Any,
        _field_1: Any,
        _field_2: Any,
        _field_3: Any,
        _field_4: Any,
        _field_5: Any,
        _field_6: Any,
        _field_7: Any,
    ) -> None:
        _0(self, _field_0)
        _1(self, _field_1)
        _2(self, _field_2)
        _3(self, _field_3)
        _4(self, _field_4)
        _5(self, _field_5)
        _6(self, _field_6)
        _7(self, _field_7)

    return made


def _nine(_0: Put, _1: Put, _2: Put, _3: Put, _4: Put, _5: Put, _6: Put, _7: Put, _8: Put) -> Any:
    def made(
        self: Any,
        _field_0: Any,
        _field_1: Any,
        _field_2: Any,
        _field_3: Any,
        _field_4: Any,
        _field_5: Any,
        _field_6: Any,
        _field_7: Any,
        _field_8: Any,
    ) -> None:
        _0(self, _field_0)
        _1(self, _field_1)
        _2(self, _field_2)
        _3(self, _field_3)
        _4(self, _field_4)
        _5(self, _field_5)
        _6(self, _field_6)
        _7(self, _field_7)
        _8(self, _field_8)

    return made


def _ten(
    _0: Put, _1: Put, _2: Put, _3: Put, _4: Put, _5: Put, _6: Put, _7: Put, _8: Put, _9: Put
) -> Any:
    def made(
        self: Any,
        _field_0: Any,
        _field_1: Any,
        _field_2: Any,
        _field_3: Any,
        _field_4: Any,
        _field_5: Any,
        _field_6: Any,
        _field_7: Any,
        _field_8: Any,
        _field_9: Any,
    ) -> None:
        _0(self, _field_0)
        _1(self, _field_1)
        _2(self, _field_2)
        _3(self, _field_3)
        _4(self, _field_4)
        _5(self, _field_5)
        _6(self, _field_6)
        _7(self, _field_7)
        _8(self, _field_8)
        _9(self, _field_9)

    return made


# By the number of fields: a function of what sets each of them, in their order.
PLAIN_INITS: dict[int, Callable[..., Any]] = {
    1: _one,
    2: _two,
    3: _three,
    4: _four,
    5: _five,
    6: _six,
    7: _seven,
    8: _eight,
    9: _nine,
    10: _ten,
}
