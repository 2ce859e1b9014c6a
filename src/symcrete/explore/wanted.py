"""What an exploration is for: the branches of a target, or one line."""

from __future__ import annotations

from typing import TypeAlias

from symcrete.slotted import dataclass


@dataclass(frozen=True, slots=True)
class EveryBranch:
    """Inputs that cover every branch of the target, or of what `within` names instead."""

    within: str = ""  # "module" or "module:function"
    paths: bool = False  # whether an input for every path is wanted, too


@dataclass(frozen=True, slots=True)
class OneLine:
    """An input whose run executes this line."""

    file: str
    line: int


Wanted: TypeAlias = EveryBranch | OneLine
