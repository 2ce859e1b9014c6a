"""What speaks for the types of a value that nobody declares, with weights."""

from __future__ import annotations

import ast
from typing import Any


class Evidence:
    """Types with the weight of what speaks for them."""

    def __init__(self) -> None:
        self.weights: dict[Any, float] = {}
        # types that the body asks for by name, so that there is code for each
        self.asked: dict[Any, None] = {}
        # The types of loop variables that are known already, by tree, name and depth: loops within
        # loops ask for the same ones again and again.
        self.elements: dict[tuple[ast.AST, str, int], Any] = {}

    def beside(self) -> Evidence:
        """Evidence for another variable of the same function."""
        made = Evidence()
        made.elements = self.elements
        return made

    def add(self, kinds: tuple[Any, ...] | list[Any], weight: float = 1.0) -> None:
        """Add weight to these types, less to each further one."""
        for position, kind in enumerate(kinds):
            gained = weight / (1 + position)
            self.weights[kind] = self.weights.get(kind, 0.0) + gained

    def ranked(self) -> list[Any]:
        """The types, those with the most weight first."""
        kinds = list(self.weights)
        return sorted(kinds, key=lambda kind: (-self.weights[kind], kinds.index(kind)))

    def ask(self, kinds: list[Any]) -> None:
        """Add types that `isinstance` or `match` names."""
        self.add(kinds, 2.0)
        self.asked |= dict.fromkeys(kinds)
