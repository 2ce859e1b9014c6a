"""How inputs are built: every shape that a parameter may have, and what makes a value of it."""

from __future__ import annotations

from symcrete.values.build import (
    instances,
    late_parts,
    library_values,
    lists_and_dicts,
    strategy_values,
    variables,
)
from symcrete.values.build.variables import Builder

BUILDERS: dict[type, Builder] = {
    **variables.BUILDERS,
    **lists_and_dicts.BUILDERS,
    **library_values.BUILDERS,
    **instances.BUILDERS,
    **late_parts.BUILDERS,
    **strategy_values.BUILDERS,
}
