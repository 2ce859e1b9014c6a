"""What speaks for the types of a value that nobody declares, with weights."""

from __future__ import annotations

import ast
import typing
from collections.abc import Mapping, Sequence
from typing import Any

from symcrete.inputs.infer.asked_kinds import is_enum
from symcrete.inputs.infer.flow import is_called, is_element
from symcrete.inputs.infer.project_classes import bases_first
from symcrete.inputs.infer.records import (
    both,
    constant_kind,
    is_built_in,
    is_record,
    listed_in,
    singled_out,
)
from symcrete.inputs.infer.something import Something

_ANY_DICT = dict[int, int]  # what a dict is taken for of which nothing else is known

# By the name of a method, the built-in types that have it.
METHODS: dict[str, tuple[Any, ...]] = {}
for _kind in (str, list, dict, set):
    for _name in dir(_kind):
        if not _name.startswith("_"):
            METHODS[_name] = (*METHODS.get(_name, ()), _kind)
METHODS |= {"index": (list, str), "count": (list, str), "pop": (list, dict), "copy": (list, dict)}
METHODS |= {"decode": (bytes,), "weekday": (), "total_seconds": ()}
# The types of argument that built-in functions speak for.
FUNCTIONS: dict[str, tuple[Any, ...]] = {
    "len": (list, str),
    "sum": (list,),
    "sorted": (list,),
    "min": (list,),
    "max": (list,),
    "reversed": (list,),
    "enumerate": (list,),
    "set": (list,),
    "any": (list,),
    "all": (list,),
    "zip": (list,),
    "range": (int,),
    "chr": (int,),
    "hex": (int,),
    "bin": (int,),
    "ord": (str,),
    "int": (str, float),
    "float": (str, int),
    "abs": (int,),
    "round": (float,),
    "divmod": (int,),
}
# Where a body asks for the first type alone, the second is likely, too, with this weight.
OTHERWISE: dict[Any, tuple[Any, float]] = {bytes: (str, 1.0), slice: (int, 3.0)}


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
    MEMBER = 1.5  # the type has the method that is read, or is given to its own method
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

    def __init__(self, owner: type | None = None, level: int = 0) -> None:
        self.owner = owner  # the class whose method is looked at
        self.level = level  # calls that lead to the function that is looked at
        self.weights: dict[Any, float] = {}
        # types that the body asks for by name, so that there is code for each
        self.asked: dict[Any, None] = {}
        # weight of a stand-in for attributes that the program does without where they are missing
        self.spared = 0.0
        # The types of loop variables that are known already, by tree, name and depth: loops within
        # loops ask for the same ones again and again.
        self.elements: dict[tuple[ast.AST, str, int], Any] = {}

    def beside(self) -> Evidence:
        """Evidence for another variable of the same function."""
        made = Evidence(self.owner, self.level)
        made.elements = self.elements
        return made

    def add(self, kinds: tuple[Any, ...] | list[Any], weight: float = 1.0) -> None:
        """Add weight to these types, less to each further one."""
        for position, each in enumerate(kinds):
            gained = weight / (1 + position)
            kind = self._with_known_keys(each) if is_record(each) else each
            self.weights[kind] = self.weights.get(kind, 0.0) + gained

    def add_foreign(self, kinds: list[Any], *, spared: bool) -> None:
        """Add types for an attribute that no built-in type has, a stand-in last; `spared`: the
        program does without the attribute where it is missing.
        """
        self.add(kinds, Weight.FOREIGN)
        self.spared += Weight.FOREIGN / len(kinds) if spared and kinds else 0.0

    def _with_known_keys(self, kind: Any) -> Any:
        """The record with the keys of this one and of the one known so far, in whose place it is
        put: each function that is given a dict reads some of its keys.
        """
        known = next((each for each in self.weights if is_record(each)), kind)
        made = both(known, kind)
        if made is not known:
            self.weights = {
                made if each is known else each: weight for each, weight in self.weights.items()
            }
        return made

    def ranked(self) -> list[Any]:
        """The types, those with the most weight first."""
        kinds = list(self.weights)
        weights = dict(self.weights)
        dicts = [kind for kind in kinds if typing.get_origin(kind) is dict]
        records = [kind for kind in kinds if is_record(kind)]
        if records:
            # What any dict can do, and the default `{}`, speaks for the keys that are known.
            weights[records[0]] += sum(weights[kind] for kind in dicts)
        elif len(dicts) > 1 and _ANY_DICT in weights:
            # What any dict can do speaks for the one whose keys and values are known.
            known = [kind for kind in dicts if kind != _ANY_DICT]
            weights[max(known, key=weights.__getitem__)] += weights[_ANY_DICT]
        return sorted(kinds, key=lambda kind: (-weights[kind], kinds.index(kind)))

    def objects(self) -> list[Any]:
        """Where no built-in type has what is read of a value: the classes of the program that have
        it, a stand-in, and what else the body asks for by name; else empty.
        """
        if self.weights.get(Something, 0.0) <= self.spared:
            return []
        ranked = self.ranked()
        own = [kind for kind in ranked if kind is not Something and not is_built_in(kind)]
        rest = [kind for kind in ranked if kind is None or kind in self.asked]
        return list(dict.fromkeys([*bases_first(own, self.asked), Something, *rest]))

    def single_out(self, kinds: Sequence[Any]) -> None:
        """Add types of one value that the body asks for: they say little of its other values."""
        self.add(list(kinds), Weight.ONE_VALUE)
        self.note_asked(kinds)

    def ask(self, kinds: list[Any]) -> None:
        """Add types that `isinstance` or `match` names."""
        self.add(kinds, Weight.ASKED)
        self.note_asked(kinds)

    def note_asked(self, kinds: Sequence[Any]) -> None:
        """Note that there is code for each of these types, without adding weight."""
        self.asked |= dict.fromkeys(kinds)


def combined(
    left: ast.expr,
    op: ast.operator,
    right: ast.expr,
    name: str,
    names: Mapping[str, Any],
    found: Evidence,
) -> None:
    """Add to the evidence the types that a variable has as an operand of this operator."""
    for mine, other in ((left, right), (right, left)):
        if not is_called(mine, name):
            continue
        kinds = constant_kind(other, names)
        if isinstance(op, ast.Add) and kinds:
            found.add(kinds)
        elif isinstance(op, ast.Div) or kinds == [float]:
            found.add([float, int])
        elif isinstance(op, ast.Mod) and mine is left and isinstance(other, ast.Tuple):
            found.add([str])
        elif isinstance(op, ast.Mod) and mine is right and kinds == [str]:
            found.add([str], Weight.BY_USE)  # whatever is put into a text
        elif isinstance(op, ast.Mult | ast.Sub | ast.Pow):
            found.add([int, float])
        else:
            found.add([int])


def compared(
    left: ast.expr,
    op: ast.cmpop,
    right: ast.expr,
    name: str,
    tree: ast.AST,
    names: Mapping[str, Any],
    found: Evidence,
) -> None:
    """Add to the evidence the types that a variable has as one side of a comparison."""
    if isinstance(op, ast.In | ast.NotIn):
        among = listed_in(right, tree, names)
        if is_called(left, name) and among is not None:
            for kind in among:
                found.add([kind], 1.0)
        elif is_called(left, name) and isinstance(right, ast.Constant):
            found.add(constant_kind(right, names))
        elif is_element(left, name) and constant_kind(right, names) == [str]:
            found.add([str], Weight.COMPARED)  # characters of a text, as in `x[0] in "+-"`
        elif is_called(right, name):
            kinds = constant_kind(left, names)
            found.add([str, list, dict] if kinds == [str] else [list, set, dict])
        return
    for mine, other in ((left, right), (right, left)):
        if is_called(mine, name):
            kinds = constant_kind(other, names)
            weight = Weight.ONE_VALUE if kinds == [None] else Weight.COMPARED
            found.add(kinds, weight)
            found.single_out(singled_out(other, names) if not kinds else [])
            if kinds == [None] or is_enum(kinds):
                found.note_asked(kinds)
            if not kinds and _is_what_an_object_equals(tree, other):
                found.add([str, int], Weight.COMPARED)
            if not kinds and isinstance(op, ast.Lt | ast.LtE | ast.Gt | ast.GtE):
                found.add([int], Weight.ORDERED)


def _is_what_an_object_equals(tree: ast.AST, node: ast.expr) -> bool:
    """Whether an expression is the `other` of `__eq__`, as in `self.text == other`: an object that
    equals what it holds is made to be compared with constants.
    """
    match tree, node:
        case ast.FunctionDef(name="__eq__", args=ast.arguments(args=[_, given])), ast.Name(id=name):
            return given.arg == name
        case _:
            return False
