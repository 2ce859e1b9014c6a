"""Numbers in functions that no name and no comment explains, as the rules of the house see them.

A number that somebody chose (a limit, a share, a weight, a size) is a constant of its module with a
name, its unit and its reason. What is left in functions is arithmetic, and facts of Python or of a
format, which the line says.
"""

from __future__ import annotations

import ast
import io
import tokenize
from collections.abc import Iterator

from tools.modules import Module

SMALL = 2  # whole numbers from -2 to 2, also as floats: the next one, half, both, none

_FUNCTIONS = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


def unnamed_numbers(module: Module) -> Iterator[tuple[int, str]]:
    """The numbers within functions of a module that nothing explains, with their lines.

    Defaults of parameters and decorators belong to the function. These need no explanation: whole
    numbers from -2 to 2; an index (`row[3]`); how many parts there are (`len(row) == 3`); a coin
    (`random() < 0.5`); the base of a power (`10**places`); the digits that `round` keeps; and
    whatever stands on a line that ends in a comment.
    """
    plain = set(_numbers_of_a_form(module))
    explained = _lines_with_a_comment(module.text)
    seen: set[int] = set()
    for function in module.nodes:
        if not isinstance(function, _FUNCTIONS):
            continue
        for node in ast.walk(function):
            if id(node) in seen or not isinstance(node, ast.Constant):
                continue
            seen.add(id(node))
            if isinstance(node.value, bool) or not isinstance(node.value, int | float):
                continue
            if abs(node.value) <= SMALL and node.value == int(node.value):
                continue
            if id(node) not in plain and node.lineno not in explained:
                yield node.lineno, ast.unparse(node)


def _numbers_of_a_form(module: Module) -> Iterator[int]:
    """The identities of nodes whose place says what they are."""
    for node in module.nodes:
        match node:
            case ast.Subscript(slice=ast.Constant() as index):
                yield id(index)
            case ast.Subscript(slice=ast.UnaryOp(operand=ast.Constant() as index)):
                yield id(index)
            case ast.Compare(
                left=ast.Call(func=ast.Name(id="len")),
                ops=[ast.Eq() | ast.NotEq()],
                comparators=[ast.Constant() as count],
            ):
                yield id(count)
            case ast.Compare(
                left=ast.Call(func=ast.Attribute(attr="random")),
                ops=[ast.Lt()],
                comparators=[ast.Constant(value=0.5) as coin],
            ):
                yield id(coin)
            case ast.BinOp(left=ast.Constant() as base, op=ast.Pow()):
                yield id(base)
            case ast.Call(func=ast.Name(id="round"), args=[_, ast.Constant() as digits]):
                yield id(digits)
            case _:
                pass


def _lines_with_a_comment(text: str) -> set[int]:
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    return {each.start[0] for each in tokens if each.type == tokenize.COMMENT}
