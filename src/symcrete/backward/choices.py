"""The search state, and the steps that lead back from it (Algorithms 4.2 and 4.3).

A state is immutable: backtracking is taking up another one. Looking up a name that the environment
does not have makes a fresh symbol for it, so the environment holds just the names that the path
below depends on; an assignment to any other name is sliced away.
"""

from __future__ import annotations

from dataclasses import field, replace

from symcrete.backward.trace_statements import Entry, Trace
from symcrete.program.lowering.three_address import Flow, Operand
from symcrete.slotted import dataclass


@dataclass(frozen=True, slots=True)
class Frame:
    """One function on the way: its names as symbols, and the call that is being stepped into."""

    flow: Flow
    names: dict[str, str]
    call: int | None = None  # the call in the frame below; None for the outermost


@dataclass(frozen=True, slots=True)
class State:
    """Where a path of the backward search stands: the statement, the functions around it, and the
    trace below.
    """

    at: int  # the statement whose effects are in the trace
    frames: tuple[Frame, ...]  # the innermost last
    trace: Trace
    # turns taken, by depth of the frame and loop edge
    turns: dict[tuple[int, int, int], int] = field(default_factory=dict)
    # loops whose step as a whole was postponed, by depth and header
    loops: frozenset[tuple[int, int]] = frozenset()
    # set while the search looks for what raised: the classes caught here, and those caught before
    error: tuple[tuple[str, ...], tuple[str, ...]] | None = None
    parent: int = -1  # the segment this one continues
    # whether a condition below depends on what objects hold, so that writes matter
    looks: bool = False

    @property
    def flow(self) -> Flow:
        return self.frames[-1].flow

    def with_entry(self, entry: Entry) -> State:
        return replace(self, trace=(entry, self.trace))

    def with_names(self, names: dict[str, str]) -> State:
        return replace(self, frames=(*self.frames[:-1], replace(self.frames[-1], names=names)))


class Symbols:
    """Makes fresh symbols and knows which local each of them stands for."""

    def __init__(self) -> None:
        self.owner: dict[str, tuple[Flow, str]] = {}

    def fresh(self, flow: Flow, name: str) -> str:
        symbol = f"{name}_{len(self.owner)}"
        self.owner[symbol] = (flow, name)
        return symbol

    def look_up(self, state: State, *operands: Operand) -> tuple[State, tuple[Operand, ...]]:
        """The state and the symbols of these operands, made where the environment has none."""
        frame = state.frames[-1]
        names = frame.names
        found: list[Operand] = []
        for operand in operands:
            if not isinstance(operand, str):
                found.append(operand)
                continue
            if operand not in names:
                names = {**names, operand: self.fresh(frame.flow, operand)}
            found.append(names[operand])
        if names is not frame.names:
            state = state.with_names(names)
        return state, tuple(found)

    def take(self, state: State, name: str) -> tuple[State, str | None]:
        """The state without the name, which is assigned here, and its symbol; None if the path
        does not depend on it.
        """
        names = state.frames[-1].names
        if name not in names:
            return state, None
        return state.with_names({k: v for k, v in names.items() if k != name}), names[name]
