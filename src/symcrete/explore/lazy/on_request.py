"""Lazy expansion where it is asked for: its modules are loaded then, and not before.

They take 3 of the 100 ms that it takes to import what explores (`python -X importtime`), and most
explorations follow all calls.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import TYPE_CHECKING

from symcrete.explore.options import Options
from symcrete.search.strategy import Strategy

if TYPE_CHECKING:
    from symcrete.explore.lazy.expansion import LazyExploration
    from symcrete.explore.lazy.race import Race
    from symcrete.explore.loop.loop import Exploration


def brought_in(options: Options) -> bool:
    """Whether lazy expansion is asked for. It is loaded then, before a program is that may have
    modules or built-in functions of its own under the names that it needs.
    """
    if options.lazy is not None:
        importlib.import_module("symcrete.explore.lazy.race")
        importlib.import_module("symcrete.explore.lazy.abstracting")
    return options.lazy is not None


def lazily(
    plain: Exploration, options: Options, strategy: str, make: Callable[[str], Strategy]
) -> LazyExploration:
    """What is ready to be explored, with its calls abstracted as the options say."""
    from symcrete.explore.lazy.abstracting import abstracting
    from symcrete.explore.lazy.expansion import LazyExploration

    return LazyExploration(plain, abstracting(plain.parts, options, strategy, make))


def in_turn(plain: Exploration, lazy: LazyExploration, strategy: Strategy) -> Race:
    """Both searches of one target, taking turns; `strategy` is that of the lazy one."""
    from symcrete.explore.lazy.race import Race

    return Race(plain, lazy, strategy)
