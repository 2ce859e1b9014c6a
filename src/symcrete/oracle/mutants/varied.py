"""Other inputs of the kind of those that are known: calls that cost no solver, to be played on
faulty versions.

`price(0.0, "P0")` shows nothing of `amount * percent / 100`, and `price(10.0, "P7")` does. Only
arguments whose declared type any such value has are varied, or that have no declared type; those
that are made by calls stay as they are.
"""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from symcrete.explore.findings import FoundInput
from symcrete.inputs.infer.examples import examples_of
from symcrete.inputs.literal import NoLiteral, literal
from symcrete.oracle.subjects import node_of
from symcrete.program.source.target import Target

# All chosen, not measured.
MOST_VARIED = 120  # calls of one function; each is played on every fault that is left
INPUTS_VARIED = 12  # inputs that are varied
OWN_CONSTANTS = 8  # numbers and texts in the function's source that are tried as arguments
ALL_CHANGED = 4  # variants of a call with all arguments changed
MANY = 20  # characters or elements of a long value, for loops that need more rounds than usual
OTHERS_OF_A_PART = 4  # other values of one element, value or item
PARTS_CHANGED = 4  # elements of a sequence that are changed, the first ones
ITEMS_CHANGED = 3  # items of a dict that are changed, the first ones
PARTS_ADDED = 5  # values that are added to a sequence, each alone
ADDED_TOGETHER = 3  # of them, that are added at once too
HALF_A_STEP = 0.5  # added to and taken from each number in the function's source
SLIGHTLY = 0.125  # what a float is changed by; exact in binary
MOST_LONG = 40  # elements or characters; a value that has more is not made longer
# numbers whose products, quotients and remainders differ, and one below zero
WHOLE = (10, 3, 7, 100, 2, 1, -3, 13)
BROKEN = (10.0, 2.5, 100.0, 0.375, -3.25, 7.0)
# Types of which every value of a kind is a value: `list[int]`, `str | None`.
_BUILT_IN = ("int", "float", "str", "bytes", "bool", "list", "dict", "tuple", "set", "frozenset")
_FROM_TYPING = ("List", "Dict", "Tuple", "Set", "Sequence", "Iterable", "Collection", "Mapping")
_OTHERS = ("None", "Any", "object", "Optional", "Union", "typing", "collections", "abc")
_PLAIN = frozenset((*_BUILT_IN, *_FROM_TYPING, *_OTHERS))


def varied(target: Target, known: Sequence[FoundInput]) -> list[FoundInput]:
    """Calls like those known with one argument changed, or all of them, no two alike."""
    node = node_of(target)
    if node is None:
        return []
    declared = {each.arg: each.annotation for each in _parameters(node)}
    names = [name for name, annotation in declared.items() if _is_plain(annotation)]
    constants = list(_constants(node))
    seen = {each.key for each in known}
    shown = list(_shown(target, known[:1], names))
    found: list[FoundInput] = []
    # In turn, so that the calls that there is room for are of all inputs.
    every = [_of_one(each, names, declared, constants) for each in (*shown, *known[:INPUTS_VARIED])]
    in_turn = itertools.chain.from_iterable(itertools.zip_longest(*every))
    for each in itertools.chain(shown, in_turn):
        if each is not None and each.key not in seen:
            seen.add(each.key)
            found.append(each)
            if len(found) == MOST_VARIED:
                break
    return found


def _shown(
    target: Target, known: Sequence[FoundInput], names: Sequence[str]
) -> Iterator[FoundInput]:
    """The calls with literals that docstrings show; what they leave out as in a known one."""
    for one in known:
        for example in examples_of(target.source.tree(), target.scope):
            call = example.call
            given = dict(zip(one.args, call.args, strict=False))
            given |= {each.arg: each.value for each in call.keywords if each.arg}
            values = {name: _value(ast.unparse(each)) for name, each in given.items()}
            fits = given.keys() <= set(names) and len(call.args) <= len(one.args)
            if fits and not any(each is _NO_VALUE for each in values.values()):
                yield from _with(one, values)


def _parameters(node: ast.FunctionDef | ast.AsyncFunctionDef) -> list[ast.arg]:
    return [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]


def _is_plain(annotation: ast.expr | None) -> bool:
    if annotation is None:
        return True
    for each in ast.walk(annotation):
        if isinstance(each, ast.Name) and each.id not in _PLAIN:
            return False
        if isinstance(each, ast.Attribute) and each.attr not in _PLAIN:
            return False
        if isinstance(each, ast.Constant) and each.value not in (None, Ellipsis):
            return False  # a name in quotes
    return True


def _constants(node: ast.AST) -> Iterator[Any]:
    """The numbers and texts that stand in a function, but for its documentation."""
    documentation = [each.value for each in ast.walk(node) if isinstance(each, ast.Expr)]
    found = [
        each.value
        for each in ast.walk(node)
        if isinstance(each, ast.Constant) and each not in documentation
    ]
    usual = [each for each in found if type(each) in (int, float, str) and each != ""]
    yield from list(dict.fromkeys(usual))[:OWN_CONSTANTS]


def _of_one(
    known: FoundInput,
    names: Sequence[str],
    declared: dict[str, ast.expr | None],
    constants: Sequence[Any],
) -> Iterator[FoundInput]:
    """Variants of one call, those that change one argument in turn."""
    values = {name: _value(known.args[name]) for name in names if name in known.args}
    usable = {name: value for name, value in values.items() if value is not _NO_VALUE}
    # All arguments at once first: `price * share` shows nothing while one of them is 0.
    together = [
        list(itertools.islice(other_values(value, declared[name], constants), ALL_CHANGED))
        for name, value in usable.items()
    ]
    if len(together) > 1:
        for given in zip(*together, strict=False):
            yield from _with(known, dict(zip(usable, given, strict=True)))
    others = [
        zip(itertools.repeat(name), other_values(value, declared[name], constants))
        for name, value in usable.items()
    ]
    for pair in itertools.chain.from_iterable(itertools.zip_longest(*others)):
        if pair is not None:
            yield from _with(known, dict([pair]))


def _with(known: FoundInput, given: dict[str, Any]) -> Iterator[FoundInput]:
    try:
        texts = {name: literal(value) for name, value in given.items()}
    except NoLiteral:
        return
    yield replace(known, args=known.args | texts)


_NO_VALUE = object()


def _value(text: str) -> Any:
    """What a literal means; `_NO_VALUE` for any other expression."""
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return _NO_VALUE


def other_values(
    value: Any, annotation: ast.expr | None = None, constants: Sequence[Any] = ()
) -> Iterator[Any]:
    """Values of the same type as this one, or of the declared one where it is None or empty."""
    same = [each for each in constants if type(each) is type(value)]
    match value:
        case bool():
            yield not value
        case int():
            yield from WHOLE
            for each in same:
                yield from (each + 1, each - 1, each, 2 * each + 1)
            yield from (value + 1, value - 1, -value)
        case float():
            yield from BROKEN
            for number in [float(each) for each in constants if type(each) in (int, float)]:
                yield from (number + HALF_A_STEP, number - HALF_A_STEP, number)
            yield value + SLIGHTLY
        case str():
            yield from _other_texts(value, same)
        case list() | tuple() | set() | frozenset():
            yield from _other_sequences(value, annotation, constants)
        case dict():
            yield from _other_mappings(value, annotation, constants)
        case None if annotation is not None:
            for name in ("int", "float", "str"):
                if any(
                    isinstance(each, ast.Name) and each.id == name for each in ast.walk(annotation)
                ):
                    yield from itertools.islice(
                        other_values(_NULLS[name], None, constants), OTHERS_OF_A_PART
                    )


_NULLS: dict[str, Any] = {"int": 0, "float": 0.0, "str": ""}


def _other_texts(value: str, constants: Sequence[str]) -> Iterator[str]:
    digits = [index for index, each in enumerate(value) if each in "0123456789"]
    for other in ("7", "1", "25", "9"):  # every digit, the last, the first
        for replaced in (digits, digits[-1:], digits[:1]) if digits else ():
            yield "".join(other if i in replaced else each for i, each in enumerate(value))
    if len(value) <= MOST_LONG:
        middle = len(value) // 2
        for more in ("a", "7", " ", "Z", "-", "ab1"):
            yield from (value + more, more + value, value[:middle] + more + value[middle:])
        yield value + value
        if value:  # long enough for what happens every eight or sixteen characters
            yield value * (MANY // len(value) + 1)
    yield from (value.swapcase(), value[::-1], value[1:], value[:-1])
    for each in constants:
        yield from (each, value + each, each + value, each + "a", each[:-1])


def _other_sequences(
    value: Any, annotation: ast.expr | None, constants: Sequence[Any]
) -> Iterator[Any]:
    kind, parts = type(value), list(value)
    fixed = kind is tuple and annotation is not None and "..." not in ast.unparse(annotation)
    for index, each in enumerate(parts[:PARTS_CHANGED]):
        for other in itertools.islice(other_values(each, None, constants), OTHERS_OF_A_PART):
            yield kind([*parts[:index], other, *parts[index + 1 :]])
    if fixed or len(parts) > MOST_LONG:
        return
    if parts:
        yield kind(reversed(parts))
        yield kind(parts + parts)
        if kind in (list, tuple):
            yield kind(parts * (MANY // len(parts) + 1))
        yield kind(parts[1:])
        more = list(itertools.islice(other_values(parts[-1], None, constants), PARTS_ADDED))
    else:
        more = _elements(annotation, constants)
    for each in more:
        yield from (kind([*parts, each]), kind([each, *parts]))
    if len(more) >= ADDED_TOGETHER:
        first = more[:ADDED_TOGETHER]
        yield from (kind([*parts, *first]), kind([*reversed(first), *parts]))


def _other_mappings(
    value: Any, annotation: ast.expr | None, constants: Sequence[Any]
) -> Iterator[Any]:
    for key, each in itertools.islice(value.items(), ITEMS_CHANGED):
        for other in itertools.islice(other_values(each, None, constants), OTHERS_OF_A_PART):
            yield value | {key: other}
        yield {k: v for k, v in value.items() if k != key}


def _elements(annotation: ast.expr | None, constants: Sequence[Any]) -> list[Any]:
    """Elements for an empty container of a declared type."""
    match annotation:
        case ast.Subscript(slice=ast.Name(id=name)) if name in _NULLS:
            return list(
                itertools.islice(other_values(_NULLS[name], None, constants), OTHERS_OF_A_PART)
            )
        case ast.Subscript(slice=ast.Tuple(elts=[ast.Name(id=name), _])) if name in _NULLS:
            return list(
                itertools.islice(other_values(_NULLS[name], None, constants), OTHERS_OF_A_PART)
            )
    return []
