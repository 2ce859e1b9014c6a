"""Symcrete: a concolic tester for Python.

import symcrete
report = symcrete.cover(price, budget="10s")
"""

from __future__ import annotations

TYPE_CHECKING = False  # that of `typing`, which takes a third of the time of `--version` to import
VERSION = __version__ = "0.1.0"

if TYPE_CHECKING:
    from typing import Any

    from symcrete.api import Report, assume, check, cover, diff, reach
    from symcrete.explore.options import Options
    from symcrete.explore.reach.reached import Reached, Undecided, Unreachable
    from symcrete.properties.forall import example, forall

__all__ = [
    "VERSION",
    "Options",
    "Reached",
    "Report",
    "Undecided",
    "Unreachable",
    "assume",
    "check",
    "cover",
    "diff",
    "example",
    "forall",
    "reach",
]

_WHERE = {
    "cover": "symcrete.api",
    "assume": "symcrete.api",
    "check": "symcrete.api",
    "diff": "symcrete.api",
    "example": "symcrete.properties.forall",
    "forall": "symcrete.properties.forall",
    "reach": "symcrete.api",
    "Reached": "symcrete.explore.reach.reached",
    "Unreachable": "symcrete.explore.reach.reached",
    "Undecided": "symcrete.explore.reach.reached",
    "Options": "symcrete.explore.options",
    "Report": "symcrete.api",
}


def __getattr__(name: str) -> Any:
    """Names are imported when first used: `symcrete --help` must not wait for a solver."""
    if name in _WHERE:
        from importlib import import_module

        return getattr(import_module(_WHERE[name]), name)
    raise AttributeError(f"module 'symcrete' has no attribute {name!r}")


def __dir__() -> list[str]:
    """The public names, those not imported yet as well."""
    return sorted({*__all__, *(name for name in globals() if name.startswith("__"))})
