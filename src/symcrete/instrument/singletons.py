"""`case True` and `case False` for truths that are tracked.

Such a pattern asks whether the value *is* True, which a tracked truth never is. A pattern of a
class asks the class whether the value is an instance, and calls nothing of the value itself.
"""

from __future__ import annotations

from typing import Any, ClassVar

from symcrete.values.tracking.operators import is_


class _Asking(type):
    """A class that takes one truth value, plain or tracked, for its instance."""

    value: ClassVar[bool]

    def __instancecheck__(cls, value: Any) -> bool:
        return bool(is_(value, cls.value))


class IsTrue(metaclass=_Asking):
    value = True


class IsFalse(metaclass=_Asking):
    value = False


SINGLETONS: dict[str, type] = {"is_true": IsTrue, "is_false": IsFalse}
