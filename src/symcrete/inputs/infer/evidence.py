"""What speaks for the types of a value that nobody declares, with weights."""

from __future__ import annotations

import ast
import typing
from collections.abc import Sequence
from typing import Any

_ANY_DICT = dict[int, int]  # what a dict is taken for of which nothing else is known


class Weight:
    """How much each thing that a program does with a value speaks for a type. A plain use, such as
    an operator or a built-in function, counts 1.0; the others were chosen against it, not measured.
    """

    DOCUMENTED = 3.0  # the docstring says the type
    EXAMPLE = 2.0  # an example calls the function with such a value
    ASKED = 2.0  # `isinstance` or `match` names the type
    TELLING_USE = (
        2.0  # a use that hardly any other type allows: a key, a call, a `with`, `.items()`
    )
    PASSED_ON = 1.6  # it is handed to a parameter that declares the type
    MEMBER = 1.5  # the type has the method or attribute that is read
    COMPARED = 1.5  # it is compared with a constant of the type
    COUNTED = 1.5  # `range` is given it
    ITERATED = 1.2  # it is gone through, and the elements are used so
    FOREIGN = 0.9  # no built-in type has the attribute that is read
    FOLLOWED = 0.8  # a function that it is handed to uses it so
    BY_USE = 0.8  # a method of texts or a function of iterators is given it
    ORDERED = 0.5  # it is compared with something unknown by `<` and the like
    ZIPPED = 0.5  # it is an argument of `zip`
    EACH_ATTRIBUTE = 0.5  # more for a class with each of its attributes that are read
    CONDITION = 0.4  # it is a condition by itself: `if x.ready`
    NAMED = 0.3  # the name of the variable suggests the type
    ONE_VALUE = 0.1  # it is compared with one value, which says little of others
    STAND_IN = 0.1  # an object of the program may just as well be a stand-in


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
        self.add(list(kinds), Weight.ONE_VALUE)
        self.note_asked(kinds)

    def ask(self, kinds: list[Any]) -> None:
        """Add types that `isinstance` or `match` names."""
        self.add(kinds, Weight.ASKED)
        self.note_asked(kinds)

    def note_asked(self, kinds: Sequence[Any]) -> None:
        """Note that there is code for each of these types, which is no weight."""
        self.asked |= dict.fromkeys(kinds)
