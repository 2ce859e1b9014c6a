"""The hooks for `and`, `or` and `a < b < c`, which decide on a value and need it once more.

Runs and replays have the same ones; they differ in how they decide and how they compare.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from typing import Any

Hook = Callable[..., Any]


class _Slot(threading.local):
    """Where each thread keeps the operand that is still needed."""

    kept: Any


def operand_hooks(
    branch: Callable[[int, Any], bool], comparisons: Mapping[str, Callable[[Any, Any], Any]]
) -> tuple[Hook, Hook, Hook, Hook]:
    """The hooks `test`, `link`, `last_link` and `kept`, for one way to decide and to compare."""
    slot = _Slot()

    def test(site: int, value: Any) -> bool:
        taken = branch(site, value)
        slot.kept = value
        return taken

    def link(site: int, name: str, left: Any, right: Any) -> bool:
        value = comparisons[name](left, right)
        taken = branch(site, value)
        slot.kept = right if taken else value
        return taken

    def last_link(site: int, name: str, left: Any, right: Any) -> bool:
        return branch(site, comparisons[name](left, right))

    def kept() -> Any:
        return slot.kept

    return test, link, last_link, kept
