"""What a generator's text does with what it is sent and thrown by those who drive it."""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterator

from symcrete.program.source.module import parsed
from symcrete.slotted import dataclass


@dataclass(frozen=True, slots=True)
class Yields:
    """What the `yield` expressions of one generator are used for."""

    is_sent: bool = False  # it looks at the value of a `yield`
    name: str = ""  # the variable that such a value is bound to, where there is one
    is_guarded: bool = False  # a `yield` is inside of `try` or `with`, so it notices exceptions
    catches: tuple[str, ...] = ()  # the exceptions that are caught there, as they are written
    returns: str = ""  # the annotation of what it returns: Generator[int, str, None]


NOTHING = Yields()


@functools.lru_cache(maxsize=256)  # functions; chosen, not measured
def yields_of(file: str, line: int, name: str) -> Yields:
    """What the function of this name does with its `yield`s, found by the line where it begins
    with its decorators.
    """
    try:
        tree = parsed(file)
    except (OSError, ValueError, SyntaxError):
        return NOTHING
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name == name:
            first = min([node.lineno, *[each.lineno for each in node.decorator_list]])
            if first == line:
                return _looked_at(node)
    return NOTHING


# Statements that may catch what is thrown into a generator.
_GUARDS = (ast.Try, ast.TryStar, ast.With, ast.AsyncWith)


def _looked_at(function: ast.FunctionDef | ast.AsyncFunctionDef) -> Yields:
    sent, guarded = False, False
    names: list[str] = []
    caught: dict[str, None] = {}
    for above in _yields(function, ()):
        parent = above[-1]
        sent = sent or not isinstance(parent, ast.Expr)
        match parent:
            case ast.Assign(targets=[ast.Name(id=name)]) | ast.NamedExpr(target=ast.Name(id=name)):
                names.append(name)
            case ast.AnnAssign(target=ast.Name(id=name)):
                names.append(name)
        for each in above:
            guarded = guarded or isinstance(each, _GUARDS)
            for handler in each.handlers if isinstance(each, ast.Try) else ():
                caught |= dict.fromkeys(_names(handler.type))
    returns = ast.unparse(function.returns) if function.returns is not None else ""
    return Yields(sent, names[0] if names else "", guarded, tuple(caught), returns)


def _yields(node: ast.AST, above: tuple[ast.AST, ...]) -> Iterator[tuple[ast.AST, ...]]:
    """For each `yield` of a function what it is inside of, the innermost last."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef):
            continue
        if isinstance(child, ast.Yield):
            yield (*above, node)
        yield from _yields(child, (*above, node))


def _names(asked: ast.expr | None) -> list[str]:
    """The exceptions of a handler as text; Exception for a bare one."""
    match asked:
        case None:
            return ["Exception"]
        case ast.Tuple(elts=parts):
            return [ast.unparse(each) for each in parts]
        case _:
            return [ast.unparse(asked)]
