"""What speaks for the types of a value that nobody declares, with weights."""

from __future__ import annotations

import ast
import typing
from collections.abc import Sequence
from typing import Any

_ANY_DICT = dict[int, int]  # what a dict is taken for of which nothing else is known


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
        weights = dict(self.weights)
        dicts = [kind for kind in kinds if typing.get_origin(kind) is dict and kind != _ANY_DICT]
        if dicts and _ANY_DICT in weights:
            # What any dict can do speaks for the one whose keys and values are known.
            weights[max(dicts, key=weights.__getitem__)] += weights[_ANY_DICT]
        return sorted(kinds, key=lambda kind: (-weights[kind], kinds.index(kind)))

    def single_out(self, kinds: Sequence[Any]) -> None:
        """Add types of one value that the body asks for: they say little of its other values."""
        self.add(list(kinds), 0.1)
        self.asked |= dict.fromkeys(kinds)

    def ask(self, kinds: list[Any]) -> None:
        """Add types that `isinstance` or `match` names."""
        self.add(kinds, 2.0)
        self.asked |= dict.fromkeys(kinds)
