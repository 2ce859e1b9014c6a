"""Symcrete: a concolic tester for Python.

    import symcrete
    report = symcrete.cover(price, budget="10s")
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

VERSION = __version__ = "0.1.0"

if TYPE_CHECKING:
    from symcrete.explore.api import assume, cover
    from symcrete.explore.findings import Report
    from symcrete.explore.options import Options

__all__ = ["VERSION", "Options", "Report", "assume", "cover"]

_WHERE = {
    "cover": "symcrete.explore.api",
    "assume": "symcrete.explore.api",
    "Options": "symcrete.explore.options",
    "Report": "symcrete.explore.findings",
}


def __getattr__(name: str) -> Any:
    """Names are imported when first used: `symcrete --help` must not wait for a solver."""
    if name in _WHERE:
        from importlib import import_module

        return getattr(import_module(_WHERE[name]), name)
    raise AttributeError(f"module 'symcrete' has no attribute {name!r}")
